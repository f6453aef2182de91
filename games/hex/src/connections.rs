//! Virtual connections: what a side can connect whatever the other does.
//!
//! Anshelevich, *A hierarchical approach to computer Hex* (2002): an end is an empty cell, or a group
//! of stones of one colour, to which an edge belongs that it touches. Two ends are *fully* connected
//! if their colour joins them although the other side moves first, and *semi*-connected if it joins
//! them by moving first. A carrier is a set of empty cells within which this succeeds; the ends are
//! not in it.
//!
//! All connections follow from neighbours by two rules:
//! - AND: two full connections that share an end, with carriers apart, make a full connection if the
//!   shared end is a group; if it is an empty cell, a semi-connection, whose key is that cell.
//! - OR: semi-connections of the same ends whose carriers have no cell in common to all make a full
//!   connection: no single stone of the other side spoils all of them.
//!
//! The rules find no connection that does not exist, but not every one that does.

mod carrier;
mod inference;
mod queue;
#[cfg(test)]
pub(crate) mod tests;

use crate::board::{Colour, Hex};
use crate::geometry::{Cell, CellSet};
pub(crate) use carrier::Carrier;
use inference::Inference;

/// A win of a side that is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Win {
    /// The cell to play.
    pub key: Cell,
    /// The cells within which the side wins, with the key.
    pub carrier: CellSet,
}

/// What a side must do that is to move while the other one has wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MustPlay {
    /// The cells that are in the carriers of all wins of the other side: all others lose. Empty if
    /// the other side wins although it is not to move.
    pub cells: CellSet,
    /// The cells within which the other side wins after a stone anywhere else.
    pub carrier: CellSet,
}

/// The virtual connections of one colour, in as many words as the board needs. Its memory is used
/// again.
#[derive(Clone, Debug)]
pub struct Connections(Sized);

#[derive(Clone, Debug)]
enum Sized {
    /// Up to 8×8.
    One(Box<Inference<1>>),
    /// Up to 11×11.
    Two(Box<Inference<2>>),
    /// Up to 13×13.
    Three(Box<Inference<3>>),
    /// Up to 19×19.
    Six(Box<Inference<6>>),
}

/// Evaluates an expression with the inference.
macro_rules! with {
    ($connections:expr, $inference:ident => $value:expr) => {
        match $connections {
            Sized::One($inference) => $value,
            Sized::Two($inference) => $value,
            Sized::Three($inference) => $value,
            Sized::Six($inference) => $value,
        }
    };
}

impl Connections {
    /// No connections, on boards of `size`, 2 to 19.
    pub fn new(size: u8) -> Connections {
        Connections(match size {
            0..=8 => Sized::One(Box::new(Inference::new(size))),
            9..=11 => Sized::Two(Box::new(Inference::new(size))),
            12..=13 => Sized::Three(Box::new(Inference::new(size))),
            _ => Sized::Six(Box::new(Inference::new(size))),
        })
    }

    /// Finds the connections of a colour in a position that nobody has won, in place of those before.
    ///
    /// # Panics
    /// The position has another size.
    pub fn find(&mut self, position: &Hex, colour: Colour) {
        with!(&mut self.0, inference => inference.find(position, colour));
    }

    /// A win of the colour if it is to move: the one with the smallest carrier. `None` if the rules
    /// find none.
    pub fn win(&self) -> Option<Win> {
        with!(&self.0, inference => inference.win())
    }

    /// What the other side must do if it is to move; `None` if the rules find no win of the colour.
    pub fn must_play(&self) -> Option<MustPlay> {
        with!(&self.0, inference => inference.must_play())
    }
}
