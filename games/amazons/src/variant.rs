//! The rule settings and the start position.

use engine_core::Side;
use game::VariantError;
use serde::{Deserialize, Serialize};

use crate::board::Amazons;
use crate::geometry::{Board, MAX_SIZE, Square};
use crate::notation::read_square;

/// Maximum number of amazons per side.
pub const MAX_AMAZONS: usize = 8;

/// A board and its amazons at the start.
///
/// As text it is the size of a known set-up, `{ size = 10 }` (the contest's and the default), `8`
/// (Botzone's) or `6`; or any board with its amazons: `{ columns = 4, rows = 4, first = ["a2"],
/// second = ["d3"] }`. First moves first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Keys", into = "Keys")]
pub struct Variant {
    /// Columns of the board, 1 to 10, named a to j from the left.
    pub columns: u8,
    /// Rows of the board, 1 to 10, numbered from the bottom.
    pub rows: u8,
    /// The squares of First's 1 to 8 amazons, such as `d1`.
    pub first: Vec<String>,
    /// The squares of Second's 1 to 8 amazons.
    pub second: Vec<String>,
}

/// The known set-ups: size, squares of First, squares of Second. For size 8, Botzone numbers rows
/// from the top.
const SETUPS: [(u8, [&str; 4], [&str; 4]); 3] = [
    (10, ["a4", "d1", "g1", "j4"], ["a7", "d10", "g10", "j7"]),
    (8, ["a6", "c8", "f8", "h6"], ["a3", "c1", "f1", "h3"]),
    (6, ["a2", "b1", "e1", "f2"], ["a5", "b6", "e6", "f5"]),
];

impl Variant {
    /// The known set-up of this size: 10, 8 or 6.
    pub fn of_size(size: u8) -> Option<Variant> {
        let (_, first, second) = SETUPS.into_iter().find(|setup| setup.0 == size)?;
        Some(Variant {
            columns: size,
            rows: size,
            first: first.map(String::from).to_vec(),
            second: second.map(String::from).to_vec(),
        })
    }

    /// The start position.
    ///
    /// # Errors
    /// A board too large or without squares, no amazons or too many, an amazon off the board or two
    /// on one square.
    pub fn start(&self) -> Result<Amazons, VariantError> {
        for (key, length) in [("columns", self.columns), ("rows", self.rows)] {
            if !(1..=MAX_SIZE).contains(&length) {
                let message = format!("`{key}` must be 1 to {MAX_SIZE}, not {length}");
                return Err(VariantError(message));
            }
        }
        let mut taken = 0;
        let mut amazons = [0; 2];
        for (side, key, names) in [
            (Side::First, "first", &self.first),
            (Side::Second, "second", &self.second),
        ] {
            let set = self.read_squares(key, names, taken)?;
            taken |= set;
            amazons[side.index()] = set;
        }
        let size = (self.columns, self.rows);
        Ok(Amazons::new(size, amazons, 0, Side::First))
    }

    /// Reads the named squares as a set, disjoint from `taken`.
    fn read_squares(
        &self,
        key: &str,
        names: &[String],
        mut taken: Board,
    ) -> Result<Board, VariantError> {
        if !(1..=MAX_AMAZONS).contains(&names.len()) {
            return Err(VariantError(format!(
                "`{key}` must list the squares of 1 to {MAX_AMAZONS} amazons, not of {}",
                names.len()
            )));
        }
        let mut set = 0;
        for name in names {
            let square = self.read_name(key, name)?;
            if taken & square.bit() != 0 {
                let message = format!("`{key}` puts a second amazon on {square}");
                return Err(VariantError(message));
            }
            taken |= square.bit();
            set |= square.bit();
        }
        Ok(set)
    }

    fn read_name(&self, key: &str, name: &str) -> Result<Square, VariantError> {
        let characters: Vec<char> = name.chars().collect();
        match read_square(&characters, 0, (self.columns, self.rows)) {
            Ok((square, end)) if end == characters.len() => Ok(square),
            Ok((square, end)) => Err(VariantError(format!(
                "`{key}` names {name:?}: column {}: expected the end after {square}",
                end + 1
            ))),
            Err(error) => Err(VariantError(format!("`{key}` names {name:?}: {error}"))),
        }
    }
}

impl Default for Variant {
    fn default() -> Variant {
        Variant::of_size(10).expect("the contest's set-up is the first in the list")
    }
}

/// The keys of a variant: either `size` or the other four.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Keys {
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<Vec<String>>,
}

