//! Pictures of every game: what can be clicked, and what stays the same.

use std::collections::HashSet;

use catalog::{GAMES, Match, Rules, Shown};
use drawing::BUTTON;
use engine_core::Rng;
use serde_json::json;

/// The contest's variant of every game, and others that look different.
fn variants() -> Vec<(&'static dyn Rules, serde_json::Value)> {
    let find = |id| catalog::find(id).expect("a game");
    let mut variants: Vec<_> = GAMES.iter().map(|&game| (game, json!({}))).collect();
    variants.extend([
        (find("hex"), json!({"size": 5, "opening": "swap"})),
        (
            find("hex"),
            json!({"size": 4, "opening": "swap", "swap": "swap-sides"}),
        ),
        (find("amazons"), json!({"size": 6})),
        (find("connect6"), json!({"size": 9})),
        (
            find("gomoku"),
            json!({"opening": "free", "size": 9, "forbidden": "claimed"}),
        ),
        (find("dots-and-boxes"), json!({"columns": 3, "rows": 2})),
        (find("einstein"), json!({"first_colour": "blue"})),
    ]);
    variants
}

/// Calls `visit` for positions of random games: all of the first turns, some of the later ones.
fn visit(mut visit: impl FnMut(&dyn Rules, &dyn Match)) {
    for (rules, variant) in variants() {
        let mut rng = Rng::new(7);
        for _ in 0..3 {
            let mut game = rules.start(&variant).expect("a variant");
            for turn in 0.. {
                if turn < 8 || turn % 5 == 0 || game.outcome().is_some() {
                    visit(rules, game.as_ref());
                }
                if game.outcome().is_some() {
                    break;
                }
                let actions = game.actions();
                let action = &actions[rng.below(actions.len() as u32) as usize];
                game.play_words(action).expect("a legal action");
            }
        }
    }
}

#[test]
fn clicks_tell_all_actions_apart() {
    visit(|rules, game| {
        let shown = Shown::default();
        let picture = game.picture(&shown).expect("a picture");
        let targets: HashSet<&str> = picture
            .targets
            .iter()
            .map(|target| target.name.as_str())
            .collect();
        assert_eq!(targets.len(), picture.targets.len(), "{}", rules.id());
        let actions = match game.outcome() {
            Some(_) => Vec::new(),
            None => game.actions(),
        };
        let mut all: Vec<(Vec<String>, String)> = actions
            .into_iter()
            .map(|action| (game.clicks(&action).expect("a legal action"), action))
            .collect();
        for (clicks, action) in &all {
            assert!(!clicks.is_empty(), "{}: {action}", rules.id());
            for click in clicks {
                let is_known = click.starts_with(BUTTON) || targets.contains(click.as_str());
                assert!(is_known, "{}: {action}: no target {click}", rules.id());
            }
        }
        // In order, a sequence comes right before those that begin with it.
        all.sort();
        for pair in all.windows(2) {
            let [(first, one), (second, other)] = pair else {
                continue;
            };
            assert!(!second.starts_with(first), "{}: {one}, {other}", rules.id());
        }
    });
}

#[test]
fn the_ground_and_the_targets_stay_the_same() {
    visit(|rules, game| {
        let picture = game.picture(&Shown::default()).expect("a picture");
        let other = Shown {
            numbers: true,
            forbidden: true,
            ..Shown::default()
        };
        let other = game.picture(&other).expect("a picture");
        assert_eq!(picture.ground, other.ground, "{}", rules.id());
        assert_eq!(picture.targets, other.targets, "{}", rules.id());
        assert_eq!((picture.corner, picture.size), (other.corner, other.size));
    });
}
