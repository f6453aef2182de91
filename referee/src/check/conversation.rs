//! The conversation with the checked engine; records all its unsolicited output.

use std::process::ExitStatus;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use entry::{sau, ugi};

use super::finding::Fault;
use super::{Language, Plan, Watcher};
use crate::deviation::{Deviation, Deviations};
use crate::game::{QUIT_GRACE, START_UP};
use crate::process::{Failure, Process, Until, Volume};

/// The longest quotation in a message, in characters.
const LONGEST_QUOTE: usize = 160;

/// How often something was observed, with a description of the first case.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) count: usize,
    pub(super) first: String,
}

impl Tally {
    fn add(&mut self, words: impl FnOnce() -> String) {
        if self.count == 0 {
            self.first = words();
        }
        self.count += 1;
    }
}

/// Observations of the whole check.
#[derive(Debug, Default)]
pub(super) struct Observed {
    /// Turns that were not asked for.
    pub(super) unasked: Tally,
    /// Lines that are not part of the protocol.
    pub(super) foreign: Tally,
    /// Other deviations from the protocol.
    pub(super) deviations: Deviations,
    /// The most that was written between two messages to the engine.
    pub(super) loudest: Volume,
    /// Everything that was written.
    pub(super) written: Volume,
    /// Number of turns with a fixed time, and the most by which one exceeded it.
    pub(super) timed: usize,
    pub(super) latest: Duration,
    /// The slowest turn in SAU, which has no time limit of its own.
    pub(super) slowest: Duration,
    /// The most processes still running after the engine had exited.
    pub(super) left: usize,
}

/// The conversation with an engine, over as many processes as needed.
pub(super) struct Conversation<'a> {
    pub(super) plan: &'a Plan,
    watcher: &'a mut dyn Watcher,
    stop: &'a AtomicBool,
    process: Option<Process>,
    /// The last text sent, for messages.
    sent: String,
    /// How much the process had written when that was sent.
    before: Volume,
    /// Whether an infinite search is running.
    searching: bool,
    /// Its turn, if it came before `stop`.
    early: Option<String>,
    pub(super) observed: Observed,
    /// The engine's name.
    pub(super) name: String,
    /// The spellings of the question for its name, in SAU, that it may answer: those that it did
    /// not answer are not waited for again.
    pub(super) questions: Vec<&'static str>,
    /// The engine's lines in the last handshake.
    pub(super) introduction: Vec<String>,
}

