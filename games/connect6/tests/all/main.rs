//! The tests of Connect6, in one program: it is linked with the searches once.

mod book;
mod conformance;
mod evaluate;
mod golden;
mod gtp;
mod perft;
mod playout;
mod proof;
mod record;
mod reference;
mod text;
