//! Plain alpha-beta: moves in the order of generation, no table. The reference for what table and
//! move ordering save, and for nodes per second.

use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::score::Score;
use crate::search::counter::Value;
use crate::search::node::{Node, Window};
use crate::search::searcher::{Searcher, Strategy};

/// The strategy, fail-soft.
pub(super) struct Plain;

impl Strategy for Plain {
    const TABLE: bool = false;
    const SCOUT: bool = false;

    #[inline(never)]
    fn decision<P: Position, E: Evaluator<P>>(
        searcher: &mut Searcher<P, E, Self>,
        position: &mut P,
        node: Node,
        window: Window,
    ) -> Value {
        let depth = node.depth.saturating_sub(1);
        let (mut best, mut alpha) = (-Score::INFINITY, window.alpha);
        let mark = searcher.stack.moves.len();
        let mut next = mark;
        let mut estimated = false;
        'stages: for stage in 0..P::STAGES {
            position.generate(stage, &mut searcher.stack);
            while next < searcher.stack.moves.len() {
                let mv = searcher.stack.moves[next].mv;
                next += 1;
                let score = searcher.visit(position, mv, node.ply, |child| {
                    child.search(depth, Window::new(alpha, window.beta))
                })?;
                best = best.max(score);
                if score >= window.beta {
                    estimated = searcher.estimated;
                    break 'stages;
                }
                estimated |= searcher.estimated;
                if score <= alpha {
                    continue;
                }
                alpha = score;
                searcher.lines.extend(node.ply, mv);
            }
        }
        searcher.stack.moves.truncate(mark);
        searcher.estimated = estimated;
        Ok(best)
    }
}
