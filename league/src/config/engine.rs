//! The `[[engine]]` tables of a league file.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::error::BadInput;
use engine_core::Algorithm;
use jiff::SignedDuration;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use task::clock::ClockSpec;
use task::{Confinement, Letters, MAX_MEMORY_MB, Protocol};
use textbook::AnySearch;

use super::attendance::{Attendance, Until};
use super::builtin::{check_option, with_paths};
use super::command::{find_arguments, find_program};
use super::protocols;
use super::source::{Source, Step};
use super::{GameConfig, PLAIN_NAME, check_game, is_plain_name};

/// One engine of a league.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineConfig {
    /// Its name, unique in the league.
    pub name: String,
    /// What is started.
    pub program: Program,
    /// Its protocol.
    pub protocol: Protocol,
    /// Working directory; `None` for a temporary folder that is removed afterwards.
    pub directory: Option<Place>,
    /// Options to set before the game: text, numbers and booleans.
    pub options: BTreeMap<String, Value>,
    /// The same with the absolute paths of the files that a built-in engine's options name.
    pub sent_options: BTreeMap<String, Value>,
    /// Its own commands, sent before each game: each is one line.
    pub init: Vec<String>,
    /// Variables added to its environment.
    pub environment: BTreeMap<String, String>,
    /// Resource limits and sandbox.
    pub confinement: Confinement,
    /// What it may read in its sandbox, besides its own files.
    pub read: Vec<Place>,
    /// What it may change in its sandbox.
    pub write: Vec<Place>,
    /// What its sandbox hides, wherever it lies: files and folders with secrets of the league.
    pub hidden: Vec<PathBuf>,
    /// A wrapper program that runs the engine, if any.
    pub wrapper: Option<Wrapper>,
    /// Whether its process is reused for the next game.
    pub keep: bool,
    /// How many illegal turns in a row it may take back.
    pub retries: u32,
    /// Its column letters, in GTP.
    pub letters: Letters,
    /// How long it may take to get ready for a game, if not as long as usual.
    pub start_up: Option<Duration>,
    /// The games of the league that it plays, in the league's order.
    pub games: Vec<String>,
    /// In which rounds it plays.
    pub attendance: Attendance,
    /// Its own clocks by game, where they differ from the game's clock.
    pub odds: BTreeMap<String, ClockSpec>,
    /// The same for tie-break games.
    pub rapid_odds: BTreeMap<String, ClockSpec>,
}

impl EngineConfig {
    /// What its keys `directory`, `read` and `write` name.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.directory.iter().chain(&self.read).chain(&self.write)
    }

    /// Its clocks in a game that it plays: in regular games and in tie-break games.
    pub fn clocks(&self, game: &GameConfig) -> [ClockSpec; 2] {
        let own = |odds: &BTreeMap<String, ClockSpec>, clock| {
            odds.get(&game.id).copied().unwrap_or(clock)
        };
        [
            own(&self.odds, game.clock),
            own(&self.rapid_odds, game.rapid),
        ]
    }
}

/// A program that runs another program.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrapper {
    /// The words as written in the file; they are hashed into game ids.
    pub words: Vec<String>,
    /// Where the program was found.
    pub path: PathBuf,
}

/// A file or folder named in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// As written in the file; this is hashed into game ids.
    pub written: String,
    /// Its absolute path.
    pub path: PathBuf,
}

/// What is started for an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Program {
    /// This executable, with one of the algorithms of [`Algorithm::ALL`].
    Builtin(String),
    /// Another program.
    Command {
        /// The words as written in the file; they are hashed into game ids.
        words: Vec<String>,
        /// Where the program was found.
        path: PathBuf,
        /// The arguments; files in the league file's folder have absolute paths.
        arguments: Vec<String>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEngine {
    name: String,
    builtin: Option<String>,
    command: Option<Vec<String>>,
    #[serde(default)]
    protocol: Protocol,
    directory: Option<String>,
    #[serde(default)]
    options: BTreeMap<String, Value>,
    #[serde(default)]
    init: Vec<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    games: Option<Vec<String>>,
    #[serde(rename = "clock")]
    _clock: Option<BTreeMap<String, IgnoredAny>>,
    memory_mb: Option<u64>,
    processes: Option<u64>,
    file_mb: Option<u64>,
    open_files: Option<u64>,
    #[serde(default)]
    wrapper: Vec<String>,
    #[serde(default)]
    sandbox: Sandbox,
    #[serde(default)]
    read: Vec<String>,
    #[serde(default)]
    write: Vec<String>,
    #[serde(default)]
    keep: bool,
    #[serde(default)]
    illegal: Illegal,
    letters: Option<Letters>,
    start_up: Option<SignedDuration>,
    pub(super) from: Option<u32>,
    pub(super) until: Option<Until>,
}

/// The longest time that an engine can be given to get ready for a game.
const MAX_START_UP: Duration = Duration::from_secs(3600);

/// Consequence of an illegal turn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Illegal {
    /// The game is lost.
    #[default]
    Forfeit,
    /// The engine is asked for another turn, at most this many times a turn.
    Retry(u32),
}

