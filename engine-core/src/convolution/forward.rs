//! The whole computation of a network for a board.

use super::first::First;
use super::grid::{Grid, Lanes};
use super::heads::Heads;
use super::network::Network;
use super::winograd::{Layer, Winograd};

/// A network made ready for boards of one size, with its memory.
#[derive(Clone, Debug)]
pub struct Forward {
    grid: Grid,
    first: First,
    blocks: Vec<[Layer; 2]>,
    policy: Layer,
    heads: Heads,
    winograd: Winograd,
    cells: Vec<Lanes>,
    inner: Vec<Lanes>,
    last: Vec<Lanes>,
}

impl Forward {
    /// For boards of `side` rows and columns, at least 1.
    pub fn new(network: &Network, side: usize) -> Forward {
        let grid = Grid::new(side);
        let shape = network.shape();
        let [first, inner @ .., last] = &network.convolutions[..] else {
            unreachable!("a network has a first and a last layer");
        };
        let pairs = inner.as_chunks::<2>().0.iter();
        Forward {
            first: First::new(first),
            blocks: pairs.map(|pair| pair.each_ref().map(Layer::new)).collect(),
            policy: Layer::new(last),
            heads: Heads::new(network),
            winograd: Winograd::new(grid, shape.channels.max(shape.policy)),
            cells: grid.zeros(shape.channels),
            inner: grid.zeros(shape.channels),
            last: grid.zeros(shape.policy),
            grid,
        }
    }

