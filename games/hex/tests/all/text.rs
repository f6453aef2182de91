//! Parsers accept any input without a panic, written text reads back, and errors give column and
//! expectation.

use engine_core::{Notation, Position, Rng};
use game::{Drawn, Game, turn};
use hex::{Action, Hex, Opening, Swap, Variant};
use proptest::prelude::*;

use crate::common::start;

/// A position some random actions after the start.
fn after(size: u8, opening: &str, actions: usize, seed: u64) -> Hex {
    let mut position = start(&format!(
        r#"{{"size": {size}, "opening": {opening}, "swap": "swap-sides"}}"#
    ));
    let mut rng = Rng::new(seed);
    for _ in 0..actions {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        position.play(legal[rng.below(legal.len() as u32) as usize]);
    }
    position
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in ".*") {
        for opening in ["\"free\"", "\"swap\""] {
            let position = after(5, opening, 1, 1);
            let _ = position.parse_move(&text);
            let _ = position.parse_turn(&text);
            let _ = position.parse_sau(&text);
            let _ = position.parse_position(&text);
            let _ = serde_json::from_str::<Variant>(&text);
        }
    }

    #[test]
    fn text_near_the_grammar_is_read_without_panic(
        text in "[a-fA-FrRbB0-9/é ]{0,12}|(s|S)wap[-a-z]{0,8}|[0-9rb/]{5,20} [rb]( exchanged)?x?"
    ) {
        let position = after(5, "\"swap\"", 1, 1);
        if let Ok(action) = position.parse_move(&text) {
            prop_assert!(position.is_legal(action));
        }
        if let Ok(actions) = position.parse_sau(&text) {
            prop_assert!(position.is_legal(actions[0]));
        }
        if let Ok(read) = position.parse_position(&text) {
            prop_assert_eq!(position.parse_position(&read.write_position()), Ok(read));
        }
    }

    #[test]
    fn what_is_written_is_read(size in 2u8..=19, actions in 0usize..60, seed: u64, swap: bool) {
        let opening = if swap { "\"swap\"" } else { "\"free\"" };
        let position = after(size, opening, actions, seed);
        prop_assert_eq!(&position.parse_position(&position.write_position()).unwrap(), &position);
        for action in position.legal_moves() {
            prop_assert_eq!(position.parse_move(&position.write_move(action)), Ok(action));
            let sau = position.write_sau(&[action]);
            prop_assert_eq!(position.parse_sau(&sau), Ok(vec![action]));
            prop_assert_eq!(position.parse_sau(&sau.to_lowercase()), Ok(vec![action]));
        }
    }

    #[test]
    fn variants_round_trip(size in 2u8..=19, column in 0u8..19, row in 0u8..19, kind in 0..3, sides: bool) {
        let variant = Variant {
            size,
            opening: match kind {
                0 => Opening::Free,
                1 => Opening::Swap,
                _ => Opening::Forced(hex::Cell::new(column, row)),
            },
            swap: if sides { Swap::Sides } else { Swap::Pieces },
        };
        let text = serde_json::to_string(&variant).unwrap();
        prop_assert_eq!(serde_json::from_str::<Variant>(&text).unwrap(), variant);
    }
}

#[test]
fn actions_read_as_they_are_written() {
    let position = start("{}");
    let cell = |column, row| Action::Place(hex::Cell::new(column, row));
    for (text, sau, action) in [
        ("c2", "CB", cell(2, 1)),
        ("a1", "AA", cell(0, 0)),
        ("k11", "KK", cell(10, 10)),
        ("b10", "BJ", cell(1, 9)),
    ] {
        assert_eq!(position.write_move(action), text);
        assert_eq!(position.write_sau(&[action]), sau);
        assert_eq!(position.parse_move(&text.to_uppercase()), Ok(action));
        assert_eq!(position.parse_sau(sau), Ok(vec![action]));
    }
}

#[test]
fn errors_say_where_and_what() {
    let mut position = start("{}");
    turn::play_words(&mut position, "c2").unwrap();
    let check = |text: &str, message: &str| {
        assert_eq!(position.parse_move(text).unwrap_err().to_string(), message);
    };
    check(
        "",
        "column 1: expected a column letter a to k, found the end",
    );
    check(
        "l1",
        "column 1: expected a column letter a to k, found \"l\"",
    );
    check(
        "é1",
        "column 1: expected a column letter a to k, found \"é\"",
    );
    check("a", "column 2: expected a row 1 to 11, found the end");
    check("a12", "column 2: expected a row 1 to 11, found \"12\"");
    check("a01", "column 2: expected a row 1 to 11, found \"01\"");
    check("a+1", "column 2: expected a row 1 to 11, found \"+\"");
    check("a1x", "column 3: expected the end, found \"x\"");
    check("C2", "column 1: expected an empty cell, found \"C2\"");
    check(
        "swap",
        "column 1: expected a stone, as no swap is possible here, found \"swap\"",
    );
    let sau = |text| position.parse_sau(text).unwrap_err().to_string();
    assert_eq!(
        sau("A"),
        "column 2: expected a row letter a to k, found the end"
    );
    assert_eq!(sau("ABC"), "column 3: expected the end, found \"C\"");
    assert_eq!(sau("CB"), "column 1: expected an empty cell, found \"CB\"");
}

