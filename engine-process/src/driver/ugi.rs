//! The referee's side of UGI.

mod options;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use catalog::{Match, Rules};
use engine_core::ParseError;
use protocol::ugi::{Answer, Command, Info, InfoScore, OptionLine, expected_reply};
use serde_json::Value;

use self::options::Options;
use super::{Driver, History, LONGEST_NAME, Question, Reply, Setup, option_text, send_best_effort};
use crate::deviation::Deviation;
use crate::info::EngineInfo;
use crate::process::{Failure, Line, Process, Until};

/// The longest principal variation that is stored, in bytes.
const LONGEST_TEXT: usize = 1024;

/// How often a watched search looks whether its watcher is in a hurry.
const GLANCE: Duration = Duration::from_millis(50);

/// How long an engine may take to answer `stop`.
const STOP_PATIENCE: Duration = Duration::from_secs(2);

/// An engine that speaks UGI.
///
/// The options `Game` and `Variant` are set only if the engine declares them; an engine for one
/// game need not. The options of the league file are always set.
pub(super) struct Ugi {
    process: Process,
    name: String,
    declared: Declared,
    options: Options,
    /// Whether it may search in its opponent's turns.
    ponders: bool,
    /// The `position` line of the search in its opponent's turn, if there is one.
    pondered: Option<String>,
}

/// Which of the options `Game` and `Variant` an engine declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    game: bool,
    variant: bool,
}

impl Declared {
    /// Records an option that the engine declares.
    pub fn add(&mut self, option: &OptionLine) {
        self.game |= option.name.eq_ignore_ascii_case("game");
        self.variant |= option.name.eq_ignore_ascii_case("variant");
    }
}

impl Ugi {
    pub(super) fn new(mut process: Process) -> Ugi {
        process.check_unsolicited(unsolicited);
        process.check_turns(is_turn);
        Ugi {
            process,
            name: String::new(),
            declared: Declared::default(),
            options: Options::default(),
            ponders: false,
            pondered: None,
        }
    }

    /// Lets the engine search in its opponent's turn, after its own turn and the reply that it expects.
    fn ponder(&mut self, question: &Question, turn: &str, expected: &str) {
        let mut history = question.history.clone();
        history.push(turn);
        history.push(expected);
        let position = position(&history);
        let lines = format!("{position}\ngo ponder{}\n", question.go);
        send_best_effort(&mut self.process, &lines);
        self.process.check_unsolicited(unsolicited_while_pondering);
        self.pondered = Some(position);
    }

