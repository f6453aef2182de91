//! Exact values: the net boxes that are still to come, and the lines that keep them.
//!
//! Alpha-beta with zero windows and a table, over the drawn lines alone: owners and the side to move have
//! no effect on the boxes to come.
//!
//! | file | contents |
//! |---|---|
//! | `shape.rs` | equivalent lines of a board, and its symmetries |
//! | `settled.rs` | chains and loops that touch nothing else, by their lengths |
//! | `state.rs` | a position without these, and what a line gives away |
//! | `table.rs` | the table of proven bounds |
//! | `choices.rs` | the moves of a position, the best guess first |
//! | `search.rs` | whether a position is worth so many boxes |

mod choices;
mod search;
mod settled;
mod shape;
mod state;
mod table;

use engine_core::{Limits, Outcome, Position};

use crate::board::DotsAndBoxes;
use crate::geometry::Geometry;
use crate::moves::{Edge, Edges};
use search::{Searcher, Stopped};
use shape::Shape;
use state::State;
use table::Table;

/// An exact solver with a table of proven bounds.
///
/// Values count all boxes to the last line, also where a game stops at a majority. Who wins is the same
/// with either rule: a majority is more than the other side can still get.
#[derive(Debug)]
pub struct Solver {
    searcher: Searcher,
    /// Nodes of the last question.
    nodes: u64,
    /// Lines that cannot be drawn at the root, as a set.
    excluded: u64,
}

/// What is proven about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proven {
    /// Net boxes to come for the side to move: at least, −25 to 25.
    pub lower: i32,
    /// At most.
    pub upper: i32,
}

impl Proven {
    /// The exact value, if it is known.
    pub fn value(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The result for the side to move, which is `margin` boxes ahead: 1 a win, 0 a draw, −1 a loss.
    fn sign(self, margin: i32) -> Option<i32> {
        let sign = (margin + self.lower).signum();
        (sign == (margin + self.upper).signum()).then_some(sign)
    }
}

impl Solver {
    /// A solver with a table of at most so many bytes. `None` if the memory cannot be allocated.
    pub fn new(bytes: usize) -> Option<Solver> {
        let board = Geometry::of(1, 1).expect("a board of one box");
        let table = Table::new(bytes)?;
        Some(Solver {
            searcher: Searcher::new(Shape::of(board), table),
            nodes: 0,
            excluded: 0,
        })
    }

    /// Net boxes to come for the side to move, −25 to 25; 0 if all lines are drawn. `None` if the limits
    /// ended the search: a later call goes on with what is in the table.
    pub fn value(&mut self, position: &DotsAndBoxes, limits: &Limits) -> Option<i32> {
        self.prove(position, limits).value()
    }

    /// The result of the game with best play. `None` if the limits ended the search.
    pub fn result(&mut self, position: &DotsAndBoxes, limits: &Limits) -> Option<Outcome> {
        self.follow(position);
        let mut proven = widest(position);
        let asked = self.narrow_to_result(position, &mut proven, limits);
        self.nodes = self.searcher.nodes;
        asked.ok()?;
        let side = position.side();
        Some(match proven.sign(position.margin())? {
            0 => Outcome::Draw,
            1 => Outcome::Win(side),
            _ => Outcome::Win(side.opponent()),
        })
    }

    /// Bounds of the value: equal unless the limits ended the search. The result of the game comes first:
    /// if the limits allow no more, the bounds say who wins.
    pub fn prove(&mut self, position: &DotsAndBoxes, limits: &Limits) -> Proven {
        self.prove_without(position, &[], limits)
    }

    /// The same as if some lines could not be drawn now, but not all of them.
    pub fn prove_without(
        &mut self,
        position: &DotsAndBoxes,
        excluded: &[Edge],
        limits: &Limits,
    ) -> Proven {
        self.follow(position);
        self.excluded = set_of(excluded);
        let mut proven = widest(position);
        // The bounds tell how far it came.
        let _ = self.narrow(position, &mut proven, limits);
        self.nodes = self.searcher.nodes;
        proven
    }

    /// One line with which the side to move gains at least `bound` net boxes. `None` if there is none,
    /// or if the limits ended the search.
    pub fn line(&mut self, position: &DotsAndBoxes, bound: i32, limits: &Limits) -> Option<Edge> {
        self.line_without(position, &[], bound, limits)
    }

    /// The same as if some lines could not be drawn now.
    pub fn line_without(
        &mut self,
        position: &DotsAndBoxes,
        excluded: &[Edge],
        bound: i32,
        limits: &Limits,
    ) -> Option<Edge> {
        let edges = open(position) & !set_of(excluded);
        // What the table knows first.
        let found = self.first_line(position, edges, bound, &Limits::nodes(0));
        found.or_else(|| self.first_line(position, edges, bound, limits))
    }

    /// The value and one line that keeps it. `None` if all lines are drawn or the limits ended the search.
    pub fn best(&mut self, position: &DotsAndBoxes, limits: &Limits) -> Option<(i32, Edge)> {
        let value = self.value(position, limits)?;
        let nodes = self.nodes;
        let line = self.line(position, value, &less(limits, nodes));
        self.nodes += nodes;
        Some((value, line?))
    }

