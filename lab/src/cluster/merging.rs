//! Merges logs into the log of a league: which logs, in which order, and by what they are checked.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::cluster::job::{Job, League, Task};
use anyhow::{Context, Result};
use base::disk::replace_with;
use base::error::BadInput;
use base::input::JOB;
use gamelog::record::Logged;
use gamelog::{self, Dropped, Log};
use league::builds::Builds;
use league::merge::{Check, Game, Ids, KnownBuilds, Merged, Planned, Rank};
use league::report::{self, ReportOptions};
use league::results::standings::Standings;
use league::results::summary::GameSummary;
use league::tournament::{Due, Played, Tournament};
use task::pace;

use super::aside::{self, Aside};
use base::program::this_program;
use league::session::TABLES;

/// A league by whose plan games are checked.
pub struct Plan {
    /// The league.
    pub tournament: Tournament,
    /// Its games; none yet if they depend on results.
    planned: Planned,
}

impl Plan {
    /// The plan of a league.
    pub fn new(tournament: Tournament) -> Plan {
        let mut planned = Planned::new(&tournament.config);
        if !tournament.is_open() {
            planned.add(&tournament, &tournament.plan());
        }
        Plan {
            tournament,
            planned,
        }
    }
}

/// Logs to merge.
pub enum Source {
    /// A log.
    Log(PathBuf),
    /// A job that was submitted, with its folder and the number of its shards.
    Job(PathBuf, League, usize),
}

impl Source {
    /// The logs that a user names: the attempts at a job, or all logs of a folder, or a log.
    ///
    /// # Errors
    /// A path does not exist, or a folder has no log.
    pub fn find(paths: &[PathBuf]) -> Result<Vec<Source>, BadInput> {
        let mut sources = Vec::new();
        for path in paths {
            if path.join(JOB).is_file() {
                let job = Job::load(path)?;
                if let Some(job) = Source::of_job(path.clone(), job) {
                    sources.push(job);
                    continue;
                }
            }
            let found = gamelog::find(std::slice::from_ref(path))?;
            sources.extend(found.into_iter().map(Source::Log));
        }
        Ok(sources)
    }

    /// Puts jobs of one folder that follow each other into the order of their numbers, in which they were
    /// submitted: a shell names `jobs/10` before `jobs/2`.
    pub fn in_order(sources: &mut [Source]) {
        let parent = |source: &Source| source.job().and_then(Path::parent).map(Path::to_owned);
        let number =
            |source: &Source| -> Option<u64> { source.job()?.file_name()?.to_str()?.parse().ok() };
        let jobs = sources.chunk_by_mut(|one, other| parent(one) == parent(other));
        jobs.for_each(|jobs| jobs.sort_by_key(number));
    }

    /// The folder of a job.
    fn job(&self) -> Option<&Path> {
        match self {
            Source::Log(_) => None,
            Source::Job(folder, ..) => Some(folder),
        }
    }

    /// `None` if the job plays no league.
    pub fn of_job(folder: PathBuf, job: Job) -> Option<Source> {
        match job.task {
            Task::League(league) => Some(Source::Job(folder, league, job.shards)),
            Task::Step(_) => None,
        }
    }

    /// Calls `take` with each log, in order: the rank of its games, and what is checked of them.
    fn each(
        &self,
        out: &Path,
        of_logs: Check<'_>,
        take: &mut dyn FnMut(&Path, Rank, Check<'_>) -> Result<()>,
    ) -> Result<()> {
        let (folder, league, shards) = match self {
            Source::Log(path) => return take(path, Rank::Equal, of_logs),
            Source::Job(folder, league, shards) => (folder, league, *shards),
        };
        // What was submitted from here says which builds its engines had. What somebody else supplies is
        // checked like any log.
        let of_job: KnownBuilds = league.builds.iter().collect();
        let builds = of_logs.builds.map(|known| {
            if is_within(folder, out) {
                &of_job
            } else {
                known
            }
        });
        for shard in league.shards(folder, shards)? {
            let (ids, logs): (Ids, _) = shard.with_context(|| folder.display().to_string())?;
            let check = Check {
                ids: Some(&ids),
                builds,
                ..of_logs
            };
            let mut logs = logs.iter();
            logs.try_for_each(|log| take(log, Rank::Attempt, check))?;
        }
        Ok(())
    }
}

/// A merge of logs into the log of a folder.
pub struct Merging<'a> {
    /// The logs.
    pub sources: &'a [Source],
    /// The folder of the merged log.
    pub out: &'a Path,
    /// The league by whose plan games are checked; without one only their ids are compared.
    pub plan: Option<&'a Plan>,
    /// Whether games of other builds of the engines count.
    pub rebuilt: bool,
    /// Of attempts that differ, those in these logs or folders count.
    pub prefer: &'a [PathBuf],
    /// Of attempts that differ, that of the first source counts.
    pub keep_first: bool,
}

