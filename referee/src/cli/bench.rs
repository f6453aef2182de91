//! `referee bench`.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use base::error::BadInput;
use catalog::{AnyGame, Finding, Request};
use engine_core::mcts::TreeMethod;
use engine_core::{Algorithm, Method};
use league::pace::speed;
use serde::Serialize;
use serde_json::json;
use textbook::AnySearch;

use super::facts::{FormatArg, write_json};
use super::position::{VariantArg, bad_variant, find};

/// Measure speed on one thread, and print a signature of all searches
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Without --playouts, pvs searches the typical positions of every game to a fixed \
    depth, mcts with a fixed number of playouts, and the game's best algorithm, if it is another \
    one, with 100 000 nodes. The last line, `Bench: N`, is the same on every machine until a search, \
    evaluation or move ordering changes.\n\n\
    Example: referee bench\n\
    Example: referee bench --playouts hex\n\
    Example: referee bench --speed --game hex,amazons"
)]
pub(super) struct Args {
    /// Measure uniformly random games of this game per second, from the initial position
    #[arg(long, value_name = "GAME", conflicts_with_all = ["game", "depth", "nodes"])]
    playouts: Option<String>,
    /// Variant of the game of --playouts
    #[command(flatten)]
    variant: VariantArg,
    /// Measure this host for a second by these games, as shards of a league do: nodes per second
    #[arg(long, conflicts_with_all = ["playouts", "depth", "nodes"])]
    speed: bool,
    /// Only these games, separated by commas
    #[arg(long, value_name = "GAMES", value_delimiter = ',')]
    game: Vec<String>,
    /// Depth of pvs, plies [default: the one the game sets]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=255))]
    depth: Option<u32>,
    /// Playouts of mcts at each position
    #[arg(long, value_name = "N", default_value_t = 1000,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    format: FormatArg,
}

