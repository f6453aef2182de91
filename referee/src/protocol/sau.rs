//! The referee's side of the contest platform's protocol.
//!
//! It knows no time, no variant, no opening, no option and no report of a search; the clock runs
//! all the same. `error` is sent only where the league file lets an engine try again.

use std::time::Instant;

use catalog::{Match, Rules, Turn};
use engine_core::{ParseError, Side};
use entry::sau::{Answer, Command};

use super::{Driver, Event, History, LONGEST_NAME, Question, Reply, SOON, Setup, send_in_passing};
use crate::deviation::{Deviation, Deviations};
use crate::process::{Failure, Process, Until};
use crate::task::Protocol;

/// An engine that speaks SAU.
pub(super) struct Sau {
    process: Process,
    name: String,
    briefing: Briefing,
    /// When the time of the last question began.
    asked: Instant,
}

/// What an engine is told of a game, and what it has not been told yet.
pub(crate) struct Briefing {
    side: Side,
    /// What is to be written before the next question: `new …` for `First`, whose first turn is
    /// the answer to it.
    pending: String,
    /// How many of the game's events the engine knows.
    told: usize,
}

impl Briefing {
    /// That of an engine which is to play this side.
    pub(crate) fn new(rules: &dyn Rules, side: Side) -> Briefing {
        let colour = rules.colours()[side.index()];
        Briefing {
            side,
            pending: format!("{}\n", Command::New(colour.into())),
            told: 0,
        }
    }

    /// The lines that begin a game with `Second`, who has then to wait. `First` gets them with the
    /// first question.
    pub(crate) fn beginning(&mut self) -> Option<String> {
        (self.side == Side::Second).then(|| std::mem::take(&mut self.pending))
    }

    /// The lines that bring the engine up to date.
    pub(crate) fn news(&mut self, history: &History) -> String {
        let mut lines = std::mem::take(&mut self.pending);
        lines.push_str(&news(&history.events[self.told..], self.side));
        self.told = history.events.len();
        lines
    }
}

impl Sau {
    pub(super) fn new(mut process: Process) -> Sau {
        process.judge_strays(stray);
        Sau {
            process,
            name: String::new(),
            briefing: Briefing {
                side: Side::First,
                pending: String::new(),
                told: 0,
            },
            asked: Instant::now(),
        }
    }

    /// The name that the engine has said before it was asked.
    fn early_name(&mut self) -> Option<String> {
        let mut early = None;
        for line in self.process.waiting() {
            self.process.note(stray(&line.text));
            early = Answer::parse(&line.text).and_then(name).or(early);
        }
        early
    }

    /// The turn that was asked for, with the time since it first was.
    fn answer(&mut self, question: &Question) -> Result<Reply, Failure> {
        let (text, at) = self.receive(question.until(self.asked), turn)?;
        Ok(Reply {
            text,
            used: at.saturating_duration_since(self.asked),
            info: None,
        })
    }

    /// What `pick` takes of the next line that it takes; others are passed over.
    fn receive<T>(
        &mut self,
        until: Until,
        pick: impl Fn(Answer) -> Option<T>,
    ) -> Result<(T, Instant), Failure> {
        loop {
            let line = self.process.receive(until)?;
            if let Some(picked) = Answer::parse(&line.text).and_then(&pick) {
                self.process.note(Deviation::of_keyword(&line.text));
                return Ok((picked, line.at));
            }
            self.process.note(stray(&line.text));
        }
    }
}

/// What is odd about a line that nobody waits for.
fn stray(line: &str) -> Option<Deviation> {
    match Answer::parse(line) {
        Some(Answer::Name(_)) => Some(Deviation::UnaskedName),
        Some(Answer::Move(_)) => Some(Deviation::UnaskedTurn),
        None if line.trim().is_empty() => None,
        None => Some(Deviation::Chatter),
    }
}

/// The name in an answer.
fn name(answer: Answer) -> Option<String> {
    match answer {
        Answer::Name(name) => Some(name),
        Answer::Move(_) => None,
    }
}

