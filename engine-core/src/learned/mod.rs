//! Evaluations that are learned from games.
//!
//! | file | what it is |
//! |---|---|
//! | `inputs` | what a learned evaluation sees of a position |
//! | `model` | weights in whole numbers: a sum, or a network with one or two hidden layers |
//! | `weights` | a model with the name of its inputs, as a player gets it |
//! | `sums` | the first layer of a position, kept while moves are played and taken back |
//! | `scale` | from log odds to the points of a game |
//! | `check` | calls that check the inputs and the features of any game |
//! | `features` | what a learned policy sees of a move |
//! | `policy` | which moves are worth a search, by learned strengths of their features |
//! | `combined` | an evaluator that is made by hand, learned, or both |
//!
//! The crate `learning` finds the weights; nothing here learns.

mod check;
mod chosen;
mod combined;
mod features;
mod inputs;
mod model;
mod policy;
mod scale;
mod sums;
mod weights;

pub use check::{check_features, check_inputs};
pub use combined::CombinedEvaluator;
pub use features::MoveFeatures;
pub use inputs::{Change, Inputs};
pub use model::{ACTIVE, Model, ModelError, Network, Shape, UNIT, WEIGHT};
pub use policy::{Policy, offered};
pub use scale::log_odds;
pub use weights::Weights;
