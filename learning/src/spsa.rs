//! SPSA: simultaneous perturbation stochastic approximation (Spall, *Multivariate Stochastic
//! Approximation Using a Simultaneous Perturbation Gradient Approximation*, 1992), with the
//! conventions of chess engines' tuners, such as fishtest.
//!
//! All parameters are moved at once, each by its own `c` in a random direction. The engine moved one
//! way plays the engine moved the other way. Every parameter is then moved toward the winner:
//!
//! `c_t = c_end (T / t)^0.101`, `r_t = r_end (c_end / c_t)² ((A + T) / (A + t))^0.602`, with
//! `A = T / 10`, at pair `t` of `T`; the step is `r_t c_t (wins − losses) flip`.
//!
//! So at the end a parameter is tried at ± `c_end`, and the learning rate `r_end` is the number of
//! `c_end` by which one more win moves it.

use std::fmt;

use engine_core::Rng;
use engine_core::zobrist::mix;

/// The decay of the learning rate (Spall, *Implementation of the Simultaneous Perturbation
/// Algorithm for Stochastic Optimization*, 1998).
const ALPHA: f64 = 0.602;

/// The decay of the perturbations, from the same paper.
const GAMMA: f64 = 0.101;

/// The share of all pairs that delays the first steps.
const STABILITY: f64 = 0.1;

/// A parameter that is tuned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dimension {
    /// Its value at the start.
    pub start: f64,
    /// Its smallest value.
    pub min: f64,
    /// Its largest value.
    pub max: f64,
    /// By how much it is perturbed at the end; above 0.
    pub c_end: f64,
    /// The learning rate at the end, in `c_end` per win; above 0.
    pub r_end: f64,
    /// Whether its values are whole numbers: trials round it at random, up or down, so that it keeps
    /// its mean.
    pub integer: bool,
}

/// Why a tuning cannot be done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SpsaError {
    /// The range is empty: its ends.
    Range(f64, f64),
    /// The start is outside the range: the start, and the ends of the range.
    Start(f64, f64, f64),
    /// The perturbation is not a positive number.
    Perturbation(f64),
    /// The learning rate is not a positive number.
    Rate(f64),
}

impl fmt::Display for SpsaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpsaError::Range(min, max) => {
                write!(f, "min {min} and max {max}, expected min below max")
            }
            SpsaError::Start(start, min, max) => {
                write!(f, "start {start}, expected a value from {min} to {max}")
            }
            SpsaError::Perturbation(c) => write!(f, "c_end {c}, expected a number above 0"),
            SpsaError::Rate(r) => write!(f, "r_end {r}, expected a number above 0"),
        }
    }
}

impl std::error::Error for SpsaError {}

impl Dimension {
    /// Checks all numbers.
    ///
    /// # Errors
    /// The first number outside its range.
    pub fn check(&self) -> Result<(), SpsaError> {
        let Dimension {
            start,
            min,
            max,
            c_end,
            r_end,
            ..
        } = *self;
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        if !(min < max && (max - min).is_finite()) {
            Err(SpsaError::Range(min, max))
        } else if !(min..=max).contains(&start) {
            Err(SpsaError::Start(start, min, max))
        } else if !is_positive(c_end) {
            Err(SpsaError::Perturbation(c_end))
        } else if !is_positive(r_end) {
            Err(SpsaError::Rate(r_end))
        } else {
            Ok(())
        }
    }
}

/// A tuning with a fixed number of iterations. It has no state: each iteration follows from the
/// seed, its number and the values before it, so that an interrupted tuning goes on as if it had
/// not been interrupted.
#[derive(Clone, Debug)]
pub struct Spsa {
    dimensions: Vec<Dimension>,
    iterations: u64,
    pairs: u64,
    seed: u64,
}

/// Two players to compare.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The values of one player.
    pub plus: Vec<f64>,
    /// The values of its opponent.
    pub minus: Vec<f64>,
    /// The directions of the perturbation, 1 or −1.
    flips: Vec<f64>,
}

