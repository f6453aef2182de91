//! The rule settings.

use serde::{Deserialize, Serialize};

/// The rule settings of Surakarta. The default is the contest rules.
///
/// With both endings off, a game may never end; only the clocks then limit it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variant {
    /// Number of consecutive plies without a capture that ends the game by the count of pieces; 0
    /// for no limit.
    pub quiet_limit: u32,
    /// Whether the third occurrence of a position, with the same side to move, ends the game by the
    /// count of pieces. The first position counts, also one read from text.
    pub repetition: bool,
}

impl Default for Variant {
    fn default() -> Variant {
        Variant {
            quiet_limit: 100,
            repetition: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_by_name() {
        let read = |json| serde_json::from_str::<Variant>(json).map_err(|e| e.to_string());
        assert_eq!(read("{}"), Ok(Variant::default()));
        let both = r#"{"quiet_limit":0,"repetition":false}"#;
        let variant = Variant {
            quiet_limit: 0,
            repetition: false,
        };
        assert_eq!(read(both), Ok(variant));
        assert_eq!(serde_json::to_string(&variant).ok().as_deref(), Some(both));
        for (wrong, complaint) in [
            (r#"{"quiet":9}"#, "unknown field `quiet`"),
            (r#"{"quiet_limit":-1}"#, "invalid value: integer `-1`"),
        ] {
            let error = read(wrong).expect_err(wrong);
            assert!(error.contains(complaint), "{wrong}: {error}");
        }
    }
}
