//! The chain of a finished game, for its picture.

use std::collections::VecDeque;

use crate::board::{Colour, Hex};
use crate::geometry::{Cell, STEPS};

/// The fewest stones that join the winner's edges, from one to the other; `None` while nobody has
/// won.
pub(crate) fn winning_chain(position: &Hex) -> Option<Vec<Cell>> {
    let colour = position.winner()?;
    let (size, stones) = (position.size(), position.stones(colour));
    // The distance of a cell from the winner's first edge.
    let away = |cell: Cell| match colour {
        Colour::Red => cell.row,
        Colour::Blue => cell.column,
    };
    let mut reached: Vec<(Cell, Option<usize>)> = Vec::new();
    let mut queue: VecDeque<(Cell, Option<usize>)> = VecDeque::new();
    queue.extend(
        stones
            .cells()
            .filter(|&cell| away(cell) == 0)
            .map(|cell| (cell, None)),
    );
    while let Some((cell, from)) = queue.pop_front() {
        if reached.iter().any(|&(known, _)| known == cell) {
            continue;
        }
        reached.push((cell, from));
        let here = reached.len() - 1;
        if away(cell) == size - 1 {
            return Some(way(&reached, here));
        }
        let neighbours = (0..STEPS.len()).map(|direction| cell.neighbour(direction));
        let own = neighbours.filter(|&next| next.is_on(size) && stones.contains(next));
        queue.extend(own.map(|next| (next, Some(here))));
    }
    None
}

/// The cells from the first edge to a cell that was reached.
fn way(reached: &[(Cell, Option<usize>)], last: usize) -> Vec<Cell> {
    let back = std::iter::successors(Some(last), |&at| reached[at].1);
    let mut way: Vec<Cell> = back.map(|at| reached[at].0).collect();
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use engine_core::{Position, Rng};
    use game::Game;

    use super::*;
    use crate::variant::Variant;

    #[test]
    fn a_finished_game_has_a_chain_without_detours() {
        let mut rng = Rng::new(1);
        for size in 2..=9 {
            let variant = serde_json::json!({ "size": size });
            let variant: Variant = serde_json::from_value(variant).unwrap();
            let mut position = Hex::start(&variant).unwrap();
            while position.outcome().is_none() {
                assert_eq!(winning_chain(&position), None);
                let legal = position.legal_moves();
                position.play(legal[rng.below(legal.len() as u32) as usize]);
            }
            let chain = winning_chain(&position).unwrap();
            let colour = position.colour_at(chain[0]);
            assert!(chain.iter().all(|&cell| position.colour_at(cell) == colour));
            let (first, last) = (chain[0], chain[chain.len() - 1]);
            let ends = match colour.unwrap() {
                Colour::Red => (first.row, last.row),
                Colour::Blue => (first.column, last.column),
            };
            assert_eq!(ends, (0, size - 1));
            for (i, &cell) in chain.iter().enumerate() {
                for (j, &other) in chain.iter().enumerate() {
                    let touch =
                        (0..STEPS.len()).any(|direction| cell.neighbour(direction) == other);
                    assert_eq!(touch, i.abs_diff(j) == 1, "{chain:?}");
                }
            }
        }
    }
}
