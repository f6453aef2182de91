//! What learned weights see.

use einstein::{Colour, Einstein, PiecePairs, RaceAndThreats};
use engine_core::learned::{Inputs, check_inputs};
use engine_core::{Notation, Playout, Position, Rng, Side, Symmetric, UniformPlayout};

#[test]
fn inputs_follow_the_moves() {
    let start = Einstein::new(Colour::Red);
    assert!(check_inputs::<_, _, PiecePairs>(&start, RaceAndThreats::default, 30, 1) > 300);
}

fn passing(position: &Einstein, viewer: Side) -> Vec<u32> {
    let mut inputs = Vec::new();
    PiecePairs::of(position).passing(position, viewer, &mut inputs);
    inputs.sort_unstable();
    inputs
}

/// The position with both sides exchanged: each has what the other had, in its own frame.
fn exchanged(position: &Einstein) -> Einstein {
    let text = position.write_position();
    let (red, rest) = text.split_once(' ').expect("two armies");
    let (blue, rest) = rest.split_once(' ').expect("a side to act");
    let turned = |army: &str| -> String {
        let turn = |c: char| match c {
            'a'..='e' => (b'a' + b'e' - c as u8) as char,
            _ => c,
        };
        let mut rows = army.chars().peekable();
        let mut out = String::new();
        while let Some(c) = rows.next() {
            out.push(turn(c));
            if ('a'..='e').contains(&c) {
                let row = rows.next().and_then(|row| row.to_digit(10)).expect("a row");
                out.push(char::from_digit(6 - row, 10).expect("a digit"));
            }
        }
        out
    };
    let (red, blue) = (&red[2..], &blue[2..]);
    let (side, phase) = rest.split_once(' ').expect("a phase");
    let side = if side == "R" { "B" } else { "R" };
    let text = format!("R:{} B:{} {side} {phase}", turned(blue), turned(red));
    (position.parse_position(&text)).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

#[test]
fn mirrored_positions_have_the_same_inputs_and_exchanged_sides_the_other_views() {
    let (mut rng, mut checked) = (Rng::new(3), 0);
    for _ in 0..20 {
        let mut position = Einstein::new(Colour::Red);
        while position.outcome().is_none() {
            let seen = Side::BOTH.map(|side| passing(&position, side));
            let image = position.transform(1);
            assert_eq!(Side::BOTH.map(|side| passing(&image, side)), seen);
            if !seen[0].is_empty() {
                let other = exchanged(&position);
                let [first, second] = Side::BOTH.map(|side| passing(&other, side));
                assert_eq!([second, first], seen, "{}", position.write_position());
                checked += 1;
            }
            if position.is_chance() {
                position.play_roll(1 + rng.below(6) as u8);
            } else {
                position.play(UniformPlayout::default().choose(&position, &mut rng));
            }
        }
    }
    assert!(checked > 200);
}
