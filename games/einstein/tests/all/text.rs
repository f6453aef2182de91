//! Parsers accept any input without a panic, and printed text reads back.

use einstein::{Colour, Einstein, Variant};
use engine_core::{Notation, Position, Rng};
use proptest::prelude::*;

/// A position after some random actions.
fn position(seed: u64, actions: u32) -> Einstein {
    let mut rng = Rng::new(seed);
    let first_colour = [Colour::Red, Colour::Blue][rng.below(2) as usize];
    let mut position = Einstein::new(first_colour);
    for _ in 0..actions {
        if position.is_chance() {
            position.play_roll(1 + rng.below(6) as u8);
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[rng.below(moves.len() as u32) as usize]);
    }
    if position.is_chance() && rng.below(2) == 0 {
        position.play_roll(1 + rng.below(6) as u8);
    }
    position
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(
        seed: u64,
        actions in 0u32..40,
        any in "\\PC*",
        near in "[RBrb]:?[0-7]{0,2}-?[a-fA-F]?[0-6]?.?",
        army in "[RB]:([a-f][0-6],|-,|\\?){0,7} [RB]:([a-f][0-6],|-,|\\?){0,7} [RB] (d[0-7]|roll|over|layout)",
    ) {
        let position = position(seed, actions);
        for text in [any, near, army] {
            let _ = position.parse_move(&text);
            let _ = position.parse_sau(&text);
            let _ = position.parse_turn(&text);
            let _ = position.parse_position(&text);
            let _ = Variant { layouts: vec![text.clone(), text], ..Variant::default() }.start();
        }
    }

    #[test]
    fn what_is_printed_is_read_back(seed: u64, actions in 0u32..40) {
        let position = position(seed, actions);
        let text = position.write_position();
        prop_assert_eq!(position.parse_position(&text), Ok(position.clone()));
        prop_assert_eq!(position.parse_position(&text.to_lowercase()), Ok(position.clone()));
        for mv in position.legal_moves() {
            prop_assert_eq!(position.parse_move(&position.write_move(mv)), Ok(mv));
            prop_assert_eq!(position.parse_sau(&position.write_sau(&[mv])), Ok(vec![mv]));
        }
    }
}
