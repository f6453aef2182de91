//! Tuning of named parameters, for `referee tune`: by playing (SPSA), or on the results of logged
//! games (Texel's method), closed by a test of the new values against the old ones.

pub mod checkpoint;
pub mod config;
pub mod plot;
pub mod report;
pub mod spsa;
pub mod texel;

pub use checkpoint::{Checkpoint, Folder, of_folder};
pub use config::{Method, Tuned, Tuning};
