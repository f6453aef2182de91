//! The fold and the operations, with given times.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::operation::RESIGN;
use super::*;
use crate::log::record::{GameRecord, GameResult, Reason, SideName};
use crate::results::verify;
use crate::task::clock::ClockSpec;
use crate::task::{EngineSpec, Protocol};

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

#[test]
fn the_clock_of_a_side_runs_until_its_turn_is_entered() {
    let mut table = Table::new(hex());
    assert_eq!(table.left(3.0), [97.0, 100.0]);
    table.act(10.0, &enter("a1"));
    assert_eq!(table.left(10.0), [90.0, 100.0]);
    assert_eq!(table.left(15.0), [90.0, 95.0]);
    table.act(30.0, &enter("b1"));
    let turn = &table.state.game().turns[1].record;
    assert_eq!((turn.used_us, turn.left_us), (20_000_000, Some(80_000_000)));
    assert_eq!(table.left(31.0), [89.0, 80.0]);
}

#[test]
fn clocks_stand_still_in_a_pause() {
    let mut table = Table::new(Settings {
        wait: true,
        ..hex()
    });
    assert_eq!(table.left(50.0), [100.0, 100.0]);
    table.refuses(50.0, &enter("a1"), "paused, expected resume first");
    table.act(60.0, &Operation::Resume);
    table.act(65.0, &Operation::Pause);
    table.refuses(66.0, &Operation::Pause, "paused already");
    table.act(165.0, &Operation::Resume);
    table.refuses(165.0, &Operation::Resume, "expected a pause");
    table.act(170.0, &enter("a1"));
    assert_eq!(table.left(170.0), [90.0, 100.0]);
    assert_eq!(table.state.epoch, 3);
}

#[test]
fn a_correction_in_a_contest_keeps_the_time_that_was_thought() {
    let mut table = Table::new(contest());
    table.act(10.0, &enter("a1"));
    table.act(30.0, &enter("b1"));
    table.act(37.0, &enter("c1"));
    table.act(40.0, &correct(2));
    // Second had thought for 20 s when b1 was entered.
    assert_eq!(table.left(40.0), [90.0, 80.0]);
    table.act(45.0, &enter("b2"));
    assert_eq!(table.left(45.0), [90.0, 75.0]);
    let [correction] = &table.state.corrections[..] else {
        panic!("one correction");
    };
    assert_eq!((correction.game, correction.from), (1, 2));
    assert_eq!(correction.removed, ["b1", "c1"]);
    assert_eq!(correction.left_us, [Some(90_000_000), Some(80_000_000)]);
    assert_eq!(correction.reason, "misread");
}

#[test]
fn taking_back_at_home_gives_the_time_back() {
    let mut table = Table::new(hex());
    table.act(10.0, &enter("a1"));
    table.act(30.0, &enter("b1"));
    table.act(40.0, &correct(2));
    assert_eq!(table.left(41.0), [90.0, 99.0]);
    assert_eq!(table.state.corrections, []);
}

#[test]
fn what_was_not_played_cannot_be_corrected() {
    let mut table = Table::new(contest());
    table.refuses(
        0.0,
        &correct(1),
        "correction from 1, expected a turn or roll first",
    );
    table.act(1.0, &enter("a1"));
    table.refuses(
        1.0,
        &correct(2),
        "expected the number of a turn or roll, 1 to 1",
    );
    table.refuses(1.0, &correct(0), "1 to 1");
    let reason = "two\nlines".to_owned();
    let lines = Operation::Correct { from: 1, reason };
    table.refuses(1.0, &lines, "on one line");
}

