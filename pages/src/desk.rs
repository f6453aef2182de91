//! The contest desk: sessions that browsers look at and act on. The games themselves are
//! [`desk`].

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base::error::BadInput;
use catalog::{AnyGame, Match};
use desk::{self, Dice, Host, Moment, Operation, Preview, Seat, Settings, Snapshot, State};
use drawing::BUTTON;
use engine_core::Side;
use gamelog::record::SideName;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use task::clock::ClockSpec;

use crate::address::escaped;
use crate::board::{Board, colours, rules};
use crate::engines::Engines;

/// How much longer than its time per turn an engine may take at home, where a busy machine must not
/// end a game.
const GRACE: SignedDuration = SignedDuration::from_mins(1);

/// How long a session that could not be opened is left alone: another server has it, and to look again takes
/// half a second.
const LEFT_ALONE: Duration = Duration::from_secs(10);

/// How long a hint is searched.
const HINT_TIME: Duration = Duration::from_secs(2);

/// The folder of the records in that of a session.
const RECORDS: &str = "records";

/// The longest game, in minutes a side.
const LONGEST: u32 = 24 * 60;

/// The sessions of this server.
pub(crate) struct Desks {
    folder: PathBuf,
    open: Mutex<HashMap<String, Arc<Host>>>,
    /// The sessions that could not be opened, when that was, and why. Held while one is opened, so that
    /// nobody waits who asks for an open one.
    refused: Mutex<Refused>,
}

/// Sessions that could not be opened, each with when that was, and why.
type Refused = HashMap<String, (Instant, String)>;

/// Says again why a session could not be opened, if that was just now.
fn left_alone(refused: &Refused, name: &str) -> Result<(), String> {
    match refused.get(name) {
        Some((since, why)) if since.elapsed() < LEFT_ALONE => Err(why.clone()),
        _ => Ok(()),
    }
}

/// Notes why a session could not be opened.
fn refuse(refused: &mut Refused, name: &str, error: &BadInput) -> String {
    let why = error.to_string();
    refused.insert(name.to_owned(), (Instant::now(), why.clone()));
    why
}

/// A session in a list.
pub(crate) struct Session {
    /// That of its folder.
    pub(crate) name: String,
    /// Id of the game.
    pub(crate) game: String,
    /// The size of the board, `7×7`; empty for games with one size.
    pub(crate) size: String,
    /// The names of A and B.
    pub(crate) seats: [String; 2],
    /// Their points: 2 for a win, 1 for a draw.
    pub(crate) points: [u32; 2],
    /// When it began, on the wall of this machine: `11-24 14:05`.
    pub(crate) begun: String,
    started: Timestamp,
    pub(crate) is_over: bool,
    /// Whether nothing has been played in it.
    pub(crate) is_unplayed: bool,
}

impl Session {
    fn of(name: String, state: &State) -> Session {
        let settings = &state.settings;
        let started = state.games[0].started;
        let begun = started.to_zoned(TimeZone::system());
        Session {
            name,
            game: settings.game.clone(),
            size: size(&settings.variant),
            seats: settings.seats.each_ref().map(|seat| seat.name.clone()),
            points: state.points(),
            begun: begun.strftime("%m-%d %H:%M").to_string(),
            started,
            is_over: state.is_over(),
            is_unplayed: state.is_unplayed(),
        }
    }
}

/// The size of a variant's board, `7×7`; empty if the variant has none.
fn size(variant: &Value) -> String {
    let number = |key: &str| variant.get(key).and_then(Value::as_u64);
    let side = number("size");
    match (side.or(number("columns")), side.or(number("rows"))) {
        (Some(columns), Some(rows)) => format!("{columns}×{rows}"),
        _ => String::new(),
    }
}

/// What a new session is to be.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    game: String,
    /// A, who plays first in the first game, and B.
    seats: [Sitting; 2],
    /// Minutes a side and game; without them nobody's time is limited, and every engine needs a
    /// strength.
    minutes: Option<u32>,
    /// Whether it is a game of a contest: turns are confirmed and corrections listed.
    contest: bool,
    /// Who rolls the dice.
    #[serde(default)]
    dice: Dice,
    #[serde(default)]
    event: String,
    #[serde(default)]
    place: String,
    /// The keys of the variant that differ from the contest's.
    #[serde(default)]
    variant: Map<String, Value>,
}

