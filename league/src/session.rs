//! A league that is being played: its plan, its log, its events, and Ctrl-C.
//!
//! [`Session::open`] reads the log and finds what is due; [`Session::play`] plays it, and tells a
//! [`Watcher`] of every game. Messages for the user go to standard error ([`base::error`]).

mod engines;
pub mod part;
pub mod seed;
mod trials;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow};
use base::disk;
use base::error::{BadInput, inform, tell};
use base::input;
use base::plain::games_in_words;
use base::program::{command_line, this_program};
use base::signals::{self, Wish};
use engine_process::process::guard::Guard;
use engine_process::{process, trace};
use gamelog::record::{GameRecord, Logged};
use gamelog::{AppendError, Log, Opened};
use task::GameTask;

use self::engines::{CHOICES, Engines};
use self::part::Part;
use self::seed::Drawn;
use crate::config::{Attendance, Config, writer_of_secrets};
use crate::conversations;
use crate::cores::{self, Cores};
use crate::events::{EventWatcher, Events};
use crate::live::Live;
use crate::pace;
use crate::play::game::{Played as PlayedGame, Unplayed};
use crate::play::waiting::Waiting;
use crate::play::{game, pauses};
use crate::record_writer::{self, RecordWriter};
use crate::report::{self, Format, ReportOptions};
use crate::results::standings::Standings;
use crate::results::summary::GameSummary;
use crate::tournament::{Due, Ended, Played, Tournament, Wrapping};
use crate::workers::{self, Stop, Watcher};

/// Name of the tables file beside the log.
pub const TABLES: &str = "standings.txt";

/// How a league is played, beside what its file says.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of the log and the tables.
    pub folder: PathBuf,
    /// The file of every line that is exchanged with engines, if it is wanted.
    pub trace: Option<PathBuf>,
    /// Whether it goes on although the files of an engine have changed since it played games of the
    /// log; the tables then tell its builds apart.
    pub rebuilt: bool,
    /// Whether every engine is tried before the first game.
    pub trials: bool,
    /// The file to which events are appended as they happen; `-` is standard output.
    pub events: Option<PathBuf>,
}

impl Settings {
    /// All defaults, with the log and the tables in this folder.
    pub fn of_folder(folder: PathBuf) -> Settings {
        Settings {
            folder,
            trace: None,
            rebuilt: false,
            trials: true,
            events: None,
        }
    }

