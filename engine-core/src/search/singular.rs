//! Singular extensions (Anantharaman, Campbell and Hsu 1990): a move that alone is good is searched deeper.

use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::search::counter::Stopped;
use crate::search::node::{Node, Window};
use crate::search::searcher::Searcher;
use crate::search::selective::Selective;
use crate::table::Bound;

/// The other moves count as worse by so many points for each ply of depth.
const MARGIN: i32 = 2;

/// The table's value may come from a search so many plies shallower.
const TRUSTED: u32 = 3;

impl<P: Position, E: Evaluator<P>> Searcher<P, E, Selective> {
    /// The move of a node that is searched a ply deeper: the table move, if a search of half the depth
    /// finds that every other candidate is worse by a margin. None beyond twice the depth of the iteration.
    pub(super) fn singular_move(
        &mut self,
        position: &mut P,
        node: Node,
        table_move: Option<P::Move>,
    ) -> Result<Option<P::Move>, Stopped> {
        let shallowest = self.settings.selectivity.singular;
        if shallowest == 0 || node.depth < shallowest || node.ply >= 2 * self.iteration {
            return Ok(None);
        }
        let (Some(mv), Some(entry)) = (table_move, self.table.probe::<P::Move>(position.key()))
        else {
            return Ok(None);
        };
        let score = entry.score.to_root(node.ply);
        if entry.bound == Bound::Upper
            || score.is_proven()
            || u32::from(entry.depth) + TRUSTED < node.depth
        {
            return Ok(None);
        }
        let half = (node.depth - 1) / 2;
        let mut moves = self.moves(position, node, None);
        let below = Window::above(score - MARGIN * node.depth as i32 - 1);
        let mut is_alone = true;
        while is_alone && let Some(other) = self.next_move(&mut moves, position) {
            if other != mv {
                let value = self.visit(position, other, node.ply, |child| {
                    child.expect_cutoff(true);
                    child.search(half.saturating_sub(1), below)
                });
                is_alone = value? <= below.alpha;
            }
        }
        moves.picker.finish(&mut self.stack);
        Ok(is_alone.then_some(mv))
    }
}