/// Who sits on one side.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sitting {
    name: String,
    /// The word of an engine, one of [`Engines::words`]; empty for a person.
    engine: String,
    strength: Option<Strength>,
}

/// How strong an engine plays. Without time and depth it plays on the game's clock.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strength {
    /// Time per turn, ms.
    ms: Option<u32>,
    /// Depth of the search, plies.
    depth: Option<u32>,
    /// How many of 100 actions are random; only for built-in engines.
    #[serde(default)]
    noise: u32,
}

impl Strength {
    /// The engine's clock; `None` for the game's.
    fn clock(&self) -> Option<ClockSpec> {
        let is_limited = self.ms.is_some() || self.depth.is_some();
        is_limited.then(|| ClockSpec {
            per_move: self.ms.map(|ms| SignedDuration::from_millis(ms.into())),
            depth: self.depth,
            margin: GRACE,
            ..ClockSpec::default()
        })
    }
}

impl Wish {
    fn settings(&self, engines: &Engines) -> Result<Settings, String> {
        let rules = rules(&self.game)?;
        let clock = match self.minutes {
            None => ClockSpec::unlimited(),
            Some(minutes) if (1..=LONGEST).contains(&minutes) => desk::sudden_death(minutes),
            Some(minutes) => return Err(format!("{minutes} minutes, expected 1 to {LONGEST}")),
        };
        let [a, b] = &self.seats;
        let seats = [a.seat(engines, rules)?, b.seat(engines, rules)?];
        let settings = if self.contest {
            Settings::contest(rules, seats)
        } else {
            Settings::casual(rules, seats, clock)
        };
        Ok(Settings {
            clock,
            dice: self.dice,
            variant: Value::Object(self.variant.clone()),
            event: self.event.clone(),
            place: self.place.clone(),
            ..settings
        })
    }
}

impl Sitting {
    fn seat(&self, engines: &Engines, rules: &dyn AnyGame) -> Result<Seat, String> {
        let mut options = BTreeMap::new();
        if let Some(Strength {
            noise: noise @ 1.., ..
        }) = self.strength
        {
            options.insert("noise".to_owned(), noise.into());
        }
        let engine = match self.engine.as_str() {
            "" => None,
            word => Some(engines.spec(rules, word, options)?),
        };
        let strength = self.strength.as_ref().filter(|_| engine.is_some());
        Ok(Seat {
            name: self.name.clone(),
            clock: strength.and_then(Strength::clock),
            engine,
        })
    }
}

impl Desks {
    /// The sessions below the folder of the leagues.
    pub(crate) fn below(leagues: &std::path::Path) -> Desks {
        Desks {
            folder: leagues.join(desk::FOLDER),
            open: Mutex::default(),
            refused: Mutex::default(),
        }
    }

    /// Begins a session and returns its name.
    pub(crate) fn begin(&self, engines: &Engines, wish: &Wish) -> Result<String, String> {
        let settings = wish.settings(engines)?;
        let host = Host::begin(&self.folder, settings).map_err(|error| error.to_string())?;
        let name = host.snapshot().name;
        self.lock().insert(name.clone(), Arc::new(host));
        Ok(name)
    }

    /// The sessions on disk, the newest first.
    pub(crate) fn list(&self) -> Vec<Session> {
        let sessions = desk::sessions(&self.folder).unwrap_or_default();
        let mut list: Vec<_> = (sessions.into_iter())
            .filter_map(|(folder, state)| {
                let name = folder.file_name()?.to_string_lossy().into_owned();
                Some(Session::of(name, &state.ok()?))
            })
            .collect();
        list.sort_by_key(|session| session.started);
        list.reverse();
        list
    }

    /// A session that is open.
    pub(crate) fn opened(&self, name: &str) -> Option<Arc<Host>> {
        self.lock().get(name).cloned()
    }

    /// A session; one that is not open goes on where it stopped. `None` if there is none with this
    /// name.
    pub(crate) fn find(&self, name: &str) -> Result<Option<Arc<Host>>, String> {
        let known = || self.lock().get(name).cloned();
        if let Some(host) = known() {
            return Ok(Some(host));
        }
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = known() {
            return Ok(Some(host));
        }
        left_alone(&refused, name)?;
        if !self.has(name) {
            return Ok(None);
        }
        let opened = Host::open(&self.folder.join(name));
        let host = opened.map_err(|error| refuse(&mut refused, name, &error))?;
        refused.remove(name);
        let host = Arc::new(host);
        self.lock().insert(name.to_owned(), Arc::clone(&host));
        Ok(Some(host))
    }

