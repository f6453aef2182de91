//! `referee play`: a person against an engine, in the terminal.

mod hint;
mod lines;
mod order;
mod page;
mod sitting;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use base::error::{BadInput, inform, tell};
use catalog::AnyGame;
use clap::ArgGroup;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use desk::{self, Host, Level, Settings};
use jiff::SignedDuration;
use league::config::{find_arguments, find_program, has_options};
use league::spec;
use serde_json::Value;
use task::clock::ClockSpec;
use task::{Confinement, EngineSpec, Protocol};

use self::sitting::{Left, Sitting};
use super::check::option;
use super::position::{VariantArg, find};
use super::time;
use super::words;
use crate::terminal;
use base::program::this_program;
use league::session::guard;
use textbook::AnySearch;

/// Play a game against an engine, in the terminal
#[derive(Debug, clap::Args)]
#[command(
    group(ArgGroup::new("clock").args(["time", "per_move"])),
    after_help = "\
An engine is the name of a search (pvs, mcts, best), FILE.toml:NAME for an engine of a league file, or
a command, in quotes if it has arguments.

In a terminal, the arrow keys and Enter choose an action on the board, or it is typed in the game's
notation; Tab completes it. Without one, each line of standard input is a turn or an action. A line can
also be: undo, hint, now (the engine answers at once), moves, board, pause, resume, restart (the
engine), resign, quit.

Every turn is on disk before it counts: --resume goes on after a crash, and after quit. The game is in
the log matches/desk when it is over, and its contest record in the folder of the session.

A level sets the engine's time per turn, the depth of its searches, and at beginner and easy a share
of random moves, which only built-in engines have.

Example: referee play hex
  referee play amazons --level easy
  referee play einstein --engine mcts --side second --time 4m
  referee play connect6 --engine night.toml:ours --move 5s
  referee play gomoku --depth 1 --option noise=40
  referee play --resume matches/desk/2026-11-23-hex-1"
)]
pub(super) struct Args {
    /// The game, as listed by `referee games`
    #[arg(required_unless_present = "resume")]
    game: Option<String>,
    #[command(flatten)]
    variant: VariantArg,
    /// The engine to play against
    #[arg(long, default_value = "best")]
    engine: String,
    /// Protocol of an engine that is given as a command
    #[arg(long, value_parser = words::protocol(), default_value = Protocol::default().name())]
    protocol: Protocol,
    /// The side that you play
    #[arg(long, value_enum, default_value_t)]
    side: Place,
    /// Time of each side for the whole game
    #[arg(long, value_name = "TIME", value_parser = time::above_0)]
    time: Option<Duration>,
    /// Time of the engine per turn; your own time is unlimited [default: 1s, without --time, --depth
    /// and --level]
    #[arg(long = "move", id = "per_move", value_name = "TIME", value_parser = time::above_0)]
    per_move: Option<Duration>,
    /// Depth of the engine's searches; without --time and --move there is no other limit
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// How strong the engine plays, instead of a time or a depth
    #[arg(long, conflicts_with_all = ["clock", "depth"], value_parser = levels())]
    level: Option<Level>,
    /// An option of the engine, as in a league file: threads=2, or noise=40 for 40 % random moves of
    /// a built-in one; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
    /// Your name in the record
    #[arg(long, default_value = "person")]
    name: String,
    /// Folder of the leagues
    #[arg(long, default_value = "matches", value_name = "DIR")]
    folder: PathBuf,
    /// Go on with a game that was left: the folder of its session
    #[arg(long, value_name = "DIR", conflicts_with_all = ["game", "variant", "clock", "depth", "level", "option"])]
    resume: Option<PathBuf>,
}

/// A side, as an argument.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Place {
    /// The side that moves first.
    #[default]
    First,
    /// The other side.
    Second,
}

/// Time per turn of the engine, if no argument gives any.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// Grace of the clocks: a busy machine decides no game at home.
const MARGIN: SignedDuration = SignedDuration::from_millis(500);

