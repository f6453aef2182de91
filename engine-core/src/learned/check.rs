//! One call that checks the inputs of any game.

use std::sync::Arc;

use super::inputs::{Change, Inputs};
use super::knowledge::Knowledge;
use super::model::{Model, Shape};
use super::weights::Weights;
use crate::evaluate::{Evaluator, Playout, UniformPlayout};
use crate::position::{Position, Side};
use crate::rng::Rng;

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
        let knowledge = || Knowledge::<E, I>::new(evaluator(), start, Some(weights));
        checked += check_game(start, &inputs, knowledge, &mut rng);
    }
    checked
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
    knowledge: impl Fn() -> Knowledge<E, I>,
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
