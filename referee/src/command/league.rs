//! `referee league`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use crate::config::Config;
use crate::error::{BadInput, tell};
use crate::league;
use crate::log::{Log, Opened};
use crate::plan::plan;
use crate::progress::Progress;
use crate::record::GameRecord;
use crate::report::{self, Wishes};
use crate::task::GameTask;
use crate::{game, trace};

/// Name of the file with the tables, beside the log.
const TABLES: &str = "standings.txt";

/// Play a league, or what is missing of it
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Every finished game is in DIR/games.jsonl at once. Started again with the same \
    file, a league goes on where it was stopped.\n\n\
    Example: referee league configs/six-games.toml --out matches/tuesday"
)]
pub(super) struct Args {
    /// The league file
    file: PathBuf,
    /// Where the log and the tables go [default: matches/<name of the league>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write every line exchanged with engines to this file, with times
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let config = Config::load(&self.file)?;
        let tasks = plan(&config, &this_program()?);
        let folder = self
            .out
            .clone()
            .unwrap_or_else(|| Path::new("matches").join(&config.name));
        let Opened {
            mut log,
            mut games,
            warnings,
        } = Log::open(&folder)?;
        for warning in warnings {
            tell(format_args!("warning: {warning}"));
        }
        warn_of_strangers(&tasks, &games);
        let tasks = league::missing(tasks, &games);
        if let Some(path) = &self.trace {
            trace::start(path)
                .map_err(|error| BadInput(format!("--trace {}: {error}", path.display())))?;
        }
        announce(&config, &tasks, &games, &log);

        let stop = stop_on_signals()?;
        let mut progress = Progress::new(tasks.len(), &games);
        let before = games.len();
        let result = league::run(
            &tasks,
            config.concurrency,
            &mut log,
            &mut games,
            &mut progress,
            &stop,
            game::play,
        );
        progress.finish();
        result.with_context(|| {
            format!(
                "{}: every game before this one is kept",
                log.path().display()
            )
        })?;

        let tables = report::report(&games, &Wishes::default());
        let path = folder.join(TABLES);
        std::fs::write(&path, &tables).with_context(|| path.display().to_string())?;
        write!(out, "{tables}")?;
        let left = tasks.len() - (games.len() - before);
        if left == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        let again = self.again();
        tell(format_args!(
            "stopped; {left} games are missing. To go on: {again}"
        ));
        Ok(ExitCode::FAILURE)
    }

    /// The command that plays what is missing.
    fn again(&self) -> String {
        let mut again = format!("referee league {}", self.file.display());
        if let Some(out) = &self.out {
            again += &format!(" --out {}", out.display());
        }
        again
    }
}

/// The file of this program. Linux has a name for it that stays right while a league runs, even if
/// the program is built anew.
fn this_program() -> Result<PathBuf> {
    if cfg!(target_os = "linux") {
        return Ok("/proc/self/exe".into());
    }
    std::env::current_exe().context("this program does not know where it lies")
}

/// A flag that Ctrl-C, or a request to end, sets.
fn stop_on_signals() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .context("cannot listen to Ctrl-C")?;
    Ok(stop)
}

/// The log may hold games of another league file, or of this one before it was changed.
fn warn_of_strangers(tasks: &[GameTask], games: &[GameRecord]) {
    let planned: std::collections::HashSet<&str> = tasks.iter().map(|task| &*task.id).collect();
    let strangers = games
        .iter()
        .filter(|game| !planned.contains(&*game.id))
        .count();
    if strangers > 0 {
        tell(format_args!(
            "warning: {strangers} games of the log are not of this league file; they stay in it \
             and count in the tables"
        ));
    }
}

fn announce(config: &Config, tasks: &[GameTask], games: &[GameRecord], log: &Log) {
    tell(format_args!(
        "league {}: {} games to play, {} in {}; {} at a time",
        config.name,
        tasks.len(),
        games.len(),
        log.path().display(),
        config.concurrency
    ));
}
