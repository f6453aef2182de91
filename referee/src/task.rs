//! One planned game, and what is needed to start its engines.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

pub use entry::Protocol;

use crate::adjudication::Adjudication;
use crate::clock::ClockSpec;

/// A game that the plan asks for. It follows from the league file alone.
#[derive(Clone, Debug, PartialEq)]
pub struct GameTask {
    /// Unique in the league; see [`crate::record::GameRecord::id`].
    pub id: String,
    /// Name of the league.
    pub league: String,
    /// Id of the game: `hex`.
    pub game: String,
    /// The complete variant.
    pub variant: Value,
    /// Its stage, as [`crate::record::GameRecord::stage`].
    pub stage: String,
    /// Round, from 1.
    pub round: u32,
    /// Its number in its meeting, as [`crate::record::GameRecord::number`].
    pub number: u32,
    /// What stands before the engines take over, as an [`crate::opening::Opening`]; empty for none.
    pub opening: String,
    /// Seed of the game: the dice follow from it, and a built-in engine's own seed.
    pub seed: u64,
    /// Who plays `First`.
    pub first: EngineSpec,
    /// Who plays `Second`.
    pub second: EngineSpec,
    /// The clock of a side whose engine has none of its own.
    pub clock: ClockSpec,
    /// What an earlier game of the same meeting has left on the clocks of `First` and `Second`, in
    /// µs, where they have a clock for all its games.
    pub carried_us: Option<[u64; 2]>,
    /// When the game is ended before its end.
    pub adjudication: Adjudication,
    /// Whether the engine that is not to move is stopped.
    pub pause_opponent: bool,
}

impl GameTask {
    /// The clocks of both sides, `First` first.
    pub fn clocks(&self) -> [ClockSpec; 2] {
        [&self.first, &self.second].map(|engine| engine.clock.unwrap_or(self.clock))
    }
}

/// How an engine is started, spoken to and timed. Built-in engines too: their command is this program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineSpec {
    /// Its name in the league.
    pub name: String,
    /// Program and arguments as the league file has them; they go into the log.
    pub command: Vec<String>,
    /// The file that is run for the first word of the command; `None` to look for it in `PATH`.
    pub program: Option<PathBuf>,
    /// What the program is given: the other words, those that name files where it will find them.
    pub arguments: Vec<String>,
    /// Where it runs; `None` for a fresh folder that is removed afterwards.
    pub directory: Option<PathBuf>,
    /// The language it speaks.
    pub protocol: Protocol,
    /// Options to set before the game, by name.
    pub options: BTreeMap<String, Value>,
    /// Variables added to its environment.
    pub environment: BTreeMap<String, String>,
    /// How it is kept to itself.
    pub confinement: Confinement,
    /// Its clock, where it is not the game's.
    pub clock: Option<ClockSpec>,
    /// A program, with arguments, that runs the engine's; empty for none.
    pub wrapper: Vec<String>,
    /// The core it runs on; `None` for any.
    pub core: Option<usize>,
    /// Whether its process stays for the next game.
    pub keep: bool,
    /// How many illegal turns in a row it may take back, where its protocol has words for it.
    pub retries: u32,
}

impl EngineSpec {
    /// Whether a process that was started from this can play for one that would be from another: they
    /// differ in nothing but the values of options, which are set before every game, and the clock.
    pub fn serves_for(&self, other: &EngineSpec) -> bool {
        let same_names = self.options.keys().eq(other.options.keys());
        let like_other = EngineSpec {
            options: other.options.clone(),
            clock: other.clock,
            ..self.clone()
        };
        self.keep && same_names && like_other == *other
    }
}

/// The most that a league file may ask for: 16 TiB.
pub const MAX_MEMORY_MB: u64 = 1 << 24;

/// What a thread takes of the address space with its stack and its own heap, in MiB.
const THREAD_MB: u64 = 128;

/// How an engine is kept to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confinement {
    /// Address space of each of its processes, in MiB.
    pub memory_mb: u64,
    /// Processes and threads it may add to those that its user has when it starts.
    pub processes: u64,
    /// The longest file it may write, in MiB.
    pub file_mb: u64,
    /// Files each of its processes may have open.
    pub open_files: u64,
    /// Whether it is kept from files, processes and the network that are not its own.
    pub strict: bool,
}

impl Confinement {
    /// What a league file gets that asks for nothing: room for the table and the threads that
    /// options of these names ask for, and for all else what [`Confinement::default`] has.
    pub fn for_options(options: &BTreeMap<String, Value>) -> Confinement {
        let number = |name: &str, most: u64| {
            let option = options
                .iter()
                .find(|(key, _)| key.eq_ignore_ascii_case(name));
            let number = option.and_then(|(_, value)| value.as_u64());
            number.unwrap_or(0).min(most)
        };
        let mut confinement = Confinement::default();
        // Beyond these, the limit is not what keeps an engine from it.
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
            strict: false,
        }
    }
}
