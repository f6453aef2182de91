//! The standard positions of every game.

use game::standard::positions;
use serde_json::json;

#[test]
fn every_game_has_typical_positions() {
    for game in catalog::GAMES {
        let text = game.standard().text;
        let count = positions(text).count();
        assert!((6..=10).contains(&count), "{}: {count}", game.id());
        for (line, _, position) in positions(text) {
            let place = format!("{}, line {line}", game.id());
            let opened = game.open(&json!({}), position);
            let opened = opened.unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(opened.position(), position, "{place}");
            assert!(opened.outcome().is_none() && !opened.roll_due(), "{place}");
            assert!(opened.actions().len() > 1, "{place}: nothing to choose");
        }
    }
}
