//! Real contest records, and properties of the reader and the writer.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use einstein::{Colour, Einstein, Variant};
use engine_core::{Outcome, Position, Rng, Side};
use game::Game;
use proptest::prelude::*;
use records::{self, Event, Header, Reading, Record, Recorded, conformance};

fn readings(text: &str) -> Vec<Reading<Einstein>> {
    conformance::readings(text)
}

/// The single record in a text.
#[track_caller]
fn read(text: &str) -> Reading<Einstein> {
    let [reading] = <[_; 1]>::try_from(readings(text)).unwrap();
    reading
}

/// As above; it must have no fault.
#[track_caller]
fn faultless(text: &str) -> Record<Einstein> {
    conformance::faultless(text)
}

/// The plies of a record, without the layouts.
fn plies(record: &Record<Einstein>) -> usize {
    record
        .events
        .iter()
        .filter(|event| matches!(event, Event::Roll(_)))
        .count()
}

/// Facts about one of the ten real records, worked out by hand.
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
            text: include_str!(concat!("../data/", $file)),
            teams: $teams,
            first_colour: Colour::$colour,
            plies: $plies,
            winner: Side::$winner,
            ending: $ending,
        }
    };
}

/// In all of them, the first team in the file name moves first, the third name is the winner, and
/// the last ply ends the game.
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
        let record = faultless(truth.text);
        let end = record.end();
        assert_eq!(record.header.teams, truth.teams);
        assert_eq!(record.header.result, Some(Outcome::Win(truth.winner)));
        assert_eq!(record.variant.first_colour, truth.first_colour);
        assert_eq!(plies(&record), truth.plies, "{}", truth.text);
        assert_eq!(
            end.outcome(),
            Some(Outcome::Win(truth.winner)),
            "{}",
            truth.text
        );
        assert_eq!(end.ending(), truth.ending, "{}", truth.text);
        let written = Einstein::write_contest(&record).unwrap();
        assert_eq!(faultless(&written).events, record.events);
    }
}

/// The first ply of the first game moves from B4, where red's 3 stands, up and to the left to A5,
/// by a 4, while red's 4 is on A3: the wrong piece, backwards.
#[test]
fn the_faulty_record_is_refused_with_line_and_reason() {
    let reading = read(include_str!("../data/game-01.txt"));
    assert_eq!(
        reading.fault.unwrap().to_string(),
        "line 4, column 1: expected a piece that die 4 moves: 4, not 3, found \"1:4;(B4,A5)\""
    );
    // Both layouts, and the roll.
    assert_eq!(reading.record.events.len(), 3);
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
    let record = faultless(SHORT);
    assert_eq!(record.end().outcome(), None);
    assert_eq!(record.header.result, Some(Outcome::Win(Side::First)));
    assert_eq!(Einstein::write_contest(&record).unwrap(), SHORT);
}

/// Somebody does not come, or resigns before both have laid out their pieces.
#[test]
fn a_game_may_stop_before_both_layouts() {
    let header = "#[WTN][a R][b B][后手胜][2019.08.08 14:00 北京][2019CCGC];\n";
    let red = "R:A5-6;B5-2;C5-4;A4-1;B4-5;A3-3\n";
    let blue = "B:E3-3;D2-2;E2-1;C1-4;D1-5;E1-6\n";
    for (text, layouts) in [(header.to_owned(), 0), ([header, red].concat(), 1)] {
        let record = faultless(&text);
        assert_eq!(record.events.len(), layouts, "{text}");
        assert_eq!(record.header.result, Some(Outcome::Win(Side::Second)));
        assert_eq!(Einstein::write_contest(&record).unwrap(), text);
    }
    // Blue begins.
    let text = [&header.replace("[a R][b B]", "[a B][b R]"), blue].concat();
    assert_eq!(Einstein::write_contest(&faultless(&text)).unwrap(), text);
    // Blue does not lay out its pieces before red has, and without a result nothing has ended.
    for text in [
        [header, blue].concat(),
        [&header.replace("后手胜", ""), red].concat(),
        red.to_owned(),
    ] {
        assert!(read(&text).fault.is_some(), "{text}");
    }
}

#[test]
fn several_records_are_read_from_one_file() {
    let games = [
        SHORT,
        include_str!("../data/game-01.txt"),
        include_str!("../data/game-02.txt"),
        SHORT,
    ];
    let readings = readings(&games.concat());
    let faults = readings.iter().map(|reading| reading.fault.is_some());
    assert_eq!(faults.collect::<Vec<_>>(), [false, true, false, false]);
    assert_eq!(readings[1].line, 6);
}

#[test]
fn lenient_readings_give_the_same_game() {
    let record = faultless(SHORT);
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
        let read = faultless(&SHORT.replace(from, to));
        assert_eq!(
            (read.start, read.events),
            (record.start.clone(), record.events.clone()),
            "{to}"
        );
    }
    let bare: String = SHORT
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(faultless(&bare).events, record.events);
}

/// All letters are B: only one reading is legal.
#[test]
fn the_dialect_of_a_file_of_b_is_the_legal_one() {
    let blue_first = SHORT.replace("1:5;(R5,C3)\n2:5;(B5,C2)\n", "1:5;(B5,C2)\n");
    assert_eq!(faultless(&blue_first).variant.first_colour, Colour::Blue);
    let from_square = SHORT.replace("1:5;(R5,C3)\n2:5;(B5,C2)\n", "1:5;(B4,C3)\n");
    assert_eq!(faultless(&from_square).variant.first_colour, Colour::Red);
}

