//! What all competition entries share beside the game: its options, files, books, and the engine side of
//! every protocol.

mod another;
pub mod book;
mod choose;
pub mod files;
mod machine;
pub mod networks;
pub mod options;
pub mod parameters;
mod sealed;
pub mod serve;
mod setup;
pub mod thinker;
mod thrift;
pub mod weights;
pub mod words;

pub use book::{Book, OpenBook};
pub use files::FileOption;
pub use options::Options;
pub use serve::{Refusal, run, serve};
pub use setup::Setup;
