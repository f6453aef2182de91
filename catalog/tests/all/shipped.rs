//! The players as they are shipped, on one thread and on two, against plain negamax: in the last
//! plies of random games, whatever they call solved has the true value, and their move keeps it.

use engine_core::{Limits, Report, Resources, Rng, Score};
use game::Searched;
use serde_json::{from_value, json};
use textbook::{AnySearch, Textbook};

/// Node limit of negamax for one position of a game.
const NEGAMAX_NODES: u64 = 200_000;
/// The same after a player's move: negamax may have found another win before this move.
const NEGAMAX_NODES_AFTER: u64 = 100 * NEGAMAX_NODES;
/// Limit of nodes or playouts of a player.
const NODES: u64 = 50_000;
/// Random games of each variant.
const GAMES: u64 = 12;

fn search<G: Searched>(
    position: &G,
    (algorithm, threads): (AnySearch, usize),
    nodes: u64,
) -> Report<G::Move> {
    let resources = Resources {
        table_mb: 4,
        threads,
        seed: 1,
    };
    let player = catalog::player(position, algorithm, &G::settings(), resources);
    let mut player = player.expect("there is memory");
    player.search(position, &Limits::nodes(nodes), &mut |_| {})
}

/// The value of the game, if negamax reaches all ends of it that matter with these nodes.
fn value<G: Searched>(position: &G, nodes: u64) -> Option<Score> {
    if position.outcome().is_some() {
        return position.terminal(0);
    }
    let negamax = AnySearch::Textbook(Textbook::Negamax);
    let report = search(position, (negamax, 1), nodes);
    report.score.filter(|_| report.solved)
}

/// The last positions of a random game in which a player acts, with their values, last first.
fn endings<G: Searched>(start: &G, rng: &mut Rng) -> Vec<(G, Score)> {
    let mut position = start.clone();
    let mut played = Vec::new();
    while position.outcome().is_none() {
        if position.is_chance() {
            position.play_roll(1 + rng.below(u32::from(G::FACES)) as u8);
            continue;
        }
        played.push(position.clone());
        let moves = position.legal_moves();
        position.play(moves[rng.below(moves.len() as u32) as usize]);
    }
    let known = |position: G| value(&position, NEGAMAX_NODES).map(|value| (position, value));
    played.into_iter().rev().map_while(known).collect()
}

/// Whether two values say the same: the same winner, or the same points up to what Monte-Carlo
/// search rounds away.
fn agree(one: Score, other: Score) -> bool {
    let winner = |score: Score| {
        score
            .plies_to_win()
            .map(|_| 1)
            .or(score.plies_to_loss().map(|_| -1))
    };
    if winner(one).is_some() || winner(other).is_some() {
        return winner(one) == winner(other);
    }
    let (one, other) = (one.value(), other.value());
    (one - other).abs() <= 2 + one.abs().max(other.abs()) / 200
}

/// Checks a game, and returns the number of solved searches.
fn check<G: Searched>(variant: serde_json::Value) -> u32 {
    let variant: G::Variant = from_value(variant).expect("a variant");
    let start = G::start(&variant).expect("a variant");
    let mut solved = 0;
    for seed in 0..GAMES {
        let mut rng = Rng::new(seed);
        for (position, expected) in endings(&start, &mut rng) {
            for name in ["pvs", "selective", "mcts"] {
                for threads in [1, 2] {
                    let algorithm = AnySearch::find(name).expect("a name of the table");
                    let report = search(&position, (algorithm, threads), NODES);
                    if !report.solved {
                        continue;
                    }
                    let text = position.write_position();
                    let context =
                        format!("{}, {name}, {threads} threads: {text}: {report:?}", G::ID);
                    let score = report.score.expect("it is solved");
                    assert!(agree(score, expected), "{expected:?}, {context}");
                    solved += 1;
                    check_move(&position, report.pv[0], expected, &context);
                }
            }
        }
    }
    println!("{}: {solved} solved", G::ID);
    solved
}

/// The move keeps the value, unless a roll comes between.
fn check_move<G: Searched>(position: &G, mv: G::Move, expected: Score, context: &str) {
    let mut after = position.clone();
    after.play(mv);
    if after.is_chance() {
        return;
    }
    let value = value(&after, NEGAMAX_NODES_AFTER).expect("negamax finds it with so many nodes");
    let kept = if after.side() == position.side() {
        value
    } else {
        -value
    };
    assert!(
        agree(kept, expected),
        "{kept:?} after it, {expected:?}, {context}"
    );
}

#[test]
fn amazons() {
    let variant = json!({ "columns": 4, "rows": 5, "first": ["a1", "d1"], "second": ["a5", "d5"] });
    assert!(check::<amazons::Amazons>(variant) > 100);
}

#[test]
fn connect6() {
    assert!(check::<connect6::Connect6>(json!({ "size": 6 })) > 100);
}

#[test]
fn dots_and_boxes() {
    let variant = json!({ "columns": 3, "rows": 3 });
    assert!(check::<dots_and_boxes::DotsAndBoxes>(variant) > 100);
}

#[test]
fn einstein() {
    assert!(check::<einstein::Einstein>(json!({})) > 50);
}

#[test]
fn gomoku() {
    let renju = json!({ "size": 5, "opening": "free" });
    assert!(check::<gomoku::Gomoku>(renju) > 100);
}

#[test]
fn hex() {
    assert!(check::<hex::Hex>(json!({ "size": 4 })) > 100);
}

#[test]
fn surakarta() {
    assert!(check::<surakarta::Surakarta>(json!({})) > 100);
}

#[test]
fn tic_tac_toe() {
    assert!(check::<tic_tac_toe::TicTacToe>(json!({})) > 100);
}
