//! `referee compare`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use base::error::{BadInput, inform, shows_bar};
use base::input;
use catalog::SearchError;
use engine_core::Algorithm;
use indicatif::{ProgressBar, ProgressStyle};
use lab::compare::verdict::{differences, has_fault};
use lab::compare::{Plan, Row, SearchLimit, for_dice, json, plot, run, text};
use serde_json::{Value, json};
use textbook::AnySearch;

use super::facts::{FormatArg, write_json};
use super::position::{PositionArgs, bad_variant};
use super::time;

/// Compare algorithms on the same positions
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Default positions without --position, --actions and --positions: the game's typical \
    positions, or the initial position of a given --variant.\n\n\
    Example: referee compare hex\n\
    Example: referee compare surakarta --depth 5 --plot nodes.svg\n\
    Example: referee compare connect6 --time 500ms --algorithm pvs,mtdf,mcts --each\n\
    Example: referee compare hex --nodes 1000 --algorithm flat,uct,rave\n\
    Example: referee compare hex --variant '{ size = 3 }' --depth 4"
)]
pub(super) struct Args {
    #[command(flatten)]
    game: PositionArgs,
    /// File of positions, - for standard input, one per line as `referee show` prints them; # starts a comment line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "actions"])]
    positions: Option<PathBuf>,
    /// Search depth, plies [default: one that pvs reaches in about a second]
    #[arg(long, value_name = "N", conflicts_with = "time",
        value_parser = clap::value_parser!(u32).range(1..=255))]
    depth: Option<u32>,
    /// Time per search, instead of a depth; includes Monte-Carlo search
    #[arg(long, value_name = "TIME", value_parser = time::above_0)]
    time: Option<Duration>,
    /// Nodes or playouts per search, instead of a depth; includes Monte-Carlo search
    #[arg(long, value_name = "N", conflicts_with_all = ["depth", "time"],
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The algorithms, separated by commas [default: all that can play the game]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = AnySearch::find)]
    algorithm: Vec<AnySearch>,
    /// Time limit of each algorithm for all positions together, for searches to a depth [default:
    /// 10s with --depth, else 2s]
    #[arg(long, value_name = "TIME", conflicts_with_all = ["time", "nodes"], value_parser = time::above_0)]
    cap: Option<Duration>,
    /// Also print a table for each position
    #[arg(long)]
    each: bool,
    /// Search like the game's engines: candidate moves only
    #[arg(long)]
    as_played: bool,
    /// Size of the transposition table or tree, MiB
    #[arg(long, value_name = "MB", default_value_t = 16,
        value_parser = clap::value_parser!(u32).range(0..=1 << 20))]
    table_mb: u32,
    /// Plot nodes against depth to this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let plan = self.plan()?;
        inform(announced(&plan));
        let mut progress = Progress::new(&plan);
        let rows = run(&plan, &mut |algorithm, index| {
            progress.begin(algorithm, index)
        });
        progress.finish();
        let rows = rows.map_err(|error| BadInput(error.to_string()))?;
        if self.format.is_json() {
            write_json(out, &json::facts(&plan, &rows))?;
        } else {
            self.write_tables(&plan, &rows, out)?;
        }
        if let Some(path) = &self.plot {
            let name = || format!("--plot {}", path.display());
            let picture = plot::svg(&plan, &rows).with_context(name)?;
            std::fs::write(path, picture).with_context(name)?;
        }
        Ok(if has_fault(&plan, &differences(&rows)) {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }

    fn write_tables(&self, plan: &Plan, rows: &[Row], out: &mut dyn Write) -> Result<()> {
        if self.each && plan.positions.len() > 1 {
            for (index, position) in plan.positions.iter().enumerate() {
                let table = text::position(rows, index);
                writeln!(out, "Position {}: {position}\n{table}", index + 1)?;
            }
        }
        write!(out, "{}", text::summary(plan, rows))?;
        Ok(())
    }

    /// The searches to run. Prints skipped algorithms to standard error.
    fn plan(&self) -> Result<Plan, BadInput> {
        let game = self.game.rules()?;
        let variant = self.game.variant()?;
        let positions = self.positions(game, &variant)?;
        let algorithms = self.algorithms(game)?;
        let limit = match (self.time, self.nodes) {
            (Some(time), _) => SearchLimit::Time(time),
            (None, Some(nodes)) => SearchLimit::Nodes(nodes),
            (None, None) => {
                let seconds = if self.depth.is_some() { 10 } else { 2 };
                let cap = self.cap.unwrap_or(Duration::from_secs(seconds));
                let share = cap / positions.len() as u32;
                SearchLimit::Depth(self.depth.unwrap_or(game.standard().depth), share)
            }
        };
        Ok(Plan {
            game,
            variant,
            positions,
            algorithms,
            limit,
            as_played: self.as_played,
            table_mb: self.table_mb as usize,
        })
    }

    /// The selected algorithms that apply, each once.
    fn algorithms(&self, game: &dyn catalog::AnyGame) -> Result<Vec<AnySearch>, BadInput> {
        let named = |&asked: &AnySearch| match asked {
            AnySearch::Engine(Algorithm::Best) => game.best().into(),
            known => known,
        };
        let named: Vec<AnySearch> = self.algorithm.iter().map(named).collect();
        let asked = |algorithm| named.is_empty() || named.contains(&algorithm);
        let mut found = Vec::new();
        for algorithm in AnySearch::all() {
            if algorithm == AnySearch::Engine(Algorithm::Best) || !asked(algorithm) {
                continue;
            }
            match self.applies(game, algorithm) {
                Ok(()) => found.push(algorithm),
                Err(reason) => eprintln!("skipping {}: {reason}", algorithm.name()),
            }
        }
        if found.is_empty() {
            return Err(BadInput(
                "--algorithm: none of these algorithms can be compared".into(),
            ));
        }
        Ok(found)
    }

    /// Whether an algorithm can be compared, or why not.
    fn applies(&self, game: &dyn catalog::AnyGame, algorithm: AnySearch) -> Result<(), String> {
        if let AnySearch::Engine(algorithm) = algorithm {
            game.fits(algorithm)?;
        }
        let first = game.start(&json!({})).map_err(|error| error.to_string())?;
        if for_dice(algorithm) && first.faces() == 1 {
            return Err(format!("{} has no dice: same search as pvs", game.name()));
        }
        if self.time.is_none() && self.nodes.is_none() && !algorithm.deepens() {
            return Err("it has no depth limit, try --nodes or --time".into());
        }
        Ok(())
    }

    /// The given position or those of the file; by default the game's own, or the initial position of
    /// a variant.
    fn positions(
        &self,
        game: &dyn catalog::AnyGame,
        variant: &Value,
    ) -> Result<Vec<String>, BadInput> {
        if let Some(path) = &self.positions {
            return read(game, variant, path);
        }
        let one = |position: String, hint: &str| {
            let nobody = |error| BadInput(format!("{position}: {error}{hint}"));
            game.open(variant, &position).map_err(nobody)?;
            Ok(vec![position])
        };
        if self.game.is_given() {
            return one(self.game.open()?.position(), "");
        }
        let contest = game.complete_variant(&json!({})).map_err(bad_variant)?;
        if game.complete_variant(variant).map_err(bad_variant)? == contest {
            let standard = game::standard::positions(game.standard().text);
            return Ok(standard
                .map(|(_, _, position)| position.to_owned())
                .collect());
        }
        let first = game.start(variant).map_err(bad_variant)?.position();
        one(first, "; try --positions")
    }
}

