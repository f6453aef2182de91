//! Proof-number search, a best-first search in a tree (Allis, van der Meulen and van den Herik,
//! *Proof-Number Search*, 1994), and PN² (Breuker, *Memory versus Search in Games*, 1998).

use super::arena::{Arena, NONE};
use super::budget::Budget;
use super::goal::Goal;
use super::numbers::{Numbers, Sum};
use super::tree::{Builder, ProofTree};
use super::{Finding, Prover, RootMove};
use crate::limits::Limits;
use crate::position::{Move, Position, Side};

/// Proof-number search in bounded memory.
///
/// A solved node keeps only the children that its proof needs. When memory is full, the cheapest
/// subtrees are removed, and their roots keep their numbers. Nodes belong to paths, so proofs are
/// correct even if positions can repeat.
///
/// PN² evaluates a leaf by a second-level proof-number search, of which only the leaf's children
/// are kept. The second level may use a fraction of the first level's nodes. The fraction grows as
/// memory fills up, so small problems cost no more than without it.
#[derive(Debug)]
pub struct Pns<P: Position> {
    arena: Arena,
    second_level: bool,
    /// The last goal.
    goal: Goal,
    root: Option<P>,
    /// The path from the root of the current tree to its current node.
    path: Vec<Step<P>>,
    moves: Vec<P::Move>,
}

/// A move on the path.
#[derive(Debug)]
struct Step<P: Position> {
    /// The node before the move.
    parent: u32,
    mv: P::Move,
    undo: P::Undo,
}

/// Why the tree cannot grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Solved,
    /// The budget is spent.
    Spent,
    /// There is no room for another node's children.
    Full,
}

impl<P: Position> Pns<P> {
    /// A search with a tree of at most `bytes` bytes; PN² if `second_level`. `None` if the memory
    /// cannot be allocated.
    ///
    /// # Panics
    /// If the game has dice.
    pub fn new(bytes: usize, second_level: bool) -> Option<Pns<P>> {
        assert!(!P::HAS_CHANCE, "proof searches do not support dice");
        Some(Pns {
            arena: Arena::new(bytes)?,
            second_level,
            goal: Goal::win(Side::First),
            root: None,
            path: Vec::new(),
            moves: Vec::new(),
        })
    }

    /// Whether the goal's side is to act.
    fn is_prover(&self, position: &P) -> bool {
        position.side() == self.goal.side
    }

    /// Grows the tree below `root`, which is the node of `position`, until it is solved; by at most
    /// `room` nodes, but at least by the children of one node.
    fn grow(
        &mut self,
        position: &mut P,
        root: u32,
        room: usize,
        second_level: bool,
        budget: &mut Budget<'_>,
    ) -> End {
        let base = self.path.len();
        let begin = self.arena.used();
        let mut node = root;
        let mut grown = false;
        while !self.arena.node(root).numbers.is_solved() {
            node = self.descend(position, node);
            let used = self.arena.used().saturating_sub(begin);
            let room = if grown {
                room.saturating_sub(used)
            } else {
                usize::MAX
            };
            let end = if second_level {
                self.evaluate_leaf(position, node, budget)
            } else {
                self.expand(position, node, room, budget)
            };
            if let Err(end) = end {
                self.ascend(position, node, base, true);
                return end;
            }
            grown = true;
            node = self.ascend(position, node, base, false);
        }
        End::Solved
    }

    /// Descends to the most-proving node: where the prover acts, to the child with the smallest
    /// proof number; elsewhere, to the child with the smallest disproof number.
    fn descend(&mut self, position: &mut P, mut node: u32) -> u32 {
        while self.arena.node(node).child != NONE {
            let prover = self.is_prover(position);
            let (phi, _) = self.arena.node(node).numbers.phi_delta(prover);
            let best = |&child: &u32| self.arena.node(child).numbers.phi_delta(prover).0 == phi;
            let child = self.arena.children(node).find(best);
            let child = child.expect("a node has the numbers of its best child");
            self.enter(position, node, child);
            node = child;
        }
        node
    }

    fn enter(&mut self, position: &mut P, parent: u32, child: u32) {
        let mv = P::Move::from_bits(self.arena.node(child).mv);
        let undo = position.play(mv);
        self.path.push(Step { parent, mv, undo });
    }

