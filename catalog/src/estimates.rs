//! What evaluations with different weights say of the positions of a game.

use engine_core::{Evaluator, Settings, Side};
use entry::parameters::{self, Assignment};
use game::turn::{play_word, play_words, words};
use game::{PlayedEvaluator, Searched, start};
use serde_json::Value;

use crate::search::SearchError;

/// A position, as evaluations with different weights see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The side to act, also if a roll is due.
    pub side: Side,
    /// The log odds of its winning, by each evaluation.
    pub odds: Vec<f32>,
}

/// The largest log odds of an estimate: beyond it, an `f32` near 1 says little.
const MOST: f32 = 12.0;

/// Evaluates the quiet positions between the turns of a game, after each of `words` but the first
/// `skip`, by the evaluation with each of these parameters. A position is quiet if the game is not
/// over, no turn is unfinished, and no threat has to be answered at once
/// ([`Evaluator::is_quiet`]).
pub(crate) fn estimates<G: Searched>(
    variant: &Value,
    (position, opening): (Option<&str>, &str),
    game: &str,
    skip: usize,
    all: &[Vec<Assignment>],
) -> Result<Vec<Estimate>, SearchError> {
    let mut board: G = start(variant)?;
    if let Some(text) = position {
        board = board.parse_position(text)?;
    }
    play_words(&mut board, opening)?;
    let mut evaluators = Vec::new();
    for parameters in all {
        let settings = parameters::settings::<G>(parameters).map_err(SearchError::Parameter)?;
        // The evaluation made by hand alone.
        let settings = Settings {
            weights: None,
            ..settings
        };
        evaluators.push(game::evaluator(&board, &settings));
    }
    let mut estimates = Vec::new();
    for (number, (_, word)) in words(game).enumerate() {
        play_word(&mut board, word)?;
        if number >= skip && board.outcome().is_none() && !board.mid_turn() {
            estimates.extend(estimate(&board, &mut evaluators));
        }
    }
    Ok(estimates)
}

/// What the evaluations say of a position, if it is quiet.
fn estimate<G: Searched>(board: &G, evaluators: &mut [PlayedEvaluator<G>]) -> Option<Estimate> {
    let first = evaluators.first_mut()?;
    first.reset(board);
    if !first.is_quiet(board) {
        return None;
    }
    let odds = |evaluator: &mut PlayedEvaluator<G>| {
        evaluator.reset(board);
        let score = evaluator.evaluate(board);
        let chance = evaluator.probability(score);
        let odds = engine_core::real::ln(chance / (1.0 - chance));
        odds.clamp(-MOST, MOST)
    };
    Some(Estimate {
        side: board.side(),
        odds: evaluators.iter_mut().map(odds).collect(),
    })
}