/// Maximum retries: each goes into the log.
const MOST_RETRIES: u32 = 100;

/// Sandbox level.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sandbox {
    /// Access to everything that is not the engine's own is denied, as far as the system can.
    #[default]
    Strict,
    /// Only limits of resources.
    None,
}

/// Checks all engines of a league that plays `games`, each between at least `least` engines, one or
/// two. `folder` is the folder of the league file.
pub(super) fn check_all(
    source: &Source<'_>,
    folder: &Path,
    raw: Vec<RawEngine>,
    games: &[String],
    least: usize,
) -> Result<Vec<EngineConfig>, BadInput> {
    let mut engines: Vec<EngineConfig> = Vec::new();
    let mut names = HashSet::new();
    for (index, raw) in raw.into_iter().enumerate() {
        let checker = Checker {
            source,
            folder,
            index,
        };
        let engine = checker.check(raw, games)?;
        if !names.insert(engine.name.clone()) {
            let message = format!("name {:?} twice, expected another name", engine.name);
            return Err(checker.error(&["name".into()], message));
        }
        engines.push(engine);
    }
    for (index, game) in games.iter().enumerate() {
        let players: Vec<&str> = engines
            .iter()
            .filter(|engine| engine.games.contains(game))
            .map(|engine| engine.name.as_str())
            .collect();
        if players.len() < least {
            let found = players
                .first()
                .map_or("no engine".to_owned(), |name| format!("only {name}"));
            let steps = ["league".into(), "games".into(), index.into()];
            let expected = ["an engine", "two engines"][least - 1];
            let message = format!("{found} for {game}, expected {expected} or more");
            return Err(source.error(&steps, message));
        }
    }
    Ok(engines)
}

/// Checks the engine at `index` of the file.
struct Checker<'s, 't> {
    source: &'s Source<'t>,
    folder: &'s Path,
    index: usize,
}

