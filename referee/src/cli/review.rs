//! `referee review`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, Result};
use base::error::{BadInput, inform, shows_bar, tell};
use base::{disk, input, signals};
use engine_core::{Algorithm, StopFlag};
use gamelog::files::logged::{extras_of, game_of, record_of};
use gamelog::files::output::{Output, OutputError, Style};
use gamelog::files::{Encoding, Form, Records, Take};
use gamelog::record::GameRecord;
use indicatif::{ProgressBar, ProgressStyle};
use lab::plot::Curves;
use rayon::prelude::*;
use records::{Format, Remark, TextReading};
use review::curve::{self, Curve, Fitted, Sample};
use review::file::{Reviews, digest, path_of};
use review::league::{self, Difference, LeagueReview};
use review::{Course, Plan, Review, Searched};
use serde_json::{Value, json};

use super::convert::SourceArgs;
use super::facts::{FormatArg, write_json};
use super::logged::each_line;
use super::time;
use super::words;

/// Review games by an engine: what each turn lost, where the game turned, what was better
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The engine searches every position, from the end of a game to its opening. A turn is \
    judged by the chance to win that it lost: from 5 % on it is an inaccuracy, from 10 % a mistake, from \
    20 % a blunder. Rolls of dice are told apart from choices. What the searches found is kept in \
    FILE.review; the same command goes on after Ctrl-C, and costs nothing when all is known.\n\n\
    Exit status: 0 all games were reviewed, 1 some cannot be, or were only up to a fault, or the review \
    was stopped, 2 bad input.\n\n\
    Example: referee review lost.sgf\n\
    \x20 referee review matches/night --id hex-r1 --move-time 3s\n\
    \x20 referee review matches/night --nodes 20000 --cores 8 --format json"
)]
pub(super) struct Args {
    /// Logs, records in any format, or folders with such files; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// Only games whose id begins with this
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// The search: see `referee compare`
    #[arg(long, value_name = "NAME", default_value = Algorithm::default().name(),
        value_parser = name)]
    engine: String,
    /// Time for each position [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = time::above_0)]
    move_time: Option<Duration>,
    /// Nodes or playouts for each position, instead of a time: then a review can be repeated exactly
    #[arg(long, value_name = "N", conflicts_with = "move_time",
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each position, plies, instead of a time
    #[arg(long, value_name = "N", conflicts_with = "move_time",
        value_parser = clap::value_parser!(u32).range(1..=255))]
    depth: Option<u32>,
    /// Memory of each search, MiB
    #[arg(long, value_name = "MB", default_value_t = Plan::default().table_mb,
        value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    table_mb: u32,
    /// Searches at the same time [default: the cores of the machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    cores: Option<u16>,
    /// Keep what is found in this file, for all games [default: FILE.review beside each FILE]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also write the games as SGF, with marks, words and better lines as variations: a new file, or a
    /// folder
    #[arg(long, value_name = "OUT")]
    sgf: Option<PathBuf>,
    /// Also draw the chance to win over a game as SVG, with dice beside luck and choice
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Instead of a review, fit the curve from scores to chances to logged games with scores
    #[arg(long, conflicts_with_all = ["id", "out", "sgf", "plot"])]
    fit: bool,
    /// Format of the files
    #[arg(long, value_parser = words::form(), value_name = "FORMAT")]
    from: Option<Form>,
    #[command(flatten)]
    reading: SourceArgs,
    #[command(flatten)]
    format: FormatArg,
}

/// A known name of a search.
fn name(text: &str) -> Result<String, String> {
    Algorithm::find(text).map(|found| found.name().to_owned())
}

/// A game to review.
struct Job {
    /// Where it is, for messages.
    at: String,
    record: GameRecord,
    /// The file of its reviews; `None` for none.
    file: Option<PathBuf>,
    /// Where its engines judged the same position differently.
    differences: Vec<Difference>,
}

impl Job {
    fn names(&self) -> [&str; 2] {
        [&self.record.first.name, &self.record.second.name]
    }
}

