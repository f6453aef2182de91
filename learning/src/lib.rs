//! Methods by which engines learn from games.
//!
//! | module | content |
//! |---|---|
//! | `schedule` | how learning rates and exploration change |
//! | `q`, `table` | tabular Q-learning over afterstates; the same for any game |
//! | `tally` | sums of results, with their errors |
//! | `rollout` | whole games by a shallow search, corrected for the luck of the dice |
//! | `halving` | sequential halving: the best of many arms |
//! | `setup` | the best setup of each side, where the sides set up their pieces first |
//! | `samples` | positions to learn from, each with a target |
//! | `returns` | targets by temporal differences |
//! | `parameters` | a model in real numbers, with its gradient |
//! | `adam`, `fit` | an optimizer; logistic regression by a model |
//! | `choices`, `choosing` | choices of moves to learn a policy from; those of a search in games against itself, and those of logged games |
//! | `bradley_terry` | minorization-maximization: strengths of the features of moves |
//! | `environment` | a game as learning sees it |
//! | `logged` | games that were played elsewhere |
//! | `learner` | learning from self-play or logged games, iteration by iteration |
//! | `policy` | learning a policy, iteration by iteration |
//! | `contest` | a game between two players of this process |
//! | `selfplay`, `duel` | a game from which a model learns; pairs between two settings of an engine |
//! | `spsa` | SPSA: parameters of engines, by playing |
//! | `texel` | Texel's tuning method: weights of evaluations, by results of games |
//!
//! Nothing here is needed by an engine that only plays.

mod adam;
mod bradley_terry;
mod choices;
mod choosing;
mod contest;
mod duel;
mod environment;
mod fit;
mod halving;
mod learner;
mod logged;
mod parameters;
mod policy;
mod q;
mod returns;
mod rollout;
mod samples;
mod schedule;
mod selfplay;
mod setup;
pub mod spsa;
mod table;
mod tally;
pub mod texel;

pub use adam::Adam;
pub use bradley_terry::{MmSettings, Prediction, fit_strengths, predict};
pub use choices::Choices;
pub use choosing::ChoiceSettings;
pub use contest::contest;
pub use environment::{Environment, GameEnvironment, LearnError, Method, Player, SelfPlay};
pub use fit::{FitSettings, fit, mean_loss};
pub use halving::Halving;
pub use learner::{
    Activity, LearnSettings, Learner, Learns, Progress, State, Strength, StrengthSettings,
};
pub use logged::LoggedGame;
pub use parameters::{Buffers, Parameters};
pub use policy::{PolicyLearner, PolicySettings, PolicyState};
pub use q::{QLearner, QSettings, QState};
pub use returns::lambda_returns;
pub use rollout::{Played, Rollout};
pub use samples::{Sample, Samples};
pub use schedule::{Schedule, ScheduleError};
pub use setup::{BLOCK, FINALISTS, SetupRate, SetupSettings, SetupStudy, Stage};
pub use table::{Table, TableProgress, table};
pub use tally::Tally;
