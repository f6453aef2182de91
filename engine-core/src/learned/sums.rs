//! The first layer of a position for both views, kept while moves are played and taken back.

use std::sync::Arc;

use super::inputs::{Change, Inputs};
use super::model::{Model, add, subtract};
use super::weights::Weights;
use crate::position::{Position, Side};

/// The first layer along the path of a search: a frame for the root and for every pushed move.
pub(super) struct Sums<I> {
    weights: Arc<Weights>,
    inputs: I,
    /// Sums of weights, frame by frame, first `First`'s view; empty for a network.
    plain: Vec<[i32; 2]>,
    /// A network's first layer, frame by frame, first `First`'s half; empty for a sum.
    layers: Vec<i16>,
    changes: [Change; 2],
    passing: Vec<u32>,
    /// The first layer with the passing inputs.
    moment: Vec<i16>,
}

impl<I> Sums<I> {
    pub(super) fn new(weights: Arc<Weights>, inputs: I) -> Sums<I> {
        Sums {
            weights,
            inputs,
            plain: Vec::new(),
            layers: Vec::new(),
            changes: Default::default(),
            passing: Vec::new(),
            moment: Vec::new(),
        }
    }

    pub(super) fn weights(&self) -> &Weights {
        &self.weights
    }

    pub(super) fn reset<P: Position>(&mut self, root: &P)
    where
        I: Inputs<P>,
    {
        self.plain.clear();
        self.layers.clear();
        match &self.weights.model {
            Model::Sum { bias, .. } => self.plain.push([*bias; 2]),
            Model::Network(network) => {
                self.layers.extend(network.first_bias());
                self.layers.extend(network.first_bias());
            }
        }
        self.changes.iter_mut().for_each(Change::clear);
        for (viewer, change) in Side::BOTH.into_iter().zip(&mut self.changes) {
            self.inputs.active(root, viewer, &mut change.added);
        }
        self.apply();
    }

    pub(super) fn push<P: Position>(&mut self, before: &P, mv: P::Move)
    where
        I: Inputs<P>,
    {
        match &self.weights.model {
            Model::Sum { .. } => self.plain.extend_from_within(self.plain.len() - 1..),
            Model::Network(network) => {
                let frame = 2 * network.first_bias().len();
                self.layers.extend_from_within(self.layers.len() - frame..);
            }
        }
        self.changes.iter_mut().for_each(Change::clear);
        self.inputs.change(before, mv, &mut self.changes);
        self.apply();
    }

    pub(super) fn pop(&mut self) {
        match &self.weights.model {
            Model::Sum { .. } => {
                self.plain.pop();
            }
            Model::Network(network) => {
                let frame = 2 * network.first_bias().len();
                self.layers.truncate(self.layers.len() - frame);
            }
        }
    }

    /// Applies the changes to the last frame.
    fn apply(&mut self) {
        match &self.weights.model {
            Model::Sum { weights, .. } => {
                let sums = self.plain.last_mut().expect("reset comes first");
                let weight = |&input: &u32| i32::from(weights[input as usize]);
                for (sum, change) in sums.iter_mut().zip(&self.changes) {
                    *sum += change.added.iter().map(weight).sum::<i32>();
                    *sum -= change.removed.iter().map(weight).sum::<i32>();
                }
            }
            Model::Network(network) => {
                let hidden = network.first_bias().len();
                let start = self.layers.len() - 2 * hidden;
                let halves = self.layers[start..].chunks_exact_mut(hidden);
                for (half, change) in halves.zip(&self.changes) {
                    for &input in &change.added {
                        add(half, network.row(input));
                    }
                    for &input in &change.removed {
                        subtract(half, network.row(input));
                    }
                }
            }
        }
    }

    /// The value of the last frame's position for its side to act, in log odds times
    /// [`super::UNIT`].
    pub(super) fn value<P: Position>(&mut self, position: &P) -> i32
    where
        I: Inputs<P>,
    {
        let side = position.side();
        self.passing.clear();
        self.inputs.passing(position, side, &mut self.passing);
        match &self.weights.model {
            Model::Sum { weights, .. } => {
                let sums = self.plain.last().expect("reset comes first");
                let passing = self.passing.iter();
                let weight = |&input: &u32| i32::from(weights[input as usize]);
                sums[side.index()] + passing.map(weight).sum::<i32>()
            }
            Model::Network(network) => {
                let hidden = network.first_bias().len();
                let start = self.layers.len() - 2 * hidden;
                let (first, second) = self.layers[start..].split_at(hidden);
                let (mut own, other) = match side {
                    Side::First => (first, second),
                    Side::Second => (second, first),
                };
                if !self.passing.is_empty() {
                    self.moment.clear();
                    self.moment.extend(own);
                    for &input in &self.passing {
                        add(&mut self.moment, network.row(input));
                    }
                    own = &self.moment;
                }
                network.value(own, other)
            }
        }
    }
}
