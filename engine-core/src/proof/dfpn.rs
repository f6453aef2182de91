//! Depth-first proof-number search (Nagai, *Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications*, 2002), with 1 + ε thresholds (Pawlewicz and Lew, *Improving Depth-First PN-Search:
//! 1 + ε Trick*, 2007).

use super::budget::Budget;
use super::goal::Goal;
use super::numbers::{INFINITE, Numbers, Sum};
use super::tree::{Builder, ProofTree};
use super::work::WorkTable;
use super::{Finding, Prover, RootMove};
use crate::limits::Limits;
use crate::position::{Move, Position, Side};
use crate::zobrist::keys;

/// The search stays in a child until its φ exceeds the φ of the second-best child by one part in
/// `EPSILON_PART`. This reduces switching between children, each of which repeats the descent.
const EPSILON_PART: u32 = 4;

/// One key for each goal, because all goals share the table.
static GOAL_KEYS: [u64; 4] = keys(0xdf9);

/// Depth-first proof-number search with a table of its own.
///
/// The table is indexed by position, not by path, so the search is wrong for games where positions
/// can repeat and history counts ([`Position::REPEATS`]). In other games a path never contains a
/// cycle, and the search needs no cycle detection. Proven positions stay in the table between
/// questions.
///
/// The children of the nodes on the path keep their numbers on a stack, so the search makes
/// progress even with a tiny table.
#[derive(Debug)]
pub struct Dfpn<P: Position> {
    table: WorkTable,
    /// The children of all nodes on the path.
    children: Vec<Child<P::Move>>,
    moves: Vec<P::Move>,
    /// The last goal, the root's children and numbers.
    goal: Goal,
    root: Option<P>,
    root_moves: Vec<RootMove<P::Move>>,
    numbers: Numbers,
}

/// A move of a node on the path.
#[derive(Clone, Copy, Debug)]
struct Child<M> {
    mv: M,
    /// The table key of the position after the move.
    key: u64,
    numbers: Numbers,
}

/// What to do next at a node.
pub(crate) struct Step {
    /// The numbers of the node.
    pub(crate) numbers: Numbers,
    /// The index of the child to search next; of a solved node, of a child that solves it.
    pub(crate) best: usize,
    /// The thresholds of that child; `None` if the node is solved or has reached its own.
    pub(crate) limit: Option<Numbers>,
}

impl Step {
    /// The next step at a node with thresholds `limit` and at least one child; `prover` tells
    /// whether the goal's side acts.
    pub(crate) fn of(
        children: impl Iterator<Item = Numbers>,
        prover: bool,
        limit: Numbers,
    ) -> Step {
        let mut sum = Sum::new(prover);
        let mut choice = Choice::NONE;
        for (index, numbers) in children.enumerate() {
            sum.add(numbers);
            choice.add(index, numbers, prover);
        }
        let numbers = sum.weak_numbers();
        let reached = numbers.proof >= limit.proof || numbers.disproof >= limit.disproof;
        let goes_on = !reached && !numbers.is_solved();
        Step {
            numbers,
            best: choice.index,
            limit: goes_on.then(|| child_limit(limit, sum.open(), &choice, prover)),
        }
    }
}

/// The first child with the smallest φ for the side to act, with its φ and δ.
struct Choice {
    index: usize,
    phi: u32,
    delta: u32,
    /// φ of the second-best child.
    second: u32,
}

impl Choice {
    const NONE: Choice = Choice {
        index: 0,
        phi: INFINITE,
        delta: 0,
        second: INFINITE,
    };

    fn add(&mut self, index: usize, numbers: Numbers, prover: bool) {
        let (phi, delta) = numbers.phi_delta(prover);
        if phi < self.phi {
            *self = Choice {
                index,
                phi,
                delta,
                second: self.phi,
            };
        } else if phi < self.second {
            self.second = phi;
        }
    }
}