/// What came of a merge.
pub struct Outcome {
    /// All games that count.
    pub played: Played,
    /// How many there were in the folder before.
    pub before: usize,
    /// Number of records that do not count because another one of the game does.
    pub later: usize,
    /// What does not count.
    pub aside: Aside,
    /// Warnings for the user, such as broken last lines.
    pub warnings: Vec<String>,
    /// The standings after all games.
    pub standings: Standings,
}

impl Merging<'_> {
    /// Merges the logs, and writes the tables and what was set aside.
    ///
    /// # Errors
    /// A log cannot be read or written. Nothing is written then.
    pub fn run(&self) -> Result<Outcome> {
        let (mut before, mut builds) = (0, KnownBuilds::default());
        let strict = self.plan.filter(|_| !self.rebuilt);
        let builds_of = |game: Logged<'_>| {
            let engines = [game.first, game.second];
            strict.map(|_| engines.map(|engine| (engine.name, engine.build)))
        };
        // Locks the log against a league that writes to it, and sets a broken last line aside.
        let target = Log::open(self.out, builds_of, |engines| {
            before += 1;
            for (engine, build) in engines.into_iter().flatten() {
                builds.add(&engine, &build);
            }
        })?;
        if let Some(plan) = strict {
            add_present(&mut builds, &plan.tournament)?;
        }
        let path = target.log.path();
        let mut pass = Pass {
            merging: self,
            dropped: gamelog::dropped(path)?,
            check: Check {
                plan: None,
                ids: None,
                builds: (!self.rebuilt).then_some(&builds),
                reference: pace::reference(self.out)?,
            },
            merged: Merged::default(),
            warnings: Vec::new(),
            preferred: 0,
        };
        pass.add_target(path)?;
        let plan = pass.add_all()?;
        let Pass {
            dropped,
            merged,
            warnings,
            preferred,
            ..
        } = pass;
        if preferred == 0 && !self.prefer.is_empty() {
            let message =
                "--prefer: none of the logs lies there, expected one of them or its folder";
            return Err(BadInput(message.to_owned()).into());
        }
        write_log(path, &merged, &dropped)?;
        let tournament = self.plan.map(|plan| &plan.tournament);
        let aside = aside::write(path, &merged, tournament, plan)?;
        let (later, played) = (merged.later, merged.into_played());
        Ok(Outcome {
            standings: write_tables(path)?,
            played,
            before,
            later,
            aside,
            warnings: [target.warnings, warnings].concat(),
        })
    }

    fn prefers(&self, log: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        let log = real(log);
        let mut folders = self.prefer.iter().filter_map(|path| real(path));
        folders.any(|folder| log.as_ref().is_some_and(|log| log.starts_with(folder)))
    }
}

/// Whether a folder lies in another one, links followed.
fn is_within(folder: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let real = real(folder).zip(real(other));
    real.is_some_and(|(folder, other)| folder.starts_with(other))
}

/// Adds the builds that engines have now, if no game tells what they had.
fn add_present(builds: &mut KnownBuilds, tournament: &Tournament) -> Result<()> {
    for (engine, build) in present(tournament)? {
        if !builds.has(&engine) {
            builds.add(&engine, &build);
        }
    }
    Ok(())
}

/// The builds of the engines of a league as their files are now, by their names.
pub fn present(tournament: &Tournament) -> Result<Vec<(String, String)>> {
    let (builds, referee) = (Builds::default(), this_program()?);
    let engines = tournament.config.engines.iter();
    let found = engines.map(|engine| (engine.name.clone(), builds.of(engine, &referee)));
    Ok(found.collect())
}

/// Reads the logs of a merge.
struct Pass<'a> {
    merging: &'a Merging<'a>,
    /// The games that were given up.
    dropped: Dropped,
    /// What is checked of all games.
    check: Check<'a>,
    merged: Merged,
    warnings: Vec<String>,
    /// Number of logs that the operator prefers.
    preferred: usize,
}