    /// Removes a session without a turn; `None` if there is none with this name.
    pub(crate) fn remove(&self, name: &str) -> Result<Option<()>, String> {
        // Nobody opens it meanwhile, and who asks for another one does not wait.
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.has(name) {
            return Ok(None);
        }
        if let Some(host) = self.opened(name) {
            host.remove().map_err(|refused| refused.to_string())?;
        } else {
            left_alone(&refused, name)?;
            desk::remove(&self.folder.join(name)).map_err(|error| error.to_string())?;
        }
        self.lock().remove(name);
        Ok(Some(()))
    }

    /// Whether there is a session with this name: no name is taken for a path.
    pub(crate) fn has(&self, name: &str) -> bool {
        let mut parts = Path::new(name).components();
        let is_name = matches!(parts.next(), Some(Component::Normal(part)) if part == name);
        is_name && parts.next().is_none() && desk::is_session(&self.folder.join(name))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Host>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does what a browser asks for.
pub(crate) fn act(host: &Host, operation: &Operation, seen: Option<Moment>) -> Result<(), String> {
    // Records are saved where the session is, wherever a request points to.
    let operation = match operation {
        Operation::Save(saving) => {
            let mut saving = saving.clone();
            saving.folder = host.snapshot().folder.join(RECORDS);
            Operation::Save(saving)
        }
        other => other.clone(),
    };
    host.act_at(&operation, seen)
        .map_err(|refused| refused.to_string())
}

/// A saved record of a session, from 0: the name of its file, and its bytes. `None` if there is none,
/// or if it was not saved where the session is.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn record(host: &Host, number: usize) -> Result<Option<(String, Vec<u8>)>, String> {
    let Snapshot { folder, state, .. } = host.snapshot();
    let saved = state.saved.get(number).map(|saved| Path::new(&saved.path));
    let Some(path) = saved.filter(|path| path.parent() == Some(&folder.join(RECORDS))) else {
        return Ok(None);
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Some((name.into_owned(), bytes)))
}

/// What a browser shows of a session, as JSON.
pub(crate) fn message(session: &Snapshot) -> Result<String, String> {
    serde_json::to_string(&View::of(session)?).map_err(|error| error.to_string())
}

/// A session as a browser shows it.
#[derive(Serialize)]
struct View<'s> {
    session: Value,
    board: Board,
    /// The colours of `First` and `Second`.
    colours: [&'static str; 2],
    sides: [SideView<'s>; 2],
    /// Points of A and B.
    points: [u32; 2],
    over: bool,
    /// The address of the finished game.
    logged: Option<String>,
    faces: u8,
    button: &'static str,
}

#[derive(Serialize)]
struct SideView<'s> {
    side: SideName,
    name: &'s str,
    is_engine: bool,
    left_ms: Option<u64>,
    runs: bool,
    fallen: bool,
}

impl View<'_> {
    fn of(session: &Snapshot) -> Result<View<'_>, String> {
        let (state, game) = (&session.state, session.state.game());
        let position = state.position();
        // The operator makes this turn on the common board.
        let answer = game.answer.as_ref().map_or("", |answer| &answer.text);
        let fallen = state.fallen(session.now);
        let side = |side: Side| {
            let seat = &state.settings.seats[game.seats[side.index()]];
            let left = game.left(side, session.now);
            SideView {
                side: side.into(),
                name: &seat.name,
                is_engine: seat.engine.is_some(),
                left_ms: left.map(|left| left.as_millis() as u64),
                runs: game.side == side && game.since.is_some(),
                fallen: fallen[side.index()],
            }
        };
        Ok(View {
            board: Board::of(&*position, answer, "", game.ending.is_none())?,
            colours: colours(state.rules(), &*position),
            sides: Side::BOTH.map(side),
            points: state.points(),
            over: state.is_over(),
            logged: (session.logged()).map(|id| format!("/game/{}/{}", desk::FOLDER, escaped(&id))),
            faces: position.faces(),
            button: BUTTON,
            session: shown(session).map_err(|error| error.to_string())?,
        })
    }
}

