//! Parsers accept any input without a panic, and written text reads back.

use std::collections::BTreeSet;

use engine_core::{Notation, Position, Rng};
use game::Written;
use gomoku::{Action, Gomoku};
use proptest::prelude::*;
use protocol::Protocol;

use crate::common::{after, check_refused, start};

const VARIANTS: [&str; 5] = [
    "{}",
    r#"{"forbidden": "claimed"}"#,
    r#"{"opening": "free", "size": 20}"#,
    r#"{"opening": "free", "size": 6, "forbidden": "claimed"}"#,
    r#"{"opening": "free", "size": 9, "forbidden": "off"}"#,
];

/// The position after some random actions, which may be within a turn, and the next actions of the
/// side to move.
fn reach(variant: usize, seed: u64, actions: usize) -> (Gomoku, Vec<Action>) {
    let mut rng = Rng::new(seed);
    let mut position = start(VARIANTS[variant]);
    let mut play = |position: &mut Gomoku| {
        let moves = position.legal_moves();
        let action = moves[rng.below(moves.len() as u32) as usize];
        position.play(action);
        action
    };
    for _ in 0..actions {
        let before = position.clone();
        play(&mut position);
        if position.outcome().is_some() {
            position = before;
            break;
        }
    }
    let mut after = position.clone();
    let mut turn = vec![play(&mut after)];
    while after.outcome().is_none() && after.side() == position.side() {
        turn.push(play(&mut after));
    }
    (position, turn)
}

/// Nearly valid text, and invalid text.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-tA-T@0-9,/ bwx\"]{0,40}",
        "([a-o][0-9]{1,2}|x[0-9]|swap|pass|claim| ){0,9}",
        "\\PC{0,40}"
    ]
}

proptest! {
    #[test]
    fn no_text_panics(text in any_text(), variant in 0..5usize, actions in 0..60usize) {
        let (position, _) = reach(variant, 1, actions);
        let _ = position.parse_move(&text);
        let _ = position.parse_turn(&text);
        let _ = position.parse_position(&text);
        let _ = position.parse_sau(&text);
    }

    #[test]
    fn turns_round_trip(variant in 0..5usize, seed: u64, actions in 0..60usize) {
        let (position, turn) = reach(variant, seed, actions);
        let text = position.write_turn(&turn);
        prop_assert_eq!(position.parse_turn(&text), Ok(turn.clone()));
        prop_assert_eq!(position.parse_turn(&text.to_uppercase()), Ok(turn.clone()));
        let sau = position.write_sau(&turn);
        prop_assert_eq!(position.parse_sau(&sau), Ok(turn.clone()));
        prop_assert_eq!(position.parse_sau(&sau.to_lowercase()), Ok(turn));
    }

    #[test]
    fn positions_round_trip(variant in 0..5usize, seed: u64, actions in 0..90usize) {
        let (position, _) = reach(variant, seed, actions);
        let text = position.write_position();
        prop_assert_eq!(position.parse_position(&text), Ok(position.clone()));
        prop_assert_eq!(position.parse_position(&text.to_uppercase()), Ok(position));
    }
}

