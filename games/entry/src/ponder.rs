//! Thinking in the opponent's time: a search for its own sake. What it leaves in the player's table
//! or tree is all that comes of it.

use std::time::Duration;

use engine_core::{Limits, Search, StopFlag};

use crate::game::Game;
use crate::turn::turn_is_over;

/// The first look at each roll of the die. The looks get longer by and by, so that the player's
/// deepening catches up with itself.
const FIRST_LOOK: Duration = Duration::from_millis(40);

/// The position after the reply that is expected to `position`: the turn with which `line` begins.
/// Where the line holds no whole turn, `position` itself.
fn after_reply<G: Game>(position: &G, line: &[G::Move]) -> G {
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

/// The positions that are worth a search while the opponent thinks: after `line`'s reply to
/// `position`, one for each roll if the die is to be cast next; none if the game is over.
pub(crate) fn roots<G: Game>(position: &G, line: &[G::Move]) -> Vec<G> {
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

/// Searches `roots` in turn until `stop`, or until the player has nothing to find in them any more.
pub(crate) fn ponder<G: Game>(player: &mut dyn Search<G>, mut roots: Vec<G>, stop: &StopFlag) {
    let mut look = FIRST_LOOK;
    while !stop.is_set() && !roots.is_empty() {
        let alone = roots.len() == 1;
        roots.retain(|root| {
            let mut limits = Limits::default();
            limits.hard = (!alone).then_some(look);
            limits.stop = stop.clone();
            player.search(root, &limits, &mut |_| {});
            // Ended by itself: it is proven, or this player does not search.
            !alone && limits.elapsed() >= look
        });
        look *= 2;
    }
}
