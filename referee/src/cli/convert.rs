//! `referee convert`, `referee import`, `referee export`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use base::error::BadInput;
use gamelog::files::output::STDOUT;
use gamelog::files::{Encoding, Form, Source};

use super::conversion::{Conversion, Keep, Target};
use super::facts::FormatArg;
use super::position::VariantArg;
use super::words;

/// Convert games to another format
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Format and game of a file are detected from its name and content. If OUT is a folder, ends with a
slash, or is new and has no extension, each game gets its own file with a contest file name;
otherwise all games go into one new file; - writes them to standard output, and messages to standard
error. No file is overwritten. Faulty games are not written, unless --keep-prefix asks for their legal
part.

Exit status: 0 all games were written, 1 some were faulty or do not fit the format, 2 bad input.

Example: referee convert --to sgf hex-game.txt hex-game.sgf
  referee convert --to contest --encoding gbk matches/night records/
  referee convert --to log games.csv matches/imported")]
pub(super) struct ConvertArgs {
    /// Format of OUT
    #[arg(long, value_parser = words::form(), value_name = "FORMAT")]
    to: Form,
    /// Format of the input files
    #[arg(long, value_parser = words::form(), value_name = "FORMAT")]
    from: Option<Form>,
    #[command(flatten)]
    reading: SourceArgs,
    /// Write the legal part of a faulty game
    #[arg(long)]
    keep_prefix: bool,
    /// With --to log, also games that are not over and have no result
    #[arg(long)]
    unfinished: bool,
    /// Text encoding of OUT
    #[arg(long, value_parser = words::encoding(), default_value = Encoding::default().name())]
    encoding: Encoding,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    paths: Paths,
}

/// Add games from records to a log
#[derive(Debug, clap::Args)]
#[command(after_help = "\
OUT is a folder; games are appended to its games.jsonl, which is created if needed. It may hold
only imported games, each of them once: importing a record again adds nothing. The league name is
the event in the record, or `imported`. Faulty games are not imported, unless --keep-prefix asks for
their legal part; a game must be over by the rules or have a result, unless --unfinished is given.

Exit status: 0 all games are in the log, 1 some were faulty, 2 bad input.

Example: referee import contest-records/ matches/contest
  referee import --game connect6 games.csv matches/imported
  referee import --unfinished little-golem/ matches/golem")]
pub(super) struct ImportArgs {
    /// Format of the input files
    #[arg(long, value_parser = words::form(), value_name = "FORMAT")]
    from: Option<Form>,
    #[command(flatten)]
    reading: SourceArgs,
    /// Import the legal part of a faulty game
    #[arg(long)]
    keep_prefix: bool,
    /// Also import games that are not over and have no result: for replay, analysis and books; tables
    /// and ratings do not count them
    #[arg(long)]
    unfinished: bool,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    paths: Paths,
}

/// Write the games of logs as records
#[derive(Debug, clap::Args)]
#[command(after_help = "\
If OUT is a folder, ends with a slash, or is new and has no extension, each game gets its own file
with a contest file name; otherwise all games go into one new file, which then holds games of one
kind; - writes them to standard output, and messages to standard error. No file is overwritten.

Exit status: 0 all games were written, 1 some do not fit the format, 2 bad input.

Example: referee export matches/night records/
  referee export --to sgf --comments matches/night/games.jsonl night.sgf
  referee export --to sau matches/night - | head")]
pub(super) struct ExportArgs {
    /// Format of OUT
    #[arg(long, value_parser = words::form(), value_name = "FORMAT", default_value = "contest")]
    to: Form,
    /// In SGF, a comment on each turn: its time, and the engine's depth, score and line
    #[arg(long)]
    comments: bool,
    /// Text encoding of OUT
    #[arg(long, value_parser = words::encoding(), default_value = Encoding::default().name())]
    encoding: Encoding,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    paths: Paths,
}

/// Inputs and output: one list, so that options may stand anywhere in it.
#[derive(Debug, clap::Args)]
struct Paths {
    /// Game files, folders with game files, or - for standard input; the last path is the output
    #[arg(required = true, value_name = "IN… OUT")]
    paths: Vec<PathBuf>,
}

impl Paths {
    /// The input paths and the output path.
    fn parts(&self) -> Result<(&[PathBuf], &Path), BadInput> {
        match self.paths.split_last() {
            Some((out, inputs)) if !inputs.is_empty() => Ok((inputs, out)),
            _ => {
                let only = self.paths.first().map(|path| path.display().to_string());
                let only = only.unwrap_or_default();
                let message = format!("{only} alone, expected input and output paths");
                Err(BadInput(message))
            }
        }
    }
}

/// How input records are read.
#[derive(Debug, clap::Args)]
pub(super) struct SourceArgs {
    /// The game, for records that do not name it, as listed by `referee games`
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    variant: VariantArg,
}

impl SourceArgs {
    /// Whether no variant was given.
    pub(super) fn is_without_variant(&self) -> bool {
        !self.variant.is_given()
    }

    /// What the options say about the files.
    pub(super) fn source(&self, form: Option<Form>) -> Result<Source, BadInput> {
        let variant = if self.variant.is_given() {
            Some(self.variant.value()?)
        } else {
            None
        };
        let source = Source {
            form,
            game: self.game.clone(),
            variant,
            takes_openings: false,
        };
        source.check()?;
        Ok(source)
    }
}

/// The writer of messages: `out`, or standard error if the games use standard output.
fn messages<'o>(path: &Path, out: &'o mut dyn Write) -> Box<dyn Write + 'o> {
    if path == Path::new(STDOUT) {
        Box::new(io::stderr())
    } else {
        Box::new(out)
    }
}

impl ConvertArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let source = self.reading.source(self.from)?;
        let (inputs, path) = self.paths.parts()?;
        // Before OUT is created, which may be inside one of the inputs.
        let files = source.find(inputs)?;
        let target = Target::open(path, self.to, self.encoding)?;
        let keep = Keep {
            prefix: self.keep_prefix,
            unfinished: self.unfinished,
            ..Keep::default()
        };
        let out = &mut *messages(path, out);
        Conversion::new(out, &self.format, keep, target).run(&source, files)
    }
}

impl ImportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let source = self.reading.source(self.from)?;
        let (inputs, path) = self.paths.parts()?;
        let files = source.find(inputs)?;
        let target = Target::open(path, Form::Log, Encoding::Utf8)?;
        let keep = Keep {
            prefix: self.keep_prefix,
            unfinished: self.unfinished,
            ..Keep::default()
        };
        let out = &mut *messages(path, out);
        Conversion::new(out, &self.format, keep, target).run(&source, files)
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
        let keep = Keep {
            comments: self.comments,
            ..Keep::default()
        };
        let out = &mut *messages(path, out);
        Conversion::new(out, &self.format, keep, target).run(&source, files)
    }
}
