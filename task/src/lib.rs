//! One planned game, and everything needed to start its engines.

pub mod adjudication;
pub mod clock;
pub mod dice;
pub mod opening;
pub mod pace;
pub mod paths;
pub mod seed;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::adjudication::Adjudication;
use crate::clock::ClockSpec;
use crate::pace::Pace;

pub use protocol::Protocol;

/// A planned game. It depends only on the league file.
#[derive(Clone, Debug, PartialEq)]
pub struct GameTask {
    /// Unique in the league. It depends only on the league file.
    pub id: String,
    /// Name of the league.
    pub league: String,
    /// Id of the game: `hex`.
    pub game: String,
    /// The variant, with all defaults filled in.
    pub variant: Value,
    /// Its stage and group, and the tie-break if it is played for one: `groups 2`. Empty if the league
    /// has only one stage with one group.
    pub stage: String,
    /// Round, from 1.
    pub round: u32,
    /// Its number within its meeting, from 1; 0 if the meeting is one game or one pair.
    pub number: u32,
    /// The moves or position played before the engines take over, as an
    /// [`crate::opening::Opening`]; empty for none.
    pub opening: String,
    /// Seed of the game. Both games of a pair have the same seed.
    pub seed: u64,
    /// Seed of the dice, if that is not `seed`.
    pub dice: Option<u64>,
    /// Who plays `First`.
    pub first: EngineSpec,
    /// Who plays `Second`.
    pub second: EngineSpec,
    /// The clock of every engine that has no clock of its own.
    pub clock: ClockSpec,
    /// Time left over from the previous game of the meeting on the clocks of `First` and `Second`,
    /// µs. Set only if one clock covers the whole meeting.
    pub carried_us: Option<[u64; 2]>,
    /// When the referee adjudicates the game.
    pub adjudication: Adjudication,
    /// Whether the engine that is not to move is paused.
    pub pause_opponent: bool,
    /// What follows from CPU time while an engine is not to move.
    pub idle_cpu: IdleCpu,
    /// Keys of the league file that the command line set otherwise, as lines of TOML:
    /// `league.rounds = 10`.
    pub overrides: Vec<String>,
    /// The pace of the host that plays it, if the league scales clocks or is played in shards; `None` in
    /// the plan.
    pub pace: Option<Pace>,
}

impl GameTask {
    /// The clocks of both sides on the host that plays the game, `First` first.
    pub fn clocks(&self) -> [ClockSpec; 2] {
        let clocks = [&self.first, &self.second].map(|engine| engine.clock.unwrap_or(self.clock));
        pace::clocks(clocks, self.pace)
    }
}

/// What follows from CPU time that an engine uses while it is not to move.
///
/// The table of the report shows it in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdleCpu {
    /// Nothing else.
    #[default]
    Show,
    /// It is taken from the engine's clock before its next turn, as far as time carries over from
    /// turn to turn.
    Charge,
    /// The engine loses, if it was much.
    Forfeit,
}

/// Which column letters a GTP engine uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Letters {
    /// All, as in our games and HTP.
    #[default]
    All,
    /// All but i, as in Go: the ninth column is j.
    SkipI,
}

impl Letters {
    /// The value of the key `letters`.
    pub fn key(self) -> &'static str {
        match self {
            Letters::All => "all",
            Letters::SkipI => "skip-i",
        }
    }
}

/// How an engine is started, and its protocol and clock. A built-in engine is a command too: this
/// program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineSpec {
    /// Its name in the league.
    pub name: String,
    /// Program and arguments as written in the league file; they go into the log.
    pub command: Vec<String>,
    /// Its build: the first 16 hexadecimal digits of a SHA-256 of its files; empty if unknown.
    pub build: String,
    /// The executable file; `None` to search `PATH` for the first word of the command.
    pub program: Option<PathBuf>,
    /// The arguments after the program; those that name files are absolute paths.
    pub arguments: Vec<String>,
    /// Working directory; `None` for a temporary folder that is removed afterwards.
    pub directory: Option<PathBuf>,
    /// Its protocol.
    pub protocol: Protocol,
    /// Its column letters, in GTP.
    pub letters: Letters,
    /// Options to set before the game, by name.
    pub options: BTreeMap<String, Value>,
    /// Its own commands, sent before each game, if its protocol supports that.
    pub init: Vec<String>,
    /// Variables added to its environment.
    pub environment: BTreeMap<String, String>,
    /// Its resource limits and sandbox.
    pub confinement: Confinement,
    /// Files and folders that it may read in its sandbox, besides its own: absolute paths.
    pub read: Vec<PathBuf>,
    /// Files and folders that it may change in its sandbox.
    pub write: Vec<PathBuf>,
    /// Files and folders that its sandbox hides, although they lie in what it may read.
    pub hidden: Vec<PathBuf>,
    /// Its own clock, if it differs from the clock of the game.
    pub clock: Option<ClockSpec>,
    /// A wrapper program with its arguments that runs the engine; empty for none.
    pub wrapper: Vec<String>,
    /// The cores it runs on; empty for any.
    pub cores: Vec<usize>,
    /// Whether its process is reused for the next game.
    pub keep: bool,
    /// How many illegal turns in a row it may take back, if its protocol supports it.
    pub retries: u32,
    /// How long it may take to get ready for a game; `None` for what every engine has.
    pub start_up: Option<Duration>,
}

