//! The evaluation: material, exchanges, mobility, access to the loops.

use engine_core::{Evaluator, Score};

use crate::board::Surakarta;
use crate::geometry::spread;
use crate::moves::{Captures, Pieces};

/// Values in points; a clear advantage is about 100.
struct Weights {
    /// A piece among twelve.
    piece: i32,
    /// What a piece is worth more for every one that its side has lost.
    scarcity: i32,
    /// A capture that the enemy cannot answer on the same point.
    free: i32,
    /// A capture that he can answer.
    exchange: i32,
    /// A piece that the side to move sees attacked.
    attacked: i32,
    /// A station on a loop: two for a piece within the edge, none in a corner.
    station: i32,
    /// An empty point next to a piece.
    freedom: i32,
}

const WEIGHTS: Weights = Weights {
    piece: 100,
    scarcity: 8,
    free: 80,
    exchange: 10,
    attacked: 12,
    station: 4,
    freedom: 1,
};

/// Material first, then who can capture what, then mobility and access to the loops: the terms of
/// published Surakarta programs, with weights of its own. The side to move is taken to make its
/// best capture; what it captures safely counts nearly as a piece.
#[derive(Clone, Copy, Default, Debug)]
pub struct Evaluation;

/// The value of a side's `count` pieces: the fewer it has, the more each is worth.
const fn material(count: u32) -> i32 {
    let count = count as i32;
    WEIGHTS.piece * count + WEIGHTS.scarcity * (12 * count - count * (count + 1) / 2)
}

impl Evaluator<Surakarta> for Evaluation {
    #[inline]
    fn evaluate(&mut self, position: &Surakarta) -> Score {
        let (own, enemy) = (position.own(), position.enemy());
        let empty = position.empty();
        let side = |pieces: Pieces| {
            material(pieces.count())
                + WEIGHTS.station * pieces.stations.count_ones() as i32
                + WEIGHTS.freedom * (spread(pieces.points) & empty).count_ones() as i32
        };
        Score::points(side(own) - side(enemy) + threats(own, enemy))
    }
}

fn threats(own: Pieces, enemy: Pieces) -> i32 {
    let mut best = 0;
    for capture in Captures::of(own, enemy).as_slice() {
        let (mut own, mut enemy) = (own, enemy);
        own.toggle(capture.from);
        own.toggle(capture.to);
        enemy.toggle(capture.to);
        let answers = Captures::of(enemy, own);
        if answers
            .as_slice()
            .iter()
            .all(|answer| answer.to != capture.to)
        {
            best = WEIGHTS.free;
            break;
        }
        best = WEIGHTS.exchange;
    }
    let attacked = Captures::of(enemy, own)
        .as_slice()
        .iter()
        .fold(0u64, |all, capture| all | 1 << capture.to);
    best - WEIGHTS.attacked * attacked.count_ones() as i32
}
