//! Every format into every other: the game stays the same. What a format cannot hold is listed.

use catalog::{AnyGame, GAMES};
use engine_core::{Outcome, Rng, Side};
use gamelog::files::Encoding;
use gamelog::files::encoding::decode;
use records::{Extras, Format, Header, TextReading, TextRecord};
use serde_json::{Value, json};

/// A game to convert.
struct Sample {
    name: &'static str,
    rules: &'static dyn AnyGame,
    record: TextRecord,
}

fn rules(id: &str) -> &'static dyn AnyGame {
    catalog::find(id).expect("a game")
}

/// Names that GBK has, no event, and this result.
fn header(result: Option<Outcome>) -> Header {
    Header {
        teams: ["北理工 一队".to_owned(), "Team B-2".to_owned()],
        result,
        time: "2025.08.01".to_owned(),
        ..Header::default()
    }
}

/// A game of these turns from the start of a variant.
fn of_words(id: &str, variant: Value, words: &[&str], result: Option<Outcome>) -> TextRecord {
    let mut game = rules(id).start(&variant).expect("a variant");
    let turns = words.iter().map(|word| {
        if game.roll_due() {
            game.play_words(word).expect("a roll");
            return (*word).to_owned();
        }
        game.play_turn(word).expect("a turn")
    });
    TextRecord {
        header: header(result),
        variant: rules(id).complete_variant(&variant).expect("a variant"),
        position: None,
        words: turns.collect(),
        extras: Extras::default(),
    }
}

/// A random game of at most so many turns.
fn random(id: &str, variant: Value, most: usize, seed: u64) -> TextRecord {
    let mut rng = Rng::new(seed);
    let mut game = rules(id).start(&variant).expect("a variant");
    let mut words = Vec::new();
    while game.outcome().is_none() && words.len() < most {
        if game.roll_due() {
            let face = 1 + rng.below(u32::from(game.faces())) as u8;
            game.roll(face).expect("a face");
            words.push(format!("d{face}"));
        }
        words.push(game.play_random_turn(&mut rng).expect("a turn"));
    }
    TextRecord {
        header: header(game.outcome()),
        variant: rules(id).complete_variant(&variant).expect("a variant"),
        position: None,
        words,
        extras: Extras::default(),
    }
}

/// A game that begins with stones on the board.
fn set_up(id: &str, variant: &Value, sgf: &str) -> TextRecord {
    let mut readings = read(rules(id), Format::Sgf, variant, sgf);
    let reading = readings.remove(0);
    assert_eq!(reading.fault, None, "{sgf}");
    assert!(reading.record.position.is_some(), "{sgf}");
    TextRecord {
        header: header(None),
        ..reading.record
    }
}

fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    for &rules in GAMES {
        let id = rules.id();
        let mut add = |name, record| {
            samples.push(Sample {
                name,
                rules,
                record,
            });
        };
        add("whole", random(id, json!({}), usize::MAX, 1));
        add("unfinished", random(id, json!({}), 5, 2));
        let mut won = random(id, json!({}), 3, 3);
        let resigned = Some(Outcome::Win(Side::Second));
        won.header.result = won.header.result.or(resigned);
        add("resigned", won);
    }
    let mut add = |name, id, record| {
        samples.push(Sample {
            name,
            rules: rules(id),
            record,
        });
    };
    for swap in ["swap-pieces", "swap-sides"] {
        let variant = json!({"size": 5, "opening": "swap", "swap": swap});
        let record = of_words("hex", variant, &["a2", swap, "c3", "b4"], None);
        add(swap, "hex", record);
    }
    let words = ["h8h9j10x2", "swap", "g7", "a1b2", "b2c3"];
    add(
        "ceremony",
        "gomoku",
        of_words("gomoku", json!({}), &words, None),
    );
    let free = json!({"opening": "free", "forbidden": "off", "size": 20});
    add(
        "20x20",
        "gomoku",
        of_words("gomoku", free, &["t20", "a1", "t1"], None),
    );
    let standard = json!({"opening": "free", "forbidden": "off", "exactly_five": true});
    add("exactly five", "gomoku", random("gomoku", standard, 30, 4));
    let hex = json!({"size": 5});
    add(
        "set up",
        "hex",
        set_up("hex", &hex, "(;GM[11]SZ[5]AB[a1][b2]AW[c3];W[d4];B[e5])"),
    );
    add(
        "blue begins",
        "hex",
        set_up("hex", &hex, "(;GM[11]SZ[5];W[d4];B[e5])"),
    );
    let six = "(;GM[4]SZ[19]AB[a1][b2]AW[c3]PL[B];B[d4e5];W[f6g7])";
    add("set up", "connect6", set_up("connect6", &json!({}), six));
    let free = json!({"opening": "free", "forbidden": "off"});
    let five = "(;GM[4]RU[0]SZ[15]AB[a1][b2]AW[c3]PL[W];W[d4];B[e5])";
    add("set up", "gomoku", set_up("gomoku", &free, five));
    samples
}

