//! What virtual connections tell a proof search.

use engine_core::Evaluator;
use engine_core::proof::Zone;
use engine_core::proof::guided::{Guide, Look, Reduced};
use engine_core::{Position, Side, real};

use crate::board::{Colour, Hex};
use crate::connections::Connections;
use crate::geometry::{CellSet, MAX_SIZE};
use crate::moves::Action;
use crate::reduction::{Inferior, Reduction, Vulnerable};

/// A move with a prior of 1 costs 1; one that is e times less likely costs so much more.
const COST: f32 = 1.0;

/// A guide that finds wins by connections, and asks an evaluator for the order of moves and for chances.
pub struct ByConnections<E> {
    connections: Connections,
    reduction: Reduction,
    evaluator: E,
    priors: Vec<f32>,
}

impl<E: Evaluator<Hex>> ByConnections<E> {
    /// A guide for boards of the size of `position`, with an evaluator for them.
    pub fn new(position: &Hex, evaluator: E) -> ByConnections<E> {
        ByConnections {
            connections: Connections::new(position.size()),
            reduction: Reduction::new(position.size()),
            evaluator,
            priors: Vec::new(),
        }
    }
}

impl<E> ByConnections<E> {
    /// The moves that are worth a search, and the zone within which the other side refutes all others.
    ///
    /// The mover's own wins are not asked for in every position: the other side has just played where
    /// it broke all that were known, so few are left, and they show after one more move.
    fn moves(&mut self, position: &Hex) -> (CellSet, Zone) {
        self.connections.find(position, position.to_move().other());
        let must = self.connections.must_play();
        let (mut cells, mut zone) = match must {
            Some(must) => (must.cells, zone_of(&must.carrier)),
            None => (position.empty_cells(), Zone::EMPTY),
        };
        let all = cells;
        self.reduction.reduce(position);
        let Inferior {
            vulnerable,
            dominated,
        } = self.reduction.inferior();
        for Vulnerable { cell, carrier } in vulnerable {
            if cells.contains(cell) {
                cells.remove(cell);
                zone = zone.union(&zone_of(&carrier));
            }
        }
        dominated.into_iter().for_each(|cell| cells.remove(cell));
        if must.is_none() && cells == CellSet::EMPTY {
            return (all, Zone::EMPTY);
        }
        (cells, zone)
    }
}

impl<E: Evaluator<Hex>> Guide<Hex> for ByConnections<E> {
    fn reduce(&mut self, position: &Hex) -> Option<Reduced<Hex>> {
        if position.in_opening() {
            return None;
        }
        let reduced = self.reduction.reduce(position);
        let needs = [Side::First, Side::Second].map(|side| {
            let colour = [Colour::Red, Colour::Blue]
                .into_iter()
                .find(|&colour| position.side_of(colour) == side);
            zone_of(&reduced.captured[colour.expect("a colour for each side") as usize])
        });
        Some(Reduced {
            position: reduced.position,
            needs,
        })
    }

    fn win(&mut self, position: &Hex) -> Option<(Action, Zone)> {
        if position.in_opening() {
            return None;
        }
        self.connections.find(position, position.to_move());
        let win = self.connections.win()?;
        Some((Action::Place(win.key), zone_of(&win.carrier)))
    }

    fn look(&mut self, position: &Hex, moves: &mut Vec<(Action, u8)>) -> Look {
        let mut legal = position.legal_moves();
        let mut zone = Zone::EMPTY;
        if !position.in_opening() {
            let (cells, needed) = self.moves(position);
            legal.retain(|action| matches!(action, Action::Place(cell) if cells.contains(*cell)));
            zone = needed;
        }
        if legal.is_empty() {
            return Look { zone, chance: 0.0 };
        }
        if !self.evaluator.priors(position, &legal, &mut self.priors) {
            self.priors = vec![1.0; legal.len()];
        }
        let cost = |&prior: &f32| (1.0 - COST * real::ln(prior.max(1e-6))).round() as u8;
        moves.extend(legal.iter().copied().zip(self.priors.iter().map(cost)));
        moves.sort_by_key(|&(_, cost)| cost);
        self.evaluator.reset(position);
        let score = self.evaluator.evaluate(position);
        let chance = self.evaluator.probability(score);
        Look { zone, chance }
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
