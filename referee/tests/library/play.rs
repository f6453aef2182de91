//! Whole games between well-behaved engines: the content of the record.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gamelog::record::{Reason, SideName, TurnRecord};
use jiff::SignedDuration;
use task::clock::ClockSpec;
use task::dice::Dice;
use task::{EngineSpec, Protocol};

use crate::common::{engine, hex_task, left_behind, play, sau_engine, task};

fn seconds(seconds: i64) -> Option<SignedDuration> {
    Some(SignedDuration::from_secs(seconds))
}

fn words(turns: &[TurnRecord]) -> Vec<&str> {
    turns.iter().map(|turn| turn.text.as_str()).collect()
}

#[test]
fn a_game_is_recorded_in_full() {
    let clock = ClockSpec {
        base: seconds(20),
        increment: SignedDuration::from_millis(100),
        ..ClockSpec::default()
    };
    let task = hex_task(engine(&[]), sau_engine(&[]), clock);
    let record = play(&task);
    assert_eq!(record.reason, Reason::Rules, "{}", record.detail);
    assert_eq!(record.id, task.id);
    assert_eq!(record.first.version, "test engine");
    assert_eq!(record.second.version, "test engine");
    assert_eq!(record.second.protocol, "sau");
    assert!(!record.detail.is_empty() && !record.host.is_empty());

    // The rules give the same result.
    let mut game = catalog::find("hex").unwrap().start(&task.variant).unwrap();
    for turn in &record.turns {
        assert_eq!(turn.side, SideName::from(game.side()));
        game.play_turn(&turn.text).unwrap();
    }
    assert_eq!(game.outcome().map(Into::into), Some(record.result));

    // Every µs is accounted for.
    let mut left = [20_000_000; 2];
    for (number, turn) in record.turns.iter().enumerate() {
        let left = &mut left[number % 2];
        *left = *left - turn.used_us + 100_000;
        assert_eq!(turn.left_us, Some(*left));
        assert!(turn.used_us > 0);
    }
    let info = record.turns[0].info.as_ref().unwrap();
    assert_eq!((info.depth, info.nodes), (Some(1), Some(10)));
    assert_eq!(info.score.as_deref(), Some("cp 5"));
    assert_eq!(record.turns[1].info, None);
}

#[test]
fn protocols_make_no_difference() {
    let clock = ClockSpec {
        per_move: seconds(10),
        ..ClockSpec::default()
    };
    let ugi = play(&hex_task(engine(&[]), engine(&[]), clock));
    let sau = play(&hex_task(sau_engine(&[]), sau_engine(&[]), clock));
    assert_eq!(words(&ugi.turns), words(&sau.turns));
    assert_eq!(ugi.turns[0].left_us, None);
}

#[test]
fn an_opening_is_played_before_the_engines_take_over() {
    let clock = ClockSpec {
        nodes: Some(10),
        ..ClockSpec::default()
    };
    let mut task = hex_task(engine(&[]), engine(&[]), clock);
    task.opening = "c3, b2 a5".into();
    let record = play(&task);
    assert_eq!(record.reason, Reason::Rules, "{}", record.detail);
    assert_eq!(record.turns[0].side, SideName::Second);
    assert!(!words(&record.turns).contains(&"c3"));

    let mut task = hex_task(sau_engine(&[]), engine(&[]), clock);
    task.opening = "c3".into();
    let record = play(&task);
    assert_eq!(record.reason, Reason::Stall);
    assert!(record.detail.contains("no words for an engine's own turns"));
}

#[test]
fn a_stopped_game_leaves_no_process() {
    for fault in ["silence", "flood", "no-handshake"] {
        let clock = ClockSpec {
            base: seconds(60),
            ..ClockSpec::default()
        };
        let task = hex_task(engine(&[]), engine(&[fault]), clock);
        let stop = AtomicBool::new(false);
        let start = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                stop.store(true, Ordering::Relaxed);
            });
            assert!(league::play::game::play(&task, &stop).is_none());
        });
        // The engine has 60 s.
        assert!(start.elapsed() < Duration::from_secs(30), "{fault}");
        assert_eq!(left_behind(&task), Vec::<String>::new(), "{fault}");
    }
}

/// What an engine computes while its opponent thinks for two seconds.
#[test]
fn an_opponent_can_be_paused() {
    let clock = ClockSpec {
        base: seconds(20),
        ..ClockSpec::default()
    };
    for pause in [false, true] {
        let mut task = hex_task(engine(&["late", "1"]), engine(&["ponder"]), clock);
        task.pause_opponent = pause;
        let record = play(&task);
        assert_eq!(record.reason, Reason::Rules, "{}", record.detail);
        assert_eq!(left_behind(&task), Vec::<String>::new());
        let info = record.turns[1].info.as_ref().unwrap();
        let pondered = info.depth.unwrap();
        assert_eq!(pondered < 500, pause, "{pondered} ms");
        // The pause itself is not charged, and no part of a turn is lost by it.
        let [late, paused] = [0, 1].map(|ply| record.turns[ply].used_us);
        assert!(
            late >= 2_000_000 && paused < 1_000_000,
            "{late} µs, {paused} µs"
        );
        assert_eq!(league::results::verify::check(&record), Ok(()));
    }
}

/// Both games of a pair get the same dice, whichever engine plays which side in whichever protocol.
#[test]
fn a_pair_shares_its_dice() {
    let clock = ClockSpec {
        base: seconds(20),
        ..ClockSpec::default()
    };
    let ugi = engine(&[]);
    let sau = EngineSpec {
        protocol: Protocol::Sau,
        ..engine(&["--sau", "--game", "einstein"])
    };
    let games = [(&ugi, &sau), (&sau, &ugi)].map(|(first, second)| {
        let task = task("einstein", "{}", first.clone(), second.clone(), clock);
        let record = play(&task);
        assert_eq!(record.reason, Reason::Rules, "{}", record.detail);
        record
    });
    assert_eq!(words(&games[0].turns), words(&games[1].turns));

    let mut dice = Dice::new(games[0].seed);
    let rolls: Vec<&TurnRecord> = games[0]
        .turns
        .iter()
        .filter(|turn| turn.text.starts_with('d'))
        .collect();
    assert!(rolls.len() > 5);
    for roll in rolls {
        assert_eq!(roll.text, format!("d{}", dice.roll(6)));
        assert_eq!((roll.used_us, roll.left_us), (0, None));
    }
}
