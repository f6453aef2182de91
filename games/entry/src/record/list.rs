//! Move lists, one game per line: `j10,k11,i11`.
//!
//! A list holds actions and rolls (`d6`) in order, separated by commas, semicolons or blanks; turns
//! of several actions (`k11i11`) are accepted too. It contains nothing else.

use super::header::Heading;
use super::replay::Replay;
use super::scan::{Part, Scanner, plain};
use super::{Event, Fault, Reading, Record, Recorded, Unwritable, best};

/// Reads one list.
pub(super) fn read<G: Recorded>(part: Part<'_>, variant: &G::Variant) -> Reading<G> {
    best(variant, |mut replay| {
        let mut scanner = Scanner::new(part.text, part.line);
        let fault = read_words(&mut scanner, &mut replay);
        replay.finish(Heading::default(), fault, part.line)
    })
}

/// Reads words and plays them.
pub(super) fn read_words<G: Recorded>(
    scanner: &mut Scanner<'_>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let is_separator = |c: char| c.is_whitespace() || c == ',' || c == ';';
    loop {
        scanner.take_while(is_separator);
        let token = scanner.take_while(|c| !is_separator(c));
        if token.text.is_empty() {
            return Ok(());
        }
        let word: String = token.text.chars().map(plain).collect();
        replay.word(&token, &word)?;
    }
}

/// The words of a record, joined by commas.
///
/// # Errors
/// A game that does not begin at the start of its variant.
pub(super) fn write_words<G: Recorded>(record: &Record<G>) -> Result<String, Unwritable> {
    record.check_start()?;
    let mut position = record.start.clone();
    let mut words = Vec::with_capacity(record.events.len());
    for event in &record.events {
        words.push(match *event {
            Event::Roll(face) => format!("d{face}"),
            Event::Move(mv) => position.spelled(mv),
        });
        event.play(&mut position);
    }
    Ok(words.join(","))
}

/// Writes one list.
pub(super) fn write<G: Recorded>(record: &Record<G>) -> Result<String, Unwritable> {
    Ok(write_words(record)? + "\n")
}
