//! The settings of the rules.

use entry::VariantError;
use serde::{Deserialize, Serialize};

use crate::board::DotsAndBoxes;
use crate::geometry::Geometry;

/// Board size and when the game ends. The default is the contest's: 5×5 boxes, to the last edge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variant {
    /// Boxes in a row, at least 1; the board has at most 64 edges.
    pub columns: u8,
    /// Boxes in a column, at least 1.
    pub rows: u8,
    /// Whether the game ends as soon as one side has more than half of the boxes.
    pub stop_at_majority: bool,
}

impl Default for Variant {
    fn default() -> Variant {
        Variant {
            columns: 5,
            rows: 5,
            stop_at_majority: false,
        }
    }
}

impl Variant {
    /// The empty board.
    ///
    /// # Errors
    /// A side of 0 boxes, or more than 64 edges.
    pub fn start(&self) -> Result<DotsAndBoxes, VariantError> {
        let geometry = Geometry::of(self.columns, self.rows).ok_or_else(|| {
            VariantError(format!(
                "{} columns and {} rows: expected at least 1 of each and at most 64 edges, as 5 and 5",
                self.columns, self.rows
            ))
        })?;
        Ok(DotsAndBoxes::new(geometry, self.stop_at_majority))
    }
}
