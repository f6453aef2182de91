//! Command-line arguments that change a league file for one run.

use std::path::Path;

use base::error::BadInput;
use league::config::{Config, Override};

/// The seed in a file: arguments can be read by everybody on the machine.
pub(super) fn seed(file: &str) -> Result<Override, String> {
    Override::seed(Path::new(file))
}

/// What is set instead of the file's keys.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Overrides {
    /// Set a key of the league file for this run: clock.move=1s, engine.NAME.options.threads=2; may
    /// be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Override>,
    /// File with the seed of the league, a number or 64 hexadecimal digits; - for standard input
    #[arg(long, value_name = "FILE", value_parser = seed)]
    seed: Option<Override>,
    /// Number of rounds, instead of that in [league]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Number of games at a time, instead of that in [league]
    #[arg(long, value_name = "N")]
    concurrency: Option<u32>,
    /// Only these games of the league file, separated by commas
    #[arg(long, value_name = "GAMES", value_delimiter = ',')]
    games: Vec<String>,
}

impl Overrides {
    /// Reads and checks a league file, with these keys instead of its own.
    ///
    /// # Errors
    /// One line: the file and the line, or the argument, what was found and what was expected.
    pub(super) fn load(&self, file: &Path) -> Result<Config, BadInput> {
        let mut config = Config::load(file, &self.all())?;
        if !self.games.is_empty() {
            config.only_games(&self.games)?;
        }
        Ok(config)
    }

    /// The games that are played; all if empty.
    pub(super) fn only(&self) -> &[String] {
        &self.games
    }

    /// All keys that are set.
    pub(super) fn all(&self) -> Vec<Override> {
        let numbers = [
            ("--rounds", "league.rounds", self.rounds),
            ("--concurrency", "league.concurrency", self.concurrency),
        ];
        let numbers = numbers.into_iter().filter_map(|(flag, key, number)| {
            let number = number?;
            Some(Override::new(format!("{flag} {number}"), key, number))
        });
        let set = self.set.iter().chain(&self.seed).cloned();
        set.chain(numbers).collect()
    }
}
