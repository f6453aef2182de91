//! Contest records, SGF and links: reading, writing, and the messages for broken ones.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use engine_core::{Notation, Outcome, Position, Side};
use game::Written;
use hex::{Hex, Opening, Swap};
use proptest::prelude::*;
use records::{self, Format, Header, Reading, Record, conformance};

const SHORT: &str =
    "{[HEX][红方 R][蓝方 B][先手胜][2025.01.01 14:00 重庆][赛事]\nR(A,1);B(B,2);R(C,3)}\n";
const BREAK: (&str, &str) = ("B(B,2)", "B(A,1)");

#[track_caller]
fn faultless(text: &str) -> Record<Hex> {
    conformance::faultless(text)
}

#[track_caller]
fn check_fault(from: &str, to: &str, message: &str) {
    conformance::check_fault::<Hex>(SHORT, from, to, message);
}

#[test]
fn a_record_is_written_as_it_was_read_and_read_beside_others() {
    conformance::check::<Hex>(SHORT, BREAK);
}

#[test]
fn the_header_may_stand_on_one_line_with_the_stones() {
    let record = faultless(SHORT);
    for text in [
        SHORT.replace('\n', ""),
        SHORT.replace("]\n", "];\n"),
        SHORT.replace('\n', "\r\n"),
    ] {
        assert_eq!(faultless(&text), record, "{text}");
    }
}

#[test]
fn faults_are_reported_with_their_place() {
    check_fault(
        "[HEX]",
        "[C6]",
        "line 1, column 3: expected the code HEX, found \"C6\"",
    );
    check_fault(
        "B(B,2)",
        "B(A,1)",
        "line 2, column 8: expected an empty cell, found \"B(A,1)\"",
    );
    check_fault(
        "B(B,2)",
        "R(B,2)",
        "line 2, column 8: expected a move of blue, whose turn it is, found \"R(B,2)\"",
    );
    check_fault(
        "B(B,2)",
        "B(L,2)",
        "line 2, column 8: expected a column letter a to k, found \"B(L,2)\"",
    );
    check_fault(
        "B(B,2)",
        "B(B,2",
        "line 2, column 13: expected ')' after the cell, found \";R(C,3)}\"",
    );
    check_fault(
        "R(C,3)}",
        "B(swap-pieces)}",
        "line 2, column 15: expected a move of red, whose turn it is, found \"B(swap-pieces)\"",
    );
}

/// Red's chain in column a, with and without the pie rule.
fn chain(size: usize) -> String {
    let red = (1..=size).map(|row| format!("a{row}"));
    let blue = (1..size).map(|row| format!("b{row}"));
    let mut words: Vec<String> = red.collect();
    for (index, word) in blue.enumerate() {
        words.insert(2 * index + 1, word);
    }
    words.concat()
}

fn links(text: &str) -> Vec<Reading<Hex>> {
    let mut readings = Vec::new();
    records::read(Format::Hexworld, &Default::default(), text, |reading| {
        readings.push(reading)
    })
    .unwrap();
    readings
}

#[test]
fn links_of_any_size_are_read() {
    let text = format!(
        "https://hexworld.org/board/#5c1,{}\n\n 11,c2:sd4:rw",
        chain(5)
    );
    let readings = links(&text);
    assert_eq!(readings.len(), 2);
    let whole = readings[0].clone().faultless().unwrap();
    assert_eq!(
        (whole.variant.size, whole.end().outcome()),
        (5, Some(Outcome::Win(Side::First)))
    );
    assert_eq!(
        records::write(Format::Hexworld, &whole).unwrap(),
        text.lines().next().unwrap().replace("c1", "") + "\n"
    );
    assert_eq!(readings[1].line, 3);
    let swapped = readings[1].clone().faultless().unwrap();
    assert_eq!(
        (swapped.variant.opening, swapped.variant.swap),
        (Opening::Swap, Swap::Pieces)
    );
    assert_eq!(swapped.header.result, Some(Outcome::Win(Side::First)));
    assert_eq!(swapped.events.len(), 3);
    assert_eq!(
        records::write(Format::Hexworld, &swapped).unwrap(),
        "https://hexworld.org/board/#11,c2:sd4:rw\n"
    );
}

