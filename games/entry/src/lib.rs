//! What every competition entry shares: the interface of a game, whole turns, protocols, options.

pub mod game;
pub mod sau;
pub mod turn;
pub mod ugi;

pub use game::{Game, Sau, VariantError};
