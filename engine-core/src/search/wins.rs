//! Wins that the evaluator finds by a search of its own.

use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::score::Score;
use crate::search::node::{Node, Window};
use crate::search::searcher::{Searcher, Strategy};
use crate::table::Grounds;

/// Nodes of the evaluator's search at a node of least depth; half as many more for each ply.
const NODES: u64 = 20;

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
        // With more plies than 30, there are more than the most nodes anyway.
        let more = (node.depth - shallowest).min(30);
        let mut nodes = (NODES * 3_u64.pow(more)) >> more;
        if window.is_open() {
            nodes = nodes.max(self.node_counter.nodes() / PRINCIPAL_SHARE);
        }
        let mut spent = 0;
        let limits = self.node_counter.rest();
        let nodes = nodes.min(MOST_NODES);
        let plies = (self.evaluator).win(position, nodes, &limits, &mut spent);
        self.node_counter.add(spent);
        let end = node.ply + plies?;
        if end > Score::MAX_PLY {
            return None;
        }
        self.grounds = Grounds::Ends;
        Some(Score::win_in(end))
    }
}
