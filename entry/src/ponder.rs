//! Pondering: searching during the opponent's turn. Its only effect is what it leaves in the
//! player's table or tree.

use std::time::Duration;

use engine_core::{Limits, Search, StopFlag};
use game::Searched;
use game::turn::turn_is_over;

/// Time of the first search for each roll of the die. Later searches are longer, so that iterative
/// deepening gets past the depth it reached before.
const FIRST_SLICE: Duration = Duration::from_millis(40);

/// The position after the reply to `position` that is expected at the start of `line`. If `line`
/// holds no whole turn, `position` itself.
fn after_reply<G: Searched>(position: &G, line: &[G::Move]) -> G {
    let mut after = position.clone();
    for &mv in line {
        if after.outcome().is_some() || after.is_chance() || !after.is_legal(mv) {
            break;
        }
        after.play(mv);
        if turn_is_over(&after, position.side()) {
            return after;
        }
    }
    position.clone()
}

/// The positions to search while the opponent thinks: the position after the expected reply, or one
/// position for each roll if the die is due next; none if the game is over.
pub(crate) fn roots<G: Searched>(position: &G, line: &[G::Move]) -> Vec<G> {
    let expected = if position.is_chance() {
        position.clone()
    } else {
        after_reply(position, line)
    };
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

/// Searches `roots` in rotation until `stop`, or until none needs more search (proven, or a player
/// that does not search).
pub(crate) fn ponder<G: Searched>(player: &mut dyn Search<G>, mut roots: Vec<G>, stop: &StopFlag) {
    let mut slice = FIRST_SLICE;
    while !stop.is_set() && !roots.is_empty() {
        let alone = roots.len() == 1;
        roots.retain(|root| {
            let mut limits = Limits::default();
            limits.hard = (!alone).then_some(slice);
            limits.stop = stop.clone();
            player.search(root, &limits, &mut |_| {});
            // The search ended early: the position is proven, or this player does not search.
            !alone && limits.elapsed() >= slice
        });
        slice *= 2;
    }
}