#[test]
fn errors_name_column_and_expectation() {
    let free = after(r#"{"opening": "free"}"#, "h8");
    for (turn, message) in [
        (
            "p1",
            "column 1: expected a column letter a to o, found \"p\"",
        ),
        ("a", "column 2: expected a row 1 to 15, found the end"),
        ("a16", "column 2: expected a row 1 to 15, found \"16\""),
        ("h8", "column 1: expected an empty cell, found \"h8\""),
        (
            "a1b1",
            "column 3: expected nothing more, as the turn is over, found \"b\"",
        ),
        (
            "pass",
            "column 1: expected a cell: a pass is possible only from the sixth stone on, with a \
             prescribed opening, found \"pass\"",
        ),
    ] {
        check_refused(&free, turn, message);
    }
}

#[test]
fn sau_turns() {
    let start = start("{}");
    let opening = start.parse_sau("HHHGJFX3").expect("a turn");
    assert_eq!(start.write_turn(&opening), "h8h9j10x3");
    assert_eq!(start.write_sau(&opening), "HHHGJFX3");
    let offering = after("{}", "h8h9j10x5 g7");
    // The letters of `claim` are two cells.
    let offers = offering.parse_sau("CLAIMAAABB").expect("a turn");
    assert_eq!(offering.write_turn(&offers), "c4a7m15a15b14");
    let position = after(r#"{"forbidden": "claimed"}"#, "h8h9j10x1 swap g7 a1 a1pass");
    let turn = position.parse_sau("pass").expect("a turn");
    assert_eq!(position.write_sau(&turn), "pass");
}

/// All cells of the largest board in all protocols; SAU's letters are A to T.
#[test]
fn every_cell_of_the_largest_board_round_trips() {
    let position = start(r#"{"opening": "free", "size": 20, "forbidden": "off"}"#);
    let actions = position.legal_moves();
    assert_eq!(actions.len(), 400);
    for protocol in Protocol::ALL {
        let dialect = Gomoku::dialect(protocol).expect("a protocol of Gomoku");
        let mut texts = BTreeSet::new();
        for &action in &actions {
            let text = (dialect.write)(&position, &[action]);
            assert_eq!(
                (dialect.parse)(&position, &text),
                Ok(vec![action]),
                "{text}"
            );
            texts.insert(text);
        }
        assert_eq!(texts.len(), 400, "{protocol:?}");
    }
    for (turn, sau, gomocup) in [
        ("a1", "AT", "0,19"),
        ("t1", "TT", "19,19"),
        ("t20", "TA", "19,0"),
        ("i20", "IA", "8,0"),
    ] {
        let actions = position.parse_turn(turn).expect(turn);
        assert_eq!(position.write_sau(&actions), sau);
        let dialect = Gomoku::dialect(Protocol::Gomocup).expect("a protocol of Gomoku");
        assert_eq!((dialect.write)(&position, &actions), gomocup);
    }
    for (turn, message) in [
        (
            "u1",
            "column 1: expected a column letter a to t, found \"u\"",
        ),
        ("t21", "column 2: expected a row 1 to 20, found \"21\""),
    ] {
        check_refused(&position, turn, message);
    }
    assert!(position.parse_sau("AU").is_err() && position.parse_sau("UA").is_err());
}

#[test]
fn faulty_positions() {
    let start = start("{}");
    let empty = |rows: usize| vec!["15"; rows].join("/");
    for (text, message) in [
        (
            format!("{} black", empty(14)),
            "column 42: expected / and the next row, found \" \"",
        ),
        (
            format!("{} red", empty(15)),
            "column 46: expected black or white, found \"r\"",
        ),
        (
            format!("{} white", empty(15)),
            "column 51: expected black to move after 0 stones, found the end",
        ),
        (
            format!("{}/b14 white", empty(14)),
            "column 1: expected at least five stones, or the first of a prescribed opening, found \
             \"other stones\"",
        ),
        (
            "16/15".into(),
            "column 1: expected b, w, or empty cells 1 to 15, found \"16\"",
        ),
        (
            format!("{}/bbbbb10 black exchanged x2", empty(14)),
            "column 66: expected the end of the position, found \" \"",
        ),
        (
            format!("{}/7w7/7bw6/8b6/{} black", empty(6), empty(6)),
            "column 55: expected x and the number of fifth stones, as x2, found the end",
        ),
        (
            format!("{}/7w7/7bw6/8b6/{} white x2 offers a1", empty(6), empty(6)),
            "column 68: expected black to move with fewer than 2 stones offered, or white with 2, \
             found the end",
        ),
        (
            format!("{}/bbbbb2wwwww3 black", empty(14)),
            "column 1: expected at most one colour with five in a row, found \"two winners\"",
        ),
    ] {
        let error = start.parse_position(&text).expect_err(&text);
        assert_eq!(error.to_string(), message, "{text}");
    }
}
