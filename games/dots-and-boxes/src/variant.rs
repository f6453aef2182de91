//! The rule settings.

use game::VariantError;
use serde::{Deserialize, Serialize};

use crate::board::DotsAndBoxes;
use crate::geometry::Geometry;

/// Board size and end of the game. The default is the contest rules: 5×5 boxes, to the last edge.
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
    /// The start position.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Variant, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn settings_are_read_by_name() {
        assert_eq!(read("{}"), Ok(Variant::default()));
        let all = r#"{"columns":3,"rows":1,"stop_at_majority":true}"#;
        let variant = Variant {
            columns: 3,
            rows: 1,
            stop_at_majority: true,
        };
        assert_eq!(read(all), Ok(variant));
        let error = read(r#"{"colums":3}"#).unwrap_err();
        assert!(error.contains("unknown field `colums`"), "{error}");
    }

    #[test]
    fn boards_without_boxes_or_with_too_many_edges_are_refused() {
        for (columns, rows) in [(0, 5), (5, 0), (5, 6), (22, 1), (255, 255)] {
            let variant = Variant {
                columns,
                rows,
                ..Variant::default()
            };
            assert_eq!(
                variant.start().unwrap_err().0,
                format!(
                    "{columns} columns and {rows} rows: \
                     expected at least 1 of each and at most 64 edges, as 5 and 5"
                )
            );
        }
    }
}
