//! Methods by which engines learn from games.
//!
//! | module | content |
//! |---|---|
//! | `schedule` | how learning rates and exploration change |
//! | `q`, `table` | tabular Q-learning over afterstates; the same for any game |
//! | `samples` | positions to learn from, each with a target |
//! | `returns` | targets by temporal differences |
//! | `parameters` | a model in real numbers, with its gradient |
//! | `adam`, `fit` | an optimizer; logistic regression by a model |
//! | `environment` | a game as learning sees it |
//! | `learner` | learning by self-play, iteration by iteration |
//! | `selfplay`, `duel` | a game of a model against itself; against the evaluation made by hand |
//!
//! Nothing here is needed by an engine that only plays.

mod adam;
mod duel;
mod environment;
mod fit;
mod learner;
mod parameters;
mod q;
mod returns;
mod samples;
mod schedule;
mod selfplay;
mod table;

pub use adam::Adam;
pub use environment::{Environment, GameEnvironment, Method, Player, SelfPlay};
pub use fit::{FitSettings, fit, mean_loss};
pub use learner::{Activity, LearnSettings, Learner, Progress, State, Strength, StrengthSettings};
pub use parameters::{Buffers, Parameters};
pub use q::{QLearner, QSettings, QState};
pub use returns::lambda_returns;
pub use samples::{Sample, Samples};
pub use schedule::{Schedule, ScheduleError};
pub use table::{Table, TableProgress, table};
