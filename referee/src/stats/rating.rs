//! Ratings of many players by maximum likelihood over all their games: the model of Bradley and Terry
//! (1952) with draws (Davidson 1970) and an advantage of the first side, both estimated.
//!
//! With log strengths r, advantage a and draw parameter d, the first side wins, draws and loses with
//! probabilities in the ratio of e^(r₁ + a), e^(d + (r₁ + a + r₂) / 2) and e^(r₂). The logarithm of the
//! likelihood is concave, and Newton's method finds its top.
//!
//! Differences are finite only within a group of players of whom each has scored against another
//! directly or through others (Ford 1957): who only ever won belongs to a group of his own.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::{ELO, Estimate, Z, above_zero};

/// The games of two players in which the same one was `First`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// Index of the player who was `First`.
    pub first: usize,
    /// Index of the other player.
    pub second: usize,
    /// Games that the first player won, drew and lost.
    pub results: [u64; 3],
}

/// What is estimated beside the strengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// The advantage of the first side; else there is none.
    pub advantage: bool,
    /// The player whose rating is given, by index; else every group's mean is 0.
    pub anchor: Option<usize>,
}

/// The ratings of players.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// Groups of players, by index, whose differences are finite; the groups that won first, as far as
    /// they met.
    pub groups: Vec<Vec<usize>>,
    /// One a player: Elo against the anchor, or against the mean of the group. `None` in a group of one.
    pub players: Vec<Option<Estimate>>,
    /// The advantage of the first side, Elo; `None` where it cannot be told.
    pub advantage: Option<Estimate>,
    /// The share of draws between equals without advantage; 0 without draws.
    pub draws: f64,
    /// The place of each player's group.
    group_of: Vec<usize>,
    /// Log strengths, and the covariance of their errors.
    strengths: DVector<f64>,
    covariance: DMatrix<f64>,
}

impl Ratings {
    /// The ratings of `players` players after these encounters.
    pub fn of(players: usize, encounters: &[Encounter], model: Model) -> Ratings {
        let groups = groups(players, encounters);
        let mut group_of = vec![0; players];
        for (number, group) in groups.iter().enumerate() {
            group.iter().for_each(|&player| group_of[player] = number);
        }
        // What two groups played against each other only says which is above.
        let within: Vec<Encounter> = (encounters.iter().copied())
            .filter(|met| met.first != met.second && group_of[met.first] == group_of[met.second])
            .collect();
        // Few results may allow an advantage, or draws, without bound; then there is none that can be
        // told, and draws are half a win each.
        let problem = Problem::new(players, &groups, &within);
        let fit = (problem.solve(model.advantage))
            .or_else(|| problem.solve(false))
            .or_else(|| problem.without_draws().solve(model.advantage))
            .or_else(|| problem.without_draws().solve(false))
            .unwrap_or_else(|| problem.nothing());
        let mut ratings = Ratings {
            players: vec![None; players],
            advantage: fit
                .estimate(problem.advantage())
                .filter(|_| fit.has_advantage),
            draws: problem.share_of_draws(&fit),
            strengths: fit.values,
            covariance: fit.covariance,
            groups,
            group_of,
        };
        ratings.players = (0..players)
            .map(|i| ratings.rating(i, model.anchor))
            .collect();
        ratings
    }

    /// Whether the difference of two players, or of a player and the mean, is finite.
    fn are_near(&self, one: usize, other: usize) -> bool {
        let group = self.group_of[one];
        group == self.group_of[other] && self.groups[group].len() > 1
    }

    /// The rating of a player against the anchor, if it is of the same group, or else the mean.
    fn rating(&self, player: usize, anchor: Option<usize>) -> Option<Estimate> {
        if !self.are_near(player, player) {
            return None;
        }
        match anchor.filter(|&anchor| self.are_near(player, anchor)) {
            Some(anchor) => self.difference(player, anchor),
            None => Some(Estimate {
                value: ELO * self.strengths[player],
                error: ELO * Z * self.covariance[(player, player)].max(0.0).sqrt(),
            }),
        }
    }

    /// By how much Elo one player is stronger than another; `None` if that is not finite.
    pub fn difference(&self, one: usize, other: usize) -> Option<Estimate> {
        self.are_near(one, other).then(|| Estimate {
            value: ELO * (self.strengths[one] - self.strengths[other]),
            error: ELO * Z * self.deviation(one, other),
        })
    }

