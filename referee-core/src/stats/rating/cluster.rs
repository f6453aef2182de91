//! Error bars where the two games of a pair are one observation.
//!
//! The games of a pair share an opening and are correlated, so that the curvature of the likelihood,
//! which takes all games as independent, gives wrong bars. The cluster-robust (sandwich) covariance
//! is right whatever the correlation (Liang and Zeger 1986; Cameron and Miller, *A Practitioner's
//! Guide to Cluster-Robust Inference*, 2015): with the inverse M of the curvature, it is M·B·M, where
//! B is the sum of g·gᵀ over all pairs with the derivatives g of a pair's log-likelihood. Single games
//! have the information that the model expects of them.
//!
//! A fit with K parameters to G pairs makes their residuals too small, by about K/G of their
//! variance. This share of the model's information is added, so that bars are right for independent
//! games and never vanish, as Morel, Bokossa and Neerchal (2003) do with a share of K/(G - K).

use nalgebra::{DMatrix, DVector};

use super::Pairing;
use super::likelihood::Likelihood;

/// The covariance matrix of the parameters at the maximum of the likelihood. `curvature` is the one
/// that takes all games as independent, `inverse` the same with the terms that fix means; `used` are
/// the parameters that are estimated, `free` is how many of them are not fixed by a mean.
pub(super) fn covariance(
    likelihood: &Likelihood,
    values: &DVector<f64>,
    pairs: &[Pairing],
    inverse: &DMatrix<f64>,
    used: impl Fn(usize) -> bool,
    free: usize,
) -> DMatrix<f64> {
    let independent = likelihood.without_means(inverse.clone());
    let count: u64 = pairs.iter().map(Pairing::count).sum();
    if count == 0 {
        return independent;
    }
    let lost = (free as f64 / count as f64).min(1.0);
    let size = values.len();
    let mut excess = DMatrix::zeros(size, size);
    for pairing in pairs {
        add(&mut excess, likelihood, values, pairing, 1.0 - lost);
    }
    for parameter in (0..size).filter(|&parameter| !used(parameter)) {
        excess.row_mut(parameter).fill(0.0);
        excess.column_mut(parameter).fill(0.0);
    }
    independent + inverse * excess * inverse
}

/// Adds what the pairs of two players say beyond `expected` times what the model expects of them.
fn add(
    excess: &mut DMatrix<f64>,
    likelihood: &Likelihood,
    values: &DVector<f64>,
    pairing: &Pairing,
    expected: f64,
) {
    let games = [
        likelihood.game([pairing.first, pairing.second], values),
        likelihood.game([pairing.second, pairing.first], values),
    ];
    for (one, row) in pairing.results.iter().enumerate() {
        for (other, &count) in row.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let mut sum = DVector::<f64>::zeros(values.len());
            for (game, outcome) in games.iter().zip([one, other]) {
                let score = game.score(outcome);
                (0..4).for_each(|i| sum[game.at[i]] += score[i]);
            }
            *excess += &sum * sum.transpose() * (count as f64);
        }
    }
    let count = pairing.count() as f64;
    for game in &games {
        for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
            excess[(game.at[i], game.at[j])] -= expected * count * game.information(i, j);
        }
    }
}
