//! The output of commands that tell facts: text for people, or JSON for programs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use gamelog::files::Files;
use serde::Serialize;

/// Output format of facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// The choice of a format.
#[derive(Debug, Default, clap::Args)]
pub(super) struct FormatArg {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl FormatArg {
    /// Whether programs will read the output.
    pub(super) fn is_json(&self) -> bool {
        self.format == Format::Json
    }
}

/// Writes one JSON object on lines of its own.
///
/// # Errors
/// It cannot be written.
pub(super) fn write_json(out: &mut dyn Write, facts: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, facts)?;
    writeln!(out)
}

/// The files of a command, as they are written in JSON.
#[derive(Default, Serialize)]
pub(super) struct FileCounts {
    read: usize,
    /// Files without a game that could be read.
    refused: usize,
    /// Files of folders that were not looked at, by kind.
    not_looked_at: BTreeMap<String, usize>,
}

impl FileCounts {
    /// The counts after all files were read.
    pub(super) fn of(files: &Files) -> FileCounts {
        FileCounts {
            read: files.read,
            refused: files.refused,
            not_looked_at: files.left_out.clone(),
        }
    }
}
