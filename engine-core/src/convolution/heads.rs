//! What follows the blocks: the logit of each cell, and the log odds of a win.

use super::grid::{Grid, Lanes};
use super::network::{HIDDEN, LANES, Network};
use super::winograd::lanes_of;

/// The last steps of a network.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    logits: Vec<Lanes>,
    /// By input.
    pooled: Vec<[f32; HIDDEN]>,
    hidden_bias: [f32; HIDDEN],
    value: [f32; HIDDEN],
    value_bias: f32,
}

impl Heads {
    pub(super) fn new(network: &Network) -> Heads {
        let hidden = |numbers: &[f32]| *numbers.first_chunk().expect("one for each hidden unit");
        Heads {
            logits: lanes_of(&network.logits),
            pooled: network.pooled.as_chunks().0.to_vec(),
            hidden_bias: hidden(&network.hidden_bias),
            value: hidden(&network.value),
            value_bias: network.value_bias,
        }
    }

    /// Writes the logits of the cells from the last layer.
    pub(super) fn write_logits(&self, grid: &Grid, layer: &[Lanes], out: &mut Vec<f32>) {
        out.clear();
        for row in 0..grid.side {
            for place in grid.row(row)..grid.row(row) + grid.side {
                let mut sums = [0.0; LANES];
                for (plane, weights) in layer.chunks_exact(grid.plane()).zip(&self.logits) {
                    let cell = &plane[place].0;
                    (0..LANES).for_each(|lane| sums[lane] += cell[lane] * weights.0[lane]);
                }
                out.push(sums.iter().sum());
            }
        }
    }

    /// The log odds of a win, from the last block.
    pub(super) fn value(&self, grid: &Grid, cells: &[Lanes]) -> f32 {
        let mut hidden = self.hidden_bias;
        let planes = cells.len() / grid.plane();
        let (means, maxima) = self.pooled.split_at(planes * LANES);
        for (number, plane) in cells.chunks_exact(grid.plane()).enumerate() {
            let (mean, most) = pool(grid, plane);
            for lane in 0..LANES {
                let at = number * LANES + lane;
                for unit in 0..HIDDEN {
                    hidden[unit] += means[at][unit] * mean[lane] + maxima[at][unit] * most[lane];
                }
            }
        }
        let parts = hidden.iter().zip(&self.value);
        let sum: f32 = parts.map(|(unit, weight)| unit.max(0.0) * weight).sum();
        sum + self.value_bias
    }
}

/// The mean and the maximum of each channel of a plane over the board. What is not on the board is 0
/// and nothing is less, so it changes neither.
fn pool(grid: &Grid, plane: &[Lanes]) -> ([f32; LANES], [f32; LANES]) {
    let (mut sums, mut most) = ([0.0; LANES], [0.0f32; LANES]);
    for cell in plane {
        (0..LANES).for_each(|lane| sums[lane] += cell.0[lane]);
        (0..LANES).for_each(|lane| most[lane] = most[lane].max(cell.0[lane]));
    }
    let count = (grid.side * grid.side) as f32;
    (sums.map(|sum| sum / count), most)
}
