//! Conversion of games from files to a log or to other files.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use base::error::{BadInput, tell};
use base::input;
use base::plain::games_in_words;
use catalog::AnyGame;
use gamelog::files::logged::{extras_of, game_of, record_of};
use gamelog::files::output::{Output, OutputError, STDOUT, Style};
use gamelog::files::{self, Encoding, Files, Form, Records, Source, Take};
use gamelog::record::{GameRecord, GameResult, Logged};
use gamelog::{self, Log};
use records::{Format, TextReading, TextRecord};
use serde::Serialize;
use serde_json::Value;

use super::facts::{FileCounts, FormatArg, write_json};
use super::logged::each_line;

/// The output of a conversion.
pub(super) enum Target {
    Log(Box<Archive>),
    Records(Output),
}

/// A log of imported games. One that was made for them and gets none is removed, and so is its folder.
pub(super) struct Archive {
    log: Log,
    ids: HashSet<String>,
    /// Whether the log was made, and whether its folder was.
    made: [bool; 2],
}

impl Drop for Archive {
    fn drop(&mut self) {
        let [log, folder] = self.made;
        let path = self.log.path();
        if !log || fs::metadata(path).is_ok_and(|file| file.len() > 0) {
            return;
        }
        // What cannot be removed is an empty file.
        let is_removed = fs::remove_file(path).is_ok();
        if let Some(parent) = path.parent().filter(|_| is_removed && folder) {
            let _ = fs::remove_dir(parent);
        }
    }
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
        if folder == Path::new(STDOUT) {
            return Err(BadInput(format!("{STDOUT}: expected a folder for the log")));
        }
        let made = [folder.join(gamelog::FILE_NAME), folder.to_owned()].map(|path| !path.exists());
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
            made,
        })
    }
}

/// What is kept beside whole games.
#[derive(Clone, Copy, Default)]
pub(super) struct Keep {
    /// The legal part of a faulty game.
    pub(super) prefix: bool,
    /// In a log, a game without a result.
    pub(super) unfinished: bool,
    /// Of logged games, comments on the turns.
    pub(super) comments: bool,
}

/// A running conversion.
pub(super) struct Conversion<'o> {
    out: &'o mut dyn Write,
    keep: Keep,
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
    /// Written games that are others when they are read without `--variant`, by their variants.
    unstated: BTreeMap<String, usize>,
    files: FileCounts,
    faults: Vec<Found>,
}

/// A fault in the input, which may have a legal part that was written.
#[derive(Serialize)]
struct Found {
    at: String,
    message: String,
}

/// Whether a record is the same game when it is read without a variant.
fn is_read_back(format: Format, rules: &dyn AnyGame, record: &TextRecord) -> bool {
    // SGF states the board and the rules.
    if format == Format::Sgf {
        return true;
    }
    let Ok(text) = rules.write_record(format, record) else {
        return true;
    };
    let text = [records::head(format), &text].concat();
    let size = |variant: &Value| variant["size"].clone();
    let mut is_same = text.trim().is_empty();
    let mut take = |reading: TextReading| {
        is_same = reading.fault.is_none()
            && reading.record.words == record.words
            && reading.record.position == record.position
            && size(&reading.record.variant) == size(&record.variant);
    };
    let none = Value::Object(Default::default());
    rules.read_records(format, &none, &text, &mut take).is_ok() && is_same
}

