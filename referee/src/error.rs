//! Errors that are the user's to mend.

use thiserror::Error;

/// Input that cannot be used: a file, an argument. The message is one line that says where, what
/// was found and what was expected. The program ends with exit status 2.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BadInput(pub String);
