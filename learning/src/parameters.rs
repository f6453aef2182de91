//! A model in real numbers, as it is learned; [`engine_core::learned::Model`] is the same in whole
//! numbers, as it is played.

use engine_core::Rng;
use engine_core::learned::{ACTIVE, Model, Shape, UNIT, WEIGHT};

use crate::samples::Sample;

/// Bounds of the weights after the first layer: they are kept in 8 bits.
const MOST: f32 = i8::MAX as f32 / WEIGHT as f32;

/// The real numbers of a model, in the order of [`Model::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    shape: Shape,
    numbers: Vec<f32>,
}

/// Buffers of one evaluation.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    /// First layer before its activation: the half of the side to act, then the other.
    first: Vec<f32>,
    second: Vec<f32>,
    first_slope: Vec<f32>,
}

impl Parameters {
    /// A model to begin with: a sum of zeros, or a network with small random weights.
    ///
    /// # Panics
    /// There is no model of this shape.
    pub fn new(shape: Shape, seed: u64) -> Parameters {
        shape.check().expect("a shape that exists");
        let mut rng = Rng::new(seed);
        let parts = shape.parts();
        let mut numbers = vec![0.0; parts.iter().sum()];
        if shape.hidden > 0 {
            // About 30 inputs are on in a position.
            let ranges = [0.2, 0.0, 1.0 / (shape.hidden as f32).sqrt(), 0.0, 0.3, 0.0];
            let mut rest = &mut numbers[..];
            for (count, range) in parts.into_iter().zip(ranges) {
                let (part, after) = rest.split_at_mut(count);
                part.fill_with(|| range * (2.0 * rng.unit() - 1.0));
                rest = after;
            }
            // Most units are on in the beginning.
            numbers[parts[0]..][..parts[1]].fill(0.3);
        }
        Parameters { shape, numbers }
    }

    /// A model with these numbers; `None` if the shape asks for another number of them.
    pub fn from_numbers(shape: Shape, numbers: Vec<f32>) -> Option<Parameters> {
        let count: usize = shape.parts().iter().sum();
        (numbers.len() == count).then_some(Parameters { shape, numbers })
    }

    /// The sizes of the model.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The numbers.
    pub fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// The numbers, to be changed by an optimizer.
    pub(crate) fn numbers_mut(&mut self) -> &mut [f32] {
        &mut self.numbers
    }

    /// Brings every number into the range in which a model keeps it.
    pub(crate) fn clamp(&mut self) {
        let parts = self.shape.parts();
        let (first, most_first) = match self.shape.hidden {
            0 => (parts[0], i16::MAX as f32 / UNIT as f32),
            // Sums of some hundred weights stay below 2¹⁵.
            _ => (parts[0] + parts[1], 1.0),
        };
        let (first, rest) = self.numbers.split_at_mut(first);
        for number in first {
            *number = number.clamp(-most_first, most_first);
        }
        if self.shape.hidden > 0 {
            let last = rest.len() - 1;
            for number in &mut rest[..last] {
                *number = number.clamp(-MOST, MOST);
            }
        }
    }

    /// The model in whole numbers.
    pub fn model(&self) -> Model {
        let parts = self.shape.parts();
        let (active, weight) = (ACTIVE as f32, WEIGHT as f32);
        let units = match (self.shape.hidden, self.shape.second) {
            (0, _) => [UNIT as f32, 1.0, 1.0, 1.0, 1.0, UNIT as f32],
            _ => [
                active,
                active,
                weight,
                active * weight,
                weight,
                active * weight,
            ],
        };
        let units = (parts.iter().zip(units)).flat_map(|(&count, unit)| vec![unit; count]);
        let whole = |(number, unit): (&f32, f32)| (number * unit).round() as i32;
        let numbers: Vec<i32> = self.numbers.iter().zip(units).map(whole).collect();
        Model::new(self.shape, &numbers).expect("as many numbers as the shape has")
    }

    /// The log odds of a position, without its prior.
    pub fn value(&self, sample: Sample<'_>, buffers: &mut Buffers) -> f32 {
        match (self.shape.hidden, self.shape.second) {
            (0, _) => self.sum(sample),
            (_, 0) => self.shallow(sample, buffers),
            _ => self.deep(sample, buffers),
        }
    }

