//! `referee tune`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::error::{BadInput, inform, shows_bar, tell};
use base::signals;
use engine_core::StopFlag;
use indicatif::{ProgressBar, ProgressStyle};
use lab::tune::config::{NEW, OLD};
use lab::tune::spsa::{Points, Trials};
use lab::tune::{Checkpoint, Folder, Tuning, of_folder, plot, report, spsa, texel};
use league::report::sprt::Outcomes;
use league::session::part::Shard;
use serde_json::Value;

use super::facts::write_json;
use super::output::Output;
use super::sprt::{self, Tested};
use super::steps::StepsArgs;
use base::program::command_line;
use lab::cluster::steps::{self, Steps};

/// Tune parameters of a built-in engine, and test the result (SPSA, Texel's method)
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SPSA plays pairs of games between two engines whose parameters are moved in opposite directions, and
moves the parameters toward the winner. Texel's method fits weights of an evaluation to the results of
logged games. Then the new values play against the old ones until an SPRT decides; its games are
logged as those of a league. configs/README.md describes the file, `referee engine GAME --parameters`
lists the parameters.

Run the same command again to resume. With limits of nodes or depth, an interrupted tuning ends with
the same values as one that was not interrupted. With --to a scheduler plays the games of each
iteration in shards (docs/cluster.md), and this machine the closing test; the values are the same.

Exit status: 0 the new values are stronger (H1), or there is no test; 1 they are not (H0);
3 undecided or interrupted; 2 bad input.

Example: referee tune configs/tune/short.toml
  referee tune weights.toml --out matches/weights --plot weights.svg --format markdown > report.md
  referee tune weights.toml --no-sprt
  referee tune weights.toml --to hyperqueue --shards 64")]
pub(super) struct Args {
    /// The tuning file
    file: PathBuf,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    steps: StepsArgs,
    /// Write the parameters over the iterations as SVG to this file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Do not play the closing test
    #[arg(long)]
    no_sprt: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Output format of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Lines and a table for people.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// A table in Markdown.
    Markdown,
}

/// Exit status of a tuning that was interrupted, as of a test without a verdict.
const INTERRUPTED: u8 = 3;

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let tuning = Tuning::load(&self.file)?;
        let default = || Path::new("matches").join(&tuning.name);
        let path = self.output.out.clone().unwrap_or_else(default);
        signals::survive_full_files().context("cannot listen to SIGXFSZ")?;
        if let Some((shard, into)) = self.steps.part() {
            play_part(&tuning, &path, shard, into)?;
            return Ok(ExitCode::SUCCESS);
        }
        let (mut folder, mut checkpoint) = Folder::open(&path, &tuning)?;
        if !tune(&tuning, &mut folder, &mut checkpoint, &self.steps.steps())? {
            tell(format_args!(
                "stopped after iteration {}. To resume: {}",
                checkpoint.iteration,
                command_line()
            ));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        if let Some(file) = &self.plot {
            let text = plot::svg(&tuning, &checkpoint)?;
            std::fs::write(file, text)
                .map_err(|error| BadInput(format!("--plot {}: {error}", file.display())))?;
        }
        let tested = self.test(&tuning, &checkpoint, folder.path())?;
        self.write(&tuning, &checkpoint, tested.as_ref(), out)?;
        Ok(tested.map_or(ExitCode::SUCCESS, |tested| tested.conclude(&command_line())))
    }

    /// Plays the closing test, if there is something to test.
    fn test(
        &self,
        tuning: &Tuning,
        checkpoint: &Checkpoint,
        folder: &Path,
    ) -> Result<Option<Tested>> {
        let values = tuning.rounded(&checkpoint.values());
        if self.no_sprt || tuning.rounds == 0 {
            return Ok(None);
        }
        if !tuning.has_changed(&values) {
            tell("the rounded values are those at the start: nothing to test");
            return Ok(None);
        }
        let mut output = self.output.clone();
        output.out = Some(folder.join("sprt"));
        let names = [NEW, OLD].map(str::to_owned);
        let competition = (names, tuning.test, Outcomes::Pairs);
        sprt::play(tuning.closing(&values)?, &self.file, &output, competition).map(Some)
    }

    fn write(
        &self,
        tuning: &Tuning,
        checkpoint: &Checkpoint,
        tested: Option<&Tested>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let mut out = self.output.results(out);
        let test = tested.map(Tested::report).unwrap_or_default();
        match self.format {
            Format::Json => {
                let test = tested.map_or(Value::Null, Tested::facts);
                write_json(&mut *out, &report::facts(tuning, checkpoint, test))?;
            }
            Format::Text => {
                write!(out, "{}\n{test}", report::text(tuning, checkpoint))?;
            }
            Format::Markdown => {
                write!(out, "{}", report::markdown(tuning, checkpoint))?;
                if !test.is_empty() {
                    write!(out, "\n```\n{test}```\n")?;
                }
            }
        }
        Ok(())
    }
}

