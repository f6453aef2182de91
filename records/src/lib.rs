//! Game records: the contest formats, saved games of the SAU platform, SGF, HexWorld, Gomocup,
//! move lists and tables.
//!
//! Every reader passes each token with its place to a [`Replay`]. So one file finds and reports
//! illegal moves, moves after the end, and contradictory results for all formats; the legal part is
//! kept, in whole turns. Readers are lenient about blanks, letter case, full-width punctuation and
//! missing fields. Writers are strict, and their output reads back as the same game.
//!
//! | file | contents |
//! |---|---|
//! | `conformance.rs` | shared by the record tests of all games |
//! | `fault.rs` | places and faults |
//! | `scan.rs` | character-level reading |
//! | `header.rs` | teams, result, time, place, event; file names |
//! | `replay.rs` | replays what a reader finds |
//! | `recorded.rs` | the game's part of the formats |
//! | `format.rs` | the formats; reading and writing in each |
//! | `text.rs` | records as plain text, for code that is not generic over games |
//! | `stones.rs` | contest records of games in which stones are placed |
//! | `sau.rs`, `sgf.rs`, `hexworld.rs`, `psq.rs`, `list.rs`, `numbered.rs`, `table.rs` | formats shared by several games |
//!
//! A game implements [`Recorded`] in its `record.rs`: its part of the contest format, and the few
//! details that the other formats need.

pub mod conformance;
mod fault;
mod format;
mod header;
mod hexworld;
mod list;
mod numbered;
mod psq;
mod recorded;
mod replay;
mod sau;
mod scan;
mod sgf;
pub mod stones;
mod table;
mod text;

pub use fault::{Fault, Place, Token};
pub use format::{Format, formats, head, read, read_first, read_sgf, write};
pub use header::{Header, Heading, result_text};
pub use numbered::is_numbered;
pub use psq::is_gomotur;
pub use recorded::{OnBoard, Recorded, Sgf, best, side_of};
pub use replay::Replay;
pub use scan::{Part, Scanner, cells, folded, lines, parts, plain};
pub use sgf::has_game;
pub use table::is_head;
pub use text::{TextReading, TextRecord, read_text};

use game::Game;
use thiserror::Error;

/// An event of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<M> {
    /// A roll of the die, with its face.
    Roll(u8),
    /// An action of a player.
    Move(M),
}

impl<M: Copy> Event<M> {
    /// Plays the event.
    pub fn play<G: Game<Move = M>>(&self, position: &mut G) {
        match *self {
            Event::Roll(face) => position.play_roll(face),
            Event::Move(mv) => {
                position.play(mv);
            }
        }
    }
}

/// A whole or partial game; all its events are legal.
#[derive(Clone, PartialEq, Debug)]
pub struct Record<G: Game> {
    /// The data of the game other than its moves.
    pub header: Header,
    /// The rules of the game.
    pub variant: G::Variant,
    /// The first position.
    pub start: G,
    /// The events, in order.
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

    /// Refuses a game that does not begin at the start of its variant; few formats can express one.
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

/// What a log knows of a game beside its turns. Formats that have words for it write it; nothing reads
/// it back.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Extras {
    /// One for each of the last turns and rolls: those of an opening have none.
    pub remarks: Vec<Remark>,
    /// How the winner won, if not by the rules, in the words of SGF: `Time`, `Resign`, `Forfeit`.
    pub won_by: &'static str,
    /// The time of each side for the whole game, seconds.
    pub main_seconds: Option<f64>,
}

/// What a log knows of a turn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Remark {
    /// The time left on the clock of the side that played it, seconds.
    pub seconds_left: Option<f64>,
    /// Words: the time of the turn, the engine's score and line.
    pub comment: String,
    /// What the turn is called by a review.
    pub mark: Option<TurnMark>,
    /// The chance of `First` to win after the turn, 0 to 1.
    pub chance: Option<f64>,
    /// Better turns from the position before it, in UGI notation, as a variation.
    pub better: Vec<String>,
}

/// What a turn is called, in the words of SGF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnMark {
    /// The only good turn, or a very good one: `TE`.
    Good,
    /// A doubtful one: `DO`.
    Doubtful,
    /// A bad one: `BM[1]`.
    Bad,
    /// A very bad one: `BM[2]`.
    VeryBad,
}

/// The result of reading one record.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading<G: Game> {
    /// The legal part of the game, in whole turns.
    pub record: Record<G>,
    /// The line in which the record begins, from 1.
    pub line: usize,
    /// The fault that ended reading, if any.
    pub fault: Option<Fault>,
    /// The last position reached.
    pub end: G,
    /// Whether `end` is within a turn; that turn is not part of the record.
    pub is_broken_off: bool,
    /// What was forgiven, and what was understood without being said.
    pub notes: Vec<String>,
    /// Whether the record states no rules, and others than the contest's fit.
    pub is_relaxed: bool,
}

impl<G: Game> Reading<G> {
    /// Number of legal actions and rolls, in whole turns.
    fn len(&self) -> usize {
        self.record.events.len()
    }

    /// Notes that the record is legal in other variants, too.
    fn note_variant(&mut self) {
        let variant = serde_json::to_string(&self.record.variant).unwrap_or_default();
        (self.notes).push(format!(
            "legal in several variants, read as --variant '{variant}'"
        ));
    }

    /// Notes that the record was read by other rules than those of `variant`.
    fn relax(&mut self, variant: &G::Variant) {
        self.is_relaxed = true;
        let words = |variant: &G::Variant| serde_json::to_string(variant).unwrap_or_default();
        self.notes.push(format!(
            "no rules are stated and {} does not fit, so judged by --variant '{}'",
            words(variant),
            words(&self.record.variant)
        ));
    }

    /// The record, if it has no fault.
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

/// Content of a game that the format cannot express.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the format cannot express {0}")]
pub struct Unwritable(pub String);