/// The levels by name.
fn levels() -> impl TypedValueParser<Value = Level> {
    let names = PossibleValuesParser::new(Level::ALL.map(|level| level.name));
    names.try_map(|name| Level::find(&name).ok_or("no level"))
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let _guard = guard()?;
        let mut sitting = self.sit_down()?;
        let played = if terminal::is_usable() {
            page::play(&mut sitting)
        } else {
            lines::play(&mut sitting, out)
        };
        match sitting.leave() {
            Ok(Left::Over(record)) => writeln!(out, "record: {record}")?,
            Ok(Left::Begun(folder)) => {
                let folder = shlex::try_quote(&folder)?.into_owned();
                writeln!(out, "to go on: referee play --resume {folder}")?;
            }
            Ok(Left::Untouched) => {}
            Err(refused) => tell(refused),
        }
        played?;
        Ok(ExitCode::SUCCESS)
    }

    /// Begins the session, or goes on with one.
    fn sit_down(&self) -> Result<Sitting> {
        let host = match (&self.resume, &self.game) {
            (Some(folder), _) => {
                let host = Host::open(folder)?;
                if let Some(away) = host.snapshot().state.away {
                    let time = SignedDuration::from_secs(away.time().as_secs() as i64);
                    inform(format_args!(
                        "the session was away for {time:#}; no clock ran"
                    ));
                }
                host
            }
            (None, Some(game)) => {
                let settings = self.settings(find(game)?)?;
                Host::begin(&self.folder.join(desk::FOLDER), settings)?
            }
            (None, None) => unreachable!("one of them is required"),
        };
        Ok(Sitting::new(host, &this_program()?)?)
    }

    /// A game at home that begins when the engine is ready.
    fn settings(&self, rules: &dyn AnyGame) -> Result<Settings> {
        let engine = self.engine(rules)?;
        let mut name = engine.name.clone();
        if let Some(level) = self.level {
            name += &format!(" ({})", level.name);
        }
        if name == self.name {
            name += "-2";
        }
        let clock = self.clock();
        let other = desk::Seat {
            name,
            engine: Some(engine),
            clock: None,
        };
        let person = desk::Seat {
            name: self.name.clone(),
            engine: None,
            clock: self.time.is_none().then(ClockSpec::unlimited),
        };
        let seats = match self.side {
            Place::First => [person, other],
            Place::Second => [other, person],
        };
        Ok(Settings {
            variant: self.variant.value()?,
            wait: true,
            ..Settings::casual(rules, seats, clock)
        })
    }

    /// What `--engine` names.
    fn engine(&self, rules: &dyn AnyGame) -> Result<EngineSpec> {
        let word = &*self.engine;
        let bad = |message: String| BadInput(format!("--engine {word}: {message}"));
        let is_command = AnySearch::find(word).is_err() && !word.contains(".toml:");
        let words = shlex::split(word).filter(|words| is_command && !words.is_empty());
        let spec = match words {
            Some(words) => self.command(words),
            None => spec::named(word, rules, self.options(), &this_program()?, 0)
                .map_err(|error| error.0),
        };
        Ok(spec.map_err(bad)?)
    }

    /// The engine that is started by a command.
    fn command(&self, words: Vec<String>) -> Result<EngineSpec, String> {
        let here = Path::new("");
        let program = find_program(here, &words).map_err(|message| {
            format!("{message}, a search such as pvs, mcts or best, or FILE.toml:NAME")
        })?;
        let (name, options) = (program.file_stem().unwrap_or_default(), self.options());
        if !has_options(self.protocol) && !options.is_empty() {
            let protocol = self.protocol.name();
            return Err(format!("options, expected none: {protocol} has none"));
        }
        Ok(EngineSpec {
            name: name.to_string_lossy().into_owned(),
            program: Some(program),
            arguments: find_arguments(here, &words, None),
            command: words,
            protocol: self.protocol,
            confinement: Confinement::for_options(&options),
            options,
            ..EngineSpec::default()
        })
    }

    /// The options of the engine; a value may be a number, true or false, or text.
    fn options(&self) -> BTreeMap<String, Value> {
        let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| text.into());
        let options = self.option.iter();
        let mut options: BTreeMap<_, _> = options
            .map(|(name, text)| (name.clone(), value(text)))
            .collect();
        let noise = self.level.map_or(0, |level| level.noise);
        if noise > 0 {
            options.entry("noise".to_owned()).or_insert(noise.into());
        }
        options
    }

    /// The clock of the engine, and with `--time` of both.
    fn clock(&self) -> ClockSpec {
        let time = |time| SignedDuration::try_from(time).expect("a year at most");
        let default = match (self.level, self.time, self.depth) {
            (Some(level), ..) => Some(level.time),
            (None, None, None) => Some(MOVE_TIME),
            _ => None,
        };
        ClockSpec {
            base: self.time.map(time),
            per_move: self.per_move.or(default).map(time),
            depth: self.depth.or(self.level.and_then(|level| level.depth)),
            margin: MARGIN,
            ..ClockSpec::default()
        }
    }
}
