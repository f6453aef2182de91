//! The fast random games have the same distribution as games of uniformly random actions.

use einstein::{Einstein, Random, Variant};
use engine_core::{Notation, Outcome, Playout, Position, Rng, UniformPlayout};

fn position(text: &str) -> Einstein {
    let start = Variant::default().start().expect("the contest's game");
    start.parse_position(text).expect("a position")
}

/// Starts of different kinds: the empty board, fixed layouts, after a roll, few pieces.
fn starts() -> [Einstein; 5] {
    [
        "R:? B:? R layout",
        "R:a5,b5,c5,a4,b4,a3 B:? B layout",
        "R:b4,a4,c5,a3,b5,a5 B:e3,d2,e2,c1,d1,e1 R roll",
        "R:b4,-,c5,-,-,c3 B:d3,-,e2,c1,-,- B d5",
        "R:c1,-,d5,-,-,- B:b4,-,-,-,c2,- R roll",
    ]
    .map(position)
}

/// The number of wins of `First`, and of pieces left at the end.
fn totals(run: &mut impl FnMut(&mut Einstein) -> f32, start: &Einstein, games: u32) -> [f64; 2] {
    let mut totals = [0.0; 2];
    for _ in 0..games {
        let mut position = start.clone();
        totals[0] += run(&mut position) as f64;
        let end = position.write_position();
        assert!(position.outcome().is_some(), "{end}");
        assert_eq!(start.parse_position(&end), Ok(position));
        totals[1] += end.bytes().filter(u8::is_ascii_digit).count() as f64;
    }
    totals.map(|total| total / games as f64)
}

#[test]
fn games_are_distributed_as_uniform_ones() {
    const GAMES: u32 = 20_000;
    for (seed, start) in starts().iter().enumerate() {
        let mut rng = Rng::new(seed as u64);
        let fast = totals(&mut |position| Random.run(position, &mut rng), start, GAMES);
        let mut rng = Rng::new(seed as u64 + 100);
        let mut uniform = UniformPlayout::default();
        let slow = totals(
            &mut |position| uniform.run(position, &mut rng),
            start,
            GAMES,
        );
        // Four standard errors of a difference: 4 * sqrt(2 * v / n), v at most 0.25 for a win, and
        // about 2.5 for the pieces left.
        assert!((fast[0] - slow[0]).abs() < 0.02, "{fast:?} {slow:?}");
        assert!((fast[1] - slow[1]).abs() < 0.065, "{fast:?} {slow:?}");
    }
}

/// The side that moves first wins about 53 of 100 games; a game lasts 21.5 moves.
#[test]
fn random_games_have_their_known_shape() {
    const GAMES: u32 = 20_000;
    let mut rng = Rng::new(4);
    let (mut points, mut moves) = (0.0, 0);
    for _ in 0..GAMES {
        let mut position = position("R:? B:? R layout");
        while position.outcome().is_none() {
            if position.is_chance() {
                position.play_roll(1 + rng.below(6) as u8);
                moves += 1;
            } else {
                position.play(Random.choose(&position, &mut rng));
            }
        }
        points += position.outcome().map_or(0.0, Outcome::points_of_first) as f64;
    }
    let (share, length) = (points / GAMES as f64, moves as f64 / GAMES as f64);
    assert!((share - 0.53).abs() < 0.015, "{share}");
    assert!((length - 21.5).abs() < 0.3, "{length}");
}

#[test]
fn single_actions_are_uniform() {
    for start in starts() {
        let mut rng = Rng::new(7);
        let mut position = start;
        if position.is_chance() {
            position.play_roll(2);
        }
        let moves = position.legal_moves();
        let mut counts = vec![0; moves.len()];
        let draws = 1_000 * moves.len();
        for _ in 0..draws {
            let mv = Random.choose(&position, &mut rng);
            counts[moves
                .iter()
                .position(|&legal| legal == mv)
                .expect("a legal move")] += 1;
        }
        // Five standard deviations of a count of mean 1 000.
        assert!(
            counts.iter().all(|count| (842..1_158).contains(count)),
            "{counts:?}"
        );
    }
}

#[test]
fn early_ends_agree_with_the_evaluation_in_won_and_lost_positions() {
    let mut policy = einstein::EarlyEnd::default();
    let mut rng = Rng::new(3);
    for (text, points) in [
        ("R:d1,-,-,-,-,- B:d5,-,-,-,-,- R roll", 1.0),
        ("R:d1,-,-,-,-,- B:d5,-,-,-,-,- R d3", 1.0),
        ("R:b4,-,-,-,-,- B:a4,-,-,-,-,- B roll", 0.0),
        ("R:b4,-,-,-,-,- B:a3,-,-,-,-,- B roll", 0.0),
    ] {
        for _ in 0..20 {
            let found = policy.run(&mut position(text), &mut rng);
            assert!((found - points).abs() < 0.01, "{found}: {text}");
        }
    }
    let average: f32 = (0..2_000)
        .map(|_| policy.run(&mut position("R:? B:? R layout"), &mut rng))
        .sum::<f32>()
        / 2_000.0;
    assert!((0.45..0.6).contains(&average), "{average}");
}
