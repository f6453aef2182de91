//! The games that a league asks for: a double round robin for every game of it.
//!
//! Ids and seeds follow from the league file alone: not from the machine, the time, the
//! concurrency, or the order of the engines. A game that is added to the file, or a round, leaves
//! the ids and seeds of the others as they are.

use std::collections::BTreeMap;
use std::path::Path;

use engine_core::Rng;
use engine_core::zobrist::mix;
use serde_json::Value;

use crate::config::{Config, EngineConfig, GameConfig, Program, Wrapper};
use crate::task::{Confinement, EngineSpec, GameTask};

/// The option that a built-in engine's random numbers follow from.
const SEED: &str = "seed";

/// All games of a league, in the order of play.
///
/// A round has one step after another; in each step every game of the league is played by one pair
/// of engines, with both sides, and another pair plays each of them. Wherever a league is cut, all
/// games and, nearly, all pairs have been played equally often, and at most one game a slot lacks
/// its twin.
///
/// `referee` is the file of this program, with which built-in engines are started.
pub fn plan(config: &Config, referee: &Path) -> Vec<GameTask> {
    let games: Vec<(&GameConfig, Vec<Pair<'_>>)> = config
        .games
        .iter()
        .map(|game| (game, pairs(config, game)))
        .collect();
    let steps = games
        .iter()
        .map(|(_, pairs)| pairs.len())
        .max()
        .unwrap_or(0);
    let mut tasks = Vec::new();
    for round in 1..=config.rounds {
        for step in 0..steps {
            for (index, (game, pairs)) in games.iter().enumerate() {
                if step < pairs.len() {
                    let [a, b] = pairs[(step + index) % pairs.len()];
                    let planner = Planner {
                        config,
                        game,
                        round,
                        referee,
                    };
                    tasks.push(planner.task(a, b));
                    tasks.push(planner.task(b, a));
                }
            }
        }
    }
    tasks
}

type Pair<'c> = [&'c EngineConfig; 2];

/// All pairs of engines that play `game`, in the order of the file.
fn pairs<'c>(config: &'c Config, game: &GameConfig) -> Vec<Pair<'c>> {
    let players: Vec<&EngineConfig> = config
        .engines
        .iter()
        .filter(|engine| engine.games.contains(&game.id))
        .collect();
    let mut pairs = Vec::new();
    for (index, &a) in players.iter().enumerate() {
        pairs.extend(players[index + 1..].iter().map(|&b| [a, b]));
    }
    pairs
}

/// What the two games of a pair have in common.
struct Planner<'c> {
    config: &'c Config,
    game: &'c GameConfig,
    round: u32,
    referee: &'c Path,
}

