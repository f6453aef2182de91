//! `referee drop`.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use base::error::{BadInput, tell};
use base::plain::games_in_words;
use gamelog::record::{GameRecord, Logged};
use gamelog::{self, FILE_NAME, Log, Place};

/// Give up games that were lost before their first turn, so that the league plays them again
#[derive(Debug, clap::Args)]
#[command(after_help = "\
For the games of an engine that could not start: a library was missing, a path was wrong; and, by their
ids, for games that referee decide has decided. Nothing is removed from the log; a line in it says that
a game no longer counts. Then mend the engine, and run the league again.

Example: referee drop matches/night --all
  referee drop matches/night hex-r1-pvs-theirs-e4f6f47c")]
pub(super) struct Args {
    /// Folder of the league's log
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The games: ids, as referee replay and standings.txt show them
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    ids: Vec<String>,
    /// All games that were lost before their first turn
    #[arg(long)]
    all: bool,
}

/// What is known of a game.
struct Found {
    place: Place,
    /// Why it cannot be given up, if it cannot.
    refusal: Option<String>,
    /// Whether a person has decided it.
    is_decided: bool,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let path = self.folder.join(FILE_NAME);
        if !path.is_file() {
            let folder = self.folder.display();
            return Err(BadInput(format!("{folder}: no {FILE_NAME}, expected a log")).into());
        }
        // Locks the log against a league that writes to it.
        let mut opened = Log::open(&self.folder, |_: Logged<'_>| (), |()| {})?;
        for warning in &opened.warnings {
            tell(format_args!("warning: {warning}"));
        }
        let games = find(&path)?;
        let chosen = self.choose(&games)?;
        for id in &chosen {
            let dropped = opened.log.drop_game(id, &games[*id].place);
            dropped.with_context(|| path.display().to_string())?;
            writeln!(out, "{id}")?;
        }
        let count = games_in_words(chosen.len());
        tell(format_args!(
            "{count} given up; the next run of the league plays what is missing"
        ));
        Ok(ExitCode::SUCCESS)
    }

    /// The ids of the games to give up, sorted.
    fn choose<'g>(&'g self, games: &'g HashMap<String, Found>) -> Result<Vec<&'g str>, BadInput> {
        let mut chosen: Vec<&str> = self.ids.iter().map(String::as_str).collect();
        if self.all {
            let unplayed = games.iter();
            let unplayed =
                unplayed.filter(|(_, found)| found.refusal.is_none() && !found.is_decided);
            chosen = unplayed.map(|(id, _)| id.as_str()).collect();
        }
        chosen.sort_unstable();
        chosen.dedup();
        for id in &chosen {
            let refusal = match games.get(*id) {
                None => "no such game in the log",
                Some(found) => found.refusal.as_deref().unwrap_or_default(),
            };
            if !refusal.is_empty() {
                return Err(BadInput(format!(
                    "{id}: {refusal}, expected a game that was lost before its first turn, or decided"
                )));
            }
        }
        Ok(chosen)
    }
}

/// The games of a log by their ids.
fn find(path: &Path) -> Result<HashMap<String, Found>, BadInput> {
    let mut places = Vec::new();
    gamelog::places(&[path.to_owned()], |id, place| places.push((id, place)))?;
    let found = places.into_iter().map(|(id, place)| {
        let game = place.game()?;
        let found = Found {
            refusal: refusal(&game),
            is_decided: game.decision.is_some(),
            place,
        };
        Ok((id, found))
    });
    found.collect()
}

/// Why a game cannot be given up: an engine has played, or it was not lost by a failure.
fn refusal(game: &GameRecord) -> Option<String> {
    let word = league::results::replay::word(game.reason);
    match (game.failed(), game.turns_of_engines()) {
        _ if game.decision.is_some() => None,
        (true, 0) => None,
        (true, 1) => Some("lost after a turn".to_owned()),
        (true, turns) => Some(format!("lost after {turns} turns")),
        (false, _) => Some(format!("ended by {word}")),
    }
}
