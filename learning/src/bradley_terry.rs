//! Strengths of features by minorization-maximization.
//!
//! A choice is a contest of moves, and a move is a team of features whose strength is the product
//! of its features' strengths γ. In the generalized Bradley-Terry model the chosen move wins with
//! the probability of its strength over the sum of all. Hunter describes the method (*MM Algorithms
//! for Generalized Bradley-Terry Models*, 2004), Coulom its use for moves (*Computing Elo Ratings of
//! Move Patterns in the Game of Go*, 2007).
//!
//! A step takes one group of features and multiplies each γ by (wins ÷ expected wins)^(1 ÷ K),
//! where K is the largest number of features of the group in one move. With K = 1 this is Coulom's
//! step. With more, the product of the group's factors is bounded by the mean of their K-th powers
//! (inequality of arithmetic and geometric means, as in generalized iterative scaling: Darroch and
//! Ratcliff, 1972), so that no step makes the choices less likely.

use serde::{Deserialize, Serialize};

use crate::choices::Choices;

/// How strengths are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MmSettings {
    /// Games that each feature has won, and lost, against a move of strength 1 before the first
    /// choice: they keep rare features near 1. Above 0.
    pub prior: f64,
    /// Sweeps over all groups, at most.
    pub sweeps: u32,
    /// Sweeping ends when no logarithm of a strength has changed by more.
    pub tolerance: f64,
}

/// Fits the logarithms of strengths, which begin as they are, to choices. `groups` are the sizes of
/// the groups. Returns the number of sweeps.
///
/// # Panics
/// A choice has a feature without a strength, or the groups have another number of features than
/// there are strengths.
pub fn fit_strengths(
    strengths: &mut [f64],
    groups: &[u32],
    choices: &Choices,
    settings: &MmSettings,
    tell: &mut dyn FnMut(u32),
) -> u32 {
    let count: u32 = groups.iter().sum();
    assert_eq!(strengths.len(), count as usize, "groups have all strengths");
    let mut groups = groups_of(groups, choices);
    groups.retain(|group| group.most > 0);
    let mut fitting = Fitting::new(strengths, choices);
    for sweep in 1..=settings.sweeps {
        let mut change = 0.0_f64;
        for group in &groups {
            change = change.max(fitting.step(group, settings.prior));
        }
        tell(sweep);
        if change <= settings.tolerance {
            return sweep;
        }
    }
    settings.sweeps
}

/// How well strengths predict choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The mean of −ln of the probability of the chosen move, nats.
    pub loss: f64,
    /// The share of choices in which the chosen move is the strongest; a draw of lots among equals.
    pub first: f64,
}

/// How well the logarithms of strengths predict choices; zeros if there are none.
pub fn predict(strengths: &[f64], choices: &Choices) -> Prediction {
    let mut prediction = Prediction::default();
    for index in 0..choices.len() {
        let moves = choices.get(index);
        let of = |at: usize| strength(strengths, choices.features(at));
        let chosen = of(moves.start);
        let sum: f64 = moves.clone().map(|at| (of(at) - chosen).exp()).sum();
        prediction.loss += sum.ln();
        if moves.clone().all(|at| of(at) <= chosen) {
            let equals = moves.clone().filter(|&at| of(at) == chosen);
            prediction.first += 1.0 / equals.count() as f64;
        }
    }
    let count = choices.len().max(1) as f64;
    prediction.loss /= count;
    prediction.first /= count;
    prediction
}

fn strength(strengths: &[f64], features: &[u32]) -> f64 {
    features.iter().map(|&f| strengths[f as usize]).sum()
}

/// A group of features.
struct Group {
    first: u32,
    end: u32,
    /// The largest number of its features in one move.
    most: u32,
}

impl Group {
    fn features(&self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }

    /// The features of a move that belong to the group.
    fn of<'a>(&self, features: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
        let group = self.first..self.end;
        let here = features
            .iter()
            .filter(move |&feature| group.contains(feature));
        here.map(|&feature| feature as usize)
    }
}