/// Tunes until the end or until the user stops it; returns whether it has come to the end.
fn tune(
    tuning: &Tuning,
    folder: &mut Folder,
    checkpoint: &mut Checkpoint,
    steps: &Steps,
) -> Result<bool> {
    let Some(trials) = Trials::new(tuning, tuning.concurrency)? else {
        if steps.are_submitted() {
            let message = "--to: Texel's method plays no games, expected it with SPSA";
            return Err(BadInput(message.to_owned()).into());
        }
        texel::run(tuning, folder, checkpoint)?;
        return Ok(true);
    };
    let iterations = trials.iterations;
    if checkpoint.iteration == iterations {
        return Ok(true);
    }
    if checkpoint.iteration > 0 {
        inform(format_args!(
            "resuming after iteration {}",
            checkpoint.iteration
        ));
    }
    // A scheduler's games go on when this process is killed, and are not lost.
    let stop = if steps.are_submitted() {
        Stopping::default()
    } else {
        stop_on_signals()?
    };
    let progress = Progress::new(tuning, checkpoint, iterations);
    let shown = &mut |checkpoint: &Checkpoint| progress.show(tuning, checkpoint);
    let play = &mut |folder: &Path, checkpoint: &Checkpoint| {
        let here = &mut |pairs| trials.play(checkpoint, pairs, &stop.flag);
        let parts = steps.compute(folder, &step_name(checkpoint), trials.pairs, here)?;
        let parts: Option<Vec<Points>> = parts.into_iter().collect();
        Ok(parts.map(|parts| parts.concat()))
    };
    let result = spsa::run(&trials, folder, checkpoint, play, shown);
    progress.finish();
    stop.over.store(true, Ordering::Relaxed);
    result?;
    Ok(checkpoint.iteration == iterations)
}

/// Plays a shard of the games of the next iteration.
fn play_part(tuning: &Tuning, folder: &Path, shard: Shard, into: &Path) -> Result<()> {
    let checkpoint = of_folder(folder, tuning)?;
    let trials = Trials::new(tuning, 1)?.context("a tuning by SPSA")?;
    let points = trials.play(&checkpoint, shard.range(trials.pairs), &StopFlag::default())?;
    steps::leave(into, &step_name(&checkpoint), &points)
}

/// The name of the iteration that follows a checkpoint.
fn step_name(checkpoint: &Checkpoint) -> String {
    format!("iteration {}", checkpoint.iteration + 1)
}

/// The wish of a user to stop the tuning.
#[derive(Default)]
struct Stopping {
    flag: StopFlag,
    /// Whether the tuning is over, so that signals are meant for the closing test.
    over: Arc<AtomicBool>,
}

fn stop_on_signals() -> Result<Stopping> {
    let stopping = Stopping {
        flag: StopFlag::default(),
        over: Arc::default(),
    };
    let (flag, over) = (stopping.flag.clone(), Arc::clone(&stopping.over));
    let handler = move |_| {
        if !over.load(Ordering::Relaxed) && !flag.is_set() {
            tell("stopping; the games of this iteration will be played again");
            flag.stop();
        }
    };
    signals::on_stop(handler).context("cannot listen to Ctrl-C")?;
    Ok(stopping)
}

/// Shortest time between two lines of progress.
const PAUSE: Duration = Duration::from_secs(10);

/// Progress on standard error: a bar on a terminal, otherwise a line now and then.
struct Progress {
    bar: Option<ProgressBar>,
    iterations: u64,
    /// When the last line was written.
    last: Mutex<Option<Instant>>,
}

impl Progress {
    fn new(tuning: &Tuning, checkpoint: &Checkpoint, iterations: u64) -> Progress {
        let bar = shows_bar().then(|| {
            let template = "{wide_bar} {pos}/{len} iterations, {eta} left\n{msg}";
            let style = ProgressStyle::with_template(template).expect("the template is sound");
            let bar = ProgressBar::new(iterations).with_position(checkpoint.iteration);
            bar.with_style(style).with_message(tuning.name.clone())
        });
        Progress {
            bar,
            iterations,
            last: Mutex::new(None),
        }
    }

    fn show(&self, tuning: &Tuning, checkpoint: &Checkpoint) {
        let values = tuning.rounded(&checkpoint.values());
        let [wins, draws, losses] = checkpoint.games;
        let words = tuning.option(&values);
        if let Some(bar) = &self.bar {
            bar.set_position(checkpoint.iteration);
            bar.set_message(words);
            return;
        }
        let mut last = self
            .last
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let due = last.is_none_or(|last| last.elapsed() >= PAUSE);
        if due || checkpoint.iteration == self.iterations {
            *last = Some(Instant::now());
            inform(format_args!(
                "iteration {} of {}, {} games: {words}",
                checkpoint.iteration,
                self.iterations,
                wins + draws + losses
            ));
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
