//! Zones: the cells on which the result of a position depends.

/// A set of cells of a board, by number, 0 to 383.
///
/// The zone of a solved position holds all cells that its winner needs: whatever the loser plays
/// outside, the winner wins. So a refutation of one move refutes every move outside its zone. The
/// moves inside the zones of all refutations are the *must-play region* (Hayward and others, *Solving
/// 7×7 Hex: virtual connections and game-state reduction*, 2003).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone([u64; 6]);

impl Zone {
    /// No cell.
    pub const EMPTY: Zone = Zone([0; 6]);
    /// Every cell.
    pub const ALL: Zone = Zone([u64::MAX; 6]);

    /// Whether a cell belongs to it.
    #[inline]
    #[must_use]
    pub fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// The same with a cell.
    #[must_use]
    pub fn with(mut self, cell: usize) -> Zone {
        self.0[cell / 64] |= 1 << (cell % 64);
        self
    }

    /// The cells of either.
    #[must_use]
    pub fn union(&self, other: &Zone) -> Zone {
        Zone(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// The cells of both.
    #[must_use]
    pub fn intersection(&self, other: &Zone) -> Zone {
        Zone(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl FromIterator<usize> for Zone {
    fn from_iter<T: IntoIterator<Item = usize>>(cells: T) -> Zone {
        cells.into_iter().fold(Zone::EMPTY, Zone::with)
    }
}
