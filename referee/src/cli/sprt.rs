//! `referee sprt`.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use base::error::{BadInput, inform, tell};
use gamelog::record::GameRecord;
use lab::cluster::scheduler::Scheduler;
use league::config::Config;
use league::report::sprt::{Match, Outcomes};
use league::results::standings::Standings;
use league::workers::Watcher;
use serde_json::Value;
use stats::sprt::{Model, Test, Verdict};

use super::facts::{FormatArg, write_json};
use super::output::Output;
use super::overrides::Overrides;
use super::words;
use crate::cli::progress::Progress;
use base::program::command_line;
use lab::cluster::submission::Submission;
use league::session::Session;
use league::session::part::Part;

/// Test whether one engine is stronger than another (SPRT)
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Tests the first engine of the league file against the second, in pairs of games with sides
exchanged, until the sequential probability ratio test (SPRT) accepts one of two hypotheses: H0, the
difference is elo0, or H1, it is elo1. The number of rounds in the file is the maximum. Run the same
command again to resume a test.

Exit status: 0 H1 accepted, 1 H0 accepted, 3 undecided, 2 bad input.

Example: referee sprt gain.toml --elo0 0 --elo1 10
  referee sprt gain.toml --to hyperqueue
  referee sprt gain.toml --elo0=-5 --elo1 0 --model logistic --out matches/no-worse")]
pub(super) struct Args {
    /// The league file
    file: PathBuf,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    overrides: Overrides,
    /// Elo difference under H0, in units of the model
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// Elo difference under H1, in units of the model
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Probability of accepting H1 if H0 is true
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability of accepting H0 if H1 is true
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Unit of elo0 and elo1
    #[arg(long, value_parser = words::model(), default_value = Model::default().name())]
    model: Model,
    /// What is counted
    #[arg(long, value_parser = words::outcomes(), default_value = Outcomes::default().name())]
    outcomes: Outcomes,
    /// Let this scheduler play the games, in shards; it is stopped when the test has decided
    #[arg(long, value_parser = words::scheduler(), value_name = "SCHEDULER",
        conflicts_with_all = ["trace", "events", "rebuilt", "anyway"])]
    to: Option<Scheduler>,
    /// GNU parallel: a file with the names of the hosts, one a line [default: this host]
    #[arg(long, value_name = "FILE", requires = "to")]
    hosts: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArg,
}

/// Exit status of a test without a verdict; 2 is bad input, as in every command.
const UNDECIDED: u8 = 3;

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let test = self.test()?;
        let config = self.overrides.load(&self.file)?;
        let [tested, base] = config.engines.as_slice() else {
            return Err(BadInput(format!(
                "{}: {} engines, expected two",
                self.file.display(),
                config.engines.len()
            ))
            .into());
        };
        let names = [tested, base].map(|engine| engine.name.clone());
        let competition = (names, test, self.outcomes);
        let played = match self.to {
            Some(scheduler) => self.submit(scheduler, competition)?,
            None => play(config, &self.file, &self.output, competition)?,
        };
        let mut results = self.output.results(out);
        if self.format.is_json() {
            write_json(&mut *results, &played.facts())?;
        } else {
            write!(results, "{}", played.report())?;
        }
        drop(results);
        Ok(played.conclude())
    }

    /// Lets a scheduler play until the test has decided.
    fn submit(
        &self,
        scheduler: Scheduler,
        (names, test, outcomes): ([String; 2], Test, Outcomes),
    ) -> Result<Tested> {
        let submission = Submission {
            file: &self.file,
            overrides: self.overrides.all(),
            only: self.overrides.only(),
            out: self.output.out.as_deref(),
            scheduler,
            hosts: self.hosts.as_deref(),
            shard_games: None,
        };
        let competition = Match::new(names, test, outcomes);
        let end = submission.play(&mut |standings| {
            inform(competition.state(standings));
            competition.verdict(standings) != Verdict::Open
        })?;
        Ok(Tested {
            verdict: competition.verdict(&end.standings),
            left: end.missing,
            competition,
            standings: end.standings,
        })
    }

    /// The test, or an error if its parameters are invalid.
    fn test(&self) -> Result<Test, BadInput> {
        let test = Test {
            model: self.model,
            elo0: self.elo0,
            elo1: self.elo1,
            alpha: self.alpha,
            beta: self.beta,
        };
        test.check()
            .map_err(|message| BadInput(format!("--{message}")))?;
        Ok(test)
    }
}

/// A test as far as it was played.
pub(super) struct Tested {
    competition: Match,
    standings: Standings,
    verdict: Verdict,
    /// Number of games that are not played.
    left: usize,
}

/// Plays a test of the first engine of a league against the second, these two, until it has decided
/// or all games are played.
pub(super) fn play(
    config: Config,
    file: &Path,
    output: &Output,
    (names, test, outcomes): ([String; 2], Test, Outcomes),
) -> Result<Tested> {
    let settings = output.settings(&config);
    let mut session = Session::open(config, file, &settings, &Part::All)?;
    let competition = Match::new(session.rows_of(names), test, outcomes);
    session.refuse_unplanned()?;
    session.refuse_open()?;
    let progress = Progress::new(session.standings.clone(), session.live.clone());
    let mut watcher = Testing {
        competition,
        progress,
    };
    let left = match watcher.verdict() {
        Verdict::Open => session.play(&mut watcher),
        _ => Ok(0),
    };
    watcher.progress.finish();
    let left = left?;
    let standings = watcher.progress.standings();
    let verdict = watcher.verdict();
    session.write_tables(standings, left == 0 || verdict != Verdict::Open)?;
    Ok(Tested {
        standings: standings.clone(),
        competition: watcher.competition,
        verdict,
        left,
    })
}

impl Tested {
    /// The figures for JSON.
    pub(super) fn facts(&self) -> Value {
        self.competition.facts(&self.standings)
    }

    /// The report as text.
    pub(super) fn report(&self) -> String {
        self.competition.report(&self.standings)
    }

    /// Says how to go on if the test is undecided, and returns the exit status.
    pub(super) fn conclude(&self) -> ExitCode {
        if self.verdict == Verdict::Open {
            tell(match self.left {
                0 => "undecided: all rounds are played; increase rounds in the file".to_owned(),
                _ => format!("undecided. To resume: {}", command_line()),
            });
        }
        ExitCode::from(match self.verdict {
            Verdict::H1 => 0,
            Verdict::H0 => 1,
            Verdict::Open => UNDECIDED,
        })
    }
}

/// Stops the run when the test has decided.
struct Testing {
    competition: Match,
    progress: Progress,
}

impl Testing {
    fn verdict(&self) -> Verdict {
        self.competition.verdict(self.progress.standings())
    }
}

impl Watcher for Testing {
    fn planned(&mut self, more: usize) {
        self.progress.planned(more);
    }

    fn game(&mut self, game: &GameRecord) -> ControlFlow<()> {
        let competition = &self.competition;
        self.progress
            .show(game, |standings| competition.state(standings));
        if self.progress.is_plain() {
            inform(self.competition.state(self.progress.standings()));
        }
        match self.verdict() {
            Verdict::Open => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }

    fn tick(&mut self) {
        self.progress.tick();
    }
}
