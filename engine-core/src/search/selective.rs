//! Principal variation search that leaves out what a game says it may: the parts of
//! [`Selectivity`](super::Selectivity). Its values are no longer minimax's.

use crate::evaluate::Evaluator;
use crate::ordering::{Picker, Played};
use crate::position::Position;
use crate::real::ln;
use crate::score::Score;
use crate::search::meter::{Stopped, Value};
use crate::search::moves::Moves;
use crate::search::node::{Found, Node, Window};
use crate::search::worker::{Strategy, Worker};

/// The strategy.
pub(super) struct Selective;

/// Futility is judged at most so many plies above the leaves.
const FUTILITY_DEPTH: u32 = 3;

/// So many moves of a node are never reduced.
const UNREDUCED: u32 = 3;

impl Strategy for Selective {
    #[inline(never)]
    fn decision<P: Position, E: Evaluator<P>>(
        worker: &mut Worker<P, E, Self>,
        position: &mut P,
        mut node: Node,
        window: Window,
    ) -> Value {
        let (score, table_move) = worker.look_up(position, node, window);
        if let Some(score) = score {
            return Ok(score);
        }
        let shortest = worker.settings.selectivity.internal_reduction;
        if shortest > 0 && node.depth >= shortest && table_move.is_none() {
            node.depth -= 1;
        }
        let judged = judge(worker, position, node, window);
        if let Some(score) = null_move(worker, position, (node, window), judged)? {
            return Ok(score);
        }
        let mut moves = worker.moves(position, node, table_move);
        let mut found = Found::new(window, false);
        let mut first = true;
        while let Some((mv, mark)) = worker.next_shared(&mut moves, position, node.depth, first) {
            if moves.fresh && is_hopeless(worker, (node, window), &moves, &found, judged) {
                // Moves are missing from now on, as in a narrow search.
                (moves.narrow, moves.fresh) = (true, false);
                found.best = found.best.max(window.alpha.min(Score::MAX_EVAL));
                continue;
            }
            worker.underway.begin(mark);
            let score = search_move(worker, position, (node, window), mv, &moves, &found);
            worker.underway.end(mark);
            if worker.note(&mut found, node, window, mv, score?) {
                break;
            }
            first = false;
        }
        worker.finish(position, (node, window), moves, &mut found);
        Ok(found.best)
    }

    fn leaf<P: Position, E: Evaluator<P>>(
        worker: &mut Worker<P, E, Self>,
        position: &mut P,
        node: Node,
        window: Window,
    ) -> Value {
        let best = worker.evaluate(position, node.ply);
        let plies = worker.settings.selectivity.quiescence;
        let over = P::STAGES == 1 || node.ply >= worker.horizon + plies || position.is_chance();
        if over || best >= window.beta {
            return Ok(best);
        }
        quiesce(worker, position, (node, window), best)
    }
}

/// The evaluation of a node, where one of the cuts below needs it.
fn judge<P: Position, E: Evaluator<P>>(
    worker: &mut Worker<P, E, Selective>,
    position: &P,
    node: Node,
    window: Window,
) -> Option<Score> {
    let settings = &worker.settings.selectivity;
    let null_move = settings.null_move > 0 && node.depth > settings.null_move;
    let futile = settings.futility > 0 && node.depth <= FUTILITY_DEPTH;
    let wanted = (null_move || futile) && !window.is_open() && !position.mid_turn();
    wanted.then(|| worker.evaluate(position, node.ply))
}

/// Null move (Beal 1989; Donninger 1993): a side that is above the window even after giving its turn
/// away would be so after a move. Never twice in a row.
fn null_move<P: Position, E: Evaluator<P>>(
    worker: &mut Worker<P, E, Selective>,
    position: &mut P,
    (node, window): (Node, Window),
    judged: Option<Score>,
) -> Result<Option<Score>, Stopped> {
    let reduction = worker.settings.selectivity.null_move;
    let promising = judged.is_some_and(|score| score >= window.beta);
    if reduction == 0
        || node.depth <= reduction
        || !promising
        || window.beta.is_proven()
        || worker.before(node.ply) == Played::NONE
    {
        return Ok(None);
    }
    let depth = node.depth - 1 - reduction;
    let value = worker.visit_pass(position, node.ply, |child| {
        child.search(depth, Window::above(window.beta - 1))
    });
    Ok(match value {
        // A win found by passing is no proof.
        Some(value) => Some(value?.min(Score::MAX_EVAL)).filter(|&score| score >= window.beta),
        None => None,
    })
}

/// Whether the unforced moves from here on are left out: late-move pruning, and futility (Heinz 1998).
fn is_hopeless<P: Position, E: Evaluator<P>>(
    worker: &Worker<P, E, Selective>,
    (node, window): (Node, Window),
    moves: &Moves<P::Move>,
    found: &Found<P::Move>,
    judged: Option<Score>,
) -> bool {
    if window.is_open() || node.depth == 0 || found.searched == 0 || moves.picker.is_forcing() {
        return false;
    }
    let settings = &worker.settings.selectivity;
    let late = node.depth <= settings.late_move_pruning
        && found.searched >= UNREDUCED + node.depth * node.depth;
    let futile = settings.futility > 0
        && node.depth <= FUTILITY_DEPTH
        && judged
            .is_some_and(|score| score + settings.futility * node.depth as i32 <= window.alpha);
    late || futile
}

/// The value of a move: extended if it is forced, reduced if it comes late.
fn search_move<P: Position, E: Evaluator<P>>(
    worker: &mut Worker<P, E, Selective>,
    position: &mut P,
    (node, window): (Node, Window),
    mv: P::Move,
    moves: &Moves<P::Move>,
    found: &Found<P::Move>,
) -> Value {
    let settings = &worker.settings.selectivity;
    let extension = (settings.extend_forced && moves.alone) as u32;
    let depth = node.depth.saturating_sub(1) + extension;
    let late = found.searched >= UNREDUCED && !moves.picker.is_forcing() && depth > 1;
    let reduction = if late && settings.late_move_reduction > 0.0 {
        let plies = ln(depth as f32) * ln(found.searched as f32);
        ((plies * settings.late_move_reduction) as u32).min(depth - 1)
    } else {
        0
    };
    let left = Window::new(found.alpha, window.beta);
    worker.visit(position, mv, node.ply, |child| {
        if reduction > 0 {
            let score = child.search(depth - reduction, Window::above(left.alpha))?;
            if score <= left.alpha {
                return Ok(score);
            }
        }
        Selective::child(child, depth, left, found.searched == 0)
    })
}

/// Searches the forcing moves of a leaf; `best` is its evaluation, which the side to act may stand
/// on.
fn quiesce<P: Position, E: Evaluator<P>>(
    worker: &mut Worker<P, E, Selective>,
    position: &mut P,
    (node, window): (Node, Window),
    mut best: Score,
) -> Value {
    let (side, before) = (position.side(), worker.before(node.ply));
    let ordering = &worker.ordering;
    let rank = |mv| ordering.rank(side, position.history_index(mv), before);
    let mut picker = Picker::of_first_stage(position, &mut worker.stack, rank);
    while let Some(mv) = picker.next(position, &mut worker.stack, |_| 0) {
        let alpha = window.alpha.max(best);
        let score = worker.visit(position, mv, node.ply, |child| {
            child.search(0, Window::new(alpha, window.beta))
        })?;
        best = best.max(score);
        if best >= window.beta {
            break;
        }
    }
    picker.finish(&mut worker.stack);
    Ok(best)
}
