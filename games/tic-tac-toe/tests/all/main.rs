//! The tests of tic-tac-toe, in one program: it is linked with the searches once.

mod conformance;
mod evaluate;
mod facts;
mod golden;
mod gtp;
mod perft;
mod record;
mod reference;
mod text;
