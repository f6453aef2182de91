//! Searches in the opponent's turn, for players whose memory serves any position: a transposition table.

use std::time::Duration;

use crate::limits::{Limits, StopFlag};
use crate::position::Position;
use crate::search::Search;

/// Time of the first search for each roll of the die. Later searches are longer, so that iterative
/// deepening gets past the depth it reached before.
const FIRST_SLICE: Duration = Duration::from_millis(40);

/// Searches the position after the reply to `root` that is expected at the start of `line`, or, if the die
/// is due then, those after each roll in rotation: until `stop`, or until none needs more search (proven, or
/// a player that does not search).
pub(super) fn after_reply<P: Position>(
    player: &mut (impl Search<P> + ?Sized),
    root: &P,
    line: &[P::Move],
    stop: &StopFlag,
) {
    let mut roots = roots(root, line);
    let mut slice = FIRST_SLICE;
    while !stop.is_set() && !roots.is_empty() {
        let alone = roots.len() == 1;
        roots.retain(|root| {
            let mut limits = Limits::default();
            limits.hard = (!alone).then_some(slice);
            limits.stop = stop.clone();
            limits.for_value = true;
            player.search(root, &limits, &mut |_| {});
            // The search ended early: the position is proven, or this player does not search.
            !alone && limits.elapsed() >= slice
        });
        slice *= 2;
    }
}

/// The positions to search: one, or one for each roll; none if the game is over.
fn roots<P: Position>(root: &P, line: &[P::Move]) -> Vec<P> {
    let expected = expected(root, line);
    if expected.outcome().is_some() {
        return Vec::new();
    }
    if !expected.is_chance() {
        return vec![expected];
    }
    let mut rolls = Vec::new();
    expected.rolls(&mut rolls);
    let cast = |(face, _)| {
        let mut rolled = expected.clone();
        rolled.play_roll(face);
        rolled
    };
    rolls.into_iter().map(cast).collect()
}

/// The position after the turn at the start of `line`. If the line holds no whole turn, `root` itself.
fn expected<P: Position>(root: &P, line: &[P::Move]) -> P {
    let mut after = root.clone();
    for &mv in line {
        if after.outcome().is_some() || after.is_chance() || !after.is_legal(mv) {
            break;
        }
        after.play(mv);
        if after.outcome().is_some() || after.is_chance() || after.side() != root.side() {
            return after;
        }
    }
    root.clone()
}
