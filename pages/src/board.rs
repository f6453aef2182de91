//! A position as a browser shows it: a board that takes clicks.

use std::collections::HashSet;

use catalog::{AnyGame, AnyMatch, Match, Rules, Shown};
use drawing::svg;
use engine_core::Side;
use serde::Serialize;

/// How many turns of a line a board of single points shows, and one of moves from a point to another,
/// where arrows hide more.
const LONGEST: [usize; 2] = [12, 4];

/// A position as a browser shows it.
#[derive(Serialize)]
pub(crate) struct Board {
    svg: String,
    /// What may be entered: the text of each action and its clicks.
    entries: Vec<(String, Vec<String>)>,
}

impl Board {
    /// The board of a position with a line of play, which may be empty, and marks on the moves that a
    /// remark names; `is_open` says whether anything may be entered.
    pub(crate) fn of(
        position: &dyn AnyMatch,
        line: &str,
        remark: &str,
        is_open: bool,
    ) -> Result<Board, String> {
        let named = named(position, remark);
        let shown = Shown {
            line,
            hints: &named.iter().map(String::as_str).collect::<Vec<_>>(),
            ..Shown::default()
        };
        let picture = position.picture(&shown);
        let picture = picture.map_err(|error| error.to_string())?;
        let actions = if is_open && position.outcome().is_none() {
            position.actions()
        } else {
            Vec::new()
        };
        let clicks = |action: String| {
            let clicks = position.clicks(&action);
            clicks
                .map(|clicks| (action, clicks))
                .map_err(|error| error.to_string())
        };
        Ok(Board {
            svg: svg::clickable(&picture),
            entries: actions.into_iter().map(clicks).collect::<Result<_, _>>()?,
        })
    }
}

/// The rules of a game by its id.
pub(crate) fn rules(game: &str) -> Result<&'static dyn AnyGame, String> {
    catalog::find(game).ok_or_else(|| format!("no game {game:?}"))
}

/// The colours that `First` and `Second` play now.
pub(crate) fn colours(rules: &dyn Rules, position: &dyn Match) -> [&'static str; 2] {
    Side::BOTH.map(|side| rules.colours()[position.colour_of(side)])
}

/// The actions that an engine's remark names.
pub(crate) fn named(position: &dyn AnyMatch, remark: &str) -> Vec<String> {
    let words: HashSet<&str> = remark.split_whitespace().collect();
    if words.is_empty() {
        Vec::new()
    } else {
        let mut actions = position.actions();
        actions.retain(|action| words.contains(action.as_str()));
        actions
    }
}

/// The first words of a line: as many as can be told apart on a board.
pub(crate) fn shortened(position: &dyn AnyMatch, line: &str) -> String {
    let actions = position.actions();
    let clicks = actions
        .first()
        .and_then(|action| position.clicks(action).ok());
    let [points, moves] = LONGEST;
    let longest = match clicks.map_or(0, |clicks| clicks.len()) {
        0 | 1 => points,
        _ => moves,
    };
    let words: Vec<&str> = line.split_whitespace().take(longest).collect();
    words.join(" ")
}
