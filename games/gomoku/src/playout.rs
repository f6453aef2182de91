//! Playouts of uniformly random actions.

use engine_core::{Playout, Position, Rng, UniformPlayout};

use crate::board::Gomoku;
use crate::geometry::Cell;
use crate::moves::Action;
use crate::opening::Stage;
use crate::state::Last;

/// Uniformly random legal actions.
#[derive(Default)]
pub struct Random {
    empty: Vec<Cell>,
    ceremony: UniformPlayout<Action>,
}

impl Playout<Gomoku> for Random {
    fn choose(&mut self, position: &Gomoku, rng: &mut Rng) -> Action {
        if position.stage() != Stage::Play {
            return self.ceremony.choose(position, rng);
        }
        let empty = position.empty_cells();
        let mut rank = rng.below(empty.count() + words(position));
        if let Some(cell) = empty.nth(rank) {
            return Action::Cell(cell);
        }
        rank -= empty.count();
        if rank == 0 && position.may_claim() {
            Action::Claim
        } else {
            Action::Pass
        }
    }

    /// Draws the empty cells without replacement, which has the same distribution as a uniform
    /// choice at every stone.
    fn run(&mut self, position: &mut Gomoku, rng: &mut Rng) -> f32 {
        while position.outcome().is_none() && position.stage() != Stage::Play {
            let action = self.ceremony.choose(position, rng);
            position.play(action);
        }
        self.empty.clear();
        self.empty.extend(position.empty_cells().cells());
        let mut left = self.empty.len();
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome.points_of_first();
            }
            let drawn = rng.below(left as u32 + words(position)) as usize;
            if drawn >= left {
                position.play(if drawn == left && position.may_claim() {
                    Action::Claim
                } else {
                    Action::Pass
                });
                continue;
            }
            left -= 1;
            let cell = self.empty[drawn];
            self.empty[drawn] = self.empty[left];
            position.play(Action::Cell(cell));
        }
    }
}

/// Number of legal actions of the ordinary game that are no stones.
#[inline]
fn words(position: &Gomoku) -> u32 {
    let claims = matches!(position.last(), Last::Forbidden(_));
    u32::from(position.may_pass()) + u32::from(claims)
}
