//! Parsers accept or refuse any input without a panic, and written text reads back.

#![allow(clippy::unwrap_used)] // test code outside a #[test]

use dots_and_boxes::{DotsAndBoxes, Variant};
use engine_core::{Notation, Playout, Position, Rng};
use proptest::prelude::*;

/// A position after some random edges on some board.
fn any_position() -> impl Strategy<Value = DotsAndBoxes> {
    let shapes = prop::sample::select(vec![(5, 5), (1, 1), (2, 3), (21, 1), (1, 21), (4, 6)]);
    (shapes, any::<bool>(), 0..60, any::<u64>()).prop_map(
        |(shape, stop_at_majority, edges, seed)| {
            let (columns, rows) = shape;
            let variant = Variant {
                columns,
                rows,
                stop_at_majority,
            };
            let (mut position, mut rng) = (variant.start().unwrap(), Rng::new(seed));
            for _ in 0..edges {
                if position.outcome().is_none() {
                    position.play(dots_and_boxes::Random.choose(&position, &mut rng));
                }
            }
            position
        },
    )
}

/// Reads `text` with every parser. Whatever is accepted must be legal and read back after writing.
fn read_all(position: &DotsAndBoxes, text: &str) {
    if let Ok(edge) = position.parse_move(text) {
        assert!(position.is_legal(edge));
        assert_eq!(position.parse_move(&position.write_move(edge)), Ok(edge));
    }
    if let Ok(turn) = position.parse_turn(text) {
        assert_eq!(position.parse_turn(&position.write_turn(&turn)), Ok(turn));
    }
    if let Ok(turn) = position.parse_sau(text) {
        assert_eq!(position.parse_sau(&position.write_sau(&turn)), Ok(turn));
    }
    if let Ok(read) = position.parse_position(text) {
        assert_eq!(position.parse_position(&read.write_position()), Ok(read));
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(position in any_position(), text in any::<String>()) {
        read_all(&position, &text);
    }

    #[test]
    fn text_that_looks_right_is_read_without_panic(
        position in any_position(),
        text in "([a-fA-F][0-9]{1,2}[hvHV]\\+?){1,4}|[0-9]{1,3} ([ABC][A-G]{2} ?){0,4}|[-.|rb/ é]{0,90}",
    ) {
        read_all(&position, &text);
    }

    #[test]
    fn positions_round_trip_and_broken_ones_do_not_panic(
        position in any_position(),
        at in any::<prop::sample::Index>(),
        with in prop::char::any(),
    ) {
        let text = position.write_position();
        prop_assert_eq!(position.parse_position(&text), Ok(position.clone()));
        prop_assert_eq!(position.parse_position(&text.to_uppercase()), Ok(position.clone()));
        let mut broken: Vec<char> = text.chars().collect();
        let at = at.index(broken.len());
        broken[at] = with;
        read_all(&position, &broken.into_iter().collect::<String>());
    }

    #[test]
    fn turns_round_trip(position in any_position(), seed in any::<u64>()) {
        let (mut after, mut turn) = (position.clone(), Vec::new());
        let mut rng = Rng::new(seed);
        while after.outcome().is_none() && after.side() == position.side() {
            let edge = dots_and_boxes::Random.choose(&after, &mut rng);
            turn.push(edge);
            after.play(edge);
        }
        prop_assume!(!turn.is_empty());
        for cased in [str::to_uppercase, str::to_lowercase] {
            let (text, sau) = (position.write_turn(&turn), position.write_sau(&turn));
            prop_assert_eq!(position.parse_turn(&cased(&text)), Ok(turn.clone()));
            prop_assert_eq!(position.parse_sau(&cased(&sau)), Ok(turn.clone()));
            prop_assert!(sau.len() + "move ".len() <= 255);
        }
    }
}
