//! Playouts: the same distribution as slow ones, from any position.

use engine_core::evaluate::play_out;
use engine_core::{Playout, Position, Rng, UniformPlayout};
use hex::{Action, Hex, MixedPlayout, Random, SaveBridges};

use crate::common::start;

/// Share of `First`'s wins in `games` playouts.
fn share(policy: &mut impl Playout<Hex>, position: &Hex, games: u32, seed: u64) -> f64 {
    let mut rng = Rng::new(seed);
    let wins: f64 = (0..games)
        .map(|_| policy.run(&mut position.clone(), &mut rng) as f64)
        .sum();
    wins / games as f64
}

/// Half of a 99.99 % interval for the difference of two shares of `games` games each.
fn noise(games: u32) -> f64 {
    3.9 * (0.5 / games as f64).sqrt()
}

fn check(variant: &str, actions: &str, games: u32) {
    let mut position = start(variant);
    game::turn::play_words(&mut position, actions).expect("legal actions");
    let slow = share(
        &mut UniformPlayout::<Action>::default(),
        &position,
        games,
        1,
    );
    let fast = share(&mut Random::default(), &position, games, 2);
    assert!(
        (slow - fast).abs() < noise(games),
        "{variant} {actions}: {slow} {fast}"
    );
}

#[test]
fn random_playouts_win_as_often_as_the_slow_ones() {
    check("{}", "", 4_000);
    check("{}", "f6", 4_000);
    check("{}", "a1 f6 b1 f7 c1 f5 d1 e8 e1 g4", 4_000);
    check(r#"{"size": 3}"#, "", 20_000);
    check(r#"{"size": 3}"#, "a1 b2", 20_000);
    check(r#"{"size": 4}"#, "a1 b1 c1 d1 b4", 20_000);
    check(r#"{"size": 13}"#, "g7 g8", 2_000);
    check(r#"{"size": 5, "opening": {"forced": "c3"}}"#, "", 20_000);
}

/// An independent simulation with union-find gave a mean of 107.5 stones over 40 000 games, with a
/// standard deviation of 10.7.
#[test]
fn random_games_have_their_known_length() {
    let mut rng = Rng::new(6);
    let stones: u32 = (0..2_000)
        .map(|_| {
            let mut position = start("{}");
            play_out(&mut Random::default(), &mut position, &mut rng);
            position.stone_count()
        })
        .sum();
    let mean = stones as f64 / 2_000.0;
    let error = 10.7 / 2_000f64.sqrt();
    assert!((mean - 107.5).abs() < 5.0 * error, "{mean}");
}

#[test]
fn random_playouts_swap_as_often_as_the_slow_ones() {
    // On 2×2, a swap is one of four actions, and the owner of the stone matters a lot.
    for swap in ["swap-pieces", "swap-sides"] {
        let variant = format!(r#"{{"size": 2, "opening": "swap", "swap": "{swap}"}}"#);
        for actions in ["", "a2", "a1", "a2 swap", "a2 b1", "a1 swap b1"] {
            check(&variant, actions, 20_000);
        }
    }
}

#[test]
fn single_random_actions_are_uniform() {
    for (opening, actions, count) in [("free", "", 9), ("swap", "a1", 9), ("swap", "a1 swap", 8)] {
        let mut position = start(&format!(r#"{{"size": 3, "opening": "{opening}"}}"#));
        game::turn::play_words(&mut position, actions).expect("legal actions");
        let legal = position.legal_moves();
        assert_eq!(legal.len(), count);
        let (mut policy, mut rng) = (Random::default(), Rng::new(5));
        let mut counts = vec![0; count];
        for _ in 0..10_000 * count {
            let action = policy.choose(&position, &mut rng);
            counts[legal.iter().position(|&mv| mv == action).expect("legal")] += 1;
        }
        assert!(
            counts.iter().all(|n| (9_600..10_400).contains(n)),
            "{counts:?}"
        );
    }
}

#[test]
fn playouts_of_a_finished_game_return_its_result() {
    let mut position = start(r#"{"size": 2}"#);
    game::turn::play_words(&mut position, "a1 b1 a2").expect("legal actions");
    let mut rng = Rng::new(1);
    let expected = position.outcome().expect("an end").points_of_first();
    assert_eq!(
        Random::default().run(&mut position.clone(), &mut rng),
        expected
    );
    assert_eq!(
        SaveBridges::default().run(&mut position, &mut rng),
        expected
    );
}

#[test]
fn saved_bridges_win() {
    // Red has a chain of bridges from top to bottom. Only a stone that intrudes into two bridges at
    // once, one of them created by a later stone, can cut it.
    let mut position = start(r#"{"size": 6}"#);
    game::turn::play_words(&mut position, "d2 a1 c4 a2 c5 a3 f1 a4").expect("legal");
    let saved = share(&mut SaveBridges::default(), &position, 2_000, 3);
    let random = share(&mut Random::default(), &position, 2_000, 4);
    assert!(saved > 0.98 && random < 0.95, "{saved} {random}");
}

#[test]
fn bridge_savers_know_who_plays_which_colour() {
    let variant = r#"{"size": 5, "opening": "swap", "swap": "swap-sides"}"#;
    let mut position = start(variant);
    game::turn::play_words(&mut position, "c3 swap").expect("legal");
    // After the swap, Second plays red and has the centre stone; First moves.
    let policy_share = share(&mut SaveBridges::default(), &position, 4_000, 1);
    let random_share = share(&mut Random::default(), &position, 4_000, 1);
    assert!(policy_share < 0.5 && random_share < 0.5);
    let after = play_out(&mut SaveBridges::default(), &mut position, &mut Rng::new(1));
    assert_eq!(position.outcome(), Some(after));
}

#[test]
fn mixed_playouts_know_the_colours_of_the_sides() {
    // The owner of the centre stone is better off, as First or Second, red or blue.
    for (variant, actions, first_is_better) in [
        (r#"{"size": 5}"#, "c3", true),
        (r#"{"size": 5}"#, "a1 c3 e5", false),
        (r#"{"size": 5, "opening": "swap"}"#, "c3 swap a1", false),
        (
            r#"{"size": 5, "opening": "swap", "swap": "swap-sides"}"#,
            "c3 swap a1",
            false,
        ),
    ] {
        let mut position = start(variant);
        game::turn::play_words(&mut position, actions).expect("legal");
        let mixed = share(&mut MixedPlayout::new(5), &position, 500, 1);
        assert_eq!(mixed > 0.5, first_is_better, "{variant} {actions}: {mixed}");
    }
}
