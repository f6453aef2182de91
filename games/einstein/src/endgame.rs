//! Exact endgame tables: the winning probabilities of all endings with at most four pieces, at least
//! one on each side.
//!
//! A table belongs to a class of pieces of the side that rolls and a class of the other side's
//! (`group`). It is filled on its first use (`fill`), so there is no file to make, to find and to
//! check, and a process that never gets so far pays nothing. That takes some 10 ms of one core each, 0.6 s for
//! all 65, which take 39 MB: a search may overrun its limit by one of them.
//!
//! A value has 16 bits. It is computed in `f32` from tables with one piece less, which are rounded
//! too; with one piece each, one side has a certain win. So a probability is wrong by at most
//! 1/65 535, a third of the point in which the search computes.

mod fill;
mod group;
mod index;
#[cfg(test)]
mod tests;

use std::sync::{LazyLock, OnceLock};

use engine_core::Position;

use crate::board::{Einstein, Phase};
use group::{CLASSES, Group};
use index::index;

/// Maximum number of pieces of both sides together.
const MOST_PIECES: u32 = 4;

/// Whether the tables have the value of a position.
#[inline]
pub(crate) fn is_covered(position: &Einstein) -> bool {
    let [first, second] = position.armies.map(|army| army.alive().count_ones());
    first + second <= MOST_PIECES && matches!(position.phase, Phase::Roll | Phase::Move(_))
}

/// The stored value of a certain win.
const CERTAIN: u16 = u16::MAX;

/// The values of a class against another: where the first rolls, and where the second does.
type Pair = [Box<[u16]>; 2];

/// The tables of all endings, which are filled as they are needed.
pub struct Endgames {
    pairs: [OnceLock<Pair>; CLASSES * CLASSES],
}

static ENDGAMES: LazyLock<Endgames> = LazyLock::new(Endgames::new);

impl Endgames {
    fn new() -> Endgames {
        Endgames {
            pairs: [const { OnceLock::new() }; CLASSES * CLASSES],
        }
    }

    /// The tables of this process.
    pub fn shared() -> &'static Endgames {
        &ENDGAMES
    }

    /// The probability, 0 to 1, that the side to act wins if both sides play best; `None` with more
    /// pieces, before both sides have laid out, or when the game is over.
    #[inline]
    pub fn chance(&self, position: &Einstein) -> Option<f32> {
        if !is_covered(position) {
            return None;
        }
        if position.phase != Phase::Roll {
            return Some(self.after_the_best_step(position));
        }
        let [own, enemy] =
            [position.side, position.side.opponent()].map(|side| position.armies[side.index()]);
        Some(self.of_groups(&Group::of(own), &Group::of(enemy)))
    }

    /// The probability that the side to act wins by its best step.
    fn after_the_best_step(&self, position: &Einstein) -> f32 {
        let mut after = position.clone();
        let steps = position.legal_moves().into_iter().map(|step| {
            let undo = after.play(step);
            // A finished game has no value in the tables: its last step has won it.
            let chance = 1.0 - self.chance(&after).unwrap_or(0.0);
            after.undo(step, undo);
            chance
        });
        steps.fold(0.0, f32::max)
    }

    /// The probability that the side to roll, which has the first group, wins against the second.
    fn of_groups(&self, own: &Group, enemy: &Group) -> f32 {
        let value = self.table(own.class, enemy.class)[index(own.squares(), enemy.squares())];
        f32::from(value) / f32::from(CERTAIN)
    }

    /// The table of positions where a group of the first class rolls.
    #[inline]
    fn table(&self, own: u8, enemy: u8) -> &[u16] {
        let [low, high] = [own.min(enemy), own.max(enemy)];
        let cell = &self.pairs[usize::from(low) * CLASSES + usize::from(high)];
        let pair = cell.get_or_init(|| fill::fill([low, high], self));
        &pair[usize::from(own > enemy)]
    }
}
