//! Learns which of the 720 layouts of EinStein würfelt nicht! win against good replies: the study whose
//! result is `data/layouts.txt`, by which the engine lays out.
//!
//! ```text
//! cargo run --release -p einstein --example layouts -- --learn study.json --seed 1 --games 768
//! ```

mod checkpoint;
mod plot;
mod study;
mod table;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::error::{BadInput, inform, tell};
use base::signals;
use clap::Parser;
use einstein::{Einstein, Layouts};
use engine_core::{Side, StopFlag};
use learning::{SetupSettings, SetupStudy, Stage};
use stats::Z;

use crate::checkpoint::{check, load, save};
use crate::study::{learned, setups, step};

/// Print the win rates of EinStein's 720 layouts, or learn them anew
#[derive(Debug, Parser)]
#[command(after_help = "\
With --learn both sides halve their layouts round by round, each against those that the other side has
left; then every layout plays the eight finalists of the other side. The file holds the state, so that
the same command goes on after a kill. One seed gives one result, with any number of threads. At 2
plies a core plays some 5000 games a second; --games 768 are 1.8 million games.

Exit status: 0 success, 1 interrupted or a file that cannot be written, 2 bad input.

Example: layouts --plot layouts.svg
  layouts --learn study.json --seed 1 --games 768 --write games/einstein/data/layouts.txt")]
struct Arguments {
    /// Learn, with the state of the study in this file; if it exists, go on
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
    /// Seed of everything random [default: 1, or that of the study]
    #[arg(long, value_name = "N", requires = "learn")]
    seed: Option<u64>,
    /// Games of each layout against good replies, and in the first round of halving; a multiple of
    /// 64 [default: 256, or that of the study]
    #[arg(long, value_name = "N", requires = "learn")]
    games: Option<u64>,
    /// Plies that both players look ahead, 1 to 4 [default: 2, or that of the study]
    #[arg(long, value_name = "N", requires = "learn")]
    plies: Option<u32>,
    /// Threads that play
    #[arg(long, value_name = "N", requires = "learn", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Write what was learned to this file, as the engine reads it
    #[arg(long, value_name = "FILE", requires = "learn")]
    write: Option<PathBuf>,
    /// Plot all win rates to this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// How often the study is stored, at most.
const STORED_EVERY: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    match Arguments::parse().run() {
        Ok(status) => status,
        Err(error) => {
            let is_input = error.is::<BadInput>();
            tell(format_args!("{error:#}"));
            ExitCode::from(if is_input { 2 } else { 1 })
        }
    }
}

impl Arguments {
    fn run(self) -> Result<ExitCode> {
        let mut out = std::io::stdout().lock();
        let found;
        let layouts = match &self.learn {
            None => Layouts::shipped(),
            Some(path) => {
                let mut study = self.study(path)?;
                if !self.learn(&mut study, path)? {
                    return Ok(ExitCode::FAILURE);
                }
                write!(out, "{}", finalists(&study))?;
                found = learned(&study);
                &found
            }
        };
        if let Some(path) = &self.write {
            let name = || format!("--write {}", path.display());
            std::fs::write(path, layouts.text()).with_context(name)?;
        }
        if let Some(path) = &self.plot {
            let name = || format!("--plot {}", path.display());
            let picture = plot::draw(layouts).with_context(name)?;
            std::fs::write(path, picture).with_context(name)?;
        }
        write!(out, "{}", table::tables(layouts))?;
        Ok(ExitCode::SUCCESS)
    }

    /// The study to go on with, or a new one.
    fn study(&self, path: &Path) -> Result<SetupStudy, BadInput> {
        let known = load(path)?;
        let base = known.as_ref().map(SetupStudy::settings);
        let base = base.unwrap_or(SetupSettings {
            seed: 1,
            plies: 2,
            games: 256,
        });
        let settings = SetupSettings {
            seed: self.seed.unwrap_or(base.seed),
            plies: self.plies.unwrap_or(base.plies),
            games: self.games.unwrap_or(base.games),
        };
        check(&settings)?;
        match known {
            None => Ok(SetupStudy::new(settings, setups().len())),
            Some(study) if settings == base => Ok(study),
            Some(_) => Err(BadInput(format!(
                "{}: a study with {}, expected {}: give these options or none, or another file",
                path.display(),
                in_words(&base),
                in_words(&settings)
            ))),
        }
    }

