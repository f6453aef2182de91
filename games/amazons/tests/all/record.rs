//! Contest records: reading, writing, and the messages for broken ones.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use amazons::Amazons;
use proptest::prelude::*;
use records::{self, Format, Reading, Record, conformance};

const SHORT: &str = "#[AM][先手队 B][后手队 W][后手胜][2024.05.01 14:00 辽宁][2024];\n\
1 d1d7(g7) a7d4(d5)\n2 g1g3(b3)\n";
const BREAK: (&str, &str) = ("a7d4(d5)", "a7d7(d5)");

#[track_caller]
fn faultless(text: &str) -> Record<Amazons> {
    conformance::faultless(text)
}

#[track_caller]
fn check_fault(from: &str, to: &str, message: &str) {
    conformance::check_fault::<Amazons>(SHORT, from, to, message);
}

#[test]
fn a_record_is_written_as_it_was_read_and_read_beside_others() {
    conformance::check::<Amazons>(SHORT, BREAK);
}

#[test]
fn lenient_readings_give_the_same_game() {
    let record = faultless(SHORT);
    for (from, to) in [
        ("1 d1", "1. d1"),
        ("1 d1", "d1"),
        ("\n2 g1", " 2 g1"),
        (") a7", ")a7"),
        ("d1d7(g7)", "D1-D7（G7）"),
        ("d1d7(g7)", "d1 d7 (g7)"),
        (" B]", "]"),
        ("#[", "＃["),
        ("];\n", "]\n\n"),
    ] {
        assert!(SHORT.contains(from), "{from}");
        assert_eq!(faultless(&SHORT.replace(from, to)), record, "{to}");
    }
    let (_, turns) = SHORT.split_once('\n').unwrap();
    assert_eq!(faultless(turns).events, record.events);
}

#[test]
fn faults_are_reported_with_their_place() {
    check_fault(
        "[AM]",
        "[WTN]",
        "line 1, column 3: expected the code AM, found \"WTN\"",
    );
    check_fault(
        "a7d4(d5)",
        "a7d7(d5)",
        "line 2, column 12: expected a square that the amazon on a7 can reach, found \"a7d7(d5)\"",
    );
    check_fault(
        "a7d4(d5)",
        "a7d4(g7)",
        "line 2, column 12: expected a square that an arrow from d4 can reach, found \"a7d4(g7)\"",
    );
    check_fault(
        "a7d4(d5)",
        "a4d4(d5)",
        "line 2, column 12: expected the square of a white amazon, found \"a4d4(d5)\"",
    );
    check_fault(
        "a7d4(d5)",
        "a7d4",
        "line 3, column 1: expected '(' and the square of the arrow, found \"2\"",
    );
    check_fault(
        "a7d4(d5)",
        "",
        "line 3, column 1: expected the turn of the other side in the same line, found \"2\"",
    );
    check_fault(
        "2 g1",
        "3 g1",
        "line 3, column 1: expected the number 2, found \"3\"",
    );
    check_fault(
        "g1g3(b3)",
        "g1g3(b3",
        "line 3, column 10: expected ')' after the arrow, found the end",
    );
    check_fault(
        "g1g3(b3)",
        "g1(b3)",
        "line 3, column 5: expected the square that the amazon goes to, as d7, found \"(b3)\"",
    );
}

/// A whole game on a small board: black encloses white.
const OVER: &str = "#[AM][a B][b W][先手胜][][];\n1 a1b1(b2) c1c2(c1)\n2 b1a1(b1)\n";

fn fault_on_small_board(text: &str) -> Option<String> {
    let variant = serde_json::json!({"columns": 3, "rows": 2, "first": ["a1"], "second": ["c1"]});
    let variant = serde_json::from_value(variant).unwrap();
    let mut faults = Vec::new();
    let take =
        |reading: Reading<Amazons>| faults.push(reading.fault.map(|fault| fault.to_string()));
    records::read(Format::Contest, &variant, text, take).unwrap();
    faults.remove(0)
}

#[test]
fn the_end_and_the_result_must_fit() {
    assert_eq!(fault_on_small_board(OVER), None);
    let lost = fault_on_small_board(&OVER.replace("先手胜", "后手胜"));
    let message = "line 1, column 17: expected a win of black, because the game ended: all amazons blocked, found \"后手胜\"";
    assert_eq!(lost.as_deref(), Some(message));
    let after = fault_on_small_board(&OVER.replace("(b1)", "(b1) c2c1(c2)"));
    let message = "line 3, column 12: expected nothing more, as the game is over: all amazons blocked, found \"c2c1(c2)\"";
    assert_eq!(after.as_deref(), Some(message));
}

proptest! {
    #[test]
    fn no_text_panics(
        text in prop_oneof!["[a-k0-9(). #;\n\\[\\]]{0,60}", "\\PC{0,40}"],
        turns in "(#\\[AM\\];)?([12] [a-j][0-9]{1,2}[a-j][0-9]{1,2}\\([a-j][0-9]{1,2}\\)\n?){0,9}",
    ) {
        for format in records::formats::<Amazons>() {
            for text in [&text, &turns] {
                records::read::<Amazons>(format, &Default::default(), text, |_| {}).unwrap();
            }
        }
    }
}
