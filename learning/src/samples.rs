//! Positions to learn from.

use serde::{Deserialize, Serialize};

/// Positions as a model sees them, each with a target. Stored as one list of inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    inputs: Vec<u32>,
    /// Where the inputs of the side to act end, and those of the other side.
    ends: Vec<[u32; 2]>,
    prior: Vec<f32>,
    target: Vec<f32>,
}

/// One position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// The inputs that the side to act sees.
    pub own: &'a [u32],
    /// Those that the other side sees.
    pub other: &'a [u32],
    /// Log odds to which the model's are added.
    pub prior: f32,
    /// The points that the side to act is expected to make, 0 to 1.
    pub target: f32,
}

impl Samples {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.target.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.target.is_empty()
    }

    /// The position at an index.
    ///
    /// # Panics
    /// There is no such position.
    pub fn get(&self, index: usize) -> Sample<'_> {
        let start = match index.checked_sub(1) {
            Some(before) => self.ends[before][1] as usize,
            None => 0,
        };
        let [middle, end] = self.ends[index].map(|end| end as usize);
        Sample {
            own: &self.inputs[start..middle],
            other: &self.inputs[middle..end],
            prior: self.prior[index],
            target: self.target[index],
        }
    }

    /// Adds a position.
    ///
    /// # Panics
    /// All positions together have 2³² inputs.
    pub fn push(&mut self, sample: Sample<'_>) {
        let end = |inputs: &[u32]| u32::try_from(inputs.len()).expect("below 2^32 inputs");
        self.inputs.extend(sample.own);
        let middle = end(&self.inputs);
        self.inputs.extend(sample.other);
        self.ends.push([middle, end(&self.inputs)]);
        self.prior.push(sample.prior);
        self.target.push(sample.target);
    }

    /// The positions of several lists, in their order.
    pub fn concat(lists: &[Samples]) -> Samples {
        let mut all = Samples::default();
        for list in lists {
            (0..list.len()).for_each(|index| all.push(list.get(index)));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_as_they_were_added() {
        let sample = |own, other, target| Sample {
            own,
            other,
            prior: 0.5,
            target,
        };
        let list = [
            sample(&[1, 2], &[3], 1.0),
            sample(&[], &[], 0.0),
            sample(&[], &[4, 4], 0.25),
        ];
        let mut samples = Samples::default();
        list.iter().for_each(|&sample| samples.push(sample));
        let twice = Samples::concat(&[samples.clone(), samples.clone()]);
        assert_eq!((samples.len(), twice.len()), (3, 6));
        for (index, sample) in list.iter().chain(&list).enumerate() {
            assert_eq!(twice.get(index), *sample);
        }
    }
}