    /// Updates numbers from `node` upwards until they no longer change (or, if `all`, up to the
    /// `base` of the path). Returns the node where it stopped; `position` is then its position.
    fn ascend(&mut self, position: &mut P, mut node: u32, base: usize, all: bool) -> u32 {
        let mut first = true;
        loop {
            let changed = self.combine(position, node);
            if self.path.len() == base || !(all || first || changed) {
                return node;
            }
            first = false;
            let step = self.path.pop().expect("the path is longer than its base");
            position.undo(step.mv, step.undo);
            node = step.parent;
        }
    }

    /// Computes the numbers of a node from its children, and removes the children that a solved
    /// node does not need; returns whether the numbers changed.
    fn combine(&mut self, position: &P, node: u32) -> bool {
        if self.arena.node(node).child == NONE {
            return true;
        }
        let prover = self.is_prover(position);
        let mut sum = Sum::new(prover);
        for child in self.arena.children(node) {
            sum.add(self.arena.node(child).numbers);
        }
        let numbers = sum.numbers();
        let before = std::mem::replace(&mut self.arena.node_mut(node).numbers, numbers);
        if numbers.phi_delta(prover).0 == 0 {
            let best = self.solving_child(node, prover);
            self.arena.keep_only(node, best);
        }
        before != numbers
    }

    /// The first child that solves the node for the side to act.
    fn solving_child(&self, node: u32, prover: bool) -> u32 {
        let solves = |&child: &u32| self.arena.node(child).numbers.phi_delta(prover).0 == 0;
        let child = self.arena.children(node).find(solves);
        child.expect("a node is solved by a child")
    }

    /// Expands a leaf: adds its children, or only a child that solves it.
    fn expand(
        &mut self,
        position: &mut P,
        leaf: u32,
        room: usize,
        budget: &mut Budget<'_>,
    ) -> Result<(), End> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        for stage in 0..P::STAGES {
            position.generate(stage, &mut moves);
        }
        let result = if moves.len() > room || !self.arena.has_room(moves.len()) {
            Err(End::Full)
        } else if !budget.spend(moves.len()) {
            Err(End::Spent)
        } else {
            self.add_children(position, leaf, &moves);
            Ok(())
        };
        self.moves = moves;
        result
    }

    fn add_children(&mut self, position: &mut P, leaf: u32, moves: &[P::Move]) {
        let prover = self.is_prover(position);
        let mut last = NONE;
        for &mv in moves {
            let undo = position.play(mv);
            let numbers = Numbers::of(position.outcome(), self.goal);
            position.undo(mv, undo);
            let child = self.arena.add(mv.to_bits(), numbers);
            if last == NONE {
                self.arena.node_mut(leaf).child = child;
            } else {
                self.arena.node_mut(last).next = child;
            }
            last = child;
            if numbers.phi_delta(prover).0 == 0 {
                return;
            }
        }
    }

    /// Evaluates a leaf by a second-level search, of which only the leaf's children are kept.
    fn evaluate_leaf(
        &mut self,
        position: &mut P,
        leaf: u32,
        budget: &mut Budget<'_>,
    ) -> Result<(), End> {
        let room = second_level_room(self.arena.used(), self.arena.capacity());
        let end = self.grow(position, leaf, room, false, budget);
        let mut child = self.arena.node(leaf).child;
        let expanded = child != NONE;
        while child != NONE {
            self.arena.release_below(child);
            child = self.arena.node(child).next;
        }
        match end {
            End::Full if expanded => Ok(()),
            End::Full | End::Spent => Err(end),
            End::Solved => Ok(()),
        }
    }

    /// Adds the proof below a solved node to `builder`; `None` if a removed part cannot be found
    /// again.
    fn extract(
        &mut self,
        position: &mut P,
        node: u32,
        builder: &mut Builder<P::Move>,
        budget: &mut Budget<'_>,
    ) -> Option<u32> {
        if let Some(known) = builder.without_moves(position) {
            return Some(known);
        }
        let forgotten = self.arena.node(node).child == NONE;
        if forgotten {
            let numbers =
                std::mem::replace(&mut self.arena.node_mut(node).numbers, Numbers::UNKNOWN);
            self.grow(position, node, usize::MAX, false, budget);
            if self.arena.node(node).numbers != numbers {
                return None;
            }
        }
        let children: Vec<u32> = self.arena.children(node).collect();
        let move_to = |&child: &u32| P::Move::from_bits(self.arena.node(child).mv);
        let moves: Vec<P::Move> = children.iter().map(move_to).collect();
        let mut children = children.into_iter();
        let found = builder.with_moves(position, moves, |builder, position| {
            self.extract(position, children.next()?, builder, budget)
        })?;
        if forgotten {
            self.arena.release_below(node);
        }
        Some(found)
    }
}

