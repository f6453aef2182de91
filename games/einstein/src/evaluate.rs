//! The static evaluation: expected distance over the dice, and capture threats.
//!
//! A side alone on the board needs, on the average over its dice and playing best, a number of turns
//! that follows from the distances of its pieces alone; all 5⁶ cases are a table. It replaces the
//! sums of `chance to be moved × distance` of the literature (Lorentz, *An MCTS Program to Play
//! EinStein Würfelt Nicht!*, 2011; Turner, *EinStein Würfelt Nicht! – An Analysis of Endgame Play*,
//! 2012), which do not see that a lost piece makes the others more mobile. A capture is worth the
//! turns it costs the side that loses the piece, weighted by the faces that allow it.

use std::sync::LazyLock;

use engine_core::{Evaluator, Score};

use crate::army::Army;
use crate::board::{Einstein, Phase, WIN_POINTS};
use crate::tables::{GOAL, MOVABLE, STEPS, distance};

/// Coefficients of the logistic model of the chance of winning, fitted by maximum likelihood to the
/// results of games between players that take the action of the best evaluation, with random
/// actions mixed in.
struct Weights {
    /// The side to act has the first turn.
    tempo: f32,
    /// A turn that the opponent needs more, alone.
    turns: f32,
    /// A turn that the best capture costs the opponent, on the average over the die.
    threat: f32,
    /// The same for captures by the opponent, which come a turn later.
    danger: f32,
    /// A piece more on the board.
    piece: f32,
}

const WEIGHTS: Weights = Weights {
    tempo: 0.279,
    turns: 0.467,
    threat: 0.478,
    danger: 0.164,
    piece: 0.238,
};

/// Turns that a side without pieces is taken to need: the last piece is worth more than any other.
const TURNS_WITHOUT_PIECES: f32 = 8.0;

/// Codes of one piece in the index of [`TURNS`]: its distance in turns 1–4, 0 if it is gone.
const CODES: usize = 5;

/// Expected turns to the goal of a side that is alone on the board and plays best, before its roll,
/// by the codes of its pieces, piece 1 least significant.
static TURNS: LazyLock<Box<[f32; CODES.pow(6)]>> = LazyLock::new(|| {
    let mut turns = Box::new([TURNS_WITHOUT_PIECES; CODES.pow(6)]);
    for index in 1..turns.len() {
        let codes: [usize; 6] = std::array::from_fn(|piece| index / UNIT[piece] % CODES);
        let alive = (0..6).fold(0, |mask, piece| {
            mask | ((codes[piece] > 0) as usize) << piece
        });
        let after = |piece: u8| match codes[piece as usize] {
            1 => 0.0,
            // A nearer piece gives a lower index, which is known already.
            _ => turns[index - UNIT[piece as usize]],
        };
        let sum: f32 = MOVABLE[alive][1..=6]
            .iter()
            .map(|&[low, high]| after(low).min(after(high)))
            .sum();
        turns[index] = 1.0 + sum / 6.0;
    }
    turns
});

/// What one code of a piece adds to the index of [`TURNS`].
const UNIT: [usize; 6] = [1, 5, 25, 125, 625, 3125];

/// What a piece in a field adds to the index of [`TURNS`].
static PLACE: [[u16; 32]; 6] = {
    let mut place = [[0; 32]; 6];
    let mut piece = 0;
    while piece < 6 {
        let mut square = 0;
        while square < 25 {
            place[piece][square] = (distance(square as u8) as usize * UNIT[piece]) as u16;
            square += 1;
        }
        piece += 1;
    }
    place
};

/// The faces (bit `face - 1`) by which a piece may be moved, by the mask of pieces on the board.
static FACES_OF: [[u8; 6]; 64] = {
    let mut faces = [[0; 6]; 64];
    let mut alive = 1;
    while alive < 64 {
        let mut face = 1;
        while face <= 6 {
            let [low, high] = MOVABLE[alive][face];
            faces[alive][low as usize] |= 1 << (face - 1);
            faces[alive][high as usize] |= 1 << (face - 1);
            face += 1;
        }
        alive += 1;
    }
    faces
};

