//! Logs that commands read line by line.

use std::path::Path;

use anyhow::Result;
use base::error::tell;
use gamelog::{self, Entry};

/// Passes the lines of the log at `path` to `take`, each parsed, and says what is wrong with the log as
/// a whole. Whether it is a log: it has a line that counts, or none at all.
///
/// # Errors
/// The log cannot be read; errors of `take`.
pub(super) fn each_line<T: Send>(
    path: &Path,
    parse: impl Fn(&[u8]) -> Result<T, String> + Sync,
    mut take: impl FnMut(Entry<T>) -> Result<()>,
) -> Result<bool> {
    let mut lines = gamelog::stream(path, parse)?;
    for entry in &mut lines {
        take(entry.map_err(|error| gamelog::unreadable(path, &error))?)?;
    }
    if let Some(warning) = lines.warning(path) {
        tell(format_args!("warning: {warning}"));
    }
    Ok(lines.lines() > 0 || lines.is_empty())
}
