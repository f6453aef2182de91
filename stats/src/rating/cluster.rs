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

use nalgebra::DVector;

use super::Pairing;
use super::likelihood::Likelihood;
use super::sparse::{Matrix, Pattern};

/// The sum of g·gᵀ over all pairs beyond the information that the model expects of their games, but
/// for the share that the fit has cost; `None` without pairs. `free` is the number of parameters that
/// are estimated.
pub(super) fn excess(
    likelihood: &Likelihood,
    pattern: &Pattern,
    values: &DVector<f64>,
    pairs: &[Pairing],
    free: usize,
) -> Option<Matrix> {
    let count: u64 = pairs.iter().map(Pairing::count).sum();
    if count == 0 {
        return None;
    }
    let lost = (free as f64 / count as f64).min(1.0);
    let mut excess = Matrix::from_diagonal(pattern, 0.0);
    for pairing in pairs.iter().filter(|pairing| pairing.count() > 0) {
        let link = pattern.link(likelihood.strengths([pairing.first, pairing.second]));
        add(&mut excess, likelihood, values, (pairing, link), 1.0 - lost);
    }
    Some(excess)
}

/// Adds what the pairs of two players say beyond `expected` times what the model expects of them.
fn add(
    excess: &mut Matrix,
    likelihood: &Likelihood,
    values: &DVector<f64>,
    (pairing, link): (&Pairing, Option<usize>),
    expected: f64,
) {
    let players = [pairing.first, pairing.second];
    let swapped = [pairing.second, pairing.first];
    let strengths = likelihood.strengths(players);
    let games = [players, swapped].map(|players| likelihood.game(players, values));
    for (one, row) in pairing.results.iter().enumerate() {
        for (other, &count) in row.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let [[lead, draw], [other_lead, other_draw]] =
                [games[0].score(one), games[1].score(other)];
            let sums = [lead - other_lead, lead + other_lead, draw + other_draw];
            excess.add_products(strengths, link, sums, count as f64);
        }
    }
    let count = expected * pairing.count() as f64;
    let [one, other] = strengths;
    excess.add([one, other], link, games[0].information(), -count);
    excess.add([other, one], link, games[1].information(), -count);
}