#[test]
fn faulty_links_are_reported_with_their_place() {
    for (link, message) in [
        (
            "11,a1a1",
            "line 1, column 6: expected an empty cell, found \"a1\"",
        ),
        (
            "11,a1:pa2",
            "line 1, column 6: expected a turn: Hex has no pass, found \":p\"",
        ),
        (
            "11,a1:xa2",
            "line 1, column 6: expected a cell, :s, :rb, :rw, :fb or :fw, found \":x\"",
        ),
        (
            "11,a1:ra2",
            "line 1, column 6: expected a cell, :s, :rb, :rw, :fb or :fw, found \":ra\"",
        ),
        (
            "11,a",
            "line 1, column 4: expected a row 1 to 11, found \"a\"",
        ),
        (
            "11;a1",
            "line 1, column 3: expected a comma and the moves, found \";a1\"",
        ),
        (
            "40,a1",
            "line 1, column 1: expected the size of the board, found \"40,a1\"",
        ),
        (
            "11x5,a1",
            "line 1, column 4: expected a board as high as it is wide, found \"5\"",
        ),
    ] {
        let fault = links(link)[0].fault.clone().expect(link);
        assert_eq!(fault.to_string(), message);
    }
}

#[test]
fn sgf_has_both_swaps() {
    for (word, swap) in [("swap-pieces", Swap::Pieces), ("swap-sides", Swap::Sides)] {
        let text = format!(
            "(;FF[4]GM[11]CA[UTF-8]SZ[5]PB[a]PW[b]RE[B+]EV[c]\n;B[a1];W[{word}];B[c2];W[d4])\n"
        );
        let mut readings: Vec<Reading<Hex>> = Vec::new();
        records::read(Format::Sgf, &Default::default(), &text, |reading| {
            readings.push(reading)
        })
        .unwrap();
        let [reading] = <[_; 1]>::try_from(readings).unwrap();
        let record = reading.faultless().unwrap();
        assert_eq!((record.variant.size, record.variant.swap), (5, swap));
        assert_eq!(records::write(Format::Sgf, &record).unwrap(), text);
    }
}

/// The only game of an SGF.
fn sgf(text: &str) -> Reading<Hex> {
    let mut readings = Vec::new();
    let take = |reading| readings.push(reading);
    records::read(Format::Sgf, &Default::default(), text, take).unwrap();
    let [reading] = <[_; 1]>::try_from(readings).unwrap();
    reading
}

/// HexGui's records, where White moves again after a swap: the stone stays, and `First` plays white.
#[test]
fn players_who_move_again_after_a_swap_have_exchanged_colours() {
    for word in ["swap-pieces", "swap-sides", "swap", "SWAP"] {
        let text = format!("(\n;B[b1]\n;W[{word}]\n\n;W[a2]\n;B[b2]\n;W[c1])");
        let record = sgf(&text).faultless().expect(word);
        let end = record.end();
        assert_eq!(record.variant.swap, Swap::Sides, "{word}");
        assert_eq!(
            end.write_position(),
            "1rb8/br9/11/11/11/11/11/11/11/11/11 r exchanged"
        );
        assert_eq!(end.side(), Side::Second);
        let written = records::write(Format::Sgf, &record).unwrap();
        assert_eq!(sgf(&written).faultless().unwrap().events, record.events);
    }
}

#[test]
fn players_who_alternate_after_a_swap_have_not_exchanged_colours() {
    for (word, position) in [
        ("swap-pieces", "3/b1r/3 b"),
        ("swap", "3/b1r/3 b"),
        ("swap-sides", "1r1/2b/3 r exchanged"),
    ] {
        let record = sgf(&format!("(;SZ[3];B[b1];W[{word}];B[c2])"));
        let record = record.faultless().expect(word);
        assert_eq!(record.end().write_position(), position, "{word}");
    }
}

