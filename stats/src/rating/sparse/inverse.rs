//! The entries of the inverse at the places of the factors, without all others (Takahashi, Fagan and
//! Chen 1973; Erisman and Tinney, *On computing certain elements of the inverse of a sparse matrix*,
//! 1975).

use std::sync::Arc;

use nalgebra::DMatrix;

use super::{Change, Factor, Order, dense};

/// Entries of an inverse.
#[derive(Clone, Debug)]
pub(in super::super) struct Inverse {
    order: Arc<Order>,
    /// On the diagonal, of the eliminated rows.
    diagonal: Vec<f64>,
    /// At the entries of the order.
    entries: Vec<f64>,
    core: DMatrix<f64>,
}

/// Sums by place, 0 between uses.
struct Sums {
    vector: Vec<f64>,
    product: Vec<f64>,
}

impl Inverse {
    /// The inverse of the matrix with these factors.
    pub(in super::super) fn of(factor: &Factor) -> Inverse {
        let order = &*factor.order;
        let mut inverse = Inverse::in_core(factor, dense::inverse(&factor.core));
        let mut sums = Sums::new(order);
        for at in (0..order.eliminated).rev() {
            let lower = &factor.lower[order.column(at)];
            let product = inverse.times(at, lower, &mut sums);
            inverse.diagonal[at] = 1.0 / factor.pivots[at] + dot(lower, &product);
            inverse.set(at, &product);
        }
        inverse
    }

    /// How this inverse changes with the factors.
    pub(in super::super) fn change(&self, factor: &Factor, change: &Change) -> Inverse {
        let order = &*factor.order;
        let core = -(&self.core * &change.core * &self.core);
        let mut moved = Inverse::in_core(factor, core);
        let mut sums = Sums::new(order);
        for at in (0..order.eliminated).rev() {
            let column = order.column(at);
            let (lower, moves) = (&factor.lower[column.clone()], &change.lower[column]);
            let product = self.times(at, lower, &mut sums);
            let mut moved_product = moved.times(at, lower, &mut sums);
            let by_moves = self.times(at, moves, &mut sums);
            for (sum, add) in moved_product.iter_mut().zip(by_moves) {
                *sum += add;
            }
            moved.diagonal[at] = dot(moves, &product) + dot(lower, &moved_product)
                - change.pivots[at] / factor.pivots[at].powi(2);
            moved.set(at, &moved_product);
        }
        moved
    }

    /// The sum of two inverses with the same order.
    pub(in super::super) fn plus(mut self, other: &Inverse) -> Inverse {
        let add = |to: &mut [f64], from: &[f64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut self.diagonal, &other.diagonal);
        add(&mut self.entries, &other.entries);
        self.core += &other.core;
        self
    }

    /// An entry by its rows; `None` if it is at no place of the factors. It is 0 for players that are
    /// fixed.
    pub(in super::super) fn entry(&self, one: usize, other: usize) -> Option<f64> {
        let order = &*self.order;
        if [one, other]
            .iter()
            .any(|&row| order.fixed.get(row) == Some(&true))
        {
            return Some(0.0);
        }
        let [one, other] = [order.place[one], order.place[other]];
        let (first, last) = (one.min(other), one.max(other));
        if first >= order.eliminated {
            return Some(self.core[(last - order.eliminated, first - order.eliminated)]);
        }
        if first == last {
            return Some(self.diagonal[first]);
        }
        order.entry(first, last).map(|entry| self.entries[entry])
    }

    fn in_core(factor: &Factor, core: DMatrix<f64>) -> Inverse {
        Inverse {
            order: factor.order.clone(),
            diagonal: vec![0.0; factor.order.eliminated],
            entries: vec![0.0; factor.order.entries()],
            core,
        }
    }

    fn set(&mut self, at: usize, product: &[f64]) {
        let entries = &mut self.entries[self.order.column(at)];
        for (entry, value) in entries.iter_mut().zip(product) {
            *entry = -value;
        }
    }

    /// The product of the inverse with a vector, both at the entries of a column: the players there
    /// are linked with each other, so that all entries are known.
    fn times(&self, at: usize, vector: &[f64], sums: &mut Sums) -> Vec<f64> {
        let order = &*self.order;
        let rows = &order.rows[order.column(at)];
        let count = rows.partition_point(|&row| (row as usize) < order.eliminated);
        let (players, core) = rows.split_at(count);
        let (of_players, of_core) = vector.split_at(count);
        for (&row, &value) in rows.iter().zip(vector) {
            sums.vector[row as usize] = value;
        }
        for (&row, &value) in players.iter().zip(of_players) {
            let column = order.column(row as usize);
            let mut sum = self.diagonal[row as usize] * value;
            for (&below, entry) in order.rows[column.clone()].iter().zip(&self.entries[column]) {
                sum += entry * sums.vector[below as usize];
                sums.product[below as usize] += entry * value;
            }
            sums.product[row as usize] += sum;
        }
        for (&row, &value) in core.iter().zip(of_core) {
            let column = self.core.column(row as usize - order.eliminated);
            for &other in core {
                sums.product[other as usize] += column[other as usize - order.eliminated] * value;
            }
        }
        let product = rows.iter().map(|&row| sums.product[row as usize]).collect();
        sums.clear(order, rows, players);
        product
    }
}

impl Sums {
    fn new(order: &Order) -> Sums {
        Sums {
            vector: vec![0.0; order.size()],
            product: vec![0.0; order.size()],
        }
    }

    /// Clears what a product with the entries in these rows has touched.
    fn clear(&mut self, order: &Order, rows: &[u32], players: &[u32]) {
        for &row in rows {
            self.vector[row as usize] = 0.0;
            self.product[row as usize] = 0.0;
        }
        for &row in players {
            for &below in &order.rows[order.column(row as usize)] {
                self.product[below as usize] = 0.0;
            }
        }
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
