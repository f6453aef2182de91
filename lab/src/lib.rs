//! What learns and measures: each room holds one kind of long work, with its settings, its checkpoints and
//! what it prints and plots.

pub mod book;
pub mod cluster;
pub mod compare;
pub mod learn;
mod logged;
pub mod openings;
pub mod plot;
pub mod tune;