    /// Opens the events file, which must not be the log.
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

/// The folder of a league's log: `given`, or the default.
pub fn folder(given: Option<&Path>, config: &Config) -> PathBuf {
    given.map_or_else(|| Path::new("matches").join(&config.name), Path::to_owned)
}

/// A league file that is being played.
pub struct Session {
    tournament: Tournament,
    /// Games that can be played now and are not in the log.
    due: Vec<Due>,
    /// All games played, in this run or before.
    played: Played,
    /// The games in progress.
    pub live: Live,
    /// Standings when the log was opened.
    pub standings: Standings,
    log: Log,
    folder: PathBuf,
    /// Number of games in the log that are not in the league file.
    unplanned: usize,
    stop: Arc<Stop>,
    events: Events,
    engines: Engines,
    /// `None` if the league file gives the seed.
    drawn: Option<Drawn>,
    /// Whether every engine is tried before the first game.
    trials: bool,
}

impl Session {
    /// Opens the log and finds the games of `part` that are still to play.
    /// `file` is the league file.
    pub fn open(
        mut config: Config,
        file: &Path,
        settings: &Settings,
        part: &Part,
    ) -> Result<Session> {
        let folder = settings.folder.clone();
        for engine in &mut config.engines {
            engine.hidden.push(folder.clone());
        }
        if part.is_given() {
            seed::from_log(&mut config, file, &folder)?;
        }
        let drawn = Drawn::for_league(&mut config, &folder)?;
        let tournament = tournament(config)?;
        let given = match part.is_given() {
            true if tournament.is_open() => {
                return Err(BadInput(format!(
                    "{}: a part of a league whose games depend on results, expected a league of \
                     one stage, a round robin or gauntlet without played tie-breaks",
                    file.display()
                ))
                .into());
            }
            true => Some(part.of(&tournament)?),
            false => None,
        };
        signals::survive_full_files().context("cannot listen to SIGXFSZ")?;
        let (mut played, mut standings) = (Played::default(), Standings::new(settings.rebuilt));
        let keep = |game: Logged<'_>| (GameSummary::from(&game), Ended::from(&game), game.id);
        let Opened { log, warnings } = Log::open(&folder, keep, |(summary, ended, id)| {
            standings.add(&summary);
            played.add(&id, ended);
        })?;
        for warning in warnings {
            tell(format_args!("warning: {warning}"));
        }
        if let Some(why) = writer_of_secrets(&tournament.config.engines, &folder) {
            return Err(BadInput(format!("{}: {why}", input::shown(file))).into());
        }
        let engines = Engines::of(&tournament.config, settings.rebuilt)?;
        engines.refuse_others(&standings, log.path())?;
        let survey = tournament.survey(&played);
        let unplanned = played.len() - survey.played;
        let mut due = survey.due;
        warn_unplanned(unplanned);
        if let Some(given) = given {
            due = given;
            due.retain(|due| !played.contains(&tournament.id(due)));
        }
        if let Some(path) = &settings.trace {
            trace::start(path)
                .map_err(|error| BadInput(format!("--trace {}: {error}", path.display())))?;
        }
        if let Some(shortage) = cores::shortage(&tournament.config) {
            tell(format_args!("warning: {shortage}"));
        }
        for Wrapping { line, wastes } in tournament.wrapping(&due) {
            if wastes {
                tell(format_args!("warning: {line}"));
            } else {
                inform(line);
            }
        }
        for line in unconfined(&tournament.config)? {
            tell(format_args!("warning: this system does not confine {line}"));
        }
        let events = settings.events(log.path())?;
        announce(&tournament, &due, &played, &log);
        if let Some(drawn) = &drawn {
            drawn.keep(&folder)?;
        }
        Ok(Session {
            tournament,
            due,
            played,
            live: Live::default(),
            standings,
            log,
            folder,
            unplanned,
            stop: stop_on_signals()?,
            events,
            engines,
            drawn,
            trials: settings.trials,
        })
    }

    /// Plays until all games are played, `watcher` stops the run, or the user does. Returns the
    /// number of missing games.
    pub fn play(&mut self, watcher: &mut dyn Watcher) -> Result<usize> {
        let _guard = guard()?;
        pauses::start().context("cannot watch for pauses")?;
        let games = self.tournament.config.concurrency;
        let cores = Cores::of(&self.tournament.config);
        if cores.may_pause() {
            inform(PAUSED);
        }
        if self.trials {
            trials::try_all(&self.tournament, &self.due, games, &cores, &self.stop.soon)?;
        }
        let pace = if self.due.is_empty() {
            None
        } else {
            pace::of_host(&self.tournament.config, &self.folder)?
        };
        let (before, planned) = (self.played.len(), self.due.len());
        let (tournament, config) = (&self.tournament, &self.tournament.config);
        let mut first = Some(std::mem::take(&mut self.due));
        let mut listed = HashSet::new();
        self.live.plan(before + planned);
        let live = &self.live;
        let mut due = |played: &Played| {
            let first = first.take();
            if !tournament.is_open() {
                return first.unwrap_or_default();
            }
            let mut due = first.unwrap_or_else(|| {
                let due = tournament.survey(played).due;
                live.plan(played.len() + due.len());
                due
            });
            due.retain(|due| listed.insert(due.clone()));
            due
        };
        let _writer = live.write_to(&self.folder).context("live.json")?;
        let (events, engines, asked) = (&self.events, &self.engines, &*self.stop);
        let folder = &self.folder;
        let play = |waiting: &mut Waiting, due: &Due, stop: &AtomicBool| {
            let Some(mut task) = engines.stamp(tournament.task(due)) else {
                asked.soon.store(true, Ordering::Relaxed);
                return None;
            };
            task.pace = pace;
            cores.with(&task, |task| {
                play_with_events(waiting, task, stop, events, live, folder)
            })
        };
        let standings = std::mem::take(&mut self.standings);
        let records = self.folder.join(record_writer::FOLDER);
        let mut record_writer = RecordWriter::new(records, config.records, watcher);
        let mut event_watcher =
            EventWatcher::new(events, &config.name, standings, &mut record_writer);
        let result = workers::run(
            &mut due,
            games,
            &mut self.log,
            &mut self.played,
            &mut event_watcher,
            &self.stop,
            play,
        );
        drop(event_watcher);
        if let Err(error) = result {
            return Err(self.append_error(&error));
        }
        if let Some(changed) = self.engines.changed() {
            return Err(anyhow!("{changed}{CHOICES}"));
        }
        if tournament.is_open() {
            return Ok(tournament.survey(&self.played).due.len());
        }
        Ok(planned - (self.played.len() - before))
    }

