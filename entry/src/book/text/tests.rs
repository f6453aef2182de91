use proptest::prelude::*;
use serde_json::json;

use super::*;

fn sample() -> Book {
    let mut book = Book::new("nim", json!({"heaps": [3, 5, 7]}), 7);
    book.made.insert("build --plies 4".to_owned());
    book.games.extend([3, 0xffee]);
    let known = book.entry(7, Side::First);
    known.expanded = true;
    known.searched = Some(Searched {
        nodes: 1000,
        solved: false,
        score: Score::points(-31),
        best: 17,
    });
    for (bits, to) in [(17, 9), (4, u64::MAX)] {
        let results = Results {
            first: 3,
            draws: 0,
            second: bits,
        };
        known.moves.insert(bits, Line { to, results });
    }
    book.entry(9, Side::Second);
    book
}

fn error(bytes: &[u8]) -> String {
    let error = Book::from_bytes("b", bytes).expect_err("it is no book");
    assert!(error.to_string().starts_with("b:"), "{error}");
    error.to_string()
}

#[test]
fn a_book_is_read_as_it_was_written() {
    let text = sample().to_text();
    let again = Book::from_bytes("b", text.as_bytes()).expect("it is a book");
    assert_eq!(again, sample());
    assert_eq!(again.to_text(), text);
}

#[test]
fn a_book_that_is_cut_off_anywhere_says_so() {
    let text = sample().to_text();
    for length in 0..text.len() {
        let error = error(&text.as_bytes()[..length]);
        let expected = ["cut off", "not an opening book"];
        assert!(
            expected.iter().any(|words| error.contains(words)),
            "{length}: {error}"
        );
    }
}

#[test]
fn every_changed_byte_is_found() {
    let text = sample().to_text();
    for at in 0..text.len() {
        for change in [1, 0x20, 0x80] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= change;
            error(&bytes);
        }
    }
}

/// The sample with other text in it and a checksum that is right.
fn forged(from: &str, to: &str) -> Vec<u8> {
    let text = sample().to_text();
    assert!(text.contains(from), "{text}");
    let text = text.replacen(from, to, 1);
    let end = text.trim_end().rfind('\n').expect("several lines") + 1;
    let mut body = text[..end].to_owned();
    let tail = Tail {
        games: 2,
        positions: 2,
        sha256: digest(body.as_bytes()),
    };
    push(&mut body, &tail);
    body.into_bytes()
}

#[test]
fn what_no_program_writes_is_refused_where_it_is() {
    for (from, to, expected) in [
        (
            "\"book\":1",
            "\"book\":2",
            "b:1: version 2 of the format, expected 1",
        ),
        (
            "\"min_games\"",
            "\"max_games\"",
            "b:1: unknown field `max_games`",
        ),
        (
            "000000000000ffee",
            "0000000000000002",
            "b:3: a game out of order",
        ),
        (
            "0000000000000007\",1",
            "0000000000000007\",3",
            "b:4: side 3, expected 1 or 2",
        ),
        (
            "-31",
            "-1000001",
            "b:4: score -1000001, expected -1000000 to 1000000",
        ),
        ("[17,", "[3,", "b:4: move 3, expected moves in order"),
        (
            "[17,",
            "[99999999,",
            "b:4: move 99999999, expected moves in order",
        ),
        (
            "[\"0000000000000009\"",
            "[\"0000000000000005\"",
            "b:5: a position out of order",
        ),
        (
            "ffffffffffffffff",
            "fffffffffffffffX",
            "expected 16 hexadecimal digits",
        ),
        ("[\"0000000000000009\",2", "[2", "b:5: invalid type"),
    ] {
        let error = error(&forged(from, to));
        assert!(error.contains(expected), "{from} -> {to}: {error}");
    }
}

proptest! {
    #[test]
    fn no_bytes_cause_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        error(&bytes);
    }
}
