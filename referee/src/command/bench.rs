//! `referee bench`.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::position::{VariantArg, bad_variant, find};

/// Measure speed on one thread
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: referee bench --playouts hex")]
pub(super) struct Args {
    /// Uniformly random games of this game, from its start
    #[arg(long, value_name = "GAME")]
    playouts: String,
    #[command(flatten)]
    variant: VariantArg,
}

/// How often is measured; the best counts, as other work can only slow a run down.
const RUNS: u64 = 5;
/// Length of one run.
const RUN: Duration = Duration::from_millis(400);

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let game = find(&self.playouts)?;
        let variant = self.variant.value()?;
        let time = |count, seed| -> Result<Duration> {
            let start = Instant::now();
            game.random_games(&variant, count, seed)
                .map_err(bad_variant)?;
            Ok(start.elapsed())
        };
        let mut count = 1;
        while time(count, 0)? < RUN / 4 {
            count *= 2;
        }
        count *= 4;
        let mut best = 0.0_f64;
        for run in 1..=RUNS {
            let rate = count as f64 / time(count, run)?.as_secs_f64();
            writeln!(
                out,
                "run {run} of {RUNS}: {count} games, {rate:.0} a second"
            )?;
            best = best.max(rate);
        }
        writeln!(out, "playouts/s {best:.0}")?;
        Ok(ExitCode::SUCCESS)
    }
}
