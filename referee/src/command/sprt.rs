//! `referee sprt`.

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::Result;

use super::session::{Place, Session, again};
use super::shard::Part;
use crate::config::Config;
use crate::error::{BadInput, tell};
use crate::league::Watcher;
use crate::progress::Progress;
use crate::record::GameRecord;
use crate::sprt::{Match, Outcomes};
use crate::stats::sprt::{Model, Test, Verdict};

/// Test whether one engine is stronger than another, with as few games as it takes
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Of the two engines of the league file the first is tested against the second, in pairs of games with
sides exchanged, until the sequential probability ratio test accepts one of two hypotheses: H0, that
the difference is elo0, or H1, that it is elo1. At most so many rounds are played as the file says.
Started again, it goes on where it was stopped.

Exit status: 0 H1 was accepted, 1 H0 was, or nothing is decided yet, 2 bad input.

Example: referee sprt gain.toml --elo0 0 --elo1 10
  referee sprt gain.toml --elo0=-5 --elo1 0 --model logistic --out matches/no-worse")]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    /// The difference under H0, Elo of the model
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// The difference under H1, Elo of the model
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Chance to accept H1 where H0 holds
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Chance to accept H0 where H1 holds
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// The unit of elo0 and elo1
    #[arg(long, value_enum, default_value_t)]
    model: Model,
    /// What is counted
    #[arg(long, value_enum, default_value_t)]
    outcomes: Outcomes,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let test = self.test()?;
        let config = Config::load(&self.place.file)?;
        let [tested, base] = config.engines.as_slice() else {
            return Err(BadInput(format!(
                "{}: {} engines, expected the two that are compared",
                self.place.file.display(),
                config.engines.len()
            ))
            .into());
        };
        let names = [tested, base].map(|engine| engine.name.clone());
        let competition = Match::new(names, test, self.outcomes);
        let mut session = Session::open(config, &self.place, &Part::default())?;
        session.refuse_strangers()?;
        session.refuse_results()?;
        let progress = Progress::new(session.standings.clone());
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
        session.tables(standings)?;
        let report = watcher.competition.report(standings);
        write!(self.place.results(out), "{report}")?;
        let verdict = watcher.verdict();
        if verdict == Verdict::Open {
            tell(match left {
                0 => "undecided: all rounds of the file are played; give it more".to_owned(),
                _ => format!("undecided. To go on: {}", again()),
            });
        }
        Ok(ExitCode::from((verdict != Verdict::H1) as u8))
    }

    /// The test, if it makes sense.
    fn test(&self) -> Result<Test, BadInput> {
        let near = -Test::FARTHEST..=Test::FARTHEST;
        let sound = near.contains(&self.elo0) && near.contains(&self.elo1);
        if !sound || self.elo0 >= self.elo1 {
            return Err(BadInput(format!(
                "--elo0 {} --elo1 {}: expected elo0 below elo1, both within ±{}",
                self.elo0,
                self.elo1,
                Test::FARTHEST
            )));
        }
        for (name, chance) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(chance > 0.0 && chance < 0.5) {
                return Err(BadInput(format!(
                    "--{name} {chance}: expected a chance above 0 and below 0.5"
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

/// Plays until the test has decided.
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
            tell(self.competition.state(self.progress.standings()));
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
