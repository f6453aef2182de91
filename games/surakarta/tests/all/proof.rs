//! Proof-number search with repetition: a path has a history, a table entry has none.

use engine_core::proof::pns::Pns;
use engine_core::proof::{Answer, Goal, ProofMethod, Prover, check};
use engine_core::{Algorithm, Limits, Notation, Side};
use game::Game;
use surakarta::Surakarta;

fn position(text: &str) -> Surakarta {
    let start = Surakarta::start(&Default::default()).expect("the contest's rules");
    start.parse_position(text).expect("a position")
}

/// The answer to "does First win?", with a checked proof.
fn answer(text: &str, second_level: bool) -> Answer {
    let position = position(text);
    let mut prover = Pns::new(1 << 24, second_level).expect("memory");
    let finding = prover.prove(&position, Goal::win(Side::First), &Limits::nodes(100_000));
    if finding.answer != Answer::Unknown {
        let proof = prover.proof_tree(&Limits::nodes(100_000)).expect("a proof");
        assert_eq!(check(&position, &proof), Ok(()), "{text}");
    }
    finding.answer
}

#[test]
fn captures_and_counts_are_proven() {
    for second_level in [false, true] {
        // The last piece can be captured at once.
        let captures = answer("6/6/6/6/1b2w1/6 b 5", second_level);
        assert_eq!(captures, Answer::Proven);
        // The next quiet ply ends the game, and Second has more pieces.
        let counts = answer("b5/6/6/6/6/w4w b 99", second_level);
        assert_eq!(counts, Answer::Disproven);
        // Six plies before the end, Second cannot catch up.
        let ahead = answer("b1b3/6/6/6/6/5w b 96", second_level);
        assert_eq!(ahead, Answer::Proven);
    }
}

#[test]
fn the_table_of_df_pn_does_not_fit() {
    for (variant, fits) in [
        (ProofMethod::Pns, true),
        (ProofMethod::Pn2, true),
        (ProofMethod::Dfpn, false),
    ] {
        let found = Algorithm::Proof(variant).fits::<Surakarta>();
        assert_eq!(found.is_ok(), fits, "{variant:?}");
    }
}
