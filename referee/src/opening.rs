//! Openings: what stands on the board before the engines take over.

pub mod book;

use catalog::{Match, Rules};
use serde_json::Value;

/// An opening as league files, logs and UGI write it: actions and rolls from the first position,
/// `c2 d4`, or a position, `fen …`, and what was played there, `fen … moves d4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening<'t> {
    /// The position, if it is not the first one.
    pub position: Option<&'t str>,
    /// What was played from there, separated by blanks or commas.
    pub words: &'t str,
}

impl Opening<'_> {
    /// Parts an opening. Any text is one; [`begin`] finds out whether it can be played.
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

/// A match of a variant after an opening.
///
/// # Errors
/// A variant, a position or an action that the game does not have, in words.
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
