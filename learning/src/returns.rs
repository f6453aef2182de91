//! Targets of learning by temporal differences.

/// The λ-returns of a game (Sutton, *Learning to Predict by the Methods of Temporal Differences*,
/// 1988), as expected points of one side.
///
/// `values` are the values of the positions in the order of play, by the model, and `result` is
/// that of the game. The target of a position is `(1 − λ) v' + λ g'`, where `v'` and `g'` are the
/// value and the target of the next position; the last position's is the result. So λ = 0 learns
/// from the next value alone, and λ = 1 from the result alone.
///
/// `explored` says after which positions a random move was played: what came then says nothing of
/// them, and their target is their value.
///
/// # Panics
/// The lists have different lengths.
pub fn lambda_returns(values: &[f32], explored: &[bool], result: f32, lambda: f32) -> Vec<f32> {
    assert_eq!(values.len(), explored.len());
    let mut targets = vec![0.0; values.len()];
    let (mut next_value, mut next_target) = (result, result);
    for index in (0..values.len()).rev() {
        targets[index] = if explored[index] {
            values[index]
        } else {
            (1.0 - lambda) * next_value + lambda * next_target
        };
        (next_value, next_target) = (values[index], targets[index]);
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_the_next_value_and_the_result() {
        let values = [0.5, 0.6, 0.2];
        let none = [false; 3];
        assert_eq!(lambda_returns(&values, &none, 1.0, 0.0), [0.6, 0.2, 1.0]);
        assert_eq!(lambda_returns(&values, &none, 1.0, 1.0), [1.0, 1.0, 1.0]);
        assert_eq!(lambda_returns(&[], &[], 1.0, 0.5), [0.0; 0]);
    }

    /// The definition: a mixture of n-step returns, weighted by powers of λ.
    #[test]
    fn returns_in_between_mix_returns_of_n_steps() {
        let (values, lambda) = ([0.5_f32, 0.6, 0.2, 0.9], 0.7_f32);
        let found = lambda_returns(&values, &[false; 4], 0.0, lambda);
        for (index, found) in found.into_iter().enumerate() {
            let steps = values.len() - index;
            let mixed: f32 = (1..=steps)
                .map(|n| {
                    if n == steps {
                        0.0
                    } else {
                        (1.0 - lambda) * lambda.powi(n as i32 - 1) * values[index + n]
                    }
                })
                .sum();
            assert!((found - mixed).abs() < 1e-6, "{found} {mixed}");
        }
    }

    #[test]
    fn nothing_is_learned_across_a_random_move() {
        let targets = lambda_returns(&[0.5, 0.6, 0.2], &[false, true, false], 1.0, 1.0);
        assert_eq!(targets, [0.6, 0.6, 1.0]);
    }
}
