//! What every part uses: errors that the user can fix, files to read, and plain text.

pub mod digest;
pub mod disk;
pub mod error;
pub mod input;
pub mod plain;
pub mod table;
