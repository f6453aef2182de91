//! The result at the root: the move to play, its value, the principal variation.

use crate::evaluate::Evaluator;
use crate::mcts::bounds::Bounds;
use crate::mcts::extra::of;
use crate::mcts::node::Node;
use crate::mcts::tree::Tree;
use crate::position::{Move, Position, Side};
use crate::score::Score;

/// Statistics of a root child: of one tree, or the sum over several.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Candidate {
    /// Bits of the move.
    pub(super) edge: u32,
    visits: u64,
    points: f64,
    bounds: Bounds,
}

impl Candidate {
    fn new(node: &Node) -> Candidate {
        Candidate {
            edge: node.edge(),
            visits: node.visits() as u64,
            points: node.points() as f64,
            bounds: node.bounds(),
        }
    }

    fn mean(&self, side: Side) -> f32 {
        if self.visits == 0 {
            return 0.5;
        }
        of(side, (self.points / self.visits as f64) as f32)
    }
}

/// The root's children, summed over trees with the same moves.
pub(super) fn candidates<'a>(trees: impl Iterator<Item = &'a Tree>) -> Vec<Candidate> {
    let mut sums: Vec<Candidate> = Vec::new();
    for tree in trees {
        for (place, node) in tree.root_children().iter().enumerate() {
            let child = Candidate::new(node);
            // All trees list the moves in the same order, so try the same index first.
            let same = |sum: &&mut Candidate| sum.edge == child.edge;
            let found = if sums.get(place).is_some_and(|sum| sum.edge == child.edge) {
                sums.get_mut(place)
            } else {
                sums.iter_mut().find(same)
            };
            match found {
                Some(sum) => {
                    sum.visits += child.visits;
                    sum.points += child.points;
                    sum.bounds = sum.bounds.intersect(child.bounds);
                }
                None => sums.push(child),
            }
        }
    }
    sums
}

/// The child to play for `side`: the most visited of the children that may be better than every
/// proven lower bound; or the child with the best proven lower bound, if that is at least the mean
/// of the former.
pub(super) fn best<P: Position>(children: &[Candidate], side: Side) -> Option<usize> {
    let low = |child: &Candidate| child.bounds.of(side).low;
    let sure = children.iter().map(low).max()?;
    let hopes = |child: &&usize| children[**child].bounds.of(side).high > sure;
    let places: Vec<usize> = (0..children.len()).collect();
    // `rev` and `max_by_key`: of equal children the first wins.
    let hopeful = (places.iter().rev().filter(hopes)).max_by_key(|&&i| children[i].visits);
    let safe = (places.iter().rev()).max_by_key(|&&i| (low(&children[i]), children[i].visits));
    let promise = |&&i: &&usize| {
        let promised = children[i].mean(side);
        // A lower bound of a loss proves nothing.
        sure == -Bounds::WIN || Bounds::points_of::<P>(sure) < promised
    };
    hopeful.filter(promise).or(safe).copied()
}

/// The value of the root for its side to move, with proven bounds `known`: the exact points if a
/// margin is proven; otherwise the evaluation that corresponds to the win probability. A proven win
/// or loss is reported with the length of the principal variation; the shortest one is not known.
/// `None` if the best child has no visits.
pub(super) fn score<P: Position>(
    evaluator: &impl Evaluator<P>,
    root: &P,
    best: &Candidate,
    known: Bounds,
    plies: u32,
) -> Option<Score> {
    let side = root.side();
    let plies = plies.min(Score::MAX_PLY);
    match known.of(side).value() {
        Some(Bounds::WIN) => Some(Score::win_in(plies)),
        Some(value) if value == -Bounds::WIN => Some(Score::loss_in(plies)),
        Some(value) => Some(Score::points(value)),
        None => {
            (best.visits > 0).then(|| evaluator.possible(root, evaluator.score_of(best.mean(side))))
        }
    }
}

/// The lead in visits of the best child over the second; `None` if another child has more visits, or if
/// there is no other.
pub(super) fn lead<P: Position>(children: &[Candidate], side: Side) -> Option<u64> {
    let best = best::<P>(children, side)?;
    let others = (0..children.len()).filter(|&i| i != best);
    let second = others.map(|i| children[i].visits).max()?;
    children[best].visits.checked_sub(second)
}

/// The proven bounds of the root from its children.
pub(super) fn proven_bounds(children: &[Candidate], side: Side, tree: &Tree) -> Bounds {
    let incomplete = tree
        .node(tree.root())
        .link
        .block()
        .is_none_or(|block| block.is_incomplete());
    Bounds::of_choice(children.iter().map(|c| c.bounds), side, incomplete)
}

/// The principal variation: the best move at the root, then the best moves of `tree`, until the
/// tree ends or a roll comes.
pub(super) fn principal_variation<P: Position>(
    tree: &Tree,
    root: &P,
    best_edge: u32,
) -> Vec<P::Move> {
    let mut position = root.clone();
    let mut pv = Vec::new();
    let mut index = tree.root();
    let mut next = Some(best_edge);
    while let Some(edge) = next {
        let mv = P::Move::from_bits(edge);
        pv.push(mv);
        position.play(mv);
        let block = tree.node(index).link.block();
        let place = block.and_then(|block| {
            let children = tree.children(block);
            let place = children.iter().position(|child| child.edge() == edge)?;
            Some(block.first() + place as u32)
        });
        let over = position.outcome().is_some() || position.is_chance();
        let Some(child) = place.filter(|_| !over && pv.len() < Score::MAX_PLY as usize) else {
            break;
        };
        index = child;
        let children: Vec<_> = (tree.children_of(index).iter())
            .map(Candidate::new)
            .collect();
        next = best::<P>(&children, position.side()).map(|place| children[place].edge);
    }
    pv
}
