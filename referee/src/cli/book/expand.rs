//! `referee book expand`.

use std::fs::{self, File};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::error::{BadInput, inform, shows_bar};
use base::signals;
use engine_core::Algorithm;
use entry::Book;
use indicatif::{ProgressBar, ProgressStyle};
use lab::book::{Ahead, Expander, Expansion, Plan, check, load, lock};
use league::session::part::Shard;
use protocol::ugi::InfoScore;

use super::super::facts::{FormatArg, write_json};
use super::super::position::{VariantArg, bad_variant, find};
use super::super::steps::StepsArgs;
use super::super::time;
use super::{facts, in_words, save};
use lab::cluster::steps;

/// Time between two writes of the book.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// Grow a book by searches, most important positions first
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Drop-out expansion (Lincke 2000): the leaf of the book that takes the fewest plies and the smallest
mistakes to reach is expanded: its best moves are added, and the position after each is searched. A
book that does not exist is begun; --game and --variant say of what.

Ctrl-C ends it after the expansion in progress, and the same command goes on, also after a kill. A
second process is refused, by the file BOOK.lock. With the same options the book depends on nothing
but the number of its expanded positions: also with --to, by which a scheduler makes the searches of
the next positions ahead (docs/cluster.md).

Example: referee book expand hex.book --game hex --positions 200
  referee book expand hex.book --nodes 100000 --time 8h
  referee book expand hex.book --actions 'a10' --nodes 100000
  referee book expand hex.book --nodes 100000 --positions 5000 --to hyperqueue --shards 64
  referee book expand gomoku.book --game gomoku --variant '{ opening = \"free\" }' --positions 500")]