/// The turn in an answer.
fn turn(answer: Answer) -> Option<String> {
    match answer {
        Answer::Move(text) => Some(text),
        Answer::Name(_) => None,
    }
}

/// The opponent's turns and all rolls, as lines. Both sides are told of every roll; an engine knows
/// whose it is by whose turn it is.
fn news(events: &[Event], side: Side) -> String {
    let mut lines = String::new();
    for event in events {
        let command = match event {
            Event::Turn(turn) if turn.side == side => continue,
            Event::Turn(turn) => Command::Move(turn.sau.clone()),
            Event::Roll(face) => Command::Dice(*face),
        };
        lines.push_str(&format!("{command}\n"));
    }
    lines
}

impl Driver for Sau {
    fn name(&mut self, label: String) {
        self.process.name(label);
    }

    fn introduce(&mut self, until: Until) -> Result<(), Failure> {
        let early = self.early_name();
        self.process.send(&format!("{}\n", Command::Name), until)?;
        let soon = Until {
            deadline: until.deadline.min(Instant::now() + SOON),
            ..until
        };
        let name = match (self.receive(soon, name), early) {
            (Err(Failure::Late), Some(early)) => early,
            (Err(Failure::Late), None) => {
                // Some know the question only without its mark.
                self.process.note(Deviation::AskedAgain);
                self.process.send("name\n", until)?;
                self.receive(until, name)?.0
            }
            (answered, _) => answered?.0,
        };
        self.name = name.chars().take(LONGEST_NAME).collect();
        Ok(())
    }

    fn version(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, setup: &Setup, until: Until) -> Result<(), Failure> {
        if !setup.opening.is_empty() {
            let error = std::io::Error::other("SAU has no words for an opening");
            return Err(Failure::Start(error));
        }
        self.briefing = Briefing::new(setup.rules, setup.side);
        if let Some(lines) = self.briefing.beginning() {
            self.process.send(&lines, until)?;
        }
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, Failure> {
        let news = self.briefing.news(question.history);
        self.asked = self.process.send(&news, question.until(Instant::now()))?;
        self.answer(question)
    }

    fn ask_again(&mut self, question: &Question) -> Option<Result<Reply, Failure>> {
        self.process.note(Deviation::Illegal);
        let line = format!("{}\n", Command::Error);
        let sent = self.process.send(&line, question.until(self.asked));
        Some(sent.and_then(|_| self.answer(question)))
    }

    fn play(&mut self, game: &mut dyn Match, text: &str) -> Result<Turn, ParseError> {
        let turn = game.play_turn_in(Protocol::Sau, text)?;
        self.process.note(Deviation::of_turn(text, &turn.sau));
        Ok(turn)
    }

    fn deviations(&mut self) -> Deviations {
        self.process.deviations()
    }

    fn game_over(&mut self, history: &History) {
        let news = self.briefing.news(history);
        send_in_passing(&mut self.process, &format!("{news}{}\n", Command::End));
    }

    fn pause(&self, pause: bool) {
        self.process.pause(pause);
    }

    fn quit(&mut self) {
        send_in_passing(&mut self.process, &format!("{}\n", Command::Quit));
    }

    fn end(self: Box<Self>, deadline: Instant) {
        self.process.end(deadline);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(side: Side, sau: &str) -> Event {
        Event::Turn(Turn {
            side,
            text: String::new(),
            sau: sau.into(),
        })
    }

    #[test]
    fn an_engine_hears_the_opponent_s_turns_and_all_rolls() {
        let events = [
            turn(Side::First, "123456"),
            turn(Side::Second, "654321"),
            Event::Roll(4),
            turn(Side::First, "4BB"),
            Event::Roll(2),
        ];
        assert_eq!(news(&events[..1], Side::Second), "move 123456\n");
        assert_eq!(news(&events[..3], Side::First), "move 654321\ndice 4\n");
        assert_eq!(
            news(&events[1..], Side::Second),
            "dice 4\nmove 4BB\ndice 2\n"
        );
        assert_eq!(news(&events[3..4], Side::First), "");
    }
}
