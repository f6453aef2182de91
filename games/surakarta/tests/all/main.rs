//! The tests of Surakarta, in one program: it is linked with the searches once.

mod conformance;
mod golden;
mod inputs;
mod perft;
mod playout;
mod proof;
mod record;
mod reference;
mod search;
mod text;
