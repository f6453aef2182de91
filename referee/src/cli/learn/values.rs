//! A run that learns a table of values.

use std::io::Write;

use anyhow::{Context, Result, anyhow};
use base::error::inform;
use lab::learn::config::Config;
use lab::learn::folder::Folder;
use lab::learn::text;
use learning::{QSettings, QState, TableProgress};

use super::unsaved;
use crate::cli::facts::{FormatArg, write_json};

/// Learns from the start, or goes on from the checkpoint in the folder; then writes what came of it.
pub(super) fn run(
    config: &Config,
    settings: QSettings,
    folder: Folder,
    format: &FormatArg,
    out: &mut dyn Write,
) -> Result<()> {
    let Config {
        game,
        variant,
        seed,
        games,
        digest,
        ..
    } = config;
    let table = game.q_table(variant, settings, *seed);
    let mut table = table.map_err(|error| anyhow!("{error}"))?;
    let restored: Option<(QState, Vec<TableProgress>)> = folder.restore(*digest)?;
    let mut progress = Vec::new();
    if let Some((state, before)) = restored {
        inform(format_args!("going on after iteration {}", before.len()));
        table.restore(state);
        progress = before;
    }
    while progress.len() < config.iterations as usize {
        table.learn((*games).into());
        let step = table.progress();
        progress.push(step);
        let saved = folder.save(*digest, &(table.state(), &progress));
        saved.with_context(|| unsaved(progress.len()))?;
        inform(text::table_line(&step));
    }
    if format.is_json() {
        return Ok(write_json(out, &progress)?);
    }
    writeln!(out, "{}", text::values_table(&progress))?;
    Ok(())
}
