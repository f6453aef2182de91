//! Records: reading, writing, and the messages for broken ones.

use engine_core::{Outcome, Side};
use proptest::prelude::*;
use records::{Format, conformance, formats};
use tic_tac_toe::TicTacToe;

/// Crosses take the bottom row.
const SHORT: &str = "{[TTT][甲队 X][乙队 O][先手胜][2025.01.01 14:00 重庆][2025];\
X(A,1);O(A,3);X(B,1);O(B,3);X(C,1)}\n";

#[track_caller]
fn check_fault(from: &str, to: &str, message: &str) {
    conformance::check_fault::<TicTacToe>(SHORT, from, to, message);
}

#[test]
fn a_record_is_written_as_it_was_read_and_read_beside_others() {
    conformance::check::<TicTacToe>(SHORT, ("O(B,3)", "O(A,1)"));
}

#[test]
fn the_header_is_understood() {
    let record = conformance::faultless::<TicTacToe>(SHORT);
    assert_eq!(record.header.teams, ["甲队", "乙队"]);
    assert_eq!(record.header.result, Some(Outcome::Win(Side::First)));
    assert_eq!(record.events.len(), 5);
}

#[test]
fn faults_are_reported_with_their_place() {
    let at = SHORT
        .find("O(A,3)")
        .map(|at| SHORT[..at].chars().count() + 1);
    let place = format!("line 1, column {}: expected ", at.expect("it is there"));
    check_fault(
        "O(A,3)",
        "O(A,1)",
        &(place.clone() + "an empty cell, found \"O(A,1)\""),
    );
    check_fault(
        "O(A,3)",
        "O(D,1)",
        &(place.clone() + "a column letter a to c, found \"O(D,1)\""),
    );
    let side = "a move of noughts, whose turn it is, found \"X(A,3)\"";
    check_fault("O(A,3)", "X(A,3)", &(place + side));
    check_fault(
        "[TTT]",
        "[C6]",
        "line 1, column 3: expected the code TTT, found \"C6\"",
    );
}

#[test]
fn sgf_and_links_have_no_tic_tac_toe() {
    use Format::{Contest, Moves, Numbered, Sau, Table};
    let known = [Contest, Sau, Moves, Numbered, Table];
    assert_eq!(formats::<TicTacToe>(), known);
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in "[XO(),;{}a-c1-3\\PC]{0,60}") {
        for reading in conformance::readings::<TicTacToe>(&text) {
            prop_assert!(reading.record.events.len() <= 9);
        }
    }
}