impl Pass<'_> {
    /// Adds the merged log, of which everything counts but what was given up.
    fn add_target(&mut self, path: &Path) -> Result<()> {
        if self.merging.plan.is_none() {
            let more = self.given_up_elsewhere(path)?;
            self.dropped = std::mem::take(&mut self.dropped).and(&more);
        }
        let read = |line: &[u8]| Game::read(line, &Check::default());
        let lines = gamelog::stream_without(path, self.dropped.clone(), read)?;
        Ok(self.merged.add(path, lines, Rank::First)?)
    }

    /// The merged games that another log gives up: those alone that nobody has played. With a plan a log
    /// gives up its own games only.
    fn given_up_elsewhere(&self, path: &Path) -> Result<Dropped> {
        let mut elsewhere = Dropped::default();
        for source in self.merging.sources {
            source.each(self.merging.out, Check::default(), &mut |path, _, _| {
                elsewhere = std::mem::take(&mut elsewhere).and(&gamelog::dropped(path)?);
                Ok(())
            })?;
        }
        if elsewhere.is_empty() {
            return Ok(elsewhere);
        }
        let unplayed = |line: &[u8]| {
            if !elsewhere.gives_up(line) {
                return Ok(None);
            }
            let game: Logged<'_> = gamelog::parse(line)?;
            Ok(game.may_be_given_up().then(|| line.to_vec()))
        };
        let lines = gamelog::stream_without(path, self.dropped.clone(), unplayed)?;
        // Whoever reads the games of the log is told of lines that cannot be read.
        let lines: Vec<Vec<u8>> = lines.filter_map(|line| line.ok()?.record.ok()?).collect();
        Ok(elsewhere.of_lines(lines.iter().map(Vec::as_slice)))
    }

    /// Adds all logs. In a league whose games depend on results, the plan grows with what was merged;
    /// it is returned.
    fn add_all(&mut self) -> Result<Option<Vec<Due>>> {
        let Some(plan) = self.merging.plan else {
            return self.add_logs(None).map(|()| None);
        };
        let tournament = &plan.tournament;
        if !tournament.is_open() {
            return self.add_logs(Some(&plan.planned)).map(|()| None);
        }
        let (mut planned, mut all) = (Planned::new(&tournament.config), Vec::new());
        let mut played = self.merged.played();
        loop {
            let due = tournament.survey(&played).due;
            planned.add(tournament, &due);
            all.extend(due);
            self.merged.read_again();
            self.add_logs(Some(&planned))?;
            let before = played.len();
            played = self.merged.played();
            if played.len() == before {
                return Ok(Some(all));
            }
        }
    }

    /// Adds all logs once: first those that the operator prefers.
    fn add_logs(&mut self, plan: Option<&Planned>) -> Result<()> {
        let merging = self.merging;
        let check = Check { plan, ..self.check };
        self.warnings.clear();
        let passes: &[bool] = match merging.prefer {
            [] => &[false],
            _ => &[true, false],
        };
        for &preferred in passes {
            for source in merging.sources {
                source.each(merging.out, check, &mut |path, rank, check| {
                    if preferred != merging.prefers(path) {
                        return Ok(());
                    }
                    self.preferred += usize::from(preferred);
                    let rank = if preferred || merging.keep_first {
                        Rank::First
                    } else {
                        rank
                    };
                    self.add(path, rank, check)
                })?;
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, rank: Rank, check: Check<'_>) -> Result<()> {
        // A log gives up its own games only: nobody else removes what was merged.
        let dropped = self.dropped.clone().and(&gamelog::dropped(path)?);
        let read = |line: &[u8]| Game::read(line, &check);
        let mut lines = gamelog::stream_without(path, dropped, read)?;
        self.merged.add(path, &mut lines, rank)?;
        self.warnings.extend(lines.warning(path));
        Ok(())
    }
}

fn write_log(target: &Path, merged: &Merged, dropped: &Dropped) -> Result<()> {
    let mut games = merged.counted()?;
    replace(target, |file| {
        games.try_for_each(|game| {
            let line = game.line()?;
            file.write_all(&line)?;
            Ok::<_, anyhow::Error>(file.write_all(b"\n")?)
        })?;
        dropped.lines().try_for_each(|line| {
            file.write_all(&line?)?;
            Ok(file.write_all(b"\n")?)
        })
    })
}

/// Writes the tables of a log beside it, and returns its standings.
fn write_tables(log: &Path) -> Result<Standings> {
    let mut standings = Standings::default();
    gamelog::each(
        &[log.to_owned()],
        |game| GameSummary::from(&game),
        |game| standings.add(&game),
    )?;
    let tables = report::report(&standings, &ReportOptions::default());
    replace(&log.with_file_name(TABLES), |file| {
        Ok(file.write_all(tables.as_bytes())?)
    })?;
    Ok(standings)
}

/// Replaces a file by one that is complete.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    replace_with(path, write).with_context(|| path.display().to_string())
}
