//! A league whose games a scheduler plays in shards.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::cluster::job::{self, Job, League, Task};
use crate::cluster::length::{Measured, by_clock, games_of_shard};
use crate::cluster::scheduler::Scheduler;
use anyhow::{Context, Result};
use base::error::{BadInput, inform, tell};
use base::input;
use base::plain::games_in_words;
use gamelog::{self, record::Logged};
use league::config::{Config, Override};
use league::cores::of_a_game;
use league::results::standings::Standings;
use league::tournament::{Due, Tournament};

use super::jobs::{self, Jobs, NewJob};
use super::merging::{Merging, Outcome, Plan, present};
use league::pace;
use league::session::seed::Drawn;
use league::session::{folder, tournament};

/// A merge may take this share of the time.
const SHARE: u32 = 10;
/// How long a cancelled job may take to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// A league and who plays it.
pub struct Submission<'a> {
    /// The league file.
    pub file: &'a Path,
    /// Keys that are set instead of the file's.
    pub overrides: Vec<Override>,
    /// The games that are played; all if empty.
    pub only: &'a [String],
    /// The folder of the log; `None` for the default.
    pub out: Option<&'a Path>,
    /// Who plays the shards.
    pub scheduler: Scheduler,
    /// GNU parallel: the file with the names of the hosts.
    pub hosts: Option<&'a Path>,
    /// Games of a shard; `None` for as many as take some minutes.
    pub shard_games: Option<u32>,
}

/// How a league has ended.
pub struct End {
    /// The folder of its log.
    pub folder: PathBuf,
    /// Number of games that are not played.
    pub missing: usize,
    /// The standings after all games.
    pub standings: Standings,
}

/// A league that is ready to be submitted.
struct Ready {
    text: String,
    plan: Plan,
    drawn: Option<Drawn>,
    jobs: Jobs,
    /// Number of games of the league.
    planned: usize,
}

