//! The tests of EinStein, in one program: it is linked with the searches once.

mod conformance;
mod endgames;
mod golden;
mod inputs;
mod perft;
mod playout;
mod record;
mod reference;
mod search;
mod text;
mod values;
