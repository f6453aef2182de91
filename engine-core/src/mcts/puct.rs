//! PUCT: exploration in proportion to a prior (Rosin, *Multi-armed bandits with episode context*,
//! 2011, in the form of Silver and others, *Mastering the game of Go without human knowledge*, 2017).

use crate::mcts::node::NewNode;
use crate::real::exp;

/// The bonus of a child: P · √N / (1 + n).
#[inline]
pub(super) fn bonus(root_of_visits: f32, visits: f32, prior: f32) -> f32 {
    prior * root_of_visits / (1.0 + visits)
}

/// Softmax temperature of the priors: a move whose win probability is higher by this much has e
/// times the prior.
const TEMPERATURE: f32 = 0.1;

/// Converts win probabilities into policy priors: softmax with a temperature.
pub(super) fn normalise(children: &mut [NewNode]) {
    let best = children.iter().map(|c| c.prior).fold(0.0, f32::max);
    let mut sum = 0.0;
    for child in children.iter_mut() {
        child.prior = exp((child.prior - best) / TEMPERATURE);
        sum += child.prior;
    }
    for child in children.iter_mut() {
        child.prior /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_sum_to_one_and_keep_their_order() {
        let mut children = [0.2, 0.5, 0.6].map(|prior| NewNode {
            prior,
            ..NewNode::new(1, 0)
        });
        normalise(&mut children);
        let sum: f32 = children.iter().map(|child| child.prior).sum();
        assert!((sum - 1.0).abs() < 1e-6);
        let ratio = children[2].prior / children[1].prior;
        assert!((ratio - 1f32.exp()).abs() < 1e-3);
    }
}
