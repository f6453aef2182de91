//! The evaluation: material, exchanges, mobility, access to the loops.

use engine_core::real::logistic;
use engine_core::{Evaluator, Score};

use crate::board::Surakarta;
use crate::geometry::spread;
use crate::moves::{Action, Captures, Pieces, targets};

/// Weights in points; a clear advantage is about 100.
struct Weights {
    /// A piece among twelve.
    piece: i32,
    /// Additional value of a piece for every piece that its side has lost.
    scarcity: i32,
    /// A capture that the enemy cannot recapture.
    free: i32,
    /// A capture that the enemy can recapture.
    exchange: i32,
    /// An attacked piece of the side to move.
    attacked: i32,
    /// A station on a loop: two for an inner piece, none in a corner.
    station: i32,
    /// An empty neighbour point of a piece.
    freedom: i32,
}

const WEIGHTS: Weights = Weights {
    piece: 100,
    scarcity: 8,
    free: 80,
    exchange: 40,
    attacked: 20,
    station: 2,
    freedom: 3,
};

/// Material first, then captures, then mobility and access to the loops: the usual terms for this
/// game, with weights from self-play. The side to move is assumed to make its best capture; a safe
/// capture counts nearly as much as a piece.
#[derive(Clone, Copy, Default, Debug)]
pub struct Evaluation;

/// The value of a side's `count` pieces: the fewer pieces, the higher the value of each.
const fn material(count: u32) -> i32 {
    let count = count as i32;
    WEIGHTS.piece * count + WEIGHTS.scarcity * (12 * count - count * (count + 1) / 2)
}

/// Points that change the odds of winning by a factor of e. In self-play of a two-ply search, 83 of
/// 100 positions were won at +100 and 7 of 100 at −150.
const POINTS_PER_LOGIT: f32 = 60.0;

impl Evaluator<Surakarta> for Evaluation {
    #[inline]
    fn evaluate(&mut self, position: &Surakarta) -> Score {
        let (own, enemy) = (position.own(), position.enemy());
        let empty = position.empty();
        let standing = |pieces: Pieces| {
            material(pieces.count())
                + WEIGHTS.station * pieces.stations.count_ones() as i32
                + WEIGHTS.freedom * (spread(pieces.points) & empty).count_ones() as i32
        };
        Score::points(
            standing(own) - standing(enemy) + best_capture(own, enemy)
                - WEIGHTS.attacked * attacked(own, enemy),
        )
    }

    #[inline]
    fn probability(&self, score: Score) -> f32 {
        logistic(score.value() as f32 / POINTS_PER_LOGIT)
    }
}

/// The value of the best capture of `own`, to move, in addition to material.
#[inline]
fn best_capture(own: Pieces, enemy: Pieces) -> i32 {
    let captures = Captures::of(own, enemy);
    let is_free = |capture: &Action| {
        let (mut own, mut enemy) = (own, enemy);
        own.toggle(capture.from);
        own.toggle(capture.to);
        enemy.toggle(capture.to);
        targets(enemy, own) >> capture.to & 1 == 0
    };
    match captures.as_slice() {
        [] => 0,
        captures if captures.iter().any(is_free) => WEIGHTS.free,
        _ => WEIGHTS.exchange,
    }
}

/// Number of pieces of `own` that the enemy could capture if it were to move.
#[inline]
fn attacked(own: Pieces, enemy: Pieces) -> i32 {
    targets(enemy, own).count_ones() as i32
}

#[cfg(test)]
mod tests {
    use engine_core::Notation;

    use super::*;
    use crate::Variant;

    fn evaluate(position: &str) -> i32 {
        let start = Surakarta::new(Variant::default());
        let position = start.parse_position(position).expect("a position");
        Evaluation.evaluate(&position).value()
    }

    #[test]
    fn the_start_is_even() {
        assert_eq!(evaluate("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0"), 0);
    }

    #[test]
    fn material_comes_first() {
        for count in 1..=12 {
            assert!(material(count) - material(count - 1) >= WEIGHTS.piece);
        }
        assert!(evaluate("b4b/b4b/6/6/6/w4w b 0") > 150);
        assert!(evaluate("b4b/b4b/6/6/6/w4w w 0") < -150);
    }

    #[test]
    fn a_piece_that_hangs_is_seen_by_the_side_to_move() {
        // a5 captures a2 through the loop; with a white piece on b1 it would be recaptured.
        let (hanging, guarded) = ("6/b5/6/6/w5/5w", "6/b5/6/6/w5/1w4");
        let to_move = |board: &str, side: &str| evaluate(&format!("{board} {side} 0"));
        assert!(to_move("6/b5/6/6/w5/5w", "b") > to_move("6/b5/6/6/6/w4w", "b") + 40);
        assert!(to_move(hanging, "b") > to_move(guarded, "b") + 20);
    }

    #[test]
    fn a_corner_is_the_worst_place() {
        assert!(evaluate("6/6/2b3/6/6/5w b 0") > evaluate("b5/6/6/6/6/5w b 0"));
    }

    #[test]
    fn the_probability_is_one_half_at_zero_and_grows_with_the_score() {
        let chance = |points| Evaluation.probability(Score::points(points));
        assert_eq!(chance(0), 0.5);
        assert!((chance(100) - 0.84).abs() < 0.01);
        assert!((chance(100) + chance(-100) - 1.0).abs() < 1e-6);
    }
}
