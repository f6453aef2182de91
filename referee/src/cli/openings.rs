//! `referee openings`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use base::error::{BadInput, inform, shows_bar, tell};
use base::program::command_line;
use base::{disk, signals};
use catalog::{AnyGame, Judgement, Means, Spend};
use engine_core::{Algorithm, StopFlag};
use indicatif::{ProgressBar, ProgressStyle};
use lab::openings::{Opening, Progress, Recipe, find};
use review::curve::Curve;
use serde_json::{Value, json};
use task::opening::begin;

use super::book::check_new;
use super::facts::{FormatArg, write_json};
use super::position::{self, VariantArg, bad_variant};
use super::time;

/// Find balanced openings: starts from which both sides have about equal chances
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Takes all starts of a game, or random ones where they are many, symmetric ones once. Each \
    is judged by an engine, of the side to act and of the other after the best turn. Those within --near \
    are written, one a line, with the estimate as a comment: a file that `match --openings` and leagues \
    read. Some are shipped: a match plays them unless it is told otherwise, a league with \
    openings = \"balanced\".\n\n\
    By --nodes the same command finds the same openings everywhere. A layout in EinStein is an opening, \
    too, judged before its rolls.\n\n\
    Exit status: 0 as many as wanted, 1 fewer, or stopped by Ctrl-C: those are written, 2 bad input.\n\n\
    Example: referee openings hex --out hex.txt\n\
    \x20 referee openings gomoku --variant '{ size = 20 }' --plies 6 --near 45..55 --count 100 --out g.txt\n\
    \x20 referee match ./ours ./theirs --game hex --openings hex.txt"
)]
pub(super) struct Args {
    /// The game, as listed by `referee games`
    game: String,
    #[command(flatten)]
    variant: VariantArg,
    /// Actions of an opening; those that complete its last turn are added
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=200))]
    plies: u32,
    /// The least and the largest chance of the first side, percent
    #[arg(long, value_name = "LEAST..MOST", default_value = "40..60", value_parser = near)]
    near: [f64; 2],
    /// How many
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// The search that judges: see `referee compare`
    #[arg(long, value_name = "NAME", default_value = Algorithm::default().name(), value_parser = Algorithm::find)]
    engine: Algorithm,
    /// Nodes or playouts for each opening [default: 100000 nodes, or 1000 playouts]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    nodes: Option<u64>,
    /// Time for each opening, instead of nodes
    #[arg(long, value_name = "TIME", conflicts_with = "nodes", value_parser = time::above_0)]
    move_time: Option<Duration>,
    /// Memory of each search, MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    table_mb: u32,
    /// Searches at the same time [default: the cores of the machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    cores: Option<u16>,
    /// Seed of the order of starts, and of the searches
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file; one that exists is not overwritten [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArg,
}

/// Nodes of a depth-first search, and playouts of a tree search, for each opening.
const NODES: u64 = 100_000;
const PLAYOUTS: u64 = 1_000;

