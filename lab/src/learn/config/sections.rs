//! The sections of a file of settings for learning, and what their numbers may be.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use catalog::Rules;
use engine_core::Algorithm;
use engine_core::learned::Shape;
use learning::{
    ChoiceSettings, FitSettings, LearnSettings, LoggedGame, Method, MmSettings, Player,
    PolicySettings, QSettings, Schedule, SelfPlay, StrengthSettings,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Task;
use crate::logged::{drawn, games};

/// Sweeps of a fit end when no strength changes by more than this share.
const TOLERANCE: f64 = 0.01;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) learn: Learn,
    model: Option<Model>,
    play: Option<Play>,
    fit: Option<Fit>,
    strength: Option<Strength>,
    policy: Option<Policy>,
    q: Option<Q>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Policy {
    algorithm: String,
    nodes: u64,
    candidates: usize,
    random_actions: [u32; 2],
    exploration: f32,
    others: usize,
    window: usize,
    prior: f64,
    sweeps: u32,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            algorithm: "pvs".into(),
            nodes: 5_000,
            candidates: 20,
            random_actions: [2, 8],
            exploration: 0.05,
            others: 31,
            window: 3,
            prior: 1.0,
            sweeps: 60,
        }
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Q {
    rate: f64,
    half_rate: f64,
    exploration: f64,
    last_exploration: f64,
    exploration_games: u64,
}

