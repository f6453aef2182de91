//! `referee submit`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use referee_core::base::error::{BadInput, inform, tell};
use referee_core::base::input;
use referee_core::base::plain::games_in_words;
use referee_core::cluster::job::{self, Job};
use referee_core::cluster::length::{Measured, by_clock, games_of_shard};
use referee_core::cluster::scheduler::{Scheduler, Script};
use referee_core::league::builds::Builds;
use referee_core::league::config::Config;
use referee_core::league::cores::of_a_game;
use referee_core::league::merge::Twice;
use referee_core::league::tournament::{Due, Tournament};
use referee_core::log::{self, record::Logged};

use super::merge::{Outcome, merge};
use super::pace;
use super::seed::Drawn;
use super::session::{TABLES, folder, tournament};

/// Play a league on a cluster: submit it in shards, follow them, and merge their logs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Cuts the games that are not in the log yet into shards of one to five minutes, submits them as one
array, and merges what they have played into DIR until all have ended. DIR must be a folder that all
hosts share, and referee the same program on all of them.

Run the same command again after anything: it follows a job that is still running, and submits what
is missing otherwise. Ctrl-C ends the following, not the job. --dry-run writes the job and its script
and submits nothing; the script can be edited and submitted by hand.

Exit status: 0 no game of the league is missing, 1 some are missing, 2 bad input.

Example: referee submit night.toml --to hyperqueue
  referee submit night.toml --to slurm --dry-run
  referee submit night.toml --to parallel --hosts lab.txt")]
pub(super) struct Args {
    /// The league file
    file: PathBuf,
    /// The scheduler
    #[arg(long, value_enum, value_name = "SCHEDULER")]
    to: Scheduler,
    /// Folder of the log and the tables [default: matches/<name of the league>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games of a shard [default: as many as take about 150 s]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Write the job and its script, and submit nothing
    #[arg(long)]
    dry_run: bool,
    /// GNU parallel: a file with the names of the hosts, one a line [default: this host]
    #[arg(long, value_name = "FILE")]
    hosts: Option<PathBuf>,
}