#[test]
fn entries_are_checked_and_change_nothing() {
    let mut table = Table::new(hex());
    table.refuses(0.0, &enter("z9"), "column 1");
    table.refuses(
        0.0,
        &enter(""),
        "expected the whole turn: a1, a2, a3, b1, b2, … may follow",
    );
    table.refuses(0.0, &enter("a1 b1"), "expected the actions of one turn");
    table.refuses(0.0, &Operation::Roll { face: 1 }, "no roll is due");
    table.refuses(0.0, &Operation::Confirm, "no turn of the engine");
    table.refuses(0.0, &Operation::Hurry, "no engine is to move");
    table.refuses(0.0, &Operation::Restart { seat: 0 }, "no engine in seat 0");
    table.refuses(0.0, &Operation::Restart { seat: 7 }, "no engine in seat 7");
    table.refuses(0.0, &Operation::Next, "expected its result first");
    let first = SideName::First;
    table.refuses(
        99.0,
        &Operation::Claim { side: first },
        "First has time left",
    );
    table.act(1.0, &enter("a1"));
    table.refuses(1.0, &enter("a1"), "column 1");
    table.act(2.0, &Operation::Resign { side: first });
    table.refuses(2.0, &enter("a2"), "the game is over");
    table.refuses(2.0, &Operation::Next, "the series is over");
}

#[test]
fn a_turn_can_be_built_action_by_action() {
    let rules = catalog::find("amazons").unwrap();
    let mut table = Table::new(Settings::casual(rules, seats(), sudden_death(100)));
    let whole = table.state.position().actions().remove(0);
    let preview = |table: &Table, text: &str| table.state.preview(text).unwrap();
    assert_eq!(preview(&table, "").position.actions().len(), 2176);
    assert_eq!(preview(&table, &whole).turn, Some(whole.clone()));
    table.act(1.0, &enter(&whole));

    let rules = catalog::find("connect6").unwrap();
    let mut table = Table::new(Settings::casual(rules, seats(), sudden_death(100)));
    table.act(1.0, &enter("j10"));
    let half = preview(&table, "k11");
    assert_eq!(half.turn, None);
    assert!(!half.position.actions().contains(&"k11".to_owned()));
    assert_eq!(preview(&table, "k11 i11").turn.as_deref(), Some("k11i11"));
    table.refuses(2.0, &enter("k11"), "expected the whole turn");
    table.act(2.0, &enter("k11 i11"));
    assert_eq!(table.state.game().turns[1].record.text, "k11i11");
}

#[test]
fn the_rules_end_a_game_and_stop_its_clocks() {
    let mut table = Table::new(hex());
    for (seconds, turn) in [(1.0, "a1"), (2.0, "b1"), (3.0, "a2"), (4.0, "b2")] {
        table.act(seconds, &enter(turn));
    }
    table.act(5.0, &enter("a3"));
    let ending = table.state.game().ending.clone().unwrap();
    assert_eq!(
        (ending.result, ending.reason),
        (GameResult::First, Reason::Rules)
    );
    assert_eq!(table.left(60.0), [97.0, 98.0]);
    assert!(table.state.is_over());
    let game = table.logged();
    assert_eq!(game.duration_ms, 5_000);
    assert_eq!((&*game.league, &*game.first.protocol), ("desk", "operator"));
    // The last entry was wrong: the game goes on.
    table.act(60.0, &correct(5));
    assert_eq!(table.state.game().ending, None);
    assert_eq!(table.left(61.0), [97.0, 98.0]);
}

#[test]
fn a_flag_ends_the_game_or_is_shown() {
    let mut table = Table::new(hex());
    assert_eq!(table.state.lost_on_time(at(100.0)), None);
    let fallen = table.state.lost_on_time(at(100.1));
    assert_eq!(fallen, Some(engine_core::Side::First));
    let side = SideName::First;
    table.add(100.1, Event::Flag { side });
    assert_eq!(table.logged().reason, Reason::Time);

    let mut table = Table::new(contest());
    assert_eq!(table.state.lost_on_time(at(120.0)), None);
    assert_eq!(table.state.fallen(at(120.0)), [true, false]);
    table.act(120.0, &enter("a1"));
    assert_eq!(table.left(121.0), [0.0, 99.0]);
    assert_eq!(table.state.fallen(at(121.0)), [true, false]);
    table.act(122.0, &enter("b1"));
    table.act(125.0, &enter("a2"));
    let other = SideName::Second;
    table.refuses(
        126.0,
        &Operation::Claim { side: other },
        "Second has time left",
    );
    table.act(126.0, &Operation::Claim { side });
    let game = table.logged();
    assert_eq!(
        (game.result, game.reason),
        (GameResult::Second, Reason::Time)
    );
    assert_eq!(game.turns[2].used_us, 3_000_000);
}

