//! `referee book`.

mod build;
mod expand;
mod merge;
mod show;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use base::error::BadInput;
use base::signals;
use clap::Subcommand;
use entry::Book;
use lab::book;
use serde_json::{Value, json};

/// Make, grow, show and merge opening books
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A book is a file for one game and variant: positions up to symmetry, with the moves played there, their
results, and scores of searches. Built-in engines play from it with --book FILE or the option book.

Example: referee book build matches/night --game hex --out hex.book
  referee book expand hex.book --positions 500
  referee book show hex.book --actions 'c2'
  referee engine hex --book hex.book")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::Args),
    Expand(expand::Args),
    Show(show::Args),
    Merge(merge::Args),
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        signals::survive_full_files().context("cannot listen to SIGXFSZ")?;
        match self.command {
            Command::Build(args) => args.run(out),
            Command::Expand(args) => args.run(out),
            Command::Show(args) => args.run(out),
            Command::Merge(args) => args.run(out),
        }
    }
}

/// Refuses to overwrite a file.
pub(super) fn check_new(path: &Path) -> Result<(), BadInput> {
    if path.exists() {
        let path = path.display();
        return Err(BadInput(format!(
            "--out {path}: it exists, expected a new file"
        )));
    }
    Ok(())
}

/// Writes a book, or says which file failed.
fn save(path: &Path, book: &Book) -> Result<()> {
    book::save(path, book).with_context(|| path.display().to_string())
}

/// What a book holds, on one line.
fn in_words(book: &Book) -> String {
    let count = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    };
    format!(
        "{}, {}, {} expanded",
        count(book.games.len(), "game"),
        count(book.positions.len(), "position"),
        book.expanded()
    )
}

/// The same for programs.
fn facts(book: &Book) -> Value {
    json!({
        "game": book.game,
        "variant": book.variant,
        "games": book.games.len(),
        "positions": book.positions.len(),
        "expanded": book.expanded(),
        "min_games": book.min_games,
        "made": book.made,
    })
}
