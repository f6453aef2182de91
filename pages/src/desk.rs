//! The contest desk: sessions that browsers look at and act on. The games themselves are
//! [`referee_core::desk`].

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use catalog::{Match, Rules, Shown};
use drawing::{BUTTON, svg};
use engine_core::Side;
use referee_core::desk::{self, Dice, Host, Operation, Preview, Seat, Settings, Snapshot, Version};
use referee_core::league::spec;
use referee_core::log::record::SideName;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The folder of the sessions, in that of the leagues.
const FOLDER: &str = "desk";

/// How long a request waits for something new before it says that there is nothing.
const PATIENCE: Duration = Duration::from_secs(20);

/// The longest game, in minutes a side.
const LONGEST: u32 = 24 * 60;

/// The sessions of this server.
pub(crate) struct Desks {
    folder: PathBuf,
    /// This program, which has the built-in engines.
    referee: PathBuf,
    open: Mutex<HashMap<String, Arc<Host>>>,
}

/// What a new session is to be.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    game: String,
    /// A, who plays first in the first game, and B.
    seats: [Sitting; 2],
    /// Minutes a side and game.
    minutes: u32,
    /// Whether it is a game of a contest: turns are confirmed and corrections listed.
    contest: bool,
    /// Who rolls the dice.
    #[serde(default)]
    dice: Dice,
    #[serde(default)]
    event: String,
    #[serde(default)]
    place: String,
}

/// Who sits on one side.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sitting {
    name: String,
    /// A built-in engine by the name of its algorithm; empty for a person.
    engine: String,
}

impl Desks {
    /// The sessions below the folder of the leagues.
    pub(crate) fn below(leagues: &std::path::Path) -> Desks {
        Desks {
            folder: leagues.join(FOLDER),
            referee: std::env::current_exe().unwrap_or_else(|_| "referee".into()),
            open: Mutex::default(),
        }
    }

    /// Begins a session and returns its name.
    pub(crate) fn begin(&self, wish: &Wish) -> Result<String, String> {
        let settings = self.settings(wish)?;
        let host = Host::begin(&self.folder, settings).map_err(|error| error.to_string())?;
        let name = host.snapshot().name;
        self.lock().insert(name.clone(), Arc::new(host));
        Ok(name)
    }

    fn settings(&self, wish: &Wish) -> Result<Settings, String> {
        let rules = catalog::find(&wish.game).ok_or_else(|| format!("no game {:?}", wish.game))?;
        if !(1..=LONGEST).contains(&wish.minutes) {
            return Err(format!("{} minutes, expected 1 to {LONGEST}", wish.minutes));
        }
        let clock = desk::sudden_death(wish.minutes);
        let [a, b] = &wish.seats;
        let seats = [self.seat(rules, a)?, self.seat(rules, b)?];
        let settings = match wish.contest {
            true => Settings::contest(rules, seats),
            false => Settings::casual(rules, seats, clock),
        };
        Ok(Settings {
            clock,
            dice: wish.dice,
            event: wish.event.clone(),
            place: wish.place.clone(),
            ..settings
        })
    }

    fn seat(&self, rules: &dyn Rules, sitting: &Sitting) -> Result<Seat, String> {
        let engine = match sitting.engine.as_str() {
            "" => None,
            // A name with a colon would be a file of this machine.
            word if word.contains(':') => return Err(format!("no algorithm {word:?}")),
            word => {
                let spec = spec::named(word, rules, BTreeMap::new(), &self.referee, 0);
                Some(spec.map_err(|error| error.to_string())?)
            }
        };
        Ok(Seat {
            name: sitting.name.clone(),
            engine,
            clock: None,
        })
    }

    /// The sessions on disk, the newest first: name, game, and whether it is over.
    pub(crate) fn list(&self) -> Vec<(String, String, bool)> {
        let sessions = desk::sessions(&self.folder).unwrap_or_default();
        let mut list: Vec<_> = (sessions.into_iter())
            .filter_map(|(folder, state)| {
                let name = folder.file_name()?.to_string_lossy().into_owned();
                let state = state.ok()?;
                Some((name, state.settings.game.clone(), state.is_over()))
            })
            .collect();
        list.reverse();
        list
    }

    /// A session; one that is not open goes on where it stopped. `None` if there is none with this
    /// name.
    pub(crate) fn find(&self, name: &str) -> Result<Option<Arc<Host>>, String> {
        let mut open = self.lock();
        if let Some(host) = open.get(name) {
            return Ok(Some(Arc::clone(host)));
        }
        if !self.list().iter().any(|(known, ..)| known == name) {
            return Ok(None);
        }
        let host = Host::open(&self.folder.join(name)).map_err(|error| error.to_string())?;
        let host = Arc::new(host);
        open.insert(name.to_owned(), Arc::clone(&host));
        Ok(Some(host))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Host>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does what a browser asks for.
pub(crate) fn act(host: &Host, operation: &Operation) -> Result<(), String> {
    // Records are saved where the session is, wherever a request points to.
    let operation = match operation {
        Operation::Save(saving) => {
            let mut saving = saving.clone();
            saving.folder = host.snapshot().folder.join("records");
            Operation::Save(saving)
        }
        other => other.clone(),
    };
    host.act(&operation).map_err(|refused| refused.to_string())
}

/// What a browser is told of a session: the name of an event, and its data as JSON.
pub(crate) struct News {
    pub(crate) event: &'static str,
    pub(crate) data: String,
}

/// Waits for something new, and returns what a browser shows of it. While an engine thinks, that is
/// its report, `report`; everything else is the whole session, `message`.
pub(crate) fn next(host: &Host, seen: Version) -> Result<(Version, News), String> {
    let version = host.wait(seen, PATIENCE);
    let session = host.snapshot();
    let is_report = version.changes == seen.changes && version.reports != seen.reports;
    let (event, data) = match is_report {
        true => ("report", serde_json::to_string(&session.engines)),
        false => ("message", serde_json::to_string(&View::of(&session)?)),
    };
    let data = data.map_err(|error| error.to_string())?;
    Ok((version, News { event, data }))
}

/// A position as a browser shows it.
#[derive(Serialize)]
struct Board {
    svg: String,
    /// What may be entered: the text of each action and its clicks.
    entries: Vec<(String, Vec<String>)>,
}

impl Board {
    /// The board of a position with a line of play, which may be empty; `is_open` says whether
    /// anything may be entered.
    fn of(position: &dyn Match, line: &str, is_open: bool) -> Result<Board, String> {
        let shown = Shown {
            line,
            ..Shown::default()
        };
        let picture = position.picture(&shown);
        let picture = picture.map_err(|error| error.to_string())?;
        let actions = match is_open && position.outcome().is_none() {
            true => position.actions(),
            false => Vec::new(),
        };
        let clicks = |action: String| {
            let clicks = position.clicks(&action);
            clicks
                .map(|clicks| (action, clicks))
                .map_err(|error| error.to_string())
        };
        Ok(Board {
            svg: svg::clickable(&picture),
            entries: actions.into_iter().map(clicks).collect::<Result<_, _>>()?,
        })
    }
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
            board: Board::of(&*position, answer, game.ending.is_none())?,
            colours: state.rules().colours(),
            sides: Side::BOTH.map(side),
            points: state.points(),
            over: state.is_over(),
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
    let board = Board::of(&*position, "", turn.is_none())?;
    serde_json::to_string(&PreviewView { board, turn }).map_err(|error| error.to_string())
}
