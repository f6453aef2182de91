//! Principal variation search with the pruning, reductions and quiescence that a game enables in
//! [`Selectivity`](super::Selectivity). Its values differ from minimax.

use crate::evaluate::Evaluator;
use crate::ordering::{HISTORY_LIMIT, Picker};
use crate::position::Position;
use crate::real::ln;
use crate::score::Score;
use crate::search::counter::Value;
use crate::search::moves::Moves;
use crate::search::node::{Found, Node, Window};
use crate::search::searcher::{Searcher, Strategy};
use crate::search::settings::{SearchSettings, Selectivity};
use crate::table::Grounds;

/// The strategy.
pub(super) struct Selective;

/// Maximum remaining depth for futility pruning, plies.
pub(super) const FUTILITY_DEPTH: u32 = 3;

/// Number of moves of a node of depth 0 that late-move pruning would leave.
const UNPRUNED: u32 = 3;

impl Strategy for Selective {
    fn widens(settings: &SearchSettings, depth: u32) -> bool {
        let shallowest = settings.selectivity.widening;
        shallowest > 0 && depth >= shallowest
    }

    #[inline(never)]
    fn decision<P: Position, E: Evaluator<P>>(
        searcher: &mut Searcher<P, E, Self>,
        position: &mut P,
        mut node: Node,
        window: Window,
    ) -> Value {
        let (score, table_move) = searcher.look_up(position, node, window);
        if let Some(score) = score {
            return Ok(score);
        }
        if let Some(score) = searcher.certain_win(position, node, window) {
            return Ok(score);
        }
        let shortest = searcher.settings.selectivity.internal_reduction;
        if shortest > 0 && node.depth >= shortest && table_move.is_none() {
            node.depth -= 1;
        }
        let evaluation = searcher.static_value(position, node, window);
        if let Some(score) = searcher.cut(position, (node, window), evaluation)? {
            return Ok(score);
        }
        let singular = searcher.singular_move(position, node, table_move)?;
        let mut moves = searcher.moves(position, node, table_move);
        let mut found = Found::new(window);
        let mut first = true;
        loop {
            let next = searcher.next_shared(&mut moves, position, node.depth, first);
            let Some((mv, mark)) = next else {
                if searcher.widen(position, node, &mut moves, &found) {
                    continue;
                }
                break;
            };
            if moves.has_more && is_hopeless(searcher, (node, window), &moves, &found, evaluation) {
                // The other moves are pruned.
                (moves.left_out, moves.has_more) = (Grounds::Estimates, false);
                found.best = found.best.max(window.alpha.min(Score::MAX_EVAL));
                continue;
            }
            searcher.abdada.begin(mark);
            let deeper = u32::from(singular == Some(mv));
            let score = search_move(
                searcher,
                position,
                (node, window),
                (mv, deeper),
                &moves,
                &found,
            );
            searcher.abdada.end(mark);
            if searcher.add_value(&mut found, node, window, mv, score?) {
                break;
            }
            first = false;
        }
        searcher.learn_error(node, window, evaluation, &found);
        Ok(searcher.finish(position, (node, window), moves, found))
    }

    fn leaf<P: Position, E: Evaluator<P>>(
        searcher: &mut Searcher<P, E, Self>,
        position: &mut P,
        node: Node,
        window: Window,
    ) -> Value {
        let best = searcher.corrected(position, node.ply, window.beta);
        let over = searcher.quiescing >= searcher.settings.selectivity.quiescence;
        if over || P::STAGES == 1 || position.is_chance() || best >= window.beta {
            return Ok(best);
        }
        searcher.quiescing += 1;
        let value = quiesce(searcher, position, (node, window), best)?;
        searcher.quiescing -= 1;
        Ok(value)
    }
}

