//! One game between two engines: its loop, engines that stay for the next game, and the pauses of
//! the referee itself.

pub mod game;
pub mod pulse;
pub mod waiting;
