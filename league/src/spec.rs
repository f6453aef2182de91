//! How the engines of a league file are started, and those that a user names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::error::BadInput;
use catalog::AnyGame;
use serde_json::Value;
use task::{Confinement, EngineSpec, option};
use textbook::AnySearch;

use crate::config::{
    Config, EngineConfig, Place, Program, Wrapper, check_option, check_parameters, with_paths,
};

/// Name of the seed option of built-in engines.
const SEED: &str = "seed";

/// The end of the name of a league file.
const LEAGUE_FILE: &str = ".toml";

impl EngineConfig {
    /// How it is started for a game. `referee` is the program with the built-in engines, and `seed`
    /// the seed of a built-in engine whose options give none.
    pub fn spec(&self, game: &str, referee: &Path, seed: u64) -> EngineSpec {
        let (command, program, arguments, options) = match &self.program {
            Program::Builtin(algorithm) => {
                let command = builtin_command(game, algorithm);
                let arguments = command[1..].to_vec();
                let options = builtin_options(&self.sent_options, seed);
                (command, referee, arguments, options)
            }
            Program::Command {
                words,
                path,
                arguments,
            } => {
                let options = self.sent_options.clone();
                (words.clone(), path.as_path(), arguments.clone(), options)
            }
        };
        EngineSpec {
            name: self.name.clone(),
            command,
            build: String::new(),
            program: Some(program.to_owned()),
            arguments,
            directory: self
                .directory
                .as_ref()
                .map(|directory| directory.path.clone()),
            protocol: self.protocol,
            options,
            init: self.init.clone(),
            environment: self.environment.clone(),
            confinement: self.confinement.clone(),
            read: paths(&self.read),
            write: paths(&self.write),
            hidden: self.hidden.clone(),
            clock: None,
            wrapper: self.wrapper.as_ref().map_or(Vec::new(), wrapper_words),
            cores: Vec::new(),
            keep: self.keep,
            retries: self.retries,
            letters: self.letters,
            start_up: self.start_up,
        }
    }
}

/// The engine that a user names: an algorithm of this program, such as `mcts`, or `FILE.toml:NAME`,
/// an engine of a league file. `options` are set beside those of the file.
///
/// # Errors
/// There is no such engine, it does not play the game, or a built-in engine has no such option.
pub fn named(
    word: &str,
    rules: &dyn AnyGame,
    options: BTreeMap<String, Value>,
    referee: &Path,
    seed: u64,
) -> Result<EngineSpec, BadInput> {
    let in_file = word.rsplit_once(':');
    let Some((file, name)) = in_file.filter(|(file, _)| file.ends_with(LEAGUE_FILE)) else {
        return builtin(word, rules, options, referee, seed);
    };
    let engines = of_file(Path::new(file), rules)?;
    let Some(engine) = engines.iter().find(|engine| engine.name == name) else {
        let known: Vec<&str> = engines.iter().map(|engine| &*engine.name).collect();
        let known = match known.join(", ") {
            none if none.is_empty() => "an engine for it".to_owned(),
            known => format!("one of {known}"),
        };
        let game = rules.id();
        return Err(BadInput(format!(
            "{file}: no engine {name:?} for {game}, expected {known}"
        )));
    };
    let mut spec = engine.spec(rules.id(), referee, seed);
    spec.options.extend(options);
    Ok(spec)
}

/// The engines of a league file that play a game; one is enough.
///
/// # Errors
/// The file cannot be read, or something in it is wrong.
pub fn of_file(file: &Path, rules: &dyn AnyGame) -> Result<Vec<EngineConfig>, BadInput> {
    let mut engines = Config::load_engines(file)?;
    engines.retain(|engine| engine.games.iter().any(|game| game == rules.id()));
    Ok(engines)
}

fn builtin(
    name: &str,
    rules: &dyn AnyGame,
    options: BTreeMap<String, Value>,
    referee: &Path,
    seed: u64,
) -> Result<EngineSpec, BadInput> {
    let fits = AnySearch::engine(name).and_then(|algorithm| rules.fits(algorithm));
    fits.map_err(|error| {
        BadInput(format!(
            "engine {name:?}: {error}, or FILE{LEAGUE_FILE}:NAME of a league file"
        ))
    })?;
    let options = with_paths(Path::new(""), &options);
    for (option, value) in &options {
        check_option(option, value)
            .and_then(|()| check_parameters(option, value, rules))
            .map_err(|error| BadInput(format!("engine {name:?}: option {option}: {error}")))?;
    }
    let command = builtin_command(rules.id(), name);
    Ok(EngineSpec {
        name: name.to_owned(),
        program: Some(referee.to_owned()),
        arguments: command[1..].to_vec(),
        command,
        confinement: Confinement::for_options(&options),
        options: builtin_options(&options, seed),
        ..EngineSpec::default()
    })
}

fn builtin_command(game: &str, algorithm: &str) -> Vec<String> {
    ["referee", "engine", game, "--algorithm", algorithm]
        .map(str::to_owned)
        .to_vec()
}

fn paths(places: &[Place]) -> Vec<PathBuf> {
    places.iter().map(|place| place.path.clone()).collect()
}

/// The words of a wrapper, with the absolute path of its program.
fn wrapper_words(wrapper: &Wrapper) -> Vec<String> {
    let mut words = wrapper.words.clone();
    words[0] = wrapper.path.to_string_lossy().into_owned();
    words
}

/// The options of a built-in engine, with this seed if they give none.
fn builtin_options(options: &BTreeMap<String, Value>, seed: u64) -> BTreeMap<String, Value> {
    let mut options = options.clone();
    if option(&options, SEED).is_none() {
        options.insert(SEED.to_owned(), Value::from(seed));
    }
    options
}
