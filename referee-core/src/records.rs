//! Game records in formats other than the log: files, encodings, and format detection.
//!
//! | file | what is in it |
//! |---|---|
//! | `encoding.rs` | text encodings |
//! | `kind.rs` | detection of the game and format of a file |
//! | `file.rs` | all games of a file |
//! | `logged.rs` | conversion between records and log entries |
//! | `output.rs` | output files and their names |
//!
//! [`entry::record`] has the formats themselves.

pub mod encoding;
pub mod file;
pub mod kind;
pub mod logged;
pub mod output;

pub use encoding::Encoding;
pub use file::{Opened, Records, Source};
pub use kind::Form;
