//! One thread of Monte-Carlo tree search: select, expand, play out, back up (Kocsis and Szepesvári
//! 2006).

use std::sync::Arc;

use crate::evaluate::{Evaluator, Playout};
use crate::limits::Limits;
use crate::mcts::buffer::{VisitBuffer, is_busy};
use crate::mcts::control::{Control, Timer};
use crate::mcts::early::win_probability;
use crate::mcts::extra::of;
use crate::mcts::link::Block;
use crate::mcts::node::{NewNode, Node};
use crate::mcts::rave::{self, LaterActions};
use crate::mcts::select::{Expanded, select};
use crate::mcts::settings::TreeSettings;
use crate::mcts::simulate::Simulation;
use crate::mcts::thread_share::ThreadShare;
use crate::mcts::tree::{Chunk, Tree};
use crate::mcts::{bounds::Bounds, implicit};
use crate::position::{Move, Position, Side};
use crate::rng::Rng;

/// A node on the path of a playout.
#[derive(Clone, Copy, Debug)]
struct Step {
    index: u32,
    /// The side to act.
    side: Side,
    /// The points of `First` that this playout counts as until it ends; `None` without a virtual
    /// loss.
    virtual_loss: Option<u64>,
    /// Number of recorded actions before this node.
    mark: u32,
    /// Points of `First`, in the units of a node, that replace the result of the playout from this
    /// node upwards: the proven lower bound of its side, if the playout explores moves that look
    /// worse than that bound. Otherwise the mean would drift away from the best move once its value
    /// is proven.
    proven_points: Option<u64>,
}

/// The state of one search thread.
pub(super) struct TreeThread<P: Position, E, L> {
    pub(super) evaluator: E,
    simulation: Simulation<L, P::Move>,
    pub(super) settings: TreeSettings,
    /// Maximum number of the evaluator's candidates; `None` for all moves.
    pub(super) candidate_limit: Option<usize>,
    pub(super) tree: Arc<Tree>,
    pub(super) chunk: Chunk,
    share: ThreadShare,
    rng: Rng,
    /// Playouts since the search began.
    pub(super) playouts: u64,
    /// Maximum ply of a leaf.
    pub(super) seldepth: u32,
    /// Whether the tree had no room for the children of a leaf.
    pub(super) tree_full: bool,
    visit_buffer: VisitBuffer,
    path: Vec<Step>,
    later: LaterActions,
    pub(super) moves: Vec<P::Move>,
    pub(super) rolls: Vec<(u8, i32)>,
    pub(super) fresh: Vec<NewNode>,
    /// The chances of these moves, if the evaluator has an opinion.
    pub(super) priors: Vec<f32>,
}

impl<P: Position, E: Evaluator<P>, L: Playout<P>> TreeThread<P, E, L> {
    pub(super) fn new(
        (evaluator, policy): (E, L),
        settings: &TreeSettings,
        candidate_limit: Option<usize>,
        tree: Arc<Tree>,
        share: ThreadShare,
    ) -> Self {
        TreeThread {
            evaluator,
            simulation: Simulation::new(policy, settings),
            settings: settings.clone(),
            candidate_limit,
            tree,
            chunk: Chunk::default(),
            share,
            rng: Rng::new(0),
            playouts: 0,
            seldepth: 0,
            tree_full: false,
            visit_buffer: VisitBuffer::default(),
            path: Vec::new(),
            later: LaterActions::default(),
            moves: Vec::new(),
            rolls: Vec::new(),
            fresh: Vec::new(),
            priors: Vec::new(),
        }
    }

