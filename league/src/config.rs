//! League files: TOML in, a checked [`Config`] out.
//!
//! `configs/README.md` describes every key. Errors name file and line, and are reported before
//! anything is played.

mod adjudication;
mod attendance;
mod balanced;
mod builtin;
mod clock;
mod command;
mod cpus;
mod engine;
mod odds;
mod openings;
mod overrides;
mod protocols;
mod source;
mod stage;
mod tables;
mod writable;

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use base::error::BadInput;
use base::input;
use gamelog::files::Encoding;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use task::IdleCpu;
use task::adjudication::Adjudication;
use task::clock::ClockSpec;
use task::opening::book::Openings;
use task::seed::Seed;
use toml::Spanned;
use toml::de::DeTable;

use crate::fixture::Fixture;
use attendance::Until;
use clock::Clocks;
use source::{Source, Step, Text};

pub use attendance::Attendance;
pub(crate) use builtin::{check_option, check_parameters, with_paths};
pub use clock::check as check_clock;
pub use command::{find_arguments, find_program};
pub use cpus::Cpus;
pub use engine::{EngineConfig, Place, Program, Wrapper};
pub use overrides::Override;
pub use protocols::{check_init, check_init_line, has_options};
pub use stage::{Format, Meeting, Seeding, StageConfig, TieBreak};
pub(super) use writable::is_written;
pub use writable::writer_of_secrets;

/// Maximum number of rounds.
pub const MAX_ROUNDS: u32 = 100_000;
/// Maximum number of concurrent games.
const MAX_CONCURRENCY: u32 = 1_024;

/// A checked league: everything in it can be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Name of the league; also a valid folder name.
    pub name: String,
    /// The games, in the order of the file.
    pub games: Vec<GameConfig>,
    /// The stages in order, one or more. Each game of the league goes through all of them.
    pub stages: Vec<StageConfig>,
    /// Number of concurrent games. It does not affect game ids.
    pub concurrency: usize,
    /// Seed of all randomness; `None` if the file gives none, so that the league draws one.
    pub seed: Option<Seed>,
    /// Whether the engine that is not to move is paused; `None` to pause it where it could take time
    /// from its opponent, see [`crate::cores`].
    pub pause_opponent: Option<bool>,
    /// What follows from CPU time while an engine is not to move.
    pub idle_cpu: IdleCpu,
    /// Whether clocks are scaled by the speed of the host, see [`task::pace`].
    pub time_scaling: bool,
    /// How CPU cores are assigned to engines.
    pub cpus: Cpus,
    /// Encoding of the contest records written beside the log; `None` for no records.
    pub records: Option<Encoding>,
    /// The engines, in the order of the file.
    pub engines: Vec<EngineConfig>,
    /// The keys that the command line sets instead of the file, as lines of TOML.
    pub overrides: Vec<String>,
}

/// One game of a league.
#[derive(Clone, Debug, PartialEq)]
pub struct GameConfig {
    /// Its id in the catalogue: `hex`.
    pub id: String,
    /// The variant, with all defaults filled in.
    pub variant: Value,
    /// The clock of every engine that has no clock of its own.
    pub clock: ClockSpec,
    /// The clock of tie-break games.
    pub rapid: ClockSpec,
    /// The source of its openings; both games of a pair have the same opening.
    pub openings: Openings,
    /// When the referee adjudicates its games.
    pub adjudication: Adjudication,
}

