//! A win in one: what even a search without time looks at.

use crate::limits::{Limits, Report};
use crate::position::Position;
use crate::score::Score;

/// The report of a move that ends the game with a win, if there is one beside those that are `excluded`. A
/// search that ends before it has seen every move asks for it.
pub(crate) fn win_at_once<P: Position>(
    root: &P,
    excluded: &[P::Move],
    limits: &Limits,
) -> Option<Report<P::Move>> {
    let mut position = root.clone();
    let mut wins = |mv: P::Move| {
        let undo = position.play(mv);
        let winner = position.outcome().and_then(|outcome| outcome.winner());
        position.undo(mv, undo);
        winner == Some(root.side())
    };
    let moves = root.legal_moves().into_iter();
    let win = moves
        .filter(|mv| !excluded.contains(mv))
        .find(|&mv| wins(mv))?;
    Some(Report {
        depth: 1,
        seldepth: 1,
        score: Some(Score::win_in(1)),
        solved: true,
        pv: vec![win],
        ..Report::empty(limits)
    })
}
