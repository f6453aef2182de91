//! Records of games in other formats than the log's: files, their encodings, what they turn out to be.
//!
//! | file | what is in it |
//! |---|---|
//! | `encoding.rs` | bytes as text, and back |
//! | `kind.rs` | which game and format a file is of |
//! | `file.rs` | all games of a file |
//! | `logged.rs` | a record as an entry of a log, and back |
//! | `output.rs` | new files, and their names |
//! | `scribe.rs` | the records of a league as it goes |
//!
//! The formats themselves are those of [`entry::record`].

pub mod encoding;
pub mod file;
pub mod kind;
pub mod logged;
pub mod output;
pub mod scribe;

pub use encoding::Encoding;
pub use file::{Opened, Records, Source};
pub use kind::Form;
