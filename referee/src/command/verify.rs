//! `referee verify`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use engine_core::Outcome;
use entry::record::{Fault, TextReading};

use super::convert::SourceArgs;
use crate::error::tell;
use crate::plain::games_in_words;
use crate::record::Text;
use crate::records::{Form, Opened, Records};
use crate::verify::{Replayed, Verifier};
use crate::{input, log};

/// Replay games under the rules: legality and result; for logged games, also dice and clocks
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Prints one line for each faulty game of a log and for each game of other records, \
    then the totals. Format and game of a file are detected from its name and content.\n\n\
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
    #[arg(long, value_name = "FORMAT")]
    from: Option<Form>,
    #[command(flatten)]
    reading: SourceArgs,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let source = self.reading.source(self.from)?;
        let mut count = Count::default();
        for path in source.find(&self.paths)? {
            match source.open(&path)? {
                Opened::Log(path) => verify_log(&path, &mut count, out)?,
                Opened::Records(records) => verify_records(&path, &records, &mut count, out)?,
                Opened::Faulty(fault) => {
                    count.faulty += 1;
                    write_fault(&path, &fault, out)?;
                }
            }
        }
        let Count {
            valid,
            faulty,
            over,
            unfinished,
        } = count;
        let games = valid + faulty;
        write!(
            out,
            "{}: {valid} valid, {faulty} faulty",
            games_in_words(games)
        )?;
        if over + unfinished > 0 {
            write!(
                out,
                "; of the valid records, {over} are over by the rules, {unfinished} are not"
            )?;
        }
        writeln!(out)?;
        Ok(if faulty == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

/// Totals of a run.
#[derive(Default)]
struct Count {
    valid: usize,
    faulty: usize,
    /// Valid records that are over by the rules.
    over: usize,
    /// Valid records that are not over.
    unfinished: usize,
}

fn verify_log(path: &Path, count: &mut Count, out: &mut dyn Write) -> Result<()> {
    let mut lines = log::stream(path, |line| log::parse::<Text>(line).map(Replayed::of))?;
    let mut verifier = Verifier::default();
    for entry in &mut lines {
        let entry = entry.map_err(|error| log::unreadable(path, &error))?;
        let line = entry.line;
        match verifier.check(entry) {
            Ok(()) => count.valid += 1,
            Err(fault) => {
                count.faulty += 1;
                writeln!(out, "{}:{line}: {fault}", input::shown(path))?;
            }
        }
    }
    if let Some(warning) = lines.warning(path) {
        tell(format_args!("warning: {warning}"));
    }
    Ok(())
}

fn verify_records(
    path: &Path,
    records: &Records,
    count: &mut Count,
    out: &mut dyn Write,
) -> Result<()> {
    let before = count.valid + count.faulty;
    records.each(|reading| {
        if let Some(fault) = &reading.fault {
            count.faulty += 1;
            return write_fault(path, fault, out);
        }
        count.valid += 1;
        match reading.ending {
            Some(_) => count.over += 1,
            None => count.unfinished += 1,
        }
        let at = format!("{}:{}", input::shown(path), reading.line);
        Ok(writeln!(out, "{at}: {}", summary(records, &reading))?)
    })?;
    if count.valid + count.faulty == before {
        tell(format_args!(
            "warning: {}: no games in it",
            input::shown(path)
        ));
    }
    Ok(())
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
    let what = match records.rules.has_dice() {
        true => "turns and rolls",
        false => "turns",
    };
    let (game, count) = (records.rules.name(), record.words.len());
    format!("{game}, legal, {count} {what}; {end}; {recorded}")
}

fn write_fault(path: &Path, fault: &Fault, out: &mut dyn Write) -> Result<()> {
    let (place, message) = (fault.place, fault.message());
    writeln!(
        out,
        "{}:{}:{}: {message}",
        input::shown(path),
        place.line,
        place.column
    )?;
    Ok(())
}
