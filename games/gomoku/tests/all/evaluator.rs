//! The evaluation along a game, and its cheap lower bound.

use engine_core::{Evaluator, Position, Rng, Score};
use entry::Game;

use crate::common::start;

const VARIANTS: [&str; 3] = [
    r#"{"opening": "free", "forbidden": "off"}"#,
    r#"{"opening": "free", "forbidden": "off", "exactly_five": true}"#,
    r#"{"opening": "free", "forbidden": "at-once"}"#,
];

/// Plays random moves near the others, and calls `check` with an evaluator that follows the game,
/// one made for the position, and the position.
fn along_games(
    mut check: impl FnMut(&mut gomoku::PatternEvaluator, &mut gomoku::PatternEvaluator, &gomoku::Gomoku),
) {
    let mut rng = Rng::new(17);
    for variant in VARIANTS {
        for _ in 0..20 {
            let mut position = start(variant);
            let mut kept = position.evaluator();
            kept.reset(&position);
            for _ in 0..60 {
                let mut candidates = Vec::new();
                kept.candidates(&position, 8, &mut candidates);
                if candidates.is_empty() {
                    candidates = position.legal_moves();
                }
                let action = candidates[rng.below(candidates.len() as u32) as usize];
                kept.push(&position, action);
                position.play(action);
                if position.outcome().is_some() {
                    break;
                }
                let mut made = position.evaluator();
                made.reset(&position);
                check(&mut kept, &mut made, &position);
            }
        }
    }
}

#[test]
fn values_along_a_game_are_those_of_its_positions() {
    along_games(|kept, made, position| {
        assert_eq!(kept.evaluate(position), made.evaluate(position));
    });
}

#[test]
fn a_lower_bound_is_one() {
    let (mut bounds, mut wins) = (0, 0);
    along_games(|kept, made, position| {
        let value = made.evaluate(position);
        for enough in [-500, 0, 500].map(Score::points) {
            if let Some(bound) = kept.lower_bound(position, enough) {
                assert!(bound >= enough && bound <= value, "{position:?}");
                bounds += 1;
                wins += u32::from(bound < value);
            }
        }
    });
    assert!(
        bounds > 1_000 && wins > 10,
        "{bounds} bounds, {wins} of wins"
    );
}
