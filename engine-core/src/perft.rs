//! Perft: counts sequences of actions, the standard test of a move generator.

use crate::position::Position;

/// The number of sequences of `depth` actions from `position`.
///
/// A roll counts as an action, and each face counts separately: merged rolls count with their
/// weight. It counts the moves of [`Position::generate`], so it ignores endings by repetition or by
/// a limit of quiet plies. `position` is unchanged afterwards.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    count(position, depth, &mut Vec::new())
}

/// `moves` is one stack for all nodes; a node owns what lies above its mark.
fn count<P: Position>(position: &mut P, depth: u32, moves: &mut Vec<P::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if P::HAS_CHANCE && position.is_chance() {
        let mut rolls = Vec::new();
        position.rolls(&mut rolls);
        return rolls
            .into_iter()
            .map(|(face, weight)| {
                position.play_roll(face);
                let nodes = weight as u64 * count(position, depth - 1, moves);
                position.undo_roll(face);
                nodes
            })
            .sum();
    }
    let mark = moves.len();
    for stage in 0..P::STAGES {
        position.generate(stage, moves);
    }
    let nodes = if depth == 1 {
        (moves.len() - mark) as u64
    } else {
        (mark..moves.len())
            .map(|i| {
                let mv = moves[i];
                let undo = position.play(mv);
                let nodes = count(position, depth - 1, moves);
                position.undo(mv, undo);
                nodes
            })
            .sum()
    };
    moves.truncate(mark);
    nodes
}