/// A resignation names the colour of stones, `RE` the player.
#[test]
fn a_colour_resigns_after_an_exchange() {
    let swapped = ";B[b1];W[swap-pieces];W[c2]";
    for (end, winner) in [
        (";B[resign]", Side::First),
        (";B[a1];W[resign]", Side::Second),
    ] {
        let record = sgf(&format!("(;SZ[3]{swapped}{end})")).faultless().unwrap();
        assert_eq!(record.header.result, Some(Outcome::Win(winner)), "{end}");
    }
    let won = ";B[c3];W[b2];B[c1];W[a2]";
    let record = |result: &str| sgf(&format!("(;SZ[3]RE[{result}]{swapped}{won})"));
    assert!(record("B+").faultless().is_ok(), "First plays white");
    let fault = record("W+").fault.unwrap();
    assert_eq!(fault.place.column, 11, "{fault}");
}

#[test]
fn nodes_without_properties_are_read() {
    let record = sgf("(;\n;GM[11]SZ[3]; ;B[a1];;W[b2];)")
        .faultless()
        .unwrap();
    assert_eq!(record.events.len(), 2);
}

/// `PL` says who is to move, or else the first turn, or else the numbers of stones.
#[test]
fn stones_that_are_set_up_are_the_first_position() {
    for (text, side) in [
        ("AB[a1]", Side::Second),
        ("AB[a1]AW[b2]", Side::First),
        ("AB[a1]AW[b2];W[c3]", Side::Second),
        ("AB[a1]PL[B]", Side::First),
        ("PL[W]AW[a1]AB[c3]AE[c3]", Side::Second),
    ] {
        let record = sgf(&format!("(;SZ[3]{text})")).faultless().unwrap();
        assert_eq!(record.start.side(), side, "{text}");
        let written = records::write(Format::Sgf, &record).unwrap();
        assert_eq!(sgf(&written).faultless().unwrap(), record, "{written}");
    }
}

/// Games of a collection are read whatever happens to the one before.
#[test]
fn a_lost_bracket_costs_one_game() {
    let games = |text: &str| -> Vec<(usize, bool)> {
        let mut games = Vec::new();
        let take = |reading: Reading<Hex>| games.push((reading.line, reading.fault.is_none()));
        records::read(Format::Sgf, &Default::default(), text, take).unwrap();
        games
    };
    let game = |cell: &str| format!("(;FF[4]GM[11]SZ[5]PW[w];B[{cell}])\n");
    let good = game("a1");
    for (broken, is_read) in [
        (good.replace("PW[w]", "PW[w;]]"), true),
        (good.replace("PW[w]", "PW[see [1] and [2]"), true),
        (good.replace("PW[w]", "C[(;FF[4\\]GM[11\\]]"), true),
        (good.replace("PW[w]", "PW[w"), false),
        (good.replace("a1]", "a1"), false),
        (good.replace("a1])", "a1"), false),
        (good.replace(")", ""), false),
        (good.replace("(;", "(;!"), false),
        (good.replace("PW[w]", "PW"), false),
        (good.replace("PW[w]", "PW]w["), false),
    ] {
        let text = [&*good, &broken, &good, &good].concat();
        let expected = [(1, true), (2, is_read), (3, true), (4, true)];
        assert_eq!(games(&text), expected, "{text}");
    }
    // A variation that begins a line is no game.
    let varied = "(;FF[4]GM[11]SZ[5];B[a1]\n(;W[b2])\n(;W[b3] ! ))\n";
    assert_eq!(games(&format!("{varied}{good}")), [(1, false), (4, true)]);
    assert_eq!(games(&format!("Words first\n{good}")), [(2, true)]);
    assert_eq!(games("(nothing)"), [(1, false)]);
}

