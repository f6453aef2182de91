//! Conversion of games from files to a log or to other files.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use catalog::Rules;
use entry::record::{Format, TextReading, TextRecord};
use referee_core::base::error::{BadInput, tell};
use referee_core::base::input;
use referee_core::base::plain::games_in_words;
use referee_core::log::record::{GameRecord, Logged};
use referee_core::log::{self, Log};
use referee_core::records::logged::{game_of, record_of};
use referee_core::records::output::{Output, OutputError, Style};
use referee_core::records::{Encoding, Form, Opened, Records, Source};
use serde::Serialize;

use super::facts::{FormatArg, write_json};

/// The output of a conversion.
pub(super) enum Target {
    Log(Box<Archive>),
    Records(Output),
}

/// A log of imported games.
pub(super) struct Archive {
    log: Log,
    ids: HashSet<String>,
}

impl Target {
    /// Opens a log of imported games, or record files.
    ///
    /// # Errors
    /// The path cannot be written, or holds something else.
    pub(super) fn open(path: &Path, form: Form, encoding: Encoding) -> Result<Target, BadInput> {
        let Some(format) = form.format() else {
            return Archive::open(path).map(|archive| Target::Log(Box::new(archive)));
        };
        if (format, encoding) == (Format::Sgf, Encoding::Gbk) {
            return Err(BadInput(
                "--encoding gbk: expected utf-8 for sgf".to_owned(),
            ));
        }
        let output = Output::open(path, Style { format, encoding });
        let output = output
            .map_err(|error| BadInput(format!("{error}, expected a new file or a folder")))?;
        Ok(Target::Records(output))
    }
}

impl Archive {
    fn open(folder: &Path) -> Result<Archive, BadInput> {
        let mut ids = HashSet::new();
        let mut not_imported = 0;
        let keep = |game: Logged<'_>| (game.is_imported(), game.id);
        let opened = Log::open(folder, keep, |(is_imported, id)| {
            not_imported += usize::from(!is_imported);
            ids.insert(id);
        })?;
        for warning in opened.warnings {
            tell(format_args!("warning: {warning}"));
        }
        if not_imported > 0 {
            return Err(BadInput(format!(
                "{}: {not_imported} games that were not imported, expected only imported games",
                opened.log.path().display()
            )));
        }
        Ok(Archive {
            log: opened.log,
            ids,
        })
    }
}

/// A running conversion.
pub(super) struct Conversion<'o> {
    out: &'o mut dyn Write,
    keep_prefix: bool,
    target: Target,
    counts: Counts,
    /// Whether to write one JSON object at the end instead of lines.
    is_json: bool,
}

/// What a conversion did, as it is written in JSON.
#[derive(Default, Serialize)]
struct Counts {
    written: usize,
    /// Games that the log had already.
    known: usize,
    refused: usize,
    faults: Vec<Found>,
}

/// A fault in the input, which may have a legal part that was written.
#[derive(Serialize)]
struct Found {
    at: String,
    message: String,
}