    /// Ends the search in the opponent's turn, and drops its result. Returns when it was asked to.
    fn stop_pondering(&mut self, until: Until) -> Result<Instant, Failure> {
        let asked = self.process.send(&format!("{}\n", Command::Stop), until)?;
        self.process.check_unsolicited(unsolicited);
        let searches = |answer: &Answer| matches!(answer, Answer::Info(_) | Answer::BestMove(_));
        loop {
            // An engine that has answered already, unasked, answers no more.
            match self.receive(until.within(STOP_PATIENCE), searches) {
                Ok((Answer::BestMove(_), _)) | Err(Failure::Late) => return Ok(asked),
                Ok(_) => {}
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Waits for the next line that `awaited` accepts; other lines count as unsolicited.
    fn receive(
        &mut self,
        until: Until,
        awaited: fn(&Answer) -> bool,
    ) -> Result<(Answer, Line), Failure> {
        loop {
            let line = self.process.receive(until)?;
            if let Ok(answer) = Answer::parse(&line.text)
                && awaited(&answer)
            {
                self.process.note(Deviation::of_keyword(&line.text));
                return Ok((answer, line));
            }
            self.options.add_unread(&line.text);
            self.process.note(unsolicited(&line.text));
        }
    }
}

/// Whether a line that begins so is a turn.
fn is_turn(line: &str) -> bool {
    let word = line.split_whitespace().next();
    word.is_some_and(|word| word.eq_ignore_ascii_case("bestmove"))
}

/// The deviation, if any, of a line that was not asked for.
fn unsolicited(line: &str) -> Option<Deviation> {
    match Answer::parse(line) {
        Ok(Answer::Name(_)) => Some(Deviation::UnaskedName),
        Ok(Answer::BestMove(_)) => Some(Deviation::UnaskedTurn),
        // `info string` is allowed at any time, other `info` only during a search.
        Ok(Answer::Info(info)) => {
            let words = Info {
                string: info.string.clone(),
                ..Info::default()
            };
            (info != words).then_some(Deviation::UnaskedReport)
        }
        Ok(_) => Some(Deviation::Unasked),
        Err(_) if line.trim().is_empty() => None,
        Err(_) => Some(Deviation::Chatter),
    }
}

/// The same while the engine searches in its opponent's turn.
fn unsolicited_while_pondering(line: &str) -> Option<Deviation> {
    unsolicited(line).filter(|met| *met != Deviation::UnaskedReport)
}

impl Driver for Ugi {
    fn name(&mut self, label: String) {
        self.process.name(label);
    }

    fn introduce(&mut self, until: Until) -> Result<(), Failure> {
        self.process.send(&format!("{}\n", Command::Ugi), until)?;
        let introduces = |answer: &Answer| {
            matches!(
                answer,
                Answer::Name(_) | Answer::Author(_) | Answer::Option(_) | Answer::UgiOk
            )
        };
        loop {
            match self.receive(until, introduces)?.0 {
                Answer::Name(name) => self.name = name.chars().take(LONGEST_NAME).collect(),
                Answer::Option(option) => {
                    self.declared.add(&option);
                    self.options.add(option);
                }
                Answer::UgiOk => return Ok(()),
                _ => {}
            }
        }
    }

    fn version(&self) -> &str {
        &self.name
    }

    fn option_fault(&self, options: &BTreeMap<String, Value>) -> Option<String> {
        self.options.fault(options)
    }

    fn new_game(&mut self, setup: &Setup, until: Until) -> Result<(), Failure> {
        if self.pondered.take().is_some() {
            self.stop_pondering(until)?;
        }
        // With dice, nobody knows the position after the reply.
        let is_set = task::option(setup.options, "ponder") == Some(&true.into());
        self.ponders = is_set && !setup.rules.has_dice();
        let lines = preparation(self.declared, setup.options, setup.rules, setup.variant);
        self.process.send(&lines, until)?;
        self.receive(until, |answer| *answer == Answer::ReadyOk)?;
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, Failure> {
        let asked = question.until(Instant::now());
        let (mut text, mut start) = (request(question), None);
        match self.pondered.take() {
            Some(pondered) if pondered == position(question.history) => {
                text = format!("ponderhit{}\n", question.go);
            }
            Some(_) => start = Some(self.stop_pondering(asked)?),
            None => {}
        }
        let sent = self.process.send(&text, asked)?;
        self.process.check_unsolicited(unsolicited);
        let start = start.unwrap_or(sent);
        let mut until = question.until(start);
        let mut info = None;
        let mut hurry = question.watch.map(|watch| watch.hurry);
        let searches = |answer: &Answer| matches!(answer, Answer::Info(_) | Answer::BestMove(_));
        loop {
            if hurry.is_some_and(|hurry| hurry.load(Ordering::Relaxed)) {
                self.process.interject(&format!("{}\n", Command::Stop));
                until = until.within(STOP_PATIENCE);
                hurry = None;
            }
            let glance = hurry.map_or(until, |_| until.within(GLANCE));
            match self.receive(glance, searches) {
                Ok((Answer::Info(line), _)) => {
                    store_report(&mut info, line);
                    if let (Some(watch), Some(info)) = (question.watch, &info) {
                        (watch.report)(info);
                    }
                }
                Ok((Answer::BestMove(text), line)) => {
                    let used = line.at.saturating_duration_since(start);
                    if let Some(expected) = expected_reply(&line.text).filter(|_| self.ponders) {
                        self.ponder(question, &text, expected);
                    }
                    return Ok(Reply { text, used, info });
                }
                Err(Failure::Late) if glance.deadline < until.deadline => {}
                Err(failure) => return Err(failure),
                Ok(_) => {}
            }
        }
    }

    fn play(&mut self, game: &mut dyn Match, text: &str) -> Result<String, ParseError> {
        let turn = game.play_turn(text)?;
        self.process.note(Deviation::of_turn(text, &turn));
        Ok(turn)
    }

    fn process(&self) -> Option<&Process> {
        Some(&self.process)
    }

    fn process_mut(&mut self) -> Option<&mut Process> {
        Some(&mut self.process)
    }

    fn quit(&mut self) {
        send_best_effort(&mut self.process, &format!("{}\n", Command::Quit));
    }
}

/// The lines that prepare an engine for a game; the last is `isready`.
pub fn preparation(
    declared: Declared,
    options: &BTreeMap<String, Value>,
    rules: &dyn Rules,
    variant: &Value,
) -> String {
    let mut commands = Vec::new();
    if declared.game {
        commands.push(set_option("Game", rules.id().into()));
    }
    if declared.variant {
        commands.push(set_option("Variant", variant.to_string()));
    }
    let options = options.iter();
    commands.extend(options.map(|(name, value)| set_option(name, option_text(value))));
    commands.extend([Command::NewGame, Command::IsReady]);
    commands.iter().map(|line| format!("{line}\n")).collect()
}

/// The `position` and `go` lines.
fn request(question: &Question) -> String {
    format!("{}\ngo{}\n", position(question.history), question.go)
}

/// The `position` line, without its line end.
pub fn position(history: &History) -> String {
    let History { start, words, .. } = history;
    let moves = if words.is_empty() { "" } else { " moves" };
    format!("position {start}{moves}{words}")
}

fn set_option(name: &str, value: String) -> Command {
    let name = name.into();
    Command::SetOption { name, value }
}

/// Stores a search report: the last line with a score or a PV, or, if there is none, the last line
/// with a depth or a node count. The last `time` and the last `string` count, whichever line has them.
/// A bound is no score, nor is a line that is not the best one.
fn store_report(report: &mut Option<EngineInfo>, line: Info) {
    let is_other = line.bound.is_some() || line.multipv.is_some_and(|number| number > 1);
    let full = !is_other && (line.score.is_some() || !line.pv.is_empty());
    let has_full = matches!(report, Some(info) if info.score.is_some() || info.pv.is_some());
    let empty = is_other || line.depth.is_none() && line.nodes.is_none();
    let before = report.as_ref();
    let time_ms = line.time.or(before.and_then(|info| info.time_ms));
    let words = line.string.as_deref().map(str::split_whitespace);
    let remark = words.and_then(shortened);
    let remark = remark.or_else(|| before.and_then(|info| info.remark.clone()));
    if full || !has_full && !empty {
        *report = Some(EngineInfo {
            depth: line.depth,
            score: line.score.as_ref().map(InfoScore::to_string),
            nodes: line.nodes,
            time_ms,
            pv: shortened(line.pv.iter().map(String::as_str)),
            remark,
        });
    } else if time_ms.is_some() || remark.is_some() {
        let report = report.get_or_insert_default();
        (report.time_ms, report.remark) = (time_ms, remark);
    }
}

/// Words with blanks between them, as many as the log holds; `None` if there are none.
fn shortened<'w>(words: impl Iterator<Item = &'w str>) -> Option<String> {
    let mut text = String::new();
    for word in words {
        if text.len() + word.len() >= LONGEST_TEXT {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use protocol::ugi::Go;

    use super::*;

    fn stored(lines: &[&str]) -> Option<EngineInfo> {
        let mut info = None;
        for line in lines {
            if let Ok(Answer::Info(line)) = Answer::parse(line) {
                store_report(&mut info, line);
            }
        }
        info
    }

    #[test]
    fn the_last_report_with_a_score_is_stored() {
        let info = stored(&[
            "info depth 1 score cp 5 nodes 10 pv a1",
            "info depth 2 score win 3 nodes 99 pv b2 c3",
            "info depth 3 nodes 120",
            "info string score cp 9",
        ])
        .unwrap();
        assert_eq!(info.depth, Some(2));
        assert_eq!(info.score.as_deref(), Some("win 3"));
        assert_eq!(info.nodes, Some(99));
        assert_eq!(info.pv.as_deref(), Some("b2 c3"));
        assert_eq!(info.remark.as_deref(), Some("score cp 9"));
    }

    /// As chess engines report: bounds while the window is moved, then several lines.
    #[test]
    fn a_bound_and_another_line_are_no_score() {
        let info = stored(&[
            "info depth 8 score cp 5 nodes 10 pv a1",
            "info depth 9 score cp 90 upperbound nodes 20 time 4 pv b2",
            "info depth 9 multipv 1 score cp 12 nodes 30 pv c3 d4",
            "info depth 9 multipv 2 score loss 4 nodes 31 time 6 pv e5",
            "info depth 10 multipv 1 score win 9 lowerbound nodes 40 pv f6",
        ])
        .unwrap();
        assert_eq!(
            (info.depth, info.nodes, info.time_ms),
            (Some(9), Some(30), Some(6))
        );
        assert_eq!(
            (info.score.as_deref(), info.pv.as_deref()),
            (Some("cp 12"), Some("c3 d4"))
        );
        for other in [
            "score cp 900 lowerbound pv a1",
            "multipv 3 score cp 900 pv a1",
        ] {
            assert_eq!(stored(&[&format!("info depth 4 nodes 9 {other}")]), None);
        }
    }

    #[test]
    fn a_report_without_a_score_is_better_than_none() {
        let info = stored(&["info depth 1", "info nodes 7", "info string hello"]).unwrap();
        assert_eq!((info.depth, info.nodes), (None, Some(7)));
        assert_eq!(stored(&["info string"]), None);
    }

    #[test]
    fn the_last_remark_is_stored_and_stays() {
        let remark = |lines: &[&str]| stored(lines).and_then(|info| info.remark);
        let lines = ["info string must play  b2", "info string wins within c3"];
        assert_eq!(remark(&lines).as_deref(), Some("wins within c3"));
        let lines = ["info string book", "info depth 1 score cp 5 pv a1"];
        assert_eq!(remark(&lines).as_deref(), Some("book"));
        assert_eq!(remark(&["info depth 1 score cp 5 pv a1"]), None);
        let long = format!("info string {}", "b2 ".repeat(1000));
        assert!(remark(&[&long]).is_some_and(|text| text.len() < LONGEST_TEXT));
    }

    #[test]
    fn the_last_time_is_stored_whichever_line_has_it() {
        let time = |lines: &[&str]| stored(lines).and_then(|info| info.time_ms);
        assert_eq!(
            time(&["info depth 1 score cp 5 time 3", "info time 8"]),
            Some(8)
        );
        assert_eq!(
            time(&["info time 8", "info depth 1 score cp 5 pv a1"]),
            Some(8)
        );
        assert_eq!(
            time(&["info depth 1 score cp 5", "info string time 8"]),
            None
        );
        let lines = ["info depth 2 score cp 5 time 3", "info nodes 9 time 8"];
        assert_eq!(stored(&lines).unwrap().depth, Some(2));
    }

    #[test]
    fn a_long_variation_is_cut_between_words() {
        let text = shortened(["k10k11"].into_iter().cycle().take(1000)).unwrap();
        assert!((1000..LONGEST_TEXT).contains(&text.len()), "{}", text.len());
        assert!(text.split(' ').all(|word| word == "k10k11"));
    }

    #[test]
    fn the_request_parses_as_ugi() {
        let go = Go {
            movetime: Some(100),
            ..Go::default()
        };
        let ask = |history: &History| {
            request(&Question {
                history,
                go: &go,
                patience: Duration::ZERO,
                stop: &AtomicBool::new(false),
                watch: None,
                delayed: None,
            })
        };
        assert_eq!(
            ask(&History::new("")),
            "position startpos\ngo movetime 100\n"
        );
        let mut history = History::new("R:123456, B:654321");
        history.push("d6");
        let text = ask(&history);
        assert_eq!(
            text,
            "position startpos moves R:123456 B:654321 d6\ngo movetime 100\n"
        );
        for line in text.lines() {
            assert_eq!(Command::parse(line).unwrap().to_string(), line);
        }
    }

    #[test]
    fn options_are_written_without_quotes() {
        assert_eq!(option_text(&"a b".into()), "a b");
        assert_eq!(option_text(&64.into()), "64");
        assert_eq!(option_text(&true.into()), "true");
    }
}
