//! Helpers for several tests.

use game::Game;
use hex::Hex;

/// The start of a variant written as JSON.
pub(crate) fn start(variant: &str) -> Hex {
    let variant = serde_json::from_str(variant).expect("a variant");
    Hex::start(&variant).expect("a variant that exists")
}
