//! The tests of the catalogue, in one program: it is linked with the searches once.

mod analyst;
mod exact;
mod listed;
mod mirror;
mod openings;
mod pace;
mod parameters;
mod pictures;
mod prove;
mod records;
mod reuse;
mod shipped;
mod standard;
mod stress;
mod variants;
