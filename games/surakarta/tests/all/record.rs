//! Contest records: reading, writing, and the messages for broken ones.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use proptest::prelude::*;
use records::{self, Reading, Record, conformance};
use surakarta::Surakarta;

const SHORT: &str = "#2019-08-08 14:00:00|北京\n!BBBBBB\n!BBBBBB\n!000000\n!000000\n!RRRRRR\n!RRRRRR\n\
B2B-3B\nR5A-4B\nB3B-3A\n";
const BREAK: (&str, &str) = ("R5A-4B", "R5A-3B");

fn read(text: &str) -> Vec<Reading<Surakarta>> {
    conformance::readings(text)
}

#[track_caller]
fn faultless(text: &str) -> Record<Surakarta> {
    conformance::faultless(text)
}

#[track_caller]
fn check_fault(from: &str, to: &str, message: &str) {
    conformance::check_fault::<Surakarta>(SHORT, from, to, message);
}

#[test]
fn a_record_is_written_as_it_was_read_and_read_beside_others() {
    conformance::check::<Surakarta>(SHORT, BREAK);
}

#[test]
fn lenient_readings_give_the_same_game() {
    let record = faultless(SHORT);
    for (from, to) in [
        ("-3B", " - 3b"),
        ("R5A", "r5a"),
        ("!", "！"),
        ("\n", ";\n"),
        ("\n", "\n\n"),
    ] {
        let text = SHORT.replace(from, to);
        let text = text
            .replace("北京;", "北京")
            .replace("B;\n!", "B\n!")
            .replace("0;\n!", "0\n!")
            .replace("R;\n", "R\n");
        assert_eq!(faultless(&text), record, "{to}");
    }
    // Rows counted from the bottom.
    let (head, _) = SHORT.split_once("B2B").unwrap();
    let from_bottom = format!("{head}B5B-4B\nR2A-3B\nB4B-4A\n");
    assert_eq!(faultless(&from_bottom), record);
}

#[test]
fn captures_have_their_own_sign() {
    let text = SHORT.replace("B3B-3A", "B3B-3C\nR5FxNN");
    let fault = read(&text)[0].fault.clone().unwrap();
    assert_eq!(
        fault.to_string(),
        "line 11, column 1: expected a column a to f, found \"R5FxNN\""
    );
}

#[test]
fn faults_are_reported_with_their_place() {
    check_fault(
        "!000000",
        "!00000B",
        "line 4, column 1: expected !000000, the row of the first position, found \"!00000B\"",
    );
    check_fault(
        "!RRRRRR\n!RRRRRR\n",
        "!RRRRRR\n",
        "line 7, column 1: expected !RRRRRR, the next row of the board, found \"B2B-3B\"",
    );
    check_fault(
        "R5A-4B",
        "R5A",
        "line 9, column 1: expected a turn, as B2A-3B or R5Cx2C, found \"R5A\"",
    );
    check_fault(
        "R5A-4B",
        "R5A-3B",
        "line 9, column 1: expected an enemy piece that the piece reaches through an arc, found \"R5A-3B\"",
    );
    check_fault(
        "R5A-4B",
        "B5A-4B",
        "line 9, column 1: expected a move of white, whose turn it is, found \"B5A-4B\"",
    );
}

proptest! {
    #[test]
    fn no_text_panics(
        text in prop_oneof!["[BR1-6A-Fx#!0-9|\n-]{0,60}", "\\PC{0,40}"],
        turns in "([BR][1-6][A-F][-x][1-6][A-F]\n){0,9}",
    ) {
        for format in records::formats::<Surakarta>() {
            for text in [&text, &turns] {
                records::read::<Surakarta>(format, &Default::default(), text, |_| {}).unwrap();
            }
        }
    }
}
