//! Playouts: uniformly random, and with simple knowledge of captures and gifts.

use engine_core::evaluate::play_out;
use engine_core::{Evaluator, Playout, Position, Rng, Side};

use crate::board::DotsAndBoxes;
use crate::chains::harvest;
use crate::evaluate::{Chains, from_rotation};
use crate::moves::{Edge, Edges};

/// Uniformly random edges.
#[derive(Clone, Copy, Default, Debug)]
pub struct Random;

impl Playout<DotsAndBoxes> for Random {
    fn choose(&mut self, position: &DotsAndBoxes, rng: &mut Rng) -> Edge {
        let mut open = position.open();
        for _ in 0..rng.below(open.count_ones()) {
            open &= open - 1;
        }
        Edge(open.trailing_zeros() as u8)
    }

    /// A random game to the last edge is a random order of the open edges.
    fn run(&mut self, position: &mut DotsAndBoxes, rng: &mut Rng) -> f32 {
        if position.stop_at_majority {
            return play_out(self, position, rng).points_of_first();
        }
        let mut edges = [Edge(0); 64];
        let mut count = 0;
        for edge in Edges(position.open()) {
            edges[count] = edge;
            count += 1;
        }
        // Branch-free: whether an edge captures a box is unpredictable.
        let (mut lines, mut owned) = (position.lines, position.owned);
        let mut side = position.side.index();
        while count > 0 {
            let at = rng.below(count as u32) as usize;
            count -= 1;
            let closed = lines.draw(position.geometry, edges[at]);
            edges[at] = edges[count];
            owned[side] |= closed;
            side ^= (closed == 0) as usize;
        }
        position.settle(lines, owned, Side::BOTH[side]);
        let outcome = position.outcome().expect("all edges are drawn");
        outcome.points_of_first()
    }
}

/// Captures boxes; otherwise draws a random safe edge; otherwise gives the fewest boxes away.
///
/// A playout ends when no safe edge is left: the chain evaluation then gives the result.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sensible;

impl Sensible {
    /// A capturing edge, or otherwise a safe one.
    fn take_or_wait(position: &DotsAndBoxes, rng: &mut Rng) -> Option<Edge> {
        let capturing = position.lines.capturing(position.geometry);
        if capturing != 0 {
            return Some(Edge(capturing.trailing_zeros() as u8));
        }
        let safe = position.lines.safe(position.geometry);
        (safe != 0).then(|| from_rotation(safe, rng.next_u32()))
    }

    /// The cost of `edge`: twice the boxes that the opponent can capture after it, plus one if the
    /// opponent could keep control.
    fn gift(position: &DotsAndBoxes, edge: Edge) -> i32 {
        let mut lines = position.lines;
        lines.draw(position.geometry, edge);
        let taken = harvest(position.geometry, &mut lines);
        // Of equal gifts, the one that leaves the taker no choice is better.
        2 * taken.boxes + taken.control.is_some() as i32
    }
}

impl Playout<DotsAndBoxes> for Sensible {
    fn choose(&mut self, position: &DotsAndBoxes, rng: &mut Rng) -> Edge {
        Sensible::take_or_wait(position, rng).unwrap_or_else(|| {
            Edges(position.open())
                .min_by_key(|&edge| Sensible::gift(position, edge))
                .expect("a position that is not over has an open edge")
        })
    }

    fn run(&mut self, position: &mut DotsAndBoxes, rng: &mut Rng) -> f32 {
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome.points_of_first();
            }
            if position.lines.safe(position.geometry) == 0 {
                let score = Chains.evaluate(position);
                let chance = Chains::settled_probability(score);
                return match position.side() {
                    Side::First => chance,
                    Side::Second => 1.0 - chance,
                };
            }
            let edge = Sensible::take_or_wait(position, rng).expect("there is a safe edge");
            position.play(edge);
        }
    }
}

#[cfg(test)]
mod tests {
    use engine_core::{Outcome, UniformPlayout};

    use super::*;
    use crate::Variant;

    /// Counts the final margins of many games.
    fn margins(policy: &mut impl Playout<DotsAndBoxes>, run: bool, seed: u64) -> Vec<f64> {
        let variant = Variant {
            columns: 2,
            rows: 2,
            ..Variant::default()
        };
        let start = variant.start().unwrap();
        let mut rng = Rng::new(seed);
        let mut counts = vec![0.0; 9];
        for _ in 0..40_000 {
            let mut position = start.clone();
            if run {
                policy.run(&mut position, &mut rng);
            } else {
                play_out(policy, &mut position, &mut rng);
            }
            counts[(position.margin + 4) as usize] += 1.0;
        }
        counts
    }

    #[test]
    fn random_games_are_distributed_as_uniform_ones() {
        let expected = margins(&mut UniformPlayout::default(), false, 1);
        for counts in [
            margins(&mut Random, true, 2),
            margins(&mut Random, false, 3),
        ] {
            // Five margins are possible: 4 degrees of freedom, where 1 in 10 000 exceeds 23.5.
            let chi_squared: f64 = (expected.iter().zip(&counts))
                .filter(|(a, b)| *a + *b > 0.0)
                .map(|(a, b)| (a - b).powi(2) / (a + b))
                .sum();
            assert!(
                chi_squared < 23.5,
                "{chi_squared}: {counts:?} for {expected:?}"
            );
        }
    }

    #[test]
    fn a_random_game_stops_at_a_majority() {
        let variant = Variant {
            stop_at_majority: true,
            ..Variant::default()
        };
        let mut rng = Rng::new(4);
        for _ in 0..100 {
            let mut position = variant.start().unwrap();
            Random.run(&mut position, &mut rng);
            let most = Side::BOTH
                .map(|side| position.boxes_of(side))
                .into_iter()
                .max();
            assert!(matches!(most, Some(13 | 14)), "{most:?}");
        }
    }

    #[test]
    fn sensible_play_beats_random_play() {
        let mut rng = Rng::new(5);
        let mut won = 0;
        for game in 0..200 {
            let mut position = Variant::default().start().unwrap();
            let sensible = Side::BOTH[game % 2];
            while position.outcome().is_none() {
                let edge = if position.side() == sensible {
                    Sensible.choose(&position, &mut rng)
                } else {
                    Random.choose(&position, &mut rng)
                };
                position.play(edge);
            }
            won += (position.outcome() == Some(Outcome::Win(sensible))) as u32;
        }
        assert!(won >= 198, "{won} of 200");
    }
}