impl Checker<'_, '_> {
    fn error(&self, steps: &[Step<'_>], message: String) -> BadInput {
        self.source.error(&self.steps(steps), message)
    }

    fn steps<'a>(&self, steps: &[Step<'a>]) -> Vec<Step<'a>> {
        [&["engine".into(), self.index.into()], steps].concat()
    }

    fn check(&self, raw: RawEngine, games: &[String]) -> Result<EngineConfig, BadInput> {
        if !is_plain_name(&raw.name) {
            let message = format!("name {:?}, expected {PLAIN_NAME}", raw.name);
            return Err(self.error(&["name".into()], message));
        }
        if raw.builtin.is_some() && raw.protocol != Protocol::Ugi {
            let message = "builtin with another protocol, expected ugi or none".to_owned();
            return Err(self.error(&["protocol".into()], message));
        }
        let program = match (&raw.builtin, &raw.command) {
            (Some(builtin), None) => self.builtin(builtin.clone())?,
            (None, Some(words)) => {
                let path = self.program("command", words)?;
                let directory = raw.directory.as_ref().map(|given| self.folder.join(given));
                Program::Command {
                    words: words.clone(),
                    path,
                    arguments: find_arguments(self.folder, words, directory.as_deref()),
                }
            }
            (Some(_), Some(_)) => {
                let message = "builtin and command together, expected one of them".to_owned();
                return Err(self.error(&["command".into()], message));
            }
            (None, None) => {
                let message = format!("engine {:?}, expected builtin or command", raw.name);
                return Err(self.error(&[], message));
            }
        };
        if let Err(message) = protocols::check_options(raw.protocol, &raw.options) {
            return Err(self.error(&["options".into()], message));
        }
        self.check_options(&program, &raw.options)?;
        self.check_init(raw.protocol, &raw.init)?;
        self.check_environment(&raw.environment)?;
        let confinement = self.confinement(&raw)?;
        let sent_options = match program {
            Program::Builtin(_) => with_paths(self.folder, &raw.options),
            Program::Command { .. } => raw.options.clone(),
        };
        let retries = self.retries(&raw)?;
        let letters = self.letters(&raw)?;
        let games = self.games(&raw.name, raw.games, games)?;
        self.check_fit(&program, &games)?;
        Ok(EngineConfig {
            games,
            keep: raw.keep,
            retries,
            letters,
            start_up: self.start_up(raw.start_up)?,
            name: raw.name,
            program,
            protocol: raw.protocol,
            directory: raw
                .directory
                .map(|directory| self.directory(directory))
                .transpose()?,
            options: raw.options,
            sent_options,
            init: raw.init,
            environment: raw.environment,
            confinement,
            read: self.places("read", raw.read)?,
            write: self.places("write", raw.write)?,
            hidden: Vec::new(),
            attendance: Attendance::default(),
            wrapper: self.wrapper(raw.wrapper)?,
            odds: BTreeMap::new(),
            rapid_odds: BTreeMap::new(),
        })
    }

    fn builtin(&self, name: String) -> Result<Program, BadInput> {
        let known: Vec<&str> = Algorithm::ALL.iter().map(|known| known.name).collect();
        if known.contains(&&*name) {
            return Ok(Program::Builtin(name));
        }
        let what = match AnySearch::find(&name) {
            Ok(_) => "a search of the textbooks for `referee compare`, ",
            Err(_) => "",
        };
        let message = format!(
            "builtin {name:?}, {what}expected one of {}",
            known.join(", ")
        );
        Err(self.error(&["builtin".into()], message))
    }

    /// Refuses a game that the algorithm of a built-in engine cannot play.
    fn check_fit(&self, program: &Program, games: &[String]) -> Result<(), BadInput> {
        let Program::Builtin(name) = program else {
            return Ok(());
        };
        for id in games {
            let rules = catalog::find(id).expect("the games of a league were checked");
            if let Err(message) = Algorithm::find(name).and_then(|known| rules.fits(known)) {
                let message = format!("{message}, expected games = [\"…\"] without it");
                return Err(self.error(&["builtin".into()], message));
            }
        }
        Ok(())
    }

    /// How many illegal turns in a row the engine may take back.
    fn retries(&self, raw: &RawEngine) -> Result<u32, BadInput> {
        let Illegal::Retry(retries) = raw.illegal else {
            return Ok(0);
        };
        if raw.protocol != Protocol::Sau {
            let message = "illegal = { retry = … }, expected forfeit or none: only SAU supports \
                           taking back a turn";
            return Err(self.error(&["illegal".into()], message.to_owned()));
        }
        if !(1..=MOST_RETRIES).contains(&retries) {
            let message = format!("retry = {retries}, expected 1 to {MOST_RETRIES}");
            return Err(self.error(&["illegal".into()], message));
        }
        Ok(retries)
    }

    fn letters(&self, raw: &RawEngine) -> Result<Letters, BadInput> {
        match raw.letters {
            Some(letters) if raw.protocol != Protocol::Gtp => {
                let message = format!(
                    "letters = {:?}, expected none: only GTP engines differ in their column letters",
                    letters.key()
                );
                Err(self.error(&["letters".into()], message))
            }
            letters => Ok(letters.unwrap_or_default()),
        }
    }

    fn start_up(&self, given: Option<SignedDuration>) -> Result<Option<Duration>, BadInput> {
        let Some(given) = given else {
            return Ok(None);
        };
        let time = Duration::try_from(given).unwrap_or_default();
        if time.is_zero() || time > MAX_START_UP {
            let message = format!("start_up {given:#}, expected a time above 0, at most 1h");
            return Err(self.error(&["start_up".into()], message));
        }
        Ok(Some(time))
    }

    fn program(&self, key: &str, words: &[String]) -> Result<PathBuf, BadInput> {
        find_program(self.folder, words).map_err(|message| self.error(&[key.into()], message))
    }

    fn wrapper(&self, words: Vec<String>) -> Result<Option<Wrapper>, BadInput> {
        if words.is_empty() {
            return Ok(None);
        }
        let path = self.program("wrapper", &words)?;
        Ok(Some(Wrapper { words, path }))
    }

    fn directory(&self, written: String) -> Result<Place, BadInput> {
        let place = self.place(written);
        if place.path.is_dir() {
            return Ok(place);
        }
        let message = format!("directory {:?}, expected a folder", place.written);
        Err(self.error(&["directory".into()], message))
    }

    /// Files and folders that exist.
    fn places(&self, key: &str, written: Vec<String>) -> Result<Vec<Place>, BadInput> {
        let place = |(index, written): (usize, String)| {
            let place = self.place(written);
            if place.path.exists() {
                return Ok(place);
            }
            let message = format!("{key} {:?}, expected a file or folder", place.written);
            Err(self.error(&[key.into(), index.into()], message))
        };
        written.into_iter().enumerate().map(place).collect()
    }

    fn place(&self, written: String) -> Place {
        let path = self.folder.join(&written);
        let path = std::path::absolute(&path).unwrap_or(path);
        Place { written, path }
    }

    /// Checks option names and values; each must fit on one line of a protocol.
    fn check_options(
        &self,
        program: &Program,
        options: &BTreeMap<String, Value>,
    ) -> Result<(), BadInput> {
        for (name, value) in options {
            let error =
                |message| Err(self.error(&["options".into(), name.as_str().into()], message));
            if name.is_empty() || name.chars().any(char::is_control) {
                return error(format!("option {name:?}, expected a name on one line"));
            }
            let fits = match value {
                Value::String(text) => !text.chars().any(char::is_control),
                value => value.is_number() || value.is_boolean(),
            };
            if !fits {
                return error(format!(
                    "option {name} = {value}, expected a number, a boolean, or text on one line"
                ));
            }
            if let Program::Builtin(_) = program {
                check_option(name, value).or_else(error)?;
            }
        }
        Ok(())
    }

    /// Checks the engine's own commands; each must be one line.
    fn check_init(&self, protocol: Protocol, init: &[String]) -> Result<(), BadInput> {
        if let Err(message) = protocols::check_init(protocol, init) {
            return Err(self.error(&["init".into()], format!("init, {message}")));
        }
        for (index, line) in init.iter().enumerate() {
            if let Err(message) = protocols::check_init_line(line) {
                let message = format!("init {line:?}, {message}");
                return Err(self.error(&["init".into(), index.into()], message));
            }
        }
        Ok(())
    }

    fn check_environment(&self, environment: &BTreeMap<String, String>) -> Result<(), BadInput> {
        for (name, value) in environment {
            let steps = ["environment".into(), name.as_str().into()];
            if name.is_empty() || name.contains(['=', '\0']) {
                let message = format!("variable {name:?}, expected a name without =");
                return Err(self.error(&steps, message));
            }
            if value.contains('\0') {
                let message = format!("a NUL in the variable {name}, expected text");
                return Err(self.error(&steps, message));
            }
        }
        Ok(())
    }

    /// The limits of the file, with defaults where it gives none.
    fn confinement(&self, raw: &RawEngine) -> Result<Confinement, BadInput> {
        let mut confinement = Confinement::for_options(&raw.options);
        for (key, given, least, most, limit) in [
            (
                "memory_mb",
                raw.memory_mb,
                16,
                MAX_MEMORY_MB,
                &mut confinement.memory_mb,
            ),
            (
                "processes",
                raw.processes,
                1,
                1 << 20,
                &mut confinement.processes,
            ),
            (
                "file_mb",
                raw.file_mb,
                0,
                MAX_MEMORY_MB,
                &mut confinement.file_mb,
            ),
            (
                "open_files",
                raw.open_files,
                16,
                1 << 20,
                &mut confinement.open_files,
            ),
        ] {
            let value = given.unwrap_or(*limit);
            if !(least..=most).contains(&value) {
                let message = format!("{key} {value}, expected {least} to {most}");
                return Err(self.error(&[key.into()], message));
            }
            *limit = value;
        }
        confinement.sandbox = raw.sandbox == Sandbox::Strict;
        Ok(confinement)
    }

    /// The games of the league that the engine plays.
    fn games(
        &self,
        name: &str,
        own: Option<Vec<String>>,
        games: &[String],
    ) -> Result<Vec<String>, BadInput> {
        let Some(own) = own else {
            return Ok(games.to_vec());
        };
        for (index, id) in own.iter().enumerate() {
            let steps = self.steps(&["games".into(), index.into()]);
            check_game(self.source, &steps, id)?;
        }
        let played: Vec<String> = games
            .iter()
            .filter(|id| own.contains(id))
            .cloned()
            .collect();
        if played.is_empty() {
            let message = format!(
                "no game of the league for {name}, expected some of {}",
                games.join(", ")
            );
            return Err(self.error(&["games".into()], message));
        }
        Ok(played)
    }
}