pub(super) struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    path: PathBuf,
    /// The game of a new book, as listed by `referee games`
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    variant: VariantArg,
    /// Expand only positions after these actions and turns from the start, separated by spaces
    #[arg(long, value_name = "ACTIONS")]
    actions: Option<String>,
    /// Expanded positions at which the book is done, with those of earlier runs [default: no limit]
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// Time after which no further position is expanded [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = time::above_0)]
    time: Option<Duration>,
    /// Search algorithm
    #[arg(long, value_name = "NAME", default_value = Algorithm::default().name(), value_parser = Algorithm::find)]
    algorithm: Algorithm,
    /// Nodes or playouts of each search
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Moves that an expansion adds to a position
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..))]
    width: u16,
    /// The loss of value that counts as much as one ply, in points of the game's evaluation
    #[arg(long, value_name = "POINTS", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    ply_points: u32,
    /// Memory of the table or tree, MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=1 << 20))]
    table_mb: u32,
    /// Seed of every search
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    steps: StepsArgs,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        if let Some((shard, into)) = self.steps.part() {
            self.search_part(shard, into)?;
            return Ok(ExitCode::SUCCESS);
        }
        let (_lock, book) = self.open()?;
        let mut expander = self.expander(book)?;
        // An error before the first expansion, not after it.
        save(&self.path, expander.book())?;
        let stopped = Arc::new(AtomicBool::new(false));
        // A scheduler's searches go on when this process is killed, and are not lost.
        if !self.steps.steps().are_submitted() {
            let asked = stopped.clone();
            signals::on_stop(move |_| asked.store(true, Ordering::Relaxed))
                .context("cannot listen to Ctrl-C")?;
        }
        let ended = self.expand(&mut expander, &stopped);
        save(&self.path, expander.book())?;
        let ended = ended?;
        let book = expander.book();
        if self.format.is_json() {
            let mut facts = facts(book);
            facts["ended"] = ended.into();
            write_json(out, &facts)?;
        } else {
            writeln!(out, "{}: {}; {ended}", self.path.display(), in_words(book))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn expander(&self, book: Book) -> Result<Expander, BadInput> {
        let rules = find(&book.game)?;
        let plan = Plan {
            actions: self.actions.clone().unwrap_or_default(),
            algorithm: match self.algorithm {
                Algorithm::Best => rules.best(),
                named => named,
            },
            nodes: self.nodes,
            width: self.width.into(),
            ply_points: self.ply_points,
            table_mb: self.table_mb as usize,
            seed: self.seed,
        };
        Expander::new(rules, book, plan)
    }

    /// The leaves whose searches a scheduler makes ahead, one a shard; none if the next one is
    /// prepared.
    fn leaves(&self, expander: &Expander) -> Vec<Vec<u32>> {
        let left = self
            .positions
            .map(|wanted| wanted.saturating_sub(expander.book().expanded()));
        let most = self.steps.steps().shards;
        expander.unprepared(left.map_or(most, |left| left.min(most)))
    }

    /// Searches for a shard of the leaves.
    fn search_part(&self, shard: Shard, into: &Path) -> Result<()> {
        let expander = self.expander(self.load()?)?;
        let leaves = self.leaves(&expander);
        let share = &leaves[shard.range(leaves.len())];
        let found: Result<Vec<Ahead>, _> = share
            .iter()
            .map(|leaf| expander.search_ahead(leaf))
            .collect();
        steps::leave(into, &step_name(&expander), &found?)
    }

    /// Lets a scheduler make searches ahead, if one is given and the next leaf is not prepared.
    fn prepare(&self, expander: &mut Expander) -> Result<()> {
        let leaves = if self.steps.steps().are_submitted() {
            self.leaves(expander)
        } else {
            Vec::new()
        };
        if leaves.is_empty() {
            return Ok(());
        }
        save(&self.path, expander.book())?;
        let here = &mut |range: Range<usize>| -> Result<Vec<Ahead>> {
            let found = leaves[range].iter().map(|leaf| expander.search_ahead(leaf));
            Ok(found.collect::<Result<_, _>>()?)
        };
        let mut folder = self.path.clone().into_os_string();
        folder.push(".shards");
        let folder = Path::new(&folder);
        let found = self
            .steps
            .steps()
            .compute(folder, &step_name(expander), leaves.len(), here)?;
        found
            .into_iter()
            .flatten()
            .for_each(|ahead| expander.prepare(ahead));
        fs::remove_dir_all(folder).with_context(|| folder.display().to_string())
    }

    /// The book, a new one if there is no file, and its lock.
    fn open(&self) -> Result<(File, Book), BadInput> {
        let new = if self.path.exists() {
            None
        } else {
            Some(self.new_book()?)
        };
        let lock = lock(&self.path)?;
        let book = match new {
            Some(book) if !self.path.exists() => book,
            _ => self.load()?,
        };
        Ok((lock, book))
    }

    fn new_book(&self) -> Result<Book, BadInput> {
        let Some(game) = &self.game else {
            let path = self.path.display();
            return Err(BadInput(format!(
                "{path}: no such file, expected a book, or --game for a new one"
            )));
        };
        let rules = find(game)?;
        let variant = rules.complete_variant(&self.variant.value()?);
        let variant = variant.map_err(bad_variant)?;
        let start = rules.start(&variant).map_err(bad_variant)?;
        Ok(Book::new(rules.id(), variant, start.place().key))
    }

    /// Reads the book, and checks that it is of the game and variant that are given.
    fn load(&self) -> Result<Book, BadInput> {
        let book = load(&self.path)?;
        let game = self.game.as_deref().unwrap_or(&book.game);
        let variant = if self.variant.is_given() {
            find(game)?.complete_variant(&self.variant.value()?)
        } else {
            Ok(book.variant.clone())
        };
        let variant = variant.map_err(bad_variant)?;
        check(&self.path.display().to_string(), &book, game, &variant)?;
        Ok(book)
    }

    /// Expands until something ends it; returns what.
    fn expand(&self, expander: &mut Expander, stopped: &AtomicBool) -> Result<&'static str> {
        let progress = Progress::new(self.positions);
        let begun = Instant::now();
        let mut saved = Instant::now();
        loop {
            let count = expander.book().expanded();
            if self.positions.is_some_and(|wanted| count >= wanted) {
                return Ok("as many as asked for");
            }
            if self.time.is_some_and(|time| begun.elapsed() >= time) {
                return Ok("time is up");
            }
            if stopped.load(Ordering::Relaxed) {
                return Ok("interrupted");
            }
            self.prepare(expander)?;
            let Some(expansion) = expander.step()? else {
                return Ok("nothing is left to expand");
            };
            progress.show(count + 1, &expansion);
            if saved.elapsed() >= SAVE_EVERY {
                save(&self.path, expander.book())?;
                progress.tell(count + 1, &expansion);
                saved = Instant::now();
            }
        }
    }
}

/// The name of the searches that are made ahead.
fn step_name(expander: &Expander) -> String {
    format!("position {}", expander.book().expanded() + 1)
}

/// Progress on standard error: a bar on a terminal, otherwise a line with every write of the book.
struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(positions: Option<usize>) -> Progress {
        let bar = shows_bar().then(|| {
            let bar = match positions {
                Some(wanted) => ProgressBar::new(wanted as u64),
                None => ProgressBar::no_length(),
            };
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions\n{msg}");
            bar.with_style(style.expect("the template is sound"))
        });
        Progress { bar }
    }

    fn show(&self, count: usize, expansion: &Expansion) {
        if let Some(bar) = &self.bar {
            bar.set_position(count as u64);
            bar.set_message(in_progress(expansion));
        }
    }

    fn tell(&self, count: usize, expansion: &Expansion) {
        if self.bar.is_none() {
            let expansion = in_progress(expansion);
            inform(format_args!("{count} positions expanded; {expansion}"));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn in_progress(expansion: &Expansion) -> String {
    let value = expansion.value.map(InfoScore::from);
    let value = value.map_or(String::new(), |value| format!("value {value}, "));
    let line = match expansion.line.join(" ") {
        empty if empty.is_empty() => "the start".to_owned(),
        line => line,
    };
    format!("{value}last {line}")
}