/// Little Golem: W begins, and is `PB`; cells are letters; `swap` moves the stone.
#[test]
fn games_of_little_golem_are_read() {
    let text = "(;FF[4]EV[hex]PB[one]PW[two]SZ[5]RE[B]SO[x];W[ae];B[swap];W[cc];B[resign])";
    let reading = sgf(text);
    let header = &reading.record.header;
    assert_eq!(
        (&reading.fault, &header.teams),
        (&None, &["one".to_owned(), "two".to_owned()])
    );
    assert_eq!(header.result, Some(Outcome::Win(Side::First)));
    assert_eq!(reading.record.events.len(), 3);
    // The stone of a5 went to e1, which is blue now.
    let placed = reading.end.placed().unwrap().map(|cells| cells.len());
    assert_eq!(placed, [1, 1]);
    assert!(sgf(&text.replace("W[cc]", "W[ea]")).fault.is_some());
    assert!(sgf(&text.replace("W[cc]", "W[ae]")).fault.is_none());
    // With GM, white is blue, which joins left and right, and begins.
    let blue = sgf("(;GM[11]SZ[3];W[a1];B[b2];W[c3])");
    assert_eq!((blue.fault, blue.record.start.side()), (None, Side::Second));
    assert_eq!(blue.notes, ["white begins, so Second moves first"]);
}

/// Names that look like other games and turns.
#[test]
fn any_name_is_written_and_read() {
    let mut record = sgf("(;SZ[3];B[a1])").faultless().unwrap();
    for name in [
        ") (;FF[4]SZ[9",
        "x;B[a2",
        "\\",
        "a]b",
        "(;",
        "]];W[b2]",
        "(;GM[1]",
        "two]RE \u{1} [B",
    ] {
        record.header.teams = [name.to_owned(), name.chars().rev().collect()];
        let text = records::write(Format::Sgf, &record).unwrap();
        let again = sgf(&text).faultless();
        assert_eq!(
            again.map(|again| again.header),
            Ok(Header {
                teams: record
                    .header
                    .teams
                    .clone()
                    .map(|team| team.replace('\u{1}', " ")),
                ..record.header.clone()
            }),
            "{text}"
        );
    }
}

#[test]
fn rectangles_of_stones_are_set_up() {
    let record = |text: &str| sgf(&format!("(;SZ[5]{text})"));
    let one_by_one = record("AB[a1][a2][b1][b2]AW[d4]").faultless().unwrap();
    for text in ["AB[a1:b2]AW[d4]", "AB[b2:a1]AW[d4]", "AB[aa:bb]AW[dd]"] {
        assert_eq!(
            record(text).faultless().unwrap().start,
            one_by_one.start,
            "{text}"
        );
    }
    for text in ["AB[a1:]", "AB[a1:bb]", "AB[a1:f1]", "AB[:]"] {
        assert!(record(text).fault.is_some(), "{text}");
    }
}

/// Names of FF[1] to FF[3]: the capital letters count.
#[test]
fn older_names_of_properties_are_read() {
    let reading = sgf("(;FF[3]GaMe[11]SiZe[5];Black[a1];White[b2])");
    assert_eq!((reading.fault, reading.record.events.len()), (None, 2));
    assert!(
        reading.notes[0].contains("GaMe is read as GM"),
        "{:?}",
        reading.notes
    );
    let small = sgf("(;gm[11]sz[5];b[a1];w[b2])");
    assert_eq!((small.fault, small.record.events.len()), (None, 2));
}

#[test]
fn results_are_read_in_many_words() {
    for (word, expected) in [
        ("B", Some(Outcome::Win(Side::First))),
        ("W+Resign", Some(Outcome::Win(Side::Second))),
        ("Black", Some(Outcome::Win(Side::First))),
        ("*", None),
        ("Void", None),
        ("?", None),
    ] {
        let reading = sgf(&format!("(;SZ[3]RE[{word}];B[a1])"));
        assert_eq!(
            (reading.fault, reading.record.header.result),
            (None, expected),
            "{word}"
        );
        assert!(reading.notes.is_empty());
    }
    let odd = sgf("(;SZ[3]RE[Best];B[a1])");
    assert_eq!((odd.fault, odd.record.header.result), (None, None));
    assert_eq!(odd.notes, ["the result \"Best\" is not known"]);
}

