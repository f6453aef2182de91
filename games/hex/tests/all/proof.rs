//! Proof searches on boards whose winning first cells are published.

use engine_core::proof::dfpn::Dfpn;
use engine_core::proof::pns::Pns;
use engine_core::proof::{Answer, Goal, Prover, check};
use engine_core::{Limits, Notation, Position, Side};
use hex::Hex;

use crate::common::start;

fn provers(bytes: usize) -> [(&'static str, Box<dyn Prover<Hex>>); 3] {
    [
        ("pns", Box::new(Pns::new(bytes, false).expect("memory"))),
        ("pn2", Box::new(Pns::new(bytes, true).expect("memory"))),
        ("dfpn", Box::new(Dfpn::new(bytes).expect("memory"))),
    ]
}

/// The first cells after which First is proven to win; all others are proven to lose. The checker
/// verifies every proof.
fn winning(name: &str, prover: &mut dyn Prover<Hex>, size: u8) -> String {
    let mut position = start(&format!(r#"{{"size": {size}}}"#));
    let mut cells = Vec::new();
    for action in position.legal_moves() {
        let text = position.write_move(action);
        let undo = position.play(action);
        let goal = Goal::win(Side::First);
        let answer = prover.prove(&position, goal, &Limits::default()).answer;
        let proof = prover.proof_tree(&Limits::default()).expect("a proof");
        assert_eq!(check(&position, &proof), Ok(()), "{name}, {text}");
        if answer == Answer::Proven {
            cells.push(text);
        }
        position.undo(action, undo);
    }
    cells.join(" ")
}

#[test]
fn three_by_three() {
    for (name, mut prover) in provers(1 << 24) {
        assert_eq!(winning(name, &mut *prover, 3), "c1 a2 b2 c2 a3", "{name}");
    }
}

#[test]
fn four_by_four() {
    for (name, mut prover) in provers(1 << 26) {
        assert_eq!(winning(name, &mut *prover, 4), "d1 c2 b3 a4", "{name}");
    }
}
