//! Stochastic gradient descent with a step size for each number (Kingma and Ba, *Adam: A Method for
//! Stochastic Optimization*, 2015), with weight decay apart from the gradient (Loshchilov and
//! Hutter, *Decoupled Weight Decay Regularization*, 2019).

use serde::{Deserialize, Serialize};

const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const LEAST: f32 = 1e-8;

/// What the optimizer keeps between steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adam {
    /// Decaying averages of the gradients and of their squares.
    mean: Vec<f32>,
    square: Vec<f32>,
    /// Powers of the decays, which correct the averages in the beginning.
    first_power: f32,
    second_power: f32,
}

impl Adam {
    /// An optimizer of `count` numbers.
    pub fn new(count: usize) -> Adam {
        Adam {
            mean: vec![0.0; count],
            square: vec![0.0; count],
            first_power: 1.0,
            second_power: 1.0,
        }
    }

    /// Number of numbers.
    pub fn count(&self) -> usize {
        self.mean.len()
    }

    /// Moves `numbers` against `gradient` by at most about `rate` each, and towards 0 by the share
    /// `rate · decay`.
    ///
    /// # Panics
    /// The lists have other lengths than the optimizer.
    pub fn step(&mut self, numbers: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
        assert_eq!(
            (numbers.len(), gradient.len()),
            (self.count(), self.count())
        );
        self.first_power *= FIRST_DECAY;
        self.second_power *= SECOND_DECAY;
        let step = rate * (1.0 - self.second_power).sqrt() / (1.0 - self.first_power);
        let kept = 1.0 - rate * decay;
        let averages = self.mean.iter_mut().zip(&mut self.square);
        for ((number, &gradient), (mean, square)) in numbers.iter_mut().zip(gradient).zip(averages)
        {
            *mean = FIRST_DECAY * *mean + (1.0 - FIRST_DECAY) * gradient;
            *square = SECOND_DECAY * *square + (1.0 - SECOND_DECAY) * gradient * gradient;
            *number = *number * kept - step * *mean / (square.sqrt() + LEAST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_the_rate_whatever_the_gradient() {
        let mut numbers = [1.0, 1.0, 1.0];
        Adam::new(3).step(&mut numbers, &[0.001, -50.0, 0.0], 0.1, 0.0);
        let expected = [0.9, 1.1, 1.0];
        for (number, expected) in numbers.into_iter().zip(expected) {
            assert!((number - expected).abs() < 1e-3, "{number} {expected}");
        }
    }

    #[test]
    fn a_minimum_is_found() {
        let (mut numbers, mut adam) = ([5.0_f32, -3.0], Adam::new(2));
        for step in 0..3_000 {
            let gradient = [2.0 * (numbers[0] - 1.0), 20.0 * (numbers[1] - 2.0)];
            adam.step(
                &mut numbers,
                &gradient,
                0.05 / (1.0 + step as f32 / 300.0),
                0.0,
            );
        }
        assert!(
            (numbers[0] - 1.0).abs() < 0.01 && (numbers[1] - 2.0).abs() < 0.01,
            "{numbers:?}"
        );
    }

    #[test]
    fn decay_draws_numbers_towards_zero() {
        let mut numbers = [1.0];
        Adam::new(1).step(&mut numbers, &[0.0], 0.1, 0.5);
        assert!((numbers[0] - 0.95).abs() < 1e-6);
    }
}
