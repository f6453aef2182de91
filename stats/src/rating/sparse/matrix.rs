//! Symmetric matrices with a row for each player and two more.

use nalgebra::{DMatrix, DVector};

use super::EXTRAS;

/// Which players have an entry in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Pattern {
    /// Number of players.
    pub(in super::super) players: usize,
    /// Pairs of players, each with the smaller index first, sorted.
    pub(in super::super) links: Vec<[usize; 2]>,
}

impl Pattern {
    /// The pattern with these pairs of players, in any order.
    pub(in super::super) fn new(
        players: usize,
        pairs: impl IntoIterator<Item = [usize; 2]>,
    ) -> Pattern {
        let sorted = |[one, other]: [usize; 2]| [one.min(other), one.max(other)];
        let mut links: Vec<[usize; 2]> = (pairs.into_iter().map(sorted))
            .filter(|[one, other]| one != other)
            .collect();
        links.sort_unstable();
        links.dedup();
        Pattern { players, links }
    }

    /// Number of rows.
    pub(in super::super) fn size(&self) -> usize {
        self.players + EXTRAS
    }

    /// The index of the link between two players.
    pub(in super::super) fn link(&self, [one, other]: [usize; 2]) -> Option<usize> {
        let link = [one.min(other), one.max(other)];
        self.links.binary_search(&link).ok()
    }
}

/// The entries of a symmetric matrix. Rows: the players, then the two extras.
#[derive(Clone, Debug)]
pub(in super::super) struct Matrix {
    /// On the diagonal.
    pub(in super::super) diagonal: Vec<f64>,
    /// Of each link of the pattern.
    pub(in super::super) links: Vec<f64>,
    /// Of each player with both extras.
    pub(in super::super) border: Vec<[f64; EXTRAS]>,
    /// Of both extras with each other.
    pub(in super::super) corner: f64,
}

impl Matrix {
    /// Zero, but for the diagonal.
    pub(in super::super) fn from_diagonal(pattern: &Pattern, value: f64) -> Matrix {
        Matrix {
            diagonal: vec![value; pattern.size()],
            links: vec![0.0; pattern.links.len()],
            border: vec![[0.0; EXTRAS]; pattern.players],
            corner: 0.0,
        }
    }

    /// Adds `count` times the information of a game: of the first player's lead, of the lead with the
    /// draw parameter, and of this. Without a link both players have one row: their lead is known, and the
    /// game tells only of the extras.
    pub(in super::super) fn add(
        &mut self,
        [first, second]: [usize; 2],
        link: Option<usize>,
        information: [f64; 3],
        count: f64,
    ) {
        let players = self.border.len();
        let [lead, both, draw] = information.map(|value| value * count);
        self.diagonal[players] += lead;
        self.diagonal[players + 1] += draw;
        self.corner += both;
        let Some(link) = link else { return };
        self.diagonal[first] += lead;
        self.diagonal[second] += lead;
        self.links[link] -= lead;
        self.border[first][0] += lead;
        self.border[second][0] -= lead;
        self.border[first][1] += both;
        self.border[second][1] -= both;
    }

    /// Adds `count` times the products of the derivatives of two players' games: by the lead of `first`
    /// over `second`, by the advantage, and by the draw parameter; without a link as in [`Matrix::add`].
    pub(in super::super) fn add_products(
        &mut self,
        [first, second]: [usize; 2],
        link: Option<usize>,
        [lead, advantage, draw]: [f64; 3],
        count: f64,
    ) {
        let players = self.border.len();
        self.diagonal[players] += count * advantage * advantage;
        self.diagonal[players + 1] += count * draw * draw;
        self.corner += count * advantage * draw;
        let Some(link) = link else { return };
        self.diagonal[first] += count * lead * lead;
        self.diagonal[second] += count * lead * lead;
        self.links[link] -= count * lead * lead;
        for (extra, value) in [advantage, draw].into_iter().enumerate() {
            self.border[first][extra] += count * lead * value;
            self.border[second][extra] -= count * lead * value;
        }
    }

    /// Clears the row and the column of an extra, but for `diagonal`.
    pub(in super::super) fn clear(&mut self, extra: usize, diagonal: f64) {
        let players = self.border.len();
        self.border.iter_mut().for_each(|row| row[extra] = 0.0);
        self.corner = 0.0;
        self.diagonal[players + extra] = diagonal;
    }

    /// The same with all signs changed.
    pub(in super::super) fn negative(&self) -> Matrix {
        let mut negative = self.clone();
        let border = negative.border.as_flattened_mut().iter_mut();
        let entries = negative.diagonal.iter_mut().chain(&mut negative.links);
        for entry in entries.chain(border).chain([&mut negative.corner]) {
            *entry = -*entry;
        }
        negative
    }

    /// The same matrix with the entries of another pattern, which has all links of its own.
    pub(in super::super) fn within(&self, own: &Pattern, wider: &Pattern) -> Matrix {
        let mut links = vec![0.0; wider.links.len()];
        for (&players, &value) in own.links.iter().zip(&self.links) {
            let link = wider.link(players);
            links[link.expect("the wider pattern has every link")] = value;
        }
        Matrix {
            links,
            ..self.clone()
        }
    }

    /// The product with a vector.
    pub(in super::super) fn times(&self, pattern: &Pattern, vector: &DVector<f64>) -> DVector<f64> {
        let players = pattern.players;
        let mut product = DVector::from_fn(pattern.size(), |i, _| self.diagonal[i] * vector[i]);
        for (&[i, j], value) in pattern.links.iter().zip(&self.links) {
            product[i] += value * vector[j];
            product[j] += value * vector[i];
        }
        for (player, row) in self.border.iter().enumerate() {
            for (extra, value) in row.iter().enumerate() {
                product[player] += value * vector[players + extra];
                product[players + extra] += value * vector[player];
            }
        }
        product[players] += self.corner * vector[players + 1];
        product[players + 1] += self.corner * vector[players];
        product
    }

    /// The same with all entries.
    pub(in super::super) fn dense(&self, pattern: &Pattern) -> DMatrix<f64> {
        let players = pattern.players;
        let mut dense = DMatrix::from_diagonal(&DVector::from_column_slice(&self.diagonal));
        let mut set = |i, j, value| {
            dense[(i, j)] = value;
            dense[(j, i)] = value;
        };
        for (&[i, j], &value) in pattern.links.iter().zip(&self.links) {
            set(i, j, value);
        }
        for (player, row) in self.border.iter().enumerate() {
            set(player, players, row[0]);
            set(player, players + 1, row[1]);
        }
        set(players, players + 1, self.corner);
        dense
    }
}
