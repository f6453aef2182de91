//! Files of settings for learning.

use std::fmt::Display;
use std::path::Path;

use catalog::Rules;
use engine_core::Algorithm;
use engine_core::learned::Shape;
use learning::{FitSettings, LearnSettings, Method, Player, SelfPlay, StrengthSettings};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::base::error::BadInput;
use crate::base::input;

/// Checked settings of a run.
pub struct Config {
    /// The name of the file without its ending: the name of the run.
    pub name: String,
    /// The game.
    pub game: &'static dyn Rules,
    /// Its variant, with all defaults filled in.
    pub variant: Value,
    /// Number of iterations.
    pub iterations: u32,
    /// How the learner learns.
    pub settings: LearnSettings,
    /// Digest of everything that decides what is learned. The number of iterations is not part of
    /// it: a run can go on for longer.
    pub digest: [u8; 32],
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct File {
    learn: Learn,
    #[serde(default)]
    model: Model,
    #[serde(default)]
    play: Play,
    #[serde(default)]
    fit: Fit,
    #[serde(default)]
    strength: Strength,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Learn {
    game: String,
    #[serde(default = "empty")]
    variant: Value,
    #[serde(default = "one")]
    seed: u64,
    iterations: u32,
    games: u32,
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

impl Config {
    /// Reads a file of settings. `iterations` replaces the number in the file.
    ///
    /// # Errors
    /// One message: the file, the place, what was found and what was expected.
    pub fn load(path: &Path, iterations: Option<u32>) -> Result<Config, BadInput> {
        let at = |fault: &dyn Display| BadInput(format!("{}: {fault}", path.display()));
        let text = input::text(path).map_err(|error| at(&error))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Config::parse(&name, &text, iterations).map_err(|fault| at(&fault))
    }

    fn parse(name: &str, text: &str, iterations: Option<u32>) -> Result<Config, String> {
        let mut file: File = toml::from_str(text).map_err(|error| {
            let before = error.span().map_or("", |span| &text[..span.start]);
            let line = before.matches('\n').count() + 1;
            format!("line {line}: {}", error.message())
        })?;
        file.learn.iterations = iterations.unwrap_or(file.learn.iterations);
        file.check()?;
        let Some(game) = catalog::find(&file.learn.game) else {
            let (found, known) = (&file.learn.game, catalog::ids().join(", "));
            return Err(format!("game {found:?}: expected one of {known}"));
        };
        let variant = game
            .complete_variant(&file.learn.variant)
            .map_err(|error| format!("variant: {error}"))?;
        let settings = file.settings()?;
        (game.fits(settings.play.player.algorithm))
            .map_err(|error| format!("algorithm: {error}"))?;
        let environment = game
            .environment(&variant)
            .map_err(|error| format!("variant: {error}"))?;
        let inputs = environment.inputs();
        if inputs.1 == 0 {
            return Err(format!(
                "game {:?} has nothing to learn in this variant",
                game.id()
            ));
        }
        let iterations = std::mem::take(&mut file.learn.iterations);
        file.learn.variant = variant.clone();
        let decisive = serde_json::to_vec(&(&file, inputs)).expect("settings have text keys");
        Ok(Config {
            name: name.to_owned(),
            game,
            variant,
            iterations,
            settings,
            digest: Sha256::digest(decisive).into(),
        })
    }
}

impl File {
    /// Checks all numbers.
    fn check(&self) -> Result<(), String> {
        let File {
            learn,
            model,
            play,
            fit,
            strength,
        } = self;
        within("[learn] iterations", learn.iterations, 1, 1_000_000)?;
        within("[learn] games", learn.games, 1, 1_000_000)?;
        let shape = Shape {
            inputs: 0,
            hidden: model.hidden,
            second: model.second,
        };
        shape.check().map_err(|error| format!("[model] {error}"))?;
        within("[play] lambda", play.lambda, 0.0, 1.0)?;
        within("[play] nodes", play.nodes, 1, 1_000_000_000)?;
        within("[play] exploration", play.exploration, 0.0, 1.0)?;
        let [least, most] = play.random_actions;
        within("[play] random_actions: the first number", least, 0, most)?;
        within(
            "[play] random_actions: the second number",
            most,
            least,
            1_000,
        )?;
        above_0("[fit] rate", fit.rate.into(), 1.0)?;
        above_0("[fit] half_rate", fit.half_rate, f64::MAX)?;
        within("[fit] decay", fit.decay, 0.0, 1.0)?;
        within("[fit] batch", fit.batch, 1, 1_000_000)?;
        within("[fit] epochs", fit.epochs, 1, 1_000)?;
        within("[fit] window", fit.window, 1, 1_000)?;
        within("[strength] pairs", strength.pairs, 1, 1_000_000)?;
        within("[strength] nodes", strength.nodes, 1, 1_000_000_000)
    }

    fn settings(&self) -> Result<LearnSettings, String> {
        let method = match self.play.method.as_str() {
            "td" => Method::Td,
            "td-leaf" => Method::TdLeaf,
            other => return Err(format!("[play] method {other:?}: expected td or td-leaf")),
        };
        let algorithm =
            Algorithm::find(&self.play.algorithm).map_err(|error| format!("[play] {error}"))?;
        let player = |nodes| Player { algorithm, nodes };
        Ok(LearnSettings {
            hidden: [self.model.hidden, self.model.second],
            corrects: self.model.corrects,
            games: self.learn.games,
            play: SelfPlay {
                player: player(self.play.nodes),
                method,
                lambda: self.play.lambda,
                random_actions: self.play.random_actions,
                exploration: self.play.exploration,
            },
            window: self.fit.window,
            fit: FitSettings {
                rate: self.fit.rate,
                decay: self.fit.decay,
                batch: self.fit.batch,
                epochs: self.fit.epochs,
            },
            half_rate: self.fit.half_rate,
            strength: StrengthSettings {
                every: self.strength.every,
                pairs: self.strength.pairs,
                player: player(self.strength.nodes),
            },
            seed: self.learn.seed,
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

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "[learn]\ngame = \"surakarta\"\niterations = 3\ngames = 10\n";

    fn fault(more: &str) -> String {
        match Config::parse("x", &format!("{FILE}{more}"), None) {
            Ok(_) => panic!("{more} is accepted"),
            Err(fault) => fault,
        }
    }

    #[test]
    fn defaults_complete_a_short_file() {
        let config = Config::parse("x", FILE, None).unwrap();
        assert_eq!((config.iterations, config.settings.games), (3, 10));
        let longer = Config::parse("x", FILE, Some(9)).unwrap();
        assert_eq!((longer.iterations, longer.digest), (9, config.digest));
        let other = Config::parse("x", &format!("{FILE}seed = 2"), None).unwrap();
        assert_ne!(other.digest, config.digest);
    }

    #[test]
    fn faults_say_where_and_what_was_expected() {
        for (more, expected) in [
            (
                "[fit]\nrate = 0",
                "[fit] rate 0: expected a number above 0 and at most 1",
            ),
            (
                "[fit]\nrate = nan",
                "[fit] rate NaN: expected a number above 0 and at most 1",
            ),
            (
                "[fit]\nhalf_rate = 0",
                "[fit] half_rate 0: expected a number above 0",
            ),
            (
                "[play]\nlambda = 1.5",
                "[play] lambda 1.5: expected a number from 0 to 1",
            ),
            (
                "[play]\nlambda = nan",
                "[play] lambda NaN: expected a number from 0 to 1",
            ),
            (
                "[play]\nmethod = \"q\"",
                "[play] method \"q\": expected td or td-leaf",
            ),
            (
                "[play]\nrandom_actions = [3, 2]",
                "[play] random_actions: the first number 3: expected a number from 0 to 2",
            ),
            (
                "[model]\nhidden = 17",
                "[model] expected a hidden layer of 0 or a multiple of 16 up to 128, found 17",
            ),
            (
                "[fit]\nwindow = 0",
                "[fit] window 0: expected a number from 1 to 1000",
            ),
        ] {
            assert_eq!(fault(more), expected);
        }
        assert!(fault("[play]\nnods = 3").starts_with("line 6: unknown field `nods`"));
        assert!(fault("[play]\nalgorithm = \"x\"").starts_with("[play] "));
        let text = FILE.replace("surakarta", "nim");
        let fault = Config::parse("x", &text, None).err().unwrap();
        assert!(
            fault.starts_with("game \"nim\": expected one of amazons, "),
            "{fault}"
        );
    }
}
