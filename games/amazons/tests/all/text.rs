//! Parsers accept any input without a panic, and written text reads back.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use amazons::{Amazons, Random, Variant};
use engine_core::{Notation, Playout, Position, Rng};
use proptest::prelude::*;

fn boards() -> impl Strategy<Value = Amazons> {
    let variants = [
        "{}",
        r#"{"size":8}"#,
        r#"{"size":6}"#,
        r#"{"columns":9,"rows":2,"first":["a1"],"second":["i2","i1"]}"#,
    ];
    (0..variants.len(), 0..60, any::<u64>()).prop_map(move |(number, turns, seed)| {
        let variant: Variant = serde_json::from_str(variants[number]).unwrap();
        let mut position = variant.start().unwrap();
        let mut rng = Rng::new(seed);
        for _ in 0..turns {
            if position.outcome().is_some() {
                break;
            }
            position.play(Random.choose(&position, &mut rng));
        }
        position
    })
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(position in boards(), text in "\\PC*") {
        let _ = position.parse_move(&text);
        let _ = position.parse_turn(&text);
        let _ = position.parse_sau(&text);
        let _ = position.parse_position(&text);
        let _ = serde_json::from_str::<Variant>(&text);
    }

    #[test]
    fn nearly_moves_are_read_without_panic(
        position in boards(),
        text in "[a-kA-K]?[0-9]{0,3}-?[a-k]?[0-9é]{0,2}-[a-k][0-9]{0,2}-?",
        sau in "[A-Ka-k]{4,7}",
    ) {
        if let Ok(action) = position.parse_move(&text) {
            prop_assert_eq!(position.write_move(action), text.to_lowercase());
        }
        if let Ok(turn) = position.parse_sau(&sau) {
            prop_assert_eq!(position.write_sau(&turn), sau.to_uppercase());
        }
    }

    #[test]
    fn nearly_positions_are_read_without_panic(
        position in boards(),
        text in "([bwxBWX0-9]{1,5}/?){1,10} ?[bw]?",
    ) {
        if let Ok(read) = position.parse_position(&text) {
            prop_assert_eq!(position.parse_position(&read.write_position()), Ok(read));
        }
    }

    #[test]
    fn what_is_written_is_read(position in boards()) {
        let read = position.parse_position(&position.write_position());
        prop_assert_eq!(read.as_ref(), Ok(&position));
        for action in position.legal_moves() {
            prop_assert_eq!(position.parse_move(&position.write_move(action)), Ok(action));
            prop_assert_eq!(position.parse_sau(&position.write_sau(&[action])), Ok(vec![action]));
        }
    }

    #[test]
    fn any_squares_make_a_variant_or_an_error(
        columns in 0..13u8,
        rows in 0..13u8,
        first in prop::collection::vec("[a-kA-K]?[0-9]{1,2}", 0..10),
        second in prop::collection::vec("[a-k][1-9]", 0..10),
    ) {
        let variant = Variant { columns, rows, first, second };
        let json = serde_json::to_string(&variant).unwrap();
        let read = serde_json::from_str::<Variant>(&json);
        match variant.start() {
            Ok(_) => prop_assert_eq!(read.unwrap(), variant),
            Err(error) => prop_assert!(read.unwrap_err().to_string().contains(&error.0)),
        }
    }
}
