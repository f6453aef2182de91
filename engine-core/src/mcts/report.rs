//! What a tree says of its root: the move to play, its value, the line expected.

use crate::mcts::bounds::Bounds;
use crate::mcts::extra::of;
use crate::mcts::node::Node;
use crate::mcts::tree::Tree;
use crate::position::{Move, Position, Side};
use crate::score::Score;

/// A child as the move is chosen by: the statistics of one tree, or the sum of several.
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

/// The root's children, added up over trees that have the same moves.
pub(super) fn candidates<'a>(trees: impl Iterator<Item = &'a Tree>) -> Vec<Candidate> {
    let mut sums: Vec<Candidate> = Vec::new();
    for tree in trees {
        for (place, node) in tree.root_children().iter().enumerate() {
            let child = Candidate::new(node);
            // Trees list the moves alike, so the place is the first guess.
            let same = |sum: &&mut Candidate| sum.edge == child.edge;
            let found = match sums.get(place).is_some_and(|sum| sum.edge == child.edge) {
                true => sums.get_mut(place),
                false => sums.iter_mut().find(same),
            };
            match found {
                Some(sum) => {
                    sum.visits += child.visits;
                    sum.points += child.points;
                    sum.bounds = sum.bounds.and(child.bounds);
                }
                None => sums.push(child),
            }
        }
    }
    sums
}

/// The child to play for `side`: the most visited of those not known to be worse than another, unless
/// one is sure of more than that promises.
pub(super) fn best<P: Position>(children: &[Candidate], side: Side) -> Option<usize> {
    let low = |child: &Candidate| child.bounds.of(side).low;
    let sure = children.iter().map(low).max()?;
    let hopes = |child: &&usize| children[**child].bounds.of(side).high > sure;
    let places: Vec<usize> = (0..children.len()).collect();
    // The first of the best, both times.
    let hopeful = (places.iter().rev().filter(hopes)).max_by_key(|&&i| children[i].visits);
    let safe = (places.iter().rev()).max_by_key(|&&i| (low(&children[i]), children[i].visits));
    let promise = |&&i: &&usize| {
        let promised = children[i].mean(side);
        // A bound says nothing where it is that of all positions.
        sure == -Bounds::WIN || Bounds::points_of::<P>(sure) < promised
    };
    hopeful.filter(promise).or(safe).copied()
}

/// The value of a root for its side to move, of which `known` is proven: exact points where that is a
/// margin; else the chance of winning, ±1 000 for certainty. A win or loss is reported in as many
/// plies as the principal variation has; the shortest way is not known.
pub(super) fn score<P: Position>(
    best: &Candidate,
    known: Bounds,
    side: Side,
    plies: u32,
    margins: bool,
) -> Score {
    let plies = plies.min(Score::MAX_PLY);
    // With dice a margin can be told from a chance only if the game does not say how large it gets.
    let exact = margins && (!P::HAS_CHANCE || P::MAX_SCORE == Score::WIN);
    let chance = |points: f32| Score::points((2000.0 * (points - 0.5)).round() as i32);
    match known.of(side).value() {
        Some(Bounds::WIN) => Score::win_in(plies),
        Some(value) if value == -Bounds::WIN => Score::loss_in(plies),
        Some(value) if exact => Score::points(value),
        Some(value) => chance(Bounds::points_of::<P>(value)),
        None => chance(best.mean(side)),
    }
}

/// What the children prove of the root.
pub(super) fn known(children: &[Candidate], side: Side, tree: &Tree) -> Bounds {
    let narrow = tree.node(tree.root()).link.block().is_none_or(|b| b.narrow);
    Bounds::of_choice(children.iter().map(|c| c.bounds), side, narrow)
}

/// The best move at the root, then the best ones of `tree`, until it or a roll ends the line.
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
            Some(block.first + place as u32)
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
