//! A run that learns weights, of an evaluation or a policy.

use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, anyhow};
use base::disk::replace;
use base::error::{BadInput, inform, shows_bar, tell_through};
use indicatif::{ProgressBar, ProgressStyle};
use lab::learn::config::Config;
use lab::learn::folder::{self, Folder};
use lab::learn::{plot, text};
use league::session::part::Shard;
use learning::{Activity, Environment, LearnError, Learns};

use super::unsaved;
use crate::cli::facts::{FormatArg, write_json};
use lab::cluster::steps::{self, Steps};

/// The game to learn from.
pub(super) fn environment(config: &Config) -> Result<Box<dyn Environment>> {
    let environment = config.game.environment(&config.variant);
    environment.map_err(|error| anyhow!("{error}"))
}

/// Learns from the start, or goes on from the checkpoint in the folder, whose state `make` gets.
/// Then writes what came of it.
pub(super) fn run<L: Learns + Send + Sync>(
    config: &Config,
    folder: Folder,
    make: impl FnOnce(Option<L::State>) -> Option<L>,
    (threads, steps): (usize, Steps),
    format: &FormatArg,
    out: &mut dyn Write,
) -> Result<()> {
    let learner = made(make(folder.restore(config.digest)?))?;
    let logged = config.logged.len();
    if logged > 0 {
        let iterations = logged.div_ceil(config.games as usize);
        inform(format_args!(
            "{logged} games of logs, from which the first {iterations} iterations learn"
        ));
    }
    let pool = pool(threads)?;
    let mut run = Run {
        config,
        folder,
        learner,
        steps,
        display: Display::new(config.iterations),
    };
    let result = pool.install(|| run.go_on());
    run.display.finish();
    result?;
    let progress = run.learner.progress();
    if format.is_json() {
        return Ok(write_json(out, &text::facts(progress))?);
    }
    writeln!(out, "{}", text::table(progress))?;
    let weights = run.folder.weights();
    writeln!(
        out,
        "{} iterations; weights: {}",
        progress.len(),
        weights.display()
    )?;
    Ok(())
}

/// Plays a shard of the games of the next iteration.
pub(super) fn run_part<L: Learns + Send + Sync>(
    config: &Config,
    folder: &Path,
    make: impl FnOnce(Option<L::State>) -> Option<L>,
    threads: usize,
    (shard, into): (Shard, &Path),
) -> Result<()> {
    let learner = made(make(folder::restore(folder, config.digest)?))?;
    let games = shard.range(learner.games() as usize);
    let played = pool(threads)?.install(|| learner.play(as_numbers(games), &|_| {}));
    let iteration = learner.progress().len() as u32 + 1;
    let played = played.map_err(|error| failed(iteration, error))?;
    steps::leave(into, &step_name(iteration), &played)
}

fn made<L>(learner: Option<L>) -> Result<L, BadInput> {
    learner.ok_or_else(|| BadInput("the checkpoint is of another model".into()))
}

fn pool(threads: usize) -> Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    Ok(pool.build()?)
}

fn step_name(iteration: u32) -> String {
    format!("iteration {iteration}")
}

/// Numbers of games, of which an iteration has less than 2³².
fn as_numbers(games: Range<usize>) -> Range<u32> {
    games.start as u32..games.end as u32
}

fn failed(iteration: u32, error: LearnError) -> anyhow::Error {
    match error {
        LearnError::Logged { .. } => BadInput(error.to_string()).into(),
        LearnError::Player(_) => anyhow!("iteration {iteration}: {error}"),
    }
}

/// A run in progress.
struct Run<'a, L> {
    config: &'a Config,
    folder: Folder,
    learner: L,
    steps: Steps,
    display: Display,
}

impl<L: Learns + Send + Sync> Run<'_, L> {
    /// Runs all iterations that are left, and saves each.
    fn go_on(&mut self) -> Result<()> {
        let done = self.learner.progress().len() as u32;
        if done > 0 {
            inform(format_args!("going on after iteration {done}"));
        }
        for iteration in done + 1..=self.config.iterations {
            let display = &self.display;
            let tell = &|activity| display.show(iteration, activity);
            let (learner, games) = (&self.learner, self.learner.games() as usize);
            let play = &mut |games| {
                let played = learner.play(as_numbers(games), tell);
                played.map_err(|error| failed(iteration, error))
            };
            let folder = self.folder.path();
            let parts = (self.steps).compute(folder, &step_name(iteration), games, play)?;
            let step = self.learner.learn(parts, tell);
            let step = step.map_err(|error| failed(iteration, error))?;
            self.save().with_context(|| unsaved(iteration as usize))?;
            inform(text::line(&step));
        }
        Ok(())
    }

    fn save(&self) -> Result<()> {
        let Config {
            game,
            name,
            seed,
            digest,
            ..
        } = self.config;
        let iteration = self.learner.progress().len();
        let origin = format!(
            "referee learn {name}.toml, seed {}, iteration {iteration}",
            seed
        );
        let weights = game.weights_file(&self.learner.weights(), &origin);
        let title = format!("{}: {name}", game.name());
        let plot = plot::svg(&title, self.learner.progress())?;
        self.folder.save(*digest, &self.learner.state())?;
        replace(&self.folder.weights(), &weights)?;
        replace(&self.folder.plot(), plot.as_bytes())?;
        Ok(())
    }
}

/// A bar on a terminal.
struct Display {
    bar: Option<ProgressBar>,
    iterations: u32,
    /// What the bar shows, so that it is drawn only when that changes.
    shown: AtomicU64,
}

/// Steps of the bar in an activity.
const STEPS: u64 = 1_000;

impl Display {
    fn new(iterations: u32) -> Display {
        let bar = shows_bar().then(|| {
            let bar = ProgressBar::new(STEPS);
            let style = ProgressStyle::with_template("{wide_bar} {msg}");
            bar.set_style(style.expect("the template is sound"));
            let above = bar.clone();
            tell_through(Some(Box::new(move |line| above.println(line))));
            bar
        });
        Display {
            bar,
            iterations,
            shown: AtomicU64::new(u64::MAX),
        }
    }

    fn show(&self, iteration: u32, activity: Activity) {
        let Some(bar) = &self.bar else {
            return;
        };
        let (what, share) = match activity {
            Activity::Playing(done, all) => ("playing", f64::from(done) / f64::from(all)),
            Activity::Fitting(share) => ("fitting", share),
            Activity::Measuring(done, all) => ("measuring", f64::from(done) / f64::from(all)),
        };
        let step = (share * STEPS as f64) as u64;
        if self.shown.swap(step, Ordering::Relaxed) != step {
            bar.set_message(format!(
                "iteration {iteration} of {}, {what}",
                self.iterations
            ));
            bar.set_position(step);
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            tell_through(None);
            bar.finish_and_clear();
        }
    }
}
