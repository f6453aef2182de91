//! What all competition entries share: the interface of a game, whole turns, records, protocols and
//! options.

mod another;
pub mod book;
pub mod botzone;
pub mod choice;
mod choose;
pub mod dialect;
pub mod files;
pub mod game;
pub mod gomocup;
pub mod gtp;
mod machine;
pub mod networks;
pub mod numbers;
pub mod options;
pub mod parameters;
mod ponder;
pub mod protocol;
pub mod record;
pub mod sau;
mod sealed;
pub mod serve;
pub mod standard;
pub mod thinker;
pub mod turn;
pub mod ugi;
pub mod view;
pub mod weights;

pub use book::{Book, OpenBook};
pub use choice::Choice;
pub use dialect::{Announcement, Dialect};
pub use files::FileOption;
pub use game::{
    Game, NewPlayer, Opener, PlayedEvaluator, VariantError, Wanted, evaluator, player,
    read_variant, start,
};
pub use options::Options;
pub use protocol::Protocol;
pub use serve::{Refusal, run, serve};
pub use standard::Standard;
pub use view::View;
