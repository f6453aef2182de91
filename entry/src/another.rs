//! Chooses another turn after a platform has refused one.

use engine_core::search::greedy::Greedy;
use game::turn::turn_is_over;
use game::{Searched, evaluator};

/// Chooses the best turn by a one-ply evaluation. Actions in `refused` are used only where no other
/// action is legal.
///
/// A platform that refuses a legal turn has another position, or reads the rules differently; it
/// does not say which action of the turn it objects to.
pub(crate) fn another<G: Searched>(position: &G, refused: &[G::Move], seed: u64) -> Vec<G::Move> {
    let mut greedy = Greedy::new(evaluator(position, &G::settings()), seed);
    let side = position.side();
    let mut after = position.clone();
    let mut turn = Vec::new();
    while !turn_is_over(&after, side) {
        let legal = after.legal_moves();
        let (_, others): (Vec<_>, Vec<_>) = legal.iter().partition(|mv| refused.contains(mv));
        let choice = greedy.best_of(&after, if others.is_empty() { &legal } else { &others });
        let (mv, _) = choice.expect("the side to move has a legal move");
        after.play(mv);
        turn.push(mv);
    }
    turn
}
