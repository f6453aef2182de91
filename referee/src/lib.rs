//! Plays leagues of game engines under clocks, and never trusts them.

pub mod clock;
pub mod dice;
pub mod game;
pub mod process;
pub mod protocol;
pub mod record;
pub mod task;
pub mod trace;
