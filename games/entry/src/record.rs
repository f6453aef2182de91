//! Records of games: the contests' formats, saved games of the SAU platform, SGF, HexWorld, lists of
//! moves, tables.
//!
//! Every reader feeds a [`Replay`] with what it reads, piece by piece and with its place; so what is
//! illegal, comes after the end or contradicts the result is found and worded in one file, whatever
//! the format, and the legal part is kept. Readers are lenient about blanks, letter case, full-width
//! punctuation and missing fields; writers are strict, and what they write reads as the same game.
//!
//! | file | what is in it |
//! |---|---|
//! | `fault.rs` | places and faults |
//! | `scan.rs` | text, character by character |
//! | `header.rs` | teams, result, time, place, event; names of files |
//! | `replay.rs` | playing what was read |
//! | `text.rs` | records as plain text, for those who are not generic over games |
//! | `stones.rs` | contest records of games in which stones are placed |
//! | `sau.rs`, `sgf.rs`, `hexworld.rs`, `list.rs`, `table.rs` | formats that are no game's own |
//!
//! A game implements [`Recorded`] in its `record.rs`: its part of the contest's format, and the few
//! words that the other formats need.

mod fault;
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
pub use header::{Header, Heading, result_text};
pub use replay::Replay;
pub use scan::{Part, Scanner, folded, lines, parts, plain};
pub use text::{TextReading, TextRecord, read_text};

use engine_core::{Outcome, Side};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game::{Game, VariantError};

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

/// A format of records that this program did not invent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// What China's contest asks for (棋谱): each game has its own.
    Contest,
    /// A game saved by the SAU platform: `Black: JJ@@`, one line a turn.
    Sau,
    /// Smart Game Format, version 4.
    Sgf,
    /// A link to hexworld.org, one a line.
    Hexworld,
    /// Lists of moves, one game a line: `j10,k11,i11`.
    Moves,
    /// A table, one game a line: `21,"j10,k9,j12",black`.
    Table,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] = [
        Format::Contest,
        Format::Sau,
        Format::Sgf,
        Format::Hexworld,
        Format::Moves,
        Format::Table,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Contest => "contest",
            Format::Sau => "sau",
            Format::Sgf => "sgf",
            Format::Hexworld => "hexworld",
            Format::Moves => "moves",
            Format::Table => "table",
        }
    }

    /// How the names of its files end.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::Table => "csv",
            _ => "txt",
        }
    }
}

/// A game whose records can be read and written: its part of every format.
pub trait Recorded: Game {
    /// The game's code in contests: `C6`.
    const CODE: &'static str;
    /// The letters of its colours in contest records, in the order of [`Game::COLOURS`].
    const LETTERS: [char; 2];
    /// Its number in SGF, `GM[…]`, and how a turn is written there, if it has one.
    const SGF: Option<Sgf> = None;
    /// Whether it is played on hexworld.org.
    const HEXWORLD: bool = false;

    /// Which of [`Game::COLOURS`] a side has in this position, 0 or 1.
    fn colour_index(&self, side: Side) -> usize {
        side.index()
    }

    /// The text of a legal action from which alone, without the variant, it is known what it does.
    fn spelled(&self, mv: Self::Move) -> String {
        self.write_move(mv)
    }

    /// Other variants in which a record may have been played that does not name its variant. They are
    /// tried in order where the record is faulty in `variant`.
    fn alternatives(variant: &Self::Variant) -> Vec<Self::Variant> {
        let _ = variant;
        Vec::new()
    }

    /// The size of the square board, if the variant has one.
    fn size(variant: &Self::Variant) -> Option<u8> {
        let _ = variant;
        None
    }

    /// The variant on a board of another size, if the game has any. It need not be one that can be
    /// played.
    fn resized(variant: &Self::Variant, size: u8) -> Option<Self::Variant> {
        let _ = (variant, size);
        None
    }

    /// Whether a text looks like the game's contest records.
    fn is_contest(text: &str) -> bool {
        let head: String = folded(&text.chars().take(200).collect::<String>());
        let code = Self::CODE.to_ascii_lowercase();
        [format!("[{code}]"), format!("{{{code}}}")]
            .iter()
            .any(|code| head.contains(code.as_str()))
    }