impl<P: Position> Dfpn<P> {
    /// A search with a table of at most `bytes` bytes. `None` if the memory cannot be allocated.
    ///
    /// # Panics
    /// If the game has dice, or if its positions can repeat.
    pub fn new(bytes: usize) -> Option<Dfpn<P>> {
        assert!(!P::HAS_CHANCE, "proof searches do not support dice");
        assert!(
            !P::REPEATS,
            "the df-pn table ignores the history of a position"
        );
        Some(Dfpn {
            table: WorkTable::new(bytes)?,
            children: Vec::new(),
            moves: Vec::new(),
            goal: Goal::win(Side::First),
            root: None,
            root_moves: Vec::new(),
            numbers: Numbers::UNKNOWN,
        })
    }

    fn key(&self, position: &P) -> u64 {
        position.key() ^ GOAL_KEYS[self.goal.index()]
    }

    /// The numbers of a position without search: from its outcome or the table.
    fn look_up(&self, position: &P) -> Numbers {
        match position.outcome() {
            None => self
                .table
                .probe(self.key(position))
                .unwrap_or(Numbers::UNKNOWN),
            outcome => Numbers::of(outcome, self.goal),
        }
    }

    /// Searches an unfinished position until its proof or disproof number reaches `limit` or the
    /// budget is spent; returns its numbers. The children of the `root` are kept.
    fn search(
        &mut self,
        position: &mut P,
        limit: Numbers,
        root: bool,
        budget: &mut Budget<'_>,
    ) -> Numbers {
        let key = self.key(position);
        let begin = self.children.len();
        let nodes = budget.nodes();
        self.list_children(position);
        let mut goes_on = budget.spend(self.children.len() - begin);
        let prover = position.side() == self.goal.side;
        let step = loop {
            let step = self.step(begin, prover, limit);
            let Some(limit) = step.limit.filter(|_| goes_on) else {
                break step;
            };
            goes_on = self.search_child(position, begin + step.best, limit, budget);
        };
        let work = budget.nodes() - nodes;
        if work > 0 {
            let best = self.children[begin + step.best];
            self.table.store(key, step.numbers, best.mv.to_bits(), work);
        }
        if root {
            let root_move = |child: &Child<P::Move>| RootMove {
                mv: child.mv,
                numbers: child.numbers,
            };
            self.root_moves = self.children[begin..].iter().map(root_move).collect();
        }
        self.children.truncate(begin);
        step.numbers
    }

    /// Pushes the children of a position, with their known numbers, on the stack.
    fn list_children(&mut self, position: &mut P) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        for stage in 0..P::STAGES {
            position.generate(stage, &mut moves);
        }
        for &mv in &moves {
            let undo = position.play(mv);
            let numbers = self.look_up(position);
            let key = self.key(position);
            position.undo(mv, undo);
            self.children.push(Child { mv, key, numbers });
        }
        self.moves = moves;
    }

    fn step(&self, begin: usize, prover: bool, limit: Numbers) -> Step {
        let numbers = self.children[begin..].iter().map(|child| child.numbers);
        Step::of(numbers, prover, limit)
    }

    /// Searches a child until its numbers reach `limit`; false if the budget is spent.
    fn search_child(
        &mut self,
        position: &mut P,
        place: usize,
        limit: Numbers,
        budget: &mut Budget<'_>,
    ) -> bool {
        let Child { mv, key, numbers } = self.children[place];
        // The child may have been searched meanwhile by another path.
        if let Some(known) = self.table.probe(key)
            && known != numbers
        {
            self.children[place].numbers = known;
            return budget.has_time_for(1);
        }
        let undo = position.play(mv);
        self.children[place].numbers = self.search(position, limit, false, budget);
        position.undo(mv, undo);
        budget.has_time_for(0)
    }

    /// Solves a position within the budget; keeps its root moves and returns its numbers.
    fn solve(&mut self, position: &mut P, budget: &mut Budget<'_>) -> Numbers {
        let endless = Numbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        self.search(position, endless, true, budget)
    }

    /// A move that keeps a solved position solved, for the side that benefits. It is searched again
    /// if the table has lost it.
    fn solving_move(&mut self, position: &mut P, budget: &mut Budget<'_>) -> Option<P::Move> {
        let prover = position.side() == self.goal.side;
        let solves = |numbers: Numbers| numbers.phi_delta(prover).0 == 0;
        if let Some(bits) = self.table.best_move(self.key(position)) {
            let mv = P::Move::from_bits(bits);
            if position.is_legal(mv) {
                let undo = position.play(mv);
                let numbers = self.look_up(position);
                position.undo(mv, undo);
                if solves(numbers) {
                    return Some(mv);
                }
            }
        }
        self.solve(position, budget);
        let mut moves = self.root_moves.iter();
        moves
            .find(|known| solves(known.numbers))
            .map(|known| known.mv)
    }

    /// Adds the proof of a solved position to `builder`. `for_prover` tells whether the goal is
    /// proven or disproven.
    fn extract(
        &mut self,
        position: &mut P,
        for_prover: bool,
        builder: &mut Builder<P::Move>,
        budget: &mut Budget<'_>,
    ) -> Option<u32> {
        if let Some(known) = builder.without_moves(position) {
            return Some(known);
        }
        let prover = position.side() == self.goal.side;
        let moves = if prover == for_prover {
            vec![self.solving_move(position, budget)?]
        } else {
            position.legal_moves()
        };
        builder.with_moves(position, moves, |builder, position| {
            self.extract(position, for_prover, builder, budget)
        })
    }
}

