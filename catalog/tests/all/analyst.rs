//! What an analyst finds of a position.

use std::time::Duration;

use catalog::{Means, Spend};
use engine_core::Algorithm;
use serde_json::json;

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
        for search in Algorithm::ALL.iter().map(|known| known.algorithm) {
            // It searches nothing.
            if search == Algorithm::find("random").unwrap() {
                continue;
            }
            let means = Means {
                search: search.into(),
                table_mb: 1,
                seed: 1,
            };
            let Ok(mut analyst) = rules.analyst(&variant, None, means) else {
                continue;
            };
            let judged = analyst.judge(words.trim(), &none).unwrap();
            let judged = judged.unwrap_or_else(|| panic!("{} {}", rules.id(), search.name()));
            let mut after = rules.start(&variant).unwrap();
            let line = format!("{words} {}", judged.line[0]);
            after.play_words(line.trim()).unwrap();
            searches += 1;
        }
    }
    assert!(searches > 40, "{searches}");
}
