//! What a learned evaluation costs: `cargo bench -p catalog --bench learned`.
//!
//! Nanoseconds to push a move, evaluate the position and pop the move again, on one thread; the best
//! of five measurements. The models have random weights and replace the evaluation made by hand,
//! which is measured in the same run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine_core::learned::{CombinedEvaluator, Inputs, Model, Shape, Weights};
use engine_core::{Evaluator, Playout, Rng, UniformPlayout};
use game::searched::InputsOf;
use game::{Game, Searched};

/// Number of measurements of each figure.
const ROUNDS: usize = 5;
/// Minimum time of one measurement.
const TIME: Duration = Duration::from_millis(100);
/// Sizes of the hidden layers.
const HIDDEN: [(usize, usize); 4] = [(0, 0), (32, 0), (64, 0), (64, 16)];

fn main() {
    // `cargo test --benches` and the like only check that it builds.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let columns = HIDDEN.map(|(hidden, second)| match (hidden, second) {
        (0, _) => "sum".to_owned(),
        (hidden, 0) => format!("{hidden} units"),
        (hidden, second) => format!("{hidden} + {second}"),
    });
    print!("{:<16} {:>8} {:>8}", "ns", "inputs", "by hand");
    columns.iter().for_each(|column| print!(" {column:>10}"));
    println!();
    measure::<surakarta::Surakarta>();
}

/// Prints the line of a game.
fn measure<G: Searched>() {
    let start = G::start(&G::Variant::default()).expect("the contest's variant");
    let inputs = InputsOf::<G>::of(&start).count();
    let line = random_game(&start);
    let mut best = [f64::INFINITY; HIDDEN.len() + 1];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(nanoseconds::<G>(&line, None));
        for (best, (hidden, second)) in best[1..].iter_mut().zip(HIDDEN) {
            let shape = Shape {
                inputs,
                hidden,
                second,
            };
            *best = best.min(nanoseconds::<G>(&line, Some(&random_weights::<G>(shape))));
        }
    }
    print!("{:<16} {inputs:>8}", G::ID);
    best.iter().enumerate().for_each(|(column, best)| {
        let width = if column == 0 { 8 } else { 10 };
        print!(" {best:>width$.0}");
    });
    println!();
}

/// The positions of a random game in which a player acts, each with the move played.
fn random_game<G: Game>(start: &G) -> Vec<(G, G::Move)> {
    let (mut rng, mut policy) = (Rng::new(1), UniformPlayout::default());
    let (mut position, mut line) = (start.clone(), Vec::new());
    while position.outcome().is_none() {
        if position.is_chance() {
            position.play_roll(1 + rng.below(u32::from(G::FACES)) as u8);
            continue;
        }
        let mv = policy.choose(&position, &mut rng);
        line.push((position.clone(), mv));
        position.play(mv);
    }
    line
}

fn random_weights<G: Searched>(shape: Shape) -> Arc<Weights> {
    let mut rng = Rng::new(2);
    let count = shape.parts().iter().sum();
    let numbers: Vec<i32> = (0..count).map(|_| rng.below(65) as i32 - 32).collect();
    Arc::new(Weights {
        inputs: InputsOf::<G>::NAME.into(),
        model: Model::new(shape, &numbers).expect("as many numbers as the shape has"),
        corrects: false,
    })
}

/// Time of a push, an evaluation and a pop.
fn nanoseconds<G: Searched>(line: &[(G, G::Move)], weights: Option<&Arc<Weights>>) -> f64 {
    let (first, _) = &line[0];
    let mut evaluator = CombinedEvaluator::<_, InputsOf<G>>::new(first.evaluator(), first, weights);
    let after: Vec<G> = line
        .iter()
        .map(|(position, mv)| {
            let mut after = position.clone();
            after.play(*mv);
            after
        })
        .collect();
    let (mut spent, mut count, mut sum) = (Duration::ZERO, 0, 0i64);
    while spent < TIME {
        for ((position, mv), after) in line.iter().zip(&after) {
            evaluator.reset(position);
            let begun = Instant::now();
            for _ in 0..16 {
                evaluator.push(position, *mv);
                sum += i64::from(evaluator.evaluate(after).value());
                evaluator.pop();
            }
            spent += begun.elapsed();
            count += 16;
        }
    }
    // The values are needed, so that they are computed.
    assert_ne!(sum, i64::MIN);
    spent.as_nanos() as f64 / f64::from(count)
}
