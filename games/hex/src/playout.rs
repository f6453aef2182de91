//! Playouts: uniformly random, bridge-saving, and bridge-saving mixed with the evaluation.
//!
//! A full board has exactly one winner, and stones placed after a connection is complete change
//! nothing. So the playouts fill the whole board and check for the connection once, at the end.

use engine_core::{Evaluator, Outcome, Playout, Position, Rng, Side, UniformPlayout};

use crate::board::{Colour, Hex};
use crate::evaluate::Distance;
use crate::fill::Filling;
use crate::geometry::{Cell, CellSet, MAX_SIZE};
use crate::moves::Action;

/// Uniformly random legal actions.
///
/// [`Random::run`] leaves `position` at the end of the opening (a swap, a forced cell); it then
/// fills a scratch copy of the stones.
#[derive(Default)]
pub struct Random {
    opening: UniformPlayout<Action>,
}

impl Playout<Hex> for Random {
    fn choose(&mut self, position: &Hex, rng: &mut Rng) -> Action {
        if position.in_opening() {
            return self.opening.choose(position, rng);
        }
        loop {
            let cell = random_cell(position.size(), rng);
            if position.colour_at(cell).is_none() {
                return Action::Place(cell);
            }
        }
    }

    fn run(&mut self, position: &mut Hex, rng: &mut Rng) -> f32 {
        play_opening(self, position, rng);
        let winner = position.winner().unwrap_or_else(|| {
            let empty = position.empty_cells();
            // With an odd number of stones, the side to move places one more.
            let share = match position.to_move() {
                Colour::Red => position.empty_count().div_ceil(2),
                Colour::Blue => position.empty_count() / 2,
            };
            let laid = random_subset(&empty, position.size(), share, rng);
            winner_of_full(&position.stones(Colour::Red).union(&laid), position.size())
        });
        points_of_first(position, winner)
    }
}

/// Random actions that save bridges. A bridge is two stones, or a stone and an edge, with two
/// common empty neighbours. When the opponent plays on one of the two cells, the reply is the
/// other. MoHex's playouts save the same pattern (Arneson, Hayward and Henderson, *Monte Carlo Tree
/// Search in Hex*, 2010).
///
/// [`SaveBridges::run`] leaves `position` as [`Random::run`] does. `choose` does not know the
/// previous action, so it is uniformly random.
#[derive(Default)]
pub struct SaveBridges {
    random: Random,
    /// The empty cells in the order in which they are filled.
    order: Vec<Cell>,
}

impl Playout<Hex> for SaveBridges {
    fn choose(&mut self, position: &Hex, rng: &mut Rng) -> Action {
        self.random.choose(position, rng)
    }

    fn run(&mut self, position: &mut Hex, rng: &mut Rng) -> f32 {
        play_opening(&mut self.random, position, rng);
        let winner = position
            .winner()
            .unwrap_or_else(|| self.fill_board(position, rng));
        points_of_first(position, winner)
    }
}

/// The mean of the evaluation's probability and the result of a bridge-saving playout. The
/// evaluation has low variance and is short-sighted; the playout has high variance and no such bias
/// (mixed as by Silver and others, *Mastering the game of Go with deep neural networks and tree
/// search*, 2016).
pub struct MixedPlayout {
    evaluator: Distance,
    playout: SaveBridges,
}

impl MixedPlayout {
    /// A policy for boards of `size`, 2 to 19.
    pub fn new(size: u8) -> MixedPlayout {
        MixedPlayout::with(Distance::new(size))
    }

    /// The policy with this evaluator.
    pub(crate) fn with(evaluator: Distance) -> MixedPlayout {
        MixedPlayout {
            evaluator,
            playout: SaveBridges::default(),
        }
    }
}

impl Playout<Hex> for MixedPlayout {
    fn choose(&mut self, position: &Hex, rng: &mut Rng) -> Action {
        self.playout.choose(position, rng)
    }

