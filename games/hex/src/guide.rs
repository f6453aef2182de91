//! What virtual connections tell a proof search.

use engine_core::Evaluator;
use engine_core::proof::Zone;
use engine_core::proof::guided::{Guide, Look};
use engine_core::{Position, real};

use crate::board::Hex;
use crate::connections::Connections;
use crate::geometry::{CellSet, MAX_SIZE};
use crate::moves::Action;

/// A move with a prior of 1 costs 1; one that is e times less likely costs so much more.
const COST: f32 = 2.0;

/// A guide that finds wins by connections, and orders moves by the priors of an evaluator.
pub struct ByConnections<E> {
    connections: Connections,
    evaluator: E,
    priors: Vec<f32>,
}

impl<E: Evaluator<Hex>> ByConnections<E> {
    /// A guide for boards of the size of `position`, with an evaluator for them.
    pub fn new(position: &Hex, evaluator: E) -> ByConnections<E> {
        ByConnections {
            connections: Connections::new(position.size()),
            evaluator,
            priors: Vec::new(),
        }
    }
}

impl<E: Evaluator<Hex>> Guide<Hex> for ByConnections<E> {
    fn look(&mut self, position: &Hex, moves: &mut Vec<(Action, u8)>) -> Look<Action> {
        let mut legal = position.legal_moves();
        let mut zone = Zone::EMPTY;
        if !position.in_opening() {
            let mover = position.to_move();
            self.connections.find(position, mover);
            if let Some(win) = self.connections.win() {
                return Look::Won(Action::Place(win.key), zone_of(&win.carrier));
            }
            self.connections.find(position, mover.other());
            if let Some(must) = self.connections.must_play() {
                zone = zone_of(&must.carrier);
                legal.retain(
                    |action| matches!(action, Action::Place(cell) if must.cells.contains(*cell)),
                );
            }
        }
        if !self.evaluator.priors(position, &legal, &mut self.priors) {
            self.priors = vec![1.0; legal.len()];
        }
        let cost = |&prior: &f32| (1.0 - COST * real::ln(prior.max(1e-6))).round() as u8;
        moves.extend(legal.iter().copied().zip(self.priors.iter().map(cost)));
        moves.sort_by_key(|&(_, cost)| cost);
        Look::Open(zone)
    }

    fn cell(&self, _: &Hex, action: Action) -> Option<usize> {
        match action {
            Action::Place(cell) => Some(cell.index()),
            Action::Swap => None,
        }
    }
}

fn zone_of(cells: &CellSet) -> Zone {
    const { assert!(MAX_SIZE * MAX_SIZE <= 384) };
    cells.cells().map(|cell| cell.index()).collect()
}