impl GameConfig {
    /// The clock of a game: tie-break games have one of their own.
    pub(crate) fn clock_of(&self, fixture: &Fixture) -> ClockSpec {
        match fixture.decider {
            None => self.clock,
            Some(_) => self.rapid,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConfig {
    #[serde(rename = "league")]
    _league: IgnoredAny,
    #[serde(rename = "stage", default)]
    _stage: IgnoredAny,
    #[serde(rename = "clock")]
    _clock: IgnoredAny,
    #[serde(rename = "rapid", default)]
    _rapid: IgnoredAny,
    #[serde(rename = "adjudication", default)]
    _adjudication: IgnoredAny,
    #[serde(default)]
    variant: BTreeMap<String, Value>,
    #[serde(default)]
    openings: BTreeMap<String, openings::RawOpenings>,
    #[serde(default)]
    engine: Vec<engine::RawEngine>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLeague {
    name: String,
    games: Vec<String>,
    #[serde(default = "one")]
    concurrency: NonZeroU32,
    #[serde(default)]
    seed: Option<Seed>,
    #[serde(default)]
    pause_opponent: Option<bool>,
    #[serde(default)]
    idle_cpu: IdleCpu,
    #[serde(default)]
    time_scaling: bool,
    #[serde(default)]
    cpus: Cpus,
    #[serde(default)]
    share_cpus: bool,
    #[serde(default)]
    records: Option<RecordsKey>,
    #[serde(default)]
    openings: Option<AllOpenings>,
    /// Keys of a single stage, if there are no `[[stage]]` tables.
    #[serde(default, rename = "format")]
    _format: IgnoredAny,
    #[serde(default, rename = "rounds")]
    _rounds: IgnoredAny,
    #[serde(default, rename = "meeting")]
    _meeting: IgnoredAny,
    #[serde(default, rename = "challengers")]
    _challengers: IgnoredAny,
    #[serde(default, rename = "groups")]
    _groups: IgnoredAny,
    #[serde(default, rename = "seeding")]
    _seeding: IgnoredAny,
    #[serde(default, rename = "tie_breaks")]
    _tie_breaks: IgnoredAny,
}

/// The openings of every game that has none of its own.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AllOpenings {
    Balanced,
}

/// Contest records to write beside the log.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RecordsKey {
    Contest,
    ContestGbk,
}

impl From<RecordsKey> for Encoding {
    fn from(key: RecordsKey) -> Encoding {
        match key {
            RecordsKey::Contest => Encoding::Utf8,
            RecordsKey::ContestGbk => Encoding::Gbk,
        }
    }
}

fn one() -> NonZeroU32 {
    NonZeroU32::MIN
}

impl Config {
    /// The seed of a league whose games can be planned.
    ///
    /// # Panics
    /// If it has none yet.
    pub fn seed(&self) -> &Seed {
        self.seed
            .as_ref()
            .expect("a league has a seed before its games are planned")
    }

    /// Gives every game without openings and without dice the balanced ones that are shipped, where there
    /// are some and its engines can be told of them. Returns the games.
    pub fn balance(&mut self) -> Vec<&str> {
        let engines = &self.engines;
        let mut balanced = Vec::new();
        for game in &mut self.games {
            let rules = catalog::find(&game.id).expect("the games of a league were checked");
            if game.openings != Openings::None || rules.has_dice() {
                continue;
            }
            let Ok(openings) = openings::balanced(game) else {
                continue;
            };
            let with = GameConfig {
                openings,
                ..game.clone()
            };
            let mut players = engines
                .iter()
                .filter(|engine| engine.games.contains(&game.id));
            if players.all(|engine| protocols::can_be_told(engine.protocol, &with)) {
                *game = with;
                balanced.push(&*game.id);
            }
        }
        balanced
    }

    /// Whether the file or an argument says how many rounds each of its stages has.
    pub fn are_rounds_given(&self) -> bool {
        self.stages.iter().all(|stage| stage.are_rounds_given)
    }

    /// Sets the rounds of every stage, 1 to [`MAX_ROUNDS`].
    pub fn set_rounds(&mut self, rounds: u32) {
        for stage in &mut self.stages {
            stage.rounds = rounds;
        }
    }

    /// Leaves only these games.
    ///
    /// # Errors
    /// The league does not have one of them.
    pub fn only_games(&mut self, games: &[String]) -> Result<(), BadInput> {
        let known = |id: &&String| self.games.iter().any(|game| game.id == **id);
        if let Some(unknown) = games.iter().find(|id| !known(id)) {
            let known: Vec<_> = self.games.iter().map(|game| &*game.id).collect();
            return Err(BadInput(format!(
                "--games {unknown}: not in the league file, expected some of {}",
                known.join(", ")
            )));
        }
        self.games.retain(|game| games.contains(&game.id));
        for engine in &mut self.engines {
            engine.games.retain(|id| games.contains(id));
        }
        Ok(())
    }

    /// Reads and checks the league file at `path`, with these keys instead of its own.
    ///
    /// # Errors
    /// One line: the file and the line, or the override, what was found and what was expected.
    pub fn load(path: &Path, overrides: &[Override]) -> Result<Config, BadInput> {
        Config::parse(path, &text_of(path)?, overrides)
    }

    /// Reads the engines of a file that need not be a league: one engine for each of its games is
    /// enough, and its stages do not matter.
    ///
    /// # Errors
    /// As for [`Config::load`].
    pub fn load_engines(path: &Path) -> Result<Vec<EngineConfig>, BadInput> {
        let text = text_of(path)?;
        let text = Text::new(path, &text, &[]);
        Ok(Players::read(&Source::parse(&text)?, path, 1)?.engines)
    }

    /// Checks `text` as the content of the league file at `path`, with these keys instead of its own.
    /// Commands and directories are relative to the folder of `path`.
    ///
    /// # Errors
    /// As for [`Config::load`].
    pub fn parse(path: &Path, text: &str, overrides: &[Override]) -> Result<Config, BadInput> {
        let text = Text::new(path, text, overrides);
        let source = Source::parse(&text)?;
        let Players {
            league,
            only_stage,
            games,
            mut engines,
            attendance,
        } = Players::read(&source, path, 2)?;
        let files: Vec<&Path> = overrides.iter().filter_map(Override::file).collect();
        for engine in &mut engines {
            engine
                .hidden
                .extend(files.iter().map(|&file| file.to_owned()));
        }
        let stages = stage::read(&source, only_stage, &games, &engines)?;
        attendance::check(&source, &stages, &mut engines, &attendance)?;
        Ok(Config {
            stages,
            name: league.name,
            games,
            concurrency: league.concurrency.get() as usize,
            seed: league.seed,
            pause_opponent: league.pause_opponent,
            idle_cpu: league.idle_cpu,
            time_scaling: league.time_scaling,
            cpus: league.cpus,
            records: league.records.map(Encoding::from),
            engines,
            overrides: (overrides.iter().filter(|set| !set.is_secret()))
                .map(|set| set.line().to_owned())
                .collect(),
        })
    }
}

/// The text of the league file at `path`.
fn text_of(path: &Path) -> Result<String, BadInput> {
    let bytes = input::bytes(path).map_err(|error| {
        BadInput(format!(
            "{}: {error}, expected a league file",
            input::shown(path)
        ))
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let path = input::shown(path);
        BadInput(format!(
            "{path}:{line}: bytes that are not UTF-8, expected UTF-8 text"
        ))
    })
}

/// All of a league file but its stages.
struct Players<'t> {
    league: RawLeague,
    /// The keys of `[league]` that belong to a single stage.
    only_stage: Spanned<DeTable<'t>>,
    games: Vec<GameConfig>,
    engines: Vec<EngineConfig>,
    /// The keys `from` and `until` of each engine.
    attendance: Vec<(Option<u32>, Option<Until>)>,
}

impl<'t> Players<'t> {
    /// Checks the file at `path`, in which at least this many engines have to play each game.
    fn read(source: &Source<'t>, path: &Path, least: usize) -> Result<Players<'t>, BadInput> {
        let mut raw: RawConfig = source.read()?;
        let (league, only_stage) = read_league(source)?;
        check_league(source, &league)?;
        let Some(clocks) = Clocks::read(source, "clock")? else {
            return Err(source.error(&["clock".into()], "no table, expected [clock]"));
        };
        let rapid = match Clocks::read(source, "rapid")? {
            Some(rapid) => rapid.or(clocks.clone()),
            None => clocks.clone(),
        };
        check_game_keys(source, "variant", raw.variant.keys())?;
        check_game_keys(source, "openings", raw.openings.keys())?;
        let mut games = Vec::new();
        for id in &league.games {
            games.push(GameConfig {
                id: id.clone(),
                variant: variant(source, id, raw.variant.get(id))?,
                clock: clocks.of(source, id)?,
                rapid: rapid.of(source, id)?,
                openings: Openings::None,
                adjudication: Adjudication::default(),
            });
        }
        adjudication::read(source, &mut games)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let files = raw
            .openings
            .values()
            .filter_map(openings::RawOpenings::file);
        let files: Vec<PathBuf> = files.map(|file| folder.join(file)).collect();
        for game in &mut games {
            if let Some(raw) = raw.openings.remove(&game.id) {
                game.openings = openings::check(source, folder, game, raw)?;
            } else if let Some(AllOpenings::Balanced) = league.openings {
                let steps = ["league".into(), "openings".into()];
                game.openings =
                    openings::balanced(game).map_err(|message| source.error(&steps, message))?;
            }
        }
        let attendance = raw.engine.iter().map(|raw| (raw.from, raw.until.clone()));
        let attendance = attendance.collect();
        let mut engines = engine::check_all(source, folder, raw.engine, &league.games, least)?;
        writable::check(source, path, &files, &engines)?;
        if league.seed.is_some() {
            engines
                .iter_mut()
                .for_each(|engine| engine.hidden.push(path.to_owned()));
        }
        for (index, engine) in engines.iter_mut().enumerate() {
            engine.odds = odds::read(source, &clocks, index, engine)?;
            engine.rapid_odds = odds::read(source, &rapid, index, engine)?;
        }
        protocols::check(source, &games, &engines)?;
        builtin::check(source, &games, &engines)?;
        Ok(Players {
            league,
            only_stage,
            games,
            engines,
            attendance,
        })
    }
}

/// The `[league]` table, and its keys that belong to a single stage.
fn read_league<'t>(source: &Source<'t>) -> Result<(RawLeague, Spanned<DeTable<'t>>), BadInput> {
    let Some(table) = source.table(&["league".into()]) else {
        return Err(source.error(&["league".into()], "no table, expected [league]"));
    };
    let league = source.read_table(&table)?;
    let stage = Spanned::new(table.span(), stage::keys_of(table.into_inner()));
    Ok((league, stage))
}

fn check_league(source: &Source<'_>, league: &RawLeague) -> Result<(), BadInput> {
    let key = |key| [Step::Key("league"), Step::Key(key)];
    if !is_plain_name(&league.name) {
        let message = format!("name {:?}, expected {PLAIN_NAME}", league.name);
        return Err(source.error(&key("name"), message));
    }
    let games_at_a_time = league.concurrency.get();
    if games_at_a_time > MAX_CONCURRENCY {
        let message = format!("concurrency {games_at_a_time}, expected 1 to {MAX_CONCURRENCY}");
        return Err(source.error(&key("concurrency"), message));
    }
    if league.games.is_empty() {
        let message = format!("no games, expected some of {}", catalog::ids().join(", "));
        return Err(source.error(&key("games"), message));
    }
    (league
        .cpus
        .check(games_at_a_time as usize, league.share_cpus))
    .map_err(|message| source.error(&key("cpus"), message))?;
    let mut seen = HashSet::new();
    for (index, id) in league.games.iter().enumerate() {
        let steps = ["league".into(), "games".into(), index.into()];
        check_game(source, &steps, id)?;
        if !seen.insert(id) {
            return Err(source.error(&steps, format!("game {id:?} twice, expected it once")));
        }
    }
    Ok(())
}

/// Description of what [`is_plain_name`] accepts.
const PLAIN_NAME: &str =
    "1 to 64 letters, digits and any of - _ . +, the first a letter or a digit";

/// Whether a name can be part of a game id and of a path.
fn is_plain_name(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_alphanumeric)
        && name.chars().count() <= 64
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "-_.+".contains(c))
}

