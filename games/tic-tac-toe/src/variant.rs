//! The settings of the rules.

use serde::{Deserialize, Serialize};

/// The rules of tic-tac-toe, which have no settings.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variant {}
