//! Plain minimax and expectiminimax: the yardstick of every other search. No windows, no table, no
//! ordering, and no sign changes: values here are absolute, as `First` sees them.

use crate::evaluate::Evaluator;
use crate::position::{Position, Side};
use crate::score::Score;

/// The value of `position` for its side to move, searched `depth` actions deep (Shannon 1950;
/// chance nodes after Michie 1966).
///
/// Rolls cost no depth. Where the depth ends within a turn ([`Position::mid_turn`]), the search
/// goes on to the end of the turn. `position` is the same afterwards.
pub fn minimax<P: Position>(
    position: &mut P,
    evaluator: &mut impl Evaluator<P>,
    depth: u32,
) -> Score {
    evaluator.reset(position);
    let value = absolute_value(position, evaluator, depth, 0);
    Score::from_value(relative(position.side(), value))
}

/// Turns a value of `First` into one of `side`, and back.
fn relative(side: Side, value: i32) -> i32 {
    match side {
        Side::First => value,
        Side::Second => -value,
    }
}

fn absolute_value<P: Position>(
    position: &mut P,
    evaluator: &mut impl Evaluator<P>,
    depth: u32,
    ply: u32,
) -> i32 {
    if let Some(score) = position.terminal(ply) {
        return relative(position.side(), score.value());
    }
    if depth == 0 && !position.mid_turn() {
        return relative(position.side(), evaluator.evaluate(position).value());
    }
    if P::HAS_CHANCE && position.is_chance() {
        return expectation(position, evaluator, depth, ply);
    }
    let side = position.side();
    let values = position.legal_moves().into_iter().map(|mv| {
        evaluator.push(position, mv);
        let undo = position.play(mv);
        let value = absolute_value(position, evaluator, depth.saturating_sub(1), ply + 1);
        position.undo(mv, undo);
        evaluator.pop();
        value
    });
    match side {
        Side::First => values.max(),
        Side::Second => values.min(),
    }
    .expect("a position that is not over has a move")
}

/// The mean over the rolls, rounded toward zero, so that it is the same for both sides.
fn expectation<P: Position>(
    position: &mut P,
    evaluator: &mut impl Evaluator<P>,
    depth: u32,
    ply: u32,
) -> i32 {
    let mut rolls = Vec::new();
    position.rolls(&mut rolls);
    let sum: i64 = rolls
        .into_iter()
        .map(|(face, weight)| {
            position.play_roll(face);
            let value = absolute_value(position, evaluator, depth, ply);
            position.undo_roll(face);
            value as i64 * weight as i64
        })
        .sum();
    (sum / P::FACES as i64) as i32
}
