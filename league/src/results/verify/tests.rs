use std::fs;
use std::path::Path;

use engine_process::info::EngineInfo;
use gamelog::record::{Logged, Text, sample};
use serde_json::json;

use super::*;
use crate::results::standings::Standings;
use crate::results::summary::GameSummary;

/// A game with a clock; every turn is the first legal action.
fn played(id: &str, variant: serde_json::Value) -> GameRecord {
    let mut record = sample::game(id, "a", "b", GameResult::First, Reason::Rules);
    record.variant = catalog::find(id)
        .unwrap()
        .complete_variant(&variant)
        .unwrap();
    record.clock = toml::from_str("base = \"1s\"\nincrement = \"1ms\"\nmargin = \"5ms\"").unwrap();
    record.duration_ms = 1_000;
    record.seed = 7;
    let mut game = catalog::find(id).unwrap().start(&record.variant).unwrap();
    let mut dice = Dice::new(record.seed);
    let mut left = [1_000_000; 2];
    while game.outcome().is_none() {
        let side = game.side();
        let mut turn = TurnRecord {
            side: side.into(),
            ..sample::turn("")
        };
        if game.roll_due() {
            let face = dice.roll(game.faces());
            game.roll(face).unwrap();
            turn.text = format!("d{face}");
        } else {
            turn.text = game.play_turn(&game.actions()[0]).unwrap();
            turn.used_us = 3_000;
            left[side.index()] -= 2_000;
            turn.left_us = Some(left[side.index()]);
        }
        record.turns.push(turn);
    }
    record.result = game.outcome().unwrap().into();
    record.detail = game.ending().to_owned();
    record
}

fn hex() -> GameRecord {
    played("hex", json!({"size": 3}))
}

/// The fault found in a game of Hex after `edit`.
fn fault(edit: impl Fn(&mut GameRecord)) -> String {
    let mut record = hex();
    edit(&mut record);
    check(&record).expect_err("a fault")
}

#[test]
fn games_as_they_are_played_are_valid() {
    assert_eq!(check(&hex()), Ok(()));
    assert_eq!(check(&played("einstein", json!({}))), Ok(()));
}

#[test]
fn illegal_and_misplaced_turns_are_found() {
    let first = hex().turns[0].text.clone();
    let message = fault(|game| game.turns[1].text = first.clone());
    assert!(
        message.starts_with(&format!("ply 2: illegal turn {first:?}: ")),
        "{message}"
    );
    let message = fault(|game| game.turns[2].text = "hello".to_owned());
    assert!(
        message.starts_with("ply 3: illegal turn \"hello\": column 1: "),
        "{message}"
    );
    let after_an_opening = fault(|game| {
        let opening = game.turns.drain(..2).map(|turn| turn.text);
        game.opening = opening.collect::<Vec<_>>().join(" ");
        game.turns[0].text = "hello".to_owned();
    });
    assert_eq!(after_an_opening, message, "as replay counts");
    let message = fault(|game| game.turns[0].text = game.turns[0].text.to_uppercase());
    assert!(message.contains(", expected \""), "{message}");
    let message = fault(|game| game.turns[1].side = SideName::First);
    assert_eq!(message, "ply 2: a turn of First, expected one of Second");
    let message = fault(|game| game.turns.push(game.turns[0].clone()));
    assert!(message.ends_with("after the end of the game"), "{message}");
    assert!(fault(|game| drop(game.turns.remove(0))).starts_with("ply 1: "));
}

#[test]
fn dice_must_agree_with_the_seed() {
    let mut game = played("einstein", json!({}));
    let roll = game
        .turns
        .iter()
        .position(|turn| turn.text.starts_with('d'))
        .unwrap();
    game.turns[roll].text = "d7".to_owned();
    let message = check(&game).unwrap_err();
    assert!(message.contains("\"d7\", expected d"), "{message}");
    let mut game = played("einstein", json!({}));
    game.seed += 1;
    assert!(
        check(&game)
            .unwrap_err()
            .contains("the roll from the game's seed")
    );
    game.seed -= 1;
    game.turns.remove(roll);
    assert!(check(&game).is_err());
}