    /// Plays the study to its end; false if it was interrupted. Whatever ends it, the file holds all
    /// but the last seconds.
    fn learn(&self, study: &mut SetupStudy, path: &Path) -> Result<bool> {
        signals::survive_full_files()?;
        let stop = StopFlag::default();
        let asked = stop.clone();
        signals::on_stop(move |_| asked.stop())?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.into())
            .build()?;
        let store = |study: &SetupStudy| {
            let kept = if path.exists() {
                ": the last state is kept"
            } else {
                ""
            };
            save(path, study).with_context(|| format!("{}{kept}", path.display()))
        };
        // A file that cannot be written is found before hours of play.
        store(study)?;
        let mut progress = Progress::new(study);
        let mut stored = Instant::now();
        while study.stage() != Stage::Done && !stop.is_set() {
            pool.install(|| step(study, &stop));
            progress.show(study);
            if stored.elapsed() >= STORED_EVERY {
                store(study)?;
                stored = Instant::now();
            }
        }
        store(study)?;
        let done = study.stage() == Stage::Done;
        if !done {
            tell("interrupted. Run the same command again to go on");
        }
        Ok(done)
    }
}

fn in_words(settings: &SetupSettings) -> String {
    let SetupSettings { seed, plies, games } = settings;
    format!("--seed {seed} --plies {plies} --games {games}")
}

/// The finalists, with how far they are behind the best in the same games.
fn finalists(study: &SetupStudy) -> String {
    let setups = setups();
    let mut text = String::new();
    for side in Side::BOTH {
        text += &format!("Finalists of {side:?}, and how far behind the best in paired games:\n");
        for (arm, behind, error) in study.finalists::<Einstein>(side) {
            let numbers = setups[arm][0].numbers().unwrap_or_default();
            let digits = numbers.map(|number| number.to_string()).concat();
            let rate = study.rate::<Einstein>(side, arm);
            text += &format!(
                "  {digits}  {:.2} ± {:.2} %, {:.2} ± {:.2} behind\n",
                100.0 * rate.rate,
                100.0 * Z * rate.standard_error,
                100.0 * behind,
                100.0 * Z * error
            );
        }
    }
    text + "\n"
}

/// Progress on standard error: a line now and then.
struct Progress {
    shown: Instant,
    began: Instant,
    /// Games that were played before.
    before: u64,
}

/// How often a line is written.
const LINE_EVERY: Duration = Duration::from_secs(10);

impl Progress {
    fn new(study: &SetupStudy) -> Progress {
        Progress {
            shown: Instant::now(),
            began: Instant::now(),
            before: study.progress().0,
        }
    }

    fn show(&mut self, study: &SetupStudy) {
        if self.shown.elapsed() < LINE_EVERY && study.stage() != Stage::Done {
            return;
        }
        self.shown = Instant::now();
        let (done, all) = study.progress();
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = (done - self.before) as f64 / seconds.max(1e-3);
        let left = (all - done) as f64 / rate;
        inform(format_args!(
            "{done} of {all} games, {rate:.0} a second, {left:.0} s left: {}",
            words(study.stage())
        ));
    }
}

fn words(stage: Stage) -> String {
    match stage {
        Stage::Round(round) => format!("round {round} of halving"),
        Stage::Table => "all layouts against the finalists".to_owned(),
        Stage::Final => "the finalists against each other".to_owned(),
        Stage::Done => "done".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(words: &str) -> Arguments {
        Arguments::parse_from(format!("layouts {words}").split_whitespace())
    }

    #[test]
    fn a_study_with_other_settings_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("study.json");
        let begun = arguments("--learn study.json --plies 1 --games 64").study(&path);
        save(&path, &begun.expect("a new study")).expect("it is written");
        assert!(arguments("--learn study.json").study(&path).is_ok());
        for other in ["--seed 2", "--games 128", "--plies 2"] {
            let refused = arguments(&format!("--learn study.json {other}")).study(&path);
            let BadInput(error) = refused.expect_err("it is another study");
            assert!(
                error.contains("a study with --seed 1 --plies 1 --games 64"),
                "{error}"
            );
            assert!(error.contains(other), "{error}");
        }
        for (wrong, complaint) in [
            ("--games 100", "--games 100: expected a multiple of 64"),
            ("--plies 9", "--plies 9: expected 1 to 4"),
        ] {
            let refused = arguments(&format!("--learn x {wrong}")).study(&folder.path().join("x"));
            let BadInput(error) = refused.map(drop).expect_err("out of range");
            assert!(error.contains(complaint), "{error}");
        }
        assert!(Arguments::try_parse_from(["layouts", "--seed", "1"]).is_err());
    }
}