/// The games of the files, and how many cannot be reviewed.
struct Jobs<'a> {
    args: &'a Args,
    jobs: Vec<Job>,
    /// With --fit: the scores of each game.
    samples: BTreeMap<String, Sample>,
    faulty: usize,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let source = self.reading.source(self.from)?;
        let mut jobs = Jobs {
            args: &self,
            jobs: Vec::new(),
            samples: BTreeMap::new(),
            faulty: 0,
        };
        let mut files = source.find(&self.paths)?;
        source.each(&mut files, &mut jobs)?;
        if self.fit {
            return self.write_curves(&jobs, out);
        }
        let (jobs, mut faulty) = (jobs.jobs, jobs.faulty);
        if jobs.is_empty() && faulty == 0 {
            let wanted = self
                .id
                .as_deref()
                .map_or(String::new(), |id| format!(" --id {id}"));
            return Err(BadInput(format!("no such game{wanted}, expected games")).into());
        }
        if let (Some(plot), true) = (&self.plot, jobs.len() > 1) {
            let (plot, count) = (plot.display(), jobs.len());
            let message = format!("--plot {plot}: {count} games, expected one: choose it by --id");
            return Err(BadInput(message).into());
        }
        let stop = StopFlag::default();
        let asked = stop.clone();
        signals::on_stop(move |_| asked.stop()).context("cannot watch for signals")?;
        let work = Work::new(&self, &jobs, stop)?;
        let (mut written, mut league) = (Vec::new(), LeagueReview::default());
        let mut sgf = self.open_sgf()?;
        for (job, result) in jobs.iter().zip(work.run(&jobs)?) {
            match result {
                // Of many games, those that a stop has cut off are left out.
                Ok(review) if jobs.len() > 1 && work.stop.is_set() && !review.is_whole() => {}
                Ok(review) => {
                    faulty += usize::from(review.course.fault.is_some());
                    league.add(&job.record, &review);
                    league.compare(job.differences.clone());
                    self.write(job, &review, jobs.len(), &mut written, out)?;
                    if let Some(path) = &self.plot {
                        plot(path, job, &review)?;
                    }
                    if let Some(sgf) = &mut sgf {
                        faulty += usize::from(!annotate(job, &review, sgf)?);
                    }
                }
                Err(message) => {
                    faulty += 1;
                    tell(format_args!("{}: {message}", job.at));
                }
            }
        }
        if self.format.is_json() {
            let mut facts = json!(league);
            facts["games"] = written.into();
            facts["not_reviewed"] = faulty.into();
            write_json(out, &facts)?;
        } else if jobs.len() > 1 {
            write!(out, "== All games\n{}", review::together(&league))?;
        }
        let stopped = work.stop.is_set();
        if stopped {
            inform(format_args!("stopped; the same command goes on"));
        }
        Ok(if faulty > 0 || stopped {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }

    /// The curve of each game, from logged scores and results.
    fn write_curves(&self, jobs: &Jobs<'_>, out: &mut dyn Write) -> Result<ExitCode> {
        let mut facts = Vec::new();
        if !self.format.is_json() {
            writeln!(
                out,
                "game              scale  ± error   games    scores   used here"
            )?;
        }
        for (game, sample) in &jobs.samples {
            let used = match Curve::of(game) {
                Curve::Logistic(scale) => scale,
                Curve::Linear(_) => {
                    tell(format_args!(
                        "{game}: no curve, its scores are expectations"
                    ));
                    continue;
                }
            };
            let Some(fitted) = curve::fit(sample) else {
                tell(format_args!(
                    "{game}: no curve, expected games with scores that are sometimes wrong"
                ));
                continue;
            };
            let Fitted {
                scale,
                error,
                games,
                scores,
            } = fitted;
            facts.push(json!({
                "game": game, "scale": scale, "error": error, "games": games, "scores": scores,
            }));
            if !self.format.is_json() {
                writeln!(
                    out,
                    "{game:15}  {scale:6.1}  {error:7.1}  {games:6}  {scores:8}  {used:10.1}"
                )?;
            }
        }
        if self.format.is_json() {
            write_json(out, &json!(facts))?;
        }
        Ok(if facts.len() < jobs.samples.len() || facts.is_empty() {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }

    fn open_sgf(&self) -> Result<Option<Output>, BadInput> {
        let style = Style {
            format: Format::Sgf,
            encoding: Encoding::Utf8,
        };
        let open = |path: &PathBuf| Output::open(path, style);
        let opened = self.sgf.as_ref().map(open).transpose();
        opened.map_err(|error| BadInput(format!("--sgf: {error}")))
    }

    fn plan(&self) -> Plan {
        let limited = self.nodes.is_some() || self.depth.is_some();
        let default = Plan::default().move_time.filter(|_| !limited);
        Plan {
            engine: self.engine.clone(),
            move_time: self
                .move_time
                .map(|time| (time.as_millis() as u64).max(1))
                .or(default),
            nodes: self.nodes,
            depth: self.depth,
            table_mb: self.table_mb,
            ..Plan::default()
        }
    }

    fn write(
        &self,
        job: &Job,
        review: &Review,
        count: usize,
        written: &mut Vec<Value>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let (record, names) = (&job.record, job.names());
        if self.format.is_json() {
            let mut facts = review.facts();
            facts["id"] = record.id.clone().into();
            facts["at"] = job.at.clone().into();
            facts["names"] = json!(names);
            written.push(facts);
            return Ok(());
        }
        if count > 1 {
            writeln!(out, "== {} ({})", record.id, job.at)?;
        }
        let [first, second] = names;
        let game = review.course.rules.name();
        writeln!(out, "{game}: {first} (first) against {second} (second)\n")?;
        write!(
            out,
            "{}",
            review::text(review, names, job.record.result.loser())
        )?;
        if !review.is_whole() {
            writeln!(out, "Not all positions were searched.")?;
        }
        if count > 1 {
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Draws the chances of `First` over a game into a file.
fn plot(path: &Path, job: &Job, review: &Review) -> Result<()> {
    let [first, second] = job.names();
    let points = |heights: &[Option<f64>]| -> Vec<(f64, f64)> {
        let known = heights.iter().enumerate();
        known
            .filter_map(|(ply, height)| Some((ply as f64, height.as_ref()?.clamp(0.0, 1.0))))
            .collect()
    };
    let around = |sums: Vec<f64>| -> Vec<Option<f64>> {
        sums.into_iter().map(|sum| Some(0.5 + sum)).collect()
    };
    let values = &review.values;
    let mut curves = vec![(format!("chance of {first}"), points(&values.first))];
    if let Some(luck) = values.luck_so_far() {
        let choice = values.choice_so_far(&review.course);
        curves.push((
            "luck of the rolls, from 50 %".to_owned(),
            points(&around(luck)),
        ));
        curves.push((
            "losses by choice, from 50 %".to_owned(),
            points(&around(choice)),
        ));
    }
    let curves = Curves {
        title: format!(
            "{}: {first} (first) against {second}",
            review.course.rules.name()
        ),
        axes: ["turns and rolls", "chance of the first side"],
        label: |share| format!("{:.0} %", 100.0 * share),
        last: review.course.plies.len() as f64,
        curves,
    };
    let name = || format!("--plot {}", path.display());
    let picture = curves.svg().with_context(name)?;
    disk::replace(path, picture.as_bytes()).with_context(name)
}

/// Writes a reviewed game as SGF. Returns whether it could be written; if not, it has been said.
fn annotate(job: &Job, review: &Review, sgf: &mut Output) -> Result<bool> {
    let mut game = job.record.clone();
    game.turns
        .truncate(review.course.plies.len() - review.course.opening);
    let mut record = record_of(&game);
    record.extras = extras_of(&game, false);
    for (known, remark) in record
        .extras
        .remarks
        .iter_mut()
        .zip(review::remarks(review))
    {
        let seconds_left = known.seconds_left;
        *known = Remark {
            seconds_left,
            ..remark
        };
    }
    match sgf.write(review.course.rules, &record) {
        Ok(()) => Ok(true),
        Err(OutputError::Unwritable(message)) => {
            tell(format_args!("{}: no SGF: {message}", job.at));
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// The searches of all games.
struct Work {
    plan: Plan,
    cores: usize,
    stop: StopFlag,
    /// By path.
    files: BTreeMap<PathBuf, Mutex<Reviews>>,
    bar: ProgressBar,
}

impl Work {
    fn new(args: &Args, jobs: &[Job], stop: StopFlag) -> Result<Work> {
        let mut files = BTreeMap::new();
        for path in jobs.iter().filter_map(|job| job.file.as_ref()) {
            if files.contains_key(path) {
                continue;
            }
            let reviews = Reviews::read(path.clone())?;
            if reviews.unread > 0 {
                let (name, lines) = (path.display(), reviews.unread);
                tell(format_args!(
                    "warning: {name}: {lines} lines are no reviews of this version"
                ));
            }
            files.insert(path.clone(), Mutex::new(reviews));
        }
        let machine = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Work {
            plan: args.plan(),
            cores: args.cores.map_or(machine, usize::from),
            stop,
            files,
            bar: bar(),
        })
    }

    /// The reviews of all games, in their order.
    fn run(&self, jobs: &[Job]) -> Result<Vec<Result<Review, String>>> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.cores)
            .build();
        let pool = pool.context("cannot start threads")?;
        let found = pool.install(|| {
            let games = jobs.par_iter();
            games.map(|job| self.review(job)).collect::<Vec<_>>()
        });
        self.bar.finish_and_clear();
        found.into_iter().collect()
    }

    /// The review of a game; what is found anew is kept. The outer error ends the work.
    fn review(&self, job: &Job) -> Result<Result<Review, String>> {
        let course = match Course::of(&job.record) {
            Ok(course) => course,
            Err(message) => return Ok(Err(message)),
        };
        let digest = digest(&job.record);
        let file = job.file.as_ref().and_then(|path| self.files.get(path));
        let read = |reviews: &Mutex<Reviews>| -> Searched {
            let reviews = reviews
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            reviews
                .known(&digest, &self.plan)
                .cloned()
                .unwrap_or_default()
        };
        let known = file.map(read).unwrap_or_default();
        let left = review::left(&course, &known);
        self.bar.inc_length(left as u64);
        if left == 0 {
            return Ok(Ok(Review::new(course, known)));
        }
        let found = review::search(
            &course,
            &self.plan,
            known.clone(),
            &self.stop,
            &|_, looked| {
                // Nobody knows before how many second looks there are.
                let is_second = looked
                    .turn()
                    .is_some_and(|found| found.after_best.is_some());
                self.bar.inc_length(u64::from(is_second));
                self.bar.inc(1);
            },
        );
        let found = match found {
            Ok(found) => found,
            Err(message) => return Ok(Err(message)),
        };
        if let Some(file) = file.filter(|_| found != known) {
            let mut reviews = file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            reviews.append(&job.record.id, &digest, &self.plan, &found)?;
        }
        Ok(Ok(Review::new(course, found)))
    }
}

/// The progress over the positions of all games.
fn bar() -> ProgressBar {
    let style = "{bar:30} {pos} of {len} positions, {per_sec:.1}, {eta} left";
    match ProgressStyle::with_template(style) {
        Ok(style) if shows_bar() => ProgressBar::new(0).with_style(style),
        _ => ProgressBar::hidden(),
    }
}

impl Jobs<'_> {
    fn add(&mut self, at: String, path: &Path, mut record: GameRecord) {
        let id = self.args.id.as_deref().unwrap_or_default();
        if !record.id.starts_with(id) {
            return;
        }
        if self.args.fit {
            self.samples
                .entry(record.game.clone())
                .or_default()
                .add(&record);
            return;
        }
        let differences = league::differences(&record);
        for turn in &mut record.turns {
            turn.info = None;
        }
        let beside = || (!input::is_standard(path)).then(|| path_of(path));
        self.jobs.push(Job {
            at,
            record,
            file: self.args.out.clone().or_else(beside),
            differences,
        });
    }
}

impl Take for Jobs<'_> {
    type Error = anyhow::Error;

    fn log(&mut self, path: &Path) -> Result<bool> {
        each_line(
            path,
            |line| gamelog::parse::<String>(line),
            |entry| {
                let at = format!("{}:{}", input::shown(path), entry.line);
                match entry.record {
                    Ok(game) => self.add(at, path, game),
                    Err(message) => self.refuse(&at, &format!("not a game: {message}"))?,
                }
                Ok(())
            },
        )
    }

    fn game(&mut self, path: &Path, records: &Records, reading: TextReading) -> Result<()> {
        let at = format!("{}:{}", input::shown(path), reading.line);
        if let Some(fault) = &reading.fault {
            let kept = reading.record.words.len();
            let at = gamelog::files::at(path, fault.place);
            let message = format!("{}; {kept} turns and rolls are reviewed", fault.message());
            self.refuse(&at, &message)?;
        }
        match game_of(records.rules, records.format, &reading) {
            Ok(game) => self.add(at, path, game),
            Err(message) => self.refuse(&at, &message)?,
        }
        Ok(())
    }

    fn refuse(&mut self, at: &str, message: &str) -> Result<()> {
        self.faulty += 1;
        tell(format_args!("{at}: {message}"));
        Ok(())
    }
}
