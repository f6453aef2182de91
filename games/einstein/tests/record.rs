//! Real contest records, and the properties of reader and writer.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use einstein::{Colour, Record};
use engine_core::{Outcome, Position, Rng, Side};
use entry::Game;
use proptest::prelude::*;

/// What is true of one of the ten real records, worked out by hand.
struct Truth {
    text: &'static str,
    teams: [&'static str; 2],
    first_colour: Colour,
    plies: usize,
    winner: Side,
    ending: &'static str,
}

macro_rules! truth {
    ($file:literal, $teams:expr, $colour:ident, $plies:literal, $winner:ident, $ending:literal) => {
        Truth {
            text: include_str!(concat!("data/", $file)),
            teams: $teams,
            first_colour: Colour::$colour,
            plies: $plies,
            winner: Side::$winner,
            ending: $ending,
        }
    };
}

/// In all of them the first team of the file's name moves first, the third name is the winner's,
/// and the last ply ends the game.
fn truths() -> [Truth; 9] {
    let alpha_random = ["alphazero", "puremcts"];
    let human_alpha = ["human", "alphazero"];
    let human_random = ["human", "puremcts"];
    let random_alpha = ["puremcts", "alphazero"];
    [
        truth!(
            "game-02.txt",
            alpha_random,
            Blue,
            10,
            Second,
            "red reached e1"
        ),
        truth!(
            "game-03.txt",
            human_alpha,
            Red,
            22,
            Second,
            "blue reached a5"
        ),
        truth!(
            "game-04.txt",
            human_alpha,
            Red,
            22,
            Second,
            "blue reached a5"
        ),
        truth!(
            "game-05.txt",
            human_alpha,
            Red,
            16,
            Second,
            "blue reached a5"
        ),
        truth!("game-06.txt", human_alpha, Red, 23, First, "red reached e1"),
        truth!("game-07.txt", human_alpha, Red, 13, First, "red reached e1"),
        truth!(
            "game-08.txt",
            human_random,
            Red,
            18,
            Second,
            "blue reached a5"
        ),
        truth!(
            "game-09.txt",
            random_alpha,
            Red,
            25,
            First,
            "red reached e1"
        ),
        truth!(
            "game-10.txt",
            random_alpha,
            Red,
            21,
            First,
            "red reached e1"
        ),
    ]
}

#[test]
fn nine_real_records_are_legal_and_end_as_their_names_say() {
    for truth in truths() {
        let record = Record::read(truth.text).unwrap();
        let end = record.end();
        assert_eq!([&*record.header.first, &*record.header.second], truth.teams);
        assert_eq!(record.header.winner, Some(truth.winner), "{}", truth.text);
        assert_eq!(
            record.start.colour(Side::First),
            truth.first_colour,
            "{}",
            truth.text
        );
        assert_eq!(record.plies.len(), truth.plies, "{}", truth.text);
        assert_eq!(
            end.outcome(),
            Some(Outcome::Win(truth.winner)),
            "{}",
            truth.text
        );
        assert_eq!(end.ending(), truth.ending, "{}", truth.text);
        assert_eq!(Record::read(&record.write()).unwrap().plies, record.plies);
    }
}

/// The first ply of the first game moves from B4, where red's 3 stands, up and to the left to A5,
/// by a 4, while red's 4 is on A3: the wrong piece, backwards.
#[test]
fn the_faulty_record_is_refused_with_line_and_reason() {
    let error = Record::read(include_str!("data/game-01.txt")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 4: expected a piece that die 4 moves: 4, not 3, found \"1:4;(B4,A5)\""
    );
}

const SHORT: &str = "\
#[WTN][甲队 R][乙队 B][先手胜][2019.08.08 14:00 北京][2019CCGC];
R:A5-6;B5-2;C5-4;A4-1;B4-5;A3-3
B:E3-3;D2-2;E2-1;C1-4;D1-5;E1-6
1:5;(R5,C3)
2:5;(B5,C2)
";

#[test]
fn a_game_may_stop_before_its_end() {
    let record = Record::read(SHORT).unwrap();
    assert_eq!(record.end().outcome(), None);
    assert_eq!(record.header.winner, Some(Side::First));
    assert_eq!(record.write(), SHORT);
}

#[test]
fn lenient_readings_give_the_same_game() {
    let record = Record::read(SHORT).unwrap();
    for (from, to) in [
        ("\n", "\r\n"),
        ("\n", "\n\n"),
        ("-", ""),
        (";", " ; "),
        ("(", "（"),
        ("A3-3", "A3-3;"),
        ("#", "\u{feff}#"),
        ("R5,C3", "r5,c3"),
        ("(R5,C3)\n2:5;(B5,C2)", "(B4,C3)\n2:5;(D1,C2)"),
    ] {
        let read = Record::read(&SHORT.replace(from, to)).unwrap();
        assert_eq!(
            (read.start, read.plies),
            (record.start.clone(), record.plies.clone()),
            "{to}"
        );
    }
    let bare: String = SHORT
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(Record::read(&bare).unwrap().plies, record.plies);
}

/// All letters are B: one reading only is legal.
#[test]
fn the_dialect_of_a_file_of_b_is_the_legal_one() {
    let blue_first = SHORT.replace("1:5;(R5,C3)\n2:5;(B5,C2)\n", "1:5;(B5,C2)\n");
    let record = Record::read(&blue_first).unwrap();
    assert_eq!(record.start.colour(Side::First), Colour::Blue);
    let from_square = SHORT.replace("1:5;(R5,C3)\n2:5;(B5,C2)\n", "1:5;(B4,C3)\n");
    let record = Record::read(&from_square).unwrap();
    assert_eq!(record.start.colour(Side::First), Colour::Red);
}

#[test]
fn faults_are_refused_with_their_line() {
    for (from, to, line, expected) in [
        (
            "R:A5-6;",
            "R:A5-5;",
            2,
            "a number that has not been placed in column 26",
        ),
        (
            "R:A5-6;",
            "R:B3-6;",
            2,
            "a home square that is still free in column 3",
        ),
        ("B:E3", "R:E3", 3, "the layout of blue"),
        (
            "B:E3-3;D2-2;E2-1;C1-4;D1-5;E1-6\n",
            "",
            3,
            "the layouts of red and blue, as R:A5-6;… and B:E3-3;…",
        ),
        ("1:5;", "1:7;", 4, "a die, 1 to 6 in column 3"),
        ("1:5;", "1:4;", 4, "a piece that die 4 moves: 4, not 5"),
        (
            "R5,C3",
            "R5,C5",
            4,
            "a square that red 5 reaches: c3, c4 or b3, not c5",
        ),
        ("2:5;", "3:5;", 5, "ply 2 in column 1"),
        ("(B5", "(R5", 5, "a move of a blue piece"),
        ("C2)", "C2", 5, "')' in column 11"),
        (
            "(R5",
            "(X5",
            4,
            "a colour, R or B, or a column, A to E in column 6",
        ),
    ] {
        let error = Record::read(&SHORT.replace(from, to)).unwrap_err();
        assert_eq!(
            (error.line, &*error.expected),
            (line, expected),
            "{to}: {error}"
        );
    }
    let error = Record::read("").unwrap_err();
    assert_eq!(error.line, 1);
}

#[test]
fn plies_after_the_end_and_a_wrong_winner_are_refused() {
    let game = include_str!("data/game-02.txt");
    let error = Record::read(&format!("{game}\n11:3;(E2,D2)\n")).unwrap_err();
    assert_eq!(error.expected, "no more plies, as red reached e1");
    let wrong = game.replace("puremcts-puremcts", "puremcts-alphazero");
    let error = Record::read(&wrong).unwrap_err();
    assert_eq!(
        (error.line, &*error.expected),
        (1, "Second as the winner, as the game ends so")
    );
}

/// A record of the first plies of a random game.
fn random_record(seed: u64, plies: u32) -> Record {
    let mut record = Record::read(SHORT).unwrap();
    record.plies.clear();
    record.header.winner = None;
    let mut rng = Rng::new(seed);
    let mut position = record.start.clone();
    for _ in 0..plies {
        if position.outcome().is_some() {
            break;
        }
        let die = 1 + rng.below(6) as u8;
        position.play_roll(die);
        let moves = position.legal_moves();
        let step = moves[rng.below(moves.len() as u32) as usize];
        position.play(step);
        record.plies.push((die, step));
    }
    record
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(
        any in "(\\PC|\n)*",
        lines in "(R:A5-6;B5-2;C5-4;A4-1;B4-5;A3-3\nB:E3-3;D2-2;E2-1;C1-4;D1-5;E1-6\n)(1:[0-7];\\([RABCDE][0-7],[A-F][0-6]\\)\n)(2:[1-6];\\([B-E][1-6],[A-E][1-5]\\)\n)?",
    ) {
        let _ = Record::read(&any);
        let _ = Record::read(&lines);
    }

    #[test]
    fn what_is_written_is_read_back(seed: u64, plies in 0u32..60) {
        let record = random_record(seed, plies);
        prop_assert_eq!(Record::read(&record.write()), Ok(record));
    }

    #[test]
    fn names_of_any_form_leave_the_game_whole(first in "\\PC*", second in "\\PC*", event in "\\PC*") {
        let mut record = random_record(1, 8);
        (record.header.first, record.header.second, record.header.event) = (first, second, event);
        prop_assert_eq!(Record::read(&record.write()).unwrap().plies, record.plies);
    }
}
