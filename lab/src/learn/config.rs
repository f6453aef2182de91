//! Files of settings for learning.

mod sections;

use std::fmt::Display;
use std::path::Path;

use base::error::BadInput;
use base::input;
use catalog::AnyGame;
use learning::{LearnSettings, LoggedGame, PolicySettings, QSettings};
use serde_json::Value;
use sha2::{Digest, Sha256};

use sections::File;

/// Checked settings of a run.
pub struct Config {
    /// The name of the file without its ending: the name of the run.
    pub name: String,
    /// The game.
    pub game: &'static dyn AnyGame,
    /// Its variant, with all defaults filled in.
    pub variant: Value,
    /// Number of iterations.
    pub iterations: u32,
    /// Games of an iteration.
    pub games: u32,
    /// Seed of everything random.
    pub seed: u64,
    /// What is learned, and how.
    pub task: Task,
    /// Games of logs from which the first iterations learn, in this order.
    pub logged: Vec<LoggedGame>,
    /// Digest of everything that decides what is learned. The number of iterations is not part of
    /// it: a run can go on for longer.
    pub digest: [u8; 32],
}

/// What is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Task {
    /// Weights of an evaluation.
    Weights(LearnSettings),
    /// A policy.
    Policy(PolicySettings),
    /// A table of values of all positions that occur.
    Table(QSettings),
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
        let folder = path.parent().unwrap_or(Path::new(""));
        Config::parse(&name, folder, &text, iterations).map_err(|fault| at(&fault))
    }

    /// `folder` is where paths in the file begin.
    fn parse(
        name: &str,
        folder: &Path,
        text: &str,
        iterations: Option<u32>,
    ) -> Result<Config, String> {
        let mut file: File = toml::from_str(text).map_err(|error| {
            let before = error.span().map_or("", |span| &text[..span.start]);
            let line = before.matches('\n').count() + 1;
            format!("line {line}: {}", error.message())
        })?;
        file.learn.iterations = iterations.unwrap_or(file.learn.iterations);
        let Some(game) = catalog::find(&file.learn.game) else {
            let (found, known) = (&file.learn.game, catalog::ids().join(", "));
            return Err(format!("game {found:?}: expected one of {known}"));
        };
        let variant = game
            .complete_variant(&file.learn.variant)
            .map_err(|error| format!("variant: {error}"))?;
        let task = file.task()?;
        let environment = game
            .environment(&variant)
            .map_err(|error| format!("variant: {error}"))?;
        let inputs = environment.inputs();
        let features = environment.features();
        match task {
            Task::Table(_) if game.repeats() => {
                let id = game.id();
                return Err(format!(
                    "[q] positions of {id} can repeat, which a table ignores"
                ));
            }
            Task::Table(_) => {}
            Task::Weights(_) if inputs.1 == 0 => {
                let id = game.id();
                return Err(format!(
                    "game {id:?} names no inputs to learn from in this variant"
                ));
            }
            Task::Weights(settings) => {
                let fits = game.fits(settings.play.player.algorithm);
                fits.map_err(|error| format!("[play] algorithm: {error}"))?;
            }
            Task::Policy(_) if features.1.is_empty() => {
                let id = game.id();
                return Err(format!("[policy] game {id:?} names no features of moves"));
            }
            Task::Policy(settings) => {
                let fits = game.fits(settings.play.player.algorithm);
                fits.map_err(|error| format!("[policy] algorithm: {error}"))?;
            }
        }
        let logged = file.learn.logged(folder, game, &variant)?;
        let iterations = std::mem::take(&mut file.learn.iterations);
        file.learn.variant = variant.clone();
        file.learn.logs.clear();
        let ids: Vec<&str> = logged.iter().map(|game| &*game.id).collect();
        let decisive =
            serde_json::to_vec(&(&file, ids, inputs, features)).expect("settings have text keys");
        Ok(Config {
            name: name.to_owned(),
            game,
            variant,
            iterations,
            games: file.learn.games,
            seed: file.learn.seed,
            task,
            logged,
            digest: Sha256::digest(decisive).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "[learn]\ngame = \"surakarta\"\niterations = 3\ngames = 10\n";

    fn fault(more: &str) -> String {
        match Config::parse("x", Path::new(""), &format!("{FILE}{more}"), None) {
            Ok(_) => panic!("{more} is accepted"),
            Err(fault) => fault,
        }
    }

    #[test]
    fn defaults_complete_a_short_file() {
        let config = Config::parse("x", Path::new(""), FILE, None).unwrap();
        assert_eq!((config.iterations, config.games), (3, 10));
        let longer = Config::parse("x", Path::new(""), FILE, Some(9)).unwrap();
        assert_eq!((longer.iterations, longer.digest), (9, config.digest));
        let other = Config::parse("x", Path::new(""), &format!("{FILE}seed = 2"), None).unwrap();
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
        let fault = Config::parse("x", Path::new(""), &text, None)
            .err()
            .unwrap();
        assert!(
            fault.starts_with("game \"nim\": expected one of amazons, "),
            "{fault}"
        );
    }
}
