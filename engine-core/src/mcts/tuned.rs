//! UCB1-tuned (Auer, Cesa-Bianchi and Fischer 2002, section 4): less exploration for children with
//! a small variance of results.

/// The bonus of a child: √(ln N / n · min(¼, V)), where V is the variance of its results plus √(2
/// ln N / n). `squares` is the sum of the squared results.
#[inline]
pub(super) fn bonus(log: f32, visits: f32, mean: f32, squares: f32) -> f32 {
    let share = log / visits;
    let variance = (squares / visits - mean * mean).max(0.0) + (2.0 * share).sqrt();
    (share * variance.min(0.25)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steady_results_are_explored_less() {
        let steady = bonus(10.0, 10_000.0, 0.5, 2_500.0);
        let noisy = bonus(10.0, 10_000.0, 0.5, 5_000.0);
        assert!(steady < noisy);
        assert!((noisy - (0.001f32 * 0.25).sqrt()).abs() < 1e-6);
    }
}
