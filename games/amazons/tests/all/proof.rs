//! Proof searches on small boards with a known winner.

use amazons::{Amazons, Variant};
use engine_core::proof::dfpn::Dfpn;
use engine_core::proof::pns::Pns;
use engine_core::proof::{Answer, Goal, Prover, check};
use engine_core::{Limits, Side};

fn provers(bytes: usize) -> [(&'static str, Box<dyn Prover<Amazons>>); 3] {
    [
        ("pns", Box::new(Pns::new(bytes, false).expect("memory"))),
        ("pn2", Box::new(Pns::new(bytes, true).expect("memory"))),
        ("dfpn", Box::new(Dfpn::new(bytes).expect("memory"))),
    ]
}

/// Every search proves the winner, and the checker accepts its proof.
fn verify(variant: &str, winner: Side) {
    let variant: Variant = serde_json::from_str(variant).expect("a variant");
    let start = variant.start().expect("a board");
    let expected = match winner {
        Side::First => Answer::Proven,
        Side::Second => Answer::Disproven,
    };
    for (name, mut prover) in provers(1 << 26) {
        let finding = prover.prove(&start, Goal::win(Side::First), &Limits::default());
        assert_eq!(finding.answer, expected, "{name}, {variant:?}");
        let proof = prover.proof_tree(&Limits::default()).expect("a proof");
        assert_eq!(check(&start, &proof), Ok(()), "{name}, {variant:?}");
    }
}

/// The second player wins 4×4, as published by other solvers; here with four amazons a side.
#[test]
fn four_by_four() {
    verify(
        r#"{"columns":4,"rows":4,"first":["a2","b1","c1","d2"],"second":["a3","b4","c4","d3"]}"#,
        Side::Second,
    );
}

/// Computed with the plain search in `solved.rs`.
#[test]
fn four_by_four_with_one_amazon_each() {
    verify(
        r#"{"columns":4,"rows":4,"first":["a2"],"second":["d3"]}"#,
        Side::First,
    );
}