    /// Looks at a board with its ring, row by row, whose contents are numbers with a bit for each
    /// plane. Writes the logit of each cell to `logits`, row by row without the ring, replacing what
    /// was there, and returns the log odds of a win.
    ///
    /// # Panics
    /// The board has another size, or a content has a bit for a plane that the network has not.
    pub fn evaluate(&mut self, contents: &[u8], logits: &mut Vec<f32>) -> f32 {
        self.first.run(&self.grid, contents, &mut self.cells);
        for [one, two] in &self.blocks {
            self.winograd.run(one, &self.cells, false, &mut self.inner);
            self.winograd.run(two, &self.inner, true, &mut self.cells);
        }
        (self.winograd).run(&self.policy, &self.cells, false, &mut self.last);
        self.heads.write_logits(&self.grid, &self.last, logits);
        self.heads.value(&self.grid, &self.cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convolution::network::{Convolution, HIDDEN, Shape};
    use crate::rng::Rng;

    fn random_network(shape: Shape, rng: &mut Rng) -> Network {
        let number = |_| (rng.unit() - 0.5) * 0.4;
        let numbers: Vec<f32> = (0..shape.numbers()).map(number).collect();
        Network::new(shape, &numbers).expect("a shape and its numbers")
    }

    /// A board with a ring of other cells: channels of each cell, row by row.
    type Cells = Vec<Vec<f64>>;

    /// The convolution as its definition says. `cells` have a ring.
    fn convolve(convolution: &Convolution, cells: &Cells, side: usize) -> Cells {
        let sum = |place: usize, output: usize| {
            let mut sum = f64::from(convolution.bias[output]);
            for tap in 0..9 {
                let (row, column) = (place / side + tap / 3, place % side + tap % 3);
                let cell = &cells[row * (side + 2) + column];
                for (input, value) in cell.iter().enumerate() {
                    sum += f64::from(convolution.weight(tap, input, output)) * value;
                }
            }
            sum
        };
        let cell = |place| {
            (0..convolution.outputs)
                .map(|output| sum(place, output))
                .collect()
        };
        (0..side * side).map(cell).collect()
    }

    /// The cells in a ring of zeros.
    fn ringed(cells: &Cells, side: usize) -> Cells {
        let mut out = vec![vec![0.0; cells[0].len()]; (side + 2) * (side + 2)];
        for (place, cell) in cells.iter().enumerate() {
            out[(place / side + 1) * (side + 2) + place % side + 1].clone_from(cell);
        }
        out
    }

    fn active(cells: Cells) -> Cells {
        let active = |cell: Vec<f64>| cell.iter().map(|value| value.max(0.0)).collect();
        cells.into_iter().map(active).collect()
    }

    fn added(one: &Cells, other: &Cells) -> Cells {
        let sum = |(one, other): (&Vec<f64>, &Vec<f64>)| {
            one.iter()
                .zip(other)
                .map(|(one, other)| one + other)
                .collect()
        };
        one.iter().zip(other).map(sum).collect()
    }

    /// What the network says of a board, computed plainly in double precision.
    fn slow(network: &Network, contents: &[u8], side: usize) -> (Vec<f64>, f64) {
        let planes = network.shape().planes;
        let bits = |content: &u8| {
            (0..planes)
                .map(|bit| f64::from(content >> bit & 1))
                .collect()
        };
        let board: Cells = contents.iter().map(bits).collect();
        let [first, inner @ .., last] = &network.convolutions[..] else {
            unreachable!("two layers at least");
        };
        let mut cells = active(convolve(first, &board, side));
        for [one, two] in inner.as_chunks::<2>().0 {
            let between = active(convolve(one, &ringed(&cells, side), side));
            cells = active(added(&cells, &convolve(two, &ringed(&between, side), side)));
        }
        let policy = active(convolve(last, &ringed(&cells, side), side));
        let weighted = |cell: &Vec<f64>| {
            let parts = cell.iter().zip(&network.logits);
            parts
                .map(|(value, &weight)| value * f64::from(weight))
                .sum()
        };
        let channels = network.shape().channels;
        let all = |channel: usize| cells.iter().map(move |cell| cell[channel]);
        let means = (0..channels).map(|channel| all(channel).sum::<f64>() / (side * side) as f64);
        let most = (0..channels).map(|channel| all(channel).fold(0.0, f64::max));
        let inputs: Vec<f64> = means.chain(most).collect();
        let mut value = f64::from(network.value_bias);
        for unit in 0..HIDDEN {
            let weight = |input: usize| f64::from(network.pooled[input * HIDDEN + unit]);
            let parts = inputs
                .iter()
                .enumerate()
                .map(|(input, value)| value * weight(input));
            let sum = parts.sum::<f64>() + f64::from(network.hidden_bias[unit]);
            value += sum.max(0.0) * f64::from(network.value[unit]);
        }
        (policy.iter().map(weighted).collect(), value)
    }

    #[test]
    fn a_network_computes_what_its_definition_says() {
        let mut rng = Rng::new(1);
        for (side, planes, channels, blocks, policy) in [
            (1, 2, 8, 1, 8),
            (2, 1, 16, 2, 8),
            (5, 3, 24, 2, 16),
            (11, 2, 32, 3, 32),
            (13, 2, 8, 0, 40),
            (19, 2, 16, 1, 8),
        ] {
            let shape = Shape {
                planes,
                channels,
                blocks,
                policy,
            };
            let network = random_network(shape, &mut rng);
            let mut forward = Forward::new(&network, side);
            let mut logits = Vec::new();
            // A second board shows what the first one left behind.
            for _ in 0..2 {
                let contents = (0..(side + 2) * (side + 2)).map(|_| rng.below(1 << planes) as u8);
                let contents: Vec<u8> = contents.collect();
                let value = forward.evaluate(&contents, &mut logits);
                let (slow_logits, slow_value) = slow(&network, &contents, side);
                let close = |fast: f32, slow: f64| {
                    (f64::from(fast) - slow).abs() <= 1e-4 * (1.0 + slow.abs())
                };
                assert!(close(value, slow_value), "{shape:?} {value} {slow_value}");
                assert_eq!(logits.len(), side * side);
                for (&fast, &slow) in logits.iter().zip(&slow_logits) {
                    assert!(close(fast, slow), "{shape:?} {fast} {slow}");
                }
            }
        }
    }

    #[test]
    fn wide_vectors_change_no_bit() {
        let shape = Shape {
            planes: 2,
            channels: 32,
            blocks: 2,
            policy: 32,
        };
        let mut rng = Rng::new(2);
        let network = random_network(shape, &mut rng);
        for side in [2, 11, 19] {
            let contents = (0..(side + 2) * (side + 2)).map(|_| rng.below(4) as u8);
            let contents: Vec<u8> = contents.collect();
            let [mut wide, mut narrow] = [0; 2].map(|_| Forward::new(&network, side));
            narrow.winograd.use_narrow_vectors();
            let [mut one, mut other] = [Vec::new(), Vec::new()];
            let value = wide.evaluate(&contents, &mut one).to_bits();
            assert_eq!(narrow.evaluate(&contents, &mut other).to_bits(), value);
            let bits = |logits: &[f32]| logits.iter().map(|logit| logit.to_bits()).collect();
            let [one, other]: [Vec<u32>; 2] = [bits(&one), bits(&other)];
            assert_eq!(one, other);
        }
    }
}
