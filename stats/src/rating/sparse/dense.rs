//! Cholesky factors of a dense matrix, and its inverse, in blocks: most of the work is products of
//! matrices, which use the vector instructions of the processor.

use nalgebra::DMatrix;

/// Rows of a block.
const BLOCK: usize = 48;

/// The blocks of `size` rows: where each begins, and its rows.
fn blocks(size: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> {
    (0..size.div_ceil(BLOCK)).map(move |block| {
        let start = block * BLOCK;
        (start, BLOCK.min(size - start))
    })
}

/// The lower factor L of a symmetric matrix L·Lᵀ, of which the lower half is read. `None` if it is not
/// positive definite.
pub(super) fn factor(mut matrix: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let size = matrix.nrows();
    for (start, rows) in blocks(size) {
        let corner = matrix.view((start, start), (rows, rows)).into_owned();
        let corner = corner.cholesky()?.unpack();
        matrix
            .view_mut((start, start), (rows, rows))
            .copy_from(&corner);
        let next = start + rows;
        if next == size {
            break;
        }
        let mut left = DMatrix::zeros(size - next, rows);
        let below = matrix.view((next, start), (size - next, rows));
        left.gemm(1.0, &below, &inverted(&corner).transpose(), 0.0);
        matrix
            .view_mut((next, start), (size - next, rows))
            .copy_from(&left);
        let below = left.transpose();
        // Only the lower half counts.
        for (column, columns) in blocks(size - next) {
            let height = size - next - column;
            matrix
                .view_mut((next + column, next + column), (height, columns))
                .gemm(
                    -1.0,
                    &left.rows(column, height),
                    &below.columns(column, columns),
                    1.0,
                );
        }
    }
    matrix.fill_upper_triangle(0.0, 1);
    Some(matrix)
}

/// The inverse of a small lower factor: products with it are faster than solutions of its equations.
fn inverted(lower: &DMatrix<f64>) -> DMatrix<f64> {
    let mut inverse = DMatrix::identity(lower.nrows(), lower.nrows());
    lower.solve_lower_triangular_unchecked_mut(&mut inverse);
    inverse
}

/// The inverse of L·Lᵀ.
pub(super) fn inverse(lower: &DMatrix<f64>) -> DMatrix<f64> {
    let size = lower.nrows();
    // The inverse of L, a block of rows after the other.
    let mut root = DMatrix::zeros(size, size);
    for (start, rows) in blocks(size) {
        let corner = inverted(&lower.view((start, start), (rows, rows)).into_owned());
        let left = lower.view((start, 0), (rows, start));
        let sum = left * root.view((0, 0), (start, start));
        root.view_mut((start, 0), (rows, start))
            .gemm(-1.0, &corner, &sum, 0.0);
        root.view_mut((start, start), (rows, rows))
            .copy_from(&corner);
    }
    let mut inverse = DMatrix::zeros(size, size);
    for (start, columns) in blocks(size) {
        // Rows above `start` of these columns of the root are 0.
        let height = size - start;
        let right = root.view((start, start), (height, columns));
        let left = root.view((start, 0), (height, start + columns)).transpose();
        inverse
            .view_mut((0, start), (start + columns, columns))
            .gemm(1.0, &left, &right, 0.0);
    }
    inverse.fill_lower_triangle_with_upper_triangle();
    inverse
}
