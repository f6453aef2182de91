//! Records as plain text, for those who are not generic over games.

use engine_core::Outcome;
use serde_json::Value;

use super::{Event, Fault, Format, Header, Reading, Record, Recorded, Unwritable};
use crate::game::VariantError;
use crate::turn::{play_roll, turn_is_over};

/// A game that was played, in words.
#[derive(Clone, PartialEq, Debug)]
pub struct TextRecord {
    /// What is known of it beside the moves.
    pub header: Header,
    /// The complete variant.
    pub variant: Value,
    /// The position in which it began, if it is not the first one of the variant.
    pub position: Option<String>,
    /// Its turns and rolls in order, as UGI writes them.
    pub words: Vec<String>,
}

/// What was read of one record, in words.
#[derive(Clone, PartialEq, Debug)]
pub struct TextReading {
    /// The game, as far as it is legal; whole turns.
    pub record: TextRecord,
    /// The line in which the record begins, from 1.
    pub line: usize,
    /// What is wrong with it, if anything is.
    pub fault: Option<Fault>,
    /// How it ended by the rules, and the game's words for that; `None` if it did not.
    pub ending: Option<(Outcome, &'static str)>,
    /// Whether it was broken off within a turn, which is then no part of the record.
    pub is_broken_off: bool,
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
    /// The game that the words say.
    ///
    /// # Errors
    /// A variant, a position or a word that the game does not have, in words.
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

    /// Writes it in a format.
    ///
    /// # Errors
    /// What the format has no words for, or words that the game does not have.
    pub fn write<G: Recorded>(&self, format: Format) -> Result<String, Unwritable> {
        super::write::<G>(format, &self.played::<G>().map_err(Unwritable)?)
    }

    /// The name of a file for it, as the contest wants it.
    ///
    /// # Errors
    /// Words that the game does not have.
    pub fn file_name<G: Recorded>(&self) -> Result<String, String> {
        let record = self.played::<G>()?;
        Ok(record.header.name(G::CODE, record.start.letters()))
    }
}

/// Reads all records of a text and has `take` see each, in words.
///
/// # Errors
/// A variant that the game does not have; nothing is then read.
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