/// Shortest time between two looks at a job.
const PAUSE: Duration = Duration::from_millis(500);
/// A merge may take this share of the time.
const MERGING: u32 = 10;

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        if !self.dry_run {
            self.to.check_program()?;
        }
        let text = input::text(&self.file)
            .map_err(|error| BadInput(format!("{}: {error}", self.file.display())))?;
        let mut config = Config::parse(&self.file, &text, &[])?;
        let folder = folder(self.out.as_deref(), &config);
        let drawn = Drawn::for_league(&mut config, &folder)?;
        let tournament = tournament(config)?;
        if tournament.is_open() {
            return Err(BadInput(format!(
                "{}: its games depend on results, expected a league of one stage, a round robin or \
                 gauntlet without played tie-breaks; play this one by referee league",
                self.file.display()
            ))
            .into());
        }
        let jobs = Jobs::of(&folder);
        let running = jobs.newest().filter(|_| !self.dry_run);
        if let Some((path, job)) = running
            && !job.has_ended()?
        {
            inform(format_args!(
                "following job {} of {}",
                job.id,
                path.display()
            ));
            follow(&jobs, &path, &job)?;
        }
        let mut due = tournament.survey(&look(&jobs)?.played).due;
        // The games of two engines belong together: engines that stay for their next game start once
        // in a shard. The sort keeps the games of a pair together.
        due.sort_by_key(|due| {
            let [one, other] = due.sides();
            (due.game(), one.min(other), one.max(other))
        });
        if due.is_empty() {
            return conclude(&folder, 0, out);
        }
        if let Some(drawn) = drawn {
            drawn.keep(&folder)?;
        }
        pace::reference(&tournament.config, &folder)?;
        let (path, mut job) = self.write(&jobs, &tournament, text, due)?;
        let script = path.join("submit.sh");
        if self.dry_run {
            writeln!(out, "{}", script.display())?;
            return Ok(ExitCode::SUCCESS);
        }
        // A job that was refused leaves nothing behind.
        job.id = (self.to.submit(&script)).inspect_err(|_| drop(fs::remove_dir_all(&path)))?;
        job.save(&path)
            .with_context(|| path.display().to_string())?;
        inform(format_args!("job {} submitted", job.id));
        follow(&jobs, &path, &job)?;
        let Outcome { played, twice, .. } = look(&jobs)?;
        if twice > 0 {
            let games = games_in_words(twice);
            inform(format_args!("{games} more than once; the first counts"));
        }
        let missing = tournament.survey(&played).due.len();
        if missing > 0 {
            tell_what_failed(&path, &job)?;
        }
        conclude(&folder, missing, out)
    }

    /// Writes a job for the games that are due, and its script.
    fn write(
        &self,
        jobs: &Jobs,
        tournament: &Tournament,
        text: String,
        due: Vec<Due>,
    ) -> Result<(PathBuf, Job)> {
        let program = std::env::current_exe().context("cannot find the path of this program")?;
        let mean = mean_length(tournament, &due, &measured(jobs)?)?;
        let wanted = match self.games {
            Some(games) => games as usize,
            None => games_of_shard(mean),
        };
        let games = wanted.max(due.len().div_ceil(self.to.most_shards()));
        let build = Builds::default().of_program(&program);
        let job = Job::new(
            &self.file,
            text,
            &jobs.out,
            build,
            (games, due.len()),
            self.to,
        )?;
        let path = jobs.begin()?;
        let written = || -> Result<()> {
            let ids: String = due.iter().map(|due| tournament.id(due) + "\n").collect();
            fs::write(path.join("games.txt"), ids)?;
            fs::create_dir(path.join("out"))?;
            let hosts = self.hosts.as_deref().map(std::path::absolute).transpose()?;
            let script = self.to.script(&Script {
                name: &tournament.config.name,
                job: &path,
                shards: job.shards,
                cores: of_a_game(&tournament.config),
                referee: &program,
                hosts: hosts.as_deref(),
            })?;
            fs::write(path.join("submit.sh"), script)?;
            Ok(job.save(&path)?)
        };
        written().with_context(|| path.display().to_string())?;
        let shards = match job.shards {
            1 => "1 shard".to_owned(),
            shards => format!("{shards} shards"),
        };
        inform(format_args!(
            "{} in {shards}; a game takes about {:.1} s, a shard {:.1} min",
            games_in_words(due.len()),
            mean.as_secs_f64(),
            mean.as_secs_f64() * games.min(due.len()) as f64 / 60.0
        ));
        Ok((path, job))
    }
}

/// Merges what a job has played until it has ended.
fn follow(jobs: &Jobs, path: &Path, job: &Job) -> Result<()> {
    let mut next = Instant::now() + 4 * PAUSE;
    while !job.has_ended()? {
        std::thread::sleep(PAUSE);
        if Instant::now() >= next {
            let begun = Instant::now();
            look(jobs)?;
            next = begun + MERGING * begun.elapsed().max(PAUSE);
        }
    }
    inform(format_args!("the job in {} has ended", path.display()));
    Ok(())
}

/// Prints the tables.
fn conclude(folder: &Path, missing: usize, out: &mut dyn Write) -> Result<ExitCode> {
    if let Ok(tables) = fs::read_to_string(folder.join(TABLES)) {
        write!(out, "{tables}")?;
    }
    if missing == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    tell(format_args!(
        "{} missing; run the same command again to submit them",
        games_in_words(missing)
    ));
    Ok(ExitCode::FAILURE)
}

/// Merges what has been played. Shards that are playing have a last line that is not whole, so
/// nobody is warned of that.
fn look(jobs: &Jobs) -> Result<Outcome> {
    let merged = merge(&jobs.logs()?, &jobs.out, Twice::First)?;
    if merged.played.len() > merged.before {
        let games = games_in_words(merged.played.len());
        inform(format_args!("{games} in {}", jobs.out.display()));
    }
    Ok(merged)
}

