//! The contest desk with real engines.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;
use std::time::{Duration, Instant};

use desk::{
    Analysis, By, Dice, Host, Lines, Operation, Saving, Seat, Settings, Shown, Snapshot, Version,
};
use engine_core::{Rng, Side};
use gamelog::files::{Opened, Source};
use gamelog::record::{GameRecord, Reason, SideName};
use gamelog::{self, FILE_NAME};
use jiff::SignedDuration;
use league::results::verify;
use league::spec;
use records::TextReading;
use serde_json::{Value, json};
use task::EngineSpec;
use task::clock::ClockSpec;
use tempfile::TempDir;

use crate::common::{engine, in_parallel, sau_engine};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn builtin(algorithm: &str, game: &str) -> EngineSpec {
    let rules = catalog::find(game).expect("a game");
    let referee = Path::new(env!("CARGO_BIN_EXE_referee"));
    spec::named(algorithm, rules, BTreeMap::new(), referee, 1).expect("an engine")
}

fn seat(name: &str, engine: Option<EngineSpec>) -> Seat {
    Seat {
        name: name.to_owned(),
        engine,
        clock: None,
    }
}

fn an_hour() -> ClockSpec {
    ClockSpec {
        base: Some(SignedDuration::from_hours(1)),
        ..ClockSpec::default()
    }
}

/// Hex on a small board at home, an engine against a person.
fn hex(engine: EngineSpec) -> Settings {
    let rules = catalog::find("hex").expect("a game");
    let seats = [seat("engine", Some(engine)), seat("person", None)];
    Settings {
        variant: json!({ "size": 5 }),
        ..Settings::casual(rules, seats, an_hour())
    }
}

fn desk() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn begin(desk: &TempDir, settings: Settings) -> Host {
    Host::begin(desk.path(), settings).expect("a session")
}

/// Waits until a snapshot is as expected.
#[track_caller]
fn until(host: &Host, what: &str, expected: impl Fn(&Snapshot) -> bool) -> Snapshot {
    let end = Instant::now() + PATIENCE;
    let mut seen = Version::default();
    loop {
        let snapshot = host.snapshot();
        if expected(&snapshot) {
            return snapshot;
        }
        assert!(Instant::now() < end, "not {what}: {snapshot:?}");
        seen = host.wait(seen, Duration::from_secs(1));
    }
}

fn turns(snapshot: &Snapshot) -> usize {
    snapshot.state.game().turns.len()
}

#[track_caller]
fn act(host: &Host, operation: Operation) {
    let done = host.act(&operation);
    assert_eq!(done, Ok(()), "{operation:?}");
}

fn enter(text: &str) -> Operation {
    let text = text.to_owned();
    Operation::Enter { text }
}

/// The last legal action: the test engine plays the first.
fn last_action(host: &Host) -> Operation {
    let actions = host.snapshot().state.position().actions();
    enter(actions.last().expect("the game is not over"))
}

/// The games in the log of the desk, verified.
fn logged(desk: &TempDir) -> Vec<GameRecord> {
    let mut games = Vec::new();
    let path = desk.path().join(FILE_NAME);
    let found = gamelog::places(&[path], |_, place| {
        games.push(place.game().expect("a game"))
    });
    assert_eq!(found.expect("a log"), [""; 0]);
    for game in &games {
        assert_eq!(verify::check(game), Ok(()), "{game:?}");
    }
    games
}

#[test]
fn a_paused_session_tells_when_its_engine_is_ready() {
    let desk = desk();
    let settings = Settings {
        wait: true,
        ..hex(builtin("random", "hex"))
    };
    let host = begin(&desk, settings);
    let is_ready = |session: &Snapshot| {
        session.engines[0]
            .as_ref()
            .is_some_and(|live| live.is_ready)
    };
    let session = until(&host, "ready", is_ready);
    assert!(session.state.paused && session.state.game().turns.is_empty());
    host.act(&Operation::Resume).expect("it is paused");
    until(&host, "moved", |session| {
        session.state.game().turns.len() == 1
    });
}

#[test]
fn an_engine_rests_while_its_session_is_over() {
    let desk = desk();
    let host = begin(&desk, hex(builtin("random", "hex")));
    until(&host, "the first turn", |now| turns(now) == 1);
    let is_ready = |now: &Snapshot| now.engines[0].as_ref().is_some_and(|live| live.is_ready);
    assert!(is_ready(&host.snapshot()));
    let side = SideName::Second;
    act(&host, Operation::Resign { side });
    assert!(!is_ready(&host.snapshot()));
    // The result is taken back, and the engine is asked again.
    let from = 2;
    let reason = String::new();
    act(&host, Operation::Correct { from, reason });
    act(&host, last_action(&host));
    let now = until(&host, "its second turn", |now| turns(now) == 3);
    assert!(is_ready(&now));
    assert_eq!(now.state.engines[0].failures, 0);
}

