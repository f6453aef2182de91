//! Records of games: the contests' formats, saved games of the SAU platform, SGF, HexWorld, lists of
//! moves, tables.
//!
//! Every reader feeds a [`Replay`] with what it reads, piece by piece and with its place; so what is
//! illegal, comes after the end or contradicts the result is found and worded in one file, whatever
//! the format, and the legal part is kept, in whole turns. Readers are lenient about blanks, letter
//! case, full-width punctuation and missing fields; writers are strict, and what they write reads as
//! the same game.
//!
//! | file | what is in it |
//! |---|---|
//! | `conformance.rs` | what the tests of every game's records share |
//! | `fault.rs` | places and faults |
//! | `scan.rs` | text, character by character |
//! | `header.rs` | teams, result, time, place, event; names of files |
//! | `replay.rs` | playing what was read |
//! | `game.rs` | what a game says of its records |
//! | `format.rs` | the formats, and reading and writing in each |
//! | `text.rs` | records as plain text, for those who are not generic over games |
//! | `stones.rs` | contest records of games in which stones are placed |
//! | `sau.rs`, `sgf.rs`, `hexworld.rs`, `list.rs`, `table.rs` | formats that are no game's own |
//!
//! A game implements [`Recorded`] in its `record.rs`: its part of the contest's format, and the few
//! words that the other formats need.

pub mod conformance;
mod fault;
mod format;
mod game;
mod header;
mod hexworld;
mod list;
mod replay;
mod sau;
mod scan;
mod sgf;
pub mod stones;
mod table;
mod text;

pub use fault::{Fault, Place, Token};
pub use format::{Format, formats, head, read, write};
pub use game::{Recorded, Sgf, best, side_of};
pub use header::{Header, Heading, result_text};
pub use replay::Replay;
pub use scan::{Part, Scanner, folded, lines, parts, plain};
pub use text::{TextReading, TextRecord, read_text};

use thiserror::Error;

use crate::game::Game;

/// One thing that happens in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<M> {
    /// The die shows this face.
    Roll(u8),
    /// A player acts.
    Move(M),
}

impl<M: Copy> Event<M> {
    /// Plays it.
    pub fn play<G: Game<Move = M>>(&self, position: &mut G) {
        match *self {
            Event::Roll(face) => position.play_roll(face),
            Event::Move(mv) => {
                position.play(mv);
            }
        }
    }
}

/// A game that was played, whole or in part, every bit of it legal.
#[derive(Clone, PartialEq, Debug)]
pub struct Record<G: Game> {
    /// What is known of it beside the moves.
    pub header: Header,
    /// The rules it was played by.
    pub variant: G::Variant,
    /// The position in which it began.
    pub start: G,
    /// What happened, in order.
    pub events: Vec<Event<G::Move>>,
}

impl<G: Game> Record<G> {
    /// The position after the last event.
    pub fn end(&self) -> G {
        let mut position = self.start.clone();
        for event in &self.events {
            event.play(&mut position);
        }
        position
    }

    /// Refuses a game that does not begin as its variant does, which few formats can say.
    ///
    /// # Errors
    /// Such a game.
    pub fn check_start(&self) -> Result<(), Unwritable> {
        match G::start(&self.variant) {
            Ok(start) if start == self.start => Ok(()),
            _ => Err(Unwritable(
                "a game that begins at a position of its own".to_owned(),
            )),
        }
    }
}

/// What was read of one record.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading<G: Game> {
    /// The game, as far as it is legal; whole turns.
    pub record: Record<G>,
    /// The line in which the record begins, from 1.
    pub line: usize,
    /// What ended the reading, if the record is faulty.
    pub fault: Option<Fault>,
    /// The position that was reached.
    pub end: G,
    /// Whether it was reached within a turn, which is then no part of the record.
    pub is_broken_off: bool,
}

impl<G: Game> Reading<G> {
    /// The record, if it is faultless.
    ///
    /// # Errors
    /// Its fault.
    pub fn faultless(self) -> Result<Record<G>, Fault> {
        match self.fault {
            None => Ok(self.record),
            Some(fault) => Err(fault),
        }
    }
}

/// A game that a format has no words for: what it would have to say.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the format has no words for {0}")]
pub struct Unwritable(pub String);
