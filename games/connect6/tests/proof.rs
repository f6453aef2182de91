//! The searches for proofs on positions of Connect6 with known winners, where one side acts twice.

use connect6::{Connect6, Variant, WindowEvaluator};
use engine_core::players::player;
use engine_core::proof::dfpn::Dfpn;
use engine_core::proof::pns::Pns;
use engine_core::proof::{Answer, Goal, Prover, check};
use engine_core::search::minimax::minimax;
use engine_core::{Algorithm, Limits, Notation, Position, Resources, Settings, Side};
use entry::Game;

const ALL: &[&str] = &["pns", "pn2", "dfpn"];

fn provers(bytes: usize) -> [(&'static str, Box<dyn Prover<Connect6>>); 3] {
    [
        ("pns", Box::new(Pns::new(bytes, false).expect("memory"))),
        ("pn2", Box::new(Pns::new(bytes, true).expect("memory"))),
        ("dfpn", Box::new(Dfpn::new(bytes).expect("memory"))),
    ]
}

fn position(size: u8, text: &str) -> Connect6 {
    let start = Connect6::start(&Variant { size }).expect("a board");
    start.parse_position(text).expect("a position")
}

/// Whether `pvs`, looking at all moves, finds a win within three turns.
fn alpha_beta_wins(position: &Connect6) -> bool {
    let resources = Resources {
        table_mb: 64,
        threads: 1,
        seed: 1,
    };
    let mut pvs = player(
        Algorithm::default(),
        || position.evaluator(),
        || position.playout(),
        &Settings::default(),
        resources,
    )
    .expect("memory");
    let report = pvs.search(position, &Limits::depth(6), &mut |_| {});
    report.score.plies_to_win().is_some()
}

/// Every search finds that the side to move wins, or that it loses, and its proof is right.
fn verify(size: u8, text: &str, wins: bool, searches: &[&str]) {
    let position = position(size, text);
    let winner = if wins {
        position.side()
    } else {
        position.side().opponent()
    };
    assert_eq!(alpha_beta_wins(&position), wins, "{text}");
    for (name, mut prover) in provers(1 << 26) {
        if !searches.contains(&name) {
            continue;
        }
        for side in Side::BOTH {
            let finding = prover.prove(&position, Goal::win(side), &Limits::nodes(2_000_000));
            let expected = if side == winner {
                Answer::Proven
            } else {
                Answer::Disproven
            };
            assert_eq!(finding.answer, expected, "{name}, {side:?}, {text}");
            let proof = prover
                .proof_tree(&Limits::nodes(2_000_000))
                .expect("a proof");
            assert_eq!(check(&position, &proof), Ok(()), "{name}, {side:?}, {text}");
        }
    }
}

/// Four in a row with room: both stones of one turn make six.
#[test]
fn four_in_a_row_wins_with_two_stones_but_not_with_one() {
    verify(6, "6/6/1bbbb1/6/6/6 black 2", true, ALL);
    verify(7, "7/7/1bbbb2/7/7/7/7 black 2", true, ALL);
}

/// Three threats at once, and two stones to stop them.
#[test]
fn three_fours_cannot_be_stopped() {
    verify(6, "bbbb2/6/bbbb2/6/bbbb2/6 white 2", false, ALL);
}

/// The stone b5 makes three more lines of four, and the crossings of all four are black.
#[test]
fn a_stone_that_makes_four_fours_wins() {
    verify(6, "bbbb2/b1bb2/bbw1w1/bb1w1w/2w1w1/3w1w black 1", true, ALL);
}

/// Endings of a small board by plain minimax.
#[test]
fn nearly_full_boards_are_minimax() {
    let mut rng = engine_core::Rng::new(6);
    for _ in 0..40 {
        let mut start = Connect6::start(&Variant { size: 6 }).expect("a board");
        while start.stones() < 29 && start.outcome().is_none() {
            let moves = start.legal_moves();
            start.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        if start.outcome().is_some() {
            continue;
        }
        let value = minimax(&mut start.clone(), &mut WindowEvaluator::new(6), 36);
        for (name, mut prover) in provers(1 << 24) {
            let goal = Goal::win(start.side());
            let answer = prover.prove(&start, goal, &Limits::default()).answer;
            let wins = value.plies_to_win().is_some();
            assert_eq!(answer == Answer::Proven, wins, "{name}, {start:?}");
            let goal = Goal::draw(start.side());
            let answer = prover.prove(&start, goal, &Limits::default()).answer;
            let loses = value.plies_to_loss().is_some();
            assert_eq!(answer == Answer::Disproven, loses, "{name}, {start:?}");
            let proof = prover.proof_tree(&Limits::default()).expect("a proof");
            assert_eq!(check(&start, &proof), Ok(()), "{name}, {start:?}");
        }
    }
}
