//! `referee verify`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::error::tell;
use crate::log;
use crate::verify::{Replayed, Verifier};

/// Replay logged games under the rules: legality, dice, clocks, result
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Prints a line for each faulty game, then the count. Exit status 1 if any \
    is faulty.\n\nExample: referee verify matches/six-games"
)]
pub(super) struct Args {
    /// Logs, or folders with logs in them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let (mut valid, mut faulty) = (0, 0);
        for path in log::find(&self.paths)? {
            let mut lines = log::stream(&path, Replayed::from)?;
            let mut verifier = Verifier::default();
            for entry in &mut lines {
                let entry = entry.map_err(|error| log::unreadable(&path, &error))?;
                let line = entry.line;
                match verifier.check(entry) {
                    Ok(()) => valid += 1,
                    Err(fault) => {
                        faulty += 1;
                        writeln!(out, "{}:{line}: {fault}", path.display())?;
                    }
                }
            }
            if let Some(warning) = lines.warning(&path) {
                tell(format_args!("warning: {warning}"));
            }
        }
        writeln!(
            out,
            "{} games: {valid} valid, {faulty} faulty",
            valid + faulty
        )?;
        Ok(if faulty == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}
