//! Files of games: logs or records.

use std::path::{Path, PathBuf};

use base::error::BadInput;
use base::input;
use catalog::AnyGame;
use engine_core::Outcome;
use records::{self, Fault, Format, Header, Place, TextReading, result_text};
use serde_json::{Value, json};
use task::opening::gomocup;

use super::encoding::decode;
use super::folder::{self, Files};
use super::foreign;
use super::kind::{Form, Kind, game_of, is_log, kind_of, name_of};

/// The game of Gomocup's openings.
const GOMOKU: &str = "gomoku";

/// What is known about the input files.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Their format; `None` to detect it.
    pub form: Option<Form>,
    /// Id of the game; `None` to detect it.
    pub game: Option<String>,
    /// The variant of records that do not name one; `None` for the contest's.
    pub variant: Option<Value>,
    /// Whether Gomocup's openings are read as unfinished games.
    pub takes_openings: bool,
}

/// An opened file of games.
pub enum Opened {
    /// A log.
    Log(PathBuf),
    /// Records.
    Records(Records),
    /// A file that cannot be read, bytes that are not text, or text that is not a record of one game.
    Faulty(Fault),
}

/// A file of records.
pub struct Records {
    /// The game.
    pub rules: &'static dyn AnyGame,
    /// The format.
    pub format: Format,
    variant: Value,
    name: String,
    text: String,
}

impl Source {
    /// Checks what is known: the game, its variant, and that it has the format.
    ///
    /// # Errors
    /// There is no such game, or it does not have the variant or the format.
    pub fn check(&self) -> Result<(), BadInput> {
        let Some(id) = &self.game else {
            return Ok(());
        };
        let rules = find(id)?;
        if let Some(variant) = &self.variant {
            let complete = rules.complete_variant(variant);
            complete.map_err(|error| BadInput(format!("--variant: {error}")))?;
        }
        match self.form.and_then(Form::format) {
            Some(format) if !rules.record_formats().contains(&format) => {
                let expected = not_of(rules, format);
                Err(BadInput(format!(
                    "--from {}, expected {expected}",
                    format.name()
                )))
            }
            _ => Ok(()),
        }
    }

    /// Detects what the file at `path` is, and opens it.
    ///
    /// # Errors
    /// The game or its variant does not exist.
    pub fn open(&self, path: &Path) -> Result<Opened, BadInput> {
        if self.form == Some(Form::Log) || self.form.is_none() && is_log(path) {
            return Ok(Opened::Log(path.to_owned()));
        }
        let text = match read(path) {
            Ok(text) => within_json(&text).unwrap_or(text),
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
        if self.takes_openings && self.form.is_none() && gomocup::is_list(&text) {
            return self.open_openings(path, &text);
        }
        let format = match (self.form.and_then(Form::format), kind_of(path, &text)) {
            (Some(format), _) => format,
            (None, Kind::Foreign(what)) => return fault(what.to_owned()),
            (None, Kind::Marked(format) | Kind::Likely(format)) => format,
        };
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
            return fault(not_of(rules, format));
        }
        // The variant may be one of other games of a folder.
        let variant = match rules.complete_variant(&variant) {
            Ok(variant) => variant,
            Err(error) => {
                let id = rules.id();
                return fault(format!("a game that has the --variant, not {id}: {error}"));
            }
        };
        Ok(Opened::Records(Records {
            rules,
            format,
            variant,
            name: name_of(path),
            text,
        }))
    }

    /// Opens a list of Gomocup's openings, as lists of moves.
    fn open_openings(&self, path: &Path, text: &str) -> Result<Opened, BadInput> {
        let rules = find(self.game.as_deref().unwrap_or(GOMOKU))?;
        let free_style = || json!({ "opening": "free", "forbidden": "off" });
        let variant = self.variant.clone().unwrap_or_else(free_style);
        let variant = rules
            .complete_variant(&variant)
            .map_err(|error| BadInput(format!("--variant: {error}")))?;
        let mut lists = String::new();
        for (index, line) in text.lines().enumerate() {
            match gomocup::words(rules, &variant, line).transpose() {
                Ok(words) => lists += &words.unwrap_or_default(),
                Err(expected) => {
                    return Ok(Opened::Faulty(Fault {
                        place: Place::start_of(index + 1),
                        found: line.trim().chars().take(60).collect(),
                        expected,
                    }));
                }
            }
            lists.push('\n');
        }
        Ok(Opened::Records(Records {
            rules,
            format: Format::Moves,
            variant,
            name: name_of(path),
            text: lists,
        }))
    }