#[test]
fn clocks_must_agree_with_the_time_control() {
    let message = fault(|game| game.turns[2].left_us = Some(996_001));
    assert_eq!(
        message,
        "ply 3: clock of First: 996001 µs left, expected 996000 µs"
    );
    let message = fault(|game| game.turns[2].used_us += 1);
    assert_eq!(
        message,
        "ply 3: clock of First: 996000 µs left, expected 995999 µs"
    );
    let message = fault(|game| game.turns[2].left_us = None);
    assert_eq!(
        message,
        "ply 3: clock of First: no clock left, expected 996000 µs"
    );
    let message = fault(|game| game.turns[1].used_us = 1_005_001);
    assert!(
        message.ends_with("used of 1.000 s, but the game continued"),
        "{message}"
    );
    let message = fault(|game| game.duration_ms = 2);
    assert!(message.ends_with("µs in a game of 2 ms"), "{message}");
}

/// Every turn of a game takes 3 ms.
#[test]
fn clocks_of_every_kind_are_replayed() {
    type Left = fn(u64) -> u64;
    let cases: [(&str, Left); 5] = [
        ("base = \"1s\"\ndelay = \"2ms\"", |turns| {
            1_000_000 - 1_000 * turns
        }),
        ("base = \"1s\"\nbronstein = \"2ms\"", |turns| {
            1_000_000 - 1_000 * turns
        }),
        ("base = \"1s\"\nmoves = 2", |turns| {
            1_000_000 * (1 + turns / 2) - 3_000 * turns
        }),
        ("base = \"5ms\"\nbyoyomi = \"3ms\"\nperiods = 2", |turns| {
            [8_000, 6_000][usize::from(turns > 1)]
        }),
        ("byoyomi = \"2ms\"\nperiods = 9", |turns| {
            18_000 - 2_000 * turns
        }),
    ];
    for (keys, left) in cases {
        let mut game = hex();
        game.clock = toml::from_str(keys).unwrap();
        for (ply, turn) in game.turns.iter_mut().enumerate() {
            turn.left_us = Some(left(ply as u64 / 2 + 1));
        }
        assert_eq!(check(&game), Ok(()), "{keys}");
        game.turns[3].used_us += 3_000;
        let message = check(&game).unwrap_err();
        assert!(message.starts_with("ply 4: clock of Second: "), "{message}");
    }
}

#[test]
fn each_side_has_its_own_clock() {
    let mut game = hex();
    game.second.clock = toml::from_str("base = \"2s\"").ok();
    for (ply, turn) in game.turns.iter_mut().enumerate().skip(1).step_by(2) {
        turn.left_us = Some(2_000_000 - 3_000 * (ply as u64 / 2 + 1));
    }
    assert_eq!(check(&game), Ok(()));
    let line = serde_json::to_string(&game).unwrap();
    assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), game);
    game.first.clock = game.second.clock.take();
    assert!(check(&game).is_err());
}

#[test]
fn the_result_must_agree_with_the_position() {
    let winner = hex().result;
    let other = if winner == GameResult::First {
        GameResult::Second
    } else {
        GameResult::First
    };
    assert_eq!(
        fault(|game| game.result = other),
        format!("result {other:?}, expected {winner:?}")
    );
    assert!(fault(|game| game.detail = "five in a row".to_owned()).starts_with("ended by \"five"));
    let message = fault(|game| drop(game.turns.pop()));
    assert_eq!(message, "ended by the rules, but the game is not over");
    let message = fault(|game| game.reason = Reason::Time);
    assert!(
        message.starts_with("ended by Time, but the game is over: "),
        "{message}"
    );
}