impl Spsa {
    /// A tuning of this many iterations, each of this many pairs of games.
    ///
    /// # Errors
    /// The index of the first parameter with a number outside its range, and the error.
    pub fn new(
        dimensions: Vec<Dimension>,
        iterations: u64,
        pairs: u64,
        seed: u64,
    ) -> Result<Spsa, (usize, SpsaError)> {
        for (index, dimension) in dimensions.iter().enumerate() {
            dimension.check().map_err(|error| (index, error))?;
        }
        Ok(Spsa {
            dimensions,
            iterations,
            pairs,
            seed,
        })
    }

    /// The values before the first iteration.
    pub fn start(&self) -> Vec<f64> {
        let starts = self.dimensions.iter().map(|dimension| dimension.start);
        starts.collect()
    }

    /// The random numbers of an iteration.
    fn rng(&self, iteration: u64) -> Rng {
        Rng::new(mix(self.seed ^ mix(iteration)))
    }

    /// A seed for the games of an iteration.
    pub fn seed(&self, iteration: u64) -> u64 {
        mix(mix(self.seed) ^ mix(iteration))
    }

    /// The number of the first pair of an iteration, from 1, and of all pairs.
    fn pair(&self, iteration: u64) -> (f64, f64) {
        let pair = iteration * self.pairs + 1;
        (pair as f64, (self.iterations * self.pairs) as f64)
    }

    /// The perturbation of a parameter at an iteration.
    fn perturbation(&self, dimension: &Dimension, iteration: u64) -> f64 {
        let (pair, all) = self.pair(iteration);
        dimension.c_end * libm::pow(all / pair, GAMMA)
    }

    /// The learning rate of a parameter at an iteration.
    fn rate(&self, dimension: &Dimension, iteration: u64) -> f64 {
        let (pair, all) = self.pair(iteration);
        let shrunk = libm::pow(all / pair, -2.0 * GAMMA);
        let delay = STABILITY * all;
        dimension.r_end * shrunk * libm::pow((delay + all) / (delay + pair), ALPHA)
    }

    /// The players of an iteration, from 0, around these values.
    pub fn trial(&self, iteration: u64, values: &[f64]) -> Trial {
        let mut rng = self.rng(iteration);
        let mut trial = Trial {
            plus: Vec::new(),
            minus: Vec::new(),
            flips: Vec::new(),
        };
        for (dimension, value) in self.dimensions.iter().zip(values) {
            let flip = if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
            let step = flip * self.perturbation(dimension, iteration);
            // The same for both, so that their difference is as steady as it can be.
            let dither = f64::from(rng.unit());
            trial.plus.push(dimension.near(value + step, dither));
            trial.minus.push(dimension.near(value - step, dither));
            trial.flips.push(flip);
        }
        trial
    }

    /// Moves the values after an iteration in which `plus` won `lead` games more than it lost.
    pub fn learn(&self, iteration: u64, trial: &Trial, lead: f64, values: &mut [f64]) {
        let moved = self.dimensions.iter().zip(&trial.flips).zip(values);
        for ((dimension, flip), value) in moved {
            let c = self.perturbation(dimension, iteration);
            let step = self.rate(dimension, iteration) * c * lead * flip;
            *value = (*value + step).clamp(dimension.min, dimension.max);
        }
    }

    /// The values that a player can have, nearest to these.
    pub fn rounded(&self, values: &[f64]) -> Vec<f64> {
        let near = |(dimension, value): (&Dimension, &f64)| dimension.near(*value, 0.5);
        self.dimensions.iter().zip(values).map(near).collect()
    }
}

impl Dimension {
    /// A value of the range: a whole one up or down by `dither`, from 0 to 1, if it has to be.
    fn near(&self, value: f64, dither: f64) -> f64 {
        let value = if self.integer {
            (value + dither).floor()
        } else {
            value
        };
        value.clamp(self.min, self.max)
    }
}
