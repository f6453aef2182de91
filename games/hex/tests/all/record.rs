//! Contest records, SGF and links: reading, writing, and the messages for broken ones.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use engine_core::{Notation, Outcome, Position, Side};
use entry::record::{self, Format, Reading, Record, conformance};
use hex::{Hex, Opening, Swap};
use proptest::prelude::*;

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
    record::read(Format::Hexworld, &Default::default(), text, |reading| {
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
        record::write(Format::Hexworld, &whole).unwrap(),
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
        record::write(Format::Hexworld, &swapped).unwrap(),
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
            "line 1, column 6: expected a cell, :s, :rb or :rw, found \":pa\"",
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
        record::read(Format::Sgf, &Default::default(), &text, |reading| {
            readings.push(reading)
        })
        .unwrap();
        let [reading] = <[_; 1]>::try_from(readings).unwrap();
        let record = reading.faultless().unwrap();
        assert_eq!((record.variant.size, record.variant.swap), (5, swap));
        assert_eq!(record::write(Format::Sgf, &record).unwrap(), text);
    }
}

/// The only game of an SGF.
fn sgf(text: &str) -> Reading<Hex> {
    let mut readings = Vec::new();
    let take = |reading| readings.push(reading);
    record::read(Format::Sgf, &Default::default(), text, take).unwrap();
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
        let written = record::write(Format::Sgf, &record).unwrap();
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
        let refused = record::write(Format::Sgf, &record).unwrap_err().to_string();
        assert!(refused.contains("a position of its own"), "{refused}");
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
            "(;GM[11]RE[B];B[a1])",
            "line 1, column 12: expected B+, W+, 0, Void or ?, found \"B\"",
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
        for format in record::formats::<Hex>() {
            for text in [&text, &link, &sgf] {
                record::read::<Hex>(format, &Default::default(), text, |_| {}).unwrap();
            }
        }
    }
}
