//! How the factors of a matrix change with it: the derivatives of the elimination, step by step.

use nalgebra::DMatrix;

use super::factor::{Contributions, core_of, spread};
use super::{Factor, Matrix, Order};

/// The derivatives of the factors of a matrix in one direction. The direction has entries only where
/// the matrix has.
#[derive(Clone, Debug)]
pub(in super::super) struct Change {
    pub(super) pivots: Vec<f64>,
    pub(super) lower: Vec<f64>,
    /// Of what elimination leaves of the matrix in the core.
    pub(super) core: DMatrix<f64>,
}

impl Change {
    /// The change of these factors if the matrix changes in this direction.
    pub(in super::super) fn of(factor: &Factor, direction: &Matrix) -> Change {
        let order = &*factor.order;
        let mut change = Change {
            pivots: vec![0.0; order.eliminated],
            lower: vec![0.0; order.entries()],
            core: core_of(order, direction, 0.0),
        };
        let mut contributions = Contributions::new(order);
        let mut column = vec![0.0; order.size()];
        for at in 0..order.eliminated {
            spread(order, direction, 0.0, order.sequence[at], &mut column);
            for (from, entry) in contributions.of(at) {
                change.contribute(factor, from, entry, &mut column);
            }
            let pivot = std::mem::take(&mut column[at]);
            change.pivots[at] = pivot;
            for entry in order.column(at) {
                let value = std::mem::take(&mut column[order.rows[entry] as usize]);
                change.lower[entry] = (value - factor.lower[entry] * pivot) / factor.pivots[at];
            }
            change.eliminate(factor, order, at);
        }
        change.core.fill_upper_triangle_with_lower_triangle();
        change
    }

    /// Subtracts what an eliminated column contributes to the column of one of its entries.
    fn contribute(&self, factor: &Factor, from: usize, entry: usize, column: &mut [f64]) {
        let order = &*factor.order;
        let lower = factor.lower[entry] * factor.pivots[from];
        let moved =
            self.lower[entry] * factor.pivots[from] + factor.lower[entry] * self.pivots[from];
        for below in entry..order.column(from).end {
            column[order.rows[below] as usize] -=
                self.lower[below] * lower + factor.lower[below] * moved;
        }
    }

    /// Subtracts from the core what an eliminated column contributes to it.
    fn eliminate(&mut self, factor: &Factor, order: &Order, at: usize) {
        let entries = order.core_start(at)..order.column(at).end;
        let place = |entry: usize| order.rows[entry] as usize - order.eliminated;
        for entry in entries.clone() {
            let lower = factor.lower[entry] * factor.pivots[at];
            let moved =
                self.lower[entry] * factor.pivots[at] + factor.lower[entry] * self.pivots[at];
            let mut column = self.core.column_mut(place(entry));
            for below in entry..entries.end {
                column[place(below)] -= self.lower[below] * lower + factor.lower[below] * moved;
            }
        }
    }
}
