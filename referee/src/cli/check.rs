//! `referee check`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use base::error::BadInput;
use base::signals;
use check::{Plan, Watcher, run};
use engine_process::trace;
use indicatif::{ProgressBar, ProgressStyle};
use league::config::{check_init, check_init_line, find_arguments, find_program, has_options};
use serde_json::Value;
use task::{Confinement, EngineSpec, Letters, Protocol};

use super::position::{VariantArg, bad_variant, find};
use super::time;
use super::words;
use base::program::this_program;
use league::session::guard;

/// Check an engine before a contest with a scripted conversation and test games
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The engine is started, confined and stopped as in a league; configs/README.md describes its limits.
`referee engine GAME …` runs a built-in engine. If an argument of the engine begins with a dash, put
-- before the command.

Exit status: 0 fit to play, 1 faults found, 2 bad input.

Example: referee check ./our-engine --game hex
  referee check ./our-engine --game connect6 --protocol sau
  referee check mohex --game hex --protocol gtp --option 'param_mohex max_time=1'
  referee check --game gomoku --protocol gtp --letters skip-i -- ./our-engine gtp
  referee check ./our-bot --game amazons --variant '{\"size\":8}' --protocol botzone
  referee check ./our-bot --game dots-and-boxes --protocol botzone-simple
  referee check ./pbrain-six --game connect6 --protocol gomocup
  referee check ./cloudict --game connect6 --protocol sau --init 'depth 4'
  referee check --game hex -- ./our-engine --quiet --threads 2
  referee check --game hex --option threads=2 -- referee engine hex --algorithm mcts")]
pub(super) struct Args {
    /// The engine: a program in PATH or a path from here, and its arguments
    #[arg(required = true)]
    command: Vec<String>,
    /// The game, as listed by `referee games`
    #[arg(long)]
    game: String,
    #[command(flatten)]
    variant: VariantArg,
    /// The protocol of the engine
    #[arg(long, value_parser = words::protocol(), default_value = Protocol::default().name())]
    protocol: Protocol,
    /// An option to set before every game, as in a league file; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
    /// A command of the engine's own to send before every game, only in SAU and Gomocup, as in a
    /// league file; may be repeated
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    init: Vec<String>,
    /// Column letters of the engine, only in GTP: all, or without i as in Go, where the ninth column is j
    #[arg(long, value_name = "LETTERS", value_parser = letters)]
    letters: Option<Letters>,
    /// Working directory of the engine [default: a temporary folder, as in a league]
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// A file or folder that it may read, besides its own; may be repeated
    #[arg(long, value_name = "PATH", value_parser = existing)]
    read: Vec<PathBuf>,
    /// A file or folder that it may change; may be repeated
    #[arg(long, value_name = "PATH", value_parser = existing)]
    write: Vec<PathBuf>,
    /// Memory that it may use, MiB
    #[arg(long, value_name = "MB", default_value_t = Confinement::default().memory_mb,
        value_parser = clap::value_parser!(u64).range(16..=task::MAX_MEMORY_MB))]
    memory_mb: u64,
    /// Start it without the sandbox of a league
    #[arg(long)]
    no_sandbox: bool,
    /// Number of positions to ask for a turn in, not in SAU [default: 200 in UGI, else 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    positions: Option<u32>,
    /// Games against random moves in one process
    #[arg(long, value_name = "N", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    games: u32,
    /// Maximum delay of a turn beyond its clock; after stop, 50ms or this if it is more
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = time::from_0)]
    margin: Duration,
    /// Time limit of a turn where no clock is sent, as always in SAU
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time::above_0)]
    patience: Duration,
    /// Seed of the positions and of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output format of the findings
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write every line exchanged with the engine to this file, with timestamps
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

/// Output format of the findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// One line per point as it is checked, then the verdict.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// Parses `NAME=VALUE`.
pub(super) fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !text.contains(char::is_control) => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err("expected NAME=VALUE on one line".to_owned()),
    }
}

/// Parses a command of an engine's own.
fn command(text: &str) -> Result<String, String> {
    check_init_line(text).map(|()| text.to_owned())
}

/// Parses the name of column letters.
fn letters(text: &str) -> Result<Letters, String> {
    let found = [Letters::All, Letters::SkipI].into_iter();
    let mut found = found.filter(|letters| letters.key() == text);
    (found.next()).ok_or_else(|| "expected all or skip-i".to_owned())
}

