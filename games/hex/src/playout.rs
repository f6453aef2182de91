//! Playouts: uniformly random, random but for saving bridges, and these judged beforehand.
//!
//! A full board has exactly one winner, and stones laid after a chain is complete change nothing.
//! So both fill the whole board first and look for the chain once, at the end.

use engine_core::{Evaluator, Outcome, Playout, Position, Rng, Side, UniformPlayout};

use crate::board::{Colour, Hex};
use crate::evaluate::Distance;
use crate::geometry::{Cell, CellSet, MAX_SIZE};
use crate::moves::Action;

/// Uniformly random legal actions.
///
/// [`Random::run`] leaves its position where the opening (a swap, a forced cell) is past and
/// the filling of the board begins; the filling goes on in a scratch copy of the stones.
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
            // The side to move lays the last stone of an odd number.
            let share = match position.to_move() {
                Colour::Red => position.empty_count().div_ceil(2),
                Colour::Blue => position.empty_count() / 2,
            };
            let laid = random_part(&empty, position.size(), share, rng);
            winner_of_full(&position.stones(Colour::Red).union(&laid), position.size())
        });
        points_of_first(position, winner)
    }
}

/// Random actions, but a stone that the other side puts into a bridge of one's own (two stones, or
/// a stone and an edge, with two common empty neighbours) is answered on the bridge's other cell:
/// the pattern that MoHex's playouts save (Arneson, Hayward and Henderson, *Monte Carlo Tree Search
/// in Hex*, 2010).
///
/// [`SaveBridges::run`] leaves its position as [`Random::run`] does. `choose`, which is not told the
/// action before, is uniformly random.
#[derive(Default)]
pub struct SaveBridges {
    random: Random,
    /// The empty cells in the order in which they are tried.
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

/// The mean of the evaluation's probability and the result of a bridge-saving playout: the first is
/// steady and short-sighted, the second noisy and honest (mixed as by Silver and others, *Mastering
/// the game of Go with deep neural networks and tree search*, 2016).
pub struct Judged {
    evaluator: Distance,
    playout: SaveBridges,
}

impl Judged {
    /// A policy for boards of `size`, 2 to 19.
    pub fn new(size: u8) -> Judged {
        Judged {
            evaluator: Distance::new(size),
            playout: SaveBridges::default(),
        }
    }
}

impl Playout<Hex> for Judged {
    fn choose(&mut self, position: &Hex, rng: &mut Rng) -> Action {
        self.playout.choose(position, rng)
    }

    fn run(&mut self, position: &mut Hex, rng: &mut Rng) -> f32 {
        if let Some(outcome) = position.outcome() {
            return outcome.points_of_first();
        }
        let score = self.evaluator.evaluate(position);
        let probability = self.evaluator.probability(score);
        let judged = match position.side() {
            Side::First => probability,
            Side::Second => 1.0 - probability,
        };
        (judged + self.playout.run(position, rng)) / 2.0
    }
}

impl SaveBridges {
    /// Fills the board and says who has won.
    fn fill_board(&mut self, position: &Hex, rng: &mut Rng) -> Colour {
        let size = position.size();
        let mut empty = position.empty_cells();
        self.order.clear();
        self.order.extend(empty.cells());
        // An edge holds the end of a bridge as well as a stone does.
        let mut stones = [
            position
                .stones(Colour::Red)
                .union(&CellSet::above_and_below(size)),
            position
                .stones(Colour::Blue)
                .union(&CellSet::left_and_right(size)),
        ];
        let mut mover = position.to_move();
        let mut reply = None;
        let mut tried = 0;
        loop {
            let cell = match reply {
                Some(cell) => cell,
                None => match self.next_empty(&mut tried, &empty, rng) {
                    Some(cell) => cell,
                    None => return winner_of_full(&stones[Colour::Red as usize], size),
                },
            };
            empty.remove(cell);
            stones[mover as usize].insert(cell);
            mover = mover.other();
            reply = saving_reply(&stones[mover as usize], &empty, cell, rng);
        }
    }

    /// The next cell of a random order that is still empty. The order is drawn as it is used.
    #[inline]
    fn next_empty(&mut self, tried: &mut usize, empty: &CellSet, rng: &mut Rng) -> Option<Cell> {
        while *tried < self.order.len() {
            let pick = *tried + rng.below((self.order.len() - *tried) as u32) as usize;
            self.order.swap(*tried, pick);
            let cell = self.order[*tried];
            *tried += 1;
            if empty.contains(cell) {
                return Some(cell);
            }
        }
        None
    }
}

/// Where `own` must be answered after a stone of the other side on `intruder`: an empty neighbour of
/// it between two of `own`. Of several, any.
#[inline]
fn saving_reply(own: &CellSet, empty: &CellSet, intruder: Cell, rng: &mut Rng) -> Option<Cell> {
    let around = own.around(intruder);
    let clockwise = around << 1 | around >> 5;
    let counterclockwise = around >> 1 | around << 5;
    let mut replies = clockwise & counterclockwise & empty.around(intruder);
    if replies == 0 {
        return None;
    }
    for _ in 0..rng.below(replies.count_ones()) {
        replies &= replies - 1;
    }
    Some(intruder.neighbour(replies.trailing_zeros() as usize))
}

/// Plays until every action is a stone on any empty cell, or the game is over.
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

/// A cell of the board, all equally likely.
#[inline]
fn random_cell(size: u8, rng: &mut Rng) -> Cell {
    let bits = rng.next_u64();
    let below = |bits: u64| ((bits * size as u64) >> 32) as u8;
    Cell::new(below(bits >> 32), below(bits & 0xffff_ffff))
}

/// A random part of `cells` with `share` members, every such part equally likely.
///
/// Each cell is first taken with chance ½, which makes all parts of one size equally likely; then
/// random cells are taken or given back until the size is right, which keeps them so.
fn random_part(cells: &CellSet, size: u8, share: u32, rng: &mut Rng) -> CellSet {
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
