//! A network as plain numbers.

use std::fmt;

/// Units of the hidden layer of the value.
pub const HIDDEN: usize = 64;
/// The weights of a convolution: one for a cell and each of its eight neighbours, row by row.
pub(super) const TAPS: usize = 9;
/// Channels are computed in groups of so many.
pub(super) const LANES: usize = 8;
/// The most channels of a layer, blocks, and planes.
const MOST_CHANNELS: usize = 256;
const MOST_BLOCKS: usize = 64;
const MOST_PLANES: usize = 8;

/// The sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Number of planes that it sees, 1 to 8.
    pub planes: usize,
    /// Channels of its layers, a multiple of 8 up to 256.
    pub channels: usize,
    /// Residual blocks, each of two layers, up to 64.
    pub blocks: usize,
    /// Channels of the layer before the logits, a multiple of 8 up to 256.
    pub policy: usize,
}

impl Shape {
    /// Inputs and outputs of each convolution: the first, those of the blocks, and the last.
    fn convolutions(self) -> impl Iterator<Item = (usize, usize)> {
        let inner = std::iter::repeat_n((self.channels, self.channels), 2 * self.blocks);
        [(self.planes, self.channels)]
            .into_iter()
            .chain(inner)
            .chain([(self.channels, self.policy)])
    }

    /// Number of numbers of a network of this shape.
    pub fn numbers(self) -> usize {
        let layers = self.convolutions();
        let layers: usize = layers
            .map(|(inputs, outputs)| (TAPS * inputs + 1) * outputs)
            .sum();
        layers + self.policy + (2 * self.channels + 1) * HIDDEN + HIDDEN + 1
    }

    /// # Errors
    /// A size outside its range.
    fn check(self) -> Result<(), NetworkError> {
        let fits =
            |channels: usize| (1..=MOST_CHANNELS / LANES).any(|groups| groups * LANES == channels);
        let is_known = (1..=MOST_PLANES).contains(&self.planes) && self.blocks <= MOST_BLOCKS;
        if is_known && fits(self.channels) && fits(self.policy) {
            Ok(())
        } else {
            Err(NetworkError::Shape(self))
        }
    }
}

/// Why numbers are no network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// A size outside its range.
    Shape(Shape),
    /// The number of numbers, and the number that the shape asks for.
    Count(usize, usize),
    /// A number that is not finite.
    NotFinite,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Shape(shape) => write!(
                f,
                "expected 1 to {MOST_PLANES} planes, multiples of {LANES} up to {MOST_CHANNELS} \
                 channels and up to {MOST_BLOCKS} blocks, found {shape:?}"
            ),
            NetworkError::Count(found, wanted) => {
                write!(f, "expected {wanted} numbers, found {found}")
            }
            NetworkError::NotFinite => write!(f, "expected finite numbers"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// A convolution of 3×3 cells.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Convolution {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// One for each output.
    pub(super) bias: Vec<f32>,
    /// By tap, input and output.
    taps: Vec<f32>,
}

impl Convolution {
    pub(super) fn weight(&self, tap: usize, input: usize, output: usize) -> f32 {
        self.taps[(tap * self.inputs + input) * self.outputs + output]
    }
}

/// A residual convolution network (as in Silver and others, *Mastering the game of Go without human
/// knowledge*, 2017, without normalization, which training has put into the weights).
///
/// The first layer sees the board with its ring; the others see zeros beyond the board. Each block
/// adds the result of two layers to what it sees. Every layer ends with the larger of its sum and 0.
/// A last layer leads to the logit of each cell. The means and the maxima of all channels over the
/// board lead through a hidden layer to the logit of a win.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    shape: Shape,
    pub(super) convolutions: Vec<Convolution>,
    /// The weights of the logits, one for each channel of the last layer.
    pub(super) logits: Vec<f32>,
    /// By input (means, then maxima) and hidden unit.
    pub(super) pooled: Vec<f32>,
    pub(super) hidden_bias: Vec<f32>,
    pub(super) value: Vec<f32>,
    pub(super) value_bias: f32,
}

impl Network {
    /// Reads a network from its numbers: for each convolution its bias, then its weights by tap, input
    /// and output; the weights of the logits; the weights of the hidden layer by input and unit, its
    /// bias, and the weights and the bias of the value.
    ///
    /// # Errors
    /// A size outside its range, another number of numbers, or one that is not finite.
    pub fn new(shape: Shape, numbers: &[f32]) -> Result<Network, NetworkError> {
        shape.check()?;
        if numbers.len() != shape.numbers() {
            return Err(NetworkError::Count(numbers.len(), shape.numbers()));
        }
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(NetworkError::NotFinite);
        }
        let mut rest = numbers;
        let mut take = |count: usize| {
            let (taken, after) = rest.split_at(count);
            rest = after;
            taken.to_vec()
        };
        let convolution = |(inputs, outputs)| Convolution {
            inputs,
            outputs,
            bias: take(outputs),
            taps: take(TAPS * inputs * outputs),
        };
        let convolutions = shape.convolutions().map(convolution).collect();
        Ok(Network {
            shape,
            convolutions,
            logits: take(shape.policy),
            pooled: take(2 * shape.channels * HIDDEN),
            hidden_bias: take(HIDDEN),
            value: take(HIDDEN),
            value_bias: take(1)[0],
        })
    }

    /// Its sizes.
    pub fn shape(&self) -> Shape {
        self.shape
    }
}
