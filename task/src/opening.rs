//! Openings: the moves or position played before the engines take over.

pub mod book;
pub mod gomocup;

use catalog::{AnyMatch, Rules};
use engine_core::Side;
use game::turn::Told;
use protocol::Protocol;
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
pub fn begin(
    rules: &dyn Rules,
    variant: &Value,
    opening: &str,
) -> Result<Box<dyn AnyMatch>, String> {
    let Opening { position, words } = Opening::parse(opening);
    let mut game = set_up(rules, variant, position)?;
    game.play_words(words)
        .map_err(|error| format!("opening: {error}"))?;
    Ok(game)
}

/// A match that begins at a position, `None` for the initial one.
fn set_up(
    rules: &dyn Rules,
    variant: &Value,
    position: Option<&str>,
) -> Result<Box<dyn AnyMatch>, String> {
    let first = rules
        .start(variant)
        .map_err(|error| format!("variant: {error}"))?;
    let Some(position) = position else {
        return Ok(first);
    };
    let set_up = rules.set_up(variant, position);
    set_up.map_err(|error| format!("opening: position: {error}"))
}

/// The turns and rolls of an opening after its position, in UGI notation, each with the side that
/// plays it or that plays after the roll. The last turn may be unfinished.
///
/// # Errors
/// As for [`begin`].
pub fn turns(
    rules: &dyn Rules,
    variant: &Value,
    opening: &str,
) -> Result<Vec<(Side, String)>, String> {
    let Opening { position, words } = Opening::parse(opening);
    let mut game = set_up(rules, variant, position)?;
    let words: Vec<&str> = split(words).collect();
    let told = game.follow(Protocol::Ugi, &words);
    let told = told.map_err(|error| format!("opening: {error}"))?;
    let mut turns: Vec<(Side, String)> = Vec::with_capacity(told.len());
    // From the last one, because a roll belongs to the side that plays next.
    let mut next = game.side();
    for event in told.into_iter().rev() {
        let (side, text) = match event {
            Told::Turn(side, _, text) => (side, text),
            Told::Roll(face) => (next, format!("d{face}")),
        };
        next = side;
        turns.push((side, text));
    }
    turns.reverse();
    Ok(turns)
}

/// The words of a list separated by blanks or commas.
pub fn split(words: &str) -> impl Iterator<Item = &str> {
    words
        .split([' ', '\t', ','])
        .filter(|word| !word.is_empty())
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

    #[test]
    fn an_opening_is_a_list_of_turns_and_rolls() {
        let turns = |game: &str, opening: &str| {
            let rules = catalog::find(game).expect("a game");
            turns(rules, &json!({}), opening).expect("an opening")
        };
        let turn = |side, text: &str| (side, text.to_owned());
        let (first, second) = (Side::First, Side::Second);
        assert_eq!(turns("connect6", ""), []);
        assert_eq!(
            turns("connect6", "j10 k11 i11, a1"),
            [
                turn(first, "j10"),
                turn(second, "k11i11"),
                turn(first, "a1")
            ]
        );
        let layouts = [turn(first, "R:653214"), turn(second, "B:123456")];
        assert_eq!(
            turns("einstein", "R:653214 B:123456 d6"),
            [&layouts[..], &[turn(first, "d6")]].concat()
        );
        let position = "fen 11/11/11/11/11/11/11/11/11/11/11 b moves c2 d4";
        assert_eq!(
            turns("hex", position),
            [turn(second, "c2"), turn(first, "d4")]
        );
    }
}
