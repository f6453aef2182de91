//! The tests of Amazons, in one program: it is linked with the searches once.

mod conformance;
mod golden;
mod gtp;
mod perft;
mod proof;
mod record;
mod reference;
mod solved;
mod text;