    /// The files in `paths`: files as given, standard input for `-`, and those of folders and their
    /// subfolders that may have games, sorted, with the numbers of the others.
    ///
    /// # Errors
    /// A path does not exist, or a folder has no games.
    pub fn find(&self, paths: &[PathBuf]) -> Result<Files, BadInput> {
        let mut files = Files::default();
        for path in paths {
            let bad = |message: String| BadInput(format!("{}: {message}", input::shown(path)));
            let failed = |error| bad(format!("{error}, expected games"));
            let file = input::file(path).map_err(failed)?;
            if file.metadata().map_err(failed)?.is_dir() {
                let before = files.paths.len();
                folder::add(&file, self.form, &mut files).map_err(failed)?;
                if files.paths.len() == before {
                    let left_out = files.left_out_in_words();
                    return Err(bad(format!("no games{left_out}, expected games")));
                }
            } else {
                files.paths.push(file);
            }
        }
        Ok(files)
    }

    /// Reads files and passes their games to `take`. A file without games is refused.
    ///
    /// # Errors
    /// The game or variant does not exist, or errors of `take`.
    pub fn each<T: Take>(&self, files: &mut Files, take: &mut T) -> Result<(), T::Error> {
        for path in files.paths.clone() {
            let has_games = match self.open(&path)? {
                Opened::Log(path) => take.log(&path)?,
                Opened::Records(records) => {
                    let mut games = 0_usize;
                    records.each(|reading| {
                        games += 1;
                        take.game(&path, &records, reading)
                    })?;
                    games > 0
                }
                Opened::Faulty(fault) => {
                    take.refuse(&at(&path, fault.place), &fault.message())?;
                    files.refused += 1;
                    continue;
                }
            };
            if has_games {
                files.read += 1;
            } else {
                take.refuse(&at(&path, Place::start_of(1)), "expected games, found none")?;
                files.refused += 1;
            }
        }
        Ok(())
    }
}

/// What takes the games of files.
pub trait Take {
    /// Errors that end reading.
    type Error: From<BadInput>;

    /// Takes a log. Returns whether it may be without games: it has some, or it is empty.
    ///
    /// # Errors
    /// The log cannot be read, or the games cannot be taken.
    fn log(&mut self, path: &Path) -> Result<bool, Self::Error>;

    /// Takes a game of records, which may be faulty.
    ///
    /// # Errors
    /// The game cannot be taken.
    fn game(
        &mut self,
        path: &Path,
        records: &Records,
        reading: TextReading,
    ) -> Result<(), Self::Error>;

    /// Takes the fault of a file that has no games; `at` is its place.
    ///
    /// # Errors
    /// The fault cannot be told.
    fn refuse(&mut self, at: &str, message: &str) -> Result<(), Self::Error>;
}

/// A place in a file, for messages.
pub fn at(path: &Path, place: Place) -> String {
    format!("{}:{}:{}", input::shown(path), place.line, place.column)
}

/// The games in SGF within strings of JSON, as downloads of Little Golem keep them; `None` if the text is
/// no JSON, or has none. Values may follow each other.
fn within_json(text: &str) -> Option<String> {
    if !text.trim_start().starts_with(['[', '{']) || !records::has_game(text) {
        return None;
    }
    let mut games = String::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        add_games(&value.ok()?, &mut games);
    }
    (!games.is_empty()).then_some(games)
}

fn add_games(value: &Value, games: &mut String) {
    match value {
        Value::String(text) if records::has_game(text) => {
            games.push_str(text);
            games.push('\n');
        }
        Value::Array(values) => values.iter().for_each(|value| add_games(value, games)),
        Value::Object(values) => values.values().for_each(|value| add_games(value, games)),
        _ => {}
    }
}

/// Reads a file as text.
fn read(path: &Path) -> Result<String, Fault> {
    let fault = |found: String, expected: &str| Fault {
        place: Place::start_of(1),
        found,
        expected: expected.to_owned(),
    };
    let bytes = input::bytes(path).map_err(|error| fault(error.to_string(), "a file"))?;
    if let Some(what) = foreign::bytes(path, &bytes) {
        return Err(fault("bytes".to_owned(), what));
    }
    decode(&bytes)
}

fn not_of(rules: &dyn AnyGame, format: Format) -> String {
    let known: Vec<_> = rules
        .record_formats()
        .into_iter()
        .map(Format::name)
        .collect();
    let known = known.join(", ");
    format!("a format of {}: {known}; not {}", rules.id(), format.name())
}

/// The game with this id.
fn find(id: &str) -> Result<&'static dyn AnyGame, BadInput> {
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
        let stated = reading.record.header.clone();
        reading.notes.extend(differences(&stated, &named));
        let is_new = stated.result.is_none();
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

/// What the name of a file says otherwise than the record in it.
fn differences(record: &Header, named: &Header) -> Vec<String> {
    let team = |side: usize| (record.teams[side].as_str(), named.teams[side].as_str());
    let teams = [team(0), team(1)].into_iter();
    let teams = teams.filter(|(one, other)| !one.is_empty() && !other.is_empty() && one != other);
    let mut notes: Vec<String> = teams
        .map(|(one, other)| format!("the record names {one:?}, its file name {other:?}"))
        .collect();
    if let (Some(one), Some(other)) = (record.result, named.result)
        && one != other
    {
        let [one, other] = [one, other].map(|result| result_text(Some(result)));
        notes.push(format!("the record says {one}, its file name {other}"));
    }
    notes
}
