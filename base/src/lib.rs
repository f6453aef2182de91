//! What every part uses: errors that the user can fix, files to read, signals, and plain text.

pub mod digest;
pub mod disk;
pub mod error;
pub mod input;
pub mod plain;
pub mod program;
pub mod signals;
pub mod table;