    /// The standard error of a difference of log strengths.
    fn deviation(&self, one: usize, other: usize) -> f64 {
        let c = &self.covariance;
        let variance = c[(one, one)] + c[(other, other)] - 2.0 * c[(one, other)];
        variance.max(0.0).sqrt()
    }

    /// The likelihood that one player is stronger than another, by all games of both; `None` where
    /// their difference is not finite.
    pub fn superiority(&self, one: usize, other: usize) -> Option<f64> {
        self.difference(one, other)?;
        let mean = self.strengths[one] - self.strengths[other];
        Some(above_zero(mean, self.deviation(one, other)))
    }
}

/// The strongly connected components of "has scored against", the winners first.
fn groups(players: usize, encounters: &[Encounter]) -> Vec<Vec<usize>> {
    let mut scored = DiGraph::<(), ()>::with_capacity(players, 2 * encounters.len());
    for _ in 0..players {
        scored.add_node(());
    }
    for met in encounters {
        let [first, second] = [met.first, met.second].map(NodeIndex::new);
        let [won, drawn, lost] = met.results;
        if won + drawn > 0 {
            scored.add_edge(first, second, ());
        }
        if lost + drawn > 0 {
            scored.add_edge(second, first, ());
        }
    }
    // Tarjan's components come in reverse topological order: who is scored against comes first.
    let mut groups: Vec<Vec<usize>> = (tarjan_scc(&scored).into_iter().rev())
        .map(|group| group.into_iter().map(NodeIndex::index).collect())
        .collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

/// A likelihood to be made the largest: of the strengths, then the advantage, then the draws.
struct Problem<'a> {
    players: usize,
    groups: &'a [Vec<usize>],
    /// Both players, and how often the first one won, drew and lost.
    encounters: Vec<([usize; 2], [f64; 3])>,
    /// Whether there are draws; else the model knows none.
    draws: bool,
}

/// The top of a likelihood.
struct Fit {
    values: DVector<f64>,
    covariance: DMatrix<f64>,
    has_advantage: bool,
}

impl Fit {
    fn estimate(&self, index: usize) -> Option<Estimate> {
        let value = *self.values.get(index)?;
        let variance = self.covariance[(index, index)].max(0.0);
        Some(Estimate {
            value: ELO * value,
            error: ELO * Z * variance.sqrt(),
        })
    }
}

/// The derivatives of a negative logarithm of a likelihood.
struct Slope {
    value: f64,
    gradient: DVector<f64>,
    curvature: DMatrix<f64>,
}

/// A logarithm of a ratio beyond this is as good as certain: what goes there goes on for ever.
const ENDLESS: f64 = 25.0;

impl<'a> Problem<'a> {
    fn new(players: usize, groups: &'a [Vec<usize>], encounters: &[Encounter]) -> Self {
        Problem {
            players,
            groups,
            encounters: (encounters.iter())
                .map(|met| {
                    (
                        [met.first, met.second],
                        met.results.map(|count| count as f64),
                    )
                })
                .collect(),
            draws: encounters.iter().any(|met| met.results[1] > 0),
        }
    }

