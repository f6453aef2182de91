//! Learning the weights of a game by self-play, from a file of settings.
//!
//! | file | what it holds |
//! |---|---|
//! | `config` | files of settings: TOML in, checked settings out |
//! | `folder` | what a run writes: a checkpoint to go on from, the weights, a plot |
//! | `plot` | loss and strength by iterations |
//! | `text` | the same as lines and as a table |
//!
//! The methods are those of the crate `learning`.

pub mod config;
pub mod folder;
pub mod plot;
pub mod text;
