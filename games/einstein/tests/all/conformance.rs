//! The conformance suite, for every kind of variant.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use einstein::{Colour, Einstein, Variant};
use engine_core::{Evaluator, Playout, Position, Rng, Symmetric, UniformPlayout, conformance};

fn start(first_colour: Colour, layouts: &[&str]) -> Einstein {
    let variant = Variant {
        first_colour,
        layouts: layouts.iter().map(|digits| digits.to_string()).collect(),
    };
    variant.start().unwrap()
}

#[test]
fn from_the_empty_board() {
    conformance(&start(Colour::Red, &[]), 3, 1);
    conformance(&start(Colour::Blue, &[]), 3, 2);
}

#[test]
fn from_fixed_layouts() {
    conformance(&start(Colour::Red, &["653214", "123456"]), 300, 3);
    conformance(&start(Colour::Blue, &["162534", "435216"]), 300, 4);
}

#[test]
fn merged_faces_move_the_same_pieces() {
    let mut rng = Rng::new(5);
    let mut policy = UniformPlayout::default();
    let mut merged = 0;
    for _ in 0..500 {
        let mut position = start(Colour::Red, &["653214", "123456"]);
        while position.outcome().is_none() {
            if !position.is_chance() {
                let mv = policy.choose(&position, &mut rng);
                position.play(mv);
                continue;
            }
            let moves_of = |face: u8| {
                let mut rolled = position.clone();
                rolled.play_roll(face);
                rolled.legal_moves()
            };
            let mut rolls = Vec::new();
            position.rolls(&mut rolls);
            let mut face = 1;
            for &(representative, weight) in &rolls {
                assert_eq!(representative, face);
                for other in face..face + weight as u8 {
                    assert_eq!(moves_of(other), moves_of(representative));
                    merged += (other != representative) as u32;
                }
                face += weight as u8;
                assert!(face == 7 || moves_of(face) != moves_of(representative));
            }
            position.play_roll(1 + rng.below(6) as u8);
        }
    }
    assert!(merged > 1_000, "{merged}");
}

#[test]
fn the_evaluation_sees_the_mirror_as_the_same() {
    let mut evaluator = einstein::RaceAndThreats::default();
    let mut policy = UniformPlayout::default();
    let mut rng = Rng::new(6);
    for _ in 0..200 {
        let mut position = start(Colour::Red, &[]);
        while position.outcome().is_none() {
            let image = position.transform(1);
            let score = evaluator.evaluate(&position);
            let of_image = evaluator.evaluate(&image);
            assert_eq!(score, of_image, "{position:?}");
            assert!(score.value().abs() <= einstein::WIN_POINTS, "{position:?}");
            if position.is_chance() {
                position.play_roll(1 + rng.below(6) as u8);
            } else {
                let mv = policy.choose(&position, &mut rng);
                position.play(mv);
            }
        }
    }
}
