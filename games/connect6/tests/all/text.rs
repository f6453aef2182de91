//! Parsers accept any input without a panic, and written text reads back.

use connect6::{Connect6, Stone};
use engine_core::{Notation, Playout, Position, Rng};
use proptest::prelude::*;

/// The position after some random stones, and the stones of the next turn.
fn reach(size: u8, seed: u64, stones: usize) -> (Connect6, Vec<Stone>) {
    let mut rng = Rng::new(seed);
    let mut position = Connect6::new(size);
    let mut random = connect6::Random::default();
    let mut play = |position: &mut Connect6| {
        let stone = random.choose(position, &mut rng);
        position.play(stone);
        stone
    };
    for _ in 0..stones {
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
    prop_oneof!["[a-tA-T@0-9,/ bw\"]{0,40}", "\\PC{0,40}"]
}

proptest! {
    #[test]
    fn no_text_panics(text in any_text(), size in 6..=19u8, stones in 0..60usize) {
        let (position, _) = reach(size, 1, stones);
        let _ = position.parse_move(&text);
        let _ = position.parse_turn(&text);
        let _ = position.parse_position(&text);
        let _ = position.parse_sau(&text);
    }

    #[test]
    fn turns_round_trip(size in 6..=19u8, seed: u64, stones in 0..120usize) {
        let (position, turn) = reach(size, seed, stones);
        let text = position.write_turn(&turn);
        prop_assert_eq!(position.parse_turn(&text), Ok(turn.clone()));
        prop_assert_eq!(position.parse_turn(&text.to_uppercase()), Ok(turn.clone()));
        let sau = position.write_sau(&turn);
        prop_assert_eq!(position.parse_sau(&sau), Ok(turn.clone()));
        prop_assert_eq!(position.parse_sau(&sau.to_lowercase()), Ok(turn));
    }

    #[test]
    fn positions_round_trip(size in 6..=19u8, seed: u64, stones in 0..200usize) {
        let (position, _) = reach(size, seed, stones);
        let text = position.write_position();
        prop_assert_eq!(position.parse_position(&text), Ok(position.clone()));
        prop_assert_eq!(position.parse_position(&text.to_uppercase()), Ok(position));
    }
}

#[track_caller]
fn check_error(result: Result<impl std::fmt::Debug, engine_core::ParseError>, message: &str) {
    assert_eq!(result.expect_err(message).to_string(), message);
}

#[test]
fn errors_name_column_and_expectation() {
    let mut position = Connect6::new(19);
    check_error(
        position.parse_move("t1"),
        "column 1: expected a column letter a to s, found \"t\"",
    );
    check_error(
        position.parse_move("a"),
        "column 2: expected a row 1 to 19, found the end",
    );
    check_error(
        position.parse_move("a20"),
        "column 2: expected a row 1 to 19, found \"20\"",
    );
    check_error(
        position.parse_move("a0"),
        "column 2: expected a row 1 to 19, found \"0\"",
    );
    check_error(
        position.parse_move("a1b"),
        "column 3: expected the end of the stone, found \"b\"",
    );
    check_error(
        position.parse_turn("j10k10"),
        "column 4: expected nothing more, as the turn is over, found \"k\"",
    );
    position.play(position.parse_move("j10").unwrap());
    check_error(
        position.parse_turn("k10j10"),
        "column 4: expected an empty cell, found \"j10\"",
    );
    check_error(
        position.parse_turn("k10k10"),
        "column 4: expected an empty cell, found \"k10\"",
    );
    check_error(
        position.parse_turn(""),
        "column 1: expected a column letter a to s, found the end",
    );
}

#[test]
fn sau_turns() {
    let mut position = Connect6::new(19);
    let first = position.parse_sau("JJ@@").unwrap();
    assert_eq!(position.parse_sau("JJ"), Ok(first.clone()));
    assert_eq!(position.write_turn(&first), "j10");
    assert_eq!(position.write_sau(&first), "JJ@@");
    position.play(first[0]);
    let turn = position.parse_turn("k11i11").unwrap();
    assert_eq!(position.write_sau(&turn), "KIII");
    check_error(
        position.parse_sau("KI@@"),
        "column 3: expected a column letter a to s, found \"@\"",
    );
    check_error(
        position.parse_sau("KIJJ"),
        "column 3: expected an empty cell, found \"JJ\"",
    );
    check_error(
        position.parse_sau("KT"),
        "column 2: expected a row letter a to s, found \"T\"",
    );
    check_error(
        position.parse_sau("KIIIAA"),
        "column 5: expected nothing more, as the turn is over, found \"A\"",
    );
    check_error(
        Connect6::new(19).parse_sau("JJ@"),
        "column 4: expected @@ for the stone not played, found the end",
    );
    check_error(
        Connect6::new(19).parse_sau("JJ@@A"),
        "column 5: expected the end of the turn, found \"A\"",
    );
}

#[test]
fn a_six_with_the_first_stone_ends_the_turn_in_both_grammars() {
    let position = Connect6::new(6)
        .parse_position("6/6/6/6/6/bbbbb1 black 2")
        .unwrap();
    let won = position.parse_turn("f1").unwrap();
    assert_eq!(position.parse_sau("FF@@"), Ok(won.clone()));
    assert_eq!(position.parse_sau("FF"), Ok(won.clone()));
    assert_eq!(position.parse_sau("FFAA"), Ok(won));
    check_error(
        position.parse_sau("FFAF"),
        "column 3: expected an empty cell, found \"AF\"",
    );
    check_error(
        position.parse_sau("FFFF"),
        "column 3: expected an empty cell, found \"FF\"",
    );
    check_error(
        position.parse_sau("FFAABB"),
        "column 5: expected the end of the turn, found \"B\"",
    );
    check_error(
        position.parse_turn("f1f2"),
        "column 3: expected nothing more, as the game is over, found \"f\"",
    );
}

#[test]
fn faulty_positions() {
    let start = Connect6::new(6);
    for (text, message) in [
        (
            "6/6/6/6/6/6",
            "column 12: expected a blank and the side to move, found the end",
        ),
        (
            "6/6/6",
            "column 6: expected / and the next row, found the end",
        ),
        (
            "7/6",
            "column 1: expected b, w, or empty cells 1 to 6, found \"7\"",
        ),
        (
            "b6/6",
            "column 2: expected b, w, or empty cells 1 to 5, found \"6\"",
        ),
        (
            "6/6/6/6/6/6 red 2",
            "column 13: expected black or white, found \"red\"",
        ),
        (
            "6/6/6/6/6/6 white\t1",
            "column 18: expected a blank and the stones left in the turn, found \"\\t\"",
        ),
        (
            "6/6/6/6/6/6 white 3",
            "column 19: expected stones left in the turn, 1 to 2, found \"3\"",
        ),
        (
            "6/6/6/6/6/6 white 1 ",
            "column 20: expected the end of the position, found \" \"",
        ),
        (
            "bbbbbb/6/6/6/6/wwwwww white 1",
            "column 1: expected at most one side with six in a row, found \"two winners\"",
        ),
    ] {
        check_error(start.parse_position(text), message);
    }
}
