//! Random games, drawn step by step, and short ones that end in a judgement.

use engine_core::{Evaluator, Playout, Position, Rng, Side};

use crate::board::Amazons;
use crate::evaluate::Territory;
use crate::geometry::{Lines, Square, squares};
use crate::moves::Action;
use crate::variant::MAX_AMAZONS;

/// Random turns, drawn in three steps: an amazon, uniformly among those of the side to move that
/// can move; its target, uniformly; its arrow, uniformly.
///
/// This is not uniform over whole turns, but it is how others (OpenSpiel) play Amazons at random,
/// and needs no list of turns.
#[derive(Default, Debug)]
pub struct Random;

/// The amazons of one side, in any order.
#[derive(Clone, Copy)]
struct Amazonry {
    squares: [Square; MAX_AMAZONS],
    count: usize,
}

impl Amazonry {
    fn new(position: &Amazons, side: Side) -> Amazonry {
        let mut amazons = Amazonry {
            squares: [Square::new(0, 0); MAX_AMAZONS],
            count: 0,
        };
        for square in squares(position.amazons(side)) {
            amazons.squares[amazons.count] = square;
            amazons.count += 1;
        }
        amazons
    }

    /// Draws a turn and plays it in `self` and `lines`; `None` if no amazon can move.
    #[inline]
    fn draw(&mut self, lines: &mut Lines, rng: &mut Rng) -> Option<Action> {
        let mut candidates = self.count;
        while candidates > 0 {
            let bits = rng.next_u64();
            let index = below::<16>(bits, candidates as u32) as usize % MAX_AMAZONS;
            let from = self.squares[index];
            let reach = lines.reach(from);
            let targets = reach.count();
            if targets > 0 {
                let to = from.shifted(reach.nth(below::<24>(bits >> 16, targets)));
                lines.toggle(from);
                let shots = lines.reach(to);
                let arrow = to.shifted(shots.nth(below::<24>(bits >> 40, shots.count())));
                lines.toggle(to);
                lines.toggle(arrow);
                self.squares[index] = to;
                return Some(Action::new(from, to, arrow));
            }
            // Drawing again among the others leaves all that can move equally likely.
            candidates -= 1;
            self.squares.swap(index, candidates % MAX_AMAZONS);
        }
        None
    }
}

/// A number in 0..`bound` from the lowest `WIDTH` of `bits`, with a bias below `bound` / 2^`WIDTH`.
#[inline]
fn below<const WIDTH: u32>(bits: u64, bound: u32) -> u32 {
    (((bits & ((1 << WIDTH) - 1)) * bound as u64) >> WIDTH) as u32
}

/// Plays `plies` random turns, or to the end if it comes first.
#[inline]
fn play_random(position: &mut Amazons, plies: u32, rng: &mut Rng) {
    let mut amazons = Side::BOTH.map(|side| Amazonry::new(position, side));
    for _ in 0..plies {
        let own = &mut amazons[position.side().index()];
        if !position.play_drawn(|lines| own.draw(lines, rng)) {
            break;
        }
    }
    position.settle();
}

impl Playout<Amazons> for Random {
    fn choose(&mut self, position: &Amazons, rng: &mut Rng) -> Action {
        Amazonry::new(position, position.side())
            .draw(&mut position.lines().clone(), rng)
            .expect("a position that is not over has a move")
    }

    fn run(&mut self, position: &mut Amazons, rng: &mut Rng) -> f32 {
        play_random(position, u32::MAX, rng);
        position
            .outcome()
            .expect("every turn fills a square, so the game has ended")
            .points_of_first()
    }
}

/// A few random turns, then the evaluator's chance of winning: far less noise than a random game,
/// which says little about territory, in a fiftieth of its time.
#[derive(Default, Debug)]
pub struct Short {
    evaluator: Territory,
}

impl Short {
    /// Random turns before the judgement.
    const PLIES: u32 = 2;
}

impl Playout<Amazons> for Short {
    fn choose(&mut self, position: &Amazons, rng: &mut Rng) -> Action {
        Random.choose(position, rng)
    }

    fn run(&mut self, position: &mut Amazons, rng: &mut Rng) -> f32 {
        play_random(position, Short::PLIES, rng);
        if let Some(outcome) = position.outcome() {
            return outcome.points_of_first();
        }
        let score = self.evaluator.evaluate(position);
        let chance = self.evaluator.probability(score);
        match position.side() {
            Side::First => chance,
            Side::Second => 1.0 - chance,
        }
    }
}
