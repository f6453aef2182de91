//! Plans a game of a league: its id, seed, opening and engines.
//!
//! All of it depends only on the league file and its seed: not on the machine, the time, the
//! concurrency, or the order of the engines. Adding a game or a round to the file does not change the ids and seeds of
//! other games.

use std::path::Path;

use base::digest::Digest;
use task::clock::ClockSpec;
use task::opening::book::Book;
use task::seed::Branch;
use task::{Confinement, EngineSpec, GameTask, IdleCpu, Letters};

use crate::config::{Config, EngineConfig, GameConfig, Program};
use crate::fixture::Fixture;

/// Plans the fixtures of one game of a league.
#[derive(Clone, Copy)]
pub(crate) struct Planner<'c> {
    pub(crate) config: &'c Config,
    pub(crate) game: &'c GameConfig,
    pub(crate) book: &'c Book,
    /// The executable of this program, which runs built-in engines.
    pub(crate) referee: &'c Path,
}

impl Planner<'_> {
    /// Plans one game.
    pub(crate) fn plan<'p>(&'p self, fixture: &'p Fixture) -> Planned<'p> {
        let [first, second] = fixture.sides.map(|entrant| &self.config.engines[entrant]);
        let plan = Plan {
            config: self.config,
            game: self.game,
            fixture,
            referee: self.referee,
        };
        let seed = plan.seed(first, second);
        let dice = plan.dice(first, second);
        let opening = self.book.get(fixture.opening as usize);
        let opening = opening.expect("the league file has been checked to have openings");
        Planned {
            id: plan.id(first, second, seed, &opening),
            plan,
            sides: [first, second],
            opening,
            seed,
            dice,
        }
    }
}

/// A planned game.
pub(crate) struct Planned<'c> {
    pub(crate) id: String,
    plan: Plan<'c>,
    sides: [&'c EngineConfig; 2],
    opening: String,
    seed: u64,
    dice: Option<u64>,
}

impl Planned<'_> {
    /// Everything needed to play it.
    pub(crate) fn task(self) -> GameTask {
        let Planned { plan, seed, .. } = self;
        let [a, b] = self.sides;
        let [first, second] =
            [a, b].map(|engine| plan.engine(engine, plan.engine_seed(engine, a, b)));
        GameTask {
            id: self.id,
            league: plan.config.name.clone(),
            stage: plan.stage(),
            game: plan.game.id.clone(),
            variant: plan.game.variant.clone(),
            round: plan.fixture.round,
            number: plan.fixture.number,
            opening: self.opening,
            seed,
            dice: self.dice,
            first,
            second,
            clock: plan.clock(),
            carried_us: None,
            adjudication: plan.game.adjudication,
            pause_opponent: plan.config.pause_opponent == Some(true),
            idle_cpu: plan.config.idle_cpu,
            overrides: plan.config.overrides.clone(),
            pace: None,
        }
    }
}

/// The parts of the league that a game depends on.
struct Plan<'c> {
    config: &'c Config,
    game: &'c GameConfig,
    fixture: &'c Fixture,
    referee: &'c Path,
}

