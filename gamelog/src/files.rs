//! Game records in formats other than the log: files, encodings, and format detection.
//!
//! | file | what is in it |
//! |---|---|
//! | `encoding.rs` | text encodings |
//! | `kind.rs` | detection of the game and format of a file |
//! | `file.rs` | all games of a file |
//! | `folder.rs` | the files of a folder that may have games, and how many others there are |
//! | `foreign.rs` | files of this field that are not read: what they are |
//! | `logged.rs` | conversion between records and log entries |
//! | `output.rs` | output files and their names |
//!
//! [`records`] has the formats themselves.

pub mod encoding;
pub mod file;
pub mod folder;
pub mod foreign;
pub mod kind;
pub mod logged;
pub mod output;

pub use encoding::Encoding;
pub use file::{Opened, Records, Source, Take, at};
pub use folder::Files;
pub use kind::Form;
