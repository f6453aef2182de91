//! Fuzz targets for the readers of game records. Not in CI.
//!
//! ```text
//! cargo install cargo-fuzz
//! RUSTC_BOOTSTRAP=1 cargo fuzz run sgf -- -max_total_time=600
//! ```
//!
//! No text may cause a panic or a hang, and a game that is read without a fault is the same game after
//! it was written and read in the same format.

use std::path::Path;

use catalog::{AnyGame, GAMES};
use records::{Format, TextReading, head};
use gamelog::files::encoding::decode;
use gamelog::files::kind::{Kind, game_of, kind_of};
use serde_json::{Value, json};

/// Reads a text as records of every game that has the format; the first byte chooses a variant.
pub fn check(format: Format, data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(data);
    for &rules in GAMES {
        if rules.record_formats().contains(&format) {
            let variant = variant(rules.id(), choice);
            for reading in read(rules, format, &variant, &text) {
                check_again(rules, format, &variant, &reading);
            }
        }
    }
}

/// A variant of a game, and the contest's for most choices.
fn variant(game: &str, choice: u8) -> Value {
    match (game, choice % 4) {
        ("hex", 1) => json!({"size": 5, "opening": "swap"}),
        ("hex", 2) => json!({"size": 3}),
        ("gomoku", 1) => json!({"opening": "free", "forbidden": "off"}),
        ("gomoku", 2) => json!({"opening": "free", "size": 20}),
        ("connect6", 1) => json!({"size": 6}),
        ("amazons", 1) => json!({"size": 6}),
        ("dots-and-boxes", 1) => json!({"columns": 2, "rows": 2}),
        _ => json!({}),
    }
}

fn read(rules: &dyn AnyGame, format: Format, variant: &Value, text: &str) -> Vec<TextReading> {
    let mut readings = Vec::new();
    let mut take = |reading| readings.push(reading);
    let read = rules.read_records(format, variant, text, &mut take);
    read.expect("the variant is one of the game");
    readings
}

/// A game without fault is the same after it was written and read.
fn check_again(rules: &dyn AnyGame, format: Format, variant: &Value, reading: &TextReading) {
    let record = &reading.record;
    let is_empty = record.words.is_empty() && record.position.is_none();
    if reading.fault.is_some() || reading.is_broken_off || is_empty {
        return;
    }
    let Ok(text) = rules.write_record(format, record) else {
        return;
    };
    let text = [head(format), &text].concat();
    let again = read(rules, format, variant, &text);
    let [again] = &again[..] else {
        panic!("{} games in {text}", again.len());
    };
    assert_eq!(again.fault, None, "{text}");
    assert_eq!(again.record.words, record.words, "{text}");
    assert_eq!(again.record.position, record.position, "{text}");
}

/// Detects what bytes are; the bytes before the first line end are the name of the file.
pub fn detect(data: &[u8]) {
    let at = data.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let (name, data) = data.split_at(at);
    let name = String::from_utf8_lossy(name);
    let Ok(text) = decode(data) else {
        return;
    };
    let path = Path::new(&*name);
    if let Kind::Marked(format) | Kind::Likely(format) = kind_of(path, &text) {
        let _ = game_of(path, format, &json!({}), &text).map(|game| game.id());
    }
}

/// Parses a line of a log.
pub fn log(data: &[u8]) {
    let _ = gamelog::parse::<String>(data).map(|game| game.id);
}
