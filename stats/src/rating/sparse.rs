//! Linear algebra of ratings: symmetric matrices in which most players have no entry in common, as
//! they never met.
//!
//! | file | what it is |
//! |---|---|
//! | `matrix` | the pattern of such a matrix, and its entries |
//! | `order` | in which order players are eliminated: minimum degree |
//! | `factor` | Cholesky factors, and solutions of linear equations |
//! | `change` | how the factors change with the matrix |
//! | `inverse` | the entries of the inverse at the places of the factors |
//! | `dense` | the same for the rest, in which everybody has met |
//!
//! Players with few opponents are eliminated one by one. Each leaves its opponents as if they had met,
//! so that at last a core is left in which most have. It is a dense matrix, and fast as such.

mod change;
mod dense;
mod factor;
mod inverse;
mod matrix;
mod order;

pub(super) use self::change::Change;
pub(super) use self::factor::Factor;
pub(super) use self::inverse::Inverse;
pub(super) use self::matrix::{Matrix, Pattern};
pub(super) use self::order::Order;

/// Number of rows after those of the players: the first-side advantage and the draw parameter.
pub(super) const EXTRAS: usize = 2;

#[cfg(test)]
mod tests;
