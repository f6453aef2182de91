//! The standard positions of every game.

use game::standard::positions;
use serde_json::json;

#[test]
fn every_game_has_typical_positions() {
    for game in catalog::GAMES {
        let text = game.standard().text;
        let count = positions(text).count();
        let id = game.id();
        let words = "lines of positions/standard.txt in Searched::STANDARD, expected 6 to 10";
        assert!((6..=10).contains(&count), "{id}: {count} {words}");
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
