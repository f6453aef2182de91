//! `referee plan`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use base::error::tell;
use league::session::part::Shard;
use serde_json::{Value, json};
use task::GameTask;

use super::facts::{FormatArg, write_json};
use super::overrides::Overrides;
use league::session::seed;
use league::session::{folder, tournament};

/// Print the ids of a league's games, one per line, in playing order
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A league can be split over several machines: each plays a part of the plan (--shard or --only of
referee league), then referee merge combines the logs.

Example: referee plan configs/six-games.toml --shard 1/4")]
pub(super) struct Args {
    /// The league file
    file: PathBuf,
    /// Folder of the log of a league that has begun, for the seed that was drawn [default:
    /// matches/<name of the league>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only the I-th of N equal parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let mut config = self.overrides.load(&self.file)?;
        let folder = folder(self.out.as_deref(), &config);
        seed::from_log(&mut config, &self.file, &folder)?;
        let tournament = tournament(config)?;
        let plan = tournament.plan();
        if tournament.is_open() {
            tell("only the games known now: later games depend on results");
        }
        let held = |index| self.shard.is_none_or(|shard| shard.holds(index));
        let plan = plan.iter().enumerate();
        let mut due = plan.filter(|&(index, _)| held(index)).map(|(_, due)| due);
        if self.format.is_json() {
            let games: Vec<Value> = due.map(|due| facts(&tournament.task(due))).collect();
            write_json(out, &games)?;
            return Ok(ExitCode::SUCCESS);
        }
        due.try_for_each(|due| writeln!(out, "{}", tournament.id(due)))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What is planned of a game.
fn facts(task: &GameTask) -> Value {
    json!({
        "id": task.id,
        "game": task.game,
        "variant": task.variant,
        "stage": task.stage,
        "round": task.round,
        "opening": task.opening,
        "first": task.first.name,
        "second": task.second.name,
        "clocks": task.clocks(),
    })
}
