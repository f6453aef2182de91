//! Openings: the moves or position played before the engines take over.

pub mod book;

use catalog::{Match, Rules};
use serde_json::Value;

/// An opening as written in league files, logs and UGI: actions and rolls from the initial
/// position, `c2 d4`, or a position `fen …` with optional actions, `fen … moves d4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening<'t> {
    /// The position; `None` for the initial one.
    pub position: Option<&'t str>,
    /// The actions and rolls from there, separated by spaces or commas.
    pub words: &'t str,
}

impl Opening<'_> {
    /// Splits an opening into its parts. Any text is accepted; [`begin`] checks that it can be
    /// played.
    pub fn parse(text: &str) -> Opening<'_> {
        let Some(position) = text.strip_prefix("fen ") else {
            return Opening {
                position: None,
                words: text,
            };
        };
        let (position, words) = position.split_once(" moves ").unwrap_or((position, ""));
        Opening {
            position: Some(position),
            words,
        }
    }
}

/// Starts a match of a variant and plays an opening.
///
/// # Errors
/// A message: the variant or position is invalid, or an action is illegal.
pub fn begin(rules: &dyn Rules, variant: &Value, opening: &str) -> Result<Box<dyn Match>, String> {
    let first = rules
        .start(variant)
        .map_err(|error| format!("variant: {error}"))?;
    let Opening { position, words } = Opening::parse(opening);
    let mut game = match position {
        None => first,
        Some(position) => {
            let set_up = rules.set_up(variant, position);
            set_up.map_err(|error| format!("opening: position: {error}"))?
        }
    };
    game.play_words(words)
        .map_err(|error| format!("opening: {error}"))?;
    Ok(game)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_opening_begins_anywhere() {
        let hex = catalog::find("hex").expect("a game");
        let begin = |opening: &str| begin(hex, &json!({"size": 3}), opening);
        let played = begin("a1 b2").expect("an opening").position();
        for opening in [
            "a1, b2".to_owned(),
            format!("fen {played}"),
            format!(
                "fen {} moves b2",
                begin("a1").expect("an opening").position()
            ),
        ] {
            assert_eq!(
                begin(&opening).expect("an opening").position(),
                played,
                "{opening}"
            );
        }
        let fault = |opening: &str| begin(opening).map(|_| ()).expect_err("no opening");
        assert!(fault("a1 a1").starts_with("opening: column 4: "));
        assert!(fault("fen nothing").starts_with("opening: position: column 1: "));
        assert!(fault("fen").starts_with("opening: column 1: "));
    }
}
