//! The choice of an engine.

use std::collections::BTreeMap;

use catalog::AnyGame;
use maud::{Markup, html};

use super::Reader;
use crate::engines::{Engines, described};

/// The engines for some games as the options of a choice. Where they do not play all of them,
/// `data-games` says which ones.
pub(super) fn options(
    reader: &Reader,
    games: &[&dyn AnyGame],
    engines: &Engines,
    chosen: &str,
) -> Markup {
    let mut words: Vec<(String, Vec<&str>)> = Vec::new();
    let mut places = BTreeMap::new();
    for rules in games {
        for word in engines.words(*rules) {
            let place = *places.entry(word.clone()).or_insert(words.len());
            if place == words.len() {
                words.push((word, Vec::new()));
            }
            words[place].1.push(rules.id());
        }
    }
    html! {
        @for (word, plays) in &words {
            option value=(word) selected[word == chosen]
                data-games=[(plays.len() < games.len()).then(|| plays.join(" "))] {
                (word) @if let Some(text) = described(word) { " – " (reader.say(text)) }
            }
        }
    }
}
