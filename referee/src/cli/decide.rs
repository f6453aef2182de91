//! `referee decide`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use base::error::{BadInput, inform, tell};
use clap::ArgGroup;
use gamelog::record::{Decision, GameResult, Logged};
use gamelog::{Log, Opened};
use league::play::decided::decided;
use league::session::{folder, seed, tournament};
use league::tournament::{Ended, Played};
use task::GameTask;

use super::overrides::Overrides;

/// Decide a game of a tournament that is not played: a forfeit, an agreement, a ruling
#[derive(Debug, clap::Args)]
#[command(
    group(ArgGroup::new("result").required(true).args(["winner", "draw"])),
    after_help = "\
The decision is a line of the log, with who decided and why. It counts in the tournament, whose next
games follow from it, and not in ratings. referee drop takes it back. referee table shows which games
are due; the league must not be running.

Example: referee decide cup.toml hex-r3-ours-theirs --winner theirs --by 'Chief arbiter' --why 'power failure'
  referee decide cup.toml hex-r3-ours --draw --by 'Chief arbiter' --why 'agreed by both teams'"
)]
pub(super) struct Args {
    /// The league file
    file: PathBuf,
    /// The game: its id, or the begin of it
    game: String,
    /// The engine that wins it
    #[arg(long, value_name = "ENGINE")]
    winner: Option<String>,
    /// It is a draw
    #[arg(long)]
    draw: bool,
    /// Who decides
    #[arg(long, value_name = "NAME")]
    by: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    why: String,
    /// Folder of the log [default: matches/<name of the league>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
}

impl Args {
    pub(super) fn run(self, _: &mut dyn Write) -> Result<ExitCode> {
        for (flag, text) in [("--by", &self.by), ("--why", &self.why)] {
            if text.trim().is_empty() {
                return Err(BadInput(format!("{flag}: nothing, expected some words")).into());
            }
        }
        let mut config = self.overrides.load(&self.file)?;
        let folder = folder(self.out.as_deref(), &config);
        seed::from_log(&mut config, &self.file, &folder)?;
        let tournament = tournament(config)?;
        let mut played = Played::default();
        let keep = |game: Logged<'_>| (Ended::from(&game), game.id);
        let Opened { mut log, warnings } =
            Log::open(&folder, keep, |(ended, id)| played.add(&id, ended))?;
        for warning in warnings {
            tell(format_args!("warning: {warning}"));
        }
        let due = tournament.survey(&played).due;
        let due = due.iter().map(|due| (due, tournament.id(due)));
        let meant: Vec<_> = due.filter(|(_, id)| id.starts_with(&self.game)).collect();
        let (due, id) = match &meant[..] {
            [one] => one,
            several => match several.iter().find(|(_, id)| *id == self.game) {
                Some(one) => one,
                None => {
                    return Err(self
                        .which(several.iter().map(|(_, id)| &**id), &played)
                        .into());
                }
            },
        };
        let task = tournament.task(due);
        let result = self.result(&task)?;
        let decision = Decision {
            by: self.by,
            why: self.why,
        };
        let record = decided(&task, result, decision);
        log.append(&record)
            .context(log.path().display().to_string())?;
        inform(format_args!("{id}: decided, in {}", log.path().display()));
        Ok(ExitCode::SUCCESS)
    }

    /// That the game is none, or one of several.
    fn which<'i>(&self, mut meant: impl Iterator<Item = &'i str>, played: &Played) -> BadInput {
        let game = &self.game;
        let first: Vec<&str> = meant.by_ref().take(5).collect();
        let more = meant.count();
        BadInput(match first.len() {
            0 if played.contains(game) => {
                format!("{game}: it has a result, expected a game that is due; see referee drop")
            }
            0 => format!("{game}: no game that is due, expected one of those of referee plan"),
            _ if more > 0 => format!("{game}: which game? {} and {more} more", first.join(", ")),
            _ => format!("{game}: which game? {}", first.join(", ")),
        })
    }

    fn result(&self, task: &GameTask) -> Result<GameResult, BadInput> {
        let Some(winner) = &self.winner else {
            return Ok(GameResult::Draw);
        };
        match [&task.first.name, &task.second.name] {
            [first, _] if first == winner => Ok(GameResult::First),
            [_, second] if second == winner => Ok(GameResult::Second),
            [first, second] => Err(BadInput(format!(
                "--winner {winner}: expected {first} or {second}"
            ))),
        }
    }
}
