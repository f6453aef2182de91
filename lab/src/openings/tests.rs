use engine_core::{Algorithm, StopFlag};
use serde_json::json;

use super::*;

fn recipe(game: &str, variant: Value, plies: u32) -> Recipe<'static> {
    let rules = catalog::find(game).unwrap();
    Recipe {
        rules,
        variant: rules.complete_variant(&variant).unwrap(),
        plies,
        near: [0.0, 1.0],
        count: 1_000,
        means: Means {
            search: Algorithm::find("pvs").unwrap().into(),
            table_mb: 1,
            seed: 1,
        },
        spend: Spend {
            nodes: Some(200),
            ..Spend::default()
        },
        chance: &|judged| match judged.score.value() {
            0 => 0.5,
            points => f64::from(u8::from(points > 0)),
        },
    }
}

fn found(recipe: &Recipe<'_>) -> Vec<Opening> {
    find(recipe, &mut |_| {}).unwrap().0
}

/// The first moves of tic-tac-toe are three up to symmetry: all draws. After two there are twelve, of which
/// five are draws: `First` wins the others (a known figure).
#[test]
fn openings_of_tic_tac_toe_are_those_of_the_whole_tree() {
    let mut one = recipe("tic-tac-toe", json!({}), 1);
    one.spend.nodes = Some(1_000_000);
    let first = found(&one);
    assert_eq!(first.len(), 3);
    assert!(
        first.iter().all(|opening| opening.first == 0.5),
        "{first:?}"
    );
    let mut two = Recipe { plies: 2, ..one };
    let all = found(&two);
    assert_eq!(all.len(), 12);
    let draws = all.iter().filter(|opening| opening.first == 0.5).count();
    assert!(
        all.iter()
            .all(|opening| [0.5, 1.0].contains(&opening.first))
    );
    two.near = [0.4, 0.6];
    assert_eq!((draws, found(&two).len()), (5, 5));
}

/// Hex 3×3 has five first stones up to half a turn, and a search solves them all.
#[test]
fn symmetric_starts_are_judged_once_and_bounds_hold() {
    let mut all = recipe("hex", json!({ "size": 3 }), 1);
    all.spend.nodes = Some(1_000_000);
    let openings = found(&all);
    assert_eq!(
        openings.len(),
        5,
        "nine cells, turned by half a turn: {openings:?}"
    );
    let won = openings
        .iter()
        .filter(|opening| opening.first == 1.0)
        .count();
    all.near = [0.9, 1.0];
    assert_eq!(found(&all).len(), won);
    assert!(won > 0 && won < 5, "{openings:?}");
    all.near = [0.4, 0.6];
    assert_eq!(found(&all), []);
}

#[test]
fn many_starts_are_taken_at_random_and_never_twice() {
    let recipe = Recipe {
        count: 40,
        ..recipe("hex", json!({ "size": 11 }), 4)
    };
    assert_eq!(Candidates::of(&recipe).unwrap().left(), None);
    let openings = found(&recipe);
    let mut keys: Vec<u64> = (openings.iter())
        .map(|opening| {
            let game = begin(recipe.rules, &recipe.variant, &opening.actions).unwrap();
            game.place().key
        })
        .collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!((openings.len(), keys.len()), (40, 40));
    assert_eq!(found(&recipe), openings, "the same seed, the same openings");
    let other = Means {
        seed: 2,
        ..recipe.means
    };
    assert_ne!(
        found(&Recipe {
            means: other,
            ..recipe
        }),
        openings
    );
}

/// A turn is played to its end, a layout is judged before its rolls, and rolls are no openings.
#[test]
fn openings_are_whole_turns_without_rolls() {
    let connect6 = Recipe {
        count: 3,
        ..recipe("connect6", json!({}), 2)
    };
    for opening in found(&connect6) {
        assert_eq!(opening.actions.split(' ').count(), 3, "{opening:?}");
    }
    let layouts = Recipe {
        count: 2,
        ..recipe("einstein", json!({}), 2)
    };
    for opening in found(&layouts) {
        let game = begin(layouts.rules, &layouts.variant, &opening.actions).unwrap();
        assert!(game.roll_due(), "{opening:?}");
    }
    let refused = find(&recipe("einstein", json!({}), 3), &mut |_| {}).unwrap_err();
    assert!(
        refused.starts_with("a roll is due after 2 actions of einstein"),
        "{refused}"
    );
}

#[test]
fn a_search_that_is_stopped_returns_what_it_has() {
    let stop = StopFlag::default();
    let mut recipe = recipe("hex", json!({ "size": 5 }), 2);
    recipe.spend.stop = stop.clone();
    let mut told = 0;
    let (openings, progress) = find(&recipe, &mut |_| {
        told += 1;
        stop.stop();
    })
    .unwrap();
    assert_eq!((told, openings.len(), progress.judged), (1, GROUP, GROUP));
}
