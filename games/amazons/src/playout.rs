//! Random games, drawn step by step, and the policy of Monte-Carlo search, which uses the
//! evaluation.

use engine_core::{Evaluator, Playout, Position, Rng, Side};

use crate::board::Amazons;
use crate::evaluate::Territory;
use crate::geometry::{Lines, Square, squares};
use crate::moves::Action;
use crate::variant::MAX_AMAZONS;

/// Random turns, drawn in three steps, each uniform: an amazon of the side to move that can move,
/// its target, its arrow.
///
/// This is not uniform over whole turns, but other programs (OpenSpiel) also play random Amazons
/// this way, and it needs no list of turns.
#[derive(Default, Debug)]
pub struct Random;

/// The amazons of one side, in any order.
#[derive(Clone, Copy)]
struct AmazonSquares {
    squares: [Square; MAX_AMAZONS],
    count: usize,
}

impl AmazonSquares {
    fn new(position: &Amazons, side: Side) -> AmazonSquares {
        let mut amazons = AmazonSquares {
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
            // Draws again among the others: all amazons that can move stay equally likely.
            candidates -= 1;
            self.squares.swap(index, candidates % MAX_AMAZONS);
        }
        None
    }
}

/// A number in 0..`bound` from the lowest `WIDTH` bits of `bits`, with a bias below `bound` /
/// 2^`WIDTH`.
#[inline]
fn below<const WIDTH: u32>(bits: u64, bound: u32) -> u32 {
    (((bits & ((1 << WIDTH) - 1)) * bound as u64) >> WIDTH) as u32
}

impl Playout<Amazons> for Random {
    fn choose(&mut self, position: &Amazons, rng: &mut Rng) -> Action {
        AmazonSquares::new(position, position.side())
            .draw(&mut position.lines().clone(), rng)
            .expect("a position that is not over has a move")
    }

    fn run(&mut self, position: &mut Amazons, rng: &mut Rng) -> f32 {
        let mut amazons = Side::BOTH.map(|side| AmazonSquares::new(position, side));
        loop {
            let own = &mut amazons[position.side().index()];
            if !position.play_drawn(|lines| own.draw(lines, rng)) {
                break;
            }
        }
        position.settle();
        position
            .outcome()
            .expect("every turn fills a square, so the game has ended")
            .points_of_first()
    }
}

/// Plays no turns and returns the evaluation's winning probability. The policy of Monte-Carlo
/// search.
///
/// Random turns are so bad that they hide the value of the position: a plain tree search at 30 ms a
/// move won 8 of 16 games against the one-ply player with this policy, and 2 of 16 with two random
/// turns before the evaluation.
#[derive(Default, Debug)]
pub struct EvaluationPlayout {
    evaluator: Territory,
}

impl EvaluationPlayout {
    /// The policy with this evaluator.
    pub(crate) fn new(evaluator: Territory) -> EvaluationPlayout {
        EvaluationPlayout { evaluator }
    }
}

impl Playout<Amazons> for EvaluationPlayout {
    fn choose(&mut self, position: &Amazons, rng: &mut Rng) -> Action {
        Random.choose(position, rng)
    }

    fn run(&mut self, position: &mut Amazons, _rng: &mut Rng) -> f32 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;
    use engine_core::Notation;

    #[test]
    fn the_result_is_the_winning_probability_of_first() {
        let start = Variant::of_size(6).unwrap().start().unwrap();
        let playout = |text: &str| {
            let mut position = start.parse_position(text).unwrap();
            EvaluationPlayout::default().run(&mut position, &mut Rng::new(1))
        };
        // Black has six squares of its own, white eight.
        assert!(playout("b1xxw1/b1xxw1/2xx2/2xx2/bxxxw1/bxxxw1 b") < 0.3);
        assert!(playout("b1xxw1/b1xxw1/2xx2/2xx2/bxxxw1/bxxxw1 w") < 0.3);
        // Nobody can move.
        assert_eq!(playout("bbxxww/bbxxww/xxxxxx/xxxxxx/xxxxxx/xxxxxx w"), 1.0);
    }

    #[test]
    fn random_games_have_their_known_length() {
        let mut rng = Rng::new(3);
        let start = Variant::default().start().unwrap();
        let turns: u32 = (0..2_000)
            .map(|_| {
                let mut position = start.clone();
                Random.run(&mut position, &mut rng);
                position.arrows().count_ones()
            })
            .sum();
        let mean = turns as f64 / 2_000.0;
        assert!((mean - 69.0).abs() < 1.0, "{mean}");
    }

    #[test]
    fn a_finished_random_game_is_a_settled_position() {
        let mut rng = Rng::new(2);
        let start = Variant::default().start().unwrap();
        for _ in 0..100 {
            let mut position = start.clone();
            let points = Random.run(&mut position, &mut rng);
            assert_eq!(position.outcome().unwrap().points_of_first(), points);
            assert!(position.legal_moves().is_empty());
            assert_eq!(
                position.parse_position(&position.write_position()),
                Ok(position)
            );
        }
    }
}
