//! Reviews against a slow solver that tries everything, and their files.

mod common;
mod dice;
mod file;
mod league;
mod reasons;
mod solved;
