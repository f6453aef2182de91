//! Texel's tuning method where the weights are known.

use engine_core::Rng;
use learning::texel::{Bounds, Samples, TexelError, fit};

fn bounds(start: f64, min: f64, max: f64) -> Bounds {
    Bounds { start, min, max }
}

/// Hours of study of twenty students and whether they passed: a textbook example of logistic
/// regression (Wikipedia, *Logistic regression*), with the intercept −4.0777 and the slope 1.5046.
const HOURS: [(f32, f32); 20] = [
    (0.50, 0.0),
    (0.75, 0.0),
    (1.00, 0.0),
    (1.25, 0.0),
    (1.50, 0.0),
    (1.75, 0.0),
    (1.75, 1.0),
    (2.00, 0.0),
    (2.25, 1.0),
    (2.50, 0.0),
    (2.75, 1.0),
    (3.00, 0.0),
    (3.25, 1.0),
    (3.50, 0.0),
    (4.00, 1.0),
    (4.25, 1.0),
    (4.50, 1.0),
    (4.75, 1.0),
    (5.00, 1.0),
    (5.50, 1.0),
];

#[test]
fn a_published_regression_is_reproduced() {
    let mut samples = Samples::new(2);
    for (hours, passed) in HOURS {
        samples.add(0.0, &[1.0, hours], passed);
    }
    let found = fit(&samples, 1.0, &[bounds(0.0, -20.0, 20.0); 2], 0.0);
    assert!((found[0] + 4.0777).abs() < 1e-4, "{found:?}");
    assert!((found[1] - 1.5046).abs() < 1e-4, "{found:?}");
    assert!((samples.loss(1.0, &found) * 20.0 - 8.02988).abs() < 1e-4);
}

/// Positions with random features and results drawn by known weights.
fn synthetic(weights: &[f64], start: &[f64], scale: f64, count: usize) -> Samples {
    let mut rng = Rng::new(1);
    let mut samples = Samples::new(weights.len());
    for _ in 0..count {
        let features: Vec<f32> = weights
            .iter()
            .map(|_| (rng.below(9) as f32 - 4.0) / 2.0)
            .collect();
        let odds = |weights: &[f64]| -> f64 {
            let terms = features.iter().zip(weights);
            terms
                .map(|(&feature, weight)| f64::from(feature) * weight)
                .sum()
        };
        let chance = 1.0 / (1.0 + (-scale * odds(weights)).exp());
        let won = f64::from(rng.unit()) < chance;
        samples.add(odds(start) as f32, &features, f32::from(u8::from(won)));
    }
    samples
}

#[test]
fn known_weights_are_recovered() {
    let (weights, start) = ([1.0, 0.25, -0.5, 0.0], [0.6, 0.5, 0.0, 0.2]);
    let samples = synthetic(&weights, &start, 1.0, 40_000);
    let all: Vec<Bounds> = start
        .iter()
        .map(|&start| bounds(start, -3.0, 3.0))
        .collect();
    let moves = fit(&samples, 1.0, &all, 1e-6);
    for ((start, step), weight) in start.iter().zip(&moves).zip(weights) {
        assert!((start + step - weight).abs() < 0.04, "{moves:?}");
    }
    assert!(samples.loss(1.0, &moves) < samples.loss(1.0, &[0.0; 4]));
}

#[test]
fn the_scale_of_an_evaluation_is_found() {
    let weights = [1.0, -0.5];
    let samples = synthetic(&weights, &weights, 1.7, 40_000);
    let scale = samples.scale().expect("a scale");
    assert!((scale - 1.7).abs() < 0.05, "{scale}");
}

#[test]
fn weights_stay_in_their_ranges_and_near_the_start() {
    let (weights, start) = ([1.0, 0.25], [0.0, 0.0]);
    let samples = synthetic(&weights, &start, 1.0, 10_000);
    let tight = [bounds(0.0, -1.0, 0.5), bounds(0.0, -1.0, 1.0)];
    let moves = fit(&samples, 1.0, &tight, 0.0);
    assert!(moves[0] == 0.5 && (moves[1] - 0.2).abs() < 0.1, "{moves:?}");
    let far = fit(&samples, 1.0, &[bounds(0.0, -1.0, 1.0); 2], 0.0);
    let near = fit(&samples, 1.0, &[bounds(0.0, -1.0, 1.0); 2], 1.0);
    assert!(near[0] > 0.0 && near[0] < 0.7 * far[0], "{near:?} {far:?}");
}

#[test]
fn results_without_information_are_refused() {
    let mut won = Samples::new(1);
    for _ in 0..10 {
        won.add(1.0, &[1.0], 1.0);
    }
    assert_eq!(won.scale(), Err(TexelError::Scale));
    assert_eq!(Samples::new(1).scale(), Err(TexelError::Scale));
    // A weight that no position depends on stays where it is.
    let mut samples = Samples::new(2);
    for (odds, result) in [(0.5, 1.0), (-0.5, 0.0), (0.2, 0.0)] {
        samples.add(odds, &[2.0 * odds, 0.0], result);
    }
    let moves = fit(
        &samples,
        1.0,
        &[bounds(0.5, -3.0, 3.0), bounds(4.0, 0.0, 9.0)],
        1e-3,
    );
    assert_eq!(moves[1], 0.0);
}