/// Refuses an unknown game.
fn check_game(source: &Source<'_>, steps: &[Step<'_>], id: &str) -> Result<(), BadInput> {
    if catalog::find(id).is_some() {
        return Ok(());
    }
    let known = catalog::ids().join(", ");
    Err(source.error(steps, format!("game {id:?}, expected one of {known}")))
}

/// Refuses tables of unknown games, such as `[variant.chess]`.
fn check_game_keys<'k>(
    source: &Source<'_>,
    table: &str,
    mut keys: impl Iterator<Item = &'k String>,
) -> Result<(), BadInput> {
    keys.try_for_each(|id| check_game(source, &[table.into(), id.as_str().into()], id))
}

/// Fills in the defaults of a game's variant; `given` is the table of the file.
fn variant(source: &Source<'_>, id: &str, given: Option<&Value>) -> Result<Value, BadInput> {
    let rules = catalog::find(id).expect("the games of a league were checked");
    let none = Value::Object(serde_json::Map::new());
    let given = given.unwrap_or(&none);
    rules.complete_variant(given).map_err(|error| {
        let mut steps = vec![Step::Key("variant"), Step::Key(id)];
        steps.extend(faulty_key(rules, given).map(Step::Key));
        source.error(&steps, error)
    })
}

/// The first key that is invalid on its own; the error message gives its line.
fn faulty_key<'v>(rules: &dyn catalog::Rules, variant: &'v Value) -> Option<&'v str> {
    variant.as_object()?.iter().find_map(|(key, value)| {
        let alone = Value::Object([(key.clone(), value.clone())].into_iter().collect());
        rules
            .complete_variant(&alone)
            .is_err()
            .then_some(key.as_str())
    })
}

#[cfg(test)]
mod tests;
