//! Logistic regression by any model: what is learned from positions with targets.

use engine_core::Rng;
use engine_core::real::{exp, logistic};

use crate::adam::Adam;
use crate::parameters::{Buffers, Parameters};
use crate::samples::{Sample, Samples};

/// How a model is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitSettings {
    /// Size of a step of a weight in log odds, above 0.
    pub rate: f32,
    /// Weight decay, 0 or more: a weight shrinks by the share `rate · decay` in a step.
    pub decay: f32,
    /// Positions for one step, at least 1.
    pub batch: usize,
    /// How often every position is used, at least 1.
    pub epochs: u32,
}

/// The cross-entropy of a target and a probability with these log odds, less that of the target
/// itself: 0 for a perfect prediction.
fn loss(odds: f32, target: f32) -> f64 {
    // ln(1 + e^odds) without overflow.
    let softplus = odds.max(0.0) + libm::log1pf(exp(-odds.abs()));
    let entropy = |p: f32| if p > 0.0 { -p * libm::logf(p) } else { 0.0 };
    f64::from(softplus - target * odds) - f64::from(entropy(target) + entropy(1.0 - target))
}

/// The mean loss of a model over positions: the divergence of its predictions from the targets, in
/// nats. 0 without positions.
pub fn mean_loss(parameters: &Parameters, samples: &Samples) -> f64 {
    let mut buffers = Buffers::default();
    let losses = (0..samples.len()).map(|index| {
        let sample = samples.get(index);
        loss(odds(parameters, sample, &mut buffers), sample.target)
    });
    losses.sum::<f64>() / samples.len().max(1) as f64
}

fn odds(parameters: &Parameters, sample: Sample<'_>, buffers: &mut Buffers) -> f32 {
    sample.prior + parameters.value(sample, buffers)
}

/// Fits a model to positions, in a random order, batch by batch. `after_batch` is called with the
/// share that is done, 0 to 1. One seed gives one result.
pub fn fit(
    parameters: &mut Parameters,
    adam: &mut Adam,
    samples: &Samples,
    settings: &FitSettings,
    seed: u64,
    after_batch: &mut dyn FnMut(f64),
) {
    let mut rng = Rng::new(seed);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut gradient = vec![0.0; parameters.numbers().len()];
    let mut buffers = Buffers::default();
    let all = (order.len() * settings.epochs as usize).max(1);
    let mut done = 0;
    for _ in 0..settings.epochs {
        rng.shuffle(&mut order);
        for batch in order.chunks(settings.batch) {
            gradient.fill(0.0);
            let share = 1.0 / batch.len() as f32;
            for &index in batch {
                let sample = samples.get(index as usize);
                let odds = odds(parameters, sample, &mut buffers);
                let slope = share * (logistic(odds) - sample.target);
                parameters.backward(sample, slope, &mut buffers, &mut gradient);
            }
            adam.step(
                parameters.numbers_mut(),
                &gradient,
                settings.rate,
                settings.decay,
            );
            parameters.clamp();
            done += batch.len();
            after_batch(done as f64 / all as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use engine_core::learned::Shape;

    use super::*;

    const SETTINGS: FitSettings = FitSettings {
        rate: 0.02,
        decay: 0.0,
        batch: 32,
        epochs: 40,
    };

    fn fitted(shape: Shape, samples: &Samples) -> Parameters {
        let mut parameters = Parameters::new(shape, 1);
        let mut adam = Adam::new(parameters.numbers().len());
        fit(
            &mut parameters,
            &mut adam,
            samples,
            &SETTINGS,
            2,
            &mut |_| {},
        );
        parameters
    }

    #[test]
    fn known_weights_are_found_again() {
        let shape = Shape {
            inputs: 6,
            hidden: 0,
            second: 0,
        };
        let known = [0.5_f32, -1.0, 0.0, 2.0, -0.3, 1.0];
        let mut rng = Rng::new(3);
        let mut samples = Samples::default();
        for _ in 0..2_000 {
            let own: Vec<u32> = (0..6).filter(|_| rng.below(2) == 0).collect();
            let odds = 0.25 + own.iter().map(|&input| known[input as usize]).sum::<f32>();
            let target = logistic(odds + 0.7);
            samples.push(Sample {
                own: &own,
                other: &[],
                prior: 0.7,
                target,
            });
        }
        let parameters = fitted(shape, &samples);
        for (found, expected) in parameters.numbers().iter().zip(known.iter().chain(&[0.25])) {
            assert!((found - expected).abs() < 0.02, "{found} {expected}");
        }
        assert!(mean_loss(&parameters, &samples) < 1e-4);
    }

    /// No sum of weights knows whether exactly one of two inputs is on.
    #[test]
    fn networks_learn_what_sums_cannot() {
        let mut samples = Samples::default();
        for _ in 0..200 {
            for (own, target) in [
                (vec![], 0.1),
                (vec![0], 0.9),
                (vec![1], 0.9),
                (vec![0, 1], 0.1),
            ] {
                samples.push(Sample {
                    own: &own,
                    other: &[],
                    prior: 0.0,
                    target,
                });
            }
        }
        let loss = |hidden, second| {
            let shape = Shape {
                inputs: 2,
                hidden,
                second,
            };
            mean_loss(&fitted(shape, &samples), &samples)
        };
        assert!(loss(0, 0) > 0.3);
        assert!(loss(16, 0) < 0.01, "{}", loss(16, 0));
        assert!(loss(16, 8) < 0.01, "{}", loss(16, 8));
    }

    #[test]
    fn losses_are_those_of_the_definition() {
        assert!((loss(0.0, 1.0) - 2f64.ln()).abs() < 1e-6);
        assert!(loss(0.0, 0.5).abs() < 1e-6);
        assert!((loss(-100.0, 1.0) - 100.0).abs() < 1e-4);
        assert_eq!(
            mean_loss(
                &Parameters::new(
                    Shape {
                        inputs: 1,
                        hidden: 0,
                        second: 0
                    },
                    0
                ),
                &Samples::default()
            ),
            0.0
        );
    }
}
