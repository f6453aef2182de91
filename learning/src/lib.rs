//! Methods by which engines learn from games.
//!
//! | module | content |
//! |---|---|
//! | `schedule` | how learning rates and exploration change |
//! | `q` | tabular Q-learning over afterstates |
//!
//! Nothing here is needed by an engine that only plays.

mod q;
mod schedule;

pub use q::{QLearner, QSettings};
pub use schedule::{Schedule, ScheduleError};