impl Submission<'_> {
    /// Plays the league. `decides` gets the standings whenever games have been merged, and ends the
    /// league if it is true.
    ///
    /// # Errors
    /// Bad input, or a scheduler that is not there, refuses the job or does not answer.
    pub fn play(&self, decides: &mut dyn FnMut(&Standings) -> bool) -> Result<End> {
        self.scheduler.check_program()?;
        let ready = self.ready()?;
        let (jobs, tournament) = (&ready.jobs, &ready.plan.tournament);
        if let Some((path, job)) = jobs.newest()
            && !job.has_ended(&path)?
        {
            jobs::inform_of(&path, &job);
            follow(&ready, &path, &job, decides)?;
        }
        let Outcome {
            played, standings, ..
        } = look(&ready)?;
        let due = tournament.survey(&played).due;
        let folder = jobs.out.clone();
        if due.is_empty() || decides(&standings) {
            let missing = due.len();
            return Ok(End {
                folder,
                missing,
                standings,
            });
        }
        // For a million games that is memory.
        drop((played, standings));
        let (path, mut job) = self.write(&ready, due)?;
        jobs::submit(&path, &mut job)?;
        inform(format_args!("job {} submitted", job.id));
        let has_decided = follow(&ready, &path, &job, decides)?;
        let Outcome {
            played,
            later,
            aside,
            standings,
            ..
        } = look(&ready)?;
        if later > 0 {
            let games = games_in_words(later);
            inform(format_args!(
                "{games} more than once; the first attempt counts"
            ));
        }
        aside.tell();
        let missing = tournament.survey(&played).due.len();
        if missing > 0 && !has_decided {
            tell_what_failed(&path, &job)?;
        }
        Ok(End {
            folder,
            missing,
            standings,
        })
    }

    /// Writes a job and its script, which is returned; `None` if no game is missing.
    ///
    /// # Errors
    /// Those of [`Submission::play`].
    pub fn write_only(&self) -> Result<Option<PathBuf>> {
        let ready = self.ready()?;
        let due = ready.plan.tournament.survey(&look(&ready)?.played).due;
        if due.is_empty() {
            return Ok(None);
        }
        let (path, _) = self.write(&ready, due)?;
        Ok(Some(jobs::script_of(&path)))
    }

    fn ready(&self) -> Result<Ready> {
        let text = input::text(self.file)
            .map_err(|error| BadInput(format!("{}: {error}", self.file.display())))?;
        let mut config = Config::parse(self.file, &text, &self.overrides)?;
        if !self.only.is_empty() {
            config.only_games(self.only)?;
        }
        let folder = folder(self.out, &config);
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
        Ok(Ready {
            text,
            planned: tournament.plan().len(),
            plan: Plan::new(tournament),
            drawn,
            jobs: Jobs::of(&folder),
        })
    }

    /// Writes a job for the games that are due, and its script.
    fn write(&self, ready: &Ready, mut due: Vec<Due>) -> Result<(PathBuf, Job)> {
        let (jobs, tournament) = (&ready.jobs, &ready.plan.tournament);
        // The games of two engines belong together: engines that stay for their next game start once
        // in a shard. The sort keeps the games of a pair together.
        due.sort_by_key(|due| {
            let [one, other] = due.sides();
            (due.game(), one.min(other), one.max(other))
        });
        if let Some(drawn) = &ready.drawn {
            drawn.keep(&jobs.out)?;
        }
        pace::begin(&tournament.config, &jobs.out)?;
        let mean = mean_length(tournament, &due, &measured(jobs)?)?;
        let wanted = match self.shard_games {
            Some(games) => games as usize,
            None => games_of_shard(mean),
        };
        let games = wanted.max(due.len().div_ceil(self.scheduler.most_shards()));
        let ids: String = due.iter().map(|due| tournament.id(due) + "\n").collect();
        let new = NewJob {
            task: Task::League(League {
                file: std::path::absolute(self.file)?,
                text: ready.text.clone(),
                overrides: self.overrides.clone(),
                only: self.only.to_owned(),
                out: std::path::absolute(&jobs.out)?,
                games,
                builds: present(tournament)?.into_iter().collect(),
            }),
            shards: due.len().div_ceil(games),
            cores: of_a_game(&tournament.config),
            name: &tournament.config.name,
            scheduler: self.scheduler,
            hosts: self.hosts,
        };
        let (path, job) = jobs.write(new, &ids)?;
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

/// Merges what a job has played until it has ended, or `decides`; whether that was so. The job is
/// cancelled then.
fn follow(
    ready: &Ready,
    path: &Path,
    job: &Job,
    decides: &mut dyn FnMut(&Standings) -> bool,
) -> Result<bool> {
    let mut next = Instant::now() + 4 * jobs::PAUSE;
    let mut watch = jobs::Watch::default();
    while !watch.has_ended(path, job)? {
        std::thread::sleep(jobs::PAUSE);
        if Instant::now() < next {
            continue;
        }
        let begun = Instant::now();
        if decides(&look(ready)?.standings) {
            inform(format_args!("decided; job {} is cancelled", job.id));
            job.scheduler.cancel(&job.id)?;
            // The games that have ended meanwhile count, too.
            jobs::wait(path, job, PATIENCE)?;
            return Ok(true);
        }
        next = begun + SHARE * begun.elapsed().max(jobs::PAUSE);
    }
    inform(format_args!("the job in {} has ended", path.display()));
    Ok(false)
}

/// Merges what has been played. Shards that are playing have a last line that is not whole, so
/// nobody is warned of that.
fn look(ready: &Ready) -> Result<Outcome> {
    let Ready { jobs, planned, .. } = ready;
    let merging = Merging {
        sources: &jobs.sources(),
        out: &jobs.out,
        plan: Some(&ready.plan),
        rebuilt: false,
        prefer: &[],
        keep_first: false,
    };
    let merged = merging.run()?;
    if merged.played.len() > merged.before {
        let games = merged.played.len();
        inform(format_args!(
            "{games} of {planned} games in {}",
            jobs.out.display()
        ));
    }
    Ok(merged)
}

/// How long the games in the log of a league took.
fn measured(jobs: &Jobs) -> Result<Measured> {
    let mut measured = Measured::default();
    let length = |game: Logged<'_>| (game.game.to_string(), game.duration_ms);
    gamelog::each(
        &[jobs.out.join(gamelog::FILE_NAME)],
        length,
        |(game, ms)| {
            measured.add(&game, Duration::from_millis(ms));
        },
    )?;
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
    let Task::League(league) = &job.task else {
        return Ok(());
    };
    /// Most shards that are told.
    const MOST: usize = 5;
    let (mut told, mut nothing) = (0, false);
    for shard in 1..=job.shards {
        let logs = job::logs(path, std::iter::once(shard))?;
        let played = job::played(&logs)?;
        if league
            .ids(path, shard)?
            .iter()
            .all(|id| played.contains(id))
        {
            continue;
        }
        told += 1;
        if told > MOST {
            continue;
        }
        tell(match (jobs::last_words(path, shard), logs.is_empty()) {
            (Some(line), _) => format!("shard {shard}: {line}"),
            (None, false) => format!("shard {shard}: it ended before its games did"),
            (None, true) => format!("shard {shard}: it has left nothing"),
        });
        nothing |= logs.is_empty();
    }
    if nothing {
        let question = format!(
            "A shard that has left nothing in {} has not begun, or this folder is not shared with its host.",
            path.display()
        );
        tell(match jobs::own_words(path) {
            Some(line) => format!("{question} parallel: {line}"),
            None => question,
        });
    }
    if told > MOST {
        tell(format_args!("and {} more shards", told - MOST));
    }
    Ok(())
}
