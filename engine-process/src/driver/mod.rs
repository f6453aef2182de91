//! The referee's side of each protocol: what the game loop asks of an engine.

mod botzone;
pub mod gomocup;
pub mod gtp;
pub mod mirror;
pub mod sau;
pub mod ugi;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use catalog::{Match, Rules};
use engine_core::{ParseError, Side};
use protocol::ugi::Go;
use serde_json::Value;
use task::opening::{self, Opening};
use task::{EngineSpec, Letters, Protocol};

use crate::deviation::Deviations;
use crate::info::EngineInfo;
use crate::process::{Delayed, Failure, Process, Until};

/// The longest engine name that is kept, in characters.
const LONGEST_NAME: usize = 100;

/// Timeout of the question for the name. After it, an engine is asked in another way or stays
/// without a name.
pub const NAME_TIMEOUT: Duration = Duration::from_secs(5);

/// Used when a timeout is too long to be added to the current time.
const A_YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A running engine behind its protocol: everything the game loop needs.
///
/// An engine may play several games in a row: [`Driver::new_game`] begins each.
pub trait Driver {
    /// Sets the engine's name in the trace.
    fn name(&mut self, label: String);

    /// Runs the handshake.
    ///
    /// # Errors
    /// Communication with the engine failed.
    fn introduce(&mut self, until: Until) -> Result<(), Failure>;

    /// What the engine calls itself; empty if it did not say.
    fn version(&self) -> &str;

    /// Why the engine cannot take these options, as far as its handshake has shown which it has.
    fn option_fault(&self, options: &BTreeMap<String, Value>) -> Option<String> {
        let _ = options;
        None
    }

    /// Tells from what the engine accepts, in a game that has been prepared and must be prepared anew
    /// after this, which column letters it uses. `None` if it cannot be told.
    ///
    /// # Errors
    /// Communication with the engine failed.
    fn find_letters(&mut self, setup: &Setup, until: Until) -> Result<Option<Letters>, Failure> {
        let _ = (setup, until);
        Ok(None)
    }

    /// Prepares the engine for a game. This is not charged to its clock, but `until` limits it.
    ///
    /// # Errors
    /// Communication failed, or the protocol does not support this game.
    fn new_game(&mut self, setup: &Setup, until: Until) -> Result<(), Failure>;

    /// Asks for the engine's next turn.
    ///
    /// # Errors
    /// Communication failed, or the engine did not answer in time.
    fn ask(&mut self, question: &Question) -> Result<Reply, Failure>;

    /// Rejects the engine's last turn and asks for another one; the clock of the question keeps
    /// running. `None`, with nothing sent, if the protocol has no command for this.
    ///
    /// # Errors
    /// As for [`Driver::ask`].
    fn ask_again(&mut self, question: &Question) -> Option<Result<Reply, Failure>> {
        let _ = question;
        None
    }

    /// Plays the turn of a reply, written in this protocol, and returns it in the notation of UGI
    /// and the log.
    ///
    /// # Errors
    /// The text is not exactly one legal turn; nothing is played then.
    fn play(&mut self, game: &mut dyn Match, text: &str) -> Result<String, ParseError>;

    /// The engine's process, if it runs.
    fn process(&self) -> Option<&Process>;

    /// The same, to be changed.
    fn process_mut(&mut self) -> Option<&mut Process>;

    /// The engine's deviations from its protocol since the last call.
    fn deviations(&mut self) -> Deviations {
        let process = self.process_mut();
        process.map_or(Deviations::default(), Process::deviations)
    }

    /// The CPU time of all the engine's processes; only differences have a meaning. `None` if it is
    /// unknown.
    fn processor_time(&self) -> Option<Duration> {
        self.process()?.processor_time()
    }

    /// Stops or continues the engine's processes; a stopped engine computes nothing.
    fn pause(&self, pause: bool) {
        if let Some(process) = self.process() {
            process.pause(pause);
        }
    }

    /// Tells the engine that the game is over, if its protocol has words for it. Its answer no
    /// longer matters.
    fn game_over(&mut self, history: &History) {
        let _ = history;
    }

    /// Asks the engine to exit, without waiting for it.
    fn quit(&mut self);

    /// Waits until `deadline` for the engine to exit, then kills it.
    fn end(mut self: Box<Self>, deadline: Instant) {
        if let Some(process) = self.process_mut() {
            process.end(deadline);
        }
    }
}