#[test]
fn an_engine_that_fails_is_started_again_and_the_game_goes_on() {
    let faults = ["abort", "exit", "close-output", "illegal", "long-line"];
    in_parallel(&faults, |fault| {
        let desk = desk();
        let host = begin(&desk, hex(engine(&[fault, "2"])));
        until(&host, "the first turn", |now| turns(now) == 1);
        act(&host, last_action(&host));
        // A new process is asked for its first turn, which has no fault.
        let now = until(&host, "the second turn", |now| turns(now) == 3);
        assert_eq!(now.state.engines[0].failures, 1, "{fault}");
        assert_eq!(now.state.engines[0].fault, "", "{fault}");
        assert_eq!(now.state.game().turns[2].by, Some(By::Engine));
        let side = SideName::Second;
        act(&host, Operation::Resign { side });
        assert_eq!(logged(&desk).len(), 1);
    });
}

#[test]
fn the_operator_plays_for_an_engine_that_fails_again_and_again() {
    let faults = [("illegal", "illegal turn \"zz99\""), ("abort", "signal")];
    in_parallel(&faults, |(fault, detail)| {
        let desk = desk();
        let host = begin(&desk, hex(engine(&[fault, "1"])));
        let given_up = |now: &Snapshot| now.engines[0].as_ref().is_some_and(|live| live.given_up);
        let now = until(&host, "given up", given_up);
        assert_eq!(now.state.engines[0].failures, 3, "{fault}");
        assert!(now.state.engines[0].fault.contains(detail), "{now:?}");
        assert_eq!(now.state.game().ending, None);
        act(&host, last_action(&host));
        assert!(!given_up(&host.snapshot()), "it gets another chance");
        act(&host, last_action(&host));
        let now = until(&host, "given up again", |now| {
            given_up(now) && turns(now) == 2
        });
        assert_eq!(now.state.engines[0].failures, 6, "{fault}");
        let side = SideName::First;
        act(&host, Operation::Resign { side });
        let games = logged(&desk);
        assert_eq!(games[0].desk.as_ref().expect("at the desk").entered, [1]);
    });
}

#[test]
fn an_engine_that_is_silent_is_stopped_or_started_again() {
    let desk = desk();
    let host = begin(&desk, hex(engine(&["silence", "1"])));
    let thinks = |now: &Snapshot| now.engines[0].as_ref().is_some_and(|live| live.thinks);
    // A report comes with the question.
    until(&host, "a report", |now| {
        let live = now.engines[0].as_ref();
        live.is_some_and(|live| live.report.is_some())
    });
    act(&host, Operation::Hurry);
    let now = until(&host, "lost", |now| now.state.engines[0].failures > 0);
    assert_eq!(now.state.engines[0].fault, "no answer to `stop`");
    act(&host, Operation::Restart { seat: 0 });
    until(&host, "asked again", thinks);
    act(&host, enter("c3"));
    assert_eq!(turns(&host.snapshot()), 1);
}

#[test]
fn an_engine_answers_at_once_when_it_is_told_to() {
    let desk = desk();
    let clock = ClockSpec {
        per_move: Some(SignedDuration::from_hours(1)),
        ..ClockSpec::default()
    };
    let settings = Settings {
        variant: json!({}),
        clock,
        confirm: true,
        ..hex(builtin("uct", "hex"))
    };
    let host = begin(&desk, settings);
    let reported = |now: &Snapshot| {
        let live = now.engines[0].as_ref();
        live.is_some_and(|live| live.thinks && live.report.is_some())
    };
    until(&host, "a report", reported);
    act(&host, Operation::Hurry);
    let now = until(&host, "an answer", |now| now.state.game().answer.is_some());
    assert!(!now.engines[0].as_ref().expect("an engine").thinks);
    // In a pause it does not think, and after it, it is asked anew.
    act(
        &host,
        Operation::Correct {
            from: 1,
            reason: String::new(),
        },
    );
    until(&host, "a report", reported);
    act(&host, Operation::Pause);
    assert!(
        !host.snapshot().engines[0]
            .as_ref()
            .expect("an engine")
            .thinks
    );
    act(&host, Operation::Resume);
    until(&host, "a report", reported);
    act(&host, Operation::Hurry);
    until(&host, "an answer", |now| now.state.game().answer.is_some());
    act(&host, Operation::Confirm);
    assert_eq!(turns(&host.snapshot()), 1);
}

