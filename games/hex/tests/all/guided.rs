//! The proof search with virtual connections, on boards whose winning first cells are published.

use std::collections::HashMap;

use engine_core::proof::guided::Guide;
use engine_core::proof::{Answer, Goal, Prover, check};
use engine_core::{Limits, Notation, Outcome, Playout, Position, Rng, Side};
use game::{Guided, Searched};
use hex::{Action, ByConnections, Hex, Random};

use crate::common::start;
use crate::solved::prove;

pub(crate) fn prover(position: &Hex, bytes: usize) -> Box<dyn Prover<Hex>> {
    let prover = position.prover(&Hex::settings(), bytes);
    prover.expect("there is memory")
}

/// The first cells after which First is proven to win; all others are proven to lose. On boards of
/// up to `checked` rows the checker verifies every proof by the rules alone.
fn winning(variant: &str, bytes: usize, checked: u8) -> String {
    let mut position = start(variant);
    let mut prover = prover(&position, bytes);
    let mut cells = Vec::new();
    for action in position.legal_moves() {
        let text = position.write_move(action);
        let undo = position.play(action);
        let finding = prover.prove(&position, Goal::win(Side::First), &Limits::default());
        if position.size() <= checked {
            let proof = prover.proof_tree(&Limits::default()).expect("a proof");
            assert_eq!(check(&position, &proof), Ok(()), "{text}");
        }
        match finding.answer {
            Answer::Proven => cells.push(text),
            Answer::Disproven => {}
            Answer::Unknown => panic!("{text} is not solved"),
        }
        position.undo(action, undo);
    }
    cells.join(" ")
}

#[test]
fn small_boards_are_solved_with_proofs() {
    for bytes in [0, 1 << 24] {
        let winning = |size| winning(&format!(r#"{{"size": {size}}}"#), bytes, 4);
        assert_eq!(winning(2), "b1 a2");
        assert_eq!(winning(3), "c1 a2 b2 c2 a3");
        assert_eq!(winning(4), "d1 c2 b3 a4");
    }
}

#[test]
fn five_by_five_is_solved_in_any_memory() {
    let cells = "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5";
    for bytes in [0, 1 << 24] {
        assert_eq!(winning(r#"{"size": 5}"#, bytes, 0), cells);
    }
}

#[test]
fn with_a_swap_second_wins_whatever_first_plays() {
    for swap in ["swap-pieces", "swap-sides"] {
        for size in [2, 3, 4] {
            let variant = format!(r#"{{"size": {size}, "opening": "swap", "swap": "{swap}"}}"#);
            assert_eq!(winning(&variant, 1 << 24, 3), "", "{swap}");
        }
    }
}

/// A position after random stones that nobody has won.
pub(crate) fn random(size: u8, rng: &mut Rng) -> Hex {
    loop {
        let mut position = start(&format!(r#"{{"size": {size}}}"#));
        for _ in 0..rng.below(u32::from(size * size) - 3) {
            if position.outcome().is_none() {
                position.play(Random::default().choose(&position, rng));
            }
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// If a move wins, the guide lists one that wins, and where it lists none, the other side wins.
#[test]
fn what_a_guide_lists_is_enough() {
    let mut rng = Rng::new(5);
    let mut table = HashMap::new();
    let settings = Hex::settings();
    let (mut left_out, mut lost) = (0, 0);
    for _ in 0..400 {
        let mut position = random(4, &mut rng);
        let evaluator = game::evaluator(&position, &settings);
        let mut guide = ByConnections::new(&position, evaluator);
        let mut moves = Vec::new();
        guide.look(&position, &mut moves);
        let wins = prove(&mut position, &mut table).mover_wins;
        left_out += position.legal_moves().len() - moves.len();
        lost += usize::from(moves.is_empty());
        let is_won = moves.into_iter().any(|(mv, _)| {
            let undo = position.play(mv);
            let is_won = !prove(&mut position, &mut table).mover_wins;
            position.undo(mv, undo);
            is_won
        });
        assert_eq!(is_won, wins, "{position:?}");
    }
    assert!(left_out > 1_000 && lost > 50, "{left_out} {lost}");
}

/// A limit ends the search, and it goes on from there.
#[test]
fn a_search_goes_on_after_a_limit() {
    let mut position = start(r#"{"size": 5}"#);
    let first = position.parse_move("a2").expect("it is legal");
    position.play(first);
    let mut prover = prover(&position, 1 << 24);
    let mut searches = 0;
    loop {
        let finding = prover.prove(&position, Goal::win(Side::First), &Limits::nodes(2));
        assert!(finding.nodes <= 3, "{}", finding.nodes);
        searches += 1;
        assert_eq!(prover.root_moves().len(), position.legal_moves().len());
        if finding.answer != Answer::Unknown {
            assert_eq!(finding.answer, Answer::Disproven);
            break;
        }
    }
    assert!(searches > 1, "{searches}");
    let line = prover.line(&Limits::default());
    for mv in line {
        assert!(position.is_legal(mv));
        position.play(mv);
    }
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::Second)));
}

#[test]
fn actions_beside_stones_have_no_cell() {
    let mut position = start(r#"{"opening": "swap"}"#);
    let first = position.parse_move("f6").expect("it is legal");
    position.play(first);
    let evaluator = game::evaluator(&position, &Hex::settings());
    let guide = ByConnections::new(&position, evaluator);
    assert_eq!(guide.cell(&position, Action::Swap), None);
}
