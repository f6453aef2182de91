//! How a learning rate or a share of random moves changes.

use std::fmt;

/// A number that changes with a count: of episodes, or of visits to a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Schedule {
    /// Always this number.
    Constant(f64),
    /// From the first number to the second, in equal steps over a number of counts; then the second.
    Linear(f64, f64, u64),
    /// `first * half / (half + count)`: half of the first number at `half`. A learning rate of this
    /// kind averages over ever more samples, as stochastic approximation asks (Robbins and Monro,
    /// *A Stochastic Approximation Method*, 1951).
    Harmonic {
        /// The number at 0.
        first: f64,
        /// The count at which it has halved.
        half: f64,
    },
}

/// Why a schedule cannot be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScheduleError {
    /// A number outside its range: the number, and the ends of the range.
    Number(f64, f64, f64),
    /// A count at which a harmonic schedule has halved that is not positive.
    Half(f64),
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScheduleError::Number(number, least, most) => {
                write!(f, "{number}, expected a number from {least} to {most}")
            }
            ScheduleError::Half(half) => write!(f, "half at {half}, expected a positive number"),
        }
    }
}

impl std::error::Error for ScheduleError {}

impl Schedule {
    /// The number at a count.
    pub fn at(self, count: u64) -> f64 {
        match self {
            Schedule::Constant(number) => number,
            Schedule::Linear(first, last, counts) => {
                let done = (count as f64 / counts.max(1) as f64).min(1.0);
                first * (1.0 - done) + last * done
            }
            Schedule::Harmonic { first, half } => first * half / (half + count as f64),
        }
    }

    /// Checks that all numbers lie from `least` to `most`.
    ///
    /// # Errors
    /// One does not, or the schedule is no schedule.
    pub fn check(self, least: f64, most: f64) -> Result<(), ScheduleError> {
        let numbers = match self {
            Schedule::Constant(number) => [number, number],
            Schedule::Linear(first, last, _) => [first, last],
            Schedule::Harmonic { half, .. } if half.is_nan() || half <= 0.0 => {
                return Err(ScheduleError::Half(half));
            }
            // It never reaches 0.
            Schedule::Harmonic { first, .. } => [first, first],
        };
        match numbers
            .iter()
            .find(|number| !(least..=most).contains(*number))
        {
            Some(&number) => Err(ScheduleError::Number(number, least, most)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_go_from_their_first_number_to_their_last() {
        assert_eq!(Schedule::Constant(0.5).at(9), 0.5);
        let linear = Schedule::Linear(1.0, 0.2, 8);
        assert_eq!((linear.at(0), linear.at(4), linear.at(8)), (1.0, 0.6, 0.2));
        assert_eq!(linear.at(u64::MAX), 0.2);
        assert_eq!(Schedule::Linear(1.0, 0.2, 0).at(1), 0.2);
        let harmonic = Schedule::Harmonic {
            first: 0.8,
            half: 10.0,
        };
        assert_eq!((harmonic.at(0), harmonic.at(10)), (0.8, 0.4));
        assert!(harmonic.at(u64::MAX) > 0.0);
    }

    #[test]
    fn numbers_outside_their_range_are_refused() {
        let refused = |schedule: Schedule| schedule.check(0.0, 1.0).unwrap_err().to_string();
        assert_eq!(
            refused(Schedule::Constant(1.5)),
            "1.5, expected a number from 0 to 1"
        );
        assert_eq!(
            refused(Schedule::Constant(f64::NAN)),
            "NaN, expected a number from 0 to 1"
        );
        assert_eq!(
            refused(Schedule::Linear(1.0, -0.1, 5)),
            "-0.1, expected a number from 0 to 1"
        );
        for half in [0.0, -1.0, f64::NAN] {
            let harmonic = Schedule::Harmonic { first: 1.0, half };
            assert!(refused(harmonic).contains("expected a positive number"));
        }
        let harmonic = Schedule::Harmonic {
            first: 1.0,
            half: 1.0,
        };
        assert_eq!(harmonic.check(0.0, 1.0), Ok(()));
    }
}
