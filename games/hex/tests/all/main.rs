//! The tests of Hex, in one program: it is linked with the searches once.

mod beside;
mod common;
mod conformance;
mod golden;
mod gtp;
mod guided;
mod network;
mod perft;
mod playout;
mod policy;
mod proof;
mod record;
mod reference;
mod search;
mod solved;
mod text;
