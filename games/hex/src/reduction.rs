//! Reduced positions: cells that no longer matter are filled in, and moves that are not needed are
//! named.
//!
//! Björnsson, Hayward, Johanson and van Rijswijck, *Dead cell analysis in Hex and the Shannon game*
//! (2007). A cell is *dead* if its stone cannot change who wins, however the other cells are filled.
//! It is dead if its ends beside it, groups and empty cells of one colour, are all adjacent to each
//! other: a chain through the cell can then pass it by.
//!
//! A stone *kills* a cell that it makes dead. From this follow:
//! - Two cells that kill each other, as stones of one colour, are *captured* by it: whichever one the
//!   other colour takes, the answer on the other cell kills it. They count as stones of the colour.
//! - A move is *vulnerable* if the other colour has an answer after which its cell is dead, once the
//!   cells are filled in that the answer captures: it was a move for nothing, so the side that is to
//!   move does not need it.
//! - A move is *dominated* by one after which its cell is dead or captured.
//!
//! Filling in dead and captured cells keeps the winner, whoever is to move.

mod fill;
mod graph;
mod needless;
#[cfg(test)]
mod tests;

use crate::board::Hex;
use crate::geometry::{Cell, CellSet};
use graph::Graph;

/// A position with the cells filled in that do not matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced {
    /// The position with dead and captured cells as stones. The same colour wins it. The numbers of
    /// stones of both colours may differ by any number.
    pub position: Hex,
    /// By colour, the cells that it has captured. It answers in the same pair when the other colour
    /// takes one of them, so they belong to the carrier of every win of the colour.
    pub captured: [CellSet; 2],
}

/// Moves that the side to move does not need: if any move wins, one of the others does.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Inferior {
    /// Cells that the other side makes dead after a move there.
    pub vulnerable: Vec<Vulnerable>,
    /// Cells that are dead or captured after another move, which is not in either list.
    pub dominated: Vec<Cell>,
}

/// A vulnerable move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vulnerable {
    /// The cell.
    pub cell: Cell,
    /// The answer, and the cells that the other side captures with it.
    pub carrier: CellSet,
}

/// Reduces positions of one board size. Its memory is used again.
#[derive(Clone, Debug)]
pub struct Reduction(Sized);

#[derive(Clone, Debug)]
enum Sized {
    /// Up to 8×8.
    One(Box<Graph<1>>),
    /// Up to 11×11.
    Two(Box<Graph<2>>),
    /// Up to 13×13.
    Three(Box<Graph<3>>),
    /// Up to 19×19.
    Six(Box<Graph<6>>),
}

/// Evaluates an expression with the graph.
macro_rules! with {
    ($reduction:expr, $graph:ident => $value:expr) => {
        match $reduction {
            Sized::One($graph) => $value,
            Sized::Two($graph) => $value,
            Sized::Three($graph) => $value,
            Sized::Six($graph) => $value,
        }
    };
}

impl Reduction {
    /// For boards of `size`, 2 to 19.
    pub fn new(size: u8) -> Reduction {
        Reduction(match size {
            0..=8 => Sized::One(Box::new(Graph::new(size))),
            9..=11 => Sized::Two(Box::new(Graph::new(size))),
            12..=13 => Sized::Three(Box::new(Graph::new(size))),
            _ => Sized::Six(Box::new(Graph::new(size))),
        })
    }

    /// Fills in the dead and captured cells of a position that nobody has won.
    ///
    /// # Panics
    /// The position has another size.
    pub fn reduce(&mut self, position: &Hex) -> Reduced {
        with!(&mut self.0, graph => graph.reduce(position))
    }

    /// The moves that are not needed in the position that was reduced last.
    pub fn inferior(&mut self) -> Inferior {
        with!(&mut self.0, graph => graph.inferior())
    }
}
