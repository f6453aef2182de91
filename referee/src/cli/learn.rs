//! `referee learn`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use learning::{Activity, Learner};
use referee_core::base::error::{BadInput, inform, shows_bar, tell_through};
use referee_core::learn::config::Config;
use referee_core::learn::folder::Folder;
use referee_core::learn::{plot, text};

use super::facts::{FormatArg, write_json};

/// Learn weights of a game's evaluation by self-play
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An engine plays against itself with the weights that it has, and the weights are fitted to the
results and to the values that its searches found, iteration by iteration. configs/README.md
describes every key of the file. The folder has a checkpoint, the weights and a plot, all of the last
complete iteration. Run the same command again to go on after an interruption: the result is the
same.

Example: referee learn configs/learn/surakarta.toml
  referee learn configs/learn/surakarta.toml --iterations 60
  referee engine surakarta --weights learned/surakarta/weights")]
pub(super) struct Args {
    /// The file of settings
    file: PathBuf,
    /// Folder of the run [default: learned/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of iterations, instead of that in the file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    iterations: Option<u32>,
    /// Threads; the result does not depend on them [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let config = Config::load(&self.file, self.iterations)?;
        let path = match &self.out {
            Some(path) => path.clone(),
            None => Path::new("learned").join(&config.name),
        };
        let folder = Folder::open(&path).with_context(|| path.display().to_string())?;
        let variant = config.game.environment(&config.variant);
        let environment = variant.map_err(|error| anyhow!("{error}"))?;
        let state = folder.restore(config.digest)?;
        let learner = Learner::new(&*environment, config.settings, state)
            .ok_or_else(|| BadInput(format!("{}: the checkpoint does not fit", path.display())))?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0).into())
            .build()?;
        let mut run = Run {
            config: &config,
            folder,
            learner,
            display: Display::new(config.iterations),
        };
        let result = pool.install(|| run.go_on());
        run.display.finish();
        result?;
        let progress = run.learner.progress();
        if self.format.is_json() {
            write_json(out, &text::facts(progress))?;
        } else {
            writeln!(out, "{}", text::table(progress))?;
            writeln!(
                out,
                "{} iterations; weights: {}",
                progress.len(),
                run.folder.weights().display()
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A run in progress.
struct Run<'a> {
    config: &'a Config,
    folder: Folder,
    learner: Learner<'a>,
    display: Display,
}

impl Run<'_> {
    /// Runs all iterations that are left, and saves each.
    fn go_on(&mut self) -> Result<()> {
        let done = self.learner.progress().len() as u32;
        if done > 0 {
            inform(format_args!("going on after iteration {done}"));
        }
        for iteration in done + 1..=self.config.iterations {
            let display = &self.display;
            let step = (self.learner)
                .iterate(&|activity| display.show(iteration, activity))
                .map_err(|error| anyhow!("iteration {iteration}: {error:?}"))?;
            self.save().with_context(|| {
                format!(
                    "iteration {iteration} could not be saved; the checkpoint before it is intact"
                )
            })?;
            inform(text::line(&step));
        }
        Ok(())
    }

    fn save(&self) -> Result<()> {
        let Config {
            game,
            name,
            settings,
            digest,
            ..
        } = self.config;
        let iteration = self.learner.progress().len();
        let origin = format!(
            "referee learn {name}.toml, seed {}, iteration {iteration}",
            settings.seed
        );
        let weights = game.weights_file(&self.learner.weights(), &origin);
        let title = format!("{}: {name}", game.name());
        let plot = plot::svg(&title, self.learner.progress())?;
        self.folder.save(*digest, &self.learner.state())?;
        self.folder.replace(&self.folder.weights(), &weights)?;
        self.folder.replace(&self.folder.plot(), plot.as_bytes())?;
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
