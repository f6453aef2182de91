//! The variant of a game as fields of a form, made from what the game says of it. The script
//! `setup.js` makes a variant of those that were changed.

use catalog::Rules;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::Reader;

/// The fields of all games; the script shows those of the chosen one.
pub(super) fn fields(reader: &Reader) -> Markup {
    html! {
        details.wide.variant {
            summary { (reader.say("Rules")) ": " span.quiet data-usual { (reader.say("as in the contest")) }
                span.quiet data-own hidden { (reader.say("changed")) } }
            @for rules in catalog::GAMES { (of(reader, *rules)) }
        }
    }
}

/// The fields of one game.
fn of(reader: &Reader, rules: &dyn Rules) -> Markup {
    let usual = rules.complete_variant(&json!({})).unwrap_or_default();
    let keys = usual.as_object().into_iter().flatten();
    html! {
        fieldset data-game=(rules.id()) hidden disabled {
            @for (key, value) in keys {
                label { span { (reader.say(&label(key))) } (field(reader, rules, key, value)) }
            }
        }
    }
}

/// What people call a key: its words.
fn label(key: &str) -> String {
    key.replace('_', " ")
}

/// The field of a key. Lists are words with blanks between.
fn field(reader: &Reader, rules: &dyn Rules, key: &str, value: &Value) -> Markup {
    let choice = rules.choices().iter().find(|choice| choice.key == key);
    let words = choice.map_or(&[][..], |choice| choice.words);
    let options = |options: &[(&str, &str)], chosen: &str| {
        html! {
            @for (word, text) in options {
                option value=(word) selected[*word == chosen] { (reader.say(text)) }
            }
        }
    };
    let kind = match value {
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::Array(_) => "list",
        _ => "word",
    };
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            let words: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            words.join(" ")
        }
        other => other.to_string(),
    };
    html! {
        @match kind {
            "boolean" => select data-key=(key) data-kind=(kind) data-usual=(text) {
                (options(&[("true", "yes"), ("false", "no")], &text))
            },
            "word" => select data-key=(key) data-kind=(kind) data-usual=(text) { (options(words, &text)) },
            "number" => input data-key=(key) data-kind=(kind) data-usual=(text) type="number" min="0" required value=(text);,
            _ => input data-key=(key) data-kind=(kind) data-usual=(text) maxlength="200" spellcheck="false" value=(text);,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[test]
    fn every_key_of_a_variant_has_its_field_and_its_chinese() {
        let reader = Reader::in_language(Language::Chinese);
        for rules in catalog::GAMES {
            let page = of(&reader, *rules).into_string();
            let usual = rules.complete_variant(&json!({})).unwrap();
            for (key, _) in usual.as_object().unwrap() {
                assert!(page.contains(&format!("data-key=\"{key}\"")), "{key}");
                assert_ne!(reader.say(&label(key)), label(key), "{}", rules.id());
            }
            for (_, text) in rules.choices().iter().flat_map(|choice| choice.words) {
                assert_ne!(reader.say(text), *text);
            }
        }
    }
}