/// How many searches there are, and how long they may take.
fn announced(plan: &Plan) -> String {
    let [algorithms, positions] = [plan.algorithms.len(), plan.positions.len()];
    let searches = (algorithms * positions) as u32;
    let most = match plan.limit {
        SearchLimit::Depth(_, time) => format!(", {:.0?} at most", time * searches),
        SearchLimit::Time(time) => format!(", {:.0?}", time * searches),
        SearchLimit::Nodes(_) => String::new(),
    };
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    format!(
        "{algorithms} algorithm{} on {positions} position{}{most}",
        plural(algorithms),
        plural(positions)
    )
}

/// Reads a file of positions.
fn read(game: &dyn catalog::Rules, variant: &Value, path: &Path) -> Result<Vec<String>, BadInput> {
    let bad = |message: String| BadInput(format!("{}{message}", input::shown(path)));
    let text = input::text(path).map_err(|error| bad(format!(": {error}")))?;
    let mut found = Vec::new();
    for (line, columns, position) in game::standard::positions(&text) {
        game.open(variant, position).map_err(|error| match error {
            SearchError::Variant(error) => bad_variant(error),
            SearchError::Text(error) => bad(format!(":{line}: {}", error.shifted(columns))),
            other => bad(format!(":{line}: {other}")),
        })?;
        found.push(position.to_owned());
    }
    if found.is_empty() {
        return Err(bad(": no positions, expected one per line".into()));
    }
    Ok(found)
}

/// Progress on standard error: a bar on a terminal, otherwise one line per algorithm.
struct Progress {
    positions: usize,
    /// Number of searches started.
    begun: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(plan: &Plan) -> Progress {
        let searches = plan.algorithms.len() * plan.positions.len();
        let bar = shows_bar().then(|| {
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} searches\n{msg}");
            ProgressBar::new(searches as u64).with_style(style.expect("the template is sound"))
        });
        Progress {
            positions: plan.positions.len(),
            begun: 0,
            bar,
        }
    }

    /// Shows the start of a search.
    fn begin(&mut self, algorithm: AnySearch, index: usize) {
        let name = algorithm.name();
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.begun);
                bar.set_message(format!(
                    "{name}, position {} of {}",
                    index + 1,
                    self.positions
                ));
            }
            None if index == 0 => inform(format_args!("{name} …")),
            None => {}
        }
        self.begun += 1;
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
