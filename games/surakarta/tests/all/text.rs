//! Parsers accept any input without a panic, and written text reads back.

use engine_core::{Notation, Playout, Position, Rng, UniformPlayout};
use proptest::prelude::*;
use surakarta::{Surakarta, Variant};

fn start() -> Surakarta {
    Surakarta::new(Variant::default())
}

/// A position after some random plies, or at the end of the game if earlier.
fn random_position(seed: u64, plies: u32) -> Surakarta {
    let (mut position, mut rng) = (start(), Rng::new(seed));
    for _ in 0..plies {
        if position.outcome().is_some() {
            break;
        }
        let mv = UniformPlayout::default().choose(&position, &mut rng);
        position.play(mv);
    }
    position
}

fn parse_all(position: &Surakarta, text: &str) {
    let length = text.chars().count();
    let errors = [
        position.parse_move(text).err(),
        position.parse_turn(text).err(),
        position.parse_position(text).err(),
        position.parse_sau(text).err(),
    ];
    for error in errors.into_iter().flatten() {
        assert!(
            (1..=length + 1).contains(&error.column),
            "{error} in {text:?}"
        );
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in any::<String>()) {
        parse_all(&start(), &text);
    }

    #[test]
    fn text_like_moves_is_read_without_panic(text in "[a-gA-G0-7x-]{0,6}", seed: u64) {
        parse_all(&random_position(seed, 40), &text);
    }

    #[test]
    fn text_like_positions_is_read_without_panic(
        text in "([bw1-6]{1,6}/){5}[bw1-6]{1,6} [bw] -?[0-9]{1,12}",
    ) {
        parse_all(&start(), &text);
    }

    #[test]
    fn what_is_written_is_read_again(seed: u64, plies in 0..260u32) {
        let position = random_position(seed, plies);
        let text = position.write_position();
        for spelling in [text.clone(), text.to_uppercase()] {
            let read = start().parse_position(&spelling).unwrap();
            prop_assert_eq!(read.write_position(), text.clone());
            prop_assert_eq!(read.key(), position.key());
        }
        for mv in position.legal_moves() {
            let written = position.write_move(mv);
            prop_assert_eq!(position.parse_move(&written), Ok(mv));
            let sau = position.write_sau(&[mv]);
            prop_assert_eq!(position.parse_sau(&sau), Ok(vec![mv]));
            prop_assert_eq!(position.parse_sau(&sau.to_lowercase()), Ok(vec![mv]));
        }
    }
}

/// The parser's message for a faulty text.
fn complaint<T: std::fmt::Debug>(read: Result<T, engine_core::ParseError>) -> String {
    read.expect_err("a fault").to_string()
}

#[test]
fn errors_say_column_and_expectation() {
    let position = start();
    for (text, expected) in [
        ("", "column 1: expected a column a to f, found the end"),
        ("b7-b4", "column 2: expected a row 1 to 6, found \"7\""),
        (
            "b5=b4",
            "column 3: expected '-' for a step or 'x' for a capture, found \"=\"",
        ),
        ("b5-b44", "column 6: expected the end, found \"4\""),
        (
            "b3-b4",
            "column 1: expected a point with a black piece, found \"b3\"",
        ),
        (
            "b5-b3",
            "column 4: expected an empty neighbour of the piece, found \"b3\"",
        ),
        (
            "b5-b6",
            "column 4: expected an empty point or an enemy piece, found \"b6\"",
        ),
        (
            "b5xb2",
            "column 4: expected an enemy piece that the piece reaches through an arc, found \"b2\"",
        ),
        (
            "b5xb4",
            "column 3: expected '-', as the target is empty, found \"x\"",
        ),
    ] {
        assert_eq!(complaint(position.parse_move(text)), expected, "{text:?}");
    }
    let over = position.parse_position("b5/6/6/6/6/6 b 0").unwrap();
    let expected = "column 1: expected nothing, as the game is over, found \"a6-a5\"";
    assert_eq!(complaint(over.parse_move("a6-a5")), expected);
    for (text, expected) in [
        ("B", "column 2: expected a row A to F, found the end"),
        ("BBBG", "column 4: expected a row A to F, found \"G\""),
        (
            "BBBD",
            "column 3: expected an empty neighbour of the piece, found \"BD\"",
        ),
    ] {
        assert_eq!(complaint(position.parse_sau(text)), expected, "{text:?}");
    }
    for (text, expected) in [
        (
            "bbbbbb/7",
            "column 8: expected b, w or 1 to 6 for empty points, found \"7\"",
        ),
        (
            "bbbb3",
            "column 5: expected b, w or 1 to 2 for empty points, found \"3\"",
        ),
        (
            "6/6/6/6/6/6 b 0",
            "column 1: expected a piece, found \"6/6/6/6/6/6 b 0\"",
        ),
        (
            "6/6/6/6/6/5b x 0",
            "column 14: expected the side to move, b or w, found \"x\"",
        ),
        (
            "6/6/6/6/6/5b b +1",
            "column 16: expected the plies since the last capture, as a number, found \"+1\"",
        ),
        (
            "bbbbbb/bbbbbb/b5/6/6/6 w 0",
            "column 1: expected at most 12 black pieces, found \"bbbbbb/bbbbbb/b5/6/6/6 w 0\"",
        ),
    ] {
        assert_eq!(
            complaint(position.parse_position(text)),
            expected,
            "{text:?}"
        );
    }
}