#[test]
fn errors_in_positions_say_where_and_what() {
    let position = start(r#"{"size": 3}"#);
    let check = |text: &str, message: &str| {
        let error = position.parse_position(text).unwrap_err();
        assert_eq!(error.to_string(), message);
    };
    check("3/3", "column 4: expected / and row 3, found the end");
    check(
        "3/4/3 r",
        "column 3: expected r, b or 1 to 3 empty cells in row 2, found \"4\"",
    );
    check(
        "r3/3/3 r",
        "column 2: expected r, b or 1 to 2 empty cells in row 1, found \"3\"",
    );
    check(
        "3/1x1/3 r",
        "column 4: expected r, b or 1 to 2 empty cells in row 2, found \"x\"",
    );
    check(
        "3/3/3",
        "column 6: expected a blank and the colour to move, found the end",
    );
    check(
        "3/3/3 g",
        "column 7: expected the colour to move, r or b, found \"g\"",
    );
    check(
        "3/3/3 r exchanged",
        "column 8: expected the end, as the variant has no swap of sides, found \" \"",
    );
}

#[test]
fn swaps_are_spelled_as_the_variant_has_them() {
    for (kind, other) in [("swap-pieces", "swap-sides"), ("swap-sides", "swap-pieces")] {
        let mut position = start(&format!(r#"{{"opening": "swap", "swap": "{kind}"}}"#));
        turn::play_words(&mut position, "c2").unwrap();
        for spelling in ["swap", "SWAP", kind, &kind.to_uppercase()] {
            assert_eq!(
                position.parse_move(spelling),
                Ok(Action::Swap),
                "{spelling}"
            );
            assert_eq!(position.parse_sau(spelling), Ok(vec![Action::Swap]));
        }
        assert_eq!(
            position.parse_move(other).unwrap_err().to_string(),
            format!("column 1: expected swap or {kind}, which the variant has, found {other:?}")
        );
    }
}

#[test]
fn openings_have_exactly_three_forms() {
    let read = |text: &str| serde_json::from_str::<Variant>(text);
    let opening = |text: &str| read(&format!(r#"{{"opening": {text}}}"#)).map(|v| v.opening);
    let forced = Opening::Forced(hex::Cell::new(2, 1));
    assert_eq!(opening("\"free\"").unwrap(), Opening::Free);
    assert_eq!(opening("\"swap\"").unwrap(), Opening::Swap);
    assert_eq!(opening(r#"{"forced": "C2"}"#).unwrap(), forced);
    assert_eq!(opening(r#"{"forced": "c2"}"#).unwrap(), forced);
    for wrong in [
        "\"Free\"",
        "1",
        "null",
        "{}",
        "[]",
        r#"{"free": null}"#,
        r#"{"swap": null}"#,
        r#"{"forced": "t1"}"#,
        r#"{"forced": "a20"}"#,
        r#"{"forced": 5}"#,
        r#"{"forced": "c2", "swap": true}"#,
    ] {
        assert!(opening(wrong).is_err(), "{wrong}");
    }
    for wrong in [
        r#"{"swap": "sides"}"#,
        r#"{"swap": {"swap-sides": null}}"#,
        r#"{"sizes": 5}"#,
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn variants_that_do_not_exist_are_refused() {
    for wrong in [
        r#"{"size": 1}"#,
        r#"{"size": 20}"#,
        r#"{"size": 5, "opening": {"forced": "f1"}}"#,
    ] {
        let variant = serde_json::from_str(wrong).unwrap();
        assert!(Hex::start(&variant).is_err(), "{wrong}");
    }
}

#[test]
fn the_board_is_drawn_with_its_coordinates() {
    let mut position = start(r#"{"size": 3, "opening": "swap", "swap": "swap-sides"}"#);
    turn::play_words(&mut position, "c1 swap a3").unwrap();
    assert_eq!(
        position.draw(),
        concat!(
            "   a b c\n",
            " 1 . . R 1\n",
            "  2 . . . 2\n",
            "   3 B . . 3\n",
            "     a b c\n",
            "Colours exchanged: First plays blue, Second red.\n",
        )
    );
    assert_eq!(position.write_position(), "2r/3/b2 r exchanged");
}
