//! What every competition entry shares: the interface of a game, whole turns, protocols, options.

mod choose;
pub mod game;
mod machine;
pub mod options;
mod ponder;
pub mod sau;
pub mod serve;
pub mod standard;
pub mod thinker;
pub mod turn;
pub mod ugi;

pub use game::{Game, Sau, VariantError};
pub use options::Options;
pub use serve::{BadOption, run, serve};
pub use standard::Standard;
