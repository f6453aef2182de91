//! The likelihood of all games under the model, and where it is greatest.

use nalgebra::{DMatrix, DVector};

use super::parts::Score;
use super::{Encounter, Pairing};

/// Coefficients of a game's four parameters in the log weight of each of its outcomes: won, drawn
/// and lost by the first player. The parameters are the strengths of both players, the first-side
/// advantage and the draw parameter.
const WEIGHTS: [[f64; 4]; 3] = [
    [1.0, 0.0, 1.0, 0.0],
    [0.5, 0.5, 0.5, 1.0],
    [0.0, 1.0, 0.0, 0.0],
];

/// The likelihood to maximize. Parameters: the strengths, then the advantage, then the draw
/// parameter.
#[derive(Clone, Debug)]
pub(super) struct Likelihood {
    pub(super) players: usize,
    /// Both players, and how often the first one won, drew and lost.
    encounters: Vec<([usize; 2], [f64; 3])>,
    /// Whether there are draws; if not, the model has no draw parameter.
    pub(super) draws: bool,
    /// Groups of players whose strengths have the mean 0.
    pub(super) groups: Vec<Vec<usize>>,
    /// The weight of a term that keeps every parameter finite.
    ridge: f64,
}

/// Parameters that maximize the likelihood, or follow on the way there.
pub(super) struct Maximum {
    pub(super) values: DVector<f64>,
    /// There, the derivatives of the negative log-likelihood.
    pub(super) derivatives: Derivatives,
}

/// Value and derivatives of the negative log-likelihood.
pub(super) struct Derivatives {
    pub(super) value: f64,
    pub(super) gradient: DVector<f64>,
    pub(super) hessian: DMatrix<f64>,
}

impl Likelihood {
    pub(super) fn new(players: usize, groups: &[Vec<usize>], encounters: &[Encounter]) -> Self {
        Likelihood {
            players,
            encounters: (encounters.iter())
                .map(|met| {
                    (
                        [met.first, met.second],
                        met.results.map(|count| count as f64),
                    )
                })
                .collect(),
            draws: encounters.iter().any(|met| met.results[1] > 0),
            groups: groups.to_vec(),
            ridge: 0.0,
        }
    }

    /// The same data with each draw counted as half a win for both players.
    pub(super) fn without_draws(&self) -> Likelihood {
        let halved = |&(players, [won, drawn, lost]): &([usize; 2], [f64; 3])| {
            (players, [won + drawn / 2.0, 0.0, lost + drawn / 2.0])
        };
        Likelihood {
            encounters: self.encounters.iter().map(halved).collect(),
            draws: false,
            ..self.clone()
        }
    }

    /// The same data with each game of a pair counted half: however its games depend on each other, a
    /// pair is one observation.
    pub(super) fn with_pairs_as_one(mut self, pairs: &[Pairing]) -> Likelihood {
        for (players, results) in &mut self.encounters {
            for pair in pairs {
                let count = |result: usize| -> u64 {
                    match *players {
                        met if met == [pair.first, pair.second] => {
                            pair.results[result].iter().sum()
                        }
                        met if met == [pair.second, pair.first] => {
                            pair.results.iter().map(|row| row[result]).sum()
                        }
                        _ => 0,
                    }
                };
                (0..3).for_each(|result| results[result] -= count(result) as f64 / 2.0);
            }
        }
        self
    }

    /// The same data with a maximum that is always finite: where the likelihood rises for ever, far
    /// away from 0, and less than this below its supremum.
    pub(super) fn bounded(self) -> Likelihood {
        const RIDGE: f64 = 1e-9;
        Likelihood {
            groups: vec![(0..self.players).collect()],
            ridge: RIDGE,
            ..self
        }
    }

    /// The same data under a model with draws, or without.
    pub(super) fn with_draws(self, draws: bool) -> Likelihood {
        match draws {
            true => Likelihood { draws, ..self },
            false => self.without_draws(),
        }
    }

    /// Gradient and information of these games alone. What is not estimated has neither.
    pub(super) fn score(&self, values: &DVector<f64>, with_advantage: bool) -> Score {
        let of_games = Likelihood {
            groups: Vec::new(),
            ..self.clone()
        };
        let Derivatives {
            gradient,
            hessian: mut information,
            ..
        } = of_games.derivatives(values, with_advantage);
        for (extra, estimated) in [
            (self.advantage(), with_advantage),
            (self.draw(), self.draws),
        ] {
            if !estimated {
                information[(extra, extra)] = 0.0;
            }
        }
        Score {
            gradient: -gradient,
            information,
        }
    }

    /// The number of parameters.
    pub(super) fn size(&self) -> usize {
        self.players + 2
    }

    /// The index of the first-side advantage.
    pub(super) fn advantage(&self) -> usize {
        self.players
    }

    /// The index of the draw parameter.
    pub(super) fn draw(&self) -> usize {
        self.players + 1
    }

