//! What learned weights see: pieces and pairs of pieces.
//!
//! A piece is its square and the number of faces that let it move. That number also says how captures
//! of others have changed its mobility; the piece's own number says no more. Pairs of pieces of both
//! sides show captures now and later. Pairs of one side show pieces that stand in each other's way
//! or together (as the pairs of Lucas, *Learning to Play Othello with N-Tuple Systems*, 2008).
//! Boards mirrored in the diagonal have the same inputs.
//!
//! A move changes most pairs and the die changes the rest, so nothing is kept from move to move:
//! all inputs are of the position alone.

use std::sync::LazyLock;

use engine_core::learned::{Change, Inputs};
use engine_core::{Position, Side};

use crate::army::Army;
use crate::board::{Einstein, Phase};
use crate::endgame::is_covered;
use crate::evaluate::{can_meet, faces_of};
use crate::moves::Action;
use crate::tables::{GOAL, MOVABLE, transpose};

/// Squares of the board.
const SQUARES: usize = 25;
/// Pairs of squares.
const PAIRS: usize = SQUARES * SQUARES;
/// Classes of an own piece: by its faces, 1 to 6, and whether it may move now.
const OWN_CLASSES: usize = 12;
/// Classes of an enemy piece: by its faces.
const ENEMY_CLASSES: usize = 6;
/// Classes of a pair of both sides: whether the own piece may move now, and whether the enemy
/// piece has one face, two, or more.
const PAIR_CLASSES: usize = 6;
/// Numbers of pieces of a side, 0 to 6.
const COUNTS: usize = 7;

/// Maximum number of inputs that are on: of 12 pieces, 15 pairs of each side, 36 of both, and one.
const MOST: usize = 79;

const OWN: usize = 0;
const ENEMY: usize = OWN + OWN_CLASSES * SQUARES;
const BOTH: usize = ENEMY + ENEMY_CLASSES * SQUARES;
const OWN_PAIRS: usize = BOTH + PAIR_CLASSES * PAIRS;
const ENEMY_PAIRS: usize = OWN_PAIRS + PAIRS;
const PIECES: usize = ENEMY_PAIRS + PAIRS;
const END: usize = PIECES + COUNTS * COUNTS;

/// The input of every combination of squares and classes: mirrored ones share the lower number.
/// Numbers that are never lowest stay unused.
static SHARED: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mirrored_pair = |pair: usize| {
        let [first, second] = [pair / SQUARES, pair % SQUARES].map(|s| transpose(s as u8) as usize);
        first * SQUARES + second
    };
    let image = |input: usize| match input {
        OWN..BOTH => input / SQUARES * SQUARES + transpose((input % SQUARES) as u8) as usize,
        BOTH..PIECES => {
            let place = input - BOTH;
            BOTH + place / PAIRS * PAIRS + mirrored_pair(place % PAIRS)
        }
        _ => input,
    };
    // Pairs of one side have no order.
    let unordered = |input: usize| match input {
        OWN_PAIRS..PIECES => {
            let place = input - OWN_PAIRS;
            let (block, pair) = (place / PAIRS, place % PAIRS);
            let (low, high) = (pair / SQUARES, pair % SQUARES);
            OWN_PAIRS + block * PAIRS + low.min(high) * SQUARES + low.max(high)
        }
        _ => input,
    };
    (0..END)
        .map(|input| unordered(input).min(unordered(image(input))) as u16)
        .collect()
});

/// The inputs of EinStein.
#[derive(Clone)]
pub struct PiecePairs {
    shared: &'static [u16],
}

/// A piece on the board.
#[derive(Clone, Copy, Default)]
struct Piece {
    /// Its square in the viewer's frame.
    square: usize,
    /// The faces that let it move, 1 to 6.
    faces: usize,
    /// Whether it may move by the present roll.
    may_move: bool,
}

/// The pieces of an army on the board; `movable` are the numbers that may move now.
fn pieces(army: Army, movable: [u8; 2], list: &mut [Piece; 6]) -> &[Piece] {
    let mut count = 0;
    for piece in 0..6 {
        if army.alive() >> piece & 1 == 1 {
            list[count] = Piece {
                square: army.field(piece) as usize,
                faces: faces_of(army, piece) as usize,
                may_move: movable.contains(&piece),
            };
            count += 1;
        }
    }
    &list[..count]
}

/// No piece may move.
const NOBODY: [u8; 2] = [u8::MAX; 2];

impl Inputs<Einstein> for PiecePairs {
    const NAME: &'static str = "einstein-pairs-1";

    fn of(_: &Einstein) -> PiecePairs {
        PiecePairs { shared: &SHARED }
    }

    fn count(&self) -> usize {
        END
    }

    fn active(&self, _: &Einstein, _: Side, _: &mut Vec<u32>) {}

    fn change(&self, _: &Einstein, _: Action, _: &mut [Change; 2]) {}

    /// None where the evaluation made by hand is exact: if the sides have passed each other, and with
    /// few pieces. None before both have laid out.
    fn passing(&self, position: &Einstein, viewer: Side, out: &mut Vec<u32>) {
        let [own, enemy] = [viewer, viewer.opponent()].map(|side| position.armies[side.index()]);
        if position.phase == Phase::Layout || is_covered(position) || !can_meet(own, enemy) {
            return;
        }
        let movable = match position.phase {
            Phase::Move(die) if viewer == position.side() => {
                MOVABLE[own.alive() as usize][die as usize]
            }
            _ => NOBODY,
        };
        let mut lists = [[Piece::default(); 6]; 2];
        let [own_list, enemy_list] = &mut lists;
        let own = pieces(own, movable, own_list);
        let enemy = pieces(enemy, NOBODY, enemy_list);
        let (mut seen, mut count) = ([0; MOST], 0);
        let mut add = |input: usize| {
            seen[count] = u32::from(self.shared[input]);
            count += 1;
        };
        for (index, piece) in own.iter().enumerate() {
            let class = 2 * (piece.faces - 1) + usize::from(piece.may_move);
            add(OWN + class * SQUARES + piece.square);
            for other in &own[..index] {
                add(OWN_PAIRS + piece.square * SQUARES + other.square);
            }
            for other in enemy {
                let class = 2 * (other.faces.min(3) - 1) + usize::from(piece.may_move);
                let square = GOAL as usize - other.square;
                add(BOTH + class * PAIRS + piece.square * SQUARES + square);
            }
        }
        for (index, piece) in enemy.iter().enumerate() {
            add(ENEMY + (piece.faces - 1) * SQUARES + piece.square);
            for other in &enemy[..index] {
                add(ENEMY_PAIRS + piece.square * SQUARES + other.square);
            }
        }
        add(PIECES + own.len() * COUNTS + enemy.len());
        out.extend_from_slice(&seen[..count]);
    }
}