impl Planner<'_> {
    fn task(&self, first: &EngineConfig, second: &EngineConfig) -> GameTask {
        let seed = self.seed(first, second);
        let opening = self.opening(seed);
        GameTask {
            id: self.id(first, second, seed, &opening),
            league: self.config.name.clone(),
            game: self.game.id.clone(),
            variant: self.game.variant.clone(),
            round: self.round,
            opening,
            seed,
            first: self.engine(first, seed),
            second: self.engine(second, seed),
            clock: self.game.clock,
            pause_opponent: self.config.pause_opponent,
        }
    }

    /// The seed of a pair of games. It fits in 53 bits, the integers that every reader of JSON
    /// keeps exactly.
    fn seed(&self, a: &EngineConfig, b: &EngineConfig) -> u64 {
        let mut names = [&a.name, &b.name];
        names.sort();
        let mut digest = Digest::default();
        digest.number(self.config.seed);
        digest.text(&self.game.id);
        digest.number(u64::from(self.round));
        names.into_iter().for_each(|name| digest.text(name));
        digest.value() >> 11
    }

    /// Random actions and rolls that follow from the seed of the pair: as many as the file asks
    /// for, or fewer, so that the game is not over before the engines play.
    fn opening(&self, seed: u64) -> String {
        let mut rng = Rng::new(mix(seed));
        let rules = catalog::find(&self.game.id).expect("the games of a league were checked");
        let mut game = rules
            .start(&self.game.variant)
            .expect("variants were checked");
        let mut words = Vec::new();
        for _ in 0..self.game.random_plies {
            let mut actions = game.actions();
            let action = actions.swap_remove(rng.below(actions.len() as u32) as usize);
            game.play_words(&action)
                .expect("the action is one of the legal ones");
            if game.outcome().is_some() {
                break;
            }
            words.push(action);
        }
        words.join(" ")
    }

    /// Readable, and with a digest of all that can change the game.
    fn id(&self, first: &EngineConfig, second: &EngineConfig, seed: u64, opening: &str) -> String {
        let mut digest = Digest::default();
        digest.text(&self.config.name);
        digest.text(&self.game.id);
        digest.text(&self.game.variant.to_string());
        digest.text(&json(&self.game.clock));
        digest.number(u64::from(self.round));
        digest.number(seed);
        if !opening.is_empty() {
            digest.text(opening);
        }
        for engine in [first, second] {
            digest.engine(engine);
        }
        if self.config.pause_opponent {
            digest.text("pause_opponent");
        }
        let (game, round) = (&self.game.id, self.round);
        let (first, second) = (&first.name, &second.name);
        format!(
            "{game}-r{round}-{first}-{second}-{:08x}",
            digest.value() >> 32
        )
    }

    fn engine(&self, engine: &EngineConfig, seed: u64) -> EngineSpec {
        let (command, program, arguments, options) = match &engine.program {
            Program::Builtin(algorithm) => {
                let command = self.builtin_command(algorithm);
                let arguments = command[1..].to_vec();
                let options = builtin_options(&engine.options, &engine.name, seed);
                (command, self.referee, arguments, options)
            }
            Program::Command {
                words,
                path,
                arguments,
            } => {
                let options = engine.options.clone();
                (words.clone(), path.as_path(), arguments.clone(), options)
            }
        };
        EngineSpec {
            name: engine.name.clone(),
            command,
            program: Some(program.to_owned()),
            arguments,
            directory: engine
                .directory
                .as_ref()
                .map(|directory| directory.path.clone()),
            protocol: engine.protocol,
            options,
            environment: engine.environment.clone(),
            confinement: engine.confinement.clone(),
            wrapper: engine.wrapper.as_ref().map_or(Vec::new(), wrapper_words),
            core: None,
        }
    }

    fn builtin_command(&self, algorithm: &str) -> Vec<String> {
        ["referee", "engine", &self.game.id, "--algorithm", algorithm]
            .map(str::to_owned)
            .to_vec()
    }
}

/// The words of a wrapper, its program as it was found.
fn wrapper_words(wrapper: &Wrapper) -> Vec<String> {
    let mut words = wrapper.words.clone();
    words[0] = wrapper.path.to_string_lossy().into_owned();
    words
}

/// The options of a built-in engine, with a seed if the file gives none. The seed is not the game's
/// own, from which the dice follow.
fn builtin_options(
    options: &BTreeMap<String, Value>,
    name: &str,
    seed: u64,
) -> BTreeMap<String, Value> {
    let mut digest = Digest::default();
    digest.text(name);
    digest.number(seed);
    let mut options = options.clone();
    // Engines take the names of options in any case.
    if !options.keys().any(|name| name.eq_ignore_ascii_case(SEED)) {
        options.insert(SEED.to_owned(), Value::from(digest.value() >> 33));
    }
    options
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}

/// FNV-1a (Fowler, Noll and Vo) over fields that are told apart by their lengths, mixed at the end.
/// It is part of the format of ids and seeds and must never change.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    /// All of an engine's table that can change its play.
    fn engine(&mut self, engine: &EngineConfig) {
        self.text(&engine.name);
        match &engine.program {
            Program::Builtin(algorithm) => self.text(&json(&("builtin", algorithm))),
            Program::Command { words, .. } => self.text(&json(&("command", words))),
        }
        self.text(&json(&engine.protocol));
        self.text(&json(
            &engine
                .directory
                .as_ref()
                .map(|directory| &directory.written),
        ));
        self.text(&json(&engine.options));
        self.text(&json(&engine.environment));
        let Confinement {
            memory_mb,
            processes,
            file_mb,
            open_files,
            strict,
        } = engine.confinement;
        if engine.confinement != Confinement::for_options(&engine.options) {
            let limits = [memory_mb, processes, file_mb, open_files, strict.into()];
            limits.into_iter().for_each(|limit| self.number(limit));
        }
        if let Some(wrapper) = &engine.wrapper {
            self.text(&json(&("wrapper", &wrapper.words)));
        }
    }

    fn value(&self) -> u64 {
        mix(self.0)
    }
}

#[cfg(test)]
mod tests;
