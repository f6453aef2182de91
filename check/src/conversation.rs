//! The conversation with the checked engine; records all its unsolicited output.

use std::process::ExitStatus;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use engine_process::deviation::Deviation;
use engine_process::driver::NAME_TIMEOUT;
use engine_process::process::{CoreTime, Failure, Line, Process, Until, Volume};
use engine_process::{QUIT_GRACE, START_UP};

use super::busy;
use super::ending::{END_PATIENCE, Ended, HUNG_PATIENCE};
use super::finding::Fault;
use super::language::{Kind, Language};
use super::observed::Observed;
use super::patience::Patience;
use super::{Plan, Watcher};

/// How long the other processes of an engine may take to exit after it.
pub(super) const LEFT_PATIENCE: Duration = Duration::from_secs(10);

/// The longest quotation in a message, in characters.
const LONGEST_QUOTE: usize = 160;

/// The conversation with an engine, over as many processes as needed.
pub(super) struct Conversation<'a> {
    pub(super) plan: &'a Plan,
    pub(super) language: &'static dyn Language,
    watcher: &'a mut dyn Watcher,
    stop: &'a AtomicBool,
    process: Option<Process>,
    /// The last text sent, for messages.
    sent: String,
    /// How much the process had written when that was sent.
    before: Volume,
    /// Whether a turn may come at any time.
    searching: bool,
    /// That turn, if it came before it was waited for.
    early: Option<String>,
    /// When the last text was sent, and the engine's time with and without a core till then.
    asked: (Instant, CoreTime),
    /// What a busy machine took from it since, until its answer.
    taken: Duration,
    /// The most that was taken from an answer of the point.
    pub(super) most_taken: Duration,
    /// Whether the process has failed: what it still writes may answer anything.
    failed: bool,
    pub(super) observed: Observed,
    /// The engine's name.
    pub(super) name: String,
    /// Questions that it did not answer and may leave unanswered; they are not asked again.
    pub(super) unanswered: Vec<&'static str>,
    /// The engine's lines in the last handshake.
    pub(super) introduction: Vec<String>,
}

