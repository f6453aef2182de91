//! What every competition entry shares: the interface of a game, whole turns, protocols, options.

pub mod game;
pub mod turn;

pub use game::{Game, Sau, VariantError};
