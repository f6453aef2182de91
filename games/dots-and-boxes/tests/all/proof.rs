//! Proof searches on boards with a known value.

use dots_and_boxes::DotsAndBoxes;
use engine_core::proof::dfpn::Dfpn;
use engine_core::proof::pns::Pns;
use engine_core::proof::{Answer, Goal, Prover, check};
use engine_core::{Limits, Outcome, Side};

use crate::solver::empty;

fn provers(bytes: usize) -> [(&'static str, Box<dyn Prover<DotsAndBoxes>>); 3] {
    [
        ("pns", Box::new(Pns::new(bytes, false).expect("memory"))),
        ("pn2", Box::new(Pns::new(bytes, true).expect("memory"))),
        ("dfpn", Box::new(Dfpn::new(bytes).expect("memory"))),
    ]
}

/// Every search answers every question correctly, and the checker accepts its proofs.
fn verify(rows: u8, columns: u8, outcome: Outcome, searches: &[&str]) {
    let start = empty(columns, rows);
    for (name, mut prover) in provers(1 << 26) {
        if !searches.contains(&name) {
            continue;
        }
        for side in Side::BOTH {
            for goal in [Goal::win(side), Goal::draw(side)] {
                let context = format!("{name}, {goal:?}, {rows}×{columns}");
                let finding = prover.prove(&start, goal, &Limits::nodes(3_000_000));
                let expected = if goal.is_met_by(outcome) {
                    Answer::Proven
                } else {
                    Answer::Disproven
                };
                assert_eq!(finding.answer, expected, "{context}");
                let proof = prover.proof_tree(&Limits::default()).expect("a proof");
                assert_eq!(check(&start, &proof), Ok(()), "{context}");
            }
        }
    }
}

const ALL: &[&str] = &["pns", "pn2", "dfpn"];

#[test]
fn one_by_two_is_a_draw() {
    verify(1, 2, Outcome::Draw, ALL);
}

#[test]
fn two_by_two_is_won_by_first() {
    verify(2, 2, Outcome::Win(Side::First), ALL);
}

#[test]
fn two_by_three_is_won_by_second() {
    verify(2, 3, Outcome::Win(Side::Second), &["dfpn"]);
}