impl EngineSpec {
    /// What it may change, as the log names it.
    pub fn writes(&self) -> Vec<String> {
        let paths = self.write.iter();
        paths.map(|path| path.display().to_string()).collect()
    }

    /// Whether a process started for this engine can also play for `other`: they differ only in
    /// option values, which are set before every game, in the clock, and in the cores.
    pub fn serves_for(&self, other: &EngineSpec) -> bool {
        let same_names = self.options.keys().eq(other.options.keys());
        let like_other = EngineSpec {
            options: other.options.clone(),
            clock: other.clock,
            cores: other.cores.clone(),
            ..self.clone()
        };
        self.keep && same_names && like_other == *other
    }
}

/// The option of this name; names are case-insensitive.
pub fn option<'o>(options: &'o BTreeMap<String, Value>, name: &str) -> Option<&'o Value> {
    let mut options = options.iter();
    let found = options.find(|(key, _)| key.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value)
}

/// The file or folder that a word of a command or an option names, by itself or after its first
/// `=`: an absolute path, or one in the engine's directory.
pub(crate) fn named(word: &str, directory: Option<&Path>) -> Option<PathBuf> {
    let value = word.split_once('=').map(|(_, value)| value);
    [Some(word), value].into_iter().flatten().find_map(|name| {
        let path = directory.map_or_else(|| name.into(), |directory| directory.join(name));
        (path.is_absolute() && path.exists()).then_some(path)
    })
}

/// All files and folders that the arguments of a command name, and the options that are text.
pub fn all_named(
    arguments: &[String],
    options: &BTreeMap<String, Value>,
    directory: Option<&Path>,
) -> Vec<PathBuf> {
    let options = options.values().filter_map(Value::as_str);
    let words = arguments.iter().map(String::as_str).chain(options);
    words.filter_map(|word| named(word, directory)).collect()
}

/// Largest memory limit that a league file may set, MiB: 16 TiB.
pub const MAX_MEMORY_MB: u64 = 1 << 24;

/// What one thread may take for its stack and heap, MiB.
const THREAD_MB: u64 = 128;

/// Resource limits and sandbox of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Confinement {
    /// Memory of all its processes together, MiB.
    pub memory_mb: u64,
    /// Number of its processes and threads.
    pub processes: u64,
    /// What it may write to its temporary folder, and the largest file elsewhere, MiB.
    pub file_mb: u64,
    /// Maximum number of open files in each of its processes.
    pub open_files: u64,
    /// Whether it is denied foreign files, foreign processes and the network.
    pub sandbox: bool,
}

impl Confinement {
    /// The default limits: those of [`Confinement::default`], plus memory for the table and the
    /// threads set by the options `table_mb` and `threads`.
    pub fn for_options(options: &BTreeMap<String, Value>) -> Confinement {
        let number = |name: &str, most: u64| {
            let number = option(options, name).and_then(Value::as_u64);
            number.unwrap_or(0).min(most)
        };
        let mut confinement = Confinement::default();
        // Larger values are capped: another limit of the machine applies first.
        confinement.memory_mb +=
            number("table_mb", 1 << 20) + THREAD_MB * number("threads", 1 << 12);
        confinement
    }
}

impl Default for Confinement {
    fn default() -> Confinement {
        Confinement {
            memory_mb: 4096,
            processes: 1024,
            file_mb: 1024,
            open_files: 1024,
            sandbox: true,
        }
    }
}