#[test]
fn an_engine_in_sau_plays_until_its_own_turns_are_needed_again() {
    let desk = desk();
    let host = begin(&desk, hex(sau_engine(&["nothing"])));
    until(&host, "the first turn", |now| turns(now) == 1);
    act(&host, last_action(&host));
    until(&host, "the second turn", |now| turns(now) == 3);
    let refused = host
        .act(&Operation::Hurry)
        .expect_err("the person is to move")
        .0;
    assert!(refused.contains("no engine is to move"), "{refused}");
    act(
        &host,
        Operation::Correct {
            from: 3,
            reason: String::new(),
        },
    );
    let given_up = |now: &Snapshot| now.engines[0].as_ref().is_some_and(|live| live.given_up);
    let now = until(&host, "given up", given_up);
    assert!(
        now.state.engines[0].fault.contains("cannot join"),
        "{now:?}"
    );
    act(&host, enter("e1"));
}

/// Plays a whole game of the contest: the operator makes the engine's turns on the common board,
/// enters the other side's turns and all rolls, mistypes one and corrects another.
fn play(game: &str) {
    let desk = desk();
    let rules = catalog::find(game).expect("a game");
    let seats = [
        seat("引擎队", Some(builtin("random", game))),
        seat("对手", None),
    ];
    let settings = Settings {
        wins: 1,
        event: "2026 CCGC".to_owned(),
        ..Settings::contest(rules, seats)
    };
    let host = begin(&desk, settings);
    act(&host, Operation::Resume);
    let mut rng = Rng::new(1);
    let mut corrected = false;
    loop {
        let now = until(&host, "something to do", |now| {
            let game = now.state.game();
            game.ending.is_some() || game.roll_due || game.answer.is_some() || game.seat() == 1
        });
        let current = now.state.game();
        if current.ending.is_some() {
            break;
        }
        if current.roll_due {
            let face = 1 + rng.below(now.state.position().faces().into()) as u8;
            act(&host, Operation::Roll { face });
        } else if current.answer.is_some() {
            act(&host, Operation::Confirm);
        } else {
            let refused = host.act(&enter("nonsense")).expect_err("no turn");
            assert!(refused.0.contains("expected"), "{refused}");
            let turn = now.state.position().play_random_turn(&mut rng);
            act(&host, enter(&turn.expect("somebody is to move")));
            // The second turn of the person was another one.
            if !corrected && turns(&now) > 2 && host.snapshot().state.game().ending.is_none() {
                corrected = true;
                act(
                    &host,
                    Operation::Correct {
                        from: turns(&now) + 1,
                        reason: "misread".to_owned(),
                    },
                );
            }
        }
    }
    let folder = desk.path().join("records");
    let saving = Saving {
        folder: folder.clone(),
        place: "重庆".to_owned(),
        ..Saving::default()
    };
    act(&host, Operation::Save(saving));
    let now = host.snapshot();
    assert_eq!(
        (now.fault, now.state.corrections.len()),
        (None, 1),
        "{game}"
    );
    let games = logged(&desk);
    assert_eq!((games.len(), games[0].reason), (1, Reason::Rules), "{game}");
    assert_eq!(games[0].desk.as_ref().expect("at the desk").corrections, 1);
    let saved = &now.state.saved.first().expect("a record").path;
    let words = games[0].turns.iter().map(|turn| turn.text.clone());
    assert_eq!(
        read(Path::new(saved)).record.words,
        words.collect::<Vec<_>>(),
        "{game}"
    );
}

/// The game in a saved record, which has no fault.
fn read(path: &Path) -> TextReading {
    let Ok(Opened::Records(records)) = Source::default().open(path) else {
        panic!("{} is not a record", path.display());
    };
    let mut readings = Vec::new();
    let all: Result<(), Infallible> = records.each(|reading| {
        readings.push(reading);
        Ok(())
    });
    assert_eq!((all, readings.len()), (Ok(()), 1));
    let reading = readings.remove(0);
    assert_eq!(reading.fault, None, "{}", path.display());
    reading
}

