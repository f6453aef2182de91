//! `referee sprt`.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use base::error::{BadInput, inform, tell};
use gamelog::FILE_NAME;
use gamelog::record::{GameRecord, Logged};
use lab::cluster::scheduler::Scheduler;
use league::config::{Config, MAX_ROUNDS};
use league::report::sprt::{Match, Outcomes, Question};
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
difference is elo0, or H1, it is elo1. If the file or --rounds gives a number of rounds, that is the
maximum. Run the same command again to resume a test.

A game without openings in the file, and without dice, begins with the balanced openings that are shipped,
unless --to is given.

Games that engines repeat move for move because they answer alike every time count once. Games that were
in progress at the decision do not count.

A league file of two engines is enough; without one, referee match ./new ./old --game hex --sprt 0..5.
  league = { name = \"gain\", games = [\"hex\"] }
  clock = { move = \"100ms\" }
  engine = [
    { name = \"new\", command = [\"./new\"] },
    { name = \"old\", command = [\"./old\"] },
  ]

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
    #[arg(long, default_value_t = Test::default().elo0, allow_negative_numbers = true)]
    elo0: f64,
    /// Elo difference under H1, in units of the model
    #[arg(long, default_value_t = Test::default().elo1, allow_negative_numbers = true)]
    elo1: f64,
    /// Probability of accepting H1 if H0 is true
    #[arg(long, default_value_t = Test::default().alpha)]
    alpha: f64,
    /// Probability of accepting H0 if H1 is true
    #[arg(long, default_value_t = Test::default().beta)]
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

/// Whether a test may play balanced openings that its file does not name: it has not begun, or it does so
/// already.
fn may_be_balanced(folder: &Path) -> Result<bool> {
    let log = folder.join(FILE_NAME);
    let (mut games, mut opened) = (0, 0);
    if log.exists() {
        let has_opening = |game: Logged<'_>| !game.opening.is_empty();
        gamelog::each(&[log], has_opening, |has_opening| {
            games += 1;
            opened += usize::from(has_opening);
        })?;
    }
    Ok(games == opened)
}

/// Exit status of a test without a verdict; 2 is bad input, as in every command.
const UNDECIDED: u8 = 3;

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let test = self.test()?;
        let mut config = self.overrides.load(&self.file)?;
        let mut balanced = config.clone();
        let games = balanced.balance().join(", ");
        let folder = self.output.settings(&config).folder;
        if self.to.is_none() && !games.is_empty() && may_be_balanced(&folder)? {
            inform(format_args!(
                "{games}: the file has no openings; the balanced ones that are shipped are played"
            ));
            config = balanced;
        }
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
        if self.to.is_some() && !config.are_rounds_given() {
            return Err(BadInput(format!(
                "{}: no rounds, expected --rounds with --to: the most that the jobs may play",
                self.file.display()
            ))
            .into());
        }
        let played = match self.to {
            Some(scheduler) => self.submit(scheduler, competition)?,
            None => play(config, &self.file, &self.output, competition)?,
        };
        let results = &mut *self.output.results(out);
        played.write(self.format.is_json(), results)?;
        Ok(played.conclude(&command_line()))
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
        let followed = |standings: &Standings| {
            let mut competition = competition.clone();
            competition.follow(standings);
            competition
        };
        let end = submission.play(&mut |standings| {
            let test = followed(standings);
            inform(test.line());
            // Shards are merged in another order each time: a test must not find the best of these orders.
            test.verdict() != Verdict::Open && test.verdict_of_all() == test.verdict()
        })?;
        Ok(Tested {
            left: end.missing,
            competition: followed(&end.standings),
            stuck: None,
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
    /// Number of games that are not played.
    left: usize,
    /// Why more games would decide nothing.
    stuck: Option<String>,
}

/// Rounds that are planned at a time where nobody limits them.
const MORE_ROUNDS: u32 = 1_000;

/// Plays a test of the first engine of a league against the second, these two, until it has decided
/// or all games are played.
pub(super) fn play(
    mut config: Config,
    file: &Path,
    output: &Output,
    (names, test, outcomes): ([String; 2], Test, Outcomes),
) -> Result<Tested> {
    if config.are_rounds_given() {
        return play_rounds(config, file, output, (names, test, outcomes));
    }
    let mut rounds = MORE_ROUNDS;
    loop {
        config.set_rounds(rounds);
        let competition = (names.clone(), test, outcomes);
        let played = play_rounds(config.clone(), file, output, competition)?;
        let is_open = played.left == 0 && played.competition.verdict() == Verdict::Open;
        if !is_open || played.stuck.is_some() || rounds == MAX_ROUNDS {
            return Ok(played);
        }
        rounds = MAX_ROUNDS.min(2 * rounds);
    }
}

/// The same, up to the rounds of the league.
fn play_rounds(
    config: Config,
    file: &Path,
    output: &Output,
    (names, test, outcomes): ([String; 2], Test, Outcomes),
) -> Result<Tested> {
    let settings = output.settings(&config);
    let mut session = Session::open(config, file, &settings, &Part::All)?;
    let mut competition = Match::new(session.rows_of(names), test, outcomes);
    session.refuse_unplanned()?;
    session.refuse_open()?;
    competition.follow(&session.standings);
    let question = competition.question();
    let before = Question::read(&settings.folder).filter(|before| before != question);
    if let (Some(Question { test, .. }), true) = (before, session.standings.all.facts.games() > 0) {
        let Test { elo0, elo1, .. } = test;
        tell(format_args!(
            "warning: these games were begun as a test of elo0 {elo0} and elo1 {elo1}, or otherwise; a \
             question that is chosen after the results has larger errors than it says"
        ));
    }
    let kept = question.keep(&settings.folder);
    kept.with_context(|| settings.folder.display().to_string())?;
    let progress = Progress::new(session.standings.clone(), session.live.clone());
    let mut watcher = Testing {
        competition,
        progress,
    };
    let left = if watcher.is_over() {
        Ok(0)
    } else {
        session.play(&mut watcher)
    };
    watcher.progress.finish();
    let Testing {
        competition,
        progress,
    } = watcher;
    let left = left?;
    let is_decided = competition.verdict() != Verdict::Open;
    session.write_tables(progress.standings(), left == 0 || is_decided)?;
    Ok(Tested {
        stuck: competition.is_stuck().filter(|_| !is_decided),
        competition,
        left,
    })
}

impl Tested {
    /// The figures for JSON.
    pub(super) fn facts(&self) -> Value {
        self.competition.facts()
    }

    /// The report as text.
    pub(super) fn report(&self) -> String {
        self.competition.report()
    }

    /// Writes the figures as JSON, or the report as text.
    pub(super) fn write(&self, json: bool, out: &mut dyn Write) -> Result<()> {
        if json {
            return Ok(write_json(out, &self.facts())?);
        }
        Ok(write!(out, "{}", self.report())?)
    }

    /// Says how to go on if the test is undecided, and returns the exit status. `command` resumes the
    /// test.
    pub(super) fn conclude(&self, command: &str) -> ExitCode {
        let verdict = self.competition.verdict();
        if verdict == Verdict::Open {
            tell(match (&self.stuck, self.left) {
                (Some(why), _) => format!("undecided: {why}"),
                (None, 0) => {
                    "undecided: all rounds are played; increase --rounds, or the rounds in the file"
                        .to_owned()
                }
                _ => format!("undecided. To resume: {command}"),
            });
        }
        ExitCode::from(match verdict {
            Verdict::H1 => 0,
            Verdict::H0 => 1,
            Verdict::Open => UNDECIDED,
        })
    }
}

/// Stops the run when the test has decided, or more games would decide nothing.
struct Testing {
    competition: Match,
    progress: Progress,
}

impl Testing {
    fn is_over(&self) -> bool {
        self.competition.verdict() != Verdict::Open || self.competition.is_stuck().is_some()
    }
}

impl Watcher for Testing {
    fn planned(&mut self, more: usize) {
        self.progress.planned(more);
    }

    fn game(&mut self, game: &GameRecord) -> ControlFlow<()> {
        let competition = &mut self.competition;
        self.progress.show(game, |standings| {
            competition.follow(standings);
            competition.line()
        });
        // A terminal shows the line now and then only.
        competition.follow(self.progress.standings());
        if self.progress.is_plain() {
            inform(self.competition.line());
        }
        if self.is_over() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn tick(&mut self) {
        self.progress.tick();
    }
}
