//! Files of games: logs or records.

use std::path::{Path, PathBuf};

use catalog::Rules;
use engine_core::Outcome;
use entry::record::{Fault, Format, Place, TextReading};
use serde_json::Value;

use super::encoding::decode;
use super::kind::{Form, format_of, game_of, is_log, name_of};
use crate::base::error::BadInput;
use crate::base::input;
use crate::log;

/// The extensions of records.
const RECORDS: [&str; 3] = ["txt", "sgf", "csv"];

/// What is known about the input files.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Their format; `None` to detect it.
    pub form: Option<Form>,
    /// Id of the game; `None` to detect it.
    pub game: Option<String>,
    /// The variant of records that do not name one; `None` for the contest's.
    pub variant: Option<Value>,
}

/// An opened file of games.
pub enum Opened {
    /// A log.
    Log(PathBuf),
    /// Records.
    Records(Records),
    /// Bytes that are not text, or text that is not a record of one game.
    Faulty(Fault),
}

/// A file of records.
pub struct Records {
    /// The game.
    pub rules: &'static dyn Rules,
    /// The format.
    pub format: Format,
    variant: Value,
    name: String,
    text: String,
}

impl Source {
    /// Detects what the file at `path` is, and opens it.
    ///
    /// # Errors
    /// The file cannot be read, or the game or variant does not exist.
    pub fn open(&self, path: &Path) -> Result<Opened, BadInput> {
        let bad = |message: String| BadInput(format!("{}: {message}", input::shown(path)));
        if self.form == Some(Form::Log) || self.form.is_none() && is_log(path) {
            return Ok(Opened::Log(path.to_owned()));
        }
        let bytes =
            input::bytes(path).map_err(|error| bad(format!("{error}, expected records")))?;
        let text = match decode(&bytes) {
            Ok(text) => text,
            Err(fault) => return Ok(Opened::Faulty(fault)),
        };
        let fault = |expected: String| {
            let mut words = text.split_whitespace();
            Ok(Opened::Faulty(Fault {
                place: Place::start_of(1),
                found: words.next().unwrap_or_default().chars().take(60).collect(),
                expected,
            }))
        };
        if text.trim().is_empty() {
            return fault("games".to_owned());
        }
        let format = self.form.and_then(Form::format);
        let format = format.unwrap_or_else(|| format_of(path, &text));
        let variant = self
            .variant
            .clone()
            .unwrap_or_else(|| Value::Object(Default::default()));
        let rules = match &self.game {
            Some(id) => find(id)?,
            None => match game_of(path, format, &variant, &text) {
                Ok(rules) => rules,
                Err(expected) => return fault(expected),
            },
        };
        if !rules.record_formats().contains(&format) {
            let (name, known) = (format.name(), rules.record_formats());
            let known: Vec<_> = known.into_iter().map(Format::name).collect();
            let game = rules.id();
            return Err(bad(format!(
                "{game} in the format {name}, expected one of {}",
                known.join(", ")
            )));
        }
        let variant = rules
            .complete_variant(&variant)
            .map_err(|error| BadInput(format!("--variant: {error}")))?;
        Ok(Opened::Records(Records {
            rules,
            format,
            variant,
            name: name_of(path),
            text,
        }))
    }

    /// The files in `paths`: files as given, standard input for `-`; for a folder its logs, or, if
    /// it has none, its records, sorted, also those in subfolders.
    ///
    /// # Errors
    /// A path does not exist, or a folder has neither.
    pub fn find(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, BadInput> {
        let mut files = Vec::new();
        for path in paths {
            let bad = |message: String| BadInput(format!("{}: {message}", input::shown(path)));
            let failed = |error| bad(format!("{error}, expected games"));
            let file = input::file(path).map_err(failed)?;
            if !file.metadata().map_err(failed)?.is_dir() {
                files.push(file);
                continue;
            }
            let wants_logs = self.form.is_none_or(|form| form == Form::Log);
            match log::find(std::slice::from_ref(path)) {
                Ok(logs) if wants_logs => {
                    files.extend(logs);
                    continue;
                }
                Err(error) if self.form == Some(Form::Log) => return Err(error),
                _ => {}
            }
            let records = input::within(path, &RECORDS).map_err(failed)?;
            if records.is_empty() {
                let known = "*.jsonl, *.txt, *.sgf or *.csv";
                return Err(bad(format!("no {known}, expected games")));
            }
            files.extend(records);
        }
        Ok(files)
    }
}

/// The game with this id.
fn find(id: &str) -> Result<&'static dyn Rules, BadInput> {
    let known = || catalog::ids().join(", ");
    catalog::find(id).ok_or_else(|| BadInput(format!("game {id:?}, expected one of {}", known())))
}

impl Records {
    /// Calls `take` with each game. If the file has only one game, the data in the file name is
    /// added.
    ///
    /// # Errors
    /// Errors of `take`.
    pub fn each<E>(&self, mut take: impl FnMut(TextReading) -> Result<(), E>) -> Result<(), E> {
        let mut pending: Option<TextReading> = None;
        let mut count = 0;
        let mut result = Ok(());
        let mut next = |reading: TextReading| {
            count += 1;
            if let Some(before) = pending.replace(reading)
                && result.is_ok()
            {
                result = take(before);
            }
        };
        let read = self
            .rules
            .read_records(self.format, &self.variant, &self.text, &mut next);
        debug_assert!(read.is_ok(), "the variant was checked");
        result?;
        match pending {
            Some(only) if count == 1 => take(self.with_name(only)),
            Some(last) => take(last),
            None => Ok(()),
        }
    }

    /// Adds the data in the file name to a reading.
    fn with_name(&self, mut reading: TextReading) -> TextReading {
        let Some(named) = self.rules.named(&self.name) else {
            return reading;
        };
        let is_new = reading.record.header.result.is_none();
        reading.record.header.fill(named);
        let claimed = reading.record.header.result.filter(|_| is_new);
        if let (None, Some((outcome, ending)), Some(claimed)) =
            (&reading.fault, reading.ending, claimed)
            && claimed != outcome
        {
            let won = match outcome {
                Outcome::Win(side) => format!("a win of {side:?}"),
                Outcome::Draw => "a draw".to_owned(),
            };
            reading.fault = Some(Fault {
                place: Place::start_of(1),
                found: self.name.clone(),
                expected: format!("{won} in the file name, because the game ended: {ending}"),
            });
        }
        reading
    }
}