/// The thresholds of a child that keep the thresholds of its parent: until it is worse than the
/// second-best child by a margin, or until the parent's δ is reached.
fn child_limit(limit: Numbers, open: u32, choice: &Choice, prover: bool) -> Numbers {
    let (phi_limit, delta_limit) = limit.phi_delta(prover);
    let margin = choice.second / EPSILON_PART + 1;
    let phi = phi_limit.min(choice.second.saturating_add(margin));
    // Each other unsolved child adds one.
    let delta = delta_limit - (open - 1);
    // Every visit must make progress.
    debug_assert!(phi > choice.phi && delta > choice.delta);
    Numbers::from_phi_delta((phi, delta), prover)
}

impl<P: Position> Prover<P> for Dfpn<P> {
    fn prove(&mut self, root: &P, goal: Goal, limits: &Limits) -> Finding {
        self.goal = goal;
        self.root = Some(root.clone());
        self.root_moves.clear();
        let mut budget = Budget::new(limits);
        let mut position = root.clone();
        self.numbers = match root.outcome() {
            None => self.solve(&mut position, &mut budget),
            outcome => Numbers::of(outcome, goal),
        };
        debug_assert_eq!(position, *root, "a search must restore its root");
        Finding {
            answer: self.numbers.answer(),
            nodes: budget.nodes(),
        }
    }

    fn root_moves(&self) -> Vec<RootMove<P::Move>> {
        self.root_moves.clone()
    }

    fn line(&mut self, _limits: &Limits) -> Vec<P::Move> {
        let mut line = Vec::new();
        let answer = self.numbers.answer();
        let (Some(mut position), Some(winner)) = (self.root.clone(), answer.proven_goal(self.goal))
        else {
            return line;
        };
        // The table may have lost the root, but its moves are kept.
        let own = position.side() == winner.side;
        let proves = |known: &&RootMove<P::Move>| !own || known.numbers.answer() == answer;
        let mut next = self.root_moves.iter().find(proves).map(|known| known.mv);
        while let Some(mv) = next {
            position.play(mv);
            line.push(mv);
            if position.outcome().is_some() || self.look_up(&position).answer() != answer {
                break;
            }
            let known = self
                .table
                .best_move(self.key(&position))
                .map(P::Move::from_bits);
            next = known.filter(|&mv| position.is_legal(mv));
        }
        line
    }

    fn proof_tree(&mut self, limits: &Limits) -> Option<ProofTree<P::Move>> {
        let answer = self.numbers.answer();
        let goal = answer.proven_goal(self.goal)?;
        let mut position = self.root.clone()?;
        let mut builder = Builder::new(true);
        let mut budget = Budget::new(limits);
        // Searches of lost positions overwrite the root moves.
        let root_moves = self.root_moves.clone();
        let found = self.extract(&mut position, goal == self.goal, &mut builder, &mut budget);
        self.root_moves = root_moves;
        found.map(|_| builder.finish(goal))
    }

    fn forget(&mut self) {
        self.table.clear();
        self.root_moves.clear();
        self.root = None;
        self.numbers = Numbers::UNKNOWN;
    }

    fn fullness(&self) -> u32 {
        self.table.fullness()
    }
}