#[test]
fn the_referee_sets_a_clock() {
    let mut table = Table::new(contest());
    table.act(10.0, &enter("a1"));
    let set = |side, seconds: u64| Operation::SetClock {
        side,
        left_us: seconds * 1_000_000,
    };
    table.act(15.0, &set(SideName::Second, 300));
    assert_eq!(table.left(16.0), [90.0, 299.0]);
    table.act(20.0, &set(SideName::First, 30));
    table.act(25.0, &enter("b1"));
    assert_eq!(table.left(25.0), [30.0, 290.0]);
    table.act(26.0, &enter("a2"));
    table.act(27.0, &correct(2));
    assert_eq!(table.left(27.0), [30.0, 290.0]);
    table.act(28.0, &enter("b2"));
    table.refuses(28.0, &set(SideName::First, 1 << 40), "expected at most");
    table.act(
        29.0,
        &Operation::Resign {
            side: SideName::Second,
        },
    );
    let game = table.logged();
    let desk = game.desk.clone().unwrap();
    assert_eq!((desk.clocks.len(), desk.corrections), (2, 1));
    let mut forged = game;
    forged.desk = None;
    let fault = verify::check(&forged).unwrap_err();
    assert!(fault.contains("expected 84000000 µs"), "{fault}");

    let table = Table::new(Settings {
        clock: ClockSpec {
            per_move: Some(SignedDuration::from_secs(5)),
            ..ClockSpec::default()
        },
        ..hex()
    });
    table.refuses(1.0, &set(SideName::First, 9), "expected one with base");
    assert_eq!(
        table
            .state
            .game()
            .left(engine_core::Side::First, at(2.0))
            .unwrap()
            .as_secs(),
        3
    );
}

