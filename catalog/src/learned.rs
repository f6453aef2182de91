//! A game as methods of learning see it.

use engine_core::learned::Weights;
use entry::weights;
use game::{Engine, VariantError, start};
use learning::{Environment, GameEnvironment, QSettings, Table};
use records::Recorded;
use serde_json::Value;

use crate::Entry;

/// A game as methods of learning see it.
pub trait Learned {
    /// The game of a variant as learning sees it.
    ///
    /// # Errors
    /// The game does not support the variant.
    fn environment(&self, variant: &Value) -> Result<Box<dyn Environment>, VariantError>;

    /// An empty table for Q-learning from the start of a variant.
    ///
    /// # Errors
    /// The game does not support the variant.
    ///
    /// # Panics
    /// The settings have a number outside its range.
    fn q_table(
        &self,
        variant: &Value,
        settings: QSettings,
        seed: u64,
    ) -> Result<Box<dyn Table>, VariantError>;

    /// The content of a file of this game's weights. `origin` says how they were made.
    fn weights_file(&self, weights: &Weights, origin: &str) -> Vec<u8>;
}

impl<G: Recorded + Engine> Learned for Entry<G> {
    fn environment(&self, variant: &Value) -> Result<Box<dyn Environment>, VariantError> {
        Ok(Box::new(GameEnvironment::new(start::<G>(variant)?)))
    }

    fn q_table(
        &self,
        variant: &Value,
        settings: QSettings,
        seed: u64,
    ) -> Result<Box<dyn Table>, VariantError> {
        let table = learning::table(start::<G>(variant)?, settings, seed);
        Ok(table.expect("settings in their ranges"))
    }

    fn weights_file(&self, weights: &Weights, origin: &str) -> Vec<u8> {
        weights::write::<G>(weights, origin)
    }
}