impl<'a> Conversation<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        watcher: &'a mut dyn Watcher,
        stop: &'a AtomicBool,
    ) -> Conversation<'a> {
        Conversation {
            plan,
            watcher,
            stop,
            process: None,
            sent: String::new(),
            before: Volume::default(),
            searching: false,
            early: None,
            observed: Observed::default(),
            name: String::new(),
            questions: vec!["name?", "name"],
            introduction: Vec::new(),
        }
    }

    /// Starts a point.
    pub(super) fn begin(&mut self, point: &'static str) {
        self.watcher.begins(point);
    }

    /// Reports progress: `done` of `all` steps of the point.
    pub(super) fn step(&mut self, done: usize, all: usize) {
        self.watcher.step(done, all);
    }

    /// Set when the check is to stop.
    pub(super) fn stop(&self) -> &'a AtomicBool {
        self.stop
    }

    /// Whether an engine is running; its handshake is done.
    pub(super) fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Starts a new process.
    pub(super) fn start(&mut self) -> Result<(), Fault> {
        self.quit_engine();
        let spec = &self.plan.engine;
        let process = Process::start(spec, format!("check {}", spec.name))
            .map_err(|failure| Fault(failure.to_string()))?;
        self.process = Some(process);
        self.sent = "nothing".to_owned();
        Ok(())
    }

    fn until(&self, within: Duration) -> Until<'a> {
        Until {
            deadline: Instant::now() + within,
            stop: self.stop,
        }
    }

    fn process(&mut self) -> Result<&mut Process, Fault> {
        self.process
            .as_mut()
            .ok_or_else(|| Fault("the engine was not started".to_owned()))
    }

    /// Writes lines. Returns when the engine's clock starts.
    pub(super) fn say(&mut self, lines: &str) -> Result<Instant, Fault> {
        self.listen(Duration::ZERO)?;
        let until = self.until(START_UP);
        self.sent = quote(&on_one_line(lines));
        let process = self.process()?;
        let sent = process.send(lines, until);
        self.before = process.volume();
        sent.map_err(|failure| self.failed(&failure, "to be read", START_UP))
    }

    /// Writes lines that start an infinite search.
    pub(super) fn search(&mut self, lines: &str) -> Result<Instant, Fault> {
        let asked = self.say(lines)?;
        (self.searching, self.early) = (true, None);
        Ok(asked)
    }

    /// The turn of the infinite search, if it arrives within this time without `stop`.
    pub(super) fn early_answer(&mut self, within: Duration) -> Result<Option<String>, Fault> {
        self.listen(within)?;
        Ok(self.early.take())
    }

    /// Stops the infinite search. Returns its turn and how long it took to answer; no time if the
    /// search had already ended.
    pub(super) fn stop_search(
        &mut self,
        patience: Duration,
    ) -> Result<(String, Option<Duration>), Fault> {
        if let Some(early) = self.early_answer(Duration::ZERO)? {
            return Ok((early, None));
        }
        let asked = self.say("stop\n")?;
        if let Some(early) = self.early.take() {
            return Ok((early, None));
        }
        let protocol = self.plan.language;
        let (text, at) = self.hear("bestmove", patience, |line| turn(protocol, line))?;
        Ok((text, Some(at.saturating_duration_since(asked))))
    }

    /// The first line that `pick` accepts; `what` names it in messages.
    pub(super) fn hear<T>(
        &mut self,
        what: &str,
        within: Duration,
        pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<(T, Instant), Fault> {
        let received = self.receive(within, pick);
        received.map_err(|failure| self.failed(&failure, what, within))
    }

    /// Like `hear`, but `None` if no such line arrives in time.
    pub(super) fn hear_perhaps<T>(
        &mut self,
        what: &str,
        within: Duration,
        pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<Option<(T, Instant)>, Fault> {
        match self.receive(within, pick) {
            Ok(found) => Ok(Some(found)),
            Err(Failure::Late) => Ok(None),
            Err(failure) => Err(self.failed(&failure, what, within)),
        }
    }

    fn receive<T>(
        &mut self,
        within: Duration,
        mut pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<(T, Instant), Failure> {
        let until = self.until(within);
        loop {
            let process = self.process.as_mut().ok_or(Failure::Closed("input"))?;
            let line = process.receive(until)?;
            if let Some(found) = pick(&line.text) {
                self.searching &= turn(self.plan.language, &line.text).is_none();
                self.note(Deviation::of_keyword(&line.text));
                return Ok((found, line.at));
            }
            self.observe(&line.text);
        }
    }

    /// Waits for a while and records everything the engine writes as unsolicited.
    pub(super) fn listen(&mut self, time: Duration) -> Result<(), Fault> {
        if !time.is_zero() {
            self.hear_perhaps("nothing", time, |_| None::<()>)?;
        }
        let before = self.before;
        let process = self.process()?;
        let lines = process.waiting();
        let volume = process.volume();
        for line in lines {
            self.observe(&line.text);
        }
        let new = Volume {
            output: volume.output - before.output,
            errors: volume.errors - before.errors,
        };
        self.before = volume;
        let Observed {
            loudest, written, ..
        } = &mut self.observed;
        loudest.output = loudest.output.max(new.output);
        loudest.errors = loudest.errors.max(new.errors);
        written.output += new.output;
        written.errors += new.errors;
        Ok(())
    }

    /// Counts a deviation from the protocol.
    pub(super) fn note(&mut self, deviation: impl Into<Option<Deviation>>) {
        self.observed.deviations.note(deviation);
    }

    /// Records an unsolicited line.
    fn observe(&mut self, line: &str) {
        let protocol = self.plan.language;
        let words = || format!("{:?} after `{}`", quote(line), self.sent);
        if let Some(turn) = turn(protocol, line) {
            if std::mem::take(&mut self.searching) {
                self.early = Some(turn);
            } else {
                self.observed.unasked.add(words);
            }
        } else if !line.trim().is_empty() && is_foreign(protocol, line) {
            self.observed.foreign.add(words);
        }
    }

    /// Describes a failure: what was sent, what came back, and what was expected.
    fn failed(&self, failure: &Failure, expected: &str, within: Duration) -> Fault {
        Fault(match failure {
            Failure::Late => format!(
                "`{}`: no answer within {} ms, expected {expected}",
                self.sent,
                within.as_millis()
            ),
            other => format!("`{}`: {other}; expected {expected}", self.sent),
        })
    }

    /// The fault of a wrong answer to the last text sent.
    pub(super) fn wrong(&self, answer: &str, expected: &str) -> Fault {
        Fault(format!(
            "`{}`: {:?}, expected {expected}",
            self.sent,
            quote(answer)
        ))
    }

    /// Closes the engine's input.
    pub(super) fn close_input(&mut self) -> Result<(), Fault> {
        self.listen(Duration::ZERO)?;
        self.process()?.close_input();
        Ok(())
    }

    /// Waits for the process to exit, then kills it. The status is `None` if it had to be killed.
    pub(super) fn end(&mut self) -> Result<(Option<ExitStatus>, Duration), Fault> {
        let begun = Instant::now();
        let process = self.process()?;
        let status = process.ends_by(begun + QUIT_GRACE);
        let took = begun.elapsed();
        if status.is_some() {
            let left = process.left_running(begun + QUIT_GRACE);
            self.observed.left = self.observed.left.max(left);
        }
        if let Some(mut process) = self.process.take() {
            self.observed.deviations.add(&process.deviations());
        }
        self.before = Volume::default();
        (self.searching, self.early) = (false, None);
        Ok((status, took))
    }

    /// Ends the process, if there is one, in whatever state it is.
    pub(super) fn quit_engine(&mut self) {
        if self.process.is_some() {
            // An engine with a fault may not read; it is ended anyway.
            let _ = self.say("quit\n").and_then(|_| self.close_input());
            let _ = self.end();
        }
    }
}

/// The turn in a line, if it contains one.
pub(super) fn turn(protocol: Language, line: &str) -> Option<String> {
    match protocol {
        Language::Ugi => match ugi::Answer::parse(line) {
            Ok(ugi::Answer::BestMove(turn)) => Some(turn),
            _ => None,
        },
        Language::Sau => match sau::Answer::parse(line) {
            Some(sau::Answer::Move(turn)) => Some(turn),
            _ => None,
        },
    }
}

/// Whether a line is not part of the protocol.
fn is_foreign(protocol: Language, line: &str) -> bool {
    match protocol {
        Language::Ugi => ugi::Answer::parse(line).is_err(),
        Language::Sau => sau::Answer::parse(line).is_none(),
    }
}

/// Joins lines into one and makes CR visible.
fn on_one_line(lines: &str) -> String {
    let lines = lines
        .split_terminator('\n')
        .map(|line| line.replace('\r', "\\r"));
    lines.collect::<Vec<_>>().join(" / ")
}

/// The start of a text.
pub(super) fn quote(text: &str) -> String {
    let cut = text.char_indices().nth(LONGEST_QUOTE);
    cut.map_or(text.to_owned(), |(at, _)| format!("{} …", &text[..at]))
}
