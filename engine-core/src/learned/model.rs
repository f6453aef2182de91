//! Learned weights in whole numbers, and the value of a position by them.

use std::fmt;

/// One point of log odds in the result of a model.
pub const UNIT: i32 = 1024;
/// An activation of 1 in the hidden layers.
pub const ACTIVE: i32 = 255;
/// A weight of 1 after the first layer.
pub const WEIGHT: i32 = 64;
/// Lanes of a vector: the hidden layer's size is a multiple of it.
const LANES: usize = 16;
/// Maximum size of a hidden layer: sums of so many products fit into 31 bits.
const MOST_HIDDEN: usize = 128;

/// The sizes of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Number of inputs.
    pub inputs: usize,
    /// Size of the first hidden layer for each of the two views, a multiple of 16 up to 128; 0 for
    /// a sum of weights.
    pub hidden: usize,
    /// Size of the second hidden layer, up to 128; 0 for none.
    pub second: usize,
}

impl Shape {
    /// The shape of a model with hidden layers of these sizes and this number of numbers.
    ///
    /// # Errors
    /// A size outside its range, or no shape has so many numbers.
    pub fn with_numbers(numbers: usize, hidden: usize, second: usize) -> Result<Shape, ModelError> {
        let mut shape = Shape {
            inputs: 0,
            hidden,
            second,
        };
        shape.check()?;
        let fixed: usize = shape.parts().iter().sum();
        shape.inputs = numbers.saturating_sub(fixed) / hidden.max(1);
        match shape.parts().iter().sum() {
            count if count == numbers => Ok(shape),
            count => Err(ModelError::Count(numbers, count)),
        }
    }

    /// Checks the sizes.
    ///
    /// # Errors
    /// A size outside its range.
    pub fn check(self) -> Result<(), ModelError> {
        let Shape { hidden, second, .. } = self;
        if hidden % LANES != 0 || hidden > MOST_HIDDEN {
            return Err(ModelError::Hidden(hidden));
        }
        if second > MOST_HIDDEN || hidden == 0 && second > 0 {
            return Err(ModelError::Second(second));
        }
        Ok(())
    }

    /// Number of weights of each part, in the order of [`Model::new`].
    pub fn parts(self) -> [usize; 6] {
        let Shape {
            inputs,
            hidden,
            second,
        } = self;
        match (hidden, second) {
            (0, _) => [inputs, 0, 0, 0, 0, 1],
            (_, 0) => [inputs * hidden, hidden, 0, 0, 2 * hidden, 1],
            _ => [
                inputs * hidden,
                hidden,
                2 * hidden * second,
                second,
                second,
                1,
            ],
        }
    }
}

/// Why numbers are no model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelError {
    /// The size of the first hidden layer.
    Hidden(usize),
    /// The size of the second hidden layer.
    Second(usize),
    /// The number of weights, and the number that the shape asks for.
    Count(usize, usize),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ModelError::Hidden(size) => write!(
                f,
                "expected a hidden layer of 0 or a multiple of {LANES} up to {MOST_HIDDEN}, found {size}"
            ),
            ModelError::Second(size) => write!(
                f,
                "expected a second hidden layer of at most {MOST_HIDDEN} after a first one, found {size}"
            ),
            ModelError::Count(found, wanted) => {
                write!(f, "expected {wanted} weights, found {found}")
            }
        }
    }
}

impl std::error::Error for ModelError {}

/// A sum of weights or a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Model {
    /// The value is the sum of the weights of the inputs that the side to act sees, in 1/[`UNIT`]
    /// of log odds.
    Sum {
        /// The weight of each input.
        weights: Vec<i16>,
        /// The value without inputs.
        bias: i32,
    },
    /// See [`Network`].
    Network(Network),
}

/// A network over both views: the first layer has one half for each side, with the same weights
/// (as in Nasu's NNUE, 2018). Its values are clipped to 0 to 1; without a second hidden layer they
/// are also squared. The result is in 1/[`UNIT`] of log odds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    shape: Shape,
    /// `hidden` weights for each input, 1/[`ACTIVE`].
    first: Vec<i16>,
    first_bias: Vec<i16>,
    /// `2 · hidden` weights for each unit of the second layer, 1/[`WEIGHT`].
    second: Vec<i16>,
    /// 1/([`ACTIVE`] · [`WEIGHT`]).
    second_bias: Vec<i32>,
    /// 1/[`WEIGHT`].
    output: Vec<i16>,
    /// 1/([`ACTIVE`] · [`WEIGHT`]).
    output_bias: i32,
}

impl Model {
    /// A model from its numbers: the first layer's weights input by input, its biases, the second
    /// layer's weights unit by unit, its biases, the last layer's weights, its bias. A sum has only
    /// the first and the last of these. Weights are cut to 16 bits, and to 8 after the first layer.
    ///
    /// # Errors
    /// A shape that does not exist, or another number of weights than it asks for.
    pub fn new(shape: Shape, numbers: &[i32]) -> Result<Model, ModelError> {
        shape.check()?;
        let parts = shape.parts();
        let wanted = parts.iter().sum();
        if numbers.len() != wanted {
            return Err(ModelError::Count(numbers.len(), wanted));
        }
        let mut rest = numbers;
        let [first, first_bias, second, second_bias, output, bias] = parts.map(|count| {
            let (part, after) = rest.split_at(count);
            rest = after;
            part
        });
        let cut = |part: &[i32], limit: i32| -> Vec<i16> {
            let cut = |&number: &i32| number.clamp(-limit, limit) as i16;
            part.iter().map(cut).collect()
        };
        let (word, byte) = (i16::MAX.into(), i8::MAX.into());
        Ok(if shape.hidden == 0 {
            Model::Sum {
                weights: cut(first, word),
                bias: bias[0],
            }
        } else {
            Model::Network(Network {
                shape,
                first: cut(first, word),
                first_bias: cut(first_bias, word),
                second: cut(second, byte),
                second_bias: second_bias.to_vec(),
                output: cut(output, byte),
                output_bias: bias[0],
            })
        })
    }

