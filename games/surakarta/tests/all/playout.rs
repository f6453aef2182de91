//! The fast random policy draws like the plain one, and playouts end.

use engine_core::{Notation, Playout, Position, Rng, UniformPlayout};
use game::Searched;
use surakarta::{Random, Surakarta, Variant};

const DRAWS_A_MOVE: u32 = 2_000;

/// Compares how often each legal move is drawn: within five standard deviations.
fn check_even(position: &Surakarta, rng: &mut Rng) {
    let moves = position.legal_moves();
    let mut counts = vec![0u32; moves.len()];
    for _ in 0..DRAWS_A_MOVE * moves.len() as u32 {
        let mv = Random.choose(position, rng);
        let n = moves.iter().position(|&legal| legal == mv);
        counts[n.expect("only legal moves are drawn")] += 1;
    }
    let bound = 5.0 * f64::from(DRAWS_A_MOVE).sqrt();
    for (mv, &count) in moves.iter().zip(&counts) {
        let off = (f64::from(count) - f64::from(DRAWS_A_MOVE)).abs();
        let text = position.write_position();
        assert!(
            off < bound,
            "{} came {count} times: {text}",
            position.write_move(*mv)
        );
    }
}

#[test]
fn every_legal_move_is_drawn_alike() {
    let mut rng = Rng::new(3);
    let mut position = Surakarta::new(Variant::default());
    let mut policy = UniformPlayout::default();
    while position.outcome().is_none() {
        if position.quiet().is_multiple_of(8) {
            check_even(&position, &mut rng);
        }
        let mv = policy.choose(&position, &mut rng);
        position.play(mv);
    }
    // Captures by one path, by several paths, and over the own origin.
    for text in [
        "6/6/1w4/6/1bw3/6 b 0",
        "6/w5/6/6/b5/6 b 0",
        "6/1b2b1/1w2w1/6/1b2b1/2w3 b 0",
        "6/2wb2/2bw2/w1wb1w/2b3/6 w 0",
    ] {
        let position = position.parse_position(text).expect("a position");
        check_even(&position, &mut rng);
    }
}

/// Mean points of `First` and mean length of 1 500 games.
fn games<L: Playout<Surakarta>>(mut policy: L, seed: u64) -> (f64, f64) {
    const GAMES: u32 = 1_500;
    let (mut points, mut plies) = (0.0, 0.0);
    let mut rng = Rng::new(seed);
    for _ in 0..GAMES {
        let mut position = Surakarta::new(Variant::default());
        while position.outcome().is_none() {
            let mv = policy.choose(&position, &mut rng);
            position.play(mv);
            plies += 1.0;
        }
        points += f64::from(position.outcome().map_or(0.5, |o| o.points_of_first()));
    }
    (points / f64::from(GAMES), plies / f64::from(GAMES))
}

#[test]
fn random_games_have_the_shape_of_uniform_ones() {
    let (fast, plain) = (games(Random, 1), games(UniformPlayout::default(), 2));
    // Five standard deviations of the difference: √(2 · ¼ / 1 500) and, measured, √(2 / 1 500) · 72.
    assert!((fast.0 - plain.0).abs() < 0.09, "{fast:?} {plain:?}");
    assert!((fast.1 - plain.1).abs() < 13.0, "{fast:?} {plain:?}");
    // The length published by others, within five standard errors of 72 / √1 500.
    assert!((fast.1 - 239.0).abs() < 9.3, "{fast:?}");
}

#[test]
fn playouts_give_points_and_follow_the_side() {
    let mut rng = Rng::new(5);
    let start = Surakarta::new(Variant::default());
    for (text, expected) in [
        ("bbbbbb/bbbbbb/6/6/6/2w2w w 0", 0.9..=1.0),
        ("2b2b/6/6/6/wwwwww/wwwwww b 0", 0.0..=0.1),
    ] {
        let position = start.parse_position(text).expect("a position");
        for _ in 0..50 {
            let points = position.playout().run(&mut position.clone(), &mut rng);
            assert!(expected.contains(&points), "{points}: {text}");
        }
    }
}
