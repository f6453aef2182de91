//! Proofs of who wins, of any game.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use catalog::{AnyMatch, Proof, find};
use engine_core::{Side, StopFlag};
use serde_json::json;

fn start(game: &str, variant: serde_json::Value, words: &str) -> Box<dyn AnyMatch> {
    let mut game = find(game).unwrap().start(&variant).unwrap();
    game.play_words(words).unwrap();
    game
}

fn prove(game: &dyn AnyMatch, nodes: u64) -> Option<Proof> {
    game.prove(nodes, &StopFlag::default())
}

#[test]
fn the_winner_is_proven_for_either_side_to_move() {
    // On an empty Hex board the first side wins, but with the swap rule the second.
    let winner = |variant, words| {
        let game = start("hex", variant, words);
        prove(&*game, 100_000).map(|proof| proof.winner)
    };
    let plain = json!({"size": 3, "opening": "free"});
    assert_eq!(winner(plain.clone(), ""), Some(Side::First));
    assert_eq!(winner(plain, "b2"), Some(Side::First));
    assert_eq!(
        winner(json!({"size": 3, "opening": "swap"}), ""),
        Some(Side::Second)
    );
}

#[test]
fn a_proof_needs_its_nodes_and_is_reproducible() {
    let game = start("hex", json!({"size": 3, "opening": "free"}), "");
    let proof = prove(&*game, 100_000).unwrap();
    assert_eq!(prove(&*game, 100_000), Some(proof));
    assert!(proof.nodes > 10 && proof.size > 10, "{proof:?}");
    assert_eq!(prove(&*game, proof.nodes / 2), None);
}

#[test]
fn a_loss_is_proven_where_games_can_be_drawn() {
    let board = |columns: u8, words: &str| {
        start(
            "dots-and-boxes",
            json!({"columns": columns, "rows": 1}),
            words,
        )
    };
    assert!(!board(1, "").can_be_drawn() && board(2, "").can_be_drawn());
    // The side that draws the last of the four edges gets the only box.
    let edges = board(1, "").actions();
    for drawn in 0..4 {
        let proof = prove(&*board(1, &edges[..drawn].join(" ")), 1_000).unwrap();
        assert_eq!(proof.winner, Side::Second, "after {drawn} edges");
    }
    let two = (0..7).map(|drawn| {
        let edges = board(2, "").actions();
        let game = board(2, &edges[..drawn].join(" "));
        (game.side(), prove(&*game, 1_000).map(|proof| proof.winner))
    });
    let two: Vec<_> = two.collect();
    assert!(
        two.iter()
            .any(|(side, winner)| *winner == Some(side.opponent())),
        "{two:?}"
    );
}

#[test]
fn no_proof_without_a_decision_to_make() {
    let dice = start("einstein", json!({}), "R:123456 B:123456 d3");
    assert_eq!(prove(&*dice, 1_000), None);
    assert_eq!(prove(&*start("surakarta", json!({}), ""), 1_000), None);
    let over = start("hex", json!({"size": 2, "opening": "free"}), "a1 b1 a2");
    assert_eq!(prove(&*over, 1_000), None);
    let stop = StopFlag::default();
    stop.stop();
    let open = start("hex", json!({"size": 3, "opening": "free"}), "");
    assert_eq!(open.prove(1_000, &stop), None);
}
