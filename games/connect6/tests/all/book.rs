//! The shipped opening book.

use std::collections::BTreeSet;

use connect6::Connect6;
use engine_core::{Canonical, Notation, Position};
use entry::OpenBook;
use serde_json::json;

fn shipped() -> OpenBook<Connect6> {
    OpenBook::shipped(&json!({})).expect("a book of the contest's board")
}

/// Every expanded position of the book is reached by its moves, and every move leads where the book
/// says.
#[test]
fn every_line_of_the_book_can_be_played() {
    let open = shipped();
    let mut reached = BTreeSet::new();
    let mut next = vec![Connect6::new(19)];
    while let Some(position) = next.pop() {
        if !reached.insert(Canonical::of(&position).key()) {
            continue;
        }
        let Some((known, canonical)) = open.known(&position) else {
            continue;
        };
        let advice = open.advice(&position);
        let played: BTreeSet<u32> = advice
            .iter()
            .map(|advice| canonical.image(&position, advice.mv))
            .collect();
        assert_eq!(played.len(), known.moves.len(), "an illegal move");
        for advice in advice {
            let mut after = position.clone();
            let line = known.moves[&canonical.image(&position, advice.mv)];
            after.play(advice.mv);
            assert_eq!(Canonical::of(&after).key(), line.to);
            next.push(after);
        }
    }
    for (key, known) in &open.book().positions {
        assert!(!known.expanded || reached.contains(key), "{key:016x}");
    }
}

/// It begins in the centre, and knows the first two turns after it.
#[test]
fn the_first_turns_are_played_from_the_book() {
    let open = shipped();
    let mut position = Connect6::new(19);
    let mut played = Vec::new();
    while let Some(advice) = open.choose(&position, 1) {
        played.push(position.write_move(advice.mv));
        position.play(advice.mv);
    }
    assert!(played.len() >= 5 && played[0] == "j10", "{played:?}");
}

/// Other boards have no book.
#[test]
fn the_book_is_of_one_variant() {
    assert!(OpenBook::<Connect6>::shipped(&json!({"size": 19})).is_some());
    assert!(OpenBook::<Connect6>::shipped(&json!({"size": 15})).is_none());
}