    /// The same, each draw taken for half a win of both.
    fn without_draws(&self) -> Problem<'a> {
        let halved = |&(players, [won, drawn, lost]): &([usize; 2], [f64; 3])| {
            (players, [won + drawn / 2.0, 0.0, lost + drawn / 2.0])
        };
        Problem {
            encounters: self.encounters.iter().map(halved).collect(),
            draws: false,
            ..*self
        }
    }

    fn advantage(&self) -> usize {
        self.players
    }

    /// The parameters but the strengths: advantage and draws.
    fn extras(&self) -> Range<usize> {
        self.players..self.players + 2
    }

    fn share_of_draws(&self, fit: &Fit) -> f64 {
        let draws = fit.values[self.players + 1].exp();
        if self.draws {
            draws / (2.0 + draws)
        } else {
            0.0
        }
    }

    /// The answer where nothing can be told.
    fn nothing(&self) -> Fit {
        let size = self.extras().end;
        Fit {
            values: DVector::zeros(size),
            covariance: DMatrix::zeros(size, size),
            has_advantage: false,
        }
    }

    /// Newton's method, its steps halved as long as they lead down. `None` if there is no top.
    fn solve(&self, with_advantage: bool) -> Option<Fit> {
        const STEPS: usize = 200;
        const NEAR: f64 = 1e-10;
        let mut values = DVector::zeros(self.extras().end);
        let mut slope = self.slope(&values, with_advantage);
        for _ in 0..STEPS {
            let step = slope.curvature.clone().cholesky()?.solve(&slope.gradient);
            let mut share = 1.0;
            let (next, found) = loop {
                let next = &values - &step * share;
                let found = self.slope(&next, with_advantage);
                if found.value <= slope.value || share < NEAR {
                    break (next, found);
                }
                share /= 2.0;
            };
            (values, slope) = (next, found);
            if step.amax() < NEAR {
                break;
            }
        }
        if values
            .iter()
            .any(|value| value.is_nan() || value.abs() > ENDLESS)
        {
            return None;
        }
        let mut covariance = slope.curvature.cholesky()?.inverse();
        for group in self.groups {
            // The term that holds the mean at 0 is no knowledge.
            let share = 1.0 / (group.len() * group.len()) as f64;
            for (&i, &j) in group.iter().flat_map(|i| group.iter().map(move |j| (i, j))) {
                covariance[(i, j)] -= share;
            }
        }
        Some(Fit {
            values,
            covariance,
            has_advantage: with_advantage,
        })
    }

    /// The negative logarithm of the likelihood, plus a term that holds every group's mean at 0, and
    /// any parameter that is left out at 0.
    fn slope(&self, values: &DVector<f64>, with_advantage: bool) -> Slope {
        let size = self.extras().end;
        let mut slope = Slope {
            value: 0.0,
            gradient: DVector::zeros(size),
            curvature: DMatrix::zeros(size, size),
        };
        for (players, results) in &self.encounters {
            slope.add(self, *players, results, values);
        }
        for group in self.groups {
            let sum: f64 = group.iter().map(|&player| values[player]).sum();
            slope.value += sum * sum / 2.0;
            for &i in group {
                slope.gradient[i] += sum;
                group.iter().for_each(|&j| slope.curvature[(i, j)] += 1.0);
            }
        }
        for (extra, estimated) in self.extras().zip([with_advantage, self.draws]) {
            if !estimated {
                slope.gradient[extra] = 0.0;
                slope.curvature.row_mut(extra).fill(0.0);
                slope.curvature.column_mut(extra).fill(0.0);
                slope.curvature[(extra, extra)] = 1.0;
            }
        }
        slope
    }
}

impl Slope {
    /// Adds the games of one encounter.
    fn add(
        &mut self,
        problem: &Problem,
        [first, second]: [usize; 2],
        results: &[f64; 3],
        values: &DVector<f64>,
    ) {
        let at = [first, second, problem.players, problem.players + 1];
        // What each outcome's logarithm takes of the four parameters: won, drawn, lost.
        let weights = [
            [1.0, 0.0, 1.0, 0.0],
            [0.5, 0.5, 0.5, 1.0],
            [0.0, 1.0, 0.0, 0.0],
        ];
        let logs = weights.map(|weights| (0..4).map(|i| weights[i] * values[at[i]]).sum::<f64>());
        let possible = [true, problem.draws, true];
        let most = logs[0]
            .max(logs[2])
            .max(if problem.draws { logs[1] } else { logs[0] });
        let ratios: [f64; 3] = std::array::from_fn(|k| {
            if possible[k] {
                (logs[k] - most).exp()
            } else {
                0.0
            }
        });
        let sum: f64 = ratios.iter().sum();
        let chances = ratios.map(|ratio| ratio / sum);
        let games: f64 = results.iter().sum();
        for (k, &count) in results.iter().enumerate() {
            if count > 0.0 {
                self.value -= count * (logs[k] - most - sum.ln());
            }
        }
        let mean: [f64; 4] =
            std::array::from_fn(|i| (0..3).map(|k| chances[k] * weights[k][i]).sum());
        for i in 0..4 {
            let seen: f64 = (0..3).map(|k| results[k] * weights[k][i]).sum();
            self.gradient[at[i]] += games * mean[i] - seen;
            for j in 0..4 {
                let both: f64 = (0..3)
                    .map(|k| chances[k] * weights[k][i] * weights[k][j])
                    .sum();
                self.curvature[(at[i], at[j])] += games * (both - mean[i] * mean[j]);
            }
        }
    }
}

#[cfg(test)]
mod tests;
