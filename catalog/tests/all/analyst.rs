//! What an analyst finds of a position.

use std::time::Duration;

use catalog::{Analyst, AnyGame, Means, Spend};
use engine_core::{Algorithm, Rng};
use serde_json::{Value, json};

/// Every search that fits a variant, by its name. Random play is none.
fn analysts<'r>(
    rules: &'r dyn AnyGame,
    variant: &'r Value,
) -> impl Iterator<Item = (&'static str, Box<dyn Analyst>)> + 'r {
    let searches = Algorithm::ALL.iter().map(|known| known.algorithm);
    searches.filter_map(move |search| {
        let means = Means {
            search: search.into(),
            table_mb: 1,
            seed: 1,
        };
        let analyst = rules.analyst(variant, None, means).ok();
        analyst
            .filter(|_| search.name() != "random")
            .map(|analyst| (search.name(), analyst))
    })
}

/// However short the time, every search of every game finds a turn: nothing is left out on a busy machine.
#[test]
fn something_is_found_in_no_time() {
    let none = Spend {
        time: Some(Duration::ZERO),
        ..Spend::default()
    };
    let mut searches = 0;
    for rules in catalog::GAMES {
        let variant = rules.complete_variant(&json!({})).unwrap();
        let mut game = rules.start(&variant).unwrap();
        // A game with dice may begin with a roll.
        let mut words = String::new();
        while game.roll_due() {
            words += &format!(" {}", game.actions()[0]);
            game.play_words(&game.actions()[0]).unwrap();
        }
        for (search, mut analyst) in analysts(*rules, &variant) {
            let judged = analyst.judge(words.trim(), &none).unwrap();
            let judged = judged.unwrap_or_else(|| panic!("{} {search}", rules.id()));
            let mut after = rules.start(&variant).unwrap();
            let line = format!("{words} {}", judged.line[0]);
            after.play_words(line.trim()).unwrap();
            searches += 1;
        }
    }
    assert!(searches > 40, "{searches}");
}

/// The actions of random games up to a position where one more wins.
fn before_wins(rules: &dyn AnyGame, variant: &Value, count: usize) -> Vec<String> {
    let mut found = Vec::new();
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let mut words: Vec<String> = Vec::new();
        let mut game = rules.start(variant).expect("a variant");
        while game.outcome().is_none() {
            let actions = game.actions();
            if !game.roll_due()
                && actions
                    .iter()
                    .any(|action| wins(rules, variant, &words.join(" "), action))
            {
                found.push(words.join(" "));
                break;
            }
            let action = actions[rng.below(actions.len() as u32) as usize].clone();
            game.play_words(&action).expect("legal");
            words.push(action);
        }
        if found.len() == count {
            break;
        }
    }
    found
}

/// Whether an action ends the game with a win of the side that plays it.
fn wins(rules: &dyn AnyGame, variant: &Value, words: &str, action: &str) -> bool {
    let mut game = rules.start(variant).expect("a variant");
    game.play_words(words).expect("legal");
    let side = game.side();
    game.play_words(action).expect("legal");
    game.outcome().and_then(|outcome| outcome.winner()) == Some(side)
}

/// However short the time, a win in one is played.
#[test]
fn a_win_in_one_is_found_in_no_time() {
    let none = Spend {
        time: Some(Duration::ZERO),
        ..Spend::default()
    };
    let mut searches = 0;
    for (id, variant) in [
        ("amazons", json!({ "size": 6 })),
        ("connect6", json!({})),
        ("surakarta", json!({})),
        ("einstein", json!({})),
        ("gomoku", json!({ "opening": "free", "size": 9 })),
        ("hex", json!({ "size": 5 })),
        ("tic-tac-toe", json!({})),
    ] {
        let rules = catalog::find(id).unwrap();
        let variant = rules.complete_variant(&variant).unwrap();
        for words in before_wins(rules, &variant, 3) {
            for (search, mut analyst) in analysts(rules, &variant) {
                let judged = analyst.judge(&words, &none).unwrap().unwrap();
                let played = &judged.line[0];
                assert!(
                    wins(rules, &variant, &words, played),
                    "{id} {search}: {played} after {words}"
                );
                searches += 1;
            }
        }
    }
    assert!(searches > 100, "{searches}");
}
