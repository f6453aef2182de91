//! Solved values: whole small boards, and 240 positions with all their best edges.

use std::collections::HashMap;

use dots_and_boxes::{Chains, DotsAndBoxes, Edge, Random};
use engine_core::{Candidates, Evaluator, Playout, Position, Rng};

use crate::solver::{Solver, bit, empty, table};

/// Barker and Korf, *Solving Dots-And-Boxes*, AAAI 2012, and earlier solvers.
#[test]
fn small_boards_have_their_known_values() {
    for (rows, columns, value) in [
        (1, 1, -1),
        (1, 2, 0),
        (1, 3, -1),
        (2, 2, 2),
        (2, 3, -2),
        (3, 3, -3),
    ] {
        for mut start in [empty(columns, rows), empty(rows, columns)] {
            let mut solver = Solver::new(&start);
            assert!(solver.at_least(&mut start, value), "{rows}×{columns}");
            assert!(!solver.at_least(&mut start, value + 1), "{rows}×{columns}");
        }
    }
}

#[test]
fn every_position_of_the_table_has_its_value_and_its_best_edges() {
    let mut solvers = HashMap::new();
    let mut count = 0;
    for mut known in table() {
        let solver = solvers
            .entry(known.edges)
            .or_insert_with(|| Solver::new(&known.empty));
        let (position, line) = (&mut known.position, known.line);
        assert!(!solver.at_least(position, known.value + 1), "{line}");
        assert_eq!(solver.best(position, known.value), known.best, "{line}");
        count += 1;
    }
    assert_eq!(count, 240);
}

/// Searching only the candidates loses nothing: in every position of the table, one of the best
/// edges is a candidate.
#[test]
fn a_best_edge_is_always_a_candidate() {
    for known in table() {
        let mut candidates = Vec::new();
        Chains.candidates(&known.position, usize::MAX, &mut candidates);
        let listed = candidates.iter().fold(0, |set, &edge| set | bit(edge));
        assert_ne!(listed & known.best, 0, "{}", known.line);
    }
}

/// Net boxes to come for the side to move, by plain minimax over the sets of open edges.
pub(crate) fn net_boxes(position: &mut DotsAndBoxes, known: &mut HashMap<u64, i32>) -> i32 {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return 0;
    }
    let open = moves.iter().fold(0, |set, &edge| set | bit(edge));
    if let Some(&value) = known.get(&open) {
        return value;
    }
    let after = |&edge: &_| net_boxes_after(position, edge, known);
    let value = moves.iter().map(after).max().expect("there are moves");
    known.insert(open, value);
    value
}

/// The same for the side that draws `edge`.
pub(crate) fn net_boxes_after(
    position: &mut DotsAndBoxes,
    edge: Edge,
    known: &mut HashMap<u64, i32>,
) -> i32 {
    let (side, before) = (position.side(), position.margin());
    position.play(edge);
    let again = position.side() == side;
    let gained = if again { position.margin() - before } else { 0 };
    let rest = net_boxes(position, known);
    position.undo(edge, ());
    if again { gained + rest } else { -rest }
}

/// The capturing edges.
fn captures(position: &DotsAndBoxes) -> Vec<Edge> {
    let takes = |&edge: &_| {
        let mut after = position.clone();
        after.play(edge);
        after.boxes_left() < position.boxes_left()
    };
    position.legal_moves().into_iter().filter(takes).collect()
}

/// In random positions, unlike those of good play, a complete list contains a best edge.
#[test]
fn complete_candidates_hold_a_best_edge() {
    let mut rng = Rng::new(11);
    let (mut complete, mut shorter, mut early) = (0, 0, 0);
    for game in 0..800 {
        let (columns, rows) = [(3, 3), (5, 5), (2, 3), (2, 6)][game % 4];
        let mut position = empty(columns, rows);
        let left = 9 + rng.below(6) as usize;
        while position.legal_moves().len() > left {
            let edge = Random.choose(&position, &mut rng);
            position.play(edge);
        }
        let mut listed = Vec::new();
        if Chains.candidates(&position, usize::MAX, &mut listed) != Candidates::Complete {
            continue;
        }
        let mut known = HashMap::new();
        let value = net_boxes(&mut position, &mut known);
        let best = listed
            .iter()
            .map(|&edge| net_boxes_after(&mut position, edge, &mut known));
        assert_eq!(best.max(), Some(value), "{position:?}");
        complete += 1;
        let moves = position.legal_moves();
        shorter += (listed.len() < moves.len()) as u32;
        // With a safe edge left, only a free capture makes a list complete.
        let takers = captures(&position);
        let is_safe = |&edge: &_| {
            let mut after = position.clone();
            after.play(edge);
            !takers.contains(&edge) && captures(&after).iter().all(|edge| takers.contains(edge))
        };
        early += moves.iter().any(is_safe) as u32;
    }
    let counts = format!("{complete} {shorter} {early}");
    assert!(complete > 400 && shorter > 200 && early > 20, "{counts}");
}
