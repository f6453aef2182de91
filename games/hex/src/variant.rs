//! The rule settings.

use std::fmt;

use game::VariantError;
use serde::de::{Error as _, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::geometry::{Cell, MAX_SIZE};
use crate::notation;

/// The rule settings; the default is the contest rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variant {
    /// Columns and rows of the board, 2 to 19.
    pub size: u8,
    /// The opening rule: `"free"`, `"swap"` or `{ forced = "C2" }`.
    pub opening: Opening,
    /// The kind of swap, if the opening has one: `"swap-pieces"` or `"swap-sides"`.
    pub swap: Swap,
}

impl Default for Variant {
    fn default() -> Variant {
        Variant {
            size: 11,
            opening: Opening::Free,
            swap: Swap::Pieces,
        }
    }
}

impl Variant {
    /// Checks the settings.
    ///
    /// # Errors
    /// A size outside 2 to 19, or a forced cell off the board.
    pub fn check(&self) -> Result<(), VariantError> {
        if !(2..=MAX_SIZE as u8).contains(&self.size) {
            return Err(VariantError(format!(
                "size: expected 2 to {MAX_SIZE}, found {}",
                self.size
            )));
        }
        match self.opening {
            Opening::Forced(cell) if !cell.is_on(self.size) => Err(VariantError(format!(
                "opening: expected a cell of the {0}×{0} board, found {1:?}",
                self.size,
                notation::write_cell(cell)
            ))),
            _ => Ok(()),
        }
    }
}

/// The opening rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// The first stone may go anywhere; there is no swap.
    Free,
    /// Second's first action may be a swap (pie rule).
    Swap,
    /// The first stone must go on this cell.
    Forced(Cell),
}

/// The kind of swap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Swap {
    /// The red stone is replaced by a blue one, mirrored in the main diagonal.
    Pieces,
    /// The players exchange colours and thus edges; the stone stays.
    Sides,
}

impl From<Swap> for &'static str {
    fn from(swap: Swap) -> &'static str {
        match swap {
            Swap::Pieces => "swap-pieces",
            Swap::Sides => "swap-sides",
        }
    }
}

impl TryFrom<String> for Swap {
    type Error = String;

    fn try_from(text: String) -> Result<Swap, String> {
        match text.as_str() {
            "swap-pieces" => Ok(Swap::Pieces),
            "swap-sides" => Ok(Swap::Sides),
            _ => Err(format!(
                "expected \"swap-pieces\" or \"swap-sides\", found {text:?}; the key opening says \
                 whether there is a swap: \"free\" has none"
            )),
        }
    }
}

impl Serialize for Opening {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Opening::Free => serializer.serialize_str("free"),
            Opening::Swap => serializer.serialize_str("swap"),
            Opening::Forced(cell) => {
                serializer.collect_map([("forced", notation::write_cell(cell))])
            }
        }
    }
}

// Implemented by hand: serde's derive would also accept `{ free = … }`, and its errors would not
// name the cell.
impl<'de> Deserialize<'de> for Opening {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Opening, D::Error> {
        deserializer.deserialize_any(OpeningVisitor)
    }
}

struct OpeningVisitor;

impl<'de> Visitor<'de> for OpeningVisitor {
    type Value = Opening;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "opening \"free\" (no swap), \"swap\" (the key swap says which) or {{ forced = \"C2\" }}"
        )
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Opening, E> {
        match text {
            "free" => Ok(Opening::Free),
            "swap" => Ok(Opening::Swap),
            _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Opening, A::Error> {
        let Some(key) = map.next_key::<String>()? else {
            return Err(A::Error::invalid_value(Unexpected::Map, &self));
        };
        if key != "forced" {
            return Err(A::Error::unknown_field(&key, &["forced"]));
        }
        let text: String = map.next_value()?;
        let cell = notation::parse_cell(&text, MAX_SIZE as u8)
            .map_err(|error| A::Error::custom(format!("forced cell {text:?}: {error}")))?;
        match map.next_key::<String>()? {
            None => Ok(Opening::Forced(cell)),
            Some(key) => Err(A::Error::unknown_field(&key, &["forced"])),
        }
    }
}