#[test]
fn a_result_can_be_agreed_on() {
    let mut table = Table::new(contest());
    table.act(10.0, &enter("a1"));
    let reason = "as the referee says".to_owned();
    let result = GameResult::Second;
    table.act(11.0, &Operation::Decide { result, reason });
    let game = table.logged();
    assert_eq!(
        (game.result, game.reason),
        (GameResult::Second, Reason::Decided)
    );
    let mut forged = game;
    forged.desk = None;
    assert!(verify::check(&forged).is_err());
    // Only the result is taken back.
    table.act(20.0, &correct(2));
    assert_eq!(table.left(21.0), [90.0, 98.0]);
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

#[test]
fn the_clock_of_an_engine_runs_until_its_turn_is_on_the_board() {
    let mut table = Table::new(with_engine(contest(), Protocol::Ugi));
    table.act(1.0, &Operation::Hurry);
    let answer = |text: &str| Event::Answer {
        text: text.to_owned(),
        info: None,
    };
    table.add(10.0, answer("a1"));
    assert_eq!(table.left(12.0), [88.0, 100.0]);
    table.refuses(12.0, &Operation::Hurry, "the engine does not think");
    table.refuses(
        12.0,
        &enter("b2"),
        "b2, but the engine plays a1: expected a1",
    );
    assert_eq!(table.state.game().turns.len(), 0);
    table.act(15.0, &Operation::Confirm);
    assert_eq!(table.left(15.0), [85.0, 100.0]);
    assert_eq!(table.state.game().turns[0].by, Some(By::Engine));
    table.act(16.0, &enter("b2"));
    table.add(20.0, answer(RESIGN));
    table.act(21.0, &correct(3));
    assert_eq!(table.state.game().answer, None);
    // In place of the engine.
    table.act(22.0, &enter("c1"));
    table.act(23.0, &enter("c2"));
    table.add(24.0, answer(RESIGN));
    table.act(25.0, &Operation::Confirm);
    let game = table.logged();
    assert_eq!(
        (game.result, game.reason),
        (GameResult::Second, Reason::Resign)
    );
    assert_eq!(game.desk.unwrap().entered, [3]);

    let table = Table::new(with_engine(contest(), Protocol::Sau));
    table.refuses(
        1.0,
        &Operation::Hurry,
        "sau has no command to answer at once",
    );
}

fn einstein(dice: Dice) -> Settings {
    let rules = catalog::find("einstein").unwrap();
    Settings {
        dice,
        ..Settings::contest(rules, seats())
    }
}

#[test]
fn a_series_goes_to_four_wins_in_the_contest_s_order() {
    let mut table = Table::new(einstein(Dice::Program));
    table.act(0.0, &Operation::Resume);
    let mut order = Vec::new();
    // A wins games 1, 3, 4; B wins 2, 5, 6, 7.
    for (number, winner) in (1..).zip([0, 1, 0, 0, 1, 1, 1]) {
        let seats = table.state.game().seats;
        order.push(seats[0]);
        assert_eq!(table.state.games.len(), number);
        let begun = number as f64 - 1.0;
        assert_eq!(table.left(begun), [240.0, 240.0]);
        let side = if seats[0] == winner {
            SideName::Second
        } else {
            SideName::First
        };
        assert!(!table.state.is_over());
        table.act(number as f64, &Operation::Resign { side });
        if number < 7 {
            table.act(number as f64, &Operation::Next);
        }
    }
    assert_eq!(
        order,
        [0, 1, 1, 0, 0, 1, 1],
        "A moves first in games 1, 4, 5"
    );
    assert_eq!(table.state.points(), [6, 8]);
    assert!(table.state.is_over());
    table.refuses(9.0, &Operation::Next, "the series is over");
    assert_eq!(table.logged().number, 7);
    table.act(9.0, &correct(1));
    assert_eq!(table.state.points(), [6, 6]);
}

#[test]
fn a_series_ends_when_it_is_decided() {
    let mut table = Table::new(einstein(Dice::Program));
    for number in 1..=4 {
        let seats = table.state.game().seats;
        let side = if seats[0] == 0 {
            SideName::Second
        } else {
            SideName::First
        };
        table.act(number as f64, &Operation::Resign { side });
        if number < 4 {
            table.act(number as f64, &Operation::Next);
        }
    }
    assert!(table.state.is_over());
    assert_eq!(table.state.points(), [8, 0]);
}

#[test]
fn a_roll_of_the_program_that_is_taken_back_comes_again() {
    let mut table = Table::new(einstein(Dice::Program));
    table.act(0.0, &Operation::Resume);
    table.act(1.0, &enter("R:123456"));
    assert_eq!(table.state.own_roll(), None);
    table.act(2.0, &enter("B:123456"));
    let roll = table.state.own_roll().unwrap();
    table.refuses(3.0, &Operation::Roll { face: 3 }, "the program rolls");
    table.add(3.0, roll.clone());
    assert_eq!(table.state.own_roll(), None);
    // The clock of the side to move runs from the turn before.
    assert_eq!(table.left(4.0), [237.0, 239.0]);
    table.act(4.0, &correct(3));
    assert_eq!(table.state.own_roll(), Some(roll.clone()));
    table.add(5.0, roll);
    let turn = table.state.position().actions().remove(0);
    table.act(7.0, &enter(&turn));
    // The second after the roll that was taken back does not count.
    assert_eq!(table.left(7.0), [235.0, 239.0]);
    table.act(
        8.0,
        &Operation::Resign {
            side: SideName::First,
        },
    );
    assert_eq!(table.logged().turns.len(), 4);
}

#[test]
fn the_operator_enters_rolls() {
    let mut table = Table::new(einstein(Dice::Operator));
    table.act(0.0, &Operation::Resume);
    table.act(1.0, &enter("R:123456"));
    table.act(2.0, &enter("B:123456"));
    assert_eq!(table.state.own_roll(), None);
    table.refuses(3.0, &enter("a1"), "expected a roll, d1 to d6");
    table.refuses(3.0, &enter("7"), "a roll of 7, expected a roll, d1 to d6");
    table.act(3.0, &enter("5"));
    table.refuses(3.0, &Operation::Roll { face: 5 }, "no roll is due");
    let turn = table.state.position().actions().remove(0);
    table.act(4.0, &enter(&turn));
    table.act(5.0, &Operation::Roll { face: 2 });
    table.act(
        6.0,
        &Operation::Resign {
            side: SideName::First,
        },
    );
    let game = table.logged();
    let rolls: Vec<&str> = game.turns.iter().map(|turn| &*turn.text).collect();
    assert_eq!((rolls[2], rolls[4]), ("d5", "d2"));
    assert!(game.desk.unwrap().foreign_dice);
}

#[test]
fn the_ceremony_of_gomoku_and_the_swap_of_hex_are_ordinary_turns() {
    let rules = catalog::find("gomoku").unwrap();
    let mut table = Table::new(Settings::casual(rules, seats(), sudden_death(100)));
    for (seconds, turn) in [(1.0, "h8 h9 j10 x3"), (2.0, "swap"), (3.0, "g7")] {
        table.act(seconds, &enter(turn));
    }
    assert_eq!(
        table.state.game().words().collect::<Vec<_>>(),
        ["h8h9j10x3", "swap", "g7"]
    );
    // First has white now, and Second offers black's fifth stones.
    assert_eq!(table.state.position().colour(), 0);
    assert_eq!(table.state.game().side, engine_core::Side::Second);

    let mut table = Table::new(Settings {
        variant: json!({ "size": 3, "opening": "swap" }),
        ..hex()
    });
    table.act(1.0, &enter("b2"));
    table.act(2.0, &enter("swap"));
    assert_eq!(
        table.state.game().words().collect::<Vec<_>>(),
        ["b2", "swap"]
    );
}

#[test]
fn settings_are_checked() {
    let check = |settings: Settings, expected: &str| {
        let message = settings.check().expect_err("a fault").0;
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    };
    let game = "chess".to_owned();
    check(
        Settings { game, ..hex() },
        "game \"chess\", expected one of amazons",
    );
    let variant = json!({ "size": 99 });
    check(
        Settings { variant, ..hex() },
        "variant: size: expected 2 to 19",
    );
    let opening = "a1 a1".to_owned();
    check(Settings { opening, ..hex() }, "opening: column 4");
    let opening = "a1 b1 a2 b2 a3".to_owned();
    check(Settings { opening, ..hex() }, "the game is over");
    check(Settings { wins: 0, ..hex() }, "wins 0, expected 1 to 50");
    let clock = ClockSpec::default();
    check(Settings { clock, ..hex() }, "clock of A: ");
    let event = "two\nlines".to_owned();
    check(
        Settings { event, ..hex() },
        "event \"two\\nlines\", expected",
    );
    let mut settings = hex();
    settings.seats[1].name = "A".to_owned();
    check(settings, "both seats are named \"A\"");
    let mut settings = hex();
    settings.seats[0].name = " ".to_owned();
    check(settings, "name of A: empty");
    let surakarta = Settings {
        game: "surakarta".to_owned(),
        variant: json!({}),
        ..with_engine(hex(), Protocol::Gtp)
    };
    check(surakarta, "engine of A: ");
}

#[test]
fn a_journal_that_cannot_be_is_refused_with_its_place() {
    let table = Table::new(hex());
    let replay = |events: &[Event]| {
        let entries = events.iter().cloned().map(|event| Entry {
            time: at(1.0),
            event,
        });
        let entries: Vec<Entry> = table.entries.iter().cloned().chain(entries).collect();
        State::replay(&entries).expect_err("a fault").0
    };
    let turn = |text: &str| Event::Turn {
        text: text.to_owned(),
        by: By::Operator,
        info: None,
    };
    assert!(replay(&[turn("a1"), turn("a1")]).starts_with("event 3: column 1"));
    assert!(replay(&[Event::Roll { face: 1 }]).starts_with("event 2: "));
    let reason = String::new();
    let beyond = Event::Correct { from: 9, reason };
    assert_eq!(
        replay(&[beyond]),
        "event 2: correction from 9, expected a turn"
    );
    let begin = table.entries[0].event.clone();
    assert_eq!(replay(&[begin]), "event 2: the session has begun");
    assert!(State::replay(&[]).unwrap_err().0.contains("expected begin"));
}
