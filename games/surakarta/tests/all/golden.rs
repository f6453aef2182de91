//! Golden games: a header with the variant, the turns, the result.

use engine_core::{Notation, Outcome, Position};
use game::Game;
use game::turn;
use protocol::Protocol;
use surakarta::{Surakarta, Variant};

fn replay(text: &str) {
    let (header, rest) = text.split_once('\n').expect("a header");
    let variant = header.strip_prefix("variant ").expect("a variant");
    let variant: Variant = serde_json::from_str(variant).expect("a variant");
    let (turns, result) = rest.split_once("result ").expect("a result");

    let mut position = Surakarta::start(&variant).expect("a start");
    for text in turns.split_whitespace() {
        let turn = position.parse_turn(text);
        let turn = turn.unwrap_or_else(|error| panic!("{text}: {error}"));
        let sau = position.write_sau(&turn);
        let mut by_sau = position.clone();
        turn::play_turn(&mut position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        turn::play_turn_in(&mut by_sau, Protocol::Sau, &sau)
            .unwrap_or_else(|error| panic!("{sau}: {error}"));
        assert_eq!(position, by_sau, "{text} and {sau}");
    }
    let winner = match position.outcome().expect("an end") {
        Outcome::Win(side) => format!("{side:?}"),
        Outcome::Draw => "Draw".to_owned(),
    };
    assert_eq!(
        format!("{winner}: {}", position.ending()),
        result.trim_end()
    );
}

#[test]
fn repetition() {
    replay(include_str!("../golden/repetition.txt"));
}

#[test]
fn quiet_limit() {
    replay(include_str!("../golden/quiet-limit.txt"));
}

#[test]
fn no_pieces() {
    replay(include_str!("../golden/no-pieces.txt"));
}