/// Lines of trmph, and forfeits of HexWorld.
#[test]
fn links_say_who_won() {
    for (link, winner) in [
        ("11,c2a3:fb", Side::Second),
        ("11,c2a3:fw", Side::First),
        ("http://www.trmph.com/hex/board#11,c2a3 b", Side::First),
        ("#11,c2a3 r", Side::Second),
        ("http://www.trmph.com/hex/board#11,c2a3,1", Side::First),
        ("#11,c2a3 2", Side::Second),
    ] {
        let reading = &links(link)[0];
        assert_eq!(reading.fault, None, "{link}");
        assert_eq!(
            reading.record.header.result,
            Some(Outcome::Win(winner)),
            "{link}"
        );
        assert_eq!(reading.record.events.len(), 2, "{link}");
    }
}

/// What Six and Ludii save, and books print.
#[test]
fn numbered_turns_are_read() {
    for (text, count) in [
        (
            "BoardSize: 5x5\nFirst: V\nSwap: 1\nMoves:\n  1. A2 (0 ms) Swap (23 ms)\n  2. C3 (5 ms)\n",
            3,
        ),
        (
            "Words\n\n 1. a3  c4\n 2. c2  c5 ??\n 3. d4\n\nSix wins\n",
            5,
        ),
        (
            "1. (Add Ball1 to A1)\n2. (Swap P1 P2)\n3. (Add Ball2 to D4)\n",
            3,
        ),
        ("1. b2 c3\n2. resign\n", 2),
    ] {
        let mut readings = Vec::new();
        let take = |reading: Reading<Hex>| readings.push(reading);
        records::read(Format::Numbered, &Default::default(), text, take).unwrap();
        assert_eq!(readings.len(), 1, "{text}");
        assert_eq!(readings[0].fault, None, "{text}");
        assert_eq!(readings[0].record.events.len(), count, "{text}");
    }
}

#[test]
fn numbered_turns_have_names_and_results() {
    for (text, result, notes) in [
        (
            "[BLUE \"two\"]\n[RED \"one\"]\n[Result \"0-1\"]\n[Date \"2024.07.15\"]\n[Site \"?\"]\n",
            Some(Side::Second),
            &[][..],
        ),
        (
            "[Red one]\n[Blue two]\n[Result Blue wins]\n",
            Some(Side::Second),
            &[],
        ),
        ("[RED \"one\"]\n[BLUE \"two\"]\n[Result \"*\"]\n", None, &[]),
        (
            "[RED \"one\"]\n[BLUE \"two\"]\n[Result \"?-?\"]\n",
            None,
            &["\"?-?\" is none of the results 1-0, 0-1 and 1/2-1/2"],
        ),
    ] {
        let mut readings = Vec::new();
        let take = |reading: Reading<Hex>| readings.push(reading);
        let text = format!("{text}1. b2 c3\n2. d4\n");
        records::read(Format::Numbered, &Default::default(), &text, take).unwrap();
        let Reading {
            record,
            notes: found,
            ..
        } = &readings[0];
        assert_eq!(record.header.teams, ["one", "two"], "{text}");
        assert_eq!(record.header.result, result.map(Outcome::Win), "{text}");
        assert_eq!(found, notes, "{text}");
    }
}

