//! The output of commands that tell facts: text for people, or JSON for programs.

use std::io::{self, Write};

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
#[derive(Debug, clap::Args)]
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