impl<'o> Conversion<'o> {
    /// Messages go to `out`.
    pub(super) fn new(
        out: &'o mut dyn Write,
        format: &FormatArg,
        keep_prefix: bool,
        target: Target,
    ) -> Conversion<'o> {
        Conversion {
            out,
            keep_prefix,
            target,
            counts: Counts::default(),
            is_json: format.is_json(),
        }
    }

    /// Converts all games of these files.
    ///
    /// # Errors
    /// A file cannot be read or written. Faulty games are reported and skipped.
    pub(super) fn run(mut self, source: &Source, files: &[PathBuf]) -> Result<ExitCode> {
        for path in files {
            match source.open(path)? {
                Opened::Log(path) => self.take_log(&path)?,
                Opened::Records(records) => {
                    records.each(|reading| self.take_reading(path, &records, reading))?;
                }
                Opened::Faulty(fault) => {
                    let place = fault.place;
                    let at = format!("{}:{}:{}", input::shown(path), place.line, place.column);
                    self.refuse(&at, &fault.message())?;
                }
            }
        }
        self.summarize()?;
        Ok(ExitCode::from((self.counts.refused > 0) as u8))
    }

    fn summarize(&mut self) -> Result<()> {
        if self.is_json {
            return Ok(write_json(self.out, &self.counts)?);
        }
        let known = match self.counts.known {
            0 => String::new(),
            known => format!(", {known} already present"),
        };
        let refused = match self.counts.refused {
            0 => String::new(),
            refused => format!(", {refused} not written"),
        };
        let written = games_in_words(self.counts.written);
        writeln!(self.out, "{written} written{known}{refused}")?;
        Ok(())
    }

    fn refuse(&mut self, at: &str, message: &str) -> Result<()> {
        self.counts.refused += 1;
        self.report(at, message)
    }

    /// Reports a fault in the input.
    fn report(&mut self, at: &str, message: &str) -> Result<()> {
        if !self.is_json {
            writeln!(self.out, "{at}: {message}")?;
            return Ok(());
        }
        let [at, message] = [at, message].map(str::to_owned);
        self.counts.faults.push(Found { at, message });
        Ok(())
    }

    fn take_log(&mut self, path: &Path) -> Result<()> {
        let name = input::shown(path);
        let mut lines = log::stream(path, |line| log::parse::<String>(line))?;
        for entry in &mut lines {
            let entry = entry.map_err(|error| log::unreadable(path, &error))?;
            let at = format!("{name}:{}", entry.line);
            match entry.record {
                Err(message) => self.refuse(&at, &format!("not a game: {message}"))?,
                Ok(game) => match catalog::find(&game.game) {
                    None => {
                        self.refuse(&at, &format!("game {:?}, expected a known game", game.game))?
                    }
                    Some(rules) => self.take_game(&at, rules, game)?,
                },
            }
        }
        if let Some(warning) = lines.warning(path) {
            tell(format_args!("warning: {warning}"));
        }
        Ok(())
    }

    fn take_game(&mut self, at: &str, rules: &'static dyn Rules, game: GameRecord) -> Result<()> {
        match &self.target {
            Target::Log(_) => self.append(at, &game),
            Target::Records(_) => self.write(at, rules, &record_of(&game)),
        }
    }

    fn take_reading(&mut self, path: &Path, records: &Records, reading: TextReading) -> Result<()> {
        let mut at = format!("{}:{}", input::shown(path), reading.line);
        if let Some(fault) = &reading.fault {
            let place = fault.place;
            at = format!("{}:{}:{}", input::shown(path), place.line, place.column);
            if !self.keep_prefix {
                return self.refuse(&at, &fault.message());
            }
            let kept = reading.record.words.len();
            let message = format!("{}; {kept} turns and rolls kept", fault.message());
            self.report(&at, &message)?;
        }
        match &self.target {
            Target::Records(_) => self.write(&at, records.rules, &reading.record),
            Target::Log(_) => match game_of(records.rules, records.format, &reading) {
                Ok(game) => self.append(&at, &game),
                Err(message) => self.refuse(&at, &message),
            },
        }
    }

    fn write(&mut self, at: &str, rules: &'static dyn Rules, record: &TextRecord) -> Result<()> {
        let Target::Records(output) = &mut self.target else {
            return Ok(());
        };
        match output.write(rules, record) {
            Ok(()) => self.counts.written += 1,
            Err(OutputError::Unwritable(message)) => self.refuse(at, &message)?,
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn append(&mut self, at: &str, game: &GameRecord) -> Result<()> {
        let Target::Log(archive) = &mut self.target else {
            return Ok(());
        };
        if !game.is_imported() {
            return self.refuse(at, "a game that was not imported, expected a game record");
        }
        if archive.ids.insert(game.id.clone()) {
            let path = archive.log.path().display().to_string();
            archive.log.append(game).context(path)?;
            self.counts.written += 1;
        } else {
            self.counts.known += 1;
        }
        Ok(())
    }
}