#[test]
fn a_fault_loses_for_the_side_to_move() {
    let cut = |turns, reason, result| {
        let mut record = hex();
        record.turns.truncate(turns);
        (record.reason, record.result) = (reason, result);
        check(&record)
    };
    // Second is to move.
    for reason in [Reason::Time, Reason::Illegal, Reason::Resign, Reason::Crash] {
        assert_eq!(cut(1, reason, GameResult::First), Ok(()));
        assert!(
            cut(1, reason, GameResult::Draw)
                .unwrap_err()
                .starts_with("a draw by ")
        );
    }
    for reason in [Reason::Illegal, Reason::Crash, Reason::Disconnect] {
        assert_eq!(
            cut(1, reason, GameResult::Second).unwrap_err(),
            format!("lost by {reason:?} by First, but Second is to move")
        );
    }
    assert_eq!(
        cut(1, Reason::Stall, GameResult::First).unwrap_err(),
        "lost by Stall, but the game had begun"
    );
    for reason in [Reason::Crash, Reason::Disconnect, Reason::Stall] {
        for result in [GameResult::First, GameResult::Second] {
            assert_eq!(
                cut(0, reason, result),
                Ok(()),
                "before the game either side may fail"
            );
        }
    }
    assert!(cut(0, Reason::Time, GameResult::First).is_err());
}

#[test]
fn unknown_games_and_variants_are_faults() {
    assert!(fault(|game| game.game = "chess".to_owned()).starts_with("game \"chess\", expected"));
    assert!(fault(|game| game.variant = json!({"size": 1_000})).starts_with("variant: "));
    assert!(fault(|game| game.opening = "zz".to_owned()).starts_with("opening: "));
}

#[test]
fn an_id_must_be_unique() {
    let mut verifier = Verifier::default();
    let entry = || Entry {
        line: 1,
        bytes: 0..0,
        record: Ok(Replayed::of(hex())),
    };
    assert_eq!(verifier.check(entry()), Ok(()));
    assert!(
        verifier
            .check(entry())
            .unwrap_err()
            .ends_with("the id of an earlier game")
    );
    let entry = Entry {
        line: 3,
        bytes: 0..0,
        record: Err("schema 9, expected 1".to_owned()),
    };
    assert_eq!(
        verifier.check(entry).unwrap_err(),
        "not a game: schema 9, expected 1"
    );
}

/// A game of Hex without its last turns, with adjudication rules; each turn has a score.
fn adjudicated(turns: usize, rules: &str, scores: [&str; 2]) -> GameRecord {
    let mut record = hex();
    record.adjudication = toml::from_str(rules).unwrap();
    record.turns.truncate(turns);
    for (index, turn) in record.turns.iter_mut().enumerate() {
        turn.info = Some(engine_process::info::EngineInfo {
            score: Some(scores[index % 2].to_owned()),
            ..Default::default()
        });
    }
    record
}

#[test]
fn an_adjudicated_result_must_agree_with_the_log() {
    let mut game = adjudicated(
        3,
        "resign = { points = 500, turns = 1 }\nmax_turns = 3",
        ["cp 499", "loss 4"],
    );
    game.result = GameResult::Draw;
    game.reason = Reason::Length;
    game.detail = "not over after 3 turns".to_owned();
    assert_eq!(check(&game), Ok(()));
    let fault = |edit: &dyn Fn(&mut GameRecord)| {
        let mut game = game.clone();
        edit(&mut game);
        check(&game).expect_err("a fault")
    };
    let score = |game: &mut GameRecord, ply: usize, score: &str| {
        game.turns[ply].info.as_mut().unwrap().score = Some(score.to_owned());
    };
    assert_eq!(
        fault(&|game| game.result = GameResult::First),
        "ended as First by Length: not over after 3 turns, \
         expected Draw by Length: not over after 3 turns"
    );
    assert!(fault(&|game| game.detail.clear()).starts_with("ended as Draw by Length: , "));
    assert!(fault(&|game| game.reason = Reason::Crash).starts_with("ended as Draw by Crash"));
    let message = fault(&|game| score(game, 2, "cp 500"));
    assert!(
        message.contains("expected First by AgreedWin: "),
        "{message}"
    );
    let message = fault(&|game| score(game, 0, "cp 500"));
    assert!(
        message.contains(" after AgreedWin: both engines see First ahead by 500"),
        "{message}"
    );
    let message = fault(&|game| drop(game.turns.pop()));
    assert_eq!(
        message,
        "ended by Length, but its turns and scores do not justify it"
    );
    let message = fault(&|game| game.adjudication = Default::default());
    assert!(message.ends_with("but its turns and scores do not justify it"));
}