/// How long the games in the log of a league took.
fn measured(jobs: &Jobs) -> Result<Measured> {
    let mut measured = Measured::default();
    let length = |game: Logged<'_>| (game.game.to_string(), game.duration_ms);
    log::each(&[jobs.out.join(log::FILE_NAME)], length, |(game, ms)| {
        measured.add(&game, Duration::from_millis(ms));
    })?;
    Ok(measured)
}

/// The mean length of the games that are due: measured, or by their clocks.
fn mean_length(tournament: &Tournament, due: &[Due], measured: &Measured) -> Result<Duration> {
    let config = &tournament.config;
    let mut lengths = Vec::new();
    for (index, game) in config.games.iter().enumerate() {
        let Some(first) = due.iter().find(|due| due.game() == index) else {
            lengths.push(Duration::ZERO);
            continue;
        };
        lengths.push(match measured.mean(&game.id) {
            Some(mean) => mean,
            None => {
                let rules = catalog::find(&game.id).context("a game of the catalogue")?;
                let start = rules
                    .start(&game.variant)
                    .map_err(|error| BadInput(error.to_string()))?;
                by_clock(tournament.task(first).clocks(), start.turns_left())
            }
        });
    }
    let sum: Duration = due.iter().map(|due| lengths[due.game()]).sum();
    Ok(sum / due.len().max(1) as u32)
}

/// Tells the last line of the first shards that have not played all of their games.
fn tell_what_failed(path: &Path, job: &Job) -> Result<()> {
    /// Most shards that are told.
    const MOST: usize = 5;
    let mut told = 0;
    for shard in 1..=job.shards {
        let logs = job::logs(path, std::iter::once(shard))?;
        let played = job::played(&logs)?;
        if job.ids(path, shard)?.iter().all(|id| played.contains(id)) {
            continue;
        }
        told += 1;
        if told > MOST {
            continue;
        }
        let said = fs::read_to_string(path.join("out").join(format!("{shard}.txt")));
        let last = said
            .ok()
            .and_then(|text| text.lines().next_back().map(str::to_owned));
        tell(match (last, logs.is_empty()) {
            (Some(line), _) => format!("shard {shard}: {line}"),
            (None, false) => format!("shard {shard}: it ended before its games did"),
            (None, true) => format!(
                "shard {shard}: it has left nothing in {}; is this folder shared with the hosts?",
                path.display()
            ),
        });
    }
    if told > MOST {
        tell(format_args!("and {} more shards", told - MOST));
    }
    Ok(())
}

/// The jobs of a league, numbered from 1, in the folder of its log.
struct Jobs {
    /// The folder of the log.
    out: PathBuf,
    folder: PathBuf,
}

impl Jobs {
    fn of(out: &Path) -> Jobs {
        Jobs {
            out: out.to_owned(),
            folder: out.join("jobs"),
        }
    }

    /// All jobs, in order.
    fn all(&self) -> Vec<(PathBuf, Job)> {
        let paths = (1..).map(|number: u32| self.folder.join(number.to_string()));
        let existing = paths.take_while(|path| path.is_dir());
        let loaded = existing.filter_map(|path| Some((path.clone(), Job::load(&path).ok()?)));
        loaded.collect()
    }

    fn newest(&self) -> Option<(PathBuf, Job)> {
        self.all().pop()
    }

    /// The logs of all attempts at all shards of all jobs.
    fn logs(&self) -> Result<Vec<PathBuf>> {
        let mut logs = Vec::new();
        for (path, job) in self.all() {
            logs.extend(job::logs(&path, 1..=job.shards)?);
        }
        Ok(logs)
    }

    /// Makes the folder of a new job; returns its absolute path.
    fn begin(&self) -> Result<PathBuf> {
        fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        let number = (1..).find(|number: &u32| !self.folder.join(number.to_string()).exists());
        let path = self.folder.join(number.unwrap_or(1).to_string());
        fs::create_dir(&path).with_context(|| path.display().to_string())?;
        Ok(std::path::absolute(&path)?)
    }
}
