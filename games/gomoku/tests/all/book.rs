//! Opening books on the largest board.

use engine_core::{Canonical, Notation, Position, Symmetric};
use entry::OpenBook;
use entry::book::{Book, Line, Results};
use serde_json::json;

use crate::common::start;

/// A book that knows one line serves all eight images of it, and its file reads back.
#[test]
fn a_line_at_the_edge_is_found_in_all_images() {
    let variant = json!({"opening": "free", "size": 20, "forbidden": "off"});
    let first = start(&variant.to_string());
    let full = serde_json::to_value(first.variant()).expect("JSON");
    let mut book = Book::new("gomoku", full, Canonical::of(&first).key());
    let line = ["t20", "s19", "t18", "r20", "a20"];
    let mut position = first.clone();
    for turn in line {
        let mv = position.parse_move(turn).expect(turn);
        let canonical = Canonical::of(&position);
        let bits = canonical.image(&position, mv);
        let known = book.entry(canonical.key(), position.side());
        position.play(mv);
        let results = Results {
            first: 20,
            ..Results::default()
        };
        let to = Canonical::of(&position).key();
        known.moves.insert(bits, Line { to, results });
    }
    let read = Book::from_bytes("a book", book.to_text().as_bytes()).expect("a book");
    assert_eq!(read, book);
    let open = OpenBook::new("a book", read, &variant).expect("a book of this variant");
    for symmetry in 0..first.symmetries() {
        let mut position = first.clone();
        let mut original = first.clone();
        for turn in line {
            let mv = original.parse_move(turn).expect(turn);
            let image = original.transform_move(symmetry, mv);
            let advice = open.choose(&position, 1).expect(turn);
            let canonical = Canonical::of(&position);
            let bits = [advice.mv, image].map(|mv| canonical.image(&position, mv));
            assert_eq!(bits[0], bits[1], "{turn} {symmetry}");
            position.play(image);
            original.play(mv);
        }
    }
}
