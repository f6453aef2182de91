//! Where the cells of a layer lie in memory.

use super::network::LANES;

/// Eight channels of one cell: the unit of every loop.
#[derive(Clone, Copy, Default, Debug)]
#[repr(align(32))]
pub(super) struct Lanes(pub(super) [f32; LANES]);

impl Lanes {
    /// The numbers that `lane` gives.
    pub(super) fn from_fn(lane: impl FnMut(usize) -> f32) -> Lanes {
        Lanes(std::array::from_fn(lane))
    }
}

/// Rows and columns of outputs that are computed together.
pub(super) const TILE: usize = 4;

/// The places of the cells of a board in planes, which hold eight channels each. The board lies in a
/// ring of zeros; its rows and columns are rounded up to whole tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) side: usize,
    /// Distance from a cell to the one below it.
    pub(super) stride: usize,
}

impl Grid {
    pub(super) fn new(side: usize) -> Grid {
        Grid {
            side,
            stride: side.next_multiple_of(TILE) + 2,
        }
    }

    /// Number of cells in a plane.
    pub(super) fn plane(&self) -> usize {
        self.stride * self.stride
    }

    /// A layer of zeros.
    pub(super) fn zeros(&self, channels: usize) -> Vec<Lanes> {
        vec![Lanes::default(); self.plane() * channels / LANES]
    }

    /// The place of the first cell of a row.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> usize {
        (row + 1) * self.stride + 1
    }

    /// The place of the corner of the ring around each tile: upper left.
    pub(super) fn tiles(&self) -> Vec<usize> {
        let across = self.side.div_ceil(TILE);
        let corner = |tile| TILE * (tile / across * self.stride + tile % across);
        (0..across * across).map(corner).collect()
    }

    /// Sets the cells of tiles to zero that lie outside the board.
    #[inline(always)]
    pub(super) fn clear_outside(&self, plane: &mut [Lanes]) {
        let wide = self.stride - 2;
        for row in 0..wide {
            let from = if row < self.side { self.side } else { 0 };
            plane[self.row(row)..][from..wide].fill(Lanes::default());
        }
    }
}