fn groups_of(sizes: &[u32], choices: &Choices) -> Vec<Group> {
    let mut first = 0;
    let group = |&size: &u32| {
        let group = Group {
            first,
            end: first + size,
            most: 0,
        };
        first += size;
        group
    };
    let mut groups: Vec<Group> = sizes.iter().map(group).collect();
    for at in 0..choices.moves() {
        let features = choices.features(at);
        for group in &mut groups {
            group.most = group.most.max(group.of(features).count() as u32);
        }
    }
    groups
}

/// Strengths that are being fitted.
struct Fitting<'a> {
    strengths: &'a mut [f64],
    choices: &'a Choices,
    /// Choices that each feature has won, and should have won by the present strengths.
    wins: Vec<f64>,
    expected: Vec<f64>,
    /// What the last step of its group added to each feature.
    change: Vec<f64>,
    /// The strength of each move.
    moves: Vec<f64>,
    /// The shares of the moves of one choice.
    shares: Vec<f64>,
}

impl<'a> Fitting<'a> {
    fn new(strengths: &'a mut [f64], choices: &'a Choices) -> Fitting<'a> {
        let mut wins = vec![0.0; strengths.len()];
        for index in 0..choices.len() {
            let chosen = choices.features(choices.get(index).start);
            chosen.iter().for_each(|&f| wins[f as usize] += 1.0);
        }
        let of = |at| strength(strengths, choices.features(at));
        Fitting {
            moves: (0..choices.moves()).map(of).collect(),
            expected: vec![0.0; strengths.len()],
            change: vec![0.0; strengths.len()],
            shares: Vec::new(),
            strengths,
            choices,
            wins,
        }
    }

    /// Improves the strengths of a group; returns the largest change of a logarithm.
    fn step(&mut self, group: &Group, prior: f64) -> f64 {
        self.expect(group);
        let mut largest = 0.0_f64;
        for feature in group.features() {
            let strength = self.strengths[feature].exp();
            let wins = self.wins[feature] + prior;
            let expected = self.expected[feature] + 2.0 * prior * strength / (1.0 + strength);
            let change = (wins / expected).ln() / f64::from(group.most);
            self.strengths[feature] += change;
            self.change[feature] = change;
            largest = largest.max(change.abs());
        }
        for (at, strength) in self.moves.iter_mut().enumerate() {
            let changed = group.of(self.choices.features(at));
            *strength += changed.map(|feature| self.change[feature]).sum::<f64>();
        }
        largest
    }

    /// Computes the wins that the features of a group should have.
    fn expect(&mut self, group: &Group) {
        self.expected[group.features()].fill(0.0);
        for index in 0..self.choices.len() {
            let moves = self.choices.get(index);
            let strengths = &self.moves[moves.clone()];
            let most = strengths.iter().copied().fold(f64::MIN, f64::max);
            self.shares.clear();
            let shares = strengths.iter().map(|strength| (strength - most).exp());
            self.shares.extend(shares);
            let sum: f64 = self.shares.iter().sum();
            for (at, share) in moves.zip(&self.shares) {
                for feature in group.of(self.choices.features(at)) {
                    self.expected[feature] += share / sum;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use engine_core::Rng;

    use super::*;

    const EXACT: MmSettings = MmSettings {
        prior: 1e-9,
        sweeps: 10_000,
        tolerance: 1e-12,
    };

    #[test]
    fn of_two_players_the_odds_are_those_of_their_games() {
        let mut choices = Choices::default();
        for winner in [0, 0, 1, 0] {
            choices.push([&[winner][..], &[1 - winner]]);
        }
        let mut strengths = [0.0; 2];
        fit_strengths(&mut strengths, &[2], &choices, &EXACT, &mut |_| {});
        assert!(
            (strengths[0] - strengths[1] - 3f64.ln()).abs() < 1e-6,
            "{strengths:?}"
        );
        let prediction = predict(&strengths, &choices);
        let loss = -(3.0 * 0.75f64.ln() + 0.25f64.ln()) / 4.0;
        assert!((prediction.loss - loss).abs() < 1e-9 && prediction.first == 0.75);
    }

    #[test]
    fn nothing_is_learned_from_nothing_and_from_forced_moves() {
        let mut strengths = [0.5, -0.5];
        fit_strengths(
            &mut strengths,
            &[2],
            &Choices::default(),
            &EXACT,
            &mut |_| {},
        );
        assert_eq!(strengths, [0.5, -0.5]);
        assert_eq!(
            predict(&strengths, &Choices::default()),
            Prediction::default()
        );
        let mut forced = Choices::default();
        forced.push([&[0][..]]);
        let settings = MmSettings {
            prior: 1.0,
            ..EXACT
        };
        fit_strengths(&mut strengths, &[2], &forced, &settings, &mut |_| {});
        assert!(
            strengths[0].abs() < 1e-6,
            "the prior alone decides: {strengths:?}"
        );
    }

    /// Teams of one to three features of the first group and one of the second.
    fn random_choices(rng: &mut Rng) -> Choices {
        let mut choices = Choices::default();
        for _ in 0..200 {
            let team = |rng: &mut Rng| -> Vec<u32> {
                let first = (0..1 + rng.below(3)).map(|_| rng.below(5));
                let mut team: Vec<u32> = first.collect();
                team.push(5 + rng.below(4));
                team
            };
            let teams: Vec<Vec<u32>> = (0..2 + rng.below(6)).map(|_| team(rng)).collect();
            choices.push(teams.iter().map(Vec::as_slice));
        }
        choices
    }

    /// The logarithm of the likelihood of the choices and of the prior's games.
    fn likelihood(strengths: &[f64], choices: &Choices, prior: f64) -> f64 {
        let of_prior = |strength: &f64| strength - 2.0 * strength.exp().ln_1p();
        let choices = predict(strengths, choices).loss * choices.len() as f64;
        prior * strengths.iter().map(of_prior).sum::<f64>() - choices
    }

    #[test]
    fn no_sweep_makes_the_choices_less_likely() {
        let mut rng = Rng::new(5);
        let choices = random_choices(&mut rng);
        for prior in [0.1, 1.0, 20.0] {
            let mut strengths = [2.0, -2.0, 1.0, 0.0, 0.5, -3.0, 3.0, 0.0, 1.0];
            let mut before = f64::NEG_INFINITY;
            for _ in 0..100 {
                let settings = MmSettings {
                    prior,
                    sweeps: 1,
                    tolerance: 0.0,
                };
                fit_strengths(&mut strengths, &[5, 4], &choices, &settings, &mut |_| {});
                let now = likelihood(&strengths, &choices, prior);
                assert!(now >= before - 1e-9, "{prior}: {before} {now}");
                before = now;
            }
        }
    }

    /// The likelihood is concave in the logarithms of strengths, so its only flat point is its top.
    #[test]
    fn the_likelihood_is_flat_at_the_end() {
        let mut rng = Rng::new(6);
        let choices = random_choices(&mut rng);
        let mut strengths = [0.0; 9];
        let settings = MmSettings {
            prior: 1.0,
            ..EXACT
        };
        let sweeps = fit_strengths(&mut strengths, &[5, 4], &choices, &settings, &mut |_| {});
        assert!(sweeps < settings.sweeps, "it converges");
        for feature in 0..9 {
            const STEP: f64 = 1e-5;
            let at = |step: f64| {
                let mut moved = strengths;
                moved[feature] += step;
                likelihood(&moved, &choices, 1.0)
            };
            let slope = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            assert!(slope.abs() < 1e-4, "{feature}: {slope}");
        }
    }
}