/// Parses the path of a file or folder that exists.
fn existing(text: &str) -> Result<PathBuf, String> {
    let path = std::path::absolute(text).map_err(|error| error.to_string())?;
    let found = path.exists().then_some(path);
    found.ok_or_else(|| "expected a file or folder that exists".to_owned())
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let plan = self.plan()?;
        if let Some(path) = &self.trace {
            trace::start(path)
                .map_err(|error| BadInput(format!("--trace {}: {error}", path.display())))?;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        signals::on_stop(move |_| asked.store(true, Ordering::Relaxed))
            .context("cannot listen to Ctrl-C")?;
        let _guard = guard()?;
        let mut progress = Progress::new();
        let bar = progress.bar.clone();
        let report = run(&plan, &mut progress, &stop, |finding| match self.format {
            Format::Text => bar.suspend(|| writeln!(out, "{finding}").and_then(|()| out.flush())),
            Format::Json => Ok(()),
        });
        bar.finish_and_clear();
        let Some(report) = report? else {
            anyhow::bail!("stopped before the end of the check");
        };
        match self.format {
            Format::Text => writeln!(out, "\n{}", report.verdict())?,
            Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?,
        }
        Ok(ExitCode::from(u8::from(!report.fit)))
    }

    fn plan(&self) -> Result<Plan> {
        let rules = find(&self.game)?;
        let variant = rules
            .complete_variant(&self.variant.value()?)
            .map_err(bad_variant)?;
        if let Err(message) = rules.announce(self.protocol, &variant) {
            return Err(BadInput(format!("--protocol: {message}")).into());
        }
        if !has_options(self.protocol) && !self.option.is_empty() {
            let protocol = self.protocol.name();
            let message = format!("--option: expected none: {protocol} does not support options");
            return Err(BadInput(message).into());
        }
        if self.letters.is_some() && self.protocol != Protocol::Gtp {
            let message =
                "--letters: expected none: only GTP engines differ in their column letters";
            return Err(BadInput(message.to_owned()).into());
        }
        check_init(self.protocol, &self.init)
            .map_err(|message| BadInput(format!("--init: {message}")))?;
        Ok(Plan {
            engine: self.engine()?,
            rules,
            variant,
            positions: self.positions.unwrap_or(match self.protocol {
                Protocol::Ugi => 200,
                _ => 20,
            }) as usize,
            games: self.games,
            margin: self.margin,
            patience: self.patience,
            seed: self.seed,
        })
    }

    fn engine(&self) -> Result<EngineSpec> {
        let here = Path::new("");
        let builtin = self
            .command
            .starts_with(&["referee".into(), "engine".into()]);
        let program = if builtin {
            this_program()?
        } else {
            find_program(here, &self.command)
                .map_err(|message| BadInput(format!("the engine: {message}")))?
        };
        let options = self.option.iter().cloned();
        let options: BTreeMap<String, Value> = options
            .map(|(name, value)| (name, Value::from(value)))
            .collect();
        Ok(EngineSpec {
            name: "engine".to_owned(),
            command: self.command.clone(),
            program: Some(program),
            arguments: find_arguments(here, &self.command, self.directory.as_deref()),
            directory: self.directory()?,
            protocol: self.protocol,
            letters: self.letters.unwrap_or_default(),
            options,
            init: self.init.clone(),
            confinement: Confinement {
                memory_mb: self.memory_mb,
                sandbox: !self.no_sandbox,
                ..Confinement::default()
            },
            read: self.read.clone(),
            write: self.write.clone(),
            ..EngineSpec::default()
        })
    }

    fn directory(&self) -> Result<Option<PathBuf>, BadInput> {
        let Some(given) = &self.directory else {
            return Ok(None);
        };
        let path = std::path::absolute(given).ok().filter(|path| path.is_dir());
        path.map(Some).ok_or_else(|| {
            BadInput(format!(
                "--directory {}: expected a folder",
                given.display()
            ))
        })
    }
}

/// Progress of the current point: a bar on standard error if it is a terminal.
struct Progress {
    bar: ProgressBar,
}

impl Progress {
    fn new() -> Progress {
        let style = ProgressStyle::with_template("{spinner} {msg} {pos}/{len} [{elapsed}]");
        let bar = ProgressBar::new(0).with_style(style.expect("the template is sound"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar }
    }
}

impl Watcher for Progress {
    fn begins(&mut self, point: &'static str) {
        self.bar.set_message(point);
        self.bar.set_length(0);
        self.bar.set_position(0);
    }

    fn step(&mut self, done: usize, all: usize) {
        self.bar.set_length(all as u64);
        self.bar.set_position(done as u64);
    }
}
