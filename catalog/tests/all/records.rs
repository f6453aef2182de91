//! Records in every format are read back unchanged.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use catalog::{AnyGame, GAMES};
use engine_core::{Outcome, Rng, Side};
use protocol::Protocol;
use records::{self, Extras, Format, Header, TextReading, TextRecord};
use serde_json::{Value, json};

/// Number of games per game and format.
const GAMES_EACH: u64 = 200;

/// A random game that may stop before its end; it has a result in any case.
fn random_game(rules: &dyn AnyGame, variant: &Value, seed: u64) -> TextRecord {
    let mut rng = Rng::new(seed);
    let mut game = rules.start(variant).unwrap();
    let most = if seed.is_multiple_of(4) {
        2 + rng.below(40)
    } else {
        u32::MAX
    };
    let mut words = Vec::new();
    while game.outcome().is_none() && words.len() < most as usize {
        if game.roll_due() {
            let face = 1 + rng.below(u32::from(game.faces())) as u8;
            words.push(format!("d{face}"));
            game.roll(face).unwrap();
            continue;
        }
        let turn = game.play_random_turn(&mut rng).unwrap();
        words.push(turn);
    }
    // A contest record cannot hold a roll without a move.
    if game.outcome().is_none() {
        while words
            .last()
            .is_some_and(|word| word.starts_with('d') && rules.has_dice())
        {
            words.pop();
        }
    }
    let header = Header {
        id: String::new(),
        teams: ["北理工 一队".to_owned(), "Team B-2".to_owned()],
        result: game
            .outcome()
            .or([None, Some(Outcome::Win(Side::Second))][seed as usize % 2]),
        time: "2025.08.01 14:00".to_owned(),
        place: "重庆".to_owned(),
        event: "2025 CCGC".to_owned(),
    };
    TextRecord {
        header,
        variant: rules.complete_variant(variant).unwrap(),
        position: None,
        words,
        extras: Extras::default(),
    }
}

/// The records in a text, which must be without faults.
fn read(rules: &dyn AnyGame, format: Format, variant: &Value, text: &str) -> Vec<TextRecord> {
    let mut records = Vec::new();
    let mut take = |reading: TextReading| {
        assert_eq!(reading.fault, None, "{} {format:?}\n{text}", rules.id());
        records.push(reading.record);
    };
    rules
        .read_records(format, variant, text, &mut take)
        .unwrap();
    records
}

/// The part of a header that a format stores.
fn stored(format: Format, game: &str, header: &Header, is_over: bool) -> Header {
    let whole = header.clone();
    let date = "2025.08.01".to_owned();
    match (format, game) {
        (Format::Contest, "surakarta") => Header {
            time: whole.time,
            place: whole.place,
            ..Header::default()
        },
        (Format::Contest, "dots-and-boxes") => Header {
            time: date,
            place: String::new(),
            ..whole
        },
        (Format::Contest, _) => whole,
        (Format::Sgf, _) => Header {
            time: date,
            ..whole
        },
        (Format::Table, _) => Header {
            result: whole.result,
            ..Header::default()
        },
        // The event stands beside the result.
        (Format::Psq, _) => Header {
            teams: whole.teams,
            event: match whole.result {
                Some(_) => whole.event,
                None => String::new(),
            },
            result: whole.result,
            ..Header::default()
        },
        // A link can only express a resignation.
        (Format::Hexworld, _) if !is_over => Header {
            result: whole.result,
            ..Header::default()
        },
        (Format::Hexworld | Format::Sau | Format::Moves | Format::Numbered, _) => Header::default(),
    }
}