#[test]
fn faults_are_reported_with_their_place() {
    for (from, to, message) in [
        (
            "[WTN]",
            "[AM]",
            "line 1, column 3: expected the code WTN, found \"AM\"",
        ),
        (
            "R:A5-6;",
            "R:A5-5;",
            "line 2, column 1: expected each number from 1 to 6 once, found \"R:A5-5;B5-2;C5-4;A4-1;B4-5;A3-3\"",
        ),
        (
            "R:A5-6;",
            "R:B3-6;",
            "line 2, column 1: expected each home square once, found \"R:B3-6;B5-2;C5-4;A4-1;B4-5;A3-3\"",
        ),
        (
            "B:E3",
            "R:E3",
            "line 3, column 1: expected the layout of blue, found \"R:E3-3;D2-2;E2-1;C1-4;D1-5;E1-6\"",
        ),
        (
            "B:E3-3;D2-2;E2-1;C1-4;D1-5;E1-6\n",
            "",
            "line 3, column 1: expected the layouts of red and blue, as R:A5-6;… and B:E3-3;…, found \"1:5;(R5,C3)\"",
        ),
        (
            "1:5;",
            "1:7;",
            "line 4, column 1: expected a die, 1 to 6, found \"1:7;(R5,C3)\"",
        ),
        (
            "1:5;",
            "1:4;",
            "line 4, column 1: expected a piece that die 4 moves: 4, not 5, found \"1:4;(R5,C3)\"",
        ),
        (
            "R5,C3",
            "R5,C5",
            "line 4, column 1: expected a square that red 5 reaches: c3, c4 or b3, not c5, found \"1:5;(R5,C5)\"",
        ),
        (
            "2:5;",
            "3:5;",
            "line 5, column 1: expected ply 2, as 2:6;(R6,B4), found \"3:5;(B5,C2)\"",
        ),
        (
            "(B5",
            "(R5",
            "line 5, column 1: expected a move of blue, whose turn it is, found \"2:5;(R5,C2)\"",
        ),
        (
            "C2)",
            "C2",
            "line 5, column 1: expected ')', found \"2:5;(B5,C2\"",
        ),
        (
            "(R5",
            "(X5",
            "line 4, column 1: expected a colour, R or B, or a column, A to E, found \"1:5;(X5,C3)\"",
        ),
    ] {
        let fault = read(&SHORT.replace(from, to)).fault.expect(to);
        assert_eq!(fault.to_string(), message, "{to}");
    }
    assert_eq!(readings("").len(), 0);
}

#[test]
fn plies_after_the_end_and_a_wrong_winner_are_refused() {
    let game = include_str!("../data/game-02.txt");
    let fault = read(&format!("{game}\n11:3;(E2,D2)\n")).fault.unwrap();
    assert_eq!(
        fault.to_string(),
        "line 15, column 1: expected nothing more, as the game is over: red reached e1, found \"11:3;(E2,D2)\""
    );
    let wrong = game.replace("puremcts-puremcts", "puremcts-alphazero");
    let fault = read(&wrong).fault.unwrap();
    assert_eq!(fault.place, records::Place { line: 1, column: 1 });
    assert_eq!(
        fault.expected,
        "a win of red, because the game ended: red reached e1"
    );
}

/// A record of the first plies of a random game.
fn random_record(seed: u64, plies: u32) -> Record<Einstein> {
    let mut rng = Rng::new(seed);
    let first_colour = [Colour::Red, Colour::Blue][rng.below(2) as usize];
    let variant = Variant {
        first_colour,
        ..Variant::default()
    };
    let start = Einstein::start(&variant).unwrap();
    let mut position = start.clone();
    let mut events = Vec::new();
    while position.outcome().is_none() && events.len() < 2 + 2 * plies as usize {
        let event = if position.is_chance() {
            Event::Roll(1 + rng.below(6) as u8)
        } else {
            let moves = position.legal_moves();
            Event::Move(moves[rng.below(moves.len() as u32) as usize])
        };
        event.play(&mut position);
        events.push(event);
    }
    Record {
        header: Header::default(),
        variant,
        start,
        events,
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(
        any in "(\\PC|\n)*",
        lines in "(R:A5-6;B5-2;C5-4;A4-1;B4-5;A3-3\nB:E3-3;D2-2;E2-1;C1-4;D1-5;E1-6\n)(1:[0-7];\\([RABCDE][0-7],[A-F][0-6]\\)\n)(2:[1-6];\\([B-E][1-6],[A-E][1-5]\\)\n)?",
    ) {
        for format in records::formats::<Einstein>() {
            for text in [&any, &lines] {
                records::read::<Einstein>(format, &Variant::default(), text, |_| {}).unwrap();
            }
        }
    }

    #[test]
    fn what_is_written_is_read_back(seed: u64, plies in 0u32..60) {
        let record = random_record(seed, plies);
        let written = Einstein::write_contest(&record).unwrap();
        prop_assert_eq!(faultless(&written), record);
    }

    #[test]
    fn names_of_any_form_leave_the_game_whole(first in "\\PC*", second in "\\PC*", event in "\\PC*") {
        let mut record = random_record(1, 8);
        record.header.teams = [first, second];
        record.header.event = event;
        let written = Einstein::write_contest(&record).unwrap();
        prop_assert_eq!(faultless(&written).events, record.events);
    }
}