#[test]
fn lists_are_read_as_programs_write_them() {
    for (list, count) in [
        ("a2d4e5", 3),
        ("a2 d4 e5 # a comment", 3),
        ("1. a2 d4 2. e5", 3),
        ("1.a2 2.d4 3.e5", 3),
        ("b a2,w d4,b e5", 3),
        ("B[a2] W[d4] B[e5]", 3),
        ("b a2,w d4,b e5,w resign,B", 3),
        ("b a2,w d4,b e5,w resign,black", 3),
        ("a2,swap,e5", 3),
    ] {
        let mut readings = Vec::new();
        let take = |reading: Reading<Hex>| readings.push(reading);
        records::read(Format::Moves, &Default::default(), list, take).unwrap();
        assert_eq!(readings[0].fault, None, "{list}");
        assert_eq!(readings[0].record.events.len(), count, "{list}");
        let winner = list.contains("resign").then_some(Outcome::Win(Side::First));
        assert_eq!(readings[0].record.header.result, winner, "{list}");
    }
    for list in ["a2d4a2", "b a2,b d4", "b a2,w d4,b resign,B", "a2d4x"] {
        let mut faults = Vec::new();
        let take = |reading: Reading<Hex>| faults.push(reading.fault);
        records::read(Format::Moves, &Default::default(), list, take).unwrap();
        assert!(faults[0].is_some(), "{list}");
    }
}

#[test]
fn faulty_sgf_is_reported_with_its_place() {
    let read = |text: &str| sgf(text).fault.expect(text).to_string();
    for (text, message) in [
        (
            "(;GM[1])",
            "line 1, column 6: expected 11, Hex, found \"1\"",
        ),
        (
            "(;SZ[77])",
            "line 1, column 6: expected the size of a board that the game is played on, found \"77\"",
        ),
        (
            "(;GM[11];B[a1];B[b2])",
            "line 1, column 18: expected a move of blue, whose turn it is, found \"b2\"",
        ),
        (
            "(;GM[11];B[a1]\n;W[a1])",
            "line 2, column 4: expected an empty cell, found \"a1\"",
        ),
        (
            "(;GM[11]SZ[3:4];B[a1])",
            "line 1, column 12: expected a square board: boards with more rows than columns, or fewer, are \
             not played, found \"3:4\"",
        ),
        (
            "(;GM[11]RE[B+];B[a1];W[b2];B[resign])",
            "line 1, column 30: expected a resignation of the side that lost, as RE says, found \"resign\"",
        ),
        (
            "(;GM[11];Turn[a1])",
            "line 1, column 10: expected turns in properties B and W, found \"Turn\"",
        ),
        (
            "(;GM[11];B[a1]",
            "line 1, column 15: expected a property, ';', '(' or ')', found the end",
        ),
        (
            "(;GM[11];B[a1",
            "line 1, column 14: expected ']' after the value, found the end",
        ),
        (
            "(;GM[11]AB[a1];B[a1])",
            "line 1, column 18: expected an empty cell, found \"a1\"",
        ),
        (
            "(;GM[11];B[a1];W[swap-pieces];W[a1])",
            "line 1, column 33: expected an empty cell, found \"a1\"",
        ),
        (
            "(;GM[11];B[a1];W[swap-pieces];W[a2];W[a3])",
            "line 1, column 39: expected a move of red, whose turn it is, found \"a3\"",
        ),
        (
            "GM[11]",
            "line 1, column 1: expected '(' and a game, found \"GM[11]\"",
        ),
    ] {
        assert_eq!(read(text), message);
    }
}

proptest! {
    #[test]
    fn no_text_panics(
        text in prop_oneof!["[a-kRB0-9,:# s\n()\\[\\]{};]{0,60}", "\\PC{0,40}"],
        link in "[0-9]{1,2},([a-l][0-9]{1,2}|:s){0,9}",
        sgf in "\\(;(GM\\[11\\])?(SZ\\[[0-9]{0,2}\\])?(;?A[BWE]\\[[a-l][0-9]{0,2}\\]){0,5}(PL\\[[BWx]\\])?(;[BW]\\[([a-l]?[0-9]{0,2}|swap)\\]){0,9}[()]?\\)?",
    ) {
        for format in records::formats::<Hex>() {
            for text in [&text, &link, &sgf] {
                records::read::<Hex>(format, &Default::default(), text, |_| {}).unwrap();
            }
        }
    }
}
