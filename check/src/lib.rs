//! The check of an engine before a contest: a scripted conversation and some games, reported point
//! by point.
//!
//! The engine is started, confined and ended as in a league. Every wait has a deadline, so the
//! check always ends. After a fault, the next point starts a new process.

mod botzone;
mod busy;
mod closing;
mod conversation;
mod ending;
mod finding;
mod game;
mod gomocup;
mod gtp;
mod language;
mod league;
mod legality;
mod observed;
mod patience;
mod positions;
mod sau;
mod ugi;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use catalog::AnyGame;
use serde_json::Value;
use task::{EngineSpec, Protocol};

use self::conversation::Conversation;
use self::finding::Checked;
use self::language::Language;

pub use self::finding::{Finding, Grade, Report};

/// What is checked, and how thoroughly.
pub struct Plan {
    /// The engine and its protocol.
    pub engine: EngineSpec,
    /// The game it is to play.
    pub rules: &'static dyn AnyGame,
    /// The variant, with all its settings.
    pub variant: Value,
    /// Number of positions in which it is asked for a turn; not in SAU.
    pub positions: usize,
    /// Number of games against random turns in one process, at least 1.
    pub games: u32,
    /// How much later than its clock allows a turn may arrive.
    pub margin: Duration,
    /// Time limit per turn where no clock is sent, as always in SAU.
    pub patience: Duration,
    /// Seed of the positions and random turns.
    pub seed: u64,
}

/// Receives the progress of a check.
pub trait Watcher {
    /// A point begins.
    fn begins(&mut self, point: &'static str);

    /// `done` of `all` steps of the point are done.
    fn step(&mut self, done: usize, all: usize);
}

/// One point of a check.
struct Point {
    name: &'static str,
    check: fn(&mut Conversation<'_>) -> Checked,
    /// Whether a fault at this point ends the check.
    vital: bool,
}

impl Point {
    const fn new(name: &'static str, check: fn(&mut Conversation<'_>) -> Checked) -> Point {
        Point {
            name,
            check,
            vital: false,
        }
    }

    const fn vital(name: &'static str, check: fn(&mut Conversation<'_>) -> Checked) -> Point {
        Point {
            name,
            check,
            vital: true,
        }
    }
}

/// The language of a protocol.
fn language_of(protocol: Protocol) -> &'static dyn Language {
    match protocol {
        Protocol::Ugi => &ugi::Ugi,
        Protocol::Sau => &sau::Sau,
        Protocol::Gtp => &gtp::Gtp,
        Protocol::Gomocup => &gomocup::Gomocup,
        Protocol::Botzone => &botzone::Botzone { simplified: false },
        Protocol::BotzoneSimple => &botzone::Botzone { simplified: true },
    }
}

/// Checks an engine and passes every finding to `found` at once. If the engine does not get ready
/// to play, nothing else is checked. `None` if `stop` was set meanwhile.
///
/// # Errors
/// The errors of `found`.
pub fn run<E>(
    plan: &Plan,
    watcher: &mut dyn Watcher,
    stop: &AtomicBool,
    mut found: impl FnMut(&Finding) -> Result<(), E>,
) -> Result<Option<Report>, E> {
    let mut conversation =
        Conversation::new(plan, language_of(plan.engine.protocol), watcher, stop);
    let points = conversation.language.points();
    let mut findings = Vec::new();
    for point in points {
        conversation.begin(point.name);
        let checked = (point.check)(&mut conversation);
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if checked.is_err() {
            conversation.give_up();
        }
        let finding = Finding::new(point.name, checked).on_busy(conversation.most_taken);
        found(&finding)?;
        let ends = finding.grade == Grade::Fault && point.vital;
        findings.push(finding);
        if ends {
            break;
        }
    }
    let complete = findings.len() == points.len();
    let name = conversation.name.clone();
    Ok(Some(Report::new(plan, name, findings, complete)))
}
