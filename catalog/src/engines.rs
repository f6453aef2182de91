//! The engines of a game: what plays it in this program.

use engine_core::parameter::Parameter;
use engine_core::{Algorithm, Playout, Rng, StopFlag};
use entry::parameters::{self, Assignment};
use entry::{FileOption, Options, Refusal};
use game::{Engine, Standard, VariantError, start};
use records::Recorded;
use serde_json::Value;

use crate::Entry;
use crate::analyst::{self, Analyst, Means};
use crate::contest::{self, Contest};
use crate::estimates::{self, Estimate};
use crate::search::{self, Finding, Request, SearchError};

/// The engines of a game.
pub trait Engines {
    /// Whether an algorithm plays the game.
    ///
    /// # Errors
    /// A message that names the algorithm, the game, and the reason.
    fn fits(&self, algorithm: Algorithm) -> Result<(), String>;

    /// Runs a built-in engine for the game on standard input and output until it is told to quit.
    ///
    /// # Errors
    /// The variant in the options has a key or value that the game does not have, or their
    /// algorithm does not fit the game.
    fn serve(&self, options: &Options) -> Result<(), Refusal>;

    /// The algorithm that plays the game best, [`Algorithm::Best`] by its name.
    fn best(&self) -> Algorithm;

    /// The named parameters of its engines, with their defaults: those of the searches first, then
    /// those of its evaluation.
    fn parameters(&self) -> Vec<Parameter>;

    /// Checks parameters of its engines.
    ///
    /// # Errors
    /// An unknown name or a value out of range: what was found and what was expected.
    fn check_parameters(&self, assignments: &[Assignment]) -> Result<(), String>;

    /// Checks a value of an option that names a file for a variant.
    ///
    /// # Errors
    /// The game does not support the variant, or the file cannot be used for it.
    fn check_file(&self, option: FileOption, value: &str, variant: &Value) -> Result<(), String>;

    /// Typical positions of the contest's variant.
    fn standard(&self) -> Standard;

    /// Searches a position of the variant.
    ///
    /// # Errors
    /// The position cannot be searched, or the table does not fit into memory.
    fn search(
        &self,
        variant: &Value,
        position: &str,
        request: &Request,
    ) -> Result<Finding, SearchError>;

    /// A search of the positions of games of a variant that begin at the position `from`, `None` for
    /// the initial one.
    ///
    /// # Errors
    /// The variant, the position or the search is not one of the game, or memory is short.
    fn analyst(
        &self,
        variant: &Value,
        from: Option<&str>,
        means: Means,
    ) -> Result<Box<dyn Analyst>, SearchError>;

    /// Plays a game between two settings of its engine in this process, and returns the points of
    /// `First`; `None` if `stop` ended it.
    ///
    /// # Errors
    /// The contest's variant, position, words, algorithm or parameters are not those of the game, or
    /// the tables do not fit into memory.
    fn contest(&self, contest: &Contest<'_>, stop: &StopFlag) -> Result<Option<f64>, SearchError>;

    /// Evaluates the quiet positions of a game between turns, by the evaluation with each of these
    /// parameters. `from` is the position in which it begins, `None` for the initial one, and the
    /// actions and rolls of its opening. Positions after the first `skip` turns and rolls of `game`
    /// do not count.
    ///
    /// # Errors
    /// The variant, the position, a turn, or a parameter is not one of the game.
    fn estimates(
        &self,
        variant: &Value,
        from: (Option<&str>, &str),
        game: &str,
        skip: usize,
        parameters: &[Vec<Assignment>],
    ) -> Result<Vec<Estimate>, SearchError>;

    /// Plays `count` random games of a variant and returns the sum of the points of `First`.
    ///
    /// # Errors
    /// A key or a value that the game does not have.
    fn random_games(&self, variant: &Value, count: u64, seed: u64) -> Result<f64, VariantError>;
}

impl<G: Recorded + Engine> Engines for Entry<G> {
    fn fits(&self, algorithm: Algorithm) -> Result<(), String> {
        entry::options::fits::<G>(algorithm)
    }

    fn serve(&self, options: &Options) -> Result<(), Refusal> {
        entry::serve::<G>(options)
    }

    fn best(&self) -> Algorithm {
        G::settings().best
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameters::parameters::<G>()
    }

    fn check_parameters(&self, assignments: &[Assignment]) -> Result<(), String> {
        parameters::settings::<G>(assignments).map(drop)
    }

    fn check_file(&self, option: FileOption, value: &str, variant: &Value) -> Result<(), String> {
        option.check::<G>(value, variant)
    }

    fn standard(&self) -> Standard {
        G::STANDARD
    }

    fn search(
        &self,
        variant: &Value,
        position: &str,
        request: &Request,
    ) -> Result<Finding, SearchError> {
        search::search(&search::read(&start::<G>(variant)?, position)?, request)
    }

    fn analyst(
        &self,
        variant: &Value,
        from: Option<&str>,
        means: Means,
    ) -> Result<Box<dyn Analyst>, SearchError> {
        analyst::analyst::<G>(variant, from, means)
    }

    fn contest(&self, contest: &Contest<'_>, stop: &StopFlag) -> Result<Option<f64>, SearchError> {
        contest::play::<G>(contest, stop)
    }

    fn estimates(
        &self,
        variant: &Value,
        from: (Option<&str>, &str),
        game: &str,
        skip: usize,
        parameters: &[Vec<Assignment>],
    ) -> Result<Vec<Estimate>, SearchError> {
        estimates::estimates::<G>(variant, from, game, skip, parameters)
    }

    fn random_games(&self, variant: &Value, count: u64, seed: u64) -> Result<f64, VariantError> {
        let start = start::<G>(variant)?;
        let mut policy = G::Random::default();
        let mut rng = Rng::new(seed);
        Ok((0..count)
            .map(|_| policy.run(&mut start.clone(), &mut rng) as f64)
            .sum())
    }
}