/// Size of the transposition table or tree, MiB.
const TABLE_MB: usize = 16;
/// Nodes of the best algorithm at each position.
const BEST_NODES: u64 = 100_000;

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        if let Some(game) = &self.playouts {
            return self.playouts(find(game)?, out);
        }
        if self.variant.is_given() {
            return Err(BadInput("--variant without --playouts, expected both".into()).into());
        }
        for game in &self.game {
            find(game)?;
        }
        let asked = |id| self.game.is_empty() || self.game.iter().any(|game| game == id);
        let games = catalog::GAMES.iter().filter(|game| asked(game.id()));
        let games: Vec<&dyn AnyGame> = games.copied().collect();
        if self.speed {
            return self.speed(&games, out);
        }
        let (mut total, mut searches) = (0_u64, Vec::new());
        for game in games {
            for request in self.requests(game) {
                let findings = search_all(game, &request)?;
                total = findings
                    .iter()
                    .map(signature)
                    .fold(total, u64::wrapping_add);
                let speed = Speed::of(game, &request, &findings);
                if self.format.is_json() {
                    searches.push(speed);
                } else {
                    writeln!(out, "{speed}")?;
                    out.flush()?;
                }
            }
        }
        if self.format.is_json() {
            write_json(out, &json!({ "searches": searches, "bench": total }))?;
        } else {
            writeln!(out, "Bench: {total}")?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Measures this host.
    fn speed(&self, games: &[&dyn AnyGame], out: &mut dyn Write) -> Result<ExitCode> {
        let speed = speed::measure(games);
        if self.format.is_json() {
            write_json(out, &json!({ "nodes_per_second": speed }))?;
        } else {
            writeln!(out, "{speed} nodes per second")?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The searches made at every position of a game.
    fn requests(&self, game: &dyn AnyGame) -> Vec<Request> {
        let request = |algorithm: Algorithm, depth, nodes| Request {
            algorithm: algorithm.into(),
            depth,
            nodes,
            time: None,
            as_played: true,
            table_mb: TABLE_MB,
            seed: 1,
        };
        let depth = self.depth.unwrap_or(game.standard().bench_depth);
        let mut requests = vec![
            request(Algorithm::Deepening(Method::Pvs), Some(depth), None),
            request(Algorithm::Tree(TreeMethod::Tuned), None, Some(self.nodes)),
        ];
        let best = game.best();
        if requests
            .iter()
            .all(|request| request.algorithm != best.into())
        {
            requests.push(request(best, None, Some(BEST_NODES)));
        }
        requests
    }
}

fn search_all(game: &dyn AnyGame, request: &Request) -> Result<Vec<Finding>> {
    let positions = game::standard::positions(game.standard().text);
    positions
        .map(|(_, _, position)| Ok(game.search(&json!({}), position, request)?))
        .collect()
}

/// Contribution of a search to the bench number: the nodes up to each depth, plus seldepth and
/// absolute score, because a search with a fixed number of playouts always has the same node count.
fn signature(finding: &Finding) -> u64 {
    let nodes: u64 = finding.steps.iter().map(|step| step.nodes).sum();
    let score = finding.steps.last().map_or(0, |step| step.score.value());
    nodes + u64::from(finding.seldepth + score.unsigned_abs())
}

/// The speed of all searches of one kind in a game.
#[derive(Serialize)]
struct Speed {
    game: &'static str,
    algorithm: &'static str,
    depth: Option<u32>,
    nodes: u64,
    /// What `nodes` counts.
    #[serde(skip)]
    unit: &'static str,
    seconds: f64,
}

impl Speed {
    fn of(game: &dyn AnyGame, request: &Request, findings: &[Finding]) -> Speed {
        Speed {
            game: game.id(),
            algorithm: request.algorithm.name(),
            depth: request.depth,
            nodes: findings.iter().map(|finding| finding.nodes).sum(),
            unit: match request.algorithm {
                AnySearch::Engine(Algorithm::Tree(_)) => "playouts",
                _ => "nodes",
            },
            seconds: findings.iter().map(|f| f.time.as_secs_f64()).sum(),
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Speed {
            game,
            algorithm,
            depth,
            nodes,
            unit,
            seconds,
        } = self;
        let mut what = format!("{nodes} {unit}");
        if let Some(depth) = depth {
            what += &format!(" to depth {depth}");
        }
        let rate = *nodes as f64 / seconds.max(1e-6);
        write!(
            f,
            "{game:<15} {algorithm:<9} {what:<28} {seconds:>6.2} s {rate:>9.0} per second"
        )
    }
}

/// Number of measurements. The best one counts: other processes can only slow a run down.
const RUNS: u64 = 5;
/// Length of one run.
const RUN: Duration = Duration::from_millis(400);

impl Args {
    /// Measures random games per second.
    fn playouts(&self, game: &dyn AnyGame, out: &mut dyn Write) -> Result<ExitCode> {
        let variant = self.variant.value()?;
        let time = |count, seed| -> Result<Duration> {
            let start = Instant::now();
            game.random_games(&variant, count, seed)
                .map_err(bad_variant)?;
            Ok(start.elapsed())
        };
        let mut count = 1;
        while time(count, 0)? < RUN / 4 {
            count *= 2;
        }
        count *= 4;
        let mut rates = Vec::new();
        for run in 1..=RUNS {
            let rate = count as f64 / time(count, run)?.as_secs_f64();
            if !self.format.is_json() {
                let speed = format!("{count} games, {rate:.0} per second");
                writeln!(out, "run {run} of {RUNS}: {speed}")?;
            }
            rates.push(rate);
        }
        let best = rates.iter().copied().fold(0.0, f64::max);
        if self.format.is_json() {
            let facts = json!({ "game": game.id(), "runs": rates, "playouts_per_second": best });
            write_json(out, &facts)?;
        } else {
            writeln!(out, "playouts/s {best:.0}")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