impl TryFrom<Keys> for Variant {
    type Error = VariantError;

    fn try_from(keys: Keys) -> Result<Variant, VariantError> {
        let variant = match keys {
            Keys {
                size,
                columns: None,
                rows: None,
                first: None,
                second: None,
            } => {
                let size = size.unwrap_or(MAX_SIZE);
                Variant::of_size(size)
                    .ok_or_else(|| VariantError(format!("`size` must be 10, 8 or 6, not {size}")))?
            }
            Keys {
                size: None,
                columns: Some(columns),
                rows: Some(rows),
                first: Some(first),
                second: Some(second),
            } => Variant {
                columns,
                rows,
                first,
                second,
            },
            _ => {
                return Err(VariantError(
                    "expected `size` alone, or all of `columns`, `rows`, `first` and `second`"
                        .to_owned(),
                ));
            }
        };
        variant.start()?;
        Ok(variant)
    }
}

impl From<Variant> for Keys {
    fn from(variant: Variant) -> Keys {
        if Variant::of_size(variant.columns).as_ref() == Some(&variant) {
            return Keys {
                size: Some(variant.columns),
                ..Keys::default()
            };
        }
        Keys {
            size: None,
            columns: Some(variant.columns),
            rows: Some(variant.rows),
            first: Some(variant.first),
            second: Some(variant.second),
        }
    }
}

#[cfg(test)]
mod tests {
    use engine_core::Notation;

    use super::*;

    fn read(json: &str) -> Result<Variant, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn known_sizes_are_written_as_their_size() {
        for size in [10, 8, 6] {
            let json = format!("{{\"size\":{size}}}");
            let variant = read(&json).unwrap();
            assert_eq!((variant.columns, variant.rows), (size, size));
            assert_eq!(serde_json::to_string(&variant).unwrap(), json);
        }
        assert_eq!(read("{}").unwrap(), Variant::default());
        assert_eq!(read(r#"{"size":10}"#).unwrap(), Variant::default());
    }

    #[test]
    fn any_small_board_can_be_set_up() {
        let json = r#"{"columns":4,"rows":3,"first":["a2"],"second":["d3","d1"]}"#;
        let variant = read(json).unwrap();
        assert_eq!(serde_json::to_string(&variant).unwrap(), json);
        let start = variant.start().unwrap();
        assert_eq!(start.write_position(), "3w/b3/3w b");
    }

    #[test]
    fn botzone_counts_rows_from_the_top() {
        let start = Variant::of_size(8).unwrap().start().unwrap();
        assert_eq!(start.write_position(), "2b2b2/8/b6b/8/8/w6w/8/2w2w2 b");
    }

    #[test]
    fn what_is_no_board_is_refused_with_the_reason() {
        for (json, message) in [
            (r#"{"size":7}"#, "`size` must be 10, 8 or 6, not 7"),
            (r#"{"rows":4}"#, "expected `size` alone, or all of"),
            (
                r#"{"size":10,"rows":10}"#,
                "expected `size` alone, or all of",
            ),
            (r#"{"sise":10}"#, "unknown field `sise`"),
            (
                r#"{"columns":11,"rows":4,"first":["a1"],"second":["b1"]}"#,
                "`columns` must be 1 to 10, not 11",
            ),
            (
                r#"{"columns":4,"rows":0,"first":["a1"],"second":["b1"]}"#,
                "`rows` must be 1 to 10, not 0",
            ),
            (
                r#"{"columns":4,"rows":4,"first":["e1"],"second":["b1"]}"#,
                "`first` names \"e1\": column 1: expected a column letter a to d, found \"e\"",
            ),
            (
                r#"{"columns":4,"rows":4,"first":["a1"],"second":["b11"]}"#,
                "`second` names \"b11\": column 2: expected a row number 1 to 4, found \"11\"",
            ),
            (
                r#"{"columns":4,"rows":4,"first":["a1"],"second":["b1-"]}"#,
                "`second` names \"b1-\": column 3: expected the end after b1",
            ),
            (
                r#"{"columns":4,"rows":4,"first":["a1"],"second":["A1"]}"#,
                "`second` puts a second amazon on a1",
            ),
            (
                r#"{"columns":4,"rows":4,"first":[],"second":["a1"]}"#,
                "`first` must list the squares of 1 to 8 amazons, not of 0",
            ),
        ] {
            let error = read(json).unwrap_err();
            assert!(error.contains(message), "{json}: {error}");
        }
    }
}