    /// Adds `slope` times the gradient of [`Parameters::value`], which was called last with the
    /// same sample and buffers, to `gradient`.
    pub fn backward(
        &self,
        sample: Sample<'_>,
        slope: f32,
        buffers: &mut Buffers,
        gradient: &mut [f32],
    ) {
        let last = gradient.len() - 1;
        gradient[last] += slope;
        match (self.shape.hidden, self.shape.second) {
            (0, _) => {
                for &input in sample.own {
                    gradient[input as usize] += slope;
                }
                return;
            }
            (_, 0) => self.shallow_backward(slope, buffers, gradient),
            _ => self.deep_backward(slope, buffers, gradient),
        }
        self.first_backward(sample, buffers, gradient);
    }

    fn sum(&self, sample: Sample<'_>) -> f32 {
        let weights = sample.own.iter().map(|&input| self.numbers[input as usize]);
        weights.sum::<f32>() + self.numbers[self.shape.inputs]
    }

    /// Computes the first layer of both views before its activation.
    fn first(&self, sample: Sample<'_>, buffers: &mut Buffers) {
        let Shape { inputs, hidden, .. } = self.shape;
        let bias = &self.numbers[inputs * hidden..][..hidden];
        buffers.first.clear();
        for view in [sample.own, sample.other] {
            let start = buffers.first.len();
            buffers.first.extend(bias);
            let half = &mut buffers.first[start..];
            for &input in view {
                let row = &self.numbers[input as usize * hidden..][..hidden];
                half.iter_mut()
                    .zip(row)
                    .for_each(|(sum, weight)| *sum += weight);
            }
        }
    }

    fn shallow(&self, sample: Sample<'_>, buffers: &mut Buffers) -> f32 {
        self.first(sample, buffers);
        let start = (self.shape.inputs + 1) * self.shape.hidden;
        let output = &self.numbers[start..];
        let units = buffers.first.iter().zip(output);
        let squares = units.map(|(&value, &weight)| square(value) * weight);
        squares.sum::<f32>() + output[2 * self.shape.hidden]
    }

    fn shallow_backward(&self, slope: f32, buffers: &mut Buffers, gradient: &mut [f32]) {
        let start = (self.shape.inputs + 1) * self.shape.hidden;
        let output = &self.numbers[start..];
        let gradient = &mut gradient[start..];
        buffers.first_slope.clear();
        for ((&value, &weight), gradient) in buffers.first.iter().zip(output).zip(gradient) {
            *gradient += slope * square(value);
            let slope = slope * weight * 2.0 * value.clamp(0.0, 1.0);
            (buffers.first_slope).push(if value < 1.0 { slope } else { 0.0 });
        }
    }

    /// Where the second layer's weights, its biases and the output begin.
    fn second_parts(&self) -> [usize; 3] {
        let parts = self.shape.parts();
        let start = parts[0] + parts[1];
        [start, start + parts[2], start + parts[2] + parts[3]]
    }

    fn deep(&self, sample: Sample<'_>, buffers: &mut Buffers) -> f32 {
        self.first(sample, buffers);
        let [weights, biases, output] = self.second_parts();
        let Shape { hidden, second, .. } = self.shape;
        buffers.second.clear();
        for unit in 0..second {
            let row = &self.numbers[weights + unit * 2 * hidden..][..2 * hidden];
            let products = buffers.first.iter().zip(row);
            let sum: f32 = products
                .map(|(value, weight)| value.clamp(0.0, 1.0) * weight)
                .sum();
            buffers.second.push(sum + self.numbers[biases + unit]);
        }
        let output = &self.numbers[output..];
        let products = buffers.second.iter().zip(output);
        let sum: f32 = products
            .map(|(value, weight)| value.clamp(0.0, 1.0) * weight)
            .sum();
        sum + output[second]
    }

