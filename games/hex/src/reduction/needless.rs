//! Moves that are not needed.

use super::graph::Graph;
use super::{Inferior, Vulnerable};
use crate::board::Colour;
use crate::geometry::CellSet;

impl<const W: usize> Graph<W> {
    /// As [`super::Reduction::inferior`].
    pub(super) fn inferior(&mut self) -> Inferior {
        let mut vulnerable = self.vulnerable();
        let mut rest = self.stones.empty;
        for known in &vulnerable {
            rest = rest.without(self.number(known.cell));
        }
        vulnerable.sort_unstable_by_key(|known| known.cell.index());
        let mut dominated = Vec::new();
        for better in self.stones.empty.cells() {
            if !rest.contains(better) {
                continue;
            }
            self.try_stone(self.mover, better);
            for filled in &self.filled {
                if rest.contains(filled.cell) {
                    rest = rest.without(filled.cell);
                    dominated.push(self.cell(filled.cell));
                }
            }
        }
        Inferior {
            vulnerable,
            dominated,
        }
    }

    /// The cells that answers of the other side make dead, each with the smallest carrier found.
    fn vulnerable(&mut self) -> Vec<Vulnerable> {
        let mut found: Vec<Vulnerable> = Vec::new();
        for answer in self.stones.empty.cells() {
            self.try_stone(self.mover.other(), answer);
            let mut carrier = CellSet::EMPTY;
            carrier.insert(self.cell(answer));
            for filled in &self.filled {
                let cell = self.cell(filled.cell);
                if filled.is_captured {
                    carrier.insert(cell);
                    continue;
                }
                match found.iter_mut().find(|known| known.cell == cell) {
                    Some(known) if known.carrier.count() <= carrier.count() => {}
                    Some(known) => known.carrier = carrier,
                    None => found.push(Vulnerable { cell, carrier }),
                }
            }
        }
        found
    }

    /// Finds what a stone of a colour makes dead or captures for it, and takes it back.
    fn try_stone(&mut self, colour: Colour, cell: usize) {
        self.before.copy(&self.stones, colour);
        let touched = self.place(colour, cell);
        self.fill_in(&[colour], touched);
        self.stones.copy(&self.before, colour);
    }
}
