//! The evaluation along a game, its cheap lower bound, and what a search makes of its candidates.

use engine_core::{Evaluator, Limits, Position, Resources, Rng, Score};
use game::{Searched, Wanted};
use gomoku::Gomoku;

use crate::common::{after, start};

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

/// The score of a search of 100 000 nodes with a depth of widening.
fn score(position: &Gomoku, widening: u32) -> Score {
    let mut settings = Gomoku::settings();
    settings.search.selectivity.widening = widening;
    let wanted = Wanted {
        algorithm: settings.best,
        settings: &settings,
        resources: Resources {
            table_mb: 16,
            threads: 1,
            seed: 1,
        },
    };
    let mut player = position.make_player(wanted).expect("the player exists");
    let report = player.search(position, &Limits::nodes(100_000), &mut |_| {});
    report.score.expect("it has searched")
}

/// In games that were lost, the engine thought here that it had won: no candidate of the other side
/// was a defence, but another move was.
#[test]
fn no_win_rests_on_candidates_alone() {
    let shipped = Gomoku::settings().search.selectivity.widening;
    let mut false_wins = 0;
    for (variant, turns) in [
        (
            VARIANTS[0],
            "e6 f8 k9 j9 e5 f6 h7 e7 g5 f5 f7 g8 g9 e9 h8 d10 g7 i7 e8 d9 h5 h6 g4 g6 i6 \
             j7",
        ),
        (
            VARIANTS[0],
            "i8 g10 f8 g8 f7 h7 f9 f10 g9 h10 i10 i9 f6 f5 e9 d9 e7 j8 k7 d6 d10 g7 g5 h4 \
             j7 h8 h9 k6 i6 k8 h6 g6 c9 d8 e4 e6 d7 e11 j10 l7 m6 f4 i4 i5 g3 c6 m8 c11 \
             j11 f11 g11 e10 b7 c7 g12",
        ),
        (VARIANTS[2], "f6 g6 j10 g7 g8 f8 h6 f7 h5"),
    ] {
        let position = after(variant, turns);
        assert!(score(&position, shipped) < Score::MAX_EVAL, "{turns}");
        false_wins += u32::from(score(&position, 0) == Score::MAX_EVAL);
    }
    assert!(false_wins > 0);
}