/// Whether the remaining quiet moves are pruned: late-move pruning and futility (Heinz 1998). None
/// is pruned while all moves so far lose.
fn is_hopeless<P: Position, E: Evaluator<P>>(
    searcher: &Searcher<P, E, Selective>,
    (node, window): (Node, Window),
    moves: &Moves<P::Move>,
    found: &Found<P::Move>,
    evaluation: Option<Score>,
) -> bool {
    if window.is_open()
        || node.depth == 0
        || found.is_lost()
        || moves.picker.is_forcing()
        || moves.forced
    {
        return false;
    }
    let settings = &searcher.settings.selectivity;
    let falling = settings.falling_reduction > 0.0 && searcher.trail.is_falling(node.ply);
    let kept = (UNPRUNED + node.depth * node.depth) >> u32::from(falling);
    let late = node.depth <= settings.late_move_pruning && found.searched >= kept;
    let futile = settings.futility > 0
        && node.depth <= FUTILITY_DEPTH
        && evaluation
            .is_some_and(|score| score + settings.futility * node.depth as i32 <= window.alpha);
    late || futile
}

/// By how many plies a late move of a node is reduced: `searched` moves came before it, and `rank` is its
/// history.
fn reduction(
    settings: &Selectivity,
    (depth, searched): (u32, u32),
    rank: i32,
    (expects_cutoff, is_falling): (bool, bool),
) -> u32 {
    let mut plies = ln(depth as f32) * ln(searched as f32) * settings.late_move_reduction;
    if expects_cutoff {
        plies += settings.cutoff_reduction;
    }
    if is_falling {
        plies += settings.falling_reduction;
    }
    plies -= settings.history_reduction * rank as f32 / HISTORY_LIMIT as f32;
    (plies as u32).min(depth - 1)
}

/// The value of a move: extended if it is one of few forced moves, reduced if it is late.
fn search_move<P: Position, E: Evaluator<P>>(
    searcher: &mut Searcher<P, E, Selective>,
    position: &mut P,
    (node, window): (Node, Window),
    (mv, deeper): (P::Move, u32),
    moves: &Moves<P::Move>,
    found: &Found<P::Move>,
) -> Value {
    let settings = &searcher.settings.selectivity;
    let forced = u32::from((1..=settings.extend_forced).contains(&moves.replies));
    let depth = node.depth.saturating_sub(1) + forced.max(deeper);
    let expects_cutoff = !window.is_open() && searcher.trail.expects_cutoff(node.ply);
    let is_late = found.searched > 0 && !moves.picker.is_forcing() && depth > 1;
    let reduction = if is_late && settings.late_move_reduction > 0.0 {
        let index = position.history_index(mv);
        let rank = (searcher.ordering).rank(position.side(), index, moves.previous);
        let is_falling = searcher.trail.is_falling(node.ply);
        reduction(
            settings,
            (depth, found.searched),
            rank,
            (expects_cutoff, is_falling),
        )
    } else {
        0
    };
    let left = Window::new(found.alpha, window.beta);
    searcher.visit(position, mv, node.ply, |child| {
        if reduction > 0 {
            child.expect_cutoff(true);
            let score = child.search(depth - reduction, Window::above(left.alpha))?;
            if score <= left.alpha {
                return Ok(score);
            }
        }
        child.expect_cutoff(!expects_cutoff);
        child.search_move(depth, left, found.searched == 0)
    })
}

/// Quiescence: searches the forcing moves of a leaf. `best` is the stand-pat evaluation.
fn quiesce<P: Position, E: Evaluator<P>>(
    searcher: &mut Searcher<P, E, Selective>,
    position: &mut P,
    (node, window): (Node, Window),
    mut best: Score,
) -> Value {
    let (side, previous) = (position.side(), searcher.previous(node.ply));
    let ordering = &searcher.ordering;
    let rank = |mv| ordering.rank(side, position.history_index(mv), previous);
    let mut picker = Picker::of_first_stage(position, &mut searcher.stack, rank);
    while let Some(mv) = picker.next(position, &mut searcher.stack, |_| 0) {
        let alpha = window.alpha.max(best);
        let score = searcher.visit(position, mv, node.ply, |child| {
            child.search(0, Window::new(alpha, window.beta))
        })?;
        best = best.max(score);
        if best >= window.beta {
            // The cutoff depends on this move only, so `grounds` stays that of the move.
            picker.finish(&mut searcher.stack);
            return Ok(best);
        }
    }
    picker.finish(&mut searcher.stack);
    searcher.grounds = Grounds::Estimates;
    Ok(best)
}
