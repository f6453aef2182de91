//! Calls that check the inputs and the features of any game.

use std::cmp::Reverse;
use std::sync::Arc;

use super::combined::CombinedEvaluator;
use super::features::MoveFeatures;
use super::inputs::{Change, Inputs};
use super::model::{Model, Shape};
use super::policy::Policy;
use super::weights::Weights;
use crate::evaluate::{Candidates, Evaluator, Playout, UniformPlayout};
use crate::position::{Position, Side};
use crate::rng::Rng;
use crate::score::Score;

/// Checks the contracts of [`Inputs`] in random games from `start`.
///
/// A learned evaluation must be the same along the moves of a game as from scratch, whatever was
/// pushed and popped before. Returns the number of positions that were checked.
///
/// # Panics
/// A contract is broken.
pub fn check_inputs<P: Position, E: Evaluator<P>, I: Inputs<P>>(
    start: &P,
    evaluator: impl Fn() -> E,
    games: u32,
    seed: u64,
) -> u32 {
    let inputs = I::of(start);
    let mut rng = Rng::new(seed);
    let all = [(0, 0), (16, 0), (16, 4)].map(|(hidden, second)| {
        let shape = Shape {
            inputs: inputs.count(),
            hidden,
            second,
        };
        random_weights(shape, I::NAME, &mut rng)
    });
    let mut checked = 0;
    for game in 0..games {
        let weights = &all[game as usize % all.len()];
        let knowledge = || CombinedEvaluator::<E, I>::new(evaluator(), start, Some(weights));
        checked += check_game(start, &inputs, knowledge, &mut rng);
    }
    checked
}

/// Checks the contracts of [`MoveFeatures`] and of a policy of random strengths in random games from
/// `start`: features are in their groups and do not depend on the positions seen before, and the
/// candidates are the strongest moves. Returns the number of positions that were checked.
///
/// # Panics
/// A contract is broken.
pub fn check_features<P: Position, F: MoveFeatures<P>>(start: &P, games: u32, seed: u64) -> u32 {
    let mut rng = Rng::new(seed);
    let mut kept = F::of(start);
    let shape = Shape {
        inputs: kept.groups().iter().sum::<u32>() as usize,
        hidden: 0,
        second: 0,
    };
    let weights = random_weights(shape, F::NAME, &mut rng);
    let mut policy = Policy::<F>::new(start, &weights).expect("weights of these features");
    let mut random = UniformPlayout::default();
    let mut checked = 0;
    for _ in 0..games {
        let mut position = start.clone();
        while position.outcome().is_none() {
            if position.is_chance() {
                position.play_roll(1 + rng.below(u32::from(P::FACES)) as u8);
                continue;
            }
            let mut fresh = F::of(start);
            fresh.see(&position);
            kept.see(&position);
            let mut ranked = Vec::new();
            for mv in position.legal_moves() {
                let (mut seen, mut again) = (Vec::new(), Vec::new());
                kept.each(&position, mv, |feature| seen.push(feature));
                fresh.each(&position, mv, |feature| again.push(feature));
                assert_eq!(seen, again, "{mv:?} in {position:?}");
                assert!(
                    seen.iter()
                        .all(|&feature| (feature as usize) < shape.inputs)
                );
                ranked.push((weights.model.value(&seen, &[]), mv));
            }
            ranked.sort_by_key(|&(strength, _)| Reverse(strength));
            let limit = 1 + rng.below(ranked.len() as u32 + 1) as usize;
            let mut listed = Vec::new();
            let kind = policy.candidates(&mut NoEvaluation, &position, limit, &mut listed);
            let strongest: Vec<P::Move> = ranked.iter().map(|&(_, mv)| mv).take(limit).collect();
            assert_eq!(listed, strongest, "of {} in {position:?}", ranked.len());
            let expected = if limit < ranked.len() {
                Candidates::Selected
            } else {
                Candidates::Complete
            };
            assert_eq!(kind, expected);
            // Now the policy may know them.
            let kind = policy.candidates(&mut NoEvaluation, &position, limit, &mut listed);
            assert_eq!((kind, listed), (expected, strongest));
            checked += 1;
            position.play(random.choose(&position, &mut rng));
        }
    }
    checked
}

/// An evaluator that knows nothing.
struct NoEvaluation;

impl<P: Position> Evaluator<P> for NoEvaluation {
    fn evaluate(&mut self, _: &P) -> Score {
        Score::DRAW
    }
}

fn random_weights(shape: Shape, name: &str, rng: &mut Rng) -> Arc<Weights> {
    let count = shape.parts().iter().sum();
    let numbers: Vec<i32> = (0..count).map(|_| rng.below(101) as i32 - 50).collect();
    Arc::new(Weights {
        inputs: name.to_owned(),
        model: Model::new(shape, &numbers).expect("a model of this shape"),
        corrects: shape.hidden == 0,
    })
}

fn sorted(mut inputs: Vec<u32>) -> Vec<u32> {
    inputs.sort_unstable();
    inputs
}

fn check_game<P: Position, I: Inputs<P>, E: Evaluator<P>>(
    start: &P,
    inputs: &I,
    knowledge: impl Fn() -> CombinedEvaluator<E, I>,
    rng: &mut Rng,
) -> u32 {
    let active = |position: &P| {
        Side::BOTH.map(|viewer| {
            let mut out = Vec::new();
            inputs.active(position, viewer, &mut out);
            assert!(out.iter().all(|&input| (input as usize) < inputs.count()));
            sorted(out)
        })
    };
    let mut policy = UniformPlayout::default();
    let (mut position, mut followed) = (start.clone(), knowledge());
    assert!(followed.is_learned(), "weights fit their own inputs");
    followed.reset(&position);
    let mut checked = 0;
    while position.outcome().is_none() {
        if position.is_chance() {
            let before = active(&position);
            position.play_roll(1 + rng.below(u32::from(P::FACES)) as u8);
            assert_eq!(
                active(&position),
                before,
                "a roll changes passing inputs only"
            );
            continue;
        }
        let mut fresh = knowledge();
        fresh.reset(&position);
        let value = followed.evaluate(&position);
        assert_eq!(
            value,
            fresh.evaluate(&position),
            "kept from move to move: {position:?}"
        );
        // A move that is taken back leaves nothing behind.
        followed.push(&position, policy.choose(&position, rng));
        followed.pop();
        assert_eq!(
            value,
            followed.evaluate(&position),
            "taken back: {position:?}"
        );

        let mv = policy.choose(&position, rng);
        let mut changes: [Change; 2] = Default::default();
        inputs.change(&position, mv, &mut changes);
        let mut expected = active(&position);
        for (list, change) in expected.iter_mut().zip(&changes) {
            list.extend(&change.added);
            for removed in &change.removed {
                let place = list.iter().position(|input| input == removed);
                list.swap_remove(place.expect("only inputs that are on are turned off"));
            }
        }
        followed.push(&position, mv);
        position.play(mv);
        if position.outcome().is_none() {
            assert_eq!(
                active(&position),
                expected.map(sorted),
                "{mv:?} to {position:?}"
            );
        }
        checked += 1;
    }
    checked
}
