//! What the variants of the games accept.

use serde_json::{Value, json};

/// Forms offer the words of a variant's keys: each is accepted alone, and no key that takes words is
/// left out.
#[test]
fn the_words_of_every_variant_are_known() {
    for rules in catalog::GAMES {
        let usual = rules.complete_variant(&json!({})).unwrap();
        let choices = rules.choices();
        for (key, value) in usual.as_object().unwrap() {
            let choice = choices.iter().find(|choice| choice.key == key);
            let words = choice.map_or(&[][..], |choice| choice.words);
            let is_known = words.iter().any(|(word, _)| Some(*word) == value.as_str());
            assert_eq!(is_known, value.is_string(), "{}: {key}", rules.id());
        }
        for choice in choices {
            for (word, _) in choice.words {
                let variant = json!({ choice.key: word });
                let complete = rules.complete_variant(&variant);
                assert_eq!(complete.unwrap()[choice.key], Value::from(*word));
            }
        }
    }
}
