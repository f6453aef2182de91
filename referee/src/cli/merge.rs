//! `referee merge`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use base::error::{BadInput, inform, tell};
use base::plain::games_in_words;
use serde_json::json;

use super::facts::{FormatArg, write_json};
use super::overrides::Overrides;
use lab::cluster::merging::{Merging, Outcome, Plan, Source};
use league::session::seed;
use league::session::tournament;

/// Merge the logs of a league that was played in parts
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Games already in DIR are kept, so logs can be added one after another, in any order, and more than
once. No other record of such a game replaces it.

With --league every other game is checked before it counts: its id, seed, opening, clock, engines,
options and builds are those of the plan. What does not fit is named, set aside in
DIR/games.jsonl.aside, and in no table. Without --league only the ids are compared.

If records of one game differ, none of them counts: they are set aside, too, until --prefer names
the log or folder to believe. What a record says of its time decides nothing. Of the attempts at a
shard of a submitted job, the first one counts.

Exit status: 0 no game is missing, 1 some are missing or none of their records counts, 2 bad input.

Example: referee merge shard-1 shard-2/games.jsonl --out matches/night --league night.toml
  referee merge shard-1 again-1 --prefer shard-1 --out matches/night --league night.toml")]
pub(super) struct Args {
    /// Logs, or folders with logs in them or in their subfolders, or the folder of a submitted job; -
    /// reads standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Folder of the merged log
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Of records of one game that differ, keep that in this log or folder; may be repeated
    #[arg(long, value_name = "FOLDER")]
    prefer: Vec<PathBuf>,
    /// Of records of one game that differ, keep that of the log that is given first
    #[arg(long)]
    keep_first: bool,
    /// Count games of other builds of the engines, too: rebuilt since, or built on another machine
    #[arg(long)]
    rebuilt: bool,
    /// The league file; games are checked by its plan, and the ids of missing games are printed
    #[arg(long, value_name = "FILE")]
    league: Option<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let plan = self.plan()?;
        for path in &self.prefer {
            if !path.exists() {
                let path = path.display();
                let message = format!("--prefer {path}: not found, expected one of the logs");
                return Err(BadInput(message).into());
            }
        }
        let mut sources = Source::find(&self.paths)?;
        if !self.keep_first {
            Source::in_order(&mut sources);
        }
        let merging = Merging {
            sources: &sources,
            out: &self.out,
            plan: plan.as_ref(),
            rebuilt: self.rebuilt,
            prefer: &self.prefer,
            keep_first: self.keep_first,
        };
        let outcome = merging.run()?;
        self.report(&outcome, plan.as_ref(), out)
    }

    /// The plan of the league, if it is given.
    fn plan(&self) -> Result<Option<Plan>> {
        let Some(path) = &self.league else {
            return Ok(None);
        };
        let mut config = self.overrides.load(path)?;
        seed::from_log(&mut config, path, &self.out)?;
        Ok(Some(Plan::new(tournament(config)?)))
    }

    fn report(
        &self,
        outcome: &Outcome,
        plan: Option<&Plan>,
        out: &mut dyn Write,
    ) -> Result<ExitCode> {
        for warning in &outcome.warnings {
            tell(format_args!("warning: {warning}"));
        }
        if outcome.later > 0 {
            let games = games_in_words(outcome.later);
            tell(format_args!(
                "{games} more than once; the record that was merged, preferred or first counts"
            ));
        }
        let Outcome {
            played,
            before,
            aside,
            ..
        } = outcome;
        aside.tell();
        let (count, added) = (played.len(), played.len().saturating_sub(*before));
        let league = plan.map(|plan| &plan.tournament);
        let missing = match league {
            Some(league) => league.survey(played).due,
            None => Vec::new(),
        };
        let mut ids =
            (league.into_iter()).flat_map(|league| missing.iter().map(|due| league.id(due)));
        if self.format.is_json() {
            let ids: Vec<_> = ids.collect();
            let facts = json!({
                "games": count,
                "new": added,
                "missing": ids,
                "set_aside": aside.misfit_count,
                "contested": aside.contested,
            });
            write_json(out, &facts)?;
        } else {
            ids.try_for_each(|id| writeln!(out, "{id}"))?;
        }
        let count = games_in_words(count);
        inform(match (league, missing.len()) {
            (None, _) => format!(
                "{count}, {added} of them new; checked by no plan, expected --league FILE for that"
            ),
            (Some(_), 0) => format!("{count}, {added} of them new; none are missing"),
            (Some(_), left) => format!("{count}, {added} of them new; {left} are missing"),
        });
        let is_complete = missing.is_empty() && aside.contested.is_empty();
        Ok(ExitCode::from(!is_complete as u8))
    }
}
