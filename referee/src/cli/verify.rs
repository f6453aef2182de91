//! `referee verify`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use base::input;
use base::plain::games_in_words;
use engine_core::Outcome;
use gamelog::files::{Files, Form, Records, Take, at};
use gamelog::record::Text;
use league::results::verify::{Replayed, Verifier};
use records::TextReading;
use serde::Serialize;

use super::convert::SourceArgs;
use super::facts::{FileCounts, FormatArg, write_json};
use super::logged::each_line;
use super::words;

/// Replay games under the rules: legality and result; for logged games, also dice and clocks
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Prints one line for each faulty game of a log and for each game of other records, \
    then the totals. Format and game of a file are detected from its name and content. A note says what \
    was forgiven in a record. Of a folder, every file that may have games is read; the others are counted \
    by kind.\n\n\
    Exit status: 0 no faults, 1 some game is faulty, 2 bad input.\n\n\
    Example: referee verify matches/six-games\n\
    \x20 referee verify contest-records/ 'C6-first B vs second W-先手胜.txt'\n\
    \x20 referee verify --from moves --game hex games.txt"
)]
pub(super) struct Args {
    /// Files of games, or folders with such files in them or in their subfolders; - reads standard
    /// input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Format of the files
    #[arg(long, value_parser = words::form(), value_name = "FORMAT")]
    from: Option<Form>,
    #[command(flatten)]
    reading: SourceArgs,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let source = self.reading.source(self.from)?;
        let mut report = Report {
            out,
            is_json: self.format.is_json(),
            counts: Counts::default(),
        };
        let mut files = source.find(&self.paths)?;
        source.each(&mut files, &mut report)?;
        report.finish(&files)?;
        Ok(match report.counts.faulty {
            0 => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        })
    }
}

/// Totals of a run, and what was found, as they are written in JSON.
#[derive(Default, Serialize)]
struct Counts {
    valid: usize,
    faulty: usize,
    /// Valid records that are over by the rules.
    over: usize,
    /// Valid records that are not over.
    unfinished: usize,
    files: FileCounts,
    /// Faulty games of logs, and all games of other records.
    findings: Vec<Finding>,
}

/// What was found of a game.
#[derive(Serialize)]
struct Finding {
    at: String,
    valid: bool,
    message: String,
    /// What was forgiven, and what was understood without being said.
    notes: Vec<String>,
}

/// A running verification.
struct Report<'o> {
    out: &'o mut dyn Write,
    /// Whether to write one JSON object at the end instead of lines.
    is_json: bool,
    counts: Counts,
}

impl Report<'_> {
    fn fault(&mut self, at: String, message: String, notes: Vec<String>) -> Result<()> {
        self.counts.faulty += 1;
        self.found(at, false, message, notes)
    }

    fn found(
        &mut self,
        at: String,
        valid: bool,
        message: String,
        notes: Vec<String>,
    ) -> Result<()> {
        if self.is_json {
            self.counts.findings.push(Finding {
                at,
                valid,
                message,
                notes,
            });
        } else {
            writeln!(self.out, "{at}: {message}{}", in_words(&notes))?;
        }
        Ok(())
    }

    fn finish(&mut self, files: &Files) -> Result<()> {
        self.counts.files = FileCounts::of(files);
        let counts = &self.counts;
        if self.is_json {
            return Ok(write_json(self.out, counts)?);
        }
        let (valid, faulty) = (counts.valid, counts.faulty);
        let games = games_in_words(valid + faulty);
        write!(self.out, "{games}: {valid} valid, {faulty} faulty")?;
        let (over, unfinished) = (counts.over, counts.unfinished);
        if over + unfinished > 0 {
            write!(
                self.out,
                "; of the valid records, {over} are over by the rules, {unfinished} are not"
            )?;
        }
        writeln!(self.out)?;
        if let Some(files) = files.in_words() {
            writeln!(self.out, "{files}")?;
        }
        Ok(())
    }
}

impl Take for Report<'_> {
    type Error = anyhow::Error;

    fn log(&mut self, path: &Path) -> Result<bool> {
        let mut verifier = Verifier::default();
        let replay = |line: &[u8]| gamelog::parse::<Text>(line).map(Replayed::of);
        each_line(path, replay, |entry| {
            let at = format!("{}:{}", input::shown(path), entry.line);
            match verifier.check(entry) {
                Ok(()) => {
                    self.counts.valid += 1;
                    Ok(())
                }
                Err(fault) => self.fault(at, fault, vec![]),
            }
        })
    }

    fn game(&mut self, path: &Path, records: &Records, reading: TextReading) -> Result<()> {
        if let Some(fault) = &reading.fault {
            return self.fault(at(path, fault.place), fault.message(), reading.notes);
        }
        self.counts.valid += 1;
        match reading.ending {
            Some(_) => self.counts.over += 1,
            None => self.counts.unfinished += 1,
        }
        let at = format!("{}:{}", input::shown(path), reading.line);
        let summary = summary(records, &reading);
        self.found(at, true, summary, reading.notes)
    }

    fn refuse(&mut self, at: &str, message: &str) -> Result<()> {
        self.fault(at.to_owned(), message.to_owned(), vec![])
    }
}

/// Notes after a message: `; note: …`.
pub(super) fn in_words(notes: &[String]) -> String {
    notes.iter().map(|note| format!("; note: {note}")).collect()
}

/// A one-line summary of a legal record.
fn summary(records: &Records, reading: &TextReading) -> String {
    let record = &reading.record;
    let words = |outcome: Outcome| match outcome {
        Outcome::Win(side) => format!("{side:?} won"),
        Outcome::Draw => "a draw".to_owned(),
    };
    let end = match reading.ending {
        Some((outcome, ending)) => format!("{}: {ending}", words(outcome)),
        None if reading.is_broken_off => "not over, ends within a turn".to_owned(),
        None => "not over".to_owned(),
    };
    let recorded = match (reading.ending, record.header.result) {
        (_, None) => "no result recorded".to_owned(),
        (Some(_), Some(_)) => "as recorded".to_owned(),
        (None, Some(claimed)) => format!("recorded: {}", words(claimed)),
    };
    let what = if records.rules.has_dice() {
        "turns and rolls"
    } else {
        "turns"
    };
    let (game, count) = (records.rules.name(), record.words.len());
    format!("{game}, legal, {count} {what}; {end}; {recorded}")
}
