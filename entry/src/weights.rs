//! Files of learned weights.

use std::fs;
use std::sync::Arc;

use engine_core::Settings;
use engine_core::learned::{Inputs, Model, ModelError, MoveFeatures, Shape, Weights};
use game::Searched;
use game::searched::{FeaturesOf, InputsOf};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::sealed::{self, Broken};

/// The first line, with the version of the format.
const MAGIC: &[u8] = b"learned weights of a game engine, version 1\n";
/// What the first line begins with in every version.
const ANY_MAGIC: &[u8] = b"learned weights of a game engine";

/// What weights are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// An evaluation: the option `weights`.
    Evaluation,
    /// A policy: the option `policy`.
    Policy,
}

impl Purpose {
    /// Both.
    pub const ALL: [Purpose; 2] = [Purpose::Evaluation, Purpose::Policy];

    /// The name of the option.
    pub const fn option(self) -> &'static str {
        match self {
            Purpose::Evaluation => "weights",
            Purpose::Policy => "policy",
        }
    }

    /// The weights of this purpose in settings.
    pub fn of(self, settings: &mut Settings) -> &mut Option<Arc<Weights>> {
        match self {
            Purpose::Evaluation => &mut settings.weights,
            Purpose::Policy => &mut settings.policy,
        }
    }

    /// The name of what the weights of `G` belong to: its inputs, or its features of moves.
    fn inputs<G: Searched>(self) -> &'static str {
        match self {
            Purpose::Evaluation => InputsOf::<G>::NAME,
            Purpose::Policy => FeaturesOf::<G>::NAME,
        }
    }

    /// Number of inputs or features in the variant of a position.
    fn count<G: Searched>(self, start: &G) -> usize {
        match self {
            Purpose::Evaluation => InputsOf::<G>::of(start).count(),
            Purpose::Policy => FeaturesOf::<G>::of(start).groups().iter().sum::<u32>() as usize,
        }
    }
}

/// What a file says.
#[derive(Serialize, Deserialize)]
struct Content {
    game: String,
    inputs: String,
    corrects: bool,
    hidden: u32,
    second: u32,
    /// How the weights were made.
    origin: String,
    numbers: Vec<i32>,
}

/// Why a file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// The file cannot be read: the system's message.
    #[error("{0}")]
    Unreadable(String),
    /// The file has something else.
    #[error("expected a file of learned weights, found something else")]
    Other,
    /// Another version of the format.
    #[error("expected version 1 of the format, found another version")]
    Version,
    /// The digest at the end is not that of the content.
    #[error("damaged or incomplete: the checksum at its end does not fit")]
    Damaged,
    /// Weights of another game.
    #[error("weights for {found}, expected {expected}")]
    Game {
        /// The game of the file.
        found: String,
        /// The game that is played.
        expected: &'static str,
    },
    /// Weights for inputs of another name.
    #[error("weights for the inputs {found}, expected {expected}: learn them anew")]
    Inputs {
        /// The inputs of the file.
        found: String,
        /// The inputs of this program.
        expected: &'static str,
    },
    /// The numbers are no model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A model for another number of inputs, as of another variant.
    #[error("weights for {found} inputs, expected {expected}: is it another variant of the game?")]
    Size {
        /// Inputs of the file.
        found: usize,
        /// Inputs of this variant.
        expected: usize,
    },
}

/// The content of a file of weights of `G`. `origin` says how they were made.
pub fn write<G: Searched>(weights: &Weights, origin: &str) -> Vec<u8> {
    let Shape { hidden, second, .. } = weights.model.shape();
    let content = Content {
        game: G::ID.into(),
        inputs: weights.inputs.clone(),
        corrects: weights.corrects,
        hidden: hidden as u32,
        second: second as u32,
        origin: origin.into(),
        numbers: weights.model.numbers(),
    };
    sealed::seal(MAGIC, &content)
}

/// Reads the content of a file of weights of `G`, and how they were made.
///
/// # Errors
/// It is not such a file, or damaged, or for another game, or for other inputs.
pub fn read<G: Searched>(
    bytes: &[u8],
    purpose: Purpose,
) -> Result<(Weights, String), WeightsError> {
    let content: Content = sealed::open(MAGIC, bytes).map_err(|broken| match broken {
        Broken::Other if bytes.starts_with(ANY_MAGIC) => WeightsError::Version,
        Broken::Other => WeightsError::Other,
        Broken::Damaged => WeightsError::Damaged,
    })?;
    if content.game != G::ID {
        return Err(WeightsError::Game {
            found: content.game,
            expected: G::ID,
        });
    }
    let expected = purpose.inputs::<G>();
    if content.inputs != expected {
        return Err(WeightsError::Inputs {
            found: content.inputs,
            expected,
        });
    }
    let (hidden, second) = (content.hidden as usize, content.second as usize);
    let shape = Shape::with_numbers(content.numbers.len(), hidden, second)?;
    let weights = Weights {
        inputs: content.inputs,
        model: Model::new(shape, &content.numbers)?,
        corrects: content.corrects,
    };
    Ok((weights, content.origin))
}

/// Reads weights that are part of the program.
///
/// # Panics
/// They are not weights of this version of `G`: whoever changes its inputs learns them anew.
pub fn shipped<G: Searched>(bytes: &[u8], purpose: Purpose) -> Arc<Weights> {
    match read::<G>(bytes, purpose) {
        Ok((weights, _)) => Arc::new(weights),
        Err(error) => panic!("the weights of {}: {error}", G::ID),
    }
}

/// Reads a file of weights.
///
/// # Errors
/// It cannot be read, or as for [`read`].
pub(crate) fn load<G: Searched>(file: &str, purpose: Purpose) -> Result<Weights, WeightsError> {
    let bytes = fs::read(file).map_err(|error| WeightsError::Unreadable(error.to_string()))?;
    read::<G>(&bytes, purpose).map(|(weights, _)| weights)
}

/// Checks that weights fit the variant of `start`.
///
/// # Errors
/// They are for another number of inputs.
pub(crate) fn fits<G: Searched>(
    weights: &Weights,
    purpose: Purpose,
    start: &G,
) -> Result<(), WeightsError> {
    let found = weights.model.shape().inputs;
    match purpose.count(start) {
        expected if expected == found => Ok(()),
        expected => Err(WeightsError::Size { found, expected }),
    }
}
