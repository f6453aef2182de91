//! Alpha-beta and nothing else: the order of generation, no table. The yardstick of what table and
//! ordering save, and of the speed of a node.

use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::score::Score;
use crate::search::meter::Value;
use crate::search::node::{Node, Window};
use crate::search::worker::{Strategy, Worker};

/// The strategy, fail-soft.
pub(super) struct Plain;

impl Strategy for Plain {
    const TABLE: bool = false;
    const SCOUT: bool = false;

    #[inline(never)]
    fn decision<P: Position, E: Evaluator<P>>(
        worker: &mut Worker<P, E, Self>,
        position: &mut P,
        node: Node,
        window: Window,
    ) -> Value {
        let depth = node.depth.saturating_sub(1);
        let (mut best, mut alpha) = (-Score::INFINITY, window.alpha);
        let mark = worker.stack.moves.len();
        let mut next = mark;
        'stages: for stage in 0..P::STAGES {
            position.generate(stage, &mut worker.stack);
            while next < worker.stack.moves.len() {
                let mv = worker.stack.moves[next].mv;
                next += 1;
                let score = worker.visit(position, mv, node.ply, |child| {
                    child.search(depth, Window::new(alpha, window.beta))
                })?;
                best = best.max(score);
                if score <= alpha {
                    continue;
                }
                if score >= window.beta {
                    break 'stages;
                }
                alpha = score;
                worker.lines.extend(node.ply, mv);
            }
        }
        worker.stack.moves.truncate(mark);
        Ok(best)
    }
}
