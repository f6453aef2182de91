//! The formats, and reading and writing in each of them.

use serde::{Deserialize, Serialize};

use super::{Reading, Record, Recorded, Unwritable, hexworld, lines, list, sau, sgf, table};
use crate::game::VariantError;

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
