//! A network that looks at the positions of a search.

use std::sync::Arc;

use super::forward::Forward;
use super::network::Network;
use super::view::View;
use crate::position::Position;
use crate::real::{exp, logistic};

/// Number of positions whose results are kept, a power of two. A search looks at a leaf twice: for
/// its value, and for the priors of its moves when it is visited again.
const KEPT: usize = 1 << 13;

/// What a network says of a position.
#[derive(Clone, Debug)]
struct Seen {
    key: u64,
    /// The log odds of a win of the side to act.
    value: f32,
    /// The logit of each cell; empty if this place holds no position.
    logits: Vec<f32>,
}

/// A network for the positions of one variant.
pub struct NetworkInference<V> {
    view: V,
    forward: Forward,
    contents: Vec<u8>,
    /// Indexed by the lowest bits of the key.
    seen: Vec<Seen>,
}

impl<V> NetworkInference<V> {
    /// For positions of the same variant as `position`; `None` if the network has another number of
    /// planes than the view, or the view is none of this variant.
    pub fn new<P: Position>(position: &P, network: &Arc<Network>) -> Option<NetworkInference<V>>
    where
        V: View<P>,
    {
        let view = V::of(position);
        let side = view.side();
        let fits = side > 0 && network.shape().planes == V::PLANES;
        let none = Seen {
            key: 0,
            value: 0.0,
            logits: Vec::new(),
        };
        fits.then(|| NetworkInference {
            forward: Forward::new(network, side),
            contents: vec![0; (side + 2) * (side + 2)],
            view,
            seen: vec![none; KEPT],
        })
    }

    /// The log odds of a win of the side to act.
    pub fn value<P: Position>(&mut self, position: &P) -> f32
    where
        V: View<P>,
    {
        self.look(position).value
    }

    /// As [`Evaluator::priors`](crate::Evaluator::priors): the exponentials of the logits. A move
    /// without a cell is as likely as the other side is to win: so a side swaps what it would lose.
    pub fn priors<P: Position>(&mut self, position: &P, moves: &[P::Move], out: &mut Vec<f32>)
    where
        V: View<P>,
    {
        let cells: Vec<Option<usize>> = moves
            .iter()
            .map(|&mv| self.view.cell(position, mv))
            .collect();
        let seen = self.look(position);
        let logit = |cell: &Option<usize>| cell.map(|cell| seen.logits[cell]);
        let highest = cells.iter().filter_map(logit).fold(f32::MIN, f32::max);
        out.clear();
        out.extend(
            cells
                .iter()
                .map(|cell| logit(cell).map_or(0.0, |logit| exp(logit - highest))),
        );
        let sum: f32 = out.iter().sum();
        let others = cells.iter().filter(|cell| cell.is_none()).count();
        let rest = match (others, sum > 0.0) {
            (0, _) => 0.0,
            (_, true) => logistic(-seen.value),
            (_, false) => 1.0,
        };
        for (prior, cell) in out.iter_mut().zip(&cells) {
            *prior = match cell {
                Some(_) => *prior / sum * (1.0 - rest),
                None => rest / others as f32,
            };
        }
    }

    fn look<P: Position>(&mut self, position: &P) -> &Seen
    where
        V: View<P>,
    {
        let key = position.key();
        let seen = &mut self.seen[key as usize % KEPT];
        if seen.logits.is_empty() || seen.key != key {
            self.view.see(position, &mut self.contents);
            let turns = V::HALF_TURNS && self.contents.iter().rev().lt(&self.contents);
            if turns {
                self.contents.reverse();
            }
            seen.key = key;
            seen.value = self.forward.evaluate(&self.contents, &mut seen.logits);
            if turns {
                seen.logits.reverse();
            }
        }
        seen
    }
}
