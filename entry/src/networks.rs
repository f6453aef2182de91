//! Files of networks.
//!
//! A file is a line that names the format, the network in postcard's encoding, and the SHA-256 digest
//! of all of that. Its numbers have half precision.

use std::fs;
use std::sync::Arc;

use engine_core::convolution::{Network, NetworkError, Shape, View};
use game::Searched;
use game::searched::ViewOf;
use half::f16;
use serde::Deserialize;
use thiserror::Error;

use crate::sealed::{self, Broken};

/// The first line, with the version of the format.
const MAGIC: &[u8] = b"network of a game engine, version 1\n";

/// What a file says.
#[derive(Deserialize)]
struct Content {
    game: String,
    view: String,
    /// How the network was made.
    #[allow(dead_code, reason = "for people who look into the file")]
    origin: String,
    planes: u32,
    channels: u32,
    blocks: u32,
    policy: u32,
    /// In half precision, the low byte first.
    numbers: Vec<u8>,
}

/// Why a file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FileError {
    /// The file cannot be read: the system's message.
    #[error("{0}")]
    Unreadable(String),
    /// The file has something else.
    #[error("expected a file of a network, found something else")]
    Other,
    /// The digest at the end is not that of the content.
    #[error("damaged or incomplete: the checksum at its end does not fit")]
    Damaged,
    /// A network for another game.
    #[error("a network for {found}, expected {expected}")]
    Game {
        /// The game of the file.
        found: String,
        /// The game that is played.
        expected: &'static str,
    },
    /// A network for a view of another name.
    #[error("a network for the view {found}, expected {expected}: train it anew")]
    View {
        /// The view of the file.
        found: String,
        /// The view of this program.
        expected: &'static str,
    },
    /// The numbers are no network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The network cannot see this variant.
    #[error("the network does not fit this variant of the game")]
    Variant,
}

impl From<Broken> for FileError {
    fn from(broken: Broken) -> FileError {
        match broken {
            Broken::Other => FileError::Other,
            Broken::Damaged => FileError::Damaged,
        }
    }
}

/// Reads the content of a file of a network for `G`.
///
/// # Errors
/// It is not such a file, or damaged, or for another game or another view.
pub fn read<G: Searched>(bytes: &[u8]) -> Result<Network, FileError> {
    let content: Content = sealed::open(MAGIC, bytes)?;
    if content.game != G::ID {
        return Err(FileError::Game {
            found: content.game,
            expected: G::ID,
        });
    }
    let expected = <ViewOf<G> as View<G>>::NAME;
    if content.view != expected {
        return Err(FileError::View {
            found: content.view,
            expected,
        });
    }
    let shape = Shape {
        planes: content.planes as usize,
        channels: content.channels as usize,
        blocks: content.blocks as usize,
        policy: content.policy as usize,
    };
    let pairs = content.numbers.as_chunks().0.iter();
    let numbers: Vec<f32> = pairs
        .map(|pair| f16::from_le_bytes(*pair).to_f32())
        .collect();
    Ok(Network::new(shape, &numbers)?)
}

/// Reads a network that is part of the program.
///
/// # Panics
/// It is no network for this version of `G`.
pub fn shipped<G: Searched>(bytes: &[u8]) -> Arc<Network> {
    match read::<G>(bytes) {
        Ok(network) => Arc::new(network),
        Err(error) => panic!("the network of {}: {error}", G::ID),
    }
}

/// Reads a file of a network.
///
/// # Errors
/// It cannot be read, or as for [`read`].
pub(crate) fn load<G: Searched>(file: &str) -> Result<Network, FileError> {
    let bytes = fs::read(file).map_err(|error| FileError::Unreadable(error.to_string()))?;
    read::<G>(&bytes)
}

/// Checks that networks see the variant of `start`.
///
/// # Errors
/// They do not.
pub(crate) fn fits<G: Searched>(start: &G) -> Result<(), FileError> {
    match ViewOf::<G>::of(start).side() {
        0 => Err(FileError::Variant),
        _ => Ok(()),
    }
}
