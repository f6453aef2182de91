//! The evaluation along a game, its cheap lower bound, and what a search makes of its candidates.

use engine_core::{Evaluator, Limits, Position, Resources, Rng, Score};
use entry::{Game, Wanted};
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

/// In a game that was lost, the engine thought here that it had won: no candidate of the other side
/// was a defence, but another move was.
#[test]
fn no_win_rests_on_candidates_alone() {
    let opening = "h7 e6 f7 e7 f6 e8 e5 g7 e9 f5 d7 f9 g9 d8 j8 c8 b8 g8 f8 e10 f11 d11 c12 d10 c7";
    let rest = "d12 d9 d6 f10 c10 b10 e12 b9 b11 i7";
    let position = after(VARIANTS[2], &format!("{opening} {rest}"));
    let claims = |widening| {
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
        let report = player.search(&position, &Limits::nodes(100_000), &mut |_| {});
        report.score.expect("it has searched") == Score::MAX_EVAL
    };
    assert!(claims(0));
    assert!(!claims(Gomoku::settings().search.selectivity.widening));
}
