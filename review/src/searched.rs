//! What the searches of a game have found: all that is kept of a review.

use protocol::ugi::InfoScore;
use serde::{Deserialize, Serialize};

/// What a search has found of a point at which a side begins a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The score for the side that acts, as in UGI: `cp 31`, `win 5`, `loss 6`.
    pub score: String,
    /// Whether no longer search can change it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub solved: bool,
    /// The best turn, and those that are expected after it.
    pub line: Vec<String>,
    /// The score of the best other turn; absent if there is none, or if it was not searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<String>,
    /// What a second look has found of the point after the best turn, where the turn that was played
    /// seemed to lose much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_best: Option<Box<Looked>>,
    /// Completed depth, plies.
    pub depth: u32,
    /// Nodes or playouts.
    pub nodes: u64,
}

impl Found {
    /// The begin of the line, as far as people read it.
    pub fn shown(&self) -> &[String] {
        &self.line[..self.line.len().min(SHOWN)]
    }
}

/// How many turns of a line are shown.
const SHOWN: usize = 5;

/// Faces of the die after which the game goes on alike, and what was found after them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Face {
    /// How many faces these are.
    pub weight: u32,
    /// What was found; absent for those with the face that was rolled, which is the next point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
}

/// What was found of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Looked {
    /// Of one at which a side begins a turn.
    Turn(Found),
    /// Of one at which the die is rolled: every face once.
    Roll(Vec<Face>),
    /// Nothing was searched: the game is over, the side has no choice, or the point belongs to the
    /// opening.
    Nothing,
}

impl Looked {
    /// What was found, of a point at which a side begins a turn.
    pub fn turn(&self) -> Option<&Found> {
        match self {
            Looked::Turn(found) => Some(found),
            Looked::Roll(_) | Looked::Nothing => None,
        }
    }
}

/// What was found of the points of a game; `None` where the searches were stopped before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Searched(pub Vec<Option<Looked>>);

impl Searched {
    /// What was found of a point at which a side begins a turn.
    pub fn turn(&self, point: usize) -> Option<&Found> {
        self.0.get(point)?.as_ref()?.turn()
    }

    /// Whether every point was searched once.
    pub fn is_whole(&self) -> bool {
        self.0.iter().all(Option::is_some)
    }
}

/// A score of a file; `None` if it is none.
pub(crate) fn score(text: &str) -> Option<InfoScore> {
    text.parse().ok()
}