impl Default for Q {
    fn default() -> Q {
        Q {
            rate: 0.5,
            half_rate: 100.0,
            exploration: 1.0,
            last_exploration: 0.1,
            exploration_games: 10_000,
        }
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Learn {
    pub(super) game: String,
    #[serde(default = "empty")]
    pub(super) variant: Value,
    #[serde(default = "one")]
    pub(super) seed: u64,
    pub(super) iterations: u32,
    pub(super) games: u32,
    #[serde(default)]
    pub(super) logs: Vec<PathBuf>,
}

fn empty() -> Value {
    Value::Object(serde_json::Map::new())
}

fn one() -> u64 {
    1
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Model {
    hidden: usize,
    second: usize,
    corrects: bool,
}

impl Default for Model {
    fn default() -> Model {
        Model {
            hidden: 0,
            second: 0,
            corrects: true,
        }
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Play {
    method: String,
    lambda: f32,
    algorithm: String,
    nodes: u64,
    random_actions: [u32; 2],
    exploration: f32,
}

impl Default for Play {
    fn default() -> Play {
        Play {
            method: "td-leaf".into(),
            lambda: 0.7,
            algorithm: "pvs".into(),
            nodes: 200,
            random_actions: [2, 8],
            exploration: 0.02,
        }
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Fit {
    rate: f32,
    half_rate: f64,
    decay: f32,
    batch: usize,
    epochs: u32,
    window: usize,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit {
            rate: 0.005,
            half_rate: 20.0,
            decay: 0.0,
            batch: 256,
            epochs: 1,
            window: 5,
        }
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Strength {
    every: u32,
    pairs: u32,
    nodes: u64,
}

impl Default for Strength {
    fn default() -> Strength {
        Strength {
            every: 5,
            pairs: 100,
            nodes: 1_000,
        }
    }
}

impl File {
    /// Checks the numbers, and says what is to be done.
    pub(super) fn task(&self) -> Result<Task, String> {
        within("[learn] iterations", self.learn.iterations, 1, 1_000_000)?;
        within("[learn] games", self.learn.games, 1, 1_000_000)?;
        if let Some(q) = &self.q {
            self.has_none_beside("q", &["model", "play", "fit", "strength", "policy"])?;
            if !self.learn.logs.is_empty() {
                return Err("[learn] logs: [q] learns from games against itself only".into());
            }
            return Ok(Task::Table(q.settings()?));
        }
        if let Some(policy) = &self.policy {
            self.has_none_beside("policy", &["model", "play", "fit"])?;
            return Ok(Task::Policy(self.policy(policy)?));
        }
        Ok(Task::Weights(self.weights()?))
    }

    /// Refuses sections that a section excludes.
    fn has_none_beside(&self, section: &str, excluded: &[&str]) -> Result<(), String> {
        let sections = [
            ("model", self.model.is_some()),
            ("play", self.play.is_some()),
            ("fit", self.fit.is_some()),
            ("strength", self.strength.is_some()),
            ("policy", self.policy.is_some()),
        ];
        let is_wrong = |&&(name, is_there): &&(&str, bool)| is_there && excluded.contains(&name);
        match sections.iter().find(is_wrong) {
            Some((other, _)) => Err(format!(
                "[{other}]: a file with [{section}] has no such section"
            )),
            None => Ok(()),
        }
    }

    fn policy(&self, policy: &Policy) -> Result<PolicySettings, String> {
        let play = policy.play()?;
        within("[policy] window", policy.window, 1, 1_000)?;
        Ok(PolicySettings {
            games: self.learn.games,
            play,
            window: policy.window,
            fit: policy.fit()?,
            strength: self.strength(play.player)?,
            seed: self.learn.seed,
        })
    }

    /// How what is learned is measured: by the player of the games, with other limits.
    fn strength(&self, player: Player) -> Result<StrengthSettings, String> {
        let strength = self.strength.clone().unwrap_or_default();
        within("[strength] pairs", strength.pairs, 1, 1_000_000)?;
        within("[strength] nodes", strength.nodes, 1, 1_000_000_000)?;
        Ok(StrengthSettings {
            every: strength.every,
            pairs: strength.pairs,
            player: Player {
                nodes: strength.nodes,
                ..player
            },
        })
    }

    fn weights(&self) -> Result<LearnSettings, String> {
        let model = self.model.clone().unwrap_or_default();
        model
            .shape()
            .check()
            .map_err(|error| format!("[model] {error}"))?;
        let play = self.play.clone().unwrap_or_default().settings()?;
        let fit = self.fit.clone().unwrap_or_default();
        Ok(LearnSettings {
            hidden: [model.hidden, model.second],
            corrects: model.corrects,
            games: self.learn.games,
            play,
            window: fit.window,
            fit: fit.settings()?,
            half_rate: fit.half_rate,
            strength: self.strength(play.player)?,
            seed: self.learn.seed,
        })
    }
}

impl Learn {
    /// The games of the logs, in an order that the seed decides.
    pub(super) fn logged(
        &self,
        folder: &Path,
        game: &dyn Rules,
        variant: &Value,
    ) -> Result<Vec<LoggedGame>, String> {
        if self.logs.is_empty() {
            return Ok(Vec::new());
        }
        let logs: Vec<PathBuf> = self.logs.iter().map(|log| folder.join(log)).collect();
        let found = games(&logs, game, variant);
        let (mut games, _) = found.map_err(|error| format!("[learn] logs: {error}"))?;
        games.sort_by(|a, b| {
            let place = |game| drawn(self.seed, game);
            place(a).total_cmp(&place(b)).then(a.id.cmp(&b.id))
        });
        Ok(games)
    }
}

impl Model {
    fn shape(&self) -> Shape {
        Shape {
            inputs: 0,
            hidden: self.hidden,
            second: self.second,
        }
    }
}

/// Checks how games are played, by the keys of a section.
fn player(
    section: &str,
    (algorithm, nodes): (&str, u64),
    [least, most]: [u32; 2],
    exploration: f32,
) -> Result<Player, String> {
    let key = |name: &str| format!("[{section}] {name}");
    within(&key("nodes"), nodes, 1, 1_000_000_000)?;
    within(&key("exploration"), exploration, 0.0, 1.0)?;
    within(&key("random_actions: the first number"), least, 0, most)?;
    let second = key("random_actions: the second number");
    within(&second, most, least, 1_000)?;
    let algorithm = Algorithm::find(algorithm).map_err(|error| key(&error))?;
    Ok(Player {
        algorithm,
        nodes,
        candidates: None,
    })
}

impl Policy {
    fn play(&self) -> Result<ChoiceSettings, String> {
        let search = (&*self.algorithm, self.nodes);
        let player = player("policy", search, self.random_actions, self.exploration)?;
        within("[policy] candidates", self.candidates, 0, 1_000_000)?;
        within("[policy] others", self.others, 1, 1_000_000)?;
        Ok(ChoiceSettings {
            player: Player {
                candidates: (self.candidates > 0).then_some(self.candidates),
                ..player
            },
            random_actions: self.random_actions,
            exploration: self.exploration,
            others: self.others,
        })
    }

    fn fit(&self) -> Result<MmSettings, String> {
        above_0("[policy] prior", self.prior, 1_000.0)?;
        within("[policy] sweeps", self.sweeps, 1, 100_000)?;
        Ok(MmSettings {
            prior: self.prior,
            sweeps: self.sweeps,
            tolerance: TOLERANCE,
        })
    }
}

impl Play {
    fn settings(&self) -> Result<SelfPlay, String> {
        within("[play] lambda", self.lambda, 0.0, 1.0)?;
        let search = (&*self.algorithm, self.nodes);
        let player = player("play", search, self.random_actions, self.exploration)?;
        let method = match self.method.as_str() {
            "td" => Method::Td,
            "td-leaf" => Method::TdLeaf,
            other => return Err(format!("[play] method {other:?}: expected td or td-leaf")),
        };
        Ok(SelfPlay {
            player,
            method,
            lambda: self.lambda,
            random_actions: self.random_actions,
            exploration: self.exploration,
        })
    }
}

impl Fit {
    fn settings(&self) -> Result<FitSettings, String> {
        above_0("[fit] rate", self.rate.into(), 1.0)?;
        above_0("[fit] half_rate", self.half_rate, f64::MAX)?;
        within("[fit] decay", self.decay, 0.0, 1.0)?;
        within("[fit] batch", self.batch, 1, 1_000_000)?;
        within("[fit] epochs", self.epochs, 1, 1_000)?;
        within("[fit] window", self.window, 1, 1_000)?;
        Ok(FitSettings {
            rate: self.rate,
            decay: self.decay,
            batch: self.batch,
            epochs: self.epochs,
        })
    }
}

impl Q {
    fn settings(&self) -> Result<QSettings, String> {
        above_0("[q] rate", self.rate, 1.0)?;
        above_0("[q] half_rate", self.half_rate, f64::MAX)?;
        within("[q] exploration", self.exploration, 0.0, 1.0)?;
        within("[q] last_exploration", self.last_exploration, 0.0, 1.0)?;
        Ok(QSettings {
            rate: Schedule::Harmonic {
                first: self.rate,
                half: self.half_rate,
            },
            exploration: Schedule::Linear(
                self.exploration,
                self.last_exploration,
                self.exploration_games,
            ),
        })
    }
}

/// Checks that a number is in a range. NaN is in none.
fn within<N: PartialOrd + Display>(key: &str, found: N, least: N, most: N) -> Result<(), String> {
    if (&least..=&most).contains(&&found) {
        return Ok(());
    }
    Err(format!(
        "{key} {found}: expected a number from {least} to {most}"
    ))
}

/// Checks that a number is above 0 and at most `most`.
fn above_0(key: &str, found: f64, most: f64) -> Result<(), String> {
    if found > 0.0 && found <= most {
        return Ok(());
    }
    let bound = match most {
        f64::MAX => String::new(),
        most => format!(" and at most {most}"),
    };
    Err(format!("{key} {found}: expected a number above 0{bound}"))
}