/// A session without what a browser needs not know: how its engines are started, and where it is.
fn shown(session: &Snapshot) -> serde_json::Result<Value> {
    let mut session = serde_json::to_value(session)?;
    if let Some(seats) = session.pointer_mut("/state/settings/seats") {
        for seat in seats.as_array_mut().into_iter().flatten() {
            seat["engine"] = Value::Null;
        }
    }
    session["folder"] = Value::Null;
    Ok(session)
}

/// A turn that is being entered, as a browser shows it.
#[derive(Serialize)]
struct PreviewView {
    board: Board,
    /// The whole turn, if nothing is missing.
    turn: Option<String>,
}

/// The position after some actions of a turn, as JSON.
pub(crate) fn preview(host: &Host, actions: &str) -> Result<String, String> {
    let preview = host
        .preview(actions)
        .map_err(|refused| refused.to_string())?;
    let Preview { position, turn } = preview;
    let board = Board::of(&*position, "", "", turn.is_none())?;
    serde_json::to_string(&PreviewView { board, turn }).map_err(|error| error.to_string())
}

/// The turn that an engine would play now, on the board, as JSON. It takes as long as the engine may
/// search.
pub(crate) fn hint(host: &Host, engines: &Engines) -> Result<String, String> {
    let Snapshot { state, .. } = host.snapshot();
    if state.settings.contest {
        return Err("a contest has no hints".to_owned());
    }
    let spec = engines.spec(state.rules(), "best", BTreeMap::new())?;
    let analysis = desk::Analysis::start(spec).map_err(|refused| refused.to_string())?;
    let shown = desk::Shown {
        game: state.settings.game.clone(),
        variant: state.settings.variant.clone(),
        opening: state.settings.opening.clone(),
        words: state.game().words().map(str::to_owned).collect(),
    };
    analysis
        .show(&shown)
        .map_err(|refused| refused.to_string())?;
    let end = Instant::now() + HINT_TIME;
    let mut lines = analysis.wait(0, HINT_TIME);
    while !lines.is_done && Instant::now() < end {
        let left = end.saturating_duration_since(Instant::now());
        lines = analysis.wait(lines.version, left);
    }
    let line = lines.report.and_then(|report| report.pv);
    let line = line.ok_or("no hint was found in time")?;
    let turn = first_turn(&mut *state.position(), &line)?;
    let board = Board::of(&*state.position(), &turn, "", true)?;
    let turn = Some(turn);
    serde_json::to_string(&PreviewView { board, turn }).map_err(|error| error.to_string())
}

/// The first turn of a line, or what the line has of it.
fn first_turn(position: &mut dyn Match, line: &str) -> Result<String, String> {
    let mut turn = Vec::new();
    for word in line.split_whitespace() {
        let played = position.play_words(word);
        played.map_err(|error| error.to_string())?;
        turn.push(word);
        if !position.mid_turn() {
            break;
        }
    }
    Ok(turn.join(" "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_session_that_another_server_has_is_left_alone() {
        let leagues = tempfile::tempdir().unwrap();
        let ours = Desks::below(leagues.path());
        let theirs = Desks::below(leagues.path());
        let engines = Engines::with(Vec::new()).unwrap();
        let wish: Wish = serde_json::from_value(json!({
            "game": "hex",
            "seats": [{ "name": "a", "engine": "" }, { "name": "b", "engine": "" }],
            "contest": false,
        }))
        .unwrap();
        let held = theirs.begin(&engines, &wish).unwrap();
        let tried = || ours.refused.lock().unwrap().get(&held).map(|tried| tried.0);
        let why = |found: Result<Option<Arc<Host>>, String>| found.err().unwrap();
        let first = why(ours.find(&held));
        assert!(first.contains("another program goes on with this session"));
        let since = tried();
        assert!(since.is_some());
        assert_eq!(why(ours.find(&held)), first);
        assert_eq!(tried(), since, "it is not tried again");
        // Others are found meanwhile.
        let own = ours.begin(&engines, &wish).unwrap();
        let _opening = ours.refused.lock().unwrap();
        assert!(ours.find(&own).unwrap().is_some());
    }
}