#[track_caller]
fn check(rules: &dyn AnyGame, variant: &Value, games: u64) {
    for format in rules.record_formats() {
        if format == Format::Psq && rules.announce(Protocol::Gomocup, variant).is_err() {
            continue;
        }
        let mut file = records::head(format).to_owned();
        let mut all = Vec::new();
        for seed in 0..games {
            let game = random_game(rules, variant, seed);
            let text = rules.write_record(format, &game).unwrap();
            let mut end = rules.start(variant).unwrap();
            game.words
                .iter()
                .for_each(|word| end.play_words(word).unwrap());
            let expected = TextRecord {
                header: stored(format, rules.id(), &game.header, end.outcome().is_some()),
                ..game
            };
            // Nothing was played, and the format stores nothing else.
            let is_empty = text.trim().is_empty();
            let records = read(rules, format, variant, &text);
            assert_eq!(
                records,
                if is_empty {
                    vec![]
                } else {
                    vec![expected.clone()]
                },
                "{text}"
            );
            if !is_empty {
                file += &text;
                all.push(expected);
            }
        }
        assert_eq!(read(rules, format, variant, &file), all);
    }
}

#[test]
fn games_of_the_contest_are_read_back_unchanged() {
    for rules in GAMES {
        check(*rules, &json!({}), GAMES_EACH);
    }
}

#[test]
fn games_of_variants_are_read_back_unchanged() {
    for (game, variant) in [
        ("connect6", json!({"size": 15})),
        ("gomoku", json!({"opening": "free", "size": 9})),
        ("gomoku", json!({"opening": "free", "size": 20})),
        ("gomoku", json!({"forbidden": "claimed"})),
        ("gomoku", json!({"opening": "free", "forbidden": "off"})),
        ("hex", json!({"size": 7})),
        ("hex", json!({"size": 5, "opening": "swap"})),
        ("hex", json!({"size": 4, "opening": {"forced": "c2"}})),
        (
            "dots-and-boxes",
            json!({"columns": 4, "rows": 4, "stop_at_majority": true}),
        ),
        ("surakarta", json!({"quiet_limit": 20})),
    ] {
        check(catalog::find(game).unwrap(), &variant, 20);
    }
}

/// The reader finds out by itself which colour began and which swap was made.
#[test]
fn the_variant_is_found_from_the_record() {
    for (game, variant, formats) in [
        (
            "einstein",
            json!({"first_colour": "blue"}),
            &[Format::Contest, Format::Sau, Format::Moves, Format::Table][..],
        ),
        (
            "hex",
            json!({"opening": "swap", "swap": "swap-sides"}),
            &[Format::Contest, Format::Sgf, Format::Moves],
        ),
        (
            "hex",
            json!({"opening": "swap", "swap": "swap-pieces"}),
            &[
                Format::Contest,
                Format::Sgf,
                Format::Moves,
                Format::Hexworld,
            ],
        ),
    ] {
        let rules = catalog::find(game).unwrap();
        for seed in 0..20 {
            let mut record = random_game(rules, &variant, seed);
            if game == "hex" {
                let mut end = rules.start(&variant).unwrap();
                record.words = Vec::new();
                for word in ["a1", "swap", "b2", "c3"] {
                    let turn = end.play_turn(word).unwrap();
                    record.words.push(turn);
                }
            }
            for &format in formats {
                let text = rules.write_record(format, &record).unwrap();
                let read = read(rules, format, &json!({}), &text);
                for read in read {
                    assert_eq!(
                        (read.variant, read.words),
                        (record.variant.clone(), record.words.clone()),
                        "{text}"
                    );
                }
            }
        }
    }
}

/// A variant's fixed layouts are written as if the players had chosen them.
#[test]
fn fixed_layouts_are_written_as_such() {
    let einstein = catalog::find("einstein").unwrap();
    let variant = json!({"first_colour": "blue", "layouts": ["653214", "123456"]});
    for seed in 0..20 {
        let game = random_game(einstein, &variant, seed);
        let text = einstein.write_record(Format::Contest, &game).unwrap();
        let records = read(einstein, Format::Contest, &json!({}), &text);
        let laid_out = ["B:653214", "R:123456"].map(str::to_owned);
        assert_eq!(records[0].words, [&laid_out, &*game.words].concat());
    }
}