    fn run(&mut self, position: &mut Hex, rng: &mut Rng) -> f32 {
        if let Some(outcome) = position.outcome() {
            return outcome.points_of_first();
        }
        let score = self.evaluator.evaluate(position);
        let probability = self.evaluator.probability(score);
        let estimate = match position.side() {
            Side::First => probability,
            Side::Second => 1.0 - probability,
        };
        (estimate + self.playout.run(position, rng)) / 2.0
    }
}

impl SaveBridges {
    /// Fills the board and returns the winner.
    fn fill_board(&mut self, position: &Hex, rng: &mut Rng) -> Colour {
        let size = position.size();
        let mut board = Filling::new(position);
        self.order.clear();
        position
            .empty_cells()
            .each(size, |cell| self.order.push(cell));
        let mut mover = position.to_move();
        let mut reply = None;
        let mut tried = 0;
        loop {
            let cell = match reply {
                Some(cell) => cell,
                None => match self.next_empty(&mut tried, &board, rng) {
                    Some(cell) => cell,
                    None => return winner_of_full(&board.stones(Colour::Red), size),
                },
            };
            board.insert(mover, cell);
            mover = mover.other();
            reply = match board.saving_replies(mover, cell) {
                0 => None,
                replies => Some(cell.neighbour(random_bit(replies, rng))),
            };
        }
    }

    /// The next empty cell in a random order, which is drawn as needed.
    #[inline]
    fn next_empty(&mut self, tried: &mut usize, board: &Filling, rng: &mut Rng) -> Option<Cell> {
        while *tried < self.order.len() {
            let pick = *tried + rng.below((self.order.len() - *tried) as u32) as usize;
            // Half of a swap: entries before `tried` are not read again.
            let cell = self.order[pick];
            self.order[pick] = self.order[*tried];
            *tried += 1;
            if board.is_empty(cell) {
                return Some(cell);
            }
        }
        None
    }
}

/// The index of a set bit, uniformly random.
#[inline]
fn random_bit(mut bits: u8, rng: &mut Rng) -> usize {
    for _ in 0..rng.below(bits.count_ones()) {
        bits &= bits - 1;
    }
    bits.trailing_zeros() as usize
}

/// Plays until only stones on empty cells are legal, or the game is over.
#[inline]
fn play_opening(random: &mut Random, position: &mut Hex, rng: &mut Rng) {
    while position.in_opening() && position.winner().is_none() {
        let action = random.choose(position, rng);
        position.play(action);
    }
}

#[inline]
fn winner_of_full(red: &CellSet, size: u8) -> Colour {
    if red.crosses_down(size) {
        Colour::Red
    } else {
        Colour::Blue
    }
}

#[inline]
fn points_of_first(position: &Hex, winner: Colour) -> f32 {
    Outcome::Win(position.side_of(winner)).points_of_first()
}

/// A uniformly random cell of the board.
#[inline]
fn random_cell(size: u8, rng: &mut Rng) -> Cell {
    let bits = rng.next_u64();
    let below = |bits: u64| ((bits * size as u64) >> 32) as u8;
    Cell::new(below(bits >> 32), below(bits & 0xffff_ffff))
}

/// A uniformly random subset of `cells` with `share` members.
///
/// First each cell is taken with probability ½, so all subsets of the same size are equally likely.
/// Then random cells are added or removed until the size is right; this keeps them equally likely.
fn random_subset(cells: &CellSet, size: u8, share: u32, rng: &mut Rng) -> CellSet {
    let mut part = CellSet::EMPTY;
    for row in (0..MAX_SIZE)
        .step_by(2)
        .take_while(|&row| row < size as usize)
    {
        let bits = rng.next_u64();
        part.set_row(row, cells.row(row) & bits as u32);
        part.set_row(row + 1, cells.row(row + 1) & (bits >> 32) as u32);
    }
    let mut count = part.count();
    while count > share {
        let cell = random_cell(size, rng);
        if part.contains(cell) {
            part.remove(cell);
            count -= 1;
        }
    }
    while count < share {
        let cell = random_cell(size, rng);
        if cells.contains(cell) && !part.contains(cell) {
            part.insert(cell);
            count += 1;
        }
    }
    part
}