    /// The value and all lines that keep it, by their numbers. `None` if the limits ended the search.
    pub fn optimal(
        &mut self,
        position: &DotsAndBoxes,
        limits: &Limits,
    ) -> Option<(i32, Vec<Edge>)> {
        let value = self.value(position, limits)?;
        let rest = less(limits, self.nodes);
        let before = self.nodes;
        self.follow(position);
        let mut lines = Vec::new();
        for edge in Edges(open(position)) {
            let gains = self.edge_gains(position, edge, value, &rest);
            self.nodes = before + self.searcher.nodes;
            if gains.ok()? {
                lines.push(edge);
            }
        }
        Some((value, lines))
    }

    /// Nodes of the last question: quiet positions whose moves were listed.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Fill level of the table, in thousandths.
    pub fn fullness(&self) -> u32 {
        self.searcher.table.fullness()
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.searcher.forget();
    }

    /// Begins a question about a position. The table is that of one board.
    fn follow(&mut self, position: &DotsAndBoxes) {
        if self.searcher.shape.board != position.geometry {
            self.searcher.forget();
            self.searcher.shape = Shape::of(position.geometry);
        }
        self.searcher.start();
        self.excluded = 0;
    }

    /// Narrows the bounds until they decide the game.
    fn narrow_to_result(
        &mut self,
        position: &DotsAndBoxes,
        proven: &mut Proven,
        limits: &Limits,
    ) -> Result<(), Stopped> {
        let margin = position.margin();
        for bound in [1 - margin, -margin] {
            if proven.lower < bound && bound <= proven.upper {
                self.ask(position, bound, proven, limits)?;
            }
        }
        Ok(())
    }

    /// Narrows the bounds until they are equal, from the result outwards.
    fn narrow(
        &mut self,
        position: &DotsAndBoxes,
        proven: &mut Proven,
        limits: &Limits,
    ) -> Result<(), Stopped> {
        self.narrow_to_result(position, proven, limits)?;
        let won = proven.lower + position.margin() > 0;
        while proven.lower < proven.upper {
            let bound = if won { proven.lower + 2 } else { proven.upper };
            self.ask(position, bound, proven, limits)?;
        }
        Ok(())
    }

    /// Moves one of the bounds by the answer to a question. Values are as even as the number of boxes.
    fn ask(
        &mut self,
        position: &DotsAndBoxes,
        bound: i32,
        proven: &mut Proven,
        limits: &Limits,
    ) -> Result<(), Stopped> {
        let bound = bound + ((bound + proven.lower) & 1);
        if self.root_gains(position, bound, limits)? {
            proven.lower = bound;
        } else {
            proven.upper = bound - 2;
        }
        Ok(())
    }

    /// Whether the side to move gains at least `bound` net boxes.
    fn root_gains(
        &mut self,
        position: &DotsAndBoxes,
        bound: i32,
        limits: &Limits,
    ) -> Result<bool, Stopped> {
        if self.excluded == 0 {
            let root = State::new(&self.searcher.shape, position.lines.drawn);
            return self.searcher.captor_gains(root, bound, limits);
        }
        for edge in Edges(open(position) & !self.excluded) {
            if self.edge_gains(position, edge, bound, limits)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first of some lines that gains `bound`, captures before others.
    fn first_line(
        &mut self,
        position: &DotsAndBoxes,
        all: u64,
        bound: i32,
        limits: &Limits,
    ) -> Option<Edge> {
        self.follow(position);
        let capturing = position.lines.capturing(position.geometry);
        let edges = Edges(capturing & all).chain(Edges(all & !capturing));
        for edge in edges {
            let gains = self.edge_gains(position, edge, bound, limits);
            self.nodes = self.searcher.nodes;
            if gains == Ok(true) {
                return Some(edge);
            }
        }
        None
    }

    /// Whether a line gains at least `bound` net boxes.
    fn edge_gains(
        &mut self,
        position: &DotsAndBoxes,
        edge: Edge,
        bound: i32,
        limits: &Limits,
    ) -> Result<bool, Stopped> {
        let mut lines = position.lines;
        let closed = lines.draw(position.geometry, edge) & position.geometry.horizontal;
        let next = State::new(&self.searcher.shape, lines.drawn);
        if closed == 0 {
            return Ok(!self.searcher.captor_gains(next, 1 - bound, limits)?);
        }
        let bound = bound - closed.count_ones() as i32;
        self.searcher.captor_gains(next, bound, limits)
    }
}

/// The lines that are not drawn.
fn open(position: &DotsAndBoxes) -> u64 {
    position.geometry.all & !position.lines.drawn
}

fn set_of(edges: &[Edge]) -> u64 {
    edges.iter().fold(0, |set, edge| set | edge.bit())
}

/// What is known of any position.
fn widest(position: &DotsAndBoxes) -> Proven {
    let left = position.boxes_left() as i32;
    Proven {
        lower: -left,
        upper: left,
    }
}

/// The limits less so many nodes.
fn less(limits: &Limits, nodes: u64) -> Limits {
    let mut rest = limits.clone();
    rest.nodes = limits.nodes.map(|most| most.saturating_sub(nodes));
    rest
}