impl<'a> Conversation<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        language: &'static dyn Language,
        watcher: &'a mut dyn Watcher,
        stop: &'a AtomicBool,
    ) -> Conversation<'a> {
        Conversation {
            plan,
            language,
            watcher,
            stop,
            process: None,
            sent: String::new(),
            before: Volume::default(),
            searching: false,
            early: None,
            asked: (Instant::now(), CoreTime::default()),
            taken: Duration::ZERO,
            most_taken: Duration::ZERO,
            failed: false,
            observed: Observed::default(),
            name: String::new(),
            unanswered: Vec::new(),
            introduction: Vec::new(),
        }
    }

    /// Starts a point.
    pub(super) fn begin(&mut self, point: &'static str) {
        self.watcher.begins(point);
        self.most_taken = Duration::ZERO;
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

    /// A wait of this time from now.
    pub(super) fn until(&self, within: Duration) -> Until<'a> {
        Until::new(Instant::now() + within, self.stop)
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
        let asked = (Instant::now(), process.core_time());
        let sent = process.send(lines, until);
        self.before = process.volume();
        (self.asked, self.taken) = (asked, Duration::ZERO);
        sent.map_err(|failure| self.failure(&failure, "to be read", START_UP))
    }

    /// Sends the engine's own commands, then a question, and waits as in a league until the engine has
    /// read all of them: until it answers the question, or does not answer it in time. What it says
    /// to the commands themselves is ignored. Without a question it does not wait.
    pub(super) fn initialize(
        &mut self,
        question: Option<&str>,
        is_answer: impl Fn(&str) -> bool,
    ) -> Result<(), Fault> {
        let commands = &self.plan.engine.init;
        if commands.is_empty() {
            return Ok(());
        }
        let lines = commands.iter().map(String::as_str).chain(question);
        let lines: String = lines.map(|line| format!("{line}\n")).collect();
        self.say(&lines)?;
        if question.is_some() {
            let heard = |line: &str| {
                if is_answer(line) {
                    Heard::Answer(())
                } else {
                    Heard::Part
                }
            };
            self.hear_parts("its name", NAME_TIMEOUT, heard)?;
        }
        Ok(())
    }

    /// Writes lines after which a turn may come at any time.
    pub(super) fn search(&mut self, lines: &str) -> Result<Instant, Fault> {
        let asked = self.say(lines)?;
        (self.searching, self.early) = (true, None);
        Ok(asked)
    }

    /// The turn after `search`, if it arrives within this time.
    pub(super) fn early_answer(&mut self, within: Duration) -> Result<Option<String>, Fault> {
        self.listen(within)?;
        Ok(self.take_early())
    }

    /// That turn, if it was read before now.
    pub(super) fn take_early(&mut self) -> Option<String> {
        self.early.take()
    }

    /// The first line that `pick` accepts; `what` names it in messages.
    pub(super) fn hear<T>(
        &mut self,
        what: &str,
        within: Duration,
        mut pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<(T, Instant), Fault> {
        let received = self.receive(within, |line| Heard::from(pick(line)));
        received.map_err(|failure| self.failure(&failure, what, within))
    }

    /// Like `hear`, but `None` if no such line arrives in time.
    pub(super) fn hear_perhaps<T>(
        &mut self,
        what: &str,
        within: Duration,
        mut pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<Option<(T, Instant)>, Fault> {
        self.hear_parts(what, within, |line| Heard::from(pick(line)))
    }

    /// Like `hear_perhaps`, for an answer of several lines.
    pub(super) fn hear_parts<T>(
        &mut self,
        what: &str,
        within: Duration,
        pick: impl FnMut(&str) -> Heard<T>,
    ) -> Result<Option<(T, Instant)>, Fault> {
        match self.receive(within, pick) {
            Ok(found) => Ok(Some(found)),
            Err(Failure::Late) => Ok(None),
            Err(failure) => Err(self.failure(&failure, what, within)),
        }
    }

    /// How long an answer took that was asked for at a time, without what a busy machine took from the
    /// engine.
    pub(super) fn took(&self, asked: Instant, at: Instant) -> Duration {
        (at.saturating_duration_since(asked)).saturating_sub(self.taken)
    }

    /// Finds what a busy machine took from an answer.
    fn find_taken(&mut self) {
        if let Some(process) = &self.process {
            let (begun, before) = self.asked;
            self.taken = busy::taken(begun.elapsed(), before, process.core_time());
            self.most_taken = self.most_taken.max(self.taken);
        }
    }

    fn receive<T>(
        &mut self,
        within: Duration,
        mut pick: impl FnMut(&str) -> Heard<T>,
    ) -> Result<(T, Instant), Failure> {
        let mut patience = Patience::new(within);
        loop {
            let line = self.next_line(&mut patience)?;
            match pick(&line.text) {
                Heard::Answer(found) => {
                    self.searching &= !self.is_answer(&line.text);
                    self.note(self.language.deviation(&line.text));
                    self.find_taken();
                    return Ok((found, line.at));
                }
                Heard::Part => {}
                Heard::Other => self.observe(&line.text),
            }
        }
    }

    /// The next line, whatever it is, or the end of the process. The last line needs no line end.
    pub(super) fn next(&mut self, what: &str, within: Duration) -> Result<Next, Fault> {
        let failure = match self.next_line(&mut Patience::new(within)) {
            Ok(line) => return Ok(Next::Line(line)),
            Err(failure) => failure,
        };
        if let Failure::Exit { .. } | Failure::Closed("output") = failure
            && let Some(line) = self.process()?.unfinished()
        {
            return Ok(Next::Line(line));
        }
        match failure {
            Failure::Exit { status, words } if words.is_empty() || status.success() => {
                Ok(Next::End(status))
            }
            failure => Err(self.failure(&failure, what, within)),
        }
    }

    fn next_line(&mut self, patience: &mut Patience) -> Result<Line, Failure> {
        let process = self.process.as_mut().ok_or(Failure::Closed("input"))?;
        loop {
            let until = Until::new(patience.next_look(), self.stop);
            match process.receive(until) {
                Err(Failure::Late) if !patience.look(process) => {}
                received => return received,
            }
        }
    }

    /// Waits for a while and records everything the engine writes as unsolicited.
    pub(super) fn listen(&mut self, time: Duration) -> Result<(), Fault> {
        let until = self.until(time);
        while !time.is_zero() {
            match self.process()?.receive(until) {
                Ok(line) => self.observe(&line.text),
                Err(Failure::Late) => break,
                Err(failure) => return Err(self.failure(&failure, "nothing", time)),
            }
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
        self.observed.wrote(new);
        Ok(())
    }

    /// Counts a deviation from the protocol.
    pub(super) fn note(&mut self, deviation: impl Into<Option<Deviation>>) {
        self.observed.deviations.note(deviation);
    }

    /// Records an unsolicited line.
    pub(super) fn observe(&mut self, line: &str) {
        if line.trim().is_empty() || self.failed {
            return;
        }
        let words = || format!("{:?} after `{}`", quote(line), self.sent);
        match self.language.kind(line) {
            Kind::Answer(turn) if self.searching => {
                (self.searching, self.early) = (false, Some(turn));
            }
            Kind::Answer(_) => self.observed.unasked.add(words),
            Kind::Known => {}
            Kind::Foreign => self.observed.foreign.add(words),
        }
    }

    fn is_answer(&self, line: &str) -> bool {
        matches!(self.language.kind(line), Kind::Answer(_))
    }

    /// Describes what was sent last by others than [`Conversation::say`].
    pub(super) fn describe(&mut self, sent: &str) {
        self.sent = quote(sent);
    }

    /// Describes a failure: what was sent, what came back, and what was expected.
    pub(super) fn failure(&self, failure: &Failure, expected: &str, within: Duration) -> Fault {
        match failure {
            Failure::Late => self.silent(expected, within),
            other => Fault(format!("`{}`: {other}; expected {expected}", self.sent)),
        }
    }

    /// The fault of an engine that did not answer the last text sent.
    pub(super) fn silent(&self, expected: &str, within: Duration) -> Fault {
        Fault(format!(
            "`{}`: no answer within {} ms, expected {expected}",
            self.sent,
            within.as_millis()
        ))
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

    /// Waits for the process to exit, then kills it.
    pub(super) fn end(&mut self) -> Result<Ended, Fault> {
        let Observed { hung, left, .. } = self.observed;
        let within = match self.failed {
            true => QUIT_GRACE,
            false if hung => HUNG_PATIENCE,
            false => END_PATIENCE,
        };
        let process = self.process()?;
        let ended = Ended::wait(process, within);
        match ended.status {
            Some(_) => {
                let patience = if left == 0 { LEFT_PATIENCE } else { QUIT_GRACE };
                let now = process.left_running(Instant::now() + patience);
                self.observed.left = left.max(now);
            }
            None => self.observed.hung |= !self.failed,
        }
        self.kill();
        Ok(ended)
    }

    /// Kills the process, if there is one.
    pub(super) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            self.observed.deviations.add(&process.deviations());
        }
        self.before = Volume::default();
        (self.searching, self.early, self.failed) = (false, None, false);
    }

    /// Ends a process that has failed at a point.
    pub(super) fn give_up(&mut self) {
        self.failed = true;
        self.quit_engine();
        self.failed = false;
    }

    /// Ends the process, if there is one, in whatever state it is.
    pub(super) fn quit_engine(&mut self) {
        if self.process.is_some() {
            let quit = self.language.quit();
            let quit = quit.map_or(String::new(), |word| format!("{word}\n"));
            // An engine with a fault may not read; it is ended anyway.
            let _ = self.say(&quit);
            if let Some(process) = &mut self.process {
                process.close_input();
            }
            let _ = self.end();
        }
    }
}

/// What comes next from a process.
pub(super) enum Next {
    /// A line.
    Line(Line),
    /// Its exit.
    End(ExitStatus),
}

/// The meaning of a line for who waits for an answer.
pub(super) enum Heard<T> {
    /// The answer, or its last line.
    Answer(T),
    /// Another line of the answer.
    Part,
    /// Not of the answer.
    Other,
}

impl<T> From<Option<T>> for Heard<T> {
    fn from(found: Option<T>) -> Heard<T> {
        found.map_or(Heard::Other, Heard::Answer)
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