impl<P: Position> Prover<P> for Pns<P> {
    fn prove(&mut self, root: &P, goal: Goal, limits: &Limits) -> Finding {
        self.arena.clear();
        self.path.clear();
        self.goal = goal;
        self.root = Some(root.clone());
        self.arena.node_mut(0).numbers = Numbers::of(root.outcome(), goal);
        let mut budget = Budget::new(limits);
        let mut position = root.clone();
        let mut last = 0;
        while self.grow(&mut position, 0, usize::MAX, self.second_level, &mut budget) == End::Full {
            self.arena.recycle(&mut budget);
            // No progress since memory was last full: stop.
            if budget.nodes() == last {
                break;
            }
            last = budget.nodes();
        }
        debug_assert_eq!(position, *root, "a search must restore its root");
        Finding {
            answer: self.arena.node(0).numbers.answer(),
            nodes: budget.nodes(),
        }
    }

    fn root_moves(&self) -> Vec<RootMove<P::Move>> {
        let root_move = |child| {
            let node = self.arena.node(child);
            RootMove {
                mv: P::Move::from_bits(node.mv),
                numbers: node.numbers,
            }
        };
        self.arena.children(0).map(root_move).collect()
    }

    fn line(&mut self, _limits: &Limits) -> Vec<P::Move> {
        let mut line = Vec::new();
        let mut node = self.arena.node(0);
        while node.numbers.is_solved() && node.child != NONE {
            // A solved node has its solving move as the only child; of the replies the first is
            // taken.
            node = self.arena.node(node.child);
            line.push(P::Move::from_bits(node.mv));
        }
        line
    }

    fn proof_tree(&mut self, limits: &Limits) -> Option<ProofTree<P::Move>> {
        let goal = self.arena.node(0).numbers.answer().proven_goal(self.goal)?;
        let mut position = self.root.clone()?;
        let mut builder = Builder::new(!P::REPEATS);
        let mut budget = Budget::new(limits);
        self.extract(&mut position, 0, &mut builder, &mut budget)?;
        Some(builder.finish(goal))
    }

    fn forget(&mut self) {
        self.arena.clear();
        self.root = None;
    }

    fn fullness(&self) -> u32 {
        self.arena.fullness()
    }
}

/// Parameters a and b of the second-level fraction, as fractions of the memory: Breuker's best
/// values, 1 800 000 and 240 000 nodes of 2 500 000.
const HALF: f64 = 0.72;
const SLOPE: f64 = 0.096;

/// Maximum nodes of a second-level tree if the first level has `used` of `capacity` nodes: the
/// fraction 1 / (1 + e^((a−x)/b)) of `used` (Breuker 1998, section 4.3).
fn second_level_room(used: usize, capacity: usize) -> usize {
    let part = used as f64 / capacity as f64;
    (used as f64 / (1.0 + exp((HALF - part) / SLOPE))) as usize
}

/// eˣ for −10 ≤ x ≤ 10 to four digits, by multiplications only, so that it is the same on every
/// machine.
fn exp(x: f64) -> f64 {
    let mut power = 1.0 + x / 1_048_576.0;
    for _ in 0..20 {
        power *= power;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Answer;

    #[test]
    fn exp_is_accurate() {
        for x in [-9.0, -2.5, 0.0, 1.0, 7.5] {
            assert!((exp(x) / f64::exp(x) - 1.0).abs() < 1e-4, "{x}");
        }
    }

    #[test]
    fn second_searches_grow_with_the_first() {
        assert_eq!(second_level_room(1_000, 1_000_000), 0);
        assert_eq!(second_level_room(720_000, 1_000_000), 360_000);
        assert!(second_level_room(1_000_000, 1_000_000) > 900_000);
    }

    #[test]
    fn answers_name_the_goal_that_is_proven() {
        let goal = Goal::win(Side::Second);
        assert_eq!(Answer::Proven.proven_goal(goal), Some(goal));
        assert_eq!(
            Answer::Disproven.proven_goal(goal),
            Some(Goal::draw(Side::First))
        );
        assert_eq!(Answer::Unknown.proven_goal(goal), None);
    }
}