#[test]
fn a_whole_game_of_every_game() {
    let games: Vec<&str> = catalog::ids();
    assert!(games.len() >= 8);
    in_parallel(&games, |game| play(game));
}

#[test]
fn two_engines_play_a_series_with_the_program_s_dice() {
    let desk = desk();
    let rules = catalog::find("einstein").expect("a game");
    let seats = ["a", "b"].map(|name| seat(name, Some(builtin("random", "einstein"))));
    let settings = Settings {
        wins: 2,
        dice: Dice::Program,
        ..Settings::casual(rules, seats, an_hour())
    };
    let host = begin(&desk, settings);
    loop {
        let now = until(&host, "the end of a game", |now| {
            now.state.game().ending.is_some()
        });
        if now.state.is_over() {
            break;
        }
        act(&host, Operation::Next);
    }
    let state = host.snapshot().state;
    let points = state.points();
    assert_eq!(points[0].max(points[1]), 4);
    let first: Vec<usize> = state.games.iter().map(|game| game.seats[0]).collect();
    assert_eq!(first, [0, 1, 1][..first.len()]);
    let games = logged(&desk);
    let numbers: Vec<u32> = games.iter().map(|game| game.number).collect();
    assert_eq!(numbers, [1, 2, 3][..first.len()]);
    assert!(
        games
            .iter()
            .all(|game| game.desk.as_ref().is_some_and(|desk| !desk.foreign_dice))
    );
}

fn shown(variant: Value, words: &[&str]) -> Shown {
    Shown {
        game: "hex".to_owned(),
        variant,
        opening: String::new(),
        words: words.iter().map(|&word| word.to_owned()).collect(),
    }
}

/// Waits until the lines of an analysis are as expected.
#[track_caller]
fn lines(analysis: &Analysis, expected: impl Fn(&Lines) -> bool) -> Lines {
    let end = Instant::now() + PATIENCE;
    let mut lines = Lines::default();
    loop {
        lines = analysis.wait(lines.version, Duration::from_secs(1));
        if expected(&lines) {
            return lines;
        }
        assert!(Instant::now() < end, "{lines:?}");
    }
}

#[test]
fn an_analysis_searches_one_position_after_another() {
    let analysis = Analysis::start(builtin("pvs", "hex")).expect("an engine in ugi");
    let first = analysis.show(&shown(json!({}), &[])).expect("a position");
    let found = lines(&analysis, |lines| lines.report.is_some());
    assert_eq!(found.position, first);
    let second = analysis
        .show(&shown(json!({}), &["f6", "e5"]))
        .expect("a position");
    let found = lines(&analysis, |lines| {
        lines.position == second && lines.report.is_some()
    });
    assert_eq!((found.fault.as_str(), found.is_done), ("", false));
    let report = found.report.expect("it is there");
    assert!(report.depth.is_some() && report.pv.is_some(), "{report:?}");
    let refused = analysis
        .show(&shown(json!({}), &["f6", "f6"]))
        .expect_err("not legal");
    assert!(refused.0.contains("column 4"), "{refused}");
    let over = shown(json!({ "size": 2 }), &["a1", "b1", "a2"]);
    let refused = analysis.show(&over).expect_err("it is over");
    assert!(refused.0.contains("nobody is to move"), "{refused}");
    analysis.stop();
    assert!(Analysis::start(sau_engine(&["nothing"])).is_err());
}

#[test]
fn an_engine_that_fails_in_an_analysis_is_started_again() {
    let analysis = Analysis::start(engine(&["abort", "1"])).expect("an engine in ugi");
    let small = json!({ "size": 5 });
    analysis
        .show(&shown(small.clone(), &[]))
        .expect("a position");
    lines(&analysis, |lines| lines.report.is_some());
    // It aborts when it is told to stop.
    let next = analysis.show(&shown(small, &["a1"])).expect("a position");
    let found = lines(&analysis, |lines| {
        lines.position == next && lines.report.is_some()
    });
    assert_eq!(found.fault, "");
}

#[test]
fn the_side_of_an_engine_is_that_of_its_seat() {
    let desk = desk();
    let [engine, person] = hex(engine(&["nothing"])).seats;
    let settings = Settings {
        seats: [person, engine.clone()],
        ..hex(engine.engine.expect("an engine"))
    };
    let host = begin(&desk, settings);
    act(&host, enter("c3"));
    let now = until(&host, "an answer", |now| turns(now) == 2);
    assert_eq!(now.state.game().turns[1].by, Some(By::Engine));
    assert_eq!(now.state.game().side, Side::First);
}
