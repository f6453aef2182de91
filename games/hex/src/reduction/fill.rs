//! Filling in dead and captured cells.

use super::Reduced;
use super::graph::Graph;
use crate::board::{Colour, Hex};
use crate::connections::Carrier;
use crate::geometry::CellSet;

/// A cell that was filled in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filled {
    pub(super) cell: usize,
    pub(super) colour: Colour,
    /// Whether the colour captured it; else it is dead.
    pub(super) is_captured: bool,
}

impl<const W: usize> Graph<W> {
    /// As [`super::Reduction::reduce`].
    pub(super) fn reduce(&mut self, position: &Hex) -> Reduced {
        self.read(position);
        self.fill_in(&[Colour::Red, Colour::Blue], self.stones.empty);
        let mut captured = [CellSet::EMPTY; 2];
        let mut stones = Vec::new();
        for &Filled {
            cell,
            colour,
            is_captured,
        } in &self.filled
        {
            let cell = self.cell(cell);
            stones.push((colour, cell));
            if is_captured {
                captured[colour as usize].insert(cell);
            }
        }
        Reduced {
            position: position.with_stones(&stones),
            captured,
        }
    }

    /// Fills in the cells that are dead, or captured by some colours, among those in question and
    /// those that become so. Dead cells get a stone of the first colour.
    pub(super) fn fill_in(&mut self, colours: &[Colour], mut in_question: Carrier<W>) {
        self.filled.clear();
        loop {
            if let Some(cell) = in_question.cells().find(|&cell| self.is_dead(cell)) {
                in_question = in_question.union(&self.fill(colours[0], cell, false));
            } else if let Some((colour, pair)) = self.captured_pair(colours, &in_question) {
                for cell in pair {
                    in_question = in_question.union(&self.fill(colour, cell, true));
                }
            } else {
                return;
            }
            in_question = in_question.intersection(&self.stones.empty);
        }
    }

    fn fill(&mut self, colour: Colour, cell: usize, is_captured: bool) -> Carrier<W> {
        self.filled.push(Filled {
            cell,
            colour,
            is_captured,
        });
        self.place(colour, cell)
    }

    /// Two cells, one of them in question, that kill each other as stones of a colour.
    fn captured_pair(
        &self,
        colours: &[Colour],
        in_question: &Carrier<W>,
    ) -> Option<(Colour, [usize; 2])> {
        in_question.cells().find_map(|cell| {
            self.decisive(cell).find_map(|direction| {
                let mut colours = colours.iter().copied();
                let colour = colours.find(|&colour| self.is_captured(colour, cell, direction))?;
                Some((colour, [cell, self.next(cell, direction)]))
            })
        })
    }
}
