//! Another turn, in place of one that a platform refuses.

use engine_core::search::greedy::Greedy;

use crate::game::Game;
use crate::turn::turn_is_over;

/// A turn, the best by one ply of evaluation, without the actions of turns that were `refused` as far
/// as there are others.
///
/// A platform that refuses a legal turn sees another position, or has another idea of the rules; which
/// of the turn's actions it minds is not known.
pub(crate) fn another<G: Game>(position: &G, refused: &[G::Move], seed: u64) -> Vec<G::Move> {
    let mut greedy = Greedy::new(position.evaluator(), seed);
    let side = position.side();
    let mut after = position.clone();
    let mut turn = Vec::new();
    while !turn_is_over(&after, side) {
        let legal = after.legal_moves();
        let (_, others): (Vec<_>, Vec<_>) = legal.iter().partition(|mv| refused.contains(mv));
        let choice = greedy.best_of(&after, if others.is_empty() { &legal } else { &others });
        let (mv, _) = choice.expect("whoever has to move can");
        after.play(mv);
        turn.push(mv);
    }
    turn
}
