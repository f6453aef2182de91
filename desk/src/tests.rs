//! The fold and the operations, with given times.

mod clocks;
mod entries;
mod series;

use gamelog::record::{GameRecord, GameResult, Reason, SideName};
use jiff::{SignedDuration, Timestamp};
use league::results::verify;
use serde_json::json;
use task::clock::ClockSpec;
use task::{EngineSpec, Protocol};

use super::operation::RESIGN;
use super::*;

/// A session that is played at given times. After every event it checks that the events, written and
/// read again, give the same state.
struct Table {
    entries: Vec<Entry>,
    state: State,
}

fn seats() -> [Seat; 2] {
    ["A", "B"].map(|name| Seat {
        name: name.to_owned(),
        engine: None,
        clock: None,
    })
}

fn sudden_death(seconds: i64) -> ClockSpec {
    ClockSpec {
        base: Some(SignedDuration::from_secs(seconds)),
        ..ClockSpec::default()
    }
}

/// A game of Hex on a small board, with 100 s a side.
fn hex() -> Settings {
    let rules = catalog::find("hex").unwrap();
    Settings {
        variant: json!({ "size": 3 }),
        ..Settings::casual(rules, seats(), sudden_death(100))
    }
}

fn contest() -> Settings {
    Settings {
        contest: true,
        confirm: true,
        flag: Flag::Shown,
        ..hex()
    }
}

/// This many seconds after the session began.
fn at(seconds: f64) -> Timestamp {
    let micros = 1_700_000_000_000_000 + (seconds * 1e6) as i64;
    Timestamp::from_microsecond(micros).unwrap()
}

fn enter(text: &str) -> Operation {
    let text = text.to_owned();
    Operation::Enter { text }
}

fn correct(from: usize) -> Operation {
    let reason = "misread".to_owned();
    Operation::Correct { from, reason }
}

impl Table {
    fn new(settings: Settings) -> Table {
        let event = Event::Begin {
            settings: Box::new(settings.check().unwrap()),
            seed: 1,
        };
        let entries = vec![Entry {
            time: at(0.0),
            event,
        }];
        Table {
            state: State::replay(&entries).unwrap(),
            entries,
        }
    }

    #[track_caller]
    fn add(&mut self, seconds: f64, event: Event) {
        let time = at(seconds);
        self.entries.push(Entry { time, event });
        self.state.apply(self.entries.last().unwrap()).unwrap();
        let text: Vec<String> = (self.entries.iter())
            .map(|entry| serde_json::to_string(entry).unwrap())
            .collect();
        let read: Vec<Entry> = (text.iter())
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(read, self.entries);
        let again = State::replay(&read).unwrap();
        assert_eq!(shown(&again), shown(&self.state));
    }

    #[track_caller]
    fn act(&mut self, seconds: f64, operation: &Operation) {
        let event = self.state.event_of(at(seconds), operation, 2);
        self.add(seconds, event.unwrap());
    }

    #[track_caller]
    fn refuses(&self, seconds: f64, operation: &Operation, expected: &str) {
        let refused = self.state.event_of(at(seconds), operation, 2);
        let message = refused.expect_err("it is not possible").to_string();
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    }

    /// The seconds left of both sides.
    fn left(&self, seconds: f64) -> [f64; 2] {
        let left = |side| self.state.game().left(side, at(seconds)).unwrap();
        engine_core::Side::BOTH.map(|side| left(side).as_secs_f64())
    }

    /// The current game in the log, verified.
    #[track_caller]
    fn logged(&self) -> GameRecord {
        let number = self.state.games.len();
        let game = record::logged(&self.state, "session", number).unwrap();
        assert_eq!(verify::check(&game), Ok(()));
        game
    }
}

fn shown(state: &State) -> String {
    // Clocks are not part of the JSON.
    format!(
        "{} {:?}",
        serde_json::to_string(state).unwrap(),
        state.games
    )
}

fn with_engine(settings: Settings, protocol: Protocol) -> Settings {
    let [mut a, b] = settings.seats.clone();
    a.engine = Some(EngineSpec {
        name: "engine".to_owned(),
        protocol,
        ..EngineSpec::default()
    });
    Settings {
        seats: [a, b],
        ..settings
    }
}