#[test]
fn a_proof_must_hold() {
    let mut game = adjudicated(2, "proven = { nodes = 5000, every = 2 }", ["cp 0"; 2]);
    game.reason = Reason::Proof;
    let proven = |game: &GameRecord, result: GameResult| {
        let mut game = game.clone();
        game.result = result;
        check(&game)
    };
    let results = [GameResult::First, GameResult::Second, GameResult::Draw];
    let holds = results.map(|result| proven(&game, result).is_ok());
    assert_eq!(holds.iter().filter(|&&holds| holds).count(), 1, "{holds:?}");
    assert!(!holds[2]);
    game.result = results[usize::from(holds[1])];
    let nodes = |nodes| {
        let mut game = game.clone();
        game.adjudication.proven.as_mut().unwrap().nodes = nodes;
        check(&game)
    };
    assert_eq!(nodes(1).unwrap_err(), "no proof within 1 nodes");
    let message = nodes(u64::MAX).unwrap_err();
    assert!(
        message.ends_with("nodes, expected at most 10000000"),
        "{message}"
    );
    let mut early = game.clone();
    early.turns.pop();
    assert_eq!(
        check(&early).unwrap_err(),
        "a proof, but no proof search was due"
    );
}

/// The first line of a log that verify finds faulty.
fn first_fault(path: &Path) -> Option<usize> {
    let mut verifier = Verifier::default();
    let replayed = |line: &[u8]| gamelog::parse::<Text>(line).map(Replayed::of);
    let entries = gamelog::stream(path, replayed).unwrap().map(Result::unwrap);
    let mut checked = entries.map(|entry| (entry.line, verifier.check(entry)));
    checked.find_map(|(line, checked)| checked.is_err().then_some(line))
}

/// The message if the standings of a log cannot be made.
fn refused(path: &Path) -> Option<String> {
    let mut standings = Standings::default();
    let summary = |game: Logged<'_>| GameSummary::from(&game);
    let read = gamelog::each(&[path.to_owned()], summary, |game| standings.add(&game));
    read.err().map(|error| error.to_string())
}

#[test]
fn no_flipped_bit_goes_unnoticed() {
    let mut lines = ["w", "x", "y", "z"].map(|id| {
        let mut game = played("hex", json!({"size": 2}));
        game.id = id.to_owned();
        game.turns[0].info = Some(EngineInfo {
            depth: Some(3),
            score: Some("cp 31".to_owned()),
            ..EngineInfo::default()
        });
        gamelog::line(&game).unwrap()
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.jsonl");
    fs::write(&path, lines.concat()).unwrap();
    assert_eq!((first_fault(&path), refused(&path)), (None, None));
    for bit in 0..8 * lines[1].len() {
        let flip = 1 << (bit % 8);
        lines[1][bit / 8] ^= flip;
        fs::write(&path, lines.concat()).unwrap();
        assert_eq!(first_fault(&path), Some(2), "bit {bit}");
        let error = refused(&path).unwrap_or_default();
        assert!(error.contains("g.jsonl:2: "), "bit {bit}: {error}");
        lines[1][bit / 8] ^= flip;
    }
}
