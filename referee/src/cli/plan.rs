//! `referee plan`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use base::error::tell;
use league::session::part::Shard;
use league::tournament::Tournament;
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
referee league), then referee merge combines the logs. Before a seed is drawn the plan has the same
games, with ? in place of what follows from the seed.

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
        let has_seed = seed::known_or_any(&mut config, &folder)?;
        let tournament = tournament(config)?;
        let plan = tournament.plan();
        if !has_seed {
            tell("no seed has been drawn yet: ? stands for what follows from it");
        }
        if tournament.is_open() {
            tell("only the games known now: later games depend on results");
        }
        let held = |index| self.shard.is_none_or(|shard| shard.holds(index));
        let plan = plan.iter().enumerate();
        let mut due = plan.filter(|&(index, _)| held(index)).map(|(_, due)| due);
        if self.format.is_json() {
            let known = if has_seed { facts } else { without_seed };
            let games = due.map(|due| known(&tournament, &tournament.task(due)));
            let games: Vec<Value> = games.collect();
            write_json(out, &games)?;
            return Ok(ExitCode::SUCCESS);
        }
        due.try_for_each(|due| {
            if has_seed {
                writeln!(out, "{}", tournament.id(due))
            } else {
                writeln!(
                    out,
                    "{}",
                    id_without_seed(&tournament, &tournament.task(due))
                )
            }
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A game's id with `?` for what follows from a seed that is not drawn yet: its last digits, and who
/// meets whom where a lot says so.
fn id_without_seed(tournament: &Tournament, task: &GameTask) -> String {
    let (start, _) = task.id.rsplit_once('-').expect("an id ends with digits");
    let names = format!("{}-{}", task.first.name, task.second.name);
    match start.strip_suffix(&names) {
        Some(start) if tournament.is_drawn() => format!("{start}?-?-?"),
        _ => format!("{start}-?"),
    }
}

/// What is planned of a game whose seed is not drawn yet: null for what follows from it.
fn without_seed(tournament: &Tournament, task: &GameTask) -> Value {
    let mut known = facts(tournament, task);
    let drawn = tournament
        .is_drawn()
        .then_some(["first", "second", "clocks"]);
    for key in ["id", "opening"]
        .into_iter()
        .chain(drawn.into_iter().flatten())
    {
        known[key] = Value::Null;
    }
    known
}

/// What is planned of a game.
fn facts(_: &Tournament, task: &GameTask) -> Value {
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
