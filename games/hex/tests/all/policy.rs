//! The shipped policy.

use engine_core::{Candidates, Evaluator, Notation, Playout, Position, Rng};
use game::Searched;
use hex::{Hex, Random};

use crate::common::start;

/// The priors of all moves add up to 1, and rank the moves as the list of candidates does.
#[test]
fn priors_are_chances_in_the_order_of_candidates() {
    let mut rng = Rng::new(8);
    for size in [3, 7, 11, 19] {
        let mut position = start(&format!(r#"{{"size": {size}}}"#));
        let mut evaluator = game::evaluator(&position, &Hex::settings());
        let (mut priors, mut ranked) = (Vec::new(), Vec::new());
        while position.outcome().is_none() {
            let moves = position.legal_moves();
            assert!(evaluator.priors(&position, &moves, &mut priors));
            assert_eq!(priors.len(), moves.len());
            let sum: f32 = priors.iter().sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
            let listed = evaluator.candidates(&position, moves.len(), &mut ranked);
            assert_eq!(listed, Candidates::Complete);
            let of = |mv| {
                priors[moves
                    .iter()
                    .position(|other| other == mv)
                    .expect("it is legal")]
            };
            assert!(ranked.is_sorted_by(|a, b| of(a) >= of(b)), "{position:?}");
            position.play(Random::default().choose(&position, &mut rng));
        }
    }
}

/// Two bridges join red's edges, and blue intrudes into one: to save it is likelier than all other
/// moves together.
#[test]
fn a_bridge_is_saved() {
    let mut position = start(r#"{"size": 5}"#);
    for text in ["c3", "a1", "d1", "a2", "b5", "d2"] {
        let action = position.parse_move(text).expect("a legal move");
        position.play(action);
    }
    let moves = position.legal_moves();
    let saving = position.parse_move("c2").expect("a legal move");
    let place = moves.iter().position(|&mv| mv == saving);
    let mut evaluator = game::evaluator(&position, &Hex::settings());
    let mut priors = Vec::new();
    assert!(evaluator.priors(&position, &moves, &mut priors));
    let chance = priors[place.expect("it is listed")];
    assert!(chance > 0.5, "{chance}");
}
