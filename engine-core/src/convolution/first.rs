//! The first layer: sums of table entries, one for each tap and the content of its cell.

use super::grid::{Grid, Lanes};
use super::network::{Convolution, LANES, TAPS};

/// The first layer of a network.
#[derive(Clone, Debug)]
pub(super) struct First {
    bias: Vec<Lanes>,
    /// By plane, tap and content.
    table: Vec<Lanes>,
    contents: usize,
}

impl First {
    pub(super) fn new(convolution: &Convolution) -> First {
        let contents = 1 << convolution.inputs;
        let entry = |plane: usize, tap, content: usize| {
            let on = |&input: &usize| content >> input & 1 != 0;
            let sum = |output| {
                let inputs = (0..convolution.inputs).filter(on);
                inputs
                    .map(|input| convolution.weight(tap, input, output))
                    .sum()
            };
            Lanes::from_fn(|lane| sum(plane * LANES + lane))
        };
        let planes = 0..convolution.outputs / LANES;
        let table = planes.flat_map(|plane| {
            (0..TAPS * contents).map(move |at| entry(plane, at / contents, at % contents))
        });
        First {
            table: table.collect(),
            bias: super::winograd::lanes_of(&convolution.bias),
            contents,
        }
    }

    /// Computes the layer for a board with its ring.
    ///
    /// # Panics
    /// The contents are not those of a board of the grid's size.
    pub(super) fn run(&self, grid: &Grid, contents: &[u8], out: &mut [Lanes]) {
        let wide = grid.side + 2;
        assert_eq!(contents.len(), wide * wide, "a board with its ring");
        let tables = self.table.chunks_exact(TAPS * self.contents);
        let planes = out.chunks_exact_mut(grid.plane());
        for ((table, bias), plane) in tables.zip(&self.bias).zip(planes) {
            for row in 0..grid.side {
                for column in 0..grid.side {
                    let mut sum = *bias;
                    for (tap, entries) in table.chunks_exact(self.contents).enumerate() {
                        let at = (row + tap / 3) * wide + column + tap % 3;
                        let entry = &entries[usize::from(contents[at])];
                        (0..LANES).for_each(|lane| sum.0[lane] += entry.0[lane]);
                    }
                    plane[grid.row(row) + column] = Lanes(sum.0.map(|sum| sum.max(0.0)));
                }
            }
        }
    }
}