impl Plan<'_> {
    /// Its stage as text: `groups 2`, `final`, `final rapid`. Empty for a regular game in a league
    /// of one stage with one group.
    fn stage(&self) -> String {
        let mut words = vec![self.config.stages[self.fixture.stage].name.clone()];
        if self.fixture.group > 0 {
            words.push(self.fixture.group.to_string());
        }
        words.extend(
            self.fixture
                .decider
                .map(|decider| decider.word().to_owned()),
        );
        words.retain(|word| !word.is_empty());
        words.join(" ")
    }

    fn clock(&self) -> ClockSpec {
        self.game.clock_of(self.fixture)
    }

    /// The engine's own clock, if it differs from the game's.
    fn odds(&self, engine: &EngineConfig) -> Option<ClockSpec> {
        let odds = match self.fixture.decider {
            None => &engine.odds,
            Some(_) => &engine.rapid_odds,
        };
        odds.get(&self.game.id).copied()
    }

    /// A branch of the league's seed for a pair of games.
    fn branch(&self, purpose: &str, a: &EngineConfig, b: &EngineConfig) -> Branch {
        let mut names = [&a.name, &b.name];
        names.sort();
        let mut branch = self.config.seed().branch(purpose);
        branch.text(&self.game.id);
        branch.text(&self.stage());
        branch.number(u64::from(self.fixture.round));
        branch.number(u64::from(self.fixture.pair()));
        names.into_iter().for_each(|name| branch.text(name));
        branch
    }

    /// The seed of a pair of games.
    fn seed(&self, a: &EngineConfig, b: &EngineConfig) -> u64 {
        exact_in_json(self.branch("pair", a, b))
    }

    /// The seed of the dice of a game, if it has dice of its own: an engine that stays for the
    /// second game of a pair remembers those of the first.
    fn dice(&self, first: &EngineConfig, second: &EngineConfig) -> Option<u64> {
        let rules = catalog::find(&self.game.id).expect("the games of a league were checked");
        let needed = rules.has_dice() && (first.keep || second.keep);
        needed.then(|| {
            let mut branch = self.branch("dice", first, second);
            branch.text(&first.name);
            exact_in_json(branch)
        })
    }

    /// The seed of a built-in engine in a pair of games.
    fn engine_seed(&self, engine: &EngineConfig, a: &EngineConfig, b: &EngineConfig) -> u64 {
        let mut branch = self.branch("engine", a, b);
        branch.text(&engine.name);
        branch.value() >> 33
    }

    /// A readable id that ends with a digest of everything that can change the game.
    fn id(&self, first: &EngineConfig, second: &EngineConfig, seed: u64, opening: &str) -> String {
        let mut digest = Digest::default();
        digest.text(&self.config.name);
        digest.text(&self.game.id);
        digest.text(&self.game.variant.to_string());
        digest.text(&json(&self.clock()));
        digest.number(u64::from(self.fixture.round));
        digest.number(seed);
        if !opening.is_empty() {
            digest.text(opening);
        }
        for engine in [first, second] {
            digest_engine(&mut digest, engine);
            if let Some(odds) = self.odds(engine) {
                digest.text(&json(&("clock", odds)));
            }
        }
        if self.config.pause_opponent == Some(true) {
            digest.text("pause_opponent");
        }
        if self.config.idle_cpu != IdleCpu::default() {
            digest.text(&json(&("idle_cpu", self.config.idle_cpu)));
        }
        if self.config.time_scaling {
            digest.text("time_scaling");
        }
        if !self.game.adjudication.is_none() {
            digest.text(&json(&("adjudication", self.game.adjudication)));
        }
        let (game, round, stage) = (&self.game.id, self.fixture.round, self.stage());
        digest.text(&stage);
        digest.number(u64::from(self.fixture.number));
        let mut id = game.clone();
        if !stage.is_empty() {
            id += &format!("-{}", stage.replace(' ', "-"));
        }
        id += &format!("-r{round}");
        if self.fixture.number > 0 {
            id += &format!(".{}", self.fixture.number);
        }
        let (first, second) = (&first.name, &second.name);
        format!("{id}-{first}-{second}-{:08x}", digest.value() >> 32)
    }

    /// How the engine is started. `seed` is for a built-in one.
    fn engine(&self, engine: &EngineConfig, seed: u64) -> EngineSpec {
        EngineSpec {
            clock: self.odds(engine),
            ..engine.spec(&self.game.id, self.referee, seed)
        }
    }
}

/// The first 53 bits of a branch, which every JSON reader represents exactly.
fn exact_in_json(branch: Branch) -> u64 {
    branch.value() >> 11
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}

/// Adds everything of an engine's table that can change its play.
fn digest_engine(digest: &mut Digest, engine: &EngineConfig) {
    digest.text(&engine.name);
    match &engine.program {
        Program::Builtin(algorithm) => digest.text(&json(&("builtin", algorithm))),
        Program::Command { words, .. } => digest.text(&json(&("command", words))),
    }
    digest.text(&json(&engine.protocol));
    digest.text(&json(
        &engine
            .directory
            .as_ref()
            .map(|directory| &directory.written),
    ));
    digest.text(&json(&engine.options));
    if !engine.init.is_empty() {
        digest.text(&json(&("init", &engine.init)));
    }
    digest.text(&json(&engine.environment));
    let Confinement {
        memory_mb,
        processes,
        file_mb,
        open_files,
        sandbox,
    } = engine.confinement;
    if engine.confinement != Confinement::for_options(&engine.options) {
        let limits = [memory_mb, processes, file_mb, open_files, sandbox.into()];
        limits.into_iter().for_each(|limit| digest.number(limit));
    }
    for (key, places) in [("read", &engine.read), ("write", &engine.write)] {
        if !places.is_empty() {
            let written: Vec<&str> = places.iter().map(|place| &*place.written).collect();
            digest.text(&json(&(key, written)));
        }
    }
    if engine.keep {
        digest.text("keep");
    }
    if engine.letters != Letters::default() {
        digest.text(&json(&("letters", engine.letters)));
    }
    if engine.retries > 0 {
        digest.text(&json(&("retry", engine.retries)));
    }
    if let Some(start_up) = engine.start_up {
        digest.text(&json(&("start_up", start_up.as_millis() as u64)));
    }
    if let Some(wrapper) = &engine.wrapper {
        digest.text(&json(&("wrapper", &wrapper.words)));
    }
}

#[cfg(test)]
mod tests;