    fn deep_backward(&self, slope: f32, buffers: &mut Buffers, gradient: &mut [f32]) {
        let [weights, biases, output] = self.second_parts();
        let Shape { hidden, second, .. } = self.shape;
        buffers.first_slope.clear();
        buffers.first_slope.resize(2 * hidden, 0.0);
        for unit in 0..second {
            let value = buffers.second[unit];
            gradient[output + unit] += slope * value.clamp(0.0, 1.0);
            if !(0.0..1.0).contains(&value) {
                continue;
            }
            let slope = slope * self.numbers[output + unit];
            gradient[biases + unit] += slope;
            let start = weights + unit * 2 * hidden;
            for place in 0..2 * hidden {
                gradient[start + place] += slope * buffers.first[place].clamp(0.0, 1.0);
                buffers.first_slope[place] += slope * self.numbers[start + place];
            }
        }
        for (slope, value) in buffers.first_slope.iter_mut().zip(&buffers.first) {
            if !(0.0..1.0).contains(value) {
                *slope = 0.0;
            }
        }
    }

    /// Adds the gradient of the first layer, which follows from the slopes of its sums.
    fn first_backward(&self, sample: Sample<'_>, buffers: &Buffers, gradient: &mut [f32]) {
        let Shape { inputs, hidden, .. } = self.shape;
        let halves = buffers.first_slope.chunks_exact(hidden);
        for (view, slopes) in [sample.own, sample.other].into_iter().zip(halves) {
            let rows = view.iter().map(|&input| input as usize);
            for row in rows.chain([inputs]) {
                let row = &mut gradient[row * hidden..][..hidden];
                row.iter_mut()
                    .zip(slopes)
                    .for_each(|(sum, slope)| *sum += slope);
            }
        }
    }
}

/// The square of a value clipped to 0 to 1.
fn square(value: f32) -> f32 {
    let clipped = value.clamp(0.0, 1.0);
    clipped * clipped
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [Shape; 3] = [
        Shape {
            inputs: 9,
            hidden: 0,
            second: 0,
        },
        Shape {
            inputs: 9,
            hidden: 16,
            second: 0,
        },
        Shape {
            inputs: 9,
            hidden: 16,
            second: 4,
        },
    ];

    fn sample<'a>(own: &'a [u32], other: &'a [u32]) -> Sample<'a> {
        Sample {
            own,
            other,
            prior: 0.0,
            target: 0.0,
        }
    }

    /// Every derivative against the difference of two values.
    #[test]
    fn gradients_are_derivatives() {
        let sample = sample(&[0, 3, 3, 8], &[1, 3]);
        for shape in SHAPES {
            let parameters = Parameters::new(shape, 5);
            let mut buffers = Buffers::default();
            let mut gradient = vec![0.0; parameters.numbers.len()];
            parameters.value(sample, &mut buffers);
            parameters.backward(sample, 1.0, &mut buffers, &mut gradient);
            let mut checked = 0;
            for (index, &found) in gradient.iter().enumerate() {
                let at = |change: f32| {
                    let mut changed = parameters.clone();
                    changed.numbers[index] += change;
                    f64::from(changed.value(sample, &mut Buffers::default()))
                };
                const STEP: f32 = 1.0 / 256.0;
                let difference = (at(STEP) - at(-STEP)) / f64::from(2.0 * STEP);
                assert!(
                    (f64::from(found) - difference).abs() < 0.02,
                    "{shape:?} {index}: {found} {difference}"
                );
                checked += usize::from(found != 0.0);
            }
            assert!(checked > 3, "{shape:?}: {checked} numbers matter");
        }
    }

    #[test]
    fn the_model_in_whole_numbers_has_the_same_values() {
        let views: [&[u32]; 4] = [&[0, 3, 3, 8], &[1, 3], &[], &[2, 4, 5, 6, 7]];
        for shape in SHAPES {
            for seed in 0..20 {
                let mut parameters = Parameters::new(shape, seed);
                let mut rng = Rng::new(seed);
                for number in &mut parameters.numbers {
                    *number += 0.3 * (rng.unit() - 0.5);
                }
                parameters.clamp();
                let model = parameters.model();
                for (own, other) in views.iter().zip(views.iter().rev()) {
                    let value = parameters.value(sample(own, other), &mut Buffers::default());
                    let whole = model.value(own, other) as f32 / UNIT as f32;
                    assert!((value - whole).abs() < 0.1, "{shape:?}: {value} {whole}");
                }
            }
        }
    }
}
