//! What a player needs to evaluate by learned weights.

use super::model::Model;

/// Learned weights, for [`crate::Settings::weights`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// [`super::Inputs::NAME`] of the inputs for which they were learned.
    pub inputs: String,
    /// The weights.
    pub model: Model,
    /// Whether they are added to the log odds of the value made by hand instead of replacing it.
    pub corrects: bool,
}
