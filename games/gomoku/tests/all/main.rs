//! The tests of Gomoku, in one program: it is linked with the searches once.

mod book;
mod ceremony;
mod common;
mod conformance;
mod evaluator;
mod forbidden;
mod golden;
mod gomocup;
mod gtp;
mod perft;
mod record;
mod reference;
mod slow;
mod text;
