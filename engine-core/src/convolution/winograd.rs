//! Convolutions by Winograd's minimal filtering (Lavin and Gray, *Fast algorithms for convolutional
//! neural networks*, 2016): a tile of 4×4 outputs takes 36 products for each pair of channels, where
//! the plain way takes 144, or 112 with the seven cells of a hexagonal neighbourhood.
//!
//! Inputs and weights are transformed to 36 points, multiplied as matrices, and transformed back.

use super::grid::{Grid, Lanes, TILE};
use super::network::{Convolution, LANES, TAPS};

/// Rows and columns of inputs of a tile.
const REACH: usize = TILE + 2;
const POINTS: usize = REACH * REACH;

/// Tiles that are multiplied together, so that their sums stay in registers: with vectors of eight
/// numbers, and without. Hex's network takes 0.149 ms by groups of nine tiles, 0.162 by five and
/// 0.181 by three; without wide vectors 0.309 by three, 0.342 by nine and 0.436 by one (11×11 cells,
/// the least of 60 runs on an AMD EPYC, 2026-11-26).
const WIDE: usize = 9;
const NARROW: usize = 3;
/// Boards of up to 8×8 cells have so few tiles.
const FEW: usize = 4;

/// The transform of three weights in a row, for the points 0, ±1, ±2 and infinity.
const SPREAD: [[f32; 3]; REACH] = [
    [1.0 / 4.0, 0.0, 0.0],
    [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
    [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
    [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
    [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
    [0.0, 0.0, 1.0],
];

/// The weights of 8 inputs × 8 outputs.
type Block = [Lanes; LANES];

/// A layer whose weights are transformed.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    bias: Vec<Lanes>,
    /// By point, plane of outputs and plane of inputs.
    weights: Vec<Block>,
    inputs: usize,
}

/// The numbers in groups of eight.
pub(super) fn lanes_of(numbers: &[f32]) -> Vec<Lanes> {
    numbers
        .as_chunks()
        .0
        .iter()
        .map(|chunk| Lanes(*chunk))
        .collect()
}

impl Layer {
    pub(super) fn new(convolution: &Convolution) -> Layer {
        let (inputs, outputs) = (convolution.inputs / LANES, convolution.outputs / LANES);
        let weight = |at: usize, input: usize, lane: usize| {
            let (point, outputs_and_inputs) = (at / (inputs * outputs), at % (inputs * outputs));
            let output = outputs_and_inputs / inputs * LANES + lane;
            let input = outputs_and_inputs % inputs * LANES + input;
            let (row, column) = (SPREAD[point / REACH], SPREAD[point % REACH]);
            let term = |tap: usize| {
                row[tap / 3] * column[tap % 3] * convolution.weight(tap, input, output)
            };
            (0..TAPS).map(term).sum()
        };
        let block =
            |at| std::array::from_fn(|input| Lanes::from_fn(|lane| weight(at, input, lane)));
        Layer {
            bias: lanes_of(&convolution.bias),
            weights: (0..POINTS * inputs * outputs).map(block).collect(),
            inputs,
        }
    }
}

/// Six inputs in a row to six points.
#[inline(always)]
fn forward([a, b, c, d, e, f]: [f32; REACH]) -> [f32; REACH] {
    let (even, odd) = (e - 4.0 * c, d - 4.0 * b);
    let (even2, odd2) = (e - c, 2.0 * (d - b));
    [
        4.0 * a - 5.0 * c + e,
        even + odd,
        even - odd,
        even2 + odd2,
        even2 - odd2,
        4.0 * b - 5.0 * d + f,
    ]
}

/// Six points to four outputs in a row.
#[inline(always)]
fn back([a, b, c, d, e, f]: [f32; REACH]) -> [f32; TILE] {
    let (sum, difference) = (b + c, b - c);
    let (sum2, difference2) = (d + e, d - e);
    [
        a + sum + sum2,
        difference + 2.0 * difference2,
        sum + 4.0 * sum2,
        difference + 8.0 * difference2 + f,
    ]
}

/// `forward` in both directions.
///
/// One loop over the channels around everything is what the compiler turns into vector
/// instructions. Closures would keep it from that: those that it does not inline are compiled
/// without the wide vectors.
#[inline(always)]
fn forward_both(cells: &[&[Lanes; REACH]; REACH], out: &mut [[Lanes; REACH]; REACH]) {
    for lane in 0..LANES {
        let mut rows = [[0.0; REACH]; REACH];
        for (row, [a, b, c, d, e, f]) in rows.iter_mut().zip(cells) {
            let line = [
                a.0[lane], b.0[lane], c.0[lane], d.0[lane], e.0[lane], f.0[lane],
            ];
            *row = forward(line);
        }
        let [a, b, c, d, e, f] = &rows;
        for column in 0..REACH {
            let line = [
                a[column], b[column], c[column], d[column], e[column], f[column],
            ];
            let points = forward(line);
            for row in 0..REACH {
                out[row][column].0[lane] = points[row];
            }
        }
    }
}

/// `back` in both directions, likewise.
#[inline(always)]
fn back_both(points: &[[&Lanes; REACH]; REACH], out: &mut [[Lanes; TILE]; TILE]) {
    for lane in 0..LANES {
        let mut rows = [[0.0; TILE]; REACH];
        for (row, [a, b, c, d, e, f]) in rows.iter_mut().zip(points) {
            let line = [
                a.0[lane], b.0[lane], c.0[lane], d.0[lane], e.0[lane], f.0[lane],
            ];
            *row = back(line);
        }
        let [a, b, c, d, e, f] = &rows;
        for column in 0..TILE {
            let line = [
                a[column], b[column], c[column], d[column], e[column], f[column],
            ];
            let cells = back(line);
            for row in 0..TILE {
                out[row][column].0[lane] = cells[row];
            }
        }
    }
}

/// Computes the layers of boards of one size.
#[derive(Clone, Debug)]
pub(super) struct Winograd {
    grid: Grid,
    tiles: Vec<usize>,
    /// Number of tiles rounded up to whole groups.
    room: usize,
    /// Transformed inputs, by point, plane and tile, and their products with the weights.
    inputs: Vec<Lanes>,
    products: Vec<Lanes>,
    /// Whether the processor has vectors of eight numbers.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "only x86-64 has a choice")
    )]
    wide: bool,
}

impl Winograd {
    /// For layers of up to this number of channels.
    pub(super) fn new(grid: Grid, channels: usize) -> Winograd {
        let tiles = grid.tiles();
        let group = if tiles.len() <= FEW { FEW } else { WIDE };
        let room = tiles.len().next_multiple_of(group);
        let points = vec![Lanes::default(); POINTS * channels / LANES * room];
        Winograd {
            grid,
            tiles,
            room,
            inputs: points.clone(),
            products: points,
            wide: has_wide_vectors(),
        }
    }

    /// Computes as on a processor without vectors of eight numbers.
    #[cfg(test)]
    pub(super) fn use_narrow_vectors(&mut self) {
        self.wide = false;
    }

    /// The layer of `cells`; with `adds`, added to what is in `out`. The larger of each sum and 0.
    pub(super) fn run(&mut self, layer: &Layer, cells: &[Lanes], adds: bool, out: &mut [Lanes]) {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: the processor has AVX2. Compiled for every processor, the code takes twice as
            // long (see `WIDE`).
            return unsafe { self.run_wide(layer, cells, adds, out) };
        }
        match self.room {
            FEW => self.compute::<FEW>(layer, cells, adds, out),
            _ => self.compute::<NARROW>(layer, cells, adds, out),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn run_wide(&mut self, layer: &Layer, cells: &[Lanes], adds: bool, out: &mut [Lanes]) {
        match self.room {
            FEW => self.compute::<FEW>(layer, cells, adds, out),
            _ => self.compute::<WIDE>(layer, cells, adds, out),
        }
    }

    #[inline(always)]
    fn compute<const TILES: usize>(
        &mut self,
        layer: &Layer,
        cells: &[Lanes],
        adds: bool,
        out: &mut [Lanes],
    ) {
        self.transform(cells);
        self.multiply::<TILES>(layer);
        self.restore(&layer.bias, adds, out);
    }

    #[inline(always)]
    fn transform(&mut self, cells: &[Lanes]) {
        let (stride, room) = (self.grid.stride, self.room);
        let step = cells.len() / self.grid.plane() * room;
        let mut points = [[Lanes::default(); REACH]; REACH];
        for (number, plane) in cells.chunks_exact(self.grid.plane()).enumerate() {
            for (tile, &corner) in self.tiles.iter().enumerate() {
                let mut rows = [&[Lanes([0.0; LANES]); REACH]; REACH];
                for (at, row) in rows.iter_mut().enumerate() {
                    let cells = plane[corner + at * stride..].first_chunk();
                    *row = cells.expect("a tile is in the grid");
                }
                forward_both(&rows, &mut points);
                for (point, value) in points.as_flattened().iter().enumerate() {
                    self.inputs[point * step + number * room + tile] = *value;
                }
            }
        }
    }

    #[inline(always)]
    fn multiply<const TILES: usize>(&mut self, layer: &Layer) {
        let (inputs, outputs) = (layer.inputs, layer.bias.len());
        let points = self.inputs.chunks_exact(inputs * self.room);
        let products = self.products.chunks_exact_mut(outputs * self.room);
        let weights = layer.weights.chunks_exact(outputs * inputs);
        for ((planes, products), weights) in points.zip(products).zip(weights) {
            let weights = weights.chunks_exact(inputs);
            for (weights, products) in weights.zip(products.chunks_exact_mut(self.room)) {
                for first in (0..self.room).step_by(TILES) {
                    let sums = multiply_group::<TILES>(planes, weights, self.room, first);
                    products[first..first + TILES].copy_from_slice(&sums);
                }
            }
        }
    }

    #[inline(always)]
    fn restore(&self, bias: &[Lanes], adds: bool, out: &mut [Lanes]) {
        let (stride, room) = (self.grid.stride, self.room);
        let step = bias.len() * room;
        let mut sums = [[Lanes::default(); TILE]; TILE];
        for (number, plane) in out.chunks_exact_mut(self.grid.plane()).enumerate() {
            for (tile, &corner) in self.tiles.iter().enumerate() {
                let mut points = [[&Lanes([0.0; LANES]); REACH]; REACH];
                for (point, place) in points.as_flattened_mut().iter_mut().enumerate() {
                    *place = &self.products[point * step + number * room + tile];
                }
                back_both(&points, &mut sums);
                for (row, sums) in sums.iter().enumerate() {
                    let cells = &mut plane[corner + (row + 1) * stride + 1..][..TILE];
                    for (cell, sum) in cells.iter_mut().zip(sums) {
                        finish(sum, &bias[number], adds, cell);
                    }
                }
            }
            self.grid.clear_outside(plane);
        }
    }
}

/// The sum with its bias, added to what is in the cell if `adds`, or 0 if that is negative.
#[inline(always)]
fn finish(sum: &Lanes, bias: &Lanes, adds: bool, cell: &mut Lanes) {
    for lane in 0..LANES {
        let old = if adds { cell.0[lane] } else { 0.0 };
        let new = sum.0[lane] + bias.0[lane] + old;
        cell.0[lane] = if new > 0.0 { new } else { 0.0 };
    }
}

/// The sums of some tiles, the first of which is `first`, at a point for a plane of outputs.
#[inline(always)]
fn multiply_group<const TILES: usize>(
    planes: &[Lanes],
    weights: &[Block],
    room: usize,
    first: usize,
) -> [Lanes; TILES] {
    let mut sums = [Lanes::default(); TILES];
    for (plane, weights) in planes.chunks_exact(room).zip(weights) {
        let tiles: &[Lanes; TILES] = plane[first..].first_chunk().expect("whole groups");
        for (input, weights) in weights.iter().enumerate() {
            for (sum, tile) in sums.iter_mut().zip(tiles) {
                for lane in 0..LANES {
                    sum.0[lane] += tile.0[input] * weights.0[lane];
                }
            }
        }
    }
    sums
}

fn has_wide_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