    /// The error when a game cannot be appended to the log. If somebody else changed the log, the
    /// games of this run are saved in another file.
    fn append_error(&mut self, error: &AppendError) -> anyhow::Error {
        let (log, command) = (self.log.path().display().to_string(), command_line());
        if !matches!(error, AppendError::Changed(_)) {
            return anyhow!(
                "{log}: {error}. All earlier games are in it. Fix this, then resume: \
                 {command}"
            );
        }
        let saved = match self.save_copy() {
            // The game that failed is in no log yet.
            Ok((path, true)) => {
                format!(
                    "all {} games are in {}",
                    self.played.len() + 1,
                    path.display()
                )
            }
            Ok((path, false)) => format!("the games of this run are in {}", path.display()),
            Err(error) => format!("the games cannot be saved beside it: {error}"),
        };
        anyhow!(
            "{log}: {error}. The log was left as it is; {saved}. Repair it, then resume: \
             {command}"
        )
    }

    /// Saves the games, and the seed if it was lost with the log.
    fn save_copy(&mut self) -> Result<(PathBuf, bool)> {
        let saved = self.log.save_copy()?;
        if let Some(drawn) = &self.drawn {
            drawn.restore(&self.folder)?;
        }
        Ok(saved)
    }

    /// The names of these engines in the standings.
    pub fn rows_of<const N: usize>(&self, names: [String; N]) -> [String; N] {
        names.map(|name| self.engines.row_of(name))
    }

    /// The folder of its log.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Refuses a log with games that are not in the league file.
    pub fn refuse_unplanned(&self) -> Result<(), BadInput> {
        match self.unplanned {
            0 => Ok(()),
            count => Err(BadInput(format!(
                "{}: {count} games that are not in this league file, expected none; choose \
                 another folder with --out",
                self.log.path().display()
            ))),
        }
    }

    /// Refuses a league whose games depend on results.
    pub fn refuse_open(&self) -> Result<(), BadInput> {
        if self.tournament.is_open() {
            let message = "the games of this league depend on results, expected one stage without a \
                           format, or a match";
            return Err(BadInput(message.to_owned()));
        }
        Ok(())
    }