/// The squares that a piece on a square can step to, one bit each.
static REACH: [u32; 32] = {
    let mut reach = [0; 32];
    let mut square = 0;
    while square < 25 {
        let mut i = 0;
        while i < STEPS[square].count {
            reach[square] |= 1 << STEPS[square].targets[i as usize];
            i += 1;
        }
        square += 1;
    }
    reach
};

/// The index of an army in [`TURNS`].
#[inline]
fn index(army: Army) -> usize {
    (0..6)
        .map(|piece| PLACE[piece as usize][army.field(piece) as usize] as usize)
        .sum()
}

/// All faces of the die.
const ANY_FACE: u8 = 0b11_1111;

/// The static evaluation, in points: a chance `p` of winning is worth `10 000 (2p − 1)`.
pub struct RaceAndThreats {
    turns: &'static [f32; CODES.pow(6)],
}

impl Default for RaceAndThreats {
    fn default() -> RaceAndThreats {
        RaceAndThreats { turns: &TURNS }
    }
}

/// What the logistic model is made of.
struct Features {
    turns: f32,
    threat: f32,
    danger: f32,
    pieces: f32,
}

impl RaceAndThreats {
    /// Turns of the side to act, this one included, if it has cast `die`.
    fn turns_after(&self, army: Army, index: usize, die: u8) -> f32 {
        let after = |piece: u8| {
            let unit = UNIT[piece as usize];
            match index / unit % CODES {
                1 => 0.0,
                _ => self.turns[index - unit],
            }
        };
        let [low, high] = MOVABLE[army.alive() as usize][die as usize];
        1.0 + after(low).min(after(high))
    }

    /// The turns that the best capture by `hunter` costs `prey`, summed over the `faces`.
    fn threat(&self, hunter: Army, prey: Army, prey_index: usize, faces: u8) -> f32 {
        let targets = prey.occupied().reverse_bits() >> (31 - GOAL);
        let mut best = [0f32; 6];
        for piece in 0..6 {
            let mut hits = REACH[hunter.field(piece) as usize] & targets;
            while hits != 0 {
                let square = GOAL - hits.trailing_zeros() as u8;
                hits &= hits - 1;
                let victim = prey.find(square).expect("a target holds a piece");
                let place = PLACE[victim as usize][square as usize] as usize;
                let cost = self.turns[prey_index - place] - self.turns[prey_index];
                let mut moved_by = FACES_OF[hunter.alive() as usize][piece as usize] & faces;
                while moved_by != 0 {
                    let face = &mut best[moved_by.trailing_zeros() as usize];
                    *face = face.max(cost);
                    moved_by &= moved_by - 1;
                }
            }
        }
        best.iter().sum()
    }

    fn features(&self, position: &Einstein) -> Features {
        let own = position.armies[position.side.index()];
        let enemy = position.armies[position.side.opponent().index()];
        let (own_index, enemy_index) = (index(own), index(enemy));
        let (own_turns, threat) = match position.phase {
            Phase::Move(die) => (
                self.turns_after(own, own_index, die),
                self.threat(own, enemy, enemy_index, 1 << (die - 1)),
            ),
            _ => (
                self.turns[own_index],
                self.threat(own, enemy, enemy_index, ANY_FACE) / 6.0,
            ),
        };
        Features {
            turns: self.turns[enemy_index] - own_turns,
            threat,
            danger: self.threat(enemy, own, own_index, ANY_FACE) / 6.0,
            pieces: own.alive().count_ones() as f32 - enemy.alive().count_ones() as f32,
        }
    }
}

impl Evaluator<Einstein> for RaceAndThreats {
    fn evaluate(&mut self, position: &Einstein) -> Score {
        if position.phase == Phase::Layout {
            return Score::DRAW;
        }
        let features = self.features(position);
        let logit =
            WEIGHTS.tempo + WEIGHTS.turns * features.turns + WEIGHTS.threat * features.threat
                - WEIGHTS.danger * features.danger
                + WEIGHTS.piece * features.pieces;
        let probability = 1.0 / (1.0 + (-logit).exp());
        Score::points((WIN_POINTS as f32 * (2.0 * probability - 1.0)) as i32)
    }

    /// The inverse of the scale of [`WIN_POINTS`].
    fn probability(&self, score: Score) -> f32 {
        (0.5 + score.value() as f32 / (2 * WIN_POINTS) as f32).clamp(0.0, 1.0)
    }
}
