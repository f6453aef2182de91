//! `referee book merge`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use base::error::BadInput;
use base::input;
use lab::book::{leave_out_rare, load, merge};

use super::super::facts::{FormatArg, write_json};
use super::{check_new, facts, in_words, save};

/// Merge books of one game and variant
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The order of the books does not matter. No game counts twice: a book that has all games of another adds
only the rest. Books that share some of their games only are refused, because their counts cannot be
told apart. Of two searches of a position the longer one stays.

Example: referee book merge monday.book tuesday.book --out week.book")]
pub(super) struct Args {
    /// The books
    #[arg(required = true, value_name = "BOOK")]
    paths: Vec<PathBuf>,
    /// The merged book; no file is overwritten
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Leave out moves of fewer games; such a book cannot be merged again
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        check_new(&self.out)?;
        let mut merged: Option<entry::Book> = None;
        for path in &self.paths {
            let book = load(path)?;
            let wrong = |message| BadInput(format!("{}: {message}", input::shown(path)));
            merged = Some(match &merged {
                None => book,
                Some(before) => merge(before, &book).map_err(wrong)?,
            });
        }
        let nothing = || BadInput("no books, expected one or more".to_owned());
        let mut merged = merged.ok_or_else(nothing)?;
        leave_out_rare(&mut merged, self.min_games);
        save(&self.out, &merged)?;
        if self.format.is_json() {
            write_json(out, &facts(&merged))?;
        } else {
            writeln!(out, "{}: {}", self.out.display(), in_words(&merged))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
