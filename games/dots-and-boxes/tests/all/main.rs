//! The tests of Dots and Boxes, in one program: it is linked with the searches once.

mod conformance;
mod evaluation;
mod exact;
mod golden;
mod perft;
mod player;
mod proof;
mod record;
mod reference;
mod search;
mod solver;
mod text;
mod values;
