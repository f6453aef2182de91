//! The rule settings.

use game::VariantError;
use serde::{Deserialize, Serialize};

use crate::board::Connect6;

/// A variant of Connect6. The default is the contest rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variant {
    /// Columns and rows of the board, 6 to 19. The contest plays 19, Botzone 15.
    pub size: u8,
}

impl Default for Variant {
    fn default() -> Variant {
        Variant { size: 19 }
    }
}

impl Variant {
    /// The empty board of this variant.
    ///
    /// # Errors
    /// A size that is not 6 to 19.
    pub fn start(&self) -> Result<Connect6, VariantError> {
        if (6..=19).contains(&self.size) {
            Ok(Connect6::new(self.size))
        } else {
            Err(VariantError(format!(
                "size: expected 6 to 19, found {}",
                self.size
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_by_name() {
        let read = |json| serde_json::from_str::<Variant>(json).map_err(|e| e.to_string());
        assert_eq!(read("{}"), Ok(Variant { size: 19 }));
        assert_eq!(read(r#"{"size":15}"#), Ok(Variant { size: 15 }));
        for (wrong, complaint) in [
            (r#"{"sise":15}"#, "unknown field `sise`"),
            (r#"{"size":-1}"#, "invalid value: integer `-1`"),
        ] {
            let error = read(wrong).unwrap_err();
            assert!(error.contains(complaint), "{wrong}: {error}");
        }
    }

    #[test]
    fn boards_that_are_too_small_or_too_large_are_refused() {
        for size in [0, 5, 20, 255] {
            let error = Variant { size }.start().unwrap_err();
            assert_eq!(error.0, format!("size: expected 6 to 19, found {size}"));
        }
        for size in 6..=19 {
            assert_eq!(Variant { size }.start().unwrap().size(), size);
        }
    }
}
