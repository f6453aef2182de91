//! Playouts: the fast random one matches the slow one; the other sees threats.

use connect6::{Connect6, Random, Stone, ThreatPlayout};
use engine_core::{Notation, Playout, Position, Rng, UniformPlayout};

const GAMES: u32 = 6_000;

/// Means and variances of the means, of the number of stones and of the points of First.
fn shape(size: u8, policy: &mut impl Playout<Connect6>, seed: u64) -> [(f64, f64); 2] {
    let mut rng = Rng::new(seed);
    let start = Connect6::new(size);
    let games: Vec<[f64; 2]> = (0..GAMES)
        .map(|_| {
            let mut position = start.clone();
            let points = policy.run(&mut position, &mut rng);
            assert!(position.outcome().is_some());
            [position.stones() as f64, points as f64]
        })
        .collect();
    [0, 1].map(|i| {
        let mean = games.iter().map(|game| game[i]).sum::<f64>() / GAMES as f64;
        let spread = games
            .iter()
            .map(|game| (game[i] - mean).powi(2))
            .sum::<f64>();
        (mean, spread / (GAMES as f64).powi(2))
    })
}

#[test]
fn random_playouts_are_uniform() {
    for size in [6, 9] {
        let fast = shape(size, &mut Random::default(), 1);
        let slow = shape(size, &mut UniformPlayout::default(), 2);
        for ((fast, fast_error), (slow, slow_error)) in fast.into_iter().zip(slow) {
            let error = (fast_error + slow_error).sqrt();
            assert!((fast - slow).abs() < 4.0 * error, "{fast} {slow} ±{error}");
        }
    }
}

/// `numbers.md`: about 205 stones, 51 % for the first player.
#[test]
fn random_games_on_the_contest_board_have_their_known_shape() {
    let [(stones, _), (points, _)] = shape(19, &mut Random::default(), 3);
    assert!((200.0..210.0).contains(&stones), "{stones}");
    assert!((0.49..0.54).contains(&points), "{points}");
}

#[test]
fn single_random_stones_are_uniform_too() {
    let position = Connect6::new(6)
        .parse_position("bbwwbb/wwbbww/bbwwbb/wwbbww/bb1wbb/1wb1w1 black 2")
        .unwrap();
    let mut rng = Rng::new(8);
    let mut counts = std::collections::HashMap::<Stone, u32>::new();
    for _ in 0..4_000 {
        *counts
            .entry(Random::default().choose(&position, &mut rng))
            .or_default() += 1;
    }
    assert_eq!(counts.len(), 4);
    assert!(
        counts.values().all(|n| (870..1130).contains(n)),
        "{counts:?}"
    );
}

#[track_caller]
fn check_choice(text: &str, expected: &[&str]) {
    let position = Connect6::new(9).parse_position(text).expect(text);
    let mut rng = Rng::new(1);
    for _ in 0..20 {
        let stone = ThreatPlayout::new(9).choose(&position, &mut rng);
        let text = position.write_move(stone);
        assert!(expected.contains(&text.as_str()), "{text} of {expected:?}");
    }
}

#[test]
fn threats_are_completed_and_blocked() {
    check_choice("9/9/9/9/9/9/9/9/wbbbb4 black 2", &["f1", "g1"]);
    check_choice("9/9/9/9/9/9/9/9/wbbbb4 white 2", &["f1", "g1"]);
    check_choice("9/9/9/9/9/9/9/9/wbbbbb3 white 1", &["g1"]);
}

#[test]
fn threat_playouts_give_chances_and_legal_games() {
    let mut rng = Rng::new(1);
    for size in [6, 7, 19] {
        let mut policy = ThreatPlayout::new(size);
        for _ in 0..300 {
            let mut position = Connect6::new(size);
            for _ in 0..rng.below(30) {
                if position.outcome().is_none() {
                    position.play(Random::default().choose(&position, &mut rng));
                }
            }
            let points = policy.run(&mut position, &mut rng);
            assert!((0.0..=1.0).contains(&points));
        }
    }
}

#[test]
fn a_threat_decides_a_playout() {
    let mut rng = Rng::new(1);
    let mut run = |text: &str| {
        let mut position = Connect6::new(9).parse_position(text).unwrap();
        ThreatPlayout::new(9).run(&mut position, &mut rng)
    };
    assert_eq!(run("9/9/9/9/9/9/9/9/wbbbb4 black 2"), 1.0);
    assert_eq!(run("bbbb5/9/9/9/9/9/9/9/wbbbb3b white 1"), 1.0);
    assert_eq!(run("9/9/9/9/9/9/9/9/bwwww4 white 2"), 0.0);
}

#[test]
fn a_policy_does_not_remember_the_last_position() {
    let mut seeds = Rng::new(3);
    let mut used = ThreatPlayout::new(19);
    let mut start = Connect6::new(19);
    for round in 0..3_000 {
        if start.outcome().is_some() || round % 50 == 0 {
            start = Connect6::new(19);
        }
        let seed = seeds.next_u64();
        let play = |policy: &mut ThreatPlayout| {
            let (mut position, mut rng) = (start.clone(), Rng::new(seed));
            let points = policy.run(&mut position, &mut rng);
            (points, position, rng.next_u64())
        };
        assert_eq!(play(&mut used), play(&mut ThreatPlayout::new(19)));
        if start.outcome().is_none() {
            start.play(used.choose(&start, &mut seeds));
        }
    }
}