/// What an engine gets to know of a game before it begins.
pub struct Setup<'a> {
    /// The game.
    pub rules: &'static dyn Rules,
    /// The variant, with all its settings.
    pub variant: &'a Value,
    /// The engine's side.
    pub side: Side,
    /// What is played before the engines take over, as an [`Opening`]; may be empty.
    pub opening: &'a str,
    /// Options to set, by name.
    pub options: &'a BTreeMap<String, Value>,
    /// The engine's own commands, as lines to send.
    pub init: &'a [String],
}

/// A request for a turn.
pub struct Question<'a> {
    /// What has been played.
    pub history: &'a History,
    /// The time and other limits of the search.
    pub go: &'a Go,
    /// How long to wait for the answer.
    pub patience: Duration,
    /// Set when the referee is to stop.
    pub stop: &'a AtomicBool,
    /// Who watches the search; nobody in a league.
    pub watch: Option<Watch<'a>>,
    /// What is done if the answer takes long.
    pub delayed: Option<&'a Delayed<'a>>,
}

/// Somebody who watches a search while it runs. Only UGI has reports, and a command to answer at
/// once.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Called with the engine's last report after each line of a report.
    pub report: &'a dyn Fn(&EngineInfo),
    /// Set when the engine is to answer at once.
    pub hurry: &'a AtomicBool,
}

impl Question<'_> {
    /// When to stop waiting, if the engine's clock started at `start`.
    fn until(&self, start: Instant) -> Until<'_> {
        let deadline = start.checked_add(self.patience);
        Until {
            deadline: deadline.unwrap_or_else(|| start + A_YEAR),
            stop: self.stop,
            delayed: self.delayed,
        }
    }
}

/// An engine's turn.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The turn, as the engine wrote it.
    pub text: String,
    /// Time from writing the last bytes of the question to reading the last byte of the answer.
    pub used: Duration,
    /// Its last search report.
    pub info: Option<EngineInfo>,
}

/// Everything played in a game.
#[derive(Clone, Debug)]
pub struct History {
    /// The start position as UGI writes it: `startpos`, or `fen …`.
    start: String,
    /// Opening, turns and rolls as UGI lists them, each after a blank.
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
        opening::split(words).for_each(|word| history.push(word));
        history
    }

    /// Adds a turn or a roll, as UGI writes it.
    pub fn push(&mut self, word: &str) {
        self.words.push(' ');
        self.words.push_str(word);
    }

    /// Whether it begins at a given position instead of the game's first.
    pub fn begins_elsewhere(&self) -> bool {
        self.start != "startpos"
    }

    /// Opening, turns and rolls as UGI lists them.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.split_whitespace()
    }
}

/// Starts an engine. `label` is its name in the trace.
///
/// # Errors
/// [`Failure::Start`].
pub fn start(spec: &EngineSpec, label: String) -> Result<Box<dyn Driver>, Failure> {
    let process = Process::start(spec, label.clone())?;
    Ok(match spec.protocol {
        Protocol::Ugi => Box::new(ugi::Ugi::new(process)),
        Protocol::Sau => Box::new(sau::Sau::new(process, &spec.command)),
        Protocol::Gtp => Box::new(gtp::Gtp::new(process, spec.letters)),
        Protocol::Gomocup => Box::new(gomocup::Gomocup::new(process)),
        Protocol::Botzone | Protocol::BotzoneSimple => {
            Box::new(botzone::Botzone::new(process, spec, label))
        }
    })
}

/// An option's value as text in a protocol line: strings without quotes, other values as JSON.
pub fn option_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Sends an engine's own commands, then a question, and waits until the engine has read all of
/// them: until it answers the question, or does not answer it in time. What it says to the commands
/// themselves is ignored. Without a question it does not wait.
fn initialize(
    process: &mut Process,
    commands: &[String],
    question: Option<&str>,
    is_answer: impl Fn(&str) -> bool,
    until: Until,
) -> Result<(), Failure> {
    let lines = commands.iter().map(String::as_str).chain(question);
    let lines: String = lines.map(|line| format!("{line}\n")).collect();
    process.send(&lines, until)?;
    if question.is_none() {
        return Ok(());
    }
    let soon = until.within(NAME_TIMEOUT);
    loop {
        match process.receive(soon) {
            Ok(line) if is_answer(&line.text) => return Ok(()),
            Ok(_) => {}
            Err(Failure::Late) => return Ok(()),
            Err(failure) => return Err(failure),
        }
    }
}

/// Writes to an engine without waiting; it need not read the text.
fn send_best_effort(process: &mut Process, text: &str) {
    let go_on = AtomicBool::new(false);
    let until = Until::new(Instant::now(), &go_on);
    // An engine that does not read is killed soon anyway.
    let _ = process.send(text, until);
}
