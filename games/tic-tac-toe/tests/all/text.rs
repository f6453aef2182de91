//! Parsers accept any input without a panic, written text reads back, and errors give column and
//! expectation.

use engine_core::Notation;
use game::turn;
use proptest::prelude::*;
use tic_tac_toe::{Cell, TicTacToe, Variant};

fn after(words: &str) -> TicTacToe {
    let mut position = TicTacToe::default();
    turn::play_words(&mut position, words).expect("legal cells");
    position
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in ".*") {
        let position = after("b2");
        let _ = position.parse_move(&text);
        let _ = position.parse_turn(&text);
        let _ = position.parse_sau(&text);
        let _ = position.parse_position(&text);
        let _ = serde_json::from_str::<Variant>(&text);
    }

    #[test]
    fn positions_that_are_nearly_right_are_read_without_panic(text in "[xo1-4/ ]{0,14}") {
        if let Ok(position) = after("b2").parse_position(&text) {
            let written = position.write_position();
            prop_assert_eq!(after("").parse_position(&written), Ok(position));
        }
    }
}

#[test]
fn cells_read_as_they_are_written() {
    let position = TicTacToe::default();
    for (text, sau, cell) in [
        ("a1", "AC", Cell::new(0, 0)),
        ("c1", "CC", Cell::new(2, 0)),
        ("b3", "BA", Cell::new(1, 2)),
    ] {
        assert_eq!(position.write_move(cell), text);
        assert_eq!(position.write_sau(&[cell]), sau);
        assert_eq!(position.parse_move(&text.to_uppercase()), Ok(cell));
        assert_eq!(position.parse_sau(&sau.to_lowercase()), Ok(vec![cell]));
    }
}

#[test]
fn errors_say_where_and_what() {
    let position = after("b2");
    let check = |text: &str, message: &str| {
        assert_eq!(position.parse_move(text).unwrap_err().to_string(), message);
    };
    check(
        "",
        "column 1: expected a column letter a to c, found the end",
    );
    check(
        "d1",
        "column 1: expected a column letter a to c, found \"d\"",
    );
    check(
        "é1",
        "column 1: expected a column letter a to c, found \"é\"",
    );
    check("a", "column 2: expected a row 1 to 3, found the end");
    check("a4", "column 2: expected a row 1 to 3, found \"4\"");
    check("a1x", "column 3: expected the end, found \"x\"");
    check("B2", "column 1: expected an empty cell, found \"B2\"");
    let sau = |text| position.parse_sau(text).unwrap_err().to_string();
    assert_eq!(
        sau("A"),
        "column 2: expected a row letter a to c, found the end"
    );
    assert_eq!(sau("BB"), "column 1: expected an empty cell, found \"BB\"");
    let over = after("a1 a2 b1 b2 c1").parse_move("c3").unwrap_err();
    let message = "column 1: expected nothing, as the game is over, found \"c3\"";
    assert_eq!(over.to_string(), message);
}

#[test]
fn errors_in_positions_say_where_and_what() {
    let check = |text: &str, message: &str| {
        let error = TicTacToe::default().parse_position(text).unwrap_err();
        assert_eq!(error.to_string(), message);
    };
    check(
        "3/3",
        "column 4: expected / and the next row, found the end",
    );
    check(
        "4/3/3 x",
        "column 1: expected x, o or 1 to 3 empty cells in row 3, found \"4\"",
    );
    check(
        "x3/3/3 x",
        "column 2: expected x, o or 1 to 2 empty cells in row 3, found \"3\"",
    );
    check(
        "3/3/1b1 x",
        "column 6: expected x, o or 1 to 2 empty cells in row 1, found \"b\"",
    );
    check(
        "3/3/3",
        "column 6: expected a blank and the side to move, found the end",
    );
    check(
        "3/3/3 b",
        "column 7: expected the side to move, x or o, found \"b\"",
    );
    check("3/3/3 xx", "column 8: expected the end, found \"x\"");
    let both = "column 1: expected at most one side with three in a row, found \"xxx/ooo/3 x\"";
    check("xxx/ooo/3 x", both);
}

#[test]
fn there_are_no_settings() {
    assert!(serde_json::from_str::<Variant>("{}").is_ok());
    let error = serde_json::from_str::<Variant>(r#"{"size":3}"#).unwrap_err();
    assert!(
        error.to_string().contains("unknown field `size`"),
        "{error}"
    );
}
