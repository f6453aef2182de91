//! The rule settings.

use game::VariantError;
use serde::{Deserialize, Serialize};

use crate::geometry::{MAX_SIZE, MIN_SIZE};
use crate::opening::SIZE;

/// The rule settings. The default is the contest rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variant {
    /// Columns and rows of the board, 5 to 20.
    pub size: u8,
    /// How a game begins: `"prescribed"` or `"free"`.
    pub opening: Opening,
    /// Whether and when black loses by a forbidden move: `"at-once"`, `"claimed"` or `"off"`.
    pub forbidden: ForbiddenRule,
    /// Whether only exactly five in a row win, for both colours. Only without forbidden moves:
    /// with them, black needs exactly five and white five or more.
    pub exactly_five: bool,
}

/// How a game begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opening {
    /// The contest's ceremony: one of the 26 openings, swap, offer of fifth stones. Passing is
    /// legal from the sixth stone on.
    Prescribed,
    /// The first stone may go anywhere. There is no swap, and nobody passes: the programs and
    /// sites that play so have no word for it.
    Free,
}

/// Whether and when black loses by a forbidden move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForbiddenRule {
    /// A forbidden move ends the game.
    AtOnce,
    /// A forbidden move loses if white claims it before it answers.
    Claimed,
    /// No move is forbidden.
    Off,
}

impl Default for Variant {
    fn default() -> Variant {
        Variant {
            size: SIZE,
            opening: Opening::Prescribed,
            forbidden: ForbiddenRule::AtOnce,
            exactly_five: false,
        }
    }
}

impl Variant {
    /// Five or more in a row win, the first stone may go anywhere, nothing is forbidden.
    pub const FREE_STYLE: Variant = Variant {
        size: SIZE,
        opening: Opening::Free,
        forbidden: ForbiddenRule::Off,
        exactly_five: false,
    };

    /// Checks the settings.
    ///
    /// # Errors
    /// A size that is not 5 to 20, or settings that exclude each other.
    pub fn check(&self) -> Result<(), VariantError> {
        let sizes = MIN_SIZE as u8..=MAX_SIZE as u8;
        let error = if !sizes.contains(&self.size) {
            format!(
                "size: expected {MIN_SIZE} to {MAX_SIZE}, found {}",
                self.size
            )
        } else if self.opening == Opening::Prescribed && self.size != SIZE {
            format!(
                "size: expected {SIZE}, found {}; other sizes need opening = \"free\", as the \
                 prescribed openings are those of {SIZE}x{SIZE}",
                self.size
            )
        } else if self.exactly_five && self.forbidden != ForbiddenRule::Off {
            "exactly_five: expected false, or forbidden = \"off\": with forbidden moves black needs \
             exactly five in a row and white five or more"
                .to_owned()
        } else {
            return Ok(());
        };
        Err(VariantError(error))
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
        let free = r#"{"opening":"free","forbidden":"off"}"#;
        assert_eq!(read(free), Ok(Variant::FREE_STYLE));
        for (wrong, complaint) in [
            (r#"{"sise":15}"#, "unknown field `sise`"),
            (r#"{"opening":"swap2"}"#, "expected `prescribed` or `free`"),
            (
                r#"{"forbidden":"on"}"#,
                "expected one of `at-once`, `claimed`, `off`",
            ),
        ] {
            let error = read(wrong).unwrap_err();
            assert!(error.contains(complaint), "{wrong}: {error}");
        }
    }

    #[test]
    fn settings_that_exclude_each_other_are_refused() {
        for (variant, complaint) in [
            (
                r#"{"size":4,"opening":"free"}"#,
                "size: expected 5 to 20, found 4",
            ),
            (
                r#"{"size":21,"opening":"free"}"#,
                "size: expected 5 to 20, found 21",
            ),
            (r#"{"size":20}"#, "size: expected 15, found 20; other sizes"),
            (r#"{"exactly_five":true}"#, "exactly_five: expected false"),
        ] {
            let error = read(variant).unwrap().check().unwrap_err();
            assert!(error.0.starts_with(complaint), "{variant}: {error}");
        }
        for size in 5..=20 {
            let variant = Variant {
                size,
                ..Variant::FREE_STYLE
            };
            assert_eq!(variant.check(), Ok(()));
        }
    }
}
