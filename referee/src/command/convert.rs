//! `referee convert`, `referee import`, `referee export`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use super::conversion::{Conversion, Target};
use super::position::VariantArg;
use crate::error::BadInput;
use crate::records::{Encoding, Form, Source};

/// Write games in another format
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Which format and game a file is of is found out from its name and content. If OUT is a folder, or
ends with a slash, each game gets a file of its own, named as contests want it; else all go into
one new file. Nothing is overwritten, and nothing of a faulty game is written.

Exit status: 0 all games were written, 1 some were faulty or cannot be written so, 2 bad input.

Example: referee convert --to sgf hex-game.txt hex-game.sgf
  referee convert --to contest --encoding gbk matches/night records/
  referee convert --to log games.csv matches/imported")]
pub(super) struct ConvertArgs {
    /// The format of OUT
    #[arg(long, value_name = "FORMAT")]
    to: Form,
    /// The format of the files that are read
    #[arg(long, value_name = "FORMAT")]
    from: Option<Form>,
    #[command(flatten)]
    reading: SourceArgs,
    /// Take the legal part of a faulty game
    #[arg(long)]
    keep_prefix: bool,
    /// How OUT is written
    #[arg(long, value_enum, default_value_t)]
    encoding: Encoding,
    #[command(flatten)]
    paths: Paths,
}

/// Add games from records to a log
#[derive(Debug, clap::Args)]
#[command(after_help = "\
OUT is a folder; its games.jsonl is appended to, or begun. It may hold imported games alone, and
each of them once: to import a record again adds nothing. Its league is the event that the record
names, or `imported`. Nothing of a faulty game is imported, unless --keep-prefix asks for its legal
part; a game must be over by the rules or have a result.

Exit status: 0 all games are there, 1 some were faulty, 2 bad input.

Example: referee import contest-records/ matches/contest
  referee import --game connect6 games.csv matches/imported")]
pub(super) struct ImportArgs {
    /// The format of the files that are read
    #[arg(long, value_name = "FORMAT")]
    from: Option<Form>,
    #[command(flatten)]
    reading: SourceArgs,
    /// Take the legal part of a faulty game
    #[arg(long)]
    keep_prefix: bool,
    #[command(flatten)]
    paths: Paths,
}

/// Write the games of logs as records
#[derive(Debug, clap::Args)]
#[command(after_help = "\
If OUT is a folder, or ends with a slash, each game gets a file of its own, named as contests want
it; else all go into one new file, which then holds games of one kind. Nothing is overwritten.

Exit status: 0 all games were written, 1 some cannot be written so, 2 bad input.

Example: referee export matches/night records/
  referee export --to sgf matches/night/games.jsonl night.sgf")]
pub(super) struct ExportArgs {
    /// The format of OUT
    #[arg(long, value_name = "FORMAT", default_value = "contest")]
    to: Form,
    /// How OUT is written
    #[arg(long, value_enum, default_value_t)]
    encoding: Encoding,
    #[command(flatten)]
    paths: Paths,
}

/// What is read and what is written: one list, so that options may stand anywhere in it.
#[derive(Debug, clap::Args)]
struct Paths {
    /// Files of games, or folders with such files in them, and last where the games go
    #[arg(required = true, value_name = "IN… OUT")]
    paths: Vec<PathBuf>,
}

impl Paths {
    /// What is read, and where the games go.
    fn parts(&self) -> Result<(&[PathBuf], &Path), BadInput> {
        match self.paths.split_last() {
            Some((out, inputs)) if !inputs.is_empty() => Ok((inputs, out)),
            _ => {
                let only = self.paths.first().map(|path| path.display().to_string());
                let only = only.unwrap_or_default();
                let message = format!("{only} alone, expected what to read and where to write");
                Err(BadInput(message))
            }
        }
    }
}

/// How records are read.
#[derive(Debug, clap::Args)]
pub(super) struct SourceArgs {
    /// The game of records that do not say: one of those that `referee games` lists
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    variant: VariantArg,
}

impl SourceArgs {
    /// What is known of the files.
    pub(super) fn source(&self, form: Option<Form>) -> Result<Source, BadInput> {
        let variant = match self.variant.is_given() {
            true => Some(self.variant.value()?),
            false => None,
        };
        Ok(Source {
            form,
            game: self.game.clone(),
            variant,
        })
    }
}

impl ConvertArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let source = self.reading.source(self.from)?;
        let (inputs, path) = self.paths.parts()?;
        // Before OUT is made, which may lie within one of them.
        let files = source.find(inputs)?;
        let target = Target::open(path, self.to, self.encoding)?;
        Conversion::new(out, self.keep_prefix, target).run(&source, &files)
    }
}

impl ImportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let source = self.reading.source(self.from)?;
        let (inputs, path) = self.paths.parts()?;
        let files = source.find(inputs)?;
        let target = Target::open(path, Form::Log, Encoding::Utf8)?;
        Conversion::new(out, self.keep_prefix, target).run(&source, &files)
    }
}

impl ExportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let source = Source {
            form: Some(Form::Log),
            ..Source::default()
        };
        let (inputs, path) = self.paths.parts()?;
        let files = source.find(inputs)?;
        let target = Target::open(path, self.to, self.encoding)?;
        Conversion::new(out, false, target).run(&source, &files)
    }
}
