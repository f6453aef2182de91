//! The tests of Gomoku, in one program: it is linked with the searches once.

mod ceremony;
mod common;
mod conformance;
mod forbidden;
mod perft;
mod slow;
