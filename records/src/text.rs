//! Records as plain text, for code that is not generic over games.

use engine_core::Outcome;
use game::VariantError;
use game::turn::{play_roll, turn_is_over};
use serde_json::Value;

use super::{Event, Extras, Fault, Format, Header, Reading, Record, Recorded, Unwritable};

/// A record as plain text.
#[derive(Clone, PartialEq, Debug)]
pub struct TextRecord {
    /// The data of the game other than its moves.
    pub header: Header,
    /// The complete variant.
    pub variant: Value,
    /// The first position, if it is not the start of the variant.
    pub position: Option<String>,
    /// The turns and rolls in order, in UGI notation.
    pub words: Vec<String>,
    /// What a log knows beside them.
    pub extras: Extras,
}

/// The result of reading one record, as plain text.
#[derive(Clone, PartialEq, Debug)]
pub struct TextReading {
    /// The legal part of the game, in whole turns.
    pub record: TextRecord,
    /// The line in which the record begins, from 1.
    pub line: usize,
    /// Its fault, if any.
    pub fault: Option<Fault>,
    /// The result by the rules and its reason in the game's terms; `None` if the game is not over.
    pub ending: Option<(Outcome, &'static str)>,
    /// Whether the record ends within a turn; that turn is not part of the record.
    pub is_broken_off: bool,
    /// What was forgiven, and what was understood without being said.
    pub notes: Vec<String>,
}

impl<G: Recorded> From<&Reading<G>> for TextReading {
    fn from(reading: &Reading<G>) -> TextReading {
        let outcome = reading.end.outcome();
        TextReading {
            record: TextRecord::from(&reading.record),
            line: reading.line,
            fault: reading.fault.clone(),
            ending: outcome.map(|outcome| (outcome, reading.end.ending())),
            is_broken_off: reading.is_broken_off,
            notes: reading.notes.clone(),
        }
    }
}

impl<G: Recorded> From<&Record<G>> for TextRecord {
    fn from(record: &Record<G>) -> TextRecord {
        let begins_first = G::start(&record.variant).is_ok_and(|start| start == record.start);
        TextRecord {
            header: record.header.clone(),
            variant: serde_json::to_value(&record.variant).unwrap_or_default(),
            position: (!begins_first).then(|| record.start.write_position()),
            words: words(record),
            extras: Extras::default(),
        }
    }
}

fn words<G: Recorded>(record: &Record<G>) -> Vec<String> {
    let mut words = Vec::new();
    let mut position = record.start.clone();
    let mut before = position.clone();
    let mut turn = Vec::new();
    for event in &record.events {
        match *event {
            Event::Roll(face) => words.push(format!("d{face}")),
            Event::Move(mv) => {
                if turn.is_empty() {
                    before.clone_from(&position);
                }
                turn.push(mv);
            }
        }
        event.play(&mut position);
        if !turn.is_empty() && turn_is_over(&position, before.side()) {
            words.push(before.write_turn(&turn));
            turn.clear();
        }
    }
    words
}

impl TextRecord {
    /// Replays the record.
    ///
    /// # Errors
    /// A variant, position or word that is invalid in the game; a message.
    pub fn played<G: Recorded>(&self) -> Result<Record<G>, String> {
        let variant: G::Variant = serde_json::from_value(self.variant.clone())
            .map_err(|error| format!("variant: {error}"))?;
        let first = G::start(&variant).map_err(|error| format!("variant: {error}"))?;
        let start = match &self.position {
            None => first,
            Some(text) => first
                .parse_position(text)
                .map_err(|error| format!("position: {error}"))?,
        };
        let mut position = start.clone();
        let mut events = Vec::new();
        for word in &self.words {
            let failed = |error| format!("{word:?}: {error}");
            if position.outcome().is_none() && position.is_chance() {
                events.push(Event::Roll(play_roll(&mut position, word).map_err(failed)?));
                continue;
            }
            for mv in position.parse_turn(word).map_err(failed)? {
                position.play(mv);
                events.push(Event::Move(mv));
            }
        }
        Ok(Record {
            header: self.header.clone(),
            variant,
            start,
            events,
        })
    }

    /// Writes the record in a format.
    ///
    /// # Errors
    /// Content that the format cannot express, or a record invalid in the game.
    pub fn write<G: Recorded>(&self, format: Format) -> Result<String, Unwritable> {
        if !super::formats::<G>().contains(&format) {
            return Err(Unwritable(format!("{} ({})", G::NAME, format.name())));
        }
        let record = self.played::<G>().map_err(Unwritable)?;
        match format {
            Format::Sgf => super::sgf::write(&record, &self.extras),
            _ => super::write::<G>(format, &record),
        }
    }

    /// The file name in the form of the contest.
    ///
    /// # Errors
    /// A record invalid in the game.
    pub fn file_name<G: Recorded>(&self) -> Result<String, String> {
        let record = self.played::<G>()?;
        Ok(record.header.name(G::CODE, record.start.letters()))
    }
}

/// Reads all records in a text and passes each to `take` as plain text.
///
/// # Errors
/// A variant that the game does not support; nothing is then read.
pub fn read_text<G: Recorded>(
    format: Format,
    variant: &Value,
    text: &str,
    take: &mut dyn FnMut(TextReading),
) -> Result<(), VariantError> {
    let variant =
        serde_json::from_value(variant.clone()).map_err(|error| VariantError(error.to_string()))?;
    super::read::<G>(format, &variant, text, |reading| {
        take(TextReading::from(&reading))
    })
}