fn read(rules: &dyn AnyGame, format: Format, variant: &Value, text: &str) -> Vec<TextReading> {
    let mut readings = Vec::new();
    let mut take = |reading| readings.push(reading);
    rules
        .read_records(format, variant, text, &mut take)
        .expect("the variant");
    readings
}

/// The game after it was written and read; `None` if the format cannot hold it.
fn through(sample: &Sample, format: Format, record: &TextRecord) -> Option<TextRecord> {
    let text = sample.rules.write_record(format, record).ok()?;
    let text = [records::head(format), &text].concat();
    // Contests use GBK.
    let encoding = match format {
        Format::Contest => Encoding::Gbk,
        _ => Encoding::Utf8,
    };
    let bytes = encoding.encode(&text).expect("GBK has the names");
    let text = decode(&bytes).expect("text");
    let mut readings = read(sample.rules, format, &sample.record.variant, &text);
    assert_eq!(readings.len(), 1, "{format:?}: {text}");
    let reading = readings.remove(0);
    assert_eq!(reading.fault, None, "{format:?}: {text}");
    Some(reading.record)
}

#[test]
fn every_format_converts_into_every_other() {
    let mut impossible = Vec::new();
    let mut pairs = 0;
    for sample in samples() {
        let formats = sample.rules.record_formats();
        for &from in &formats {
            let label = format!("{} {}: {}", sample.rules.id(), sample.name, from.name());
            let Some(first) = through(&sample, from, &sample.record) else {
                impossible.push(label);
                continue;
            };
            for &to in &formats {
                let Some(second) = through(&sample, to, &first) else {
                    continue;
                };
                pairs += 1;
                let pair = format!("{label} to {}", to.name());
                assert_eq!(second.words, sample.record.words, "{pair}");
                assert_eq!(second.position, sample.record.position, "{pair}");
                assert_eq!(second.variant, sample.record.variant, "{pair}");
            }
        }
    }
    // psq has no ceremony, a link no exchange of colours, and only SGF has stones that are set up. A
    // format that cannot hold a game is neither the first nor the second of a pair.
    let expected = [
        "gomoku whole: psq",
        "gomoku unfinished: psq",
        "gomoku resigned: psq",
        "hex swap-sides: hexworld",
        "gomoku ceremony: psq",
        "hex set up: contest",
        "hex set up: sau",
        "hex set up: hexworld",
        "hex set up: moves",
        "hex set up: numbered",
        "hex set up: table",
        "hex blue begins: contest",
        "hex blue begins: sau",
        "hex blue begins: hexworld",
        "hex blue begins: moves",
        "hex blue begins: numbered",
        "hex blue begins: table",
        "connect6 set up: contest",
        "connect6 set up: sau",
        "connect6 set up: moves",
        "connect6 set up: numbered",
        "connect6 set up: table",
        "gomoku set up: contest",
        "gomoku set up: sau",
        "gomoku set up: psq",
        "gomoku set up: moves",
        "gomoku set up: numbered",
        "gomoku set up: table",
    ];
    assert_eq!(impossible, expected);
    assert!(pairs > 900, "{pairs} pairs");
}
