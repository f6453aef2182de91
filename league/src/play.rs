//! One game between two engines: its loop, its early ends, engines that stay for the next game, and the pauses of
//! the referee itself.

pub mod adjudicator;
pub mod decided;
pub mod game;
pub mod pauses;
pub(crate) mod wait;
pub mod waiting;
