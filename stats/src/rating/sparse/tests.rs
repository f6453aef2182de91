//! The sparse methods against plain dense ones.

use std::sync::Arc;

use engine_core::Rng;
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use super::*;

/// The information of random games between random players, of whom some have met nobody, and those
/// that are fixed.
fn information(rng: &mut Rng, players: usize, games: usize) -> (Pattern, Matrix, Vec<bool>) {
    let mut player = || rng.below(players as u32) as usize;
    let pairs: Vec<[usize; 2]> = (0..games).map(|_| [player(), player()]).collect();
    let pattern = Pattern::new(players, pairs);
    let mut matrix = Matrix::from_diagonal(&pattern, 0.5);
    let mut share = || f64::from(rng.unit());
    for (link, &pair) in pattern.links.iter().enumerate() {
        matrix.add(
            pair,
            Some(link),
            [share(), share() - 0.5, 1.0 + share()],
            1.0,
        );
    }
    let fixed = (0..players).map(|_| rng.below(8) == 0).collect();
    (pattern, matrix, fixed)
}

/// The matrix with rows and columns of fixed players as in that of no games.
fn dense(pattern: &Pattern, matrix: &Matrix, fixed: &[bool], diagonal: f64) -> DMatrix<f64> {
    let mut dense = matrix.dense(pattern);
    for player in (0..fixed.len()).filter(|&player| fixed[player]) {
        dense.row_mut(player).fill(0.0);
        dense.column_mut(player).fill(0.0);
        dense[(player, player)] = diagonal;
    }
    dense
}

/// Every entry that the sparse inverse knows; those of fixed players are 0.
fn compare(found: &Inverse, expected: &DMatrix<f64>, pattern: &Pattern, fixed: &[bool]) {
    let is_fixed = |row: usize| fixed.get(row) == Some(&true);
    for i in 0..pattern.size() {
        for j in 0..pattern.size() {
            let entry = found.entry(i, j);
            let is_known = i == j || i.max(j) >= pattern.players || pattern.link([i, j]).is_some();
            match entry {
                Some(entry) if is_fixed(i) || is_fixed(j) => assert_eq!(entry, 0.0),
                Some(entry) => {
                    let expected = expected[(i, j)];
                    assert!((entry - expected).abs() < 1e-9, "{entry} {expected}");
                }
                None => assert!(!is_known, "{i} {j}"),
            }
        }
    }
}

proptest! {
    #[test]
    fn sparse_methods_agree_with_dense_ones(
        seed in any::<u64>(), players in 1..150usize, games in 0..600usize,
    ) {
        let mut rng = Rng::new(seed);
        let (pattern, matrix, fixed) = information(&mut rng, players, games);
        let plain = dense(&pattern, &matrix, &fixed, 1.0);
        let expected = plain.clone().try_inverse().unwrap();
        let order = Arc::new(Order::new(&pattern, &fixed));
        let factor = Factor::of(&order, &matrix).unwrap();
        let inverse = Inverse::of(&factor);
        compare(&inverse, &expected, &pattern, &fixed);

        let mut right = DVector::from_fn(pattern.size(), |_, _| f64::from(rng.unit()));
        let product = matrix.dense(&pattern) * &right;
        prop_assert!((matrix.times(&pattern, &right) - product).amax() < 1e-9);
        let solution = factor.solve(&right);
        for player in (0..players).filter(|&player| fixed[player]) {
            right[player] = 0.0;
        }
        prop_assert!((solution - &expected * &right).amax() < 1e-9);

        let (_, mut direction, _) = information(&mut rng, players, games);
        direction.links = (0..pattern.links.len()).map(|_| f64::from(rng.unit())).collect();
        let change = Change::of(&factor, &direction);
        let moved = -(&expected * dense(&pattern, &direction, &fixed, 0.0) * &expected);
        compare(&inverse.change(&factor, &change), &moved, &pattern, &fixed);
    }
}

#[test]
fn what_is_not_positive_definite_has_no_factors() {
    let pattern = Pattern::new(60, (0..59).map(|player| [player, player + 1]));
    let order = Arc::new(Order::new(&pattern, &[false; 60]));
    for row in 0..62 {
        let mut matrix = Matrix::from_diagonal(&pattern, 1.0);
        assert!(Factor::of(&order, &matrix).is_some());
        matrix.diagonal[row] = -1.0;
        assert!(Factor::of(&order, &matrix).is_none(), "{row}");
    }
}

#[test]
fn blocks_of_a_dense_matrix_agree_with_the_whole() {
    let mut rng = Rng::new(7);
    for size in [1, 2, 47, 48, 49, 96, 130] {
        let root = DMatrix::from_fn(size, size, |_, _| f64::from(rng.unit()) - 0.5);
        let matrix = &root * root.transpose() + DMatrix::identity(size, size);
        let factor = dense::factor(matrix.clone()).unwrap();
        assert!((&factor * factor.transpose() - &matrix).amax() < 1e-9);
        let product = dense::inverse(&factor) * matrix;
        assert!((product - DMatrix::identity(size, size)).amax() < 1e-9);
    }
}