    /// Newton's method with step halving, from `start`. If there is a `direction`, the component of
    /// the parameters in it stays as it is. `None` if there is no finite maximum.
    pub(super) fn maximize(
        &self,
        start: DVector<f64>,
        with_advantage: bool,
        direction: Option<&DVector<f64>>,
    ) -> Option<Maximum> {
        const STEPS: usize = 200;
        const TOLERANCE: f64 = 1e-10;
        /// A step that gains less ends the search, as a share of the log-likelihood: rounding would
        /// hide what others gain.
        const LEAST_GAIN: f64 = 1e-11;
        /// Farther away, the second derivative says little.
        const LONGEST: f64 = 4.0;
        let mut values = start;
        let mut derivatives = self.derivatives(&values, with_advantage);
        for _ in 0..STEPS {
            let factors = derivatives.hessian.clone().cholesky()?;
            let mut step = factors.solve(&derivatives.gradient);
            if let Some(direction) = direction {
                let along = factors.solve(direction);
                step -= &along * (direction.dot(&step) / direction.dot(&along));
            }
            let gain = derivatives.gradient.dot(&step);
            let mut share = (LONGEST / step.amax()).min(1.0);
            let (next, found) = loop {
                let next = &values - &step * share;
                let found = self.derivatives(&next, with_advantage);
                if found.value <= derivatives.value || share < TOLERANCE {
                    break (next, found);
                }
                share /= 2.0;
            };
            (values, derivatives) = (next, found);
            if step.amax() < TOLERANCE || gain < LEAST_GAIN * (1.0 + derivatives.value) {
                break;
            }
        }
        Some(Maximum {
            values,
            derivatives,
        })
    }

    /// The negative log-likelihood, plus terms that fix the mean of each group, and every unused
    /// parameter, at 0.
    fn derivatives(&self, values: &DVector<f64>, with_advantage: bool) -> Derivatives {
        let size = self.size();
        let mut derivatives = Derivatives {
            value: self.ridge / 2.0 * values.norm_squared(),
            gradient: values * self.ridge,
            hessian: DMatrix::from_diagonal_element(size, size, self.ridge),
        };
        for (players, results) in &self.encounters {
            derivatives.add(&self.game(*players, values), results);
        }
        for group in &self.groups {
            let sum: f64 = group.iter().map(|&player| values[player]).sum();
            derivatives.value += sum * sum / 2.0;
            for &i in group {
                derivatives.gradient[i] += sum;
                group
                    .iter()
                    .for_each(|&j| derivatives.hessian[(i, j)] += 1.0);
            }
        }
        for (extra, estimated) in [
            (self.advantage(), with_advantage),
            (self.draw(), self.draws),
        ] {
            if !estimated {
                derivatives.gradient[extra] = 0.0;
                derivatives.hessian.row_mut(extra).fill(0.0);
                derivatives.hessian.column_mut(extra).fill(0.0);
                derivatives.hessian[(extra, extra)] = 1.0;
            }
        }
        derivatives
    }

    /// A covariance matrix without the terms that fix the means of the groups, which are no
    /// information from the games.
    pub(super) fn without_means(&self, mut covariance: DMatrix<f64>) -> DMatrix<f64> {
        for group in &self.groups {
            let share = 1.0 / (group.len() * group.len()) as f64;
            for (&i, &j) in group.iter().flat_map(|i| group.iter().map(move |j| (i, j))) {
                covariance[(i, j)] -= share;
            }
        }
        covariance
    }

    /// What the model says of a game of two players.
    pub(super) fn game(&self, [first, second]: [usize; 2], values: &DVector<f64>) -> Game {
        let at = [first, second, self.advantage(), self.draw()];
        let logs = WEIGHTS.map(|weights| (0..4).map(|i| weights[i] * values[at[i]]).sum::<f64>());
        let possible = |outcome: usize| outcome != 1 || self.draws;
        let most = (0..3)
            .filter(|&outcome| possible(outcome))
            .map(|outcome| logs[outcome])
            .fold(f64::NEG_INFINITY, f64::max);
        let ratios: [f64; 3] = std::array::from_fn(|outcome| {
            if possible(outcome) {
                (logs[outcome] - most).exp()
            } else {
                0.0
            }
        });
        let sum: f64 = ratios.iter().sum();
        let probabilities = ratios.map(|ratio| ratio / sum);
        Game {
            at,
            logs: logs.map(|log| log - most - sum.ln()),
            probabilities,
            mean: std::array::from_fn(|i| (0..3).map(|k| probabilities[k] * WEIGHTS[k][i]).sum()),
        }
    }
}

/// The outcomes of a game under the model.
pub(super) struct Game {
    /// The indices of its four parameters.
    pub(super) at: [usize; 4],
    /// The logarithm of each outcome's probability.
    logs: [f64; 3],
    probabilities: [f64; 3],
    /// The expected coefficients.
    mean: [f64; 4],
}

impl Game {
    /// The derivatives of an outcome's log-likelihood.
    pub(super) fn score(&self, outcome: usize) -> [f64; 4] {
        std::array::from_fn(|i| WEIGHTS[outcome][i] - self.mean[i])
    }

    /// The expectation of the product of two derivatives (Fisher information).
    pub(super) fn information(&self, i: usize, j: usize) -> f64 {
        let outcomes = 0..3;
        let terms = outcomes.map(|k| self.probabilities[k] * WEIGHTS[k][i] * WEIGHTS[k][j]);
        terms.sum::<f64>() - self.mean[i] * self.mean[j]
    }
}

impl Derivatives {
    /// Adds games of one kind by their results.
    fn add(&mut self, game: &Game, results: &[f64; 3]) {
        for (outcome, &count) in results.iter().enumerate() {
            if count > 0.0 {
                self.value -= count * game.logs[outcome];
                let score = game.score(outcome);
                (0..4).for_each(|i| self.gradient[game.at[i]] -= count * score[i]);
            }
        }
        let games: f64 = results.iter().sum();
        for (i, j) in (0..4).flat_map(|i| (0..=i).map(move |j| (i, j))) {
            let information = games * game.information(i, j);
            self.hessian[(game.at[i], game.at[j])] += information;
            if i != j {
                self.hessian[(game.at[j], game.at[i])] += information;
            }
        }
    }
}