    /// Writes the tables of all games with these standings beside the log, as text, with the seed if
    /// the league has `ended`. Returns the text.
    pub fn write_tables(&self, standings: &Standings, ended: bool) -> Result<String> {
        let mut tables = String::new();
        let engines = &self.tournament.config.engines;
        let is_changed = engines
            .iter()
            .any(|engine| engine.attendance != Attendance::default());
        if self.tournament.is_open() || is_changed {
            let survey = self.tournament.survey(&self.played);
            tables = report::tournament(&self.tournament.config, &survey, Format::default()) + "\n";
        }
        tables += &report::report(standings, &ReportOptions::default());
        if let Some(drawn) = &self.drawn
            && ended
        {
            tables += &format!("\n{}", drawn.reveal());
        }
        let path = self.folder.join(TABLES);
        disk::replace(&path, tables.as_bytes()).with_context(|| path.display().to_string())?;
        Ok(tables)
    }
}

/// What engines that share cores should know.
const PAUSED: &str = "the engines of a game share cores: where a clock runs and no option turns \
                      ponder on, the one that is not to move is paused (pause_opponent = false lets \
                      it compute)";

/// How this system fails to confine the engines of a league that are to be confined.
fn unconfined(config: &Config) -> Result<Vec<String>> {
    let confined = config
        .engines
        .iter()
        .filter(|engine| engine.confinement.sandbox);
    let referee = this_program()?;
    let mut lines = Vec::new();
    for engine in confined {
        let spec = engine.spec("", &referee, 0);
        for line in process::unconfined(&spec) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    Ok(lines)
}

/// Plays a game and sends its events; plays it again if the referee was paused in it.
fn play_with_events(
    waiting: &mut Waiting,
    task: &GameTask,
    stop: &AtomicBool,
    events: &Events,
    live: &Live,
    folder: &Path,
) -> Option<GameRecord> {
    loop {
        let started = live.start(task);
        events.started(task);
        let mut ply = 0;
        let played = game::play_observed(task, stop, waiting, &mut |turn| {
            ply += 1;
            started.turn(turn);
            events.turn(&task.id, ply, turn);
        });
        match played {
            Ok(PlayedGame {
                record,
                conversation,
            }) => {
                if let Some(text) = conversation {
                    keep_conversation(folder, &record, &text);
                }
                return Some(record);
            }
            Err(Unplayed::Stopped) => return None,
            Err(Unplayed::Void(time)) => tell(format_args!(
                "the referee was paused for {:.1} s; {} is void and begins again",
                time.as_secs_f64(),
                task.id
            )),
        }
    }
}

/// Keeps what was said in a game that went wrong. The game counts all the same.
fn keep_conversation(folder: &Path, game: &GameRecord, text: &str) {
    if let Err(error) = conversations::keep(folder, &game.id, text) {
        let id = &game.id;
        tell(format_args!(
            "warning: the conversation of game {id} cannot be kept: {error}"
        ));
    }
}

/// Starts the guard, which kills the engines if this process is killed. It runs until dropped.
pub fn guard() -> Result<Guard> {
    Guard::start(&this_program()?).context("cannot start the guard of engines")
}

/// The tournament of a league.
pub fn tournament(config: Config) -> Result<Tournament> {
    Ok(Tournament::new(config, &this_program()?))
}

/// The first Ctrl-C or SIGTERM lets the games in progress finish; the second aborts them. When the
/// terminal goes, the games in progress finish, too, unless the referee was started to ignore that.
fn stop_on_signals() -> Result<Arc<Stop>> {
    let stop = Arc::new(Stop::default());
    let asked = Arc::clone(&stop);
    let handler = move |wish| match (asked.soon.swap(true, Ordering::Relaxed), wish) {
        (false, Wish::Asked) => {
            tell("stopping after the games in progress; press Ctrl-C again to abort them");
        }
        (false, Wish::HungUp) => tell("hung up; stopping after the games in progress"),
        (true, Wish::Asked) => asked.now.store(true, Ordering::Relaxed),
        (true, Wish::HungUp) => {}
    };
    signals::on_stop(handler).context("cannot listen to Ctrl-C")?;
    Ok(stop)
}

/// Warns of games from another league file, or from an older version of this one.
fn warn_unplanned(unplanned: usize) {
    if unplanned > 0 {
        tell(format_args!(
            "warning: {unplanned} games in the log are not in this league file; they stay there \
             and count in the tables"
        ));
    }
}

fn announce(tournament: &Tournament, due: &[Due], played: &Played, log: &Log) {
    let more = if tournament.is_open() { " now" } else { "" };
    inform(format_args!(
        "league {}: {} to play{more}, {} in {}; {} at a time",
        tournament.config.name,
        games_in_words(due.len()),
        played.len(),
        log.path().display(),
        tournament.config.concurrency
    ));
}
