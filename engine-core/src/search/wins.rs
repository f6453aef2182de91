//! Wins that the evaluator finds by a search of its own.

use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::score::Score;
use crate::search::node::{Node, Window};
use crate::search::searcher::{Searcher, Strategy};
use crate::table::Grounds;

/// Nodes of the evaluator's search at a node of least depth, and how many times as many it has for
/// each ply more.
const NODES: f64 = 20.0;
const GROWTH: f64 = 1.5;

/// At nodes of the principal variation it has at least one node for so many of the search.
const PRINCIPAL_SHARE: u64 = 64;

/// Most nodes of one search of the evaluator.
const MOST_NODES: u64 = 200_000;

impl<P: Position, E: Evaluator<P>, S: Strategy> Searcher<P, E, S> {
    /// The value of a node whose side to act certainly wins, as far as the evaluator finds out.
    pub(super) fn certain_win(
        &mut self,
        position: &P,
        node: Node,
        window: Window,
    ) -> Option<Score> {
        let shallowest = self.settings.selectivity.win_depth;
        if shallowest == 0 || node.depth < shallowest || position.mid_turn() {
            return None;
        }
        let more = (node.depth - shallowest) as i32;
        let mut nodes = (NODES * GROWTH.powi(more)) as u64;
        if window.is_open() {
            nodes = nodes.max(self.node_counter.nodes() / PRINCIPAL_SHARE);
        }
        let mut spent = 0;
        let limits = self.node_counter.rest();
        let nodes = nodes.min(MOST_NODES);
        let plies = (self.evaluator).win(position, nodes, &limits, &mut spent);
        self.node_counter.add(spent);
        let end = node.ply + plies?;
        self.grounds = Grounds::Ends;
        (end <= Score::MAX_PLY).then(|| Score::win_in(end))
    }
}