#[test]
fn start_positions_and_boards_that_a_format_cannot_express_are_refused() {
    let hex = catalog::find("hex").unwrap();
    let mut record = random_game(hex, &json!({"size": 3}), 1);
    record.words.clear();
    record.position = Some("r2/3/3 b".to_owned());
    for format in hex.record_formats() {
        if format == Format::Sgf {
            let text = hex.write_record(format, &record).unwrap();
            assert!(text.contains("AB[a1]PL[W]"), "{text}");
            continue;
        }
        let error = hex.write_record(format, &record).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the format cannot express a game that begins at a position of its own"
        );
    }
    let amazons = catalog::find("amazons").unwrap();
    let record = random_game(amazons, &json!({"size": 6}), 1);
    let error = amazons.write_record(Format::Sgf, &record).unwrap_err();
    assert_eq!(error.to_string(), "the format cannot express this board");
}

#[test]
fn files_are_named_as_the_contest_requires() {
    for rules in GAMES {
        let record = random_game(*rules, &json!({}), 1);
        let name = rules.record_name(&record).unwrap();
        let begin = format!("{}-北理工 一队 ", rules.code());
        assert!(name.starts_with(&begin), "{name}");
        assert!(
            name.ends_with("-2025.08.01 14：00 重庆-2025 CCGC.txt"),
            "{name}"
        );
        let header = rules.named(&name).unwrap();
        assert_eq!(header, record.header);
    }
}

/// Strings that occur in records, and typical mistakes.
const MISTAKES: &[&str] = &[
    "",
    " ",
    "\n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ":",
    ",",
    "\"",
    "#",
    "!",
    "-",
    "x",
    "a",
    "B",
    "R",
    "W",
    "0",
    "1",
    "7",
    "19",
    "99999999999999999999",
    "；",
    "（",
    "队",
    "\u{feff}",
    "\0",
    "\\",
];

/// A mistake anywhere in a record is a fault or changes what is read, but never causes a panic. The
/// part that is read is legal, consists of whole turns, and can be written again.
#[test]
fn the_legal_part_of_a_faulty_record_can_be_written_again() {
    let mut rng = Rng::new(1);
    let mut faulty = 0;
    for rules in GAMES {
        for format in rules.record_formats() {
            for seed in 0..40 {
                let variant = match format {
                    Format::Psq => json!({"opening": "free", "forbidden": "off"}),
                    _ => json!({}),
                };
                let game = random_game(*rules, &variant, seed);
                let text = rules.write_record(format, &game).unwrap();
                let characters: Vec<char> = text.chars().collect();
                let begin = rng.below(characters.len() as u32) as usize;
                let end = characters.len().min(begin + rng.below(3) as usize);
                let slip = MISTAKES[rng.below(MISTAKES.len() as u32) as usize];
                let before = characters[..begin].iter();
                let after = characters[end..].iter();
                let slipped: String = before
                    .copied()
                    .chain(slip.chars())
                    .chain(after.copied())
                    .collect();
                let mut take = |reading: TextReading| {
                    faulty += usize::from(reading.fault.is_some());
                    let variant = &reading.record.variant;
                    let mut end = match &reading.record.position {
                        Some(position) => rules.set_up(variant, position).unwrap(),
                        None => rules.start(variant).unwrap(),
                    };
                    for word in &reading.record.words {
                        if end.roll_due() {
                            end.play_words(word).unwrap()
                        } else {
                            assert_eq!(&end.play_turn(word).unwrap(), word)
                        }
                    }
                    let outcome = reading.ending.map(|(outcome, _)| outcome);
                    assert_eq!(end.outcome(), outcome, "{slipped}");
                };
                rules
                    .read_records(format, &json!({}), &slipped, &mut take)
                    .unwrap();
            }
        }
    }
    assert!(faulty > 400, "{faulty}");
}
