//! Positions as turns that lead to them.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use catalog::{GAMES, Rules};
use engine_core::Rng;
use serde_json::{Value, json};

/// The position after some random turns, if the game is not over.
fn reached(rules: &dyn Rules, variant: &Value, seed: u64) -> Option<String> {
    let mut rng = Rng::new(seed);
    let mut game = rules.start(variant).unwrap();
    for _ in 0..rng.below(12) {
        if game.roll_due() {
            game.roll(1).unwrap();
        } else {
            game.play_random_turn(&mut rng)?;
        }
    }
    game.outcome().is_none().then(|| game.position())
}

#[test]
fn positions_of_stones_are_reached_by_turns() {
    for rules in GAMES {
        let variants = match rules.id() {
            "hex" => vec![
                json!({}),
                json!({"opening": {"forced": "C2"}}),
                json!({"size": 5, "opening": "swap"}),
            ],
            "gomoku" => vec![
                json!({"opening": "free"}),
                json!({"opening": "free", "size": 20}),
            ],
            _ => vec![json!({})],
        };
        for variant in variants {
            let mut found = 0;
            for seed in 0..200 {
                let Some(position) = reached(*rules, &variant, seed) else {
                    continue;
                };
                let Some(actions) = rules.actions_to(&variant, &position) else {
                    continue;
                };
                let mut game = rules.start(&variant).unwrap();
                game.play_words(&actions.join(" ")).unwrap();
                assert_eq!(game.position(), position, "{}: {actions:?}", rules.id());
                found += 1;
            }
            // After a swap, a stone is not where its side has placed it.
            let expected = match rules.id() {
                "connect6" | "gomoku" | "hex" | "tic-tac-toe" => 100,
                _ => 0,
            };
            assert!(found >= expected, "{} {variant}: {found}", rules.id());
        }
    }
}

#[test]
fn positions_that_no_turns_reach_are_none() {
    for (game, variant, position) in [
        ("hex", json!({"size": 3}), "rr1/3/3 b"),
        ("hex", json!({"size": 3}), "r2/3/3 r"),
        (
            "hex",
            json!({"size": 3, "opening": {"forced": "C2"}}),
            "r2/3/3 b",
        ),
        ("hex", json!({"size": 3}), "nonsense"),
        ("connect6", json!({"size": 6}), "bb4/6/6/6/6/6 white 2"),
        (
            "gomoku",
            json!({}),
            "15/15/15/15/15/15/15/7b7/15/15/15/15/15/15/15 white",
        ),
        ("connect6", json!({"size": 6}), "b5/6/6/6/6/6 white 1"),
    ] {
        let rules = catalog::find(game).unwrap();
        assert_eq!(rules.actions_to(&variant, position), None, "{position}");
    }
    let rules = catalog::find("hex").unwrap();
    let actions = rules.actions_to(&json!({"size": 3}), "r2/1b1/3 r").unwrap();
    assert_eq!(actions.len(), 2, "{actions:?}");
}
