//! `referee book build`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use base::error::{inform, tell};
use base::input;
use base::plain::games_in_words;
use gamelog::files::logged::game_of;
use gamelog::files::{Form, Records, Take, at};
use lab::book::{Builder, Made, Recipe};
use records::TextReading;
use serde_json::json;

use super::super::convert::SourceArgs;
use super::super::facts::{FormatArg, write_json};
use super::super::logged::each_line;
use super::super::words;
use super::{check_new, facts, in_words, save};

/// Make a book from games: logs, or records in any format
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Counts how often each move was played and with what results, by position up to symmetry. Moves of an
opening that the referee set are not counted, nor games lost by a fault of the loser's program. A game
that is in several files counts once. Gomocup's openings are games without a result: the book has their
moves, for `book expand`. Without --game and --variant, the book is of those that most games
have; the others are left out and counted.

Exit status: 0 all games were counted, 1 some were faulty, 2 bad input.

Example: referee book build matches/night --out hex.book
  referee book build matches/night --game connect6 --engine ours --plies 12 --out ours.book
  referee book build contest-records/ --game amazons --min-games 3 --out amazons.book
  referee book build openings.txt --variant '{ opening = \"free\", forbidden = \"off\", size = 20 }' --out x.book")]
pub(super) struct Args {
    /// Files of games, folders with such files, or - for standard input
    #[arg(required = true, value_name = "LOG")]
    paths: Vec<PathBuf>,
    /// The book; no file is overwritten
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Actions from the start of each game
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,
    /// Leave out moves of fewer games; such a book cannot be merged
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// Count only turns of this engine; may be given several times
    #[arg(long, value_name = "NAME")]
    engine: Vec<String>,
    /// Format of the input files
    #[arg(long, value_parser = words::form(), value_name = "FORMAT")]
    from: Option<Form>,
    #[command(flatten)]
    reading: SourceArgs,
    #[command(flatten)]
    format: FormatArg,
}

/// The games as they are read.
struct Reader {
    builder: Builder,
    faulty: usize,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let mut source = self.reading.source(self.from)?;
        source.takes_openings = true;
        check_new(&self.out)?;
        let recipe = Recipe {
            plies: self.plies,
            min_games: self.min_games,
            engines: self.engine,
        };
        let builder = Builder::new(recipe, source.game.as_deref(), source.variant.as_ref())?;
        let mut reader = Reader { builder, faulty: 0 };
        let mut files = source.find(&self.paths)?;
        source.each(&mut files, &mut reader)?;
        let faulty = reader.faulty;
        let Made {
            book,
            unfinished,
            left_out,
        } = reader.builder.finish()?;
        save(&self.out, &book)?;
        if self.format.is_json() {
            let mut facts = facts(&book);
            facts["left_out"] = json!(left_out);
            facts["faulty"] = faulty.into();
            write_json(out, &facts)?;
        } else {
            writeln!(out, "{}: {}", self.out.display(), in_words(&book))?;
        }
        if let Some(files) = files.in_words() {
            inform(files);
        }
        if unfinished > 0 {
            let games = games_in_words(unfinished);
            inform(format_args!(
                "without a result: {games}, of which the book has only the moves"
            ));
        }
        for (count, why) in [
            (left_out.known, "counted before"),
            (left_out.faults, "lost by a fault"),
            (left_out.others, "of other games or variants"),
            (faulty, "faulty"),
        ] {
            if count > 0 {
                inform(format_args!("not counted: {count} {why}"));
            }
        }
        for (variant, count) in &left_out.variants {
            inform(format_args!("  {count} of {variant}"));
        }
        if self.reading.is_without_variant() && !left_out.variants.is_empty() {
            inform("  --game and --variant make a book of one of them");
        }
        Ok(ExitCode::from(u8::from(faulty > 0)))
    }
}

impl Take for Reader {
    type Error = anyhow::Error;

    fn log(&mut self, path: &Path) -> Result<bool> {
        let name = input::shown(path);
        each_line(
            path,
            |line| gamelog::parse::<String>(line),
            |entry| {
                let at = format!("{name}:{}", entry.line);
                match entry.record {
                    Err(message) => self.refuse(&at, &format!("not a game: {message}")),
                    Ok(game) => Ok(self.builder.add(&at, &game)?),
                }
            },
        )
    }

    fn game(&mut self, path: &Path, records: &Records, reading: TextReading) -> Result<()> {
        if let Some(fault) = &reading.fault {
            return self.refuse(&at(path, fault.place), &fault.message());
        }
        let at = format!("{}:{}", input::shown(path), reading.line);
        match game_of(records.rules, records.format, &reading) {
            Ok(game) => Ok(self.builder.add(&at, &game)?),
            Err(message) => self.refuse(&at, &message),
        }
    }

    /// Reports a game that cannot be counted.
    fn refuse(&mut self, at: &str, message: &str) -> Result<()> {
        self.faulty += 1;
        tell(format_args!("{at}: {message}"));
        Ok(())
    }
}
