//! Sparse Cholesky factors (Davis, *Direct Methods for Sparse Linear Systems*, 2006, chapter 4).
//!
//! The matrix is L·D·Lᵀ with 1 on the diagonal of L. D is diagonal in the eliminated rows; in the
//! core it is a dense matrix, what elimination leaves of it.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector, DVectorViewMut};

use super::{EXTRAS, Matrix, Order, dense};

/// The factors of a positive definite matrix.
#[derive(Clone, Debug)]
pub(in super::super) struct Factor {
    pub(super) order: Arc<Order>,
    /// D of the eliminated rows.
    pub(super) pivots: Vec<f64>,
    /// L below the diagonal, at the entries of the order.
    pub(super) lower: Vec<f64>,
    /// The Cholesky factor of D in the core.
    pub(super) core: DMatrix<f64>,
    /// The diagonal of D in the core.
    diagonal: DVector<f64>,
}

/// In a larger core, everybody has met so many that its diagonal says enough for a rough solution.
const LARGE_CORE: usize = 800;

/// The columns that contribute to each column from the left, each with its next entry.
pub(super) struct Contributions<'o> {
    order: &'o Order,
    /// By row, the columns whose next entry is in it.
    waiting: Vec<Vec<u32>>,
    /// By column, its next entry.
    next: Vec<usize>,
}

impl<'o> Contributions<'o> {
    pub(super) fn new(order: &'o Order) -> Self {
        Contributions {
            order,
            waiting: vec![Vec::new(); order.eliminated],
            next: vec![0; order.eliminated],
        }
    }

    /// The columns with an entry in this row, with the place of the entry.
    pub(super) fn of(&mut self, row: usize) -> Vec<(usize, usize)> {
        let columns = std::mem::take(&mut self.waiting[row]);
        let found: Vec<_> = (columns.iter())
            .map(|&column| (column as usize, self.next[column as usize]))
            .collect();
        for &(column, entry) in &found {
            self.wait(column, entry + 1);
        }
        self.wait(row, self.order.column(row).start);
        found
    }

    fn wait(&mut self, column: usize, entry: usize) {
        self.next[column] = entry;
        if entry < self.order.core_start(column) {
            self.waiting[self.order.rows[entry] as usize].push(column as u32);
        }
    }
}

/// Adds the entries of the matrix in the column of a player, each at its place. Players that are
/// fixed have `fixed` on the diagonal and 0 elsewhere.
pub(super) fn spread(order: &Order, matrix: &Matrix, fixed: f64, row: usize, column: &mut [f64]) {
    let at = order.place[row];
    column[at] += if order.fixed[row] {
        fixed
    } else {
        matrix.diagonal[row]
    };
    for &(below, link) in &order.links[at] {
        column[below as usize] += matrix.links[link as usize];
    }
    if !order.fixed[row] {
        for extra in 0..EXTRAS {
            column[order.size() - EXTRAS + extra] += matrix.border[row][extra];
        }
    }
}

/// The lower half of the matrix in the core.
pub(super) fn core_of(order: &Order, matrix: &Matrix, fixed: f64) -> DMatrix<f64> {
    let (size, first) = (order.core(), order.eliminated);
    let mut core = DMatrix::zeros(size, size);
    let mut column = vec![0.0; order.size()];
    let players = order.size() - EXTRAS;
    for at in first..players {
        spread(order, matrix, fixed, order.sequence[at], &mut column);
        core.column_mut(at - first)
            .copy_from_slice(&column[first..]);
        column[first..].fill(0.0);
    }
    for extra in 0..EXTRAS {
        let at = size - EXTRAS + extra;
        core[(at, at)] = matrix.diagonal[players + extra];
    }
    core[(size - 1, size - 2)] = matrix.corner;
    core
}

impl Factor {
    /// The factors of a matrix; `None` if it is not positive definite.
    pub(in super::super) fn of(order: &Arc<Order>, matrix: &Matrix) -> Option<Factor> {
        let mut core = core_of(order, matrix, 1.0);
        let mut lower = vec![0.0; order.entries()];
        let mut pivots = vec![0.0; order.eliminated];
        let mut contributions = Contributions::new(order);
        let mut column = vec![0.0; order.size()];
        for at in 0..order.eliminated {
            spread(order, matrix, 1.0, order.sequence[at], &mut column);
            for (from, entry) in contributions.of(at) {
                let factor = lower[entry] * pivots[from];
                for below in entry..order.column(from).end {
                    column[order.rows[below] as usize] -= lower[below] * factor;
                }
            }
            let pivot = std::mem::take(&mut column[at]);
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            pivots[at] = pivot;
            for entry in order.column(at) {
                lower[entry] = std::mem::take(&mut column[order.rows[entry] as usize]) / pivot;
            }
            eliminate(order, &mut core, &lower, pivot, at);
        }
        Some(Factor {
            order: order.clone(),
            pivots,
            lower,
            diagonal: core.diagonal(),
            core: dense::factor(core)?,
        })
    }

    /// The solution of the equations with this right-hand side. It is 0 for players that are fixed.
    pub(in super::super) fn solve(&self, right: &DVector<f64>) -> DVector<f64> {
        self.solve_with(right, |core| {
            self.core.solve_lower_triangular_mut(core);
            self.core.tr_solve_lower_triangular_mut(core);
        })
    }

    /// About the same, but faster, as a symmetric positive definite function of the right-hand side.
    pub(in super::super) fn solve_roughly(&self, right: &DVector<f64>) -> DVector<f64> {
        if self.core.nrows() < LARGE_CORE {
            return self.solve(right);
        }
        self.solve_with(right, |core| core.component_div_assign(&self.diagonal))
    }

    fn solve_with(
        &self,
        right: &DVector<f64>,
        solve_core: impl Fn(&mut DVectorViewMut<'_, f64>),
    ) -> DVector<f64> {
        let order = &self.order;
        let mut x = DVector::zeros(order.size());
        for (row, &place) in order.place.iter().enumerate() {
            let fixed = order.fixed.get(row).is_some_and(|&fixed| fixed);
            x[place] = if fixed { 0.0 } else { right[row] };
        }
        for at in 0..order.eliminated {
            let value = x[at];
            for entry in order.column(at) {
                x[order.rows[entry] as usize] -= self.lower[entry] * value;
            }
        }
        solve_core(&mut x.rows_mut(order.eliminated, order.core()));
        for at in (0..order.eliminated).rev() {
            let column = order.column(at);
            let rows = order.rows[column.clone()].iter();
            let sum: f64 = (rows.zip(&self.lower[column]))
                .map(|(&row, lower)| x[row as usize] * lower)
                .sum();
            x[at] = x[at] / self.pivots[at] - sum;
        }
        DVector::from_fn(order.size(), |row, _| x[order.place[row]])
    }
}

/// Subtracts from the core what an eliminated column contributes to it.
fn eliminate(order: &Order, core: &mut DMatrix<f64>, lower: &[f64], pivot: f64, at: usize) {
    let range = order.core_start(at)..order.column(at).end;
    let (rows, values) = (&order.rows[range.clone()], &lower[range]);
    for (place, (&row, value)) in rows.iter().zip(values).enumerate() {
        let factor = value * pivot;
        let mut column = core.column_mut(row as usize - order.eliminated);
        for (&row, value) in rows[place..].iter().zip(&values[place..]) {
            column[row as usize - order.eliminated] -= value * factor;
        }
    }
}
