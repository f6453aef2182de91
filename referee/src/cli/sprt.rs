//! `referee sprt`.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use referee_core::base::error::{BadInput, inform, tell};
use referee_core::league::workers::Watcher;
use referee_core::log::record::GameRecord;
use referee_core::report::sprt::{Match, Outcomes};
use referee_core::stats::sprt::{Model, Test, Verdict};

use super::facts::{FormatArg, write_json};
use super::overrides::Overrides;
use super::session::{Output, Session, command_line};
use super::shard::Part;
use crate::cli::progress::Progress;

/// Test whether one engine is stronger than another (SPRT)
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Tests the first engine of the league file against the second, in pairs of games with sides
exchanged, until the sequential probability ratio test (SPRT) accepts one of two hypotheses: H0, the
difference is elo0, or H1, it is elo1. The number of rounds in the file is the maximum. Run the same
command again to resume a test.

Exit status: 0 H1 accepted, 1 H0 accepted, 3 undecided, 2 bad input.

Example: referee sprt gain.toml --elo0 0 --elo1 10
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
    #[arg(long, value_enum, default_value_t)]
    model: Model,
    /// What is counted
    #[arg(long, value_enum, default_value_t)]
    outcomes: Outcomes,
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
        let mut session = Session::open(config, &self.file, &self.output, &Part::default())?;
        let competition = Match::new(session.rows_of(names), test, self.outcomes);
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
        let competition = &watcher.competition;
        let mut results = self.output.results(out);
        if self.format.is_json() {
            write_json(&mut *results, &competition.facts(standings))?;
        } else {
            write!(results, "{}", competition.report(standings))?;
        }
        drop(results);
        if verdict == Verdict::Open {
            tell(match left {
                0 => "undecided: all rounds are played; increase rounds in the league file"
                    .to_owned(),
                _ => format!("undecided. To resume: {}", command_line()),
            });
        }
        Ok(ExitCode::from(match verdict {
            Verdict::H1 => 0,
            Verdict::H0 => 1,
            Verdict::Open => UNDECIDED,
        }))
    }

    /// The test, or an error if its parameters are invalid.
    fn test(&self) -> Result<Test, BadInput> {
        let near = -Test::MAX_ELO..=Test::MAX_ELO;
        let sound = near.contains(&self.elo0) && near.contains(&self.elo1);
        if !sound || self.elo0 >= self.elo1 {
            return Err(BadInput(format!(
                "--elo0 {} --elo1 {}: expected elo0 below elo1, both within ±{}",
                self.elo0,
                self.elo1,
                Test::MAX_ELO
            )));
        }
        for (name, chance) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(chance > 0.0 && chance < 0.5) {
                return Err(BadInput(format!(
                    "--{name} {chance}: expected a probability above 0 and below 0.5"
                )));
            }
        }
        Ok(Test {
            model: self.model,
            elo0: self.elo0,
            elo1: self.elo1,
            alpha: self.alpha,
            beta: self.beta,
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
