//! Speaking with the engine that is checked, and keeping account of all that it does unasked.

use std::process::ExitStatus;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use entry::{sau, ugi};

use super::finding::Fault;
use super::{Language, Plan, Watcher};
use crate::deviation::{Deviation, Deviations};
use crate::game::{HANDSHAKE, QUIT_GRACE};
use crate::process::{Failure, Process, Until, Volume};

/// The longest quotation in a message, in characters.
const LONGEST_QUOTE: usize = 160;

/// Things of a kind: how many, and the first of them in words.
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

/// What was observed over all points.
#[derive(Debug, Default)]
pub(super) struct Observed {
    /// Turns that nobody had asked for.
    pub(super) unasked: Tally,
    /// Lines that are not of the protocol.
    pub(super) foreign: Tally,
    /// What else was otherwise than the protocol has it.
    pub(super) deviations: Deviations,
    /// The most that was written between two messages to the engine.
    pub(super) loudest: Volume,
    /// All that was written.
    pub(super) written: Volume,
    /// How many turns had a fixed time, and by how much the latest of them was over it.
    pub(super) timed: usize,
    pub(super) latest: Duration,
    /// The longest turn of SAU, which has no time of its own.
    pub(super) slowest: Duration,
    /// Most processes that were left when the engine had ended.
    pub(super) left: usize,
}

/// The conversation with an engine, through as many processes as it takes.
pub(super) struct Conversation<'a> {
    pub(super) plan: &'a Plan,
    watcher: &'a mut dyn Watcher,
    stop: &'a AtomicBool,
    process: Option<Process>,
    /// What was last sent, for messages.
    sent: String,
    /// What the process had written when that was sent.
    before: Volume,
    /// Whether a search without end goes on.
    searches: bool,
    /// The answer to it, if it came before it was stopped.
    early: Option<String>,
    pub(super) observed: Observed,
    /// What the engine calls itself.
    pub(super) name: String,
    /// What it wrote in the last handshake.
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
            searches: false,
            early: None,
            observed: Observed::default(),
            name: String::new(),
            introduction: Vec::new(),
        }
    }

    /// A point begins.
    pub(super) fn begin(&mut self, point: &'static str) {
        self.watcher.begins(point);
    }

    /// So many steps of the point are done.
    pub(super) fn step(&mut self, done: usize, all: usize) {
        self.watcher.step(done, all);
    }

    /// Set when the check is to end.
    pub(super) fn stop(&self) -> &'a AtomicBool {
        self.stop
    }

    /// Whether there is a process that has been introduced.
    pub(super) fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Starts a process.
    pub(super) fn start(&mut self) -> Result<(), Fault> {
        self.dismiss();
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

    /// Writes lines. Returns when the engine's time begins.
    pub(super) fn say(&mut self, lines: &str) -> Result<Instant, Fault> {
        self.listen(Duration::ZERO)?;
        let until = self.until(HANDSHAKE);
        self.sent = quote(&on_one_line(lines));
        let process = self.process()?;
        let sent = process.send(lines, until);
        self.before = process.volume();
        sent.map_err(|failure| self.failed(&failure, "to be read", HANDSHAKE))
    }

    /// Writes lines that begin a search without end.
    pub(super) fn search(&mut self, lines: &str) -> Result<Instant, Fault> {
        let asked = self.say(lines)?;
        (self.searches, self.early) = (true, None);
        Ok(asked)
    }

    /// The answer to it, if it comes by itself within a time.
    pub(super) fn early_answer(&mut self, within: Duration) -> Result<Option<String>, Fault> {
        self.listen(within)?;
        Ok(self.early.take())
    }

    /// Stops that search. Returns its turn, and how long it took to answer; no time if it had ended
    /// by itself.
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

    /// The first line that `pick` takes; `what` names it in messages.
    pub(super) fn hear<T>(
        &mut self,
        what: &str,
        within: Duration,
        pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<(T, Instant), Fault> {
        let received = self.receive(within, pick);
        received.map_err(|failure| self.failed(&failure, what, within))
    }

    /// The same, or `None` where no such line comes in time.
    pub(super) fn hear_perhaps<T>(
        &mut self,
        what: &str,
        within: Duration,
        pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<Option<(T, Instant)>, Fault> {
        match self.receive(within, pick) {
            Ok(heard) => Ok(Some(heard)),
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
                self.searches &= turn(self.plan.language, &line.text).is_none();
                self.note(Deviation::of_keyword(&line.text));
                return Ok((found, line.at));
            }
            self.observe(&line.text);
        }
    }

    /// Waits for a while, and takes note of what is written, of which nothing was asked for.
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

    /// Takes note of what is otherwise than the protocol has it.
    pub(super) fn note(&mut self, met: impl Into<Option<Deviation>>) {
        self.observed.deviations.note(met);
    }

    /// Takes note of a line that nobody waits for.
    fn observe(&mut self, line: &str) {
        let protocol = self.plan.language;
        let words = || format!("{:?} after `{}`", quote(line), self.sent);
        if let Some(turn) = turn(protocol, line) {
            if std::mem::take(&mut self.searches) {
                self.early = Some(turn);
            } else {
                self.observed.unasked.add(words);
            }
        } else if !line.trim().is_empty() && is_foreign(protocol, line) {
            self.observed.foreign.add(words);
        }
    }

    /// A failure in words: what was sent, what came back, and what was expected.
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

    /// A fault of an answer to what was last sent.
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

    /// Waits for the process to end by itself, and then ends it. Its status is absent if it had to
    /// be killed.
    pub(super) fn end(&mut self) -> Result<(Option<ExitStatus>, Duration), Fault> {
        let begun = Instant::now();
        let process = self.process()?;
        let status = process.ends_by(begun + QUIT_GRACE);
        let took = begun.elapsed();
        if status.is_some() {
            let left = process.leaves(begun + QUIT_GRACE);
            self.observed.left = self.observed.left.max(left);
        }
        if let Some(mut process) = self.process.take() {
            self.observed.deviations.add(&process.deviations());
        }
        self.before = Volume::default();
        (self.searches, self.early) = (false, None);
        Ok((status, took))
    }

    /// Ends the process, if there is one, whatever state it is in.
    pub(super) fn dismiss(&mut self) {
        if self.process.is_some() {
            // A process that has failed may read no more, and is ended all the same.
            let _ = self.say("quit\n").and_then(|_| self.close_input());
            let _ = self.end();
        }
    }
}

/// The turn in a line, if it is one.
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

/// Whether a line is not of the protocol.
fn is_foreign(protocol: Language, line: &str) -> bool {
    match protocol {
        Language::Ugi => ugi::Answer::parse(line).is_err(),
        Language::Sau => sau::Answer::parse(line).is_none(),
    }
}

/// Lines on one line, so that nothing of them is hidden.
fn on_one_line(lines: &str) -> String {
    let lines = lines
        .split_terminator('\n')
        .map(|line| line.replace('\r', "\\r"));
    lines.collect::<Vec<_>>().join(" / ")
}

/// The beginning of a text.
pub(super) fn quote(text: &str) -> String {
    let cut = text.char_indices().nth(LONGEST_QUOTE);
    cut.map_or(text.to_owned(), |(at, _)| format!("{} …", &text[..at]))
}
