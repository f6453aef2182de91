//! UCT on one thread: select, expand, play out, back up (Kocsis and Szepesvári 2006).

use crate::evaluate::{Evaluator, Playout};
use crate::limits::Limits;
use crate::mcts::tree::{Node, Proof, Tree};
use crate::position::{Move, Position, Side};
use crate::rng::Rng;
use crate::settings::Settings;

/// One thread of Monte-Carlo search with its own tree.
pub(super) struct Worker<P: Position, E, L> {
    evaluator: E,
    playout: L,
    settings: Settings,
    pub(super) tree: Tree,
    pub(super) rng: Rng,
    /// Playouts since the search began.
    pub(super) playouts: u64,
    /// Whether not all moves are in the tree, but candidates.
    narrow: bool,
    /// Deepest ply that a playout started from.
    pub(super) seldepth: u32,
    /// The nodes of this playout and who acts in them.
    path: Vec<(usize, Side)>,
    moves: Vec<P::Move>,
    /// A new node's children with their priors for the side that acts.
    candidates: Vec<(f32, Node)>,
    children: Vec<Node>,
}

impl<P: Position, E: Evaluator<P>, L: Playout<P>> Worker<P, E, L> {
    pub(super) fn new(
        evaluator: E,
        playout: L,
        settings: Settings,
        nodes: usize,
        rng: Rng,
    ) -> Self {
        Worker {
            evaluator,
            playout,
            settings,
            tree: Tree::new(nodes),
            rng,
            playouts: 0,
            narrow: false,
            seldepth: 0,
            path: Vec::new(),
            moves: Vec::new(),
            candidates: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Plays from `root` until `limits` or a proof end it; `after` is called after every playout.
    pub(super) fn run(&mut self, root: &P, limits: &Limits, after: &mut dyn FnMut(&Self)) {
        self.tree.clear();
        self.narrow = false;
        self.playouts = 0;
        self.seldepth = 0;
        let mut position = root.clone();
        self.expand(&mut position, 0);
        let forced = self.tree.children(0).len() == 1 && limits.is_timed();
        while self.tree.node(0).proof() == Proof::Unknown
            && !limits.exhausted(self.playouts)
            && !limits.enough()
        {
            position.clone_from(root);
            self.play_once(&mut position);
            self.playouts += 1;
            after(self);
            if forced {
                break;
            }
        }
    }

    /// One playout from the root, which `position` is, and what it teaches.
    fn play_once(&mut self, position: &mut P) {
        self.path.clear();
        let mut index = 0;
        let points = loop {
            self.path.push((index, position.side()));
            if let Some(outcome) = self.tree.node(index).proof().outcome() {
                break outcome.points_of_first();
            }
            if self.tree.node(index).is_leaf() {
                if let Some(outcome) = position.outcome() {
                    self.tree.node_mut(index).prove(outcome);
                    break outcome.points_of_first();
                }
                let ripe = self.tree.node(index).visits >= self.ripe_visits(index);
                if !ripe || !self.expand(position, index) {
                    break self.playout.run(position, &mut self.rng);
                }
                if self.tree.conclude(index, position.side(), self.narrow) {
                    // Looked at again, as a proven node.
                    self.path.pop();
                    continue;
                }
            }
            index = self.descend(position, index);
        };
        self.seldepth = self.seldepth.max(self.path.len() as u32 - 1);
        self.back_up(points as f64);
    }

    /// Visits, the prior's included, after which a leaf is expanded.
    fn ripe_visits(&self, index: usize) -> u32 {
        let prior = if self.tree.node(index).weight == 0 {
            self.settings.tree.prior_playouts
        } else {
            0
        };
        prior + self.settings.tree.expand_after
    }

    /// Chooses a child and plays its edge.
    fn descend(&mut self, position: &mut P, index: usize) -> usize {
        if P::HAS_CHANCE && position.is_chance() {
            let place = self.cast(index);
            let child = self.tree.child(index, place);
            position.play_roll(self.tree.node(child).edge as u8);
            return child;
        }
        let child = self.tree.child(index, self.select(index, position.side()));
        position.play(P::Move::from_bits(self.tree.node(child).edge));
        child
    }

    /// A roll by its weight.
    fn cast(&mut self, index: usize) -> usize {
        let mut ticket = self.rng.below(P::FACES as u32);
        let children = self.tree.children(index);
        children
            .iter()
            .position(|child| {
                let hit = ticket < child.weight as u32;
                ticket = ticket.wrapping_sub(child.weight as u32);
                hit
            })
            .expect("weights of rolls sum to the number of faces")
    }

    /// The child with the highest upper confidence bound among those considered, for `side`. Lost
    /// moves are passed over, and do not count as considered.
    fn select(&self, index: usize, side: Side) -> usize {
        let node = self.tree.node(index);
        let log = (node.visits.max(1) as f64).ln();
        let lost = side.opponent();
        let mut best = (f64::NEG_INFINITY, 0);
        let mut considered = 0;
        let limit = self.considered(node.visits);
        for (place, child) in self.tree.children(index).iter().enumerate() {
            if child.proof().is_win_of(lost) {
                continue;
            }
            if child.visits == 0 {
                return place;
            }
            let bonus = self.settings.tree.exploration as f64 * (log / child.visits as f64).sqrt();
            let bound = child.mean(side) + bonus;
            if bound > best.0 {
                best = (bound, place);
            }
            considered += 1;
            if considered == limit {
                break;
            }
        }
        best.1
    }

    /// How many children a node with so many visits looks at.
    fn considered(&self, visits: u32) -> usize {
        if self.settings.tree.widening == 0.0 {
            return usize::MAX;
        }
        (self.settings.tree.widening * (visits as f32).sqrt()).max(2.0) as usize
    }

    /// Gives a leaf its children, ordered by prior; false if the tree is full or the game is over.
    fn expand(&mut self, position: &mut P, index: usize) -> bool {
        self.candidates.clear();
        if position.outcome().is_some() {
            return false;
        }
        if P::HAS_CHANCE && position.is_chance() {
            let mut rolls = Vec::new();
            position.rolls(&mut rolls);
            let node = |(face, weight)| (0.0, Node::new(face as u32, weight as u8));
            self.candidates.extend(rolls.into_iter().map(node));
        } else {
            self.expand_moves(position);
        }
        self.children.clear();
        self.children
            .extend(self.candidates.iter().map(|&(_, node)| node));
        self.tree.expand(index, &self.children)
    }

    fn expand_moves(&mut self, position: &mut P) {
        let mut moves = std::mem::take(&mut self.moves);
        self.evaluator.reset(position);
        self.list_moves(position, &mut moves);
        if self.settings.tree.prior_playouts == 0 {
            let node = |mv: &P::Move| (0.0, Node::new(mv.to_bits(), 0));
            self.candidates.extend(moves.iter().map(node));
        } else {
            for &mv in &moves {
                let candidate = self.judge(position, mv);
                self.candidates.push(candidate);
            }
            self.candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
        }
        self.moves = moves;
    }

    /// The moves of a new node: the evaluator's candidates, or all.
    fn list_moves(&mut self, position: &P, moves: &mut Vec<P::Move>) {
        if let Some(limit) = self.settings.width
            && self.evaluator.candidates(position, limit, moves)
            && !moves.is_empty()
        {
            self.narrow = true;
            return;
        }
        moves.clear();
        for stage in 0..P::STAGES {
            position.generate(stage, moves);
        }
    }

    /// A child with the evaluation after `mv` as its prior, or with the proof if the game then ends.
    fn judge(&mut self, position: &mut P, mv: P::Move) -> (f32, Node) {
        let side = position.side();
        let weight = self.settings.tree.prior_playouts;
        let mut node = Node::new(mv.to_bits(), 0);
        self.evaluator.push(position, mv);
        let undo = position.play(mv);
        let first = match position.outcome() {
            Some(outcome) => {
                node.prove(outcome);
                outcome.points_of_first()
            }
            None => {
                let score = self.evaluator.evaluate(position);
                let probability = self.evaluator.probability(score);
                match position.side() {
                    Side::First => probability,
                    Side::Second => 1.0 - probability,
                }
            }
        };
        position.undo(mv, undo);
        self.evaluator.pop();
        node.visits = weight;
        node.points = first as f64 * weight as f64;
        let prior = match side {
            Side::First => first,
            Side::Second => 1.0 - first,
        };
        (prior, node)
    }

    /// Adds a playout to the nodes of its path, and concludes from new proofs on the way up.
    fn back_up(&mut self, points: f64) {
        let mut proven = false;
        for (place, &(index, side)) in self.path.iter().enumerate().rev() {
            let node = self.tree.node_mut(index);
            node.visits += 1;
            node.points += points;
            let last = place + 1 == self.path.len();
            if last {
                proven = node.proof() != Proof::Unknown;
            } else if proven {
                proven = self.tree.conclude(index, side, self.narrow);
            }
        }
    }
}
