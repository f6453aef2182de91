//! What playing a league file takes, whatever the games are for: the plan, the log, Ctrl-C.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow};
use signal_hook::consts::SIGXFSZ;

use super::shard::Part;
use crate::config::{Config, Cpus};
use crate::cores::Cores;
use crate::error::{BadInput, tell};
use crate::events::{Events, Teller};
use crate::league::{self, Stop, Watcher};
use crate::log::{AppendError, Log, Opened};
use crate::process::guard::Guard;
use crate::record::{GameRecord, Logged};
use crate::records::scribe::{self, Scribe};
use crate::report::{self, Format, Wishes};
use crate::standings::{Counted, Standings};
use crate::task::GameTask;
use crate::tournament::{Ended, Played, Tournament};
use crate::waiting::Waiting;
use crate::{game, trace};

/// Name of the file with the tables, beside the log.
pub(super) const TABLES: &str = "standings.txt";

/// Where a league file is played to.
#[derive(Debug, clap::Args)]
pub(super) struct Place {
    /// The league file
    pub(super) file: PathBuf,
    /// Where the log and the tables go [default: matches/<name of the league>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write every line exchanged with engines to this file, with times
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Append events to this file as they happen, a JSON line each, for other programs; - writes them
    /// to standard output, and the results to standard error
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

impl Place {
    /// Where results go: to `out`, unless events take it.
    pub(super) fn results<'o>(&self, out: &'o mut dyn Write) -> Box<dyn Write + 'o> {
        if self.events.as_deref() == Some(Path::new("-")) {
            Box::new(std::io::stderr())
        } else {
            Box::new(out)
        }
    }

    /// Where events go; not into the log.
    fn events(&self, log: &Path) -> Result<Events, BadInput> {
        let Some(path) = &self.events else {
            return Ok(Events::default());
        };
        let bad = |message: String| BadInput(format!("--events {}: {message}", path.display()));
        let is_log = path
            .canonicalize()
            .is_ok_and(|path| log.canonicalize().is_ok_and(|log| log == path));
        if is_log {
            return Err(bad("the league's log, expected another file".to_owned()));
        }
        Events::open(path).map_err(|error| bad(error.to_string()))
    }
}

/// A league file that is being played.
pub(super) struct Session {
    tournament: Tournament,
    /// What can be played and is not yet in the log.
    due: Vec<GameTask>,
    /// What has been played, by this run or before.
    played: Played,
    /// How the engines stood when the log was opened.
    pub(super) standings: Standings,
    log: Log,
    folder: PathBuf,
    /// Games of the log that the league file does not plan.
    strangers: usize,
    stop: Arc<Stop>,
    events: Events,
}

impl Session {
    /// Reads the log, and says what there is to play of `part`.
    pub(super) fn open(config: Config, place: &Place, part: &Part) -> Result<Session> {
        let tournament = tournament(config)?;
        let given = match part.is_given() {
            true if tournament.is_open() => {
                return Err(BadInput(format!(
                    "{}: a part of a league whose games follow from results, expected a league of \
                     one stage, a round robin or gauntlet without played tie-breaks",
                    place.file.display()
                ))
                .into());
            }
            true => Some(part.of(tournament.plan())?),
            false => None,
        };
        let folder = (place.out.clone())
            .unwrap_or_else(|| Path::new("matches").join(&tournament.config.name));
        outlive_long_files()?;
        let (mut played, mut standings) = (Played::default(), Standings::default());
        let keep = |game: Logged<'_>| (Counted::from(&game), Ended::from(&game), game.id);
        let Opened { log, warnings } = Log::open(&folder, keep, |(counted, ended, id)| {
            standings.add(&counted);
            played.add(id, ended);
        })?;
        for warning in warnings {
            tell(format_args!("warning: {warning}"));
        }
        let survey = tournament.survey(&played);
        let strangers = played.len() - survey.played;
        let mut due = survey.due;
        warn_of(strangers);
        if let Some(tasks) = given {
            due = tasks;
            due.retain(|task| !played.contains(&task.id));
        }
        if let Some(path) = &place.trace {
            trace::start(path)
                .map_err(|error| BadInput(format!("--trace {}: {error}", path.display())))?;
        }
        let events = place.events(log.path())?;
        announce(&tournament, &due, &played, &log);
        Ok(Session {
            tournament,
            due,
            played,
            standings,
            log,
            folder,
            strangers,
            stop: stop_on_signals()?,
            events,
        })
    }

    /// Plays until all is played, `watcher` has enough, or the user stops it; returns how many games
    /// are missing.
    pub(super) fn play(&mut self, watcher: &mut dyn Watcher) -> Result<usize> {
        let _guard = guard()?;
        let (before, planned) = (self.played.len(), self.due.len());
        let (tournament, config) = (&self.tournament, &self.tournament.config);
        let mut first = Some(std::mem::take(&mut self.due));
        let mut due = |played: &Played| match first.take() {
            Some(tasks) => tasks,
            None if tournament.is_open() => tournament.survey(played).due,
            None => Vec::new(),
        };
        let games = config.concurrency;
        let cores = (config.cpus == Cpus::OnePerEngine).then(|| Cores::new(games));
        let events = &self.events;
        let play = |waiting: &mut Waiting, task: &GameTask, stop: &AtomicBool| match &cores {
            Some(cores) => cores.with(task, |task| play_told(waiting, task, stop, events)),
            None => play_told(waiting, task, stop, events),
        };
        let standings = std::mem::take(&mut self.standings);
        let records = self.folder.join(scribe::FOLDER);
        let mut scribe = Scribe::new(records, config.records, watcher);
        let mut teller = Teller::new(events, &config.name, standings, &mut scribe);
        let result = league::run(
            &mut due,
            games,
            &mut self.log,
            &mut self.played,
            &mut teller,
            &self.stop,
            play,
        );
        drop(teller);
        if let Err(error) = result {
            return Err(self.not_logged(&error));
        }
        if tournament.is_open() {
            return Ok(tournament.survey(&self.played).due.len());
        }
        Ok(planned - (self.played.len() - before))
    }