    /// The sizes.
    pub fn shape(&self) -> Shape {
        match self {
            Model::Sum { weights, .. } => Shape {
                inputs: weights.len(),
                hidden: 0,
                second: 0,
            },
            Model::Network(network) => network.shape,
        }
    }

    /// The value of a position for the side to act by the inputs that it sees and those that the
    /// other side sees, in 1/[`UNIT`] of log odds.
    ///
    /// # Panics
    /// An input is not below the number of inputs.
    pub fn value(&self, own: &[u32], other: &[u32]) -> i32 {
        match self {
            Model::Sum { weights, bias } => {
                let weight = |&input: &u32| i32::from(weights[input as usize]);
                own.iter().map(weight).sum::<i32>() + bias
            }
            Model::Network(network) => {
                let [own, other] = [own, other].map(|inputs| {
                    let mut half = network.first_bias.clone();
                    inputs
                        .iter()
                        .for_each(|&input| add(&mut half, network.row(input)));
                    half
                });
                network.value(&own, &other)
            }
        }
    }

    /// The numbers, in the order of [`Model::new`].
    pub fn numbers(&self) -> Vec<i32> {
        let wide = |part: &[i16]| -> Vec<i32> { part.iter().map(|&n| n.into()).collect() };
        match self {
            Model::Sum { weights, bias } => [wide(weights), vec![*bias]].concat(),
            Model::Network(network) => [
                wide(&network.first),
                wide(&network.first_bias),
                wide(&network.second),
                network.second_bias.clone(),
                wide(&network.output),
                vec![network.output_bias],
            ]
            .concat(),
        }
    }
}

impl Network {
    /// The weights of one input in the first layer.
    #[inline]
    pub(super) fn row(&self, input: u32) -> &[i16] {
        let hidden = self.shape.hidden;
        &self.first[input as usize * hidden..][..hidden]
    }

    /// The first layer without inputs.
    pub(super) fn first_bias(&self) -> &[i16] {
        &self.first_bias
    }

    /// The value for the side whose half of the first layer comes first.
    #[inline]
    pub(super) fn value(&self, own: &[i16], other: &[i16]) -> i32 {
        let hidden = self.shape.hidden;
        if self.shape.second > 0 {
            return self.deep_value(own, other);
        }
        let (for_own, for_other) = self.output.split_at(hidden);
        let sum = i64::from(squares(own, for_own)) + i64::from(squares(other, for_other));
        let sum = sum / i64::from(ACTIVE) + i64::from(self.output_bias);
        (sum * i64::from(UNIT) / i64::from(ACTIVE * WEIGHT)) as i32
    }

    /// The same through the second hidden layer.
    fn deep_value(&self, own: &[i16], other: &[i16]) -> i32 {
        let hidden = self.shape.hidden;
        let mut clipped = [0i16; 2 * MOST_HIDDEN];
        for (to, &from) in clipped.iter_mut().zip(own.iter().chain(other)) {
            *to = from.clamp(0, ACTIVE as i16);
        }
        let clipped = &clipped[..2 * hidden];
        let rows = self.second.chunks_exact(2 * hidden);
        let units = rows.zip(&self.second_bias).zip(&self.output);
        let sum = units.map(|((row, bias), &weight)| {
            let unit = (dot(clipped, row) + bias) / WEIGHT;
            unit.clamp(0, ACTIVE) * i32::from(weight)
        });
        let sum = i64::from(sum.sum::<i32>() + self.output_bias);
        (sum * i64::from(UNIT) / i64::from(ACTIVE * WEIGHT)) as i32
    }
}

/// The sum of the squares of the clipped values, each times its weight.
///
/// A value times a weight of 8 bits fits into 16 bits, so that compilers multiply by the
/// processor's instruction for sums of two products.
#[inline]
fn squares(values: &[i16], weights: &[i16]) -> i32 {
    let pairs = values.iter().zip(weights);
    pairs
        .map(|(&value, &weight)| {
            let clipped = value.clamp(0, ACTIVE as i16);
            i32::from(clipped) * i32::from(clipped.wrapping_mul(weight))
        })
        .sum()
}

#[inline]
fn dot(values: &[i16], weights: &[i16]) -> i32 {
    let pairs = values.iter().zip(weights);
    pairs
        .map(|(&value, &weight)| i32::from(value) * i32::from(weight))
        .sum()
}

/// Sums wrap: an order of changes may leave the range in between, and comes back.
#[inline]
pub(super) fn add(half: &mut [i16], row: &[i16]) {
    for (value, &weight) in half.iter_mut().zip(row) {
        *value = value.wrapping_add(weight);
    }
}

#[inline]
pub(super) fn subtract(half: &mut [i16], row: &[i16]) {
    for (value, &weight) in half.iter_mut().zip(row) {
        *value = value.wrapping_sub(weight);
    }
}
