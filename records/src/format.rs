//! The record formats, and reading and writing in each.

use game::VariantError;
use game::turn::turn_is_over;
use game::{Game, Played};
use serde::{Deserialize, Serialize};

use super::{
    Event, Extras, Reading, Record, Recorded, Unwritable, hexworld, lines, list, numbered, psq,
    sau, sgf, table,
};

/// An existing record format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// The format of China's contest (棋谱); it differs by game.
    Contest,
    /// A game saved by the SAU platform: `Black: JJ@@`, one line a turn.
    Sau,
    /// Smart Game Format, version 4.
    Sgf,
    /// Links to hexworld.org, one per line.
    Hexworld,
    /// Games saved by Gomocup's manager.
    Psq,
    /// Move lists, one game per line: `j10,k11,i11`.
    Moves,
    /// Numbered turns over several lines: `1. a2 f6`.
    Numbered,
    /// A table, one game per line: `21,"j10,k9,j12",black`.
    Table,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 8] = [
        Format::Contest,
        Format::Sau,
        Format::Sgf,
        Format::Hexworld,
        Format::Psq,
        Format::Moves,
        Format::Numbered,
        Format::Table,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Contest => "contest",
            Format::Sau => "sau",
            Format::Sgf => "sgf",
            Format::Hexworld => "hexworld",
            Format::Psq => "psq",
            Format::Moves => "moves",
            Format::Numbered => "numbered",
            Format::Table => "table",
        }
    }

    /// The file extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::Psq => "psq",
            Format::Table => "csv",
            _ => "txt",
        }
    }
}

/// The formats that a game supports.
pub fn formats<G: Recorded>() -> Vec<Format> {
    let has = |format: &Format| match format {
        Format::Sgf => G::SGF.is_some(),
        Format::Hexworld => G::HEXWORLD,
        Format::Psq => G::PSQ.is_some(),
        Format::Contest | Format::Sau | Format::Moves | Format::Table => true,
        Format::Numbered => !G::HAS_CHANCE,
    };
    Format::ALL.into_iter().filter(has).collect()
}

/// Reads all records in a text and passes each to `take`. `variant` applies to records that do not
/// name one.
///
/// # Errors
/// A variant that the game does not support; nothing is then read.
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
        Format::Sgf => sgf::read(text, variant, true, take),
        Format::Hexworld => lines(text).for_each(|part| take(hexworld::read(part, variant))),
        Format::Psq => psq::read(text, variant, take),
        Format::Moves => lines(text)
            .filter(|part| !part.text.trim_start().starts_with('#'))
            .for_each(|part| take(list::read(part, variant))),
        Format::Numbered => numbered::read(text, variant, take),
        Format::Table => table::read(text, variant, take),
    }
    Ok(())
}

/// Reads the first record in a text, in SGF by the rules of `variant` unless it states others; `None` if it
/// has none, or the game does not support the variant.
pub fn read_first<G: Recorded>(
    format: Format,
    variant: &G::Variant,
    text: &str,
) -> Option<Reading<G>> {
    let mut first = None;
    let take = |reading| first = first.take().or(Some(reading));
    match format {
        Format::Sgf => {
            G::start(variant).ok()?;
            sgf::read(text, variant, false, take);
        }
        _ => read(format, variant, text, take).ok()?,
    }
    first
}

/// The first game of an SGF file, by the rules of `variant` unless it states others; `None` if it has none,
/// or the game does not support the variant.
///
/// # Errors
/// What is wrong with it.
pub fn read_sgf<G: Recorded>(
    text: &str,
    variant: &G::Variant,
) -> Option<Result<Played<G>, String>> {
    let reading = read_first(Format::Sgf, variant, text)?;
    let record = reading.faultless().map_err(|fault| fault.to_string());
    Some(record.map(|record: Record<G>| Played {
        variant: record.variant,
        positions: positions(record.start, &record.events),
    }))
}

/// The start of a game and the position after each of its turns.
fn positions<G: Game>(start: G, events: &[Event<G::Move>]) -> Vec<G> {
    let mut positions = vec![start.clone()];
    let (mut position, mut side) = (start.clone(), start.side());
    for event in events {
        event.play(&mut position);
        if turn_is_over(&position, side) {
            positions.push(position.clone());
            side = position.side();
        }
    }
    positions
}

/// Writes one record. A file of several records is [`head`] followed by the records.
///
/// # Errors
/// Content that the format cannot express.
pub fn write<G: Recorded>(format: Format, record: &Record<G>) -> Result<String, Unwritable> {
    match format {
        Format::Contest => G::write_contest(record),
        Format::Sau => sau::write(record),
        Format::Sgf => sgf::write(record, &Extras::default()),
        Format::Hexworld => hexworld::write(record),
        Format::Psq => psq::write(record),
        Format::Moves => list::write(record),
        Format::Numbered => numbered::write(record),
        Format::Table => table::write(record),
    }
}

/// The text before the records of a file.
pub fn head(format: Format) -> &'static str {
    match format {
        Format::Table => table::HEAD,
        _ => "",
    }
}