    /// Parts a text into contest records, of which each begins with a line of its own.
    fn contest_parts(text: &str) -> Vec<Part<'_>> {
        parts(text, |line| {
            line.trim_start()
                .chars()
                .next()
                .map(plain)
                .is_some_and(|c| "{#".contains(c))
        })
    }

    /// Reads one contest record. `variant` is that of a record that does not say.
    fn read_contest(part: Part<'_>, variant: &Self::Variant) -> Reading<Self>;

    /// Writes one contest record, with a line end.
    ///
    /// # Errors
    /// What the format has no words for.
    fn write_contest(record: &Record<Self>) -> Result<String, Unwritable>;

    /// The name of the colour that a side has in this position: `black`.
    fn colour_name(&self, side: Side) -> &'static str {
        Self::COLOURS[self.colour_index(side)]
    }

    /// The letters of the colours of `First` and `Second` in this position.
    fn letters(&self) -> [char; 2] {
        Side::BOTH.map(|side| Self::LETTERS[self.colour_index(side)])
    }
}

/// A game in SGF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sgf {
    /// Its number, `GM[…]`.
    pub number: u32,
    /// Whether a turn is written as by the SAU platform, in lower case, rather than as in UGI.
    pub is_sau: bool,
}

/// The side that has a colour in this position.
pub fn sides_of<G: Recorded>(position: &G, colour: usize) -> Option<Side> {
    Side::BOTH
        .into_iter()
        .find(|&side| position.colour_index(side) == colour)
}

/// The formats that a game's records can have.
pub fn formats<G: Recorded>() -> Vec<Format> {
    let has = |format: &Format| match format {
        Format::Sgf => G::SGF.is_some(),
        Format::Hexworld => G::HEXWORLD,
        Format::Contest | Format::Sau | Format::Moves | Format::Table => true,
    };
    Format::ALL.into_iter().filter(has).collect()
}

/// Reads all records of a text and has `take` see each. `variant` is that of records that do not say.
///
/// # Errors
/// A variant that the game does not have; nothing is then read.
pub fn read<G: Recorded>(
    format: Format,
    variant: &G::Variant,
    text: &str,
    mut take: impl FnMut(Reading<G>),
) -> Result<(), VariantError> {
    G::start(variant)?;
    match format {
        Format::Contest => {
            for part in G::contest_parts(text) {
                take(G::read_contest(part, variant));
            }
        }
        Format::Sau => sau::read(text, variant, take),
        Format::Sgf => sgf::read(text, variant, take),
        Format::Hexworld => lines(text).for_each(|part| take(hexworld::read(part, variant))),
        Format::Moves => lines(text).for_each(|part| take(list::read(part, variant))),
        Format::Table => table::read(text, variant, take),
    }
    Ok(())
}

/// Writes one record. A file of several is one after the other, with what [`head`] has before them.
///
/// # Errors
/// What the format has no words for.
pub fn write<G: Recorded>(format: Format, record: &Record<G>) -> Result<String, Unwritable> {
    match format {
        Format::Contest => G::write_contest(record),
        Format::Sau => sau::write(record),
        Format::Sgf => sgf::write(record),
        Format::Hexworld => hexworld::write(record),
        Format::Moves => list::write(record),
        Format::Table => table::write(record),
    }
}

/// What stands in a file before its records.
pub fn head(format: Format) -> &'static str {
    match format {
        Format::Table => table::HEAD,
        _ => "",
    }
}

/// The reading of the variant, or of the first of its alternatives, in which a record is faultless; if
/// there is none, the one that gets farthest.
pub fn best<G: Recorded>(
    variant: &G::Variant,
    read: impl Fn(Replay<G>) -> Reading<G>,
) -> Reading<G> {
    let read = |variant: G::Variant| Replay::new(variant).ok().map(&read);
    let mut best = read(variant.clone()).expect("the variant was checked");
    if best.fault.is_some() {
        for other in G::alternatives(variant).into_iter().filter_map(read) {
            if other.fault.is_none() {
                return other;
            }
            if other.record.events.len() > best.record.events.len() {
                best = other;
            }
        }
    }
    best
}

/// The colour's name, or `draw`, of a result at the end of a game.
fn result_word<G: Recorded>(end: &G, result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(side)) => end.colour_name(side),
        Some(Outcome::Draw) => "draw",
        None => "",
    }
}