impl<'o> Conversion<'o> {
    /// Messages go to `out`.
    pub(super) fn new(
        out: &'o mut dyn Write,
        format: &FormatArg,
        keep: Keep,
        target: Target,
    ) -> Conversion<'o> {
        Conversion {
            out,
            keep,
            target,
            counts: Counts::default(),
            is_json: format.is_json(),
        }
    }

    /// Converts all games of these files.
    ///
    /// # Errors
    /// A log cannot be read, or a file cannot be written. Faulty games are reported and skipped.
    pub(super) fn run(mut self, source: &Source, mut files: Files) -> Result<ExitCode> {
        source.each(&mut files, &mut self)?;
        self.summarize(&files)?;
        Ok(ExitCode::from((self.counts.refused > 0) as u8))
    }

    fn summarize(&mut self, files: &Files) -> Result<()> {
        self.counts.files = FileCounts::of(files);
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
        for (variant, count) in &self.counts.unstated {
            let games = games_in_words(*count);
            writeln!(
                self.out,
                "{games} of {variant}: the format does not say so, read with --variant"
            )?;
        }
        if let Some(files) = files.in_words() {
            writeln!(self.out, "{files}")?;
        }
        Ok(())
    }

    fn refuse_game(&mut self, at: &str, message: &str) -> Result<()> {
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

    fn take_game(&mut self, at: &str, rules: &'static dyn AnyGame, game: GameRecord) -> Result<()> {
        match &self.target {
            Target::Log(_) => self.append(at, &game),
            Target::Records(_) => {
                let mut record = record_of(&game);
                record.extras = extras_of(&game, self.keep.comments);
                self.write(at, rules, &record)
            }
        }
    }

    fn write(&mut self, at: &str, rules: &'static dyn AnyGame, record: &TextRecord) -> Result<()> {
        let Target::Records(output) = &mut self.target else {
            return Ok(());
        };
        match output.write(rules, record) {
            Ok(()) => {
                self.counts.written += 1;
                if !is_read_back(output.format(), rules, record) {
                    let variant = format!("{} {}", rules.id(), record.variant);
                    *self.counts.unstated.entry(variant).or_default() += 1;
                }
            }
            Err(OutputError::Unwritable(message)) => self.refuse_game(at, &message)?,
            // Who reads standard output has enough.
            Err(OutputError::File { error, .. }) if error.kind() == ErrorKind::BrokenPipe => {
                return Err(error.into());
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn append(&mut self, at: &str, game: &GameRecord) -> Result<()> {
        let Target::Log(archive) = &mut self.target else {
            return Ok(());
        };
        if !game.is_imported() {
            return self.refuse_game(at, "a game that was not imported, expected a game record");
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

impl Take for Conversion<'_> {
    type Error = anyhow::Error;

    fn log(&mut self, path: &Path) -> Result<bool> {
        let name = input::shown(path);
        each_line(
            path,
            |line| gamelog::parse::<String>(line),
            |entry| {
                let at = format!("{name}:{}", entry.line);
                match entry.record {
                    Err(message) => self.refuse_game(&at, &format!("not a game: {message}")),
                    Ok(game) => match catalog::find(&game.game) {
                        None => {
                            let message = format!("game {:?}, expected a known game", game.game);
                            self.refuse_game(&at, &message)
                        }
                        Some(rules) => self.take_game(&at, rules, game),
                    },
                }
            },
        )
    }

    fn game(&mut self, path: &Path, records: &Records, reading: TextReading) -> Result<()> {
        let mut at = format!("{}:{}", input::shown(path), reading.line);
        if let Some(fault) = &reading.fault {
            at = files::at(path, fault.place);
            if !self.keep.prefix {
                let notes = super::verify::in_words(&reading.notes);
                return self.refuse_game(&at, &(fault.message() + &notes));
            }
            let kept = reading.record.words.len();
            let message = format!("{}; {kept} turns and rolls kept", fault.message());
            self.report(&at, &message)?;
        }
        match &self.target {
            Target::Records(_) => self.write(&at, records.rules, &reading.record),
            Target::Log(_) => match game_of(records.rules, records.format, &reading) {
                Ok(game) if game.result == GameResult::Unfinished && !self.keep.unfinished => {
                    let message = "not over by the rules and without a result, expected a result, or \
                                   --unfinished";
                    self.refuse_game(&at, message)
                }
                Ok(game) => self.append(&at, &game),
                Err(message) => self.refuse_game(&at, &message),
            },
        }
    }

    fn refuse(&mut self, at: &str, message: &str) -> Result<()> {
        self.refuse_game(at, message)
    }
}
