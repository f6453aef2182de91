//! The tests of Surakarta, in one program: it is linked with the searches once.

mod conformance;
mod evaluate;
mod golden;
mod inputs;
mod perft;
mod playout;
mod proof;
mod record;
mod reference;
mod search;
mod text;
