use engine_process::info::EngineInfo;
use gamelog::record::sample;

use super::*;

/// The position of a game after a ply.
fn frame(record: &GameRecord, ply: usize) -> Result<String, String> {
    Replay::new(record.clone()).frame(ply)
}

fn record() -> GameRecord {
    let mut record = sample::game("hex", "pvs", "mcts", GameResult::First, Reason::Time);
    record.variant = serde_json::json!({"size": 3});
    record.detail = "no turn within 1 s".to_owned();
    record.turns = vec![sample::turn("a1"), sample::turn("b2")];
    record.turns[1].side = SideName::Second;
    record
}

#[test]
fn a_game_is_one_line() {
    let mut game = sample::game("hex", "pvs", "mcts", GameResult::Second, Reason::Time);
    game.detail = "no turn within 1.02 s".to_owned();
    game.duration_ms = 1_500;
    assert_eq!(
        one_line(&game),
        "hex r1 pvs 0-1 mcts: time (no turn within 1.02 s) (1.5 s)"
    );
}

#[test]
fn every_ply_of_a_game_can_be_shown() {
    let start = frame(&record(), 0).unwrap();
    assert!(
        start.contains("pvs (First) against mcts (Second)"),
        "{start}"
    );
    assert!(
        start.contains("pvs (First) won: time (no turn within 1 s)"),
        "{start}"
    );
    assert!(start.contains("0. start (of 2)"), "{start}");
    let last = frame(&record(), 2).unwrap();
    assert!(last.contains("2. Second b2"), "{last}");
    assert!(last.ends_with("First (red) to move\n"), "{last}");
    assert_eq!(
        frame(&record(), 9).unwrap().lines().count(),
        start.lines().count()
    );
}

#[test]
fn a_swap_exchanges_the_colours_of_the_sides() {
    let rules = catalog::find("hex").unwrap();
    let variant = serde_json::json!({"size": 3, "opening": "swap", "swap": "swap-sides"});
    let mut game = rules.start(&variant).unwrap();
    game.play_words("a1").unwrap();
    assert_eq!(state(&*game, rules.colours()), "Second (blue) to move");
    game.play_words("swap").unwrap();
    assert_eq!(state(&*game, rules.colours()), "First (blue) to move");
}

#[test]
fn the_turns_of_the_opening_are_shown_and_counted() {
    let mut game = record();
    game.opening = "a3 b3".to_owned();
    let replay = Replay::new(game.clone());
    assert_eq!(replay.plies(), 4);
    let lines: Vec<String> = replay.lines().collect();
    assert_eq!(
        lines,
        [
            "   1. First  a3  opening",
            "   2. Second b3  opening",
            "   3. First  a1",
            "   4. Second b2",
        ]
    );
    let start = frame(&game, 0).unwrap();
    assert!(
        start.contains("0. start (of 4, 2 in the opening)\n"),
        "{start}"
    );
    let empty = catalog::find("hex").unwrap().start(&game.variant).unwrap();
    assert!(
        start.contains(&empty.board()),
        "before the opening: {start}"
    );
    let second = frame(&game, 2).unwrap();
    assert!(
        second.contains("2. Second b3  opening (of 4, 2 in the opening)\n"),
        "{second}"
    );
    assert_ne!(
        start.lines().last(),
        frame(&game, 1).unwrap().lines().last()
    );
    // A position is the start.
    game.opening = "fen 3/3/1b1 r moves a3".to_owned();
    game.turns.clear();
    assert_eq!(Replay::new(game.clone()).plies(), 1);
    let start = frame(&game, 0).unwrap();
    assert!(!start.contains(&empty.board()), "{start}");
    game.opening = "a3 a3".to_owned();
    assert!(
        frame(&game, 0)
            .unwrap_err()
            .starts_with("opening: column 4: ")
    );
}

#[test]
fn a_record_that_cannot_be_replayed_is_an_error() {
    let mut faulty = record();
    faulty.turns[1].text = "a1".to_owned();
    assert!(frame(&faulty, 1).is_ok());
    assert!(
        frame(&faulty, 2)
            .unwrap_err()
            .starts_with("\"a1\": column 1: ")
    );
    faulty.game = "chess".to_owned();
    assert!(frame(&faulty, 0).is_err());
}

#[test]
fn a_turn_shows_its_times_and_the_engine_s_report() {
    let mut turn = sample::turn("c3");
    turn.used_us = 1_500_000;
    turn.left_us = Some(58_500_000);
    let info = EngineInfo {
        depth: Some(7),
        score: Some("cp 31".to_owned()),
        ..EngineInfo::default()
    };
    turn.info = Some(info);
    assert_eq!(
        turn_line(12, &turn),
        "  12. First  c3  1.500 s, 58.500 s left  depth 7  score cp 31"
    );
    assert_eq!(turn_line(3, &sample::turn("d6")), "   3. First  d6");
    let refused = vec!["\"zz\": column 1".to_owned(), "\"\": column 1".to_owned()];
    let turn = TurnRecord {
        refused,
        ..sample::turn("c2")
    };
    let line = "   1. First  c2  after \"zz\": column 1  after \"\": column 1";
    assert_eq!(turn_line(1, &turn), line);
}

#[test]
fn the_largest_changes_of_a_score_come_first() {
    let mut game = record();
    let scores = [
        "cp 10", "cp -5", "cp 40", "cp 300", "win 5", "cp 280", "win 3", "loss 2",
    ];
    game.turns = (0..)
        .zip(scores)
        .map(|(ply, score)| {
            let mut turn = sample::turn("");
            if ply % 2 == 1 {
                turn.side = SideName::Second;
            }
            turn.info = Some(EngineInfo {
                score: Some(score.to_owned()),
                ..EngineInfo::default()
            });
            turn
        })
        .collect();
    assert_eq!(Replay::new(game).swings(), [8, 4, 5, 3, 6]);
}