/// Two chances in percent: `40..60`.
fn near(text: &str) -> Result<[f64; 2], String> {
    let expected =
        || "expected two chances from 0 to 100, the smaller first, such as 40..60".to_owned();
    let (least, most) = text.split_once("..").ok_or_else(expected)?;
    let percent = |text: &str| text.trim().parse::<f64>().map_err(|_| expected());
    let near = [percent(least)?, percent(most)?];
    let is_sound = near[0] <= near[1] && near.iter().all(|chance| (0.0..=100.0).contains(chance));
    if !is_sound {
        return Err(expected());
    }
    Ok(near.map(|chance| chance / 100.0))
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let rules = position::find(&self.game)?;
        let variant = rules.complete_variant(&self.variant.value()?);
        let variant = variant.map_err(bad_variant)?;
        if let Some(path) = &self.out {
            check_new(path)?;
        }
        let stop = StopFlag::default();
        let asked = stop.clone();
        signals::on_stop(move |_| asked.stop()).context("cannot watch for signals")?;
        let (openings, progress) = self.find(rules, &variant, stop.clone())?;
        let file = file(rules, &variant, &openings);
        if let Some(path) = &self.out {
            let written = disk::replace(path, file.as_bytes());
            written.with_context(|| path.display().to_string())?;
        }
        if self.format.is_json() {
            write_json(out, &facts(&openings, progress, &variant))?;
        } else if self.out.is_none() {
            out.write_all(file.as_bytes())?;
        }
        let wanted = self.count as usize;
        let Progress { judged, kept, .. } = progress;
        inform(format_args!(
            "{kept} of {judged} starts that were judged are near"
        ));
        if kept < wanted {
            let advice = match (stop.is_set(), judged) {
                (true, _) => "stopped",
                (false, 0) => {
                    "no start of so many actions leaves a game to play: give fewer --plies"
                }
                _ => "widen --near, or give more --plies",
            };
            tell(format_args!(
                "{kept} openings instead of {wanted}: {advice}"
            ));
            return Ok(ExitCode::FAILURE);
        }
        Ok(ExitCode::SUCCESS)
    }

    fn find(
        &self,
        rules: &'static dyn AnyGame,
        variant: &Value,
        stop: StopFlag,
    ) -> Result<(Vec<Opening>, Progress)> {
        let search = match self.engine {
            Algorithm::Best => rules.best(),
            known => known,
        };
        rules
            .fits(search)
            .map_err(|message| BadInput(format!("--engine: {message}")))?;
        let start = begin(rules, variant, "").map_err(BadInput)?;
        let least = 2 * start.actions().len() as u64;
        if let Some(nodes) = self.nodes.filter(|&nodes| nodes < least) {
            tell(format_args!(
                "warning: --nodes {nodes} is no search where the first turn has {} choices: the estimates are \
                 those of single positions",
                least / 2
            ));
        }
        let usual = Some(if search.deepens() { NODES } else { PLAYOUTS });
        let curve = Curve::of(rules.id());
        let recipe = Recipe {
            rules,
            variant: variant.clone(),
            plies: self.plies,
            near: self.near,
            count: self.count as usize,
            means: Means {
                search: search.into(),
                table_mb: self.table_mb as usize,
                seed: self.seed,
            },
            spend: Spend {
                nodes: self.nodes.or(usual).filter(|_| self.move_time.is_none()),
                time: self.move_time,
                stop,
                ..Spend::default()
            },
            chance: &|judged: &Judgement| curve.chance(judged.score.into(), judged.solved),
        };
        let machine = thread::available_parallelism().map_or(1, usize::from);
        let cores = self.cores.map_or(machine, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build();
        let pool = pool.context("cannot start threads")?;
        let bar = bar(self.count);
        let found = pool.install(|| {
            find(&recipe, &mut |progress| {
                bar.set_position(progress.kept as u64);
                let of = progress
                    .of
                    .map_or(String::new(), |all| format!(" of {all}"));
                bar.set_message(format!("{}{of} starts judged", progress.judged));
            })
        });
        bar.finish_and_clear();
        Ok(found.map_err(BadInput)?)
    }
}

/// The openings as a file that leagues read.
fn file(rules: &dyn AnyGame, variant: &Value, openings: &[Opening]) -> String {
    let mut text = format!(
        "# {} openings of {} {variant}\n# {} (referee {})\n# after each: the first side's chance\n",
        openings.len(),
        rules.id(),
        command_line(),
        env!("CARGO_PKG_VERSION"),
    );
    for Opening { actions, first } in openings {
        text += &format!("{actions} # {:.0} %\n", 100.0 * first);
    }
    text
}

fn facts(openings: &[Opening], progress: Progress, variant: &Value) -> Value {
    let openings = openings.iter();
    let openings: Vec<Value> = openings
        .map(|opening| json!({ "actions": opening.actions, "first": opening.first }))
        .collect();
    json!({ "variant": variant, "judged": progress.judged, "openings": openings })
}

fn bar(count: u32) -> ProgressBar {
    if !shows_bar() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len}  {msg}  {eta} left")
        .expect("a valid template");
    ProgressBar::new(u64::from(count)).with_style(style)
}
