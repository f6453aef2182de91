//! What a log says: standings, times, the games move by move, and whether they are right.
//!
//! All are pure functions of the log.

pub mod anchors;
pub mod cpu;
pub mod hosts;
pub mod lag;
mod repeats;
pub mod replay;
pub mod standings;
pub mod summary;
pub mod tally;
pub mod verify;
pub mod work;