    /// Starts a new game with random numbers from `seed`.
    pub(super) fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.simulation.clear();
    }

    /// Starts a new search.
    pub(super) fn begin(&mut self) {
        (self.playouts, self.seldepth) = (0, 0);
    }

    /// Expands the root, so that even the shortest search has a move.
    pub(super) fn expand_root(&mut self, root: &P) {
        let index = self.tree.root();
        if self.tree.node(index).link.block().is_none() {
            self.chunk = Chunk::default();
            let block = self.expand(&mut root.clone(), index);
            block.map(|block| self.update_bounds(index, root.side(), block));
        }
    }

    /// Lets these moves of the expanded root, where `side` acts, count as lost, except those of which
    /// something is proven.
    pub(super) fn exclude(&self, side: Side, moves: &[P::Move]) {
        let lost = Bounds::exact(-Bounds::WIN).of(side);
        self.mark(moves, |child| !child.is_bounded() && child.tighten(lost));
        let root = self.tree.root();
        if let Some(block) = self.tree.node(root).link.block() {
            self.update_bounds(root, side, block);
        }
    }

    /// Forgets what is proven of these moves of the root, which were excluded.
    pub(super) fn readmit(&self, moves: &[P::Move]) {
        self.mark(moves, Node::forget_bounds);
    }

    /// Changes the children of the root with these moves.
    fn mark(&self, moves: &[P::Move], change: impl Fn(&Node) -> bool) {
        let root = self.tree.node(self.tree.root());
        let Some(block) = root.link.block() else {
            return;
        };
        for (index, child) in (block.first()..).zip(self.tree.children(block)) {
            if moves.iter().any(|mv| mv.to_bits() == child.edge()) && change(child) {
                self.tree.refresh(index);
            }
        }
    }

    /// Runs playouts from `root` until a limit, a proof or a full tree; calls `after` after each
    /// one.
    pub(super) fn run(
        &mut self,
        root: &P,
        limits: &Limits,
        control: &Control,
        after: &mut dyn FnMut(&Self),
    ) {
        self.expand_root(root);
        self.chunk = Chunk::default();
        self.tree_full = control.is_frozen();
        let mut timer = Timer::new(limits);
        let mut reserved = 0;
        let mut position = root.clone();
        let tree = self.tree.clone();
        while !control.is_paused() {
            let proven = tree.node(tree.root()).value().is_some();
            if proven || limits.stop.is_set() || timer.is_over() {
                control.end();
                break;
            }
            if reserved == 0 {
                reserved = control.take_playouts();
                if reserved == 0 {
                    break;
                }
            }
            reserved -= 1;
            position.clone_from(root);
            self.play_once(&tree, &mut position);
            self.playouts += 1;
            limits.spend(1);
            after(self);
            if self.tree_full && !control.is_frozen() {
                control.report_full();
            }
        }
        self.visit_buffer.flush(&self.tree);
        control.return_playouts(reserved);
    }

    /// One playout from the root: select, expand, play out, back up. `position` is the root.
    fn play_once(&mut self, tree: &Tree, position: &mut P) {
        self.path.clear();
        self.simulation.game.clear();
        let mut index = tree.root();
        let mut node = tree.node(index);
        let mut virtual_loss = None;
        let mut expanded = false;
        let points = loop {
            let side = position.side();
            self.path.push(Step {
                index,
                side,
                virtual_loss,
                mark: self.simulation.game.len() as u32,
                proven_points: None,
            });
            if let Some(value) = node.value() {
                break Bounds::points_of::<P>(value);
            }
            let block = match node.link.block() {
                Some(block) => block,
                None => {
                    if let Some(end) = Bounds::of_end(position) {
                        node.tighten(end);
                        tree.refresh(index);
                        // Visit it again, now as a proven node.
                        self.path.pop();
                        continue;
                    }
                    match self.expand_if_due(position, index) {
                        Some(block) => {
                            expanded = true;
                            self.update_bounds(index, side, block);
                            if node.value().is_some() {
                                self.path.pop();
                                continue;
                            }
                            block
                        }
                        None => break self.play_out(position),
                    }
                }
            };
            let at = Expanded {
                index,
                node,
                block,
                children: tree.children(block),
            };
            match self.descend(tree, position, at, side) {
                Some(place) => {
                    (index, node) = (block.first() + place as u32, &at.children[place]);
                    virtual_loss = self.add_virtual_loss(index, node, side);
                }
                None => {
                    self.path.pop();
                }
            }
        };
        self.seldepth = self.seldepth.max(self.path.len() as u32 - 1);
        self.back_up(tree, points, expanded);
    }

    /// The points of `First` in an unfinished leaf: by a playout, or by the evaluator if it knows
    /// more.
    fn play_out(&mut self, position: &mut P) -> f32 {
        if self.evaluator.replaces_playouts() {
            return win_probability(&mut self.evaluator, position);
        }
        let first = (self.simulation).run(position, &mut self.evaluator, &mut self.rng);
        self.simulation.learn(first);
        first
    }

    /// Expands a leaf that has enough playouts, if no other thread does and there is room.
    fn expand_if_due(&mut self, position: &mut P, index: u32) -> Option<Block> {
        let node = self.tree.node(index);
        let virtual_loss = self.path.last().and_then(|step| step.virtual_loss);
        let visits = node.visits() - virtual_loss.is_some() as u32;
        let is_roll = node.weight() != 0;
        let prior = if is_roll {
            0
        } else {
            self.settings.prior_playouts
        };
        let due = visits >= prior.saturating_add(self.settings.expand_after);
        if self.tree_full || !due {
            return None;
        }
        self.expand(position, index)
    }

    /// Selects a child and plays its edge; `None` if the node has just been proven.
    fn descend(
        &mut self,
        tree: &Tree,
        position: &mut P,
        at: Expanded,
        side: Side,
    ) -> Option<usize> {
        if P::HAS_CHANCE && position.is_chance() {
            let place = self.sample_roll(at.children);
            position.play_roll(at.children[place].edge() as u8);
            Some(place)
        } else {
            let place = self.choose(tree, at, side)?;
            let bits = at.children[place].edge();
            self.simulation.record((side, bits));
            position.play(P::Move::from_bits(bits));
            Some(place)
        }
    }

    /// Adds a virtual loss to the child for the side that chose it, so that other threads prefer
    /// other children until the playout ends. Busy nodes get none, because one visit would not
    /// change their mean.
    #[inline]
    fn add_virtual_loss(&self, index: u32, child: &Node, side: Side) -> Option<u64> {
        if !self.share.is_shared() || is_busy(child) {
            return None;
        }
        let virtual_loss = match side {
            Side::First => 0,
            Side::Second => Node::ONE,
        };
        child.add_virtual_loss(virtual_loss);
        self.tree.refresh(index);
        Some(virtual_loss)
    }

    /// Index of the child to play; `None` if the node has just been proven.
    fn choose(&mut self, tree: &Tree, at: Expanded, side: Side) -> Option<usize> {
        if let Some(choice) = select(&self.settings, tree, at, side, self.share) {
            if at.node.is_bounded() {
                let low = match side {
                    Side::First => at.node.bounds().low,
                    Side::Second => at.node.bounds().high,
                };
                let sure = Bounds::points_of::<P>(low);
                let step = self.path.last_mut().expect("the node is on the path");
                step.proven_points = (choice.bound < of(side, sure)).then_some(Node::fixed(sure));
            }
            return Some(choice.place);
        }
        // No child can be better than the proven lower bound.
        self.update_bounds(at.index, side, at.block);
        if at.node.value().is_some() {
            return None;
        }
        let low = |&place: &usize| at.children[place].bounds().of(side).low;
        Some((0..at.children.len()).max_by_key(low).unwrap_or(0))
    }

    /// Index of a random roll, drawn by weight.
    fn sample_roll(&mut self, rolls: &[Node]) -> usize {
        let mut ticket = self.rng.below(P::FACES as u32);
        let place = rolls.iter().position(|roll| {
            let hit = ticket < roll.weight();
            ticket = ticket.wrapping_sub(roll.weight());
            hit
        });
        place.expect("weights of rolls sum to the number of faces")
    }

    /// Updates the bounds of a node from its children; returns whether they changed.
    fn update_bounds(&self, index: u32, side: Side, block: Block) -> bool {
        let children = self.tree.children(block);
        let bounds = if children[0].weight() > 0 {
            let rolls = children.iter().map(|c| (c.bounds(), c.weight() as i32));
            Bounds::of_rolls(rolls, P::MAX_SCORE)
        } else {
            Bounds::of_choice(
                children.iter().map(Node::bounds),
                side,
                block.is_incomplete(),
            )
        };
        let news = bounds != Bounds::UNKNOWN && self.tree.node(index).tighten(bounds);
        if news {
            self.tree.refresh(index);
        }
        news
    }

    /// Adds a playout to the nodes of its path, and propagates new proofs upwards.
    fn back_up(&mut self, tree: &Tree, first: f32, expanded: bool) {
        let mut points = Node::fixed(first);
        let last = self.path.len() - 1;
        let mut proven = tree.node(self.path[last].index).is_bounded();
        for i in (0..=last).rev() {
            let step = self.path[i];
            let node = tree.node(step.index);
            if let Some(sure) = step.proven_points {
                points = sure;
            }
            if self.share.is_shared() {
                match step.virtual_loss {
                    Some(virtual_loss) => {
                        node.replace_virtual_loss(points.wrapping_sub(virtual_loss));
                        tree.refresh(step.index);
                    }
                    None => self.visit_buffer.add(tree, step.index, points),
                }
            } else {
                node.add_playout(points);
                tree.refresh(step.index);
            }
            if proven
                && i < last
                && let Some(block) = node.link.block()
            {
                // Shared children may have been proven before by another path to them.
                proven = self.update_bounds(step.index, step.side, block) || tree.map.is_some();
            }
        }
        debug_assert!(
            self.share.is_shared() || self.path.iter().all(|step| tree.is_refreshed(step.index))
        );
        if self.settings.needs_extras() {
            self.back_up_extras(first, expanded);
        }
    }

    /// Backs up the statistics that only some methods need.
    fn back_up_extras(&mut self, first: f32, expanded: bool) {
        let mut fresh = expanded && self.settings.implicit > 0.0;
        let mut end = self.simulation.game.len();
        self.later.clear(end);
        for step in self.path.iter().rev() {
            if let Some(extra) = self.tree.extra(step.index) {
                extra.add_square(first);
            }
            let Some(block) = self.tree.node(step.index).link.block() else {
                continue;
            };
            let (children, extras) = (self.tree.children(block), self.tree.extras(block));
            if self.settings.rave.is_some() {
                for &action in &self.simulation.game[step.mark as usize..end] {
                    self.later.insert(action);
                }
                end = step.mark as usize;
                if children[0].weight() == 0 {
                    rave::update(children, extras, step.side, &self.later, first);
                }
            }
            if fresh && let Some(extra) = self.tree.extra(step.index) {
                let value = implicit::minimax(children, extras, step.side);
                fresh = value != extra.implicit() || expanded;
                extra.set_implicit(value);
            }
        }
    }
}