    /// What the user is told when a game could not be appended to the log, and what is then done so
    /// that none is lost.
    fn not_logged(&mut self, error: &AppendError) -> anyhow::Error {
        let (path, again) = (self.log.path().display().to_string(), again());
        if !matches!(error, AppendError::Changed(_)) {
            return anyhow!(
                "{path}: {error}. Every game before this one is in it. When that is mended, go on: \
                 {again}"
            );
        }
        let kept = match self.log.keep() {
            // The last one is in no log.
            Ok((kept, true)) => {
                format!(
                    "all {} games are in {}",
                    self.played.len() + 1,
                    kept.display()
                )
            }
            Ok((kept, false)) => format!("the games of this run are in {}", kept.display()),
            Err(error) => format!("the games cannot be written beside it: {error}"),
        };
        anyhow!(
            "{path}: {error}. It was left as it is; {kept}. Put right what the log is to be, and go on: \
             {again}"
        )
    }

    /// Refuses a log with games that the league file does not plan.
    pub(super) fn refuse_strangers(&self) -> Result<(), BadInput> {
        match self.strangers {
            0 => Ok(()),
            count => Err(BadInput(format!(
                "{}: {count} games that are not of this league file, expected none; choose \
                 another folder by --out",
                self.log.path().display()
            ))),
        }
    }

    /// Refuses a league whose games follow from results.
    pub(super) fn refuse_results(&self) -> Result<(), BadInput> {
        if self.tournament.is_open() {
            let message = "the games of this league follow from results, expected one of one stage, \
                           without a format, or a match";
            return Err(BadInput(message.to_owned()));
        }
        Ok(())
    }

    /// The tables of all games, with these standings, which are also written beside the log.
    pub(super) fn tables(&self, standings: &Standings) -> Result<String> {
        let mut tables = String::new();
        if self.tournament.is_open() {
            let survey = self.tournament.survey(&self.played);
            tables = report::tournament(&self.tournament.config, &survey, Format::default()) + "\n";
        }
        tables += &report::report(standings, &Wishes::default());
        let path = self.folder.join(TABLES);
        std::fs::write(&path, &tables).with_context(|| path.display().to_string())?;
        Ok(tables)
    }
}

/// Plays a game, of whose beginning and turns `events` tell.
fn play_told(
    waiting: &mut Waiting,
    task: &GameTask,
    stop: &AtomicBool,
    events: &Events,
) -> Option<GameRecord> {
    events.started(task);
    let mut ply = 0;
    game::play_observed(task, stop, waiting, &mut |turn| {
        ply += 1;
        events.turn(&task.id, ply, turn);
    })
}

/// The command line that was given: again, it plays what is missing.
pub(super) fn again() -> String {
    let words = std::env::args().skip(1).map(|word| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=@,+%:".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    });
    let words: Vec<String> = words.collect();
    format!("referee {}", words.join(" "))
}

/// What clears up after engines if this program is killed, as long as it is held.
pub(super) fn guard() -> Result<Guard> {
    Guard::start(&this_program()?).context("cannot start the guard of engines")
}

/// The tournament of a league.
pub(super) fn tournament(config: Config) -> Result<Tournament> {
    Ok(Tournament::new(config, &this_program()?))
}

/// The file of this program. Linux has a name for it that stays right while a league runs, even if
/// the program is built anew.
pub(super) fn this_program() -> Result<PathBuf> {
    if cfg!(target_os = "linux") {
        return Ok("/proc/self/exe".into());
    }
    std::env::current_exe().context("this program does not know where it lies")
}

/// Has a file that may grow no longer (`ulimit -f`) be an error to tell, and not the end of this
/// program. Engines are not concerned, as a new program has no handlers.
fn outlive_long_files() -> Result<()> {
    let unread = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(SIGXFSZ, unread).context("cannot listen to SIGXFSZ")?;
    Ok(())
}

/// Ctrl-C, or a request to end, lets the games in progress end; a second one gives them up.
fn stop_on_signals() -> Result<Arc<Stop>> {
    let stop = Arc::new(Stop::default());
    let asked = Arc::clone(&stop);
    let handler = move || {
        if asked.soon.swap(true, Ordering::Relaxed) {
            asked.now.store(true, Ordering::Relaxed);
        } else {
            tell(
                "stopping: the games in progress are played to their end; once more gives them up",
            );
        }
    };
    ctrlc::set_handler(handler).context("cannot listen to Ctrl-C")?;
    Ok(stop)
}

/// The log may hold games of another league file, or of this one before it was changed.
fn warn_of(strangers: usize) {
    if strangers > 0 {
        tell(format_args!(
            "warning: {strangers} games of the log are not of this league file; they stay in it \
             and count in the tables"
        ));
    }
}

fn announce(tournament: &Tournament, due: &[GameTask], played: &Played, log: &Log) {
    let more = if tournament.is_open() { " now" } else { "" };
    tell(format_args!(
        "league {}: {} games to play{more}, {} in {}; {} at a time",
        tournament.config.name,
        due.len(),
        played.len(),
        log.path().display(),
        tournament.config.concurrency
    ));
}
