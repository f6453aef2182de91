//! `referee convert`, `referee import`, `referee export`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use catalog::Rules;
use entry::record::{Format, TextReading, TextRecord};

use super::position::VariantArg;
use crate::error::{BadInput, tell};
use crate::log::{self, Log};
use crate::record::GameRecord;
use crate::records::logged::{game_of, record_of};
use crate::records::output::{Output, OutputError, Style};
use crate::records::{Encoding, Form, Opened, Records, Source};

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

/// What is read and what is written.
#[derive(Debug, clap::Args)]
struct Paths {
    /// Files of games, or folders with such files in them
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// Where the games go
    #[arg(value_name = "OUT")]
    out: PathBuf,
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
        // Before OUT is made, which may lie within one of them.
        let files = source.find(&self.paths.inputs)?;
        let target = Target::open(&self.paths.out, self.to, self.encoding)?;
        Conversion::new(out, self.keep_prefix, target).run(&source, &files)
    }
}

impl ImportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let source = self.reading.source(self.from)?;
        let files = source.find(&self.paths.inputs)?;
        let target = Target::open(&self.paths.out, Form::Log, Encoding::Utf8)?;
        Conversion::new(out, self.keep_prefix, target).run(&source, &files)
    }
}

impl ExportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let source = Source {
            form: Some(Form::Log),
            ..Source::default()
        };
        let files = source.find(&self.paths.inputs)?;
        let target = Target::open(&self.paths.out, self.to, self.encoding)?;
        Conversion::new(out, false, target).run(&source, &files)
    }
}

/// Where games go.
enum Target {
    Log(Box<Archive>),
    Records(Output),
}

/// A log of imported games.
struct Archive {
    log: Log,
    ids: std::collections::HashSet<String>,
}

impl Target {
    fn open(path: &Path, form: Form, encoding: Encoding) -> Result<Target, BadInput> {
        let Some(format) = form.format() else {
            return Archive::open(path).map(|archive| Target::Log(Box::new(archive)));
        };
        if (format, encoding) == (Format::Sgf, Encoding::Gbk) {
            return Err(BadInput(
                "--encoding gbk: expected utf-8 for sgf, which names it".to_owned(),
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
        let mut ids = std::collections::HashSet::new();
        let mut strangers = 0;
        let keep = |game: GameRecord| (game.is_imported(), game.id);
        let opened = Log::open(folder, keep, |(is_imported, id)| {
            strangers += usize::from(!is_imported);
            ids.insert(id);
        })?;
        for warning in opened.warnings {
            tell(format_args!("warning: {warning}"));
        }
        if strangers > 0 {
            return Err(BadInput(format!(
                "{}: {strangers} games that were played here, expected imported games or none",
                opened.log.path().display()
            )));
        }
        Ok(Archive {
            log: opened.log,
            ids,
        })
    }
}

/// Games on their way.
struct Conversion<'o> {
    out: &'o mut dyn Write,
    keep_prefix: bool,
    target: Target,
    written: usize,
    known: usize,
    refused: usize,
}

impl<'o> Conversion<'o> {
    fn new(out: &'o mut dyn Write, keep_prefix: bool, target: Target) -> Conversion<'o> {
        Conversion {
            out,
            keep_prefix,
            target,
            written: 0,
            known: 0,
            refused: 0,
        }
    }

    fn run(mut self, source: &Source, files: &[PathBuf]) -> Result<ExitCode> {
        for path in files {
            match source.open(path)? {
                Opened::Log(path) => self.take_log(&path)?,
                Opened::Records(records) => {
                    records.each(|reading| self.take_reading(path, &records, reading))?;
                }
                Opened::Faulty(fault) => {
                    let place = fault.place;
                    let at = format!("{}:{}:{}", path.display(), place.line, place.column);
                    self.refuse(&at, &fault.message())?;
                }
            }
        }
        let known = match self.known {
            0 => String::new(),
            known => format!(", {known} that were there already"),
        };
        let refused = match self.refused {
            0 => String::new(),
            refused => format!(", {refused} not written"),
        };
        writeln!(self.out, "{} games written{known}{refused}", self.written)?;
        Ok(ExitCode::from((self.refused > 0) as u8))
    }

    fn refuse(&mut self, at: &str, message: &str) -> Result<()> {
        self.refused += 1;
        writeln!(self.out, "{at}: {message}")?;
        Ok(())
    }

    fn take_log(&mut self, path: &Path) -> Result<()> {
        let mut lines = log::stream(path, |game| game)?;
        for entry in &mut lines {
            let entry = entry.map_err(|error| log::unreadable(path, &error))?;
            let at = format!("{}:{}", path.display(), entry.line);
            match entry.record {
                Err(message) => self.refuse(&at, &format!("not a game: {message}"))?,
                Ok(game) => match catalog::find(&game.game) {
                    None => {
                        self.refuse(&at, &format!("game {:?}, expected a known one", game.game))?
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
        let mut at = format!("{}:{}", path.display(), reading.line);
        if let Some(fault) = &reading.fault {
            let place = fault.place;
            at = format!("{}:{}:{}", path.display(), place.line, place.column);
            if !self.keep_prefix {
                return self.refuse(&at, &fault.message());
            }
            let kept = reading.record.words.len();
            writeln!(
                self.out,
                "{at}: {}; {kept} turns and rolls kept",
                fault.message()
            )?;
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
            Ok(()) => self.written += 1,
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
            return self.refuse(at, "a game that was played here, expected one of a record");
        }
        if archive.ids.insert(game.id.clone()) {
            archive.log.append(game)?;
            self.written += 1;
        } else {
            self.known += 1;
        }
        Ok(())
    }
}
