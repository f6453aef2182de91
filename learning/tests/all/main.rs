//! The tests of learning, in one program.

mod q;
