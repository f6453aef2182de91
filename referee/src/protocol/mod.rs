//! Speaking with engines: what the game loop asks, in the words of each protocol.

mod botzone;
mod gomocup;
mod gtp;
mod mirror;
pub(crate) mod sau;
pub(crate) mod ugi;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use catalog::{Match, Rules};
use engine_core::{ParseError, Side};
use entry::ugi::Go;
use serde_json::Value;

use crate::deviation::Deviations;
use crate::opening::Opening;
use crate::process::{Failure, Process, Until};
use crate::record::EngineInfo;
use crate::task::{EngineSpec, Protocol};

/// The longest name of an engine that is kept, in characters.
const LONGEST_NAME: usize = 100;

/// How long the question for a name is given, before an engine that does not answer it is asked
/// otherwise, or goes without.
const SOON: Duration = Duration::from_secs(5);

/// What stands for a patience beyond the end of time.
const A_YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A running engine, spoken to in its protocol. The game loop needs no more.
///
/// One engine may play several games, one after the other: [`Driver::new_game`] begins each.
pub trait Driver {
    /// Names the engine in the trace.
    fn name(&mut self, label: String);

    /// Has the engine introduce itself.
    ///
    /// # Errors
    /// The engine cannot be spoken to.
    fn introduce(&mut self, until: Until) -> Result<(), Failure>;

    /// What the engine calls itself; empty if it did not say.
    fn version(&self) -> &str;

    /// Prepares the engine for a game. What it does now is not charged to its clock, but `until`
    /// bounds it.
    ///
    /// # Errors
    /// The engine cannot be spoken to, or the protocol has no words for this game.
    fn new_game(&mut self, setup: &Setup, until: Until) -> Result<(), Failure>;

    /// Asks for the engine's next turn.
    ///
    /// # Errors
    /// The engine cannot be spoken to, or did not answer in time.
    fn ask(&mut self, question: &Question) -> Result<Reply, Failure>;

    /// Refuses the engine's last turn and asks for another in its place. The clock of the question runs
    /// on. `None`, and nothing asked, where the protocol has no words for it.
    ///
    /// # Errors
    /// As for [`Driver::ask`].
    fn ask_again(&mut self, question: &Question) -> Option<Result<Reply, Failure>> {
        let _ = question;
        None
    }

    /// Plays the text of a reply, as this protocol writes turns, and returns it as UGI and the log
    /// write it.
    ///
    /// # Errors
    /// Anything that is not exactly one legal turn; nothing is then played.
    fn play(&mut self, game: &mut dyn Match, text: &str) -> Result<String, ParseError>;

    /// What the engine has done otherwise than the protocol has it, since this was last asked.
    fn deviations(&mut self) -> Deviations;

    /// Stops the engine, which then computes nothing, or has it go on.
    fn pause(&self, pause: bool);

    /// Tells the engine that the game is over. What it makes of it does not matter any more.
    fn game_over(&mut self, history: &History);

    /// Asks the engine to end, without waiting for it.
    fn quit(&mut self);

    /// Ends the engine: waits until `deadline` for it to end by itself.
    fn end(self: Box<Self>, deadline: Instant);
}

/// What an engine is told of a game before it begins.
pub struct Setup<'a> {
    /// The game.
    pub rules: &'static dyn Rules,
    /// Its complete variant.
    pub variant: &'a Value,
    /// The engine's side.
    pub side: Side,
    /// What stands on the board before the engines take over, as an [`Opening`]; empty for
    /// nothing.
    pub opening: &'a str,
    /// Options to set, by name.
    pub options: &'a BTreeMap<String, Value>,
}

/// A request for a turn.
pub struct Question<'a> {
    /// What has been played.
    pub history: &'a History,
    /// What the engine may spend.
    pub go: &'a Go,
    /// How long to wait for the answer.
    pub patience: Duration,
    /// Set when the referee is to stop.
    pub stop: &'a AtomicBool,
}

impl Question<'_> {
    /// The end of the wait, if the engine's time began at `start`.
    fn until(&self, start: Instant) -> Until<'_> {
        let deadline = start.checked_add(self.patience);
        Until {
            deadline: deadline.unwrap_or_else(|| start + A_YEAR),
            stop: self.stop,
        }
    }
}

/// An engine's turn.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The turn, as the engine wrote it.
    pub text: String,
    /// From when the last bytes of the question were handed over to the last byte of the answer.
    pub used: Duration,
    /// What it reported of its search.
    pub info: Option<EngineInfo>,
}

/// Everything played in a game.
#[derive(Clone, Debug)]
pub struct History {
    /// Where it began, as UGI says it: `startpos`, or `fen …`.
    start: String,
    /// Opening, turns and rolls as UGI lists them, a blank before each.
    words: String,
}

impl History {
    /// The history of a game that begins with an [`Opening`].
    pub fn new(opening: &str) -> History {
        let Opening { position, words } = Opening::parse(opening);
        let mut history = History {
            start: position.map_or("startpos".into(), |position| format!("fen {position}")),
            words: String::new(),
        };
        let words = words.split([' ', '\t', ',']);
        words
            .filter(|word| !word.is_empty())
            .for_each(|word| history.push(word));
        history
    }

    /// Adds a turn or a roll, as UGI writes it.
    pub fn push(&mut self, word: &str) {
        self.words.push(' ');
        self.words.push_str(word);
    }

    /// Opening, turns and rolls as UGI lists them.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.split_whitespace()
    }
}

/// Starts an engine. `label` names it in the trace.
///
/// # Errors
/// [`Failure::Start`].
pub fn start(spec: &EngineSpec, label: String) -> Result<Box<dyn Driver>, Failure> {
    let process = Process::start(spec, label.clone())?;
    Ok(match spec.protocol {
        Protocol::Ugi => Box::new(ugi::Ugi::new(process)),
        Protocol::Sau => Box::new(sau::Sau::new(process)),
        Protocol::Gtp => Box::new(gtp::Gtp::new(process)),
        Protocol::Gomocup => Box::new(gomocup::Gomocup::new(process)),
        Protocol::Botzone | Protocol::BotzoneSimple => {
            Box::new(botzone::Botzone::new(process, spec, label))
        }
    })
}

/// An option's value as a line of a protocol has it: text without quotes, all else as JSON.
fn option_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Writes last words to an engine that need not read them.
fn send_in_passing(process: &mut Process, text: &str) {
    let until = Until {
        deadline: Instant::now(),
        stop: &AtomicBool::new(false),
    };
    // Whoever cannot be told is ended soon anyway.
    let _ = process.send(text, until);
}
