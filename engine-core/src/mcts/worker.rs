//! One thread of Monte-Carlo tree search: select, expand, play out, back up (Kocsis and Szepesvári
//! 2006).

use std::sync::Arc;

use crate::evaluate::{Evaluator, Playout};
use crate::limits::Limits;
use crate::mcts::busy::{Kept, is_busy};
use crate::mcts::control::{Control, Timer};
use crate::mcts::extra::of;
use crate::mcts::link::Block;
use crate::mcts::node::{Fresh, Node};
use crate::mcts::rave::{self, Later};
use crate::mcts::select::select;
use crate::mcts::settings::TreeSettings;
use crate::mcts::simulate::Simulation;
use crate::mcts::tree::{Piece, Tree};
use crate::mcts::{bounds::Bounds, implicit};
use crate::position::{Move, Position, Side};
use crate::rng::Rng;
use crate::settings::Settings;

/// A node on the way of a playout.
#[derive(Clone, Copy, Debug)]
struct Step {
    index: u32,
    /// Who acts here.
    side: Side,
    /// The points that this playout counts for here until it has ended; `None` while it does not
    /// count.
    lent: Option<u64>,
    /// Noted actions before this node.
    mark: u32,
    /// The points of `First` that count from here up, in place of the playout's: what its side is
    /// sure of, where the playout only looks for more among moves that seem worse. Without that the
    /// mean would forget the best move as soon as its value is known.
    instead: Option<f32>,
}

/// What a thread has for itself.
pub(super) struct Worker<P: Position, E, L> {
    pub(super) evaluator: E,
    simulation: Simulation<L, P::Move>,
    pub(super) settings: TreeSettings,
    /// How many of the evaluator's candidates are looked at; `None` for all moves.
    pub(super) width: Option<usize>,
    pub(super) tree: Arc<Tree>,
    pub(super) piece: Piece,
    /// Whether other threads grow the same tree.
    shared: bool,
    rng: Rng,
    /// Playouts since the search began.
    pub(super) playouts: u64,
    /// Deepest ply that a playout started from.
    pub(super) seldepth: u32,
    /// Whether the tree had no room for a leaf's children.
    pub(super) starved: bool,
    kept: Kept,
    path: Vec<Step>,
    later: Later,
    pub(super) moves: Vec<P::Move>,
    pub(super) rolls: Vec<(u8, i32)>,
    pub(super) fresh: Vec<Fresh>,
}

impl<P: Position, E: Evaluator<P>, L: Playout<P>> Worker<P, E, L> {
    pub(super) fn new(
        (evaluator, policy): (E, L),
        settings: &Settings,
        tree: Arc<Tree>,
        shared: bool,
    ) -> Self {
        Worker {
            evaluator,
            simulation: Simulation::new(policy, &settings.tree),
            settings: settings.tree.clone(),
            width: settings.width,
            tree,
            piece: Piece::default(),
            shared,
            rng: Rng::new(0),
            playouts: 0,
            seldepth: 0,
            starved: false,
            kept: Kept::default(),
            path: Vec::new(),
            later: Later::default(),
            moves: Vec::new(),
            rolls: Vec::new(),
            fresh: Vec::new(),
        }
    }

    /// A new game, played by the random numbers of a seed.
    pub(super) fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.simulation.clear();
    }

    /// A new search begins.
    pub(super) fn begin(&mut self) {
        (self.playouts, self.seldepth) = (0, 0);
    }

    /// Opens the root, so that there is a move however short the search.
    pub(super) fn open_root(&mut self, root: &P) {
        let index = self.tree.root();
        if self.tree.node(index).link.block().is_none() {
            self.piece = Piece::default();
            let block = self.open(&mut root.clone(), index);
            block.map(|block| self.conclude(index, root.side(), block));
        }
    }

    /// Plays from `root` until a limit, a proof or a full tree ends it; `after` is called after
    /// every playout.
    pub(super) fn run(
        &mut self,
        root: &P,
        limits: &Limits,
        control: &Control,
        after: &mut dyn FnMut(&Self),
    ) {
        self.open_root(root);
        self.piece = Piece::default();
        self.starved = control.is_frozen();
        let mut timer = Timer::new(limits);
        let mut tickets = 0;
        let mut position = root.clone();
        while !control.is_paused() {
            let proven = self.tree.node(self.tree.root()).bounds().value().is_some();
            if proven || limits.stop.is_set() || timer.is_over() {
                control.end();
                break;
            }
            if tickets == 0 {
                tickets = control.draw();
                if tickets == 0 {
                    break;
                }
            }
            tickets -= 1;
            position.clone_from(root);
            self.play_once(&mut position);
            self.playouts += 1;
            after(self);
            if self.starved && !control.is_frozen() {
                control.report_full();
            }
        }
        self.kept.empty(&self.tree);
        control.give_back(tickets);
    }

    /// One playout from the root, which `position` is, and what it teaches.
    fn play_once(&mut self, position: &mut P) {
        self.path.clear();
        self.simulation.game.clear();
        let mut index = self.tree.root();
        let mut lent = None;
        let mut opened = false;
        let points = loop {
            self.path.push(Step {
                index,
                side: position.side(),
                lent,
                mark: self.simulation.game.len() as u32,
                instead: None,
            });
            let node = self.tree.node(index);
            if let Some(value) = node.bounds().value() {
                break Bounds::points_of::<P>(value);
            }
            let block = match node.link.block() {
                Some(block) => block,
                None => {
                    if let Some(end) = self.tree.end(position) {
                        self.tree.node(index).tighten(end);
                        // Looked at again, as a node that is proven.
                        self.path.pop();
                        continue;
                    }
                    match self.open_if_ripe(position, index) {
                        Some(block) => {
                            opened = true;
                            self.conclude(index, position.side(), block);
                            if self.tree.node(index).bounds().value().is_some() {
                                self.path.pop();
                                continue;
                            }
                            block
                        }
                        None => break self.play_out(position),
                    }
                }
            };
            let side = position.side();
            match self.descend(position, index, block) {
                Some(child) => (index, lent) = (child, self.lend(child, side)),
                None => {
                    self.path.pop();
                }
            }
        };
        self.seldepth = self.seldepth.max(self.path.len() as u32 - 1);
        self.back_up(points, opened);
    }

    fn play_out(&mut self, position: &mut P) -> f32 {
        let first = (self.simulation).run(position, &mut self.evaluator, &mut self.rng);
        self.simulation.learn(first);
        first
    }

    /// Opens a leaf that has had its playouts, if no other thread does and there is room.
    fn open_if_ripe(&mut self, position: &mut P, index: u32) -> Option<Block> {
        let node = self.tree.node(index);
        let lent = self.path.last().and_then(|step| step.lent);
        let visits = node.visits() - lent.is_some() as u32;
        let is_roll = node.weight() != 0;
        let prior = if is_roll {
            0
        } else {
            self.settings.prior_playouts
        };
        let ripe = visits >= prior.saturating_add(self.settings.expand_after);
        if self.starved || !ripe {
            return None;
        }
        self.open(position, index)
    }

    /// Chooses a child and plays its edge; `None` if the node has turned out to be proven.
    fn descend(&mut self, position: &mut P, index: u32, block: Block) -> Option<u32> {
        let side = position.side();
        let child = if P::HAS_CHANCE && position.is_chance() {
            let child = block.first + self.cast(block);
            position.play_roll(self.tree.node(child).edge() as u8);
            child
        } else {
            let place = self.choose(index, block, side)?;
            let child = block.first + place;
            let bits = self.tree.node(child).edge();
            self.simulation.note((side, bits));
            position.play(P::Move::from_bits(bits));
            child
        };
        Some(child)
    }

    /// Counts the playout as a loss of the side that chose the child, for other threads that come
    /// there before it has ended (virtual loss); not where one among so many would change nothing.
    #[inline]
    fn lend(&self, child: u32, side: Side) -> Option<u64> {
        let node = self.tree.node(child);
        if !self.shared || is_busy(node) {
            return None;
        }
        let lent = match side {
            Side::First => 0,
            Side::Second => Node::ONE,
        };
        node.meet(lent);
        Some(lent)
    }

    /// The place of the child to play; `None` if the node has turned out to be proven.
    fn choose(&mut self, index: u32, block: Block, side: Side) -> Option<u32> {
        let node = self.tree.node(index);
        if let Some(choice) = select(&self.settings, &self.tree, node, block, side) {
            if node.is_bounded() {
                let low = match side {
                    Side::First => node.bounds().low,
                    Side::Second => node.bounds().high,
                };
                let sure = Bounds::points_of::<P>(low);
                let step = self.path.last_mut().expect("the node is on the path");
                step.instead = (choice.bound < of(side, sure)).then_some(sure);
            }
            return Some(choice.place as u32);
        }
        // All that is listed is known to be no better than what is sure.
        self.conclude(index, side, block);
        if node.bounds().value().is_some() {
            return None;
        }
        let children = self.tree.children(block);
        let best = (0..children.len()).max_by_key(|&place| children[place].bounds().of(side).low);
        Some(best.unwrap_or(0) as u32)
    }

    /// A roll by its weight.
    fn cast(&mut self, block: Block) -> u32 {
        let mut ticket = self.rng.below(P::FACES as u32);
        let rolls = self.tree.children(block);
        let place = rolls.iter().position(|roll| {
            let hit = ticket < roll.weight();
            ticket = ticket.wrapping_sub(roll.weight());
            hit
        });
        place.expect("weights of rolls sum to the number of faces") as u32
    }

    /// Draws the conclusion from what is proven of the children; returns whether that was news.
    fn conclude(&self, index: u32, side: Side, block: Block) -> bool {
        let children = self.tree.children(block);
        let bounds = if children[0].weight() > 0 {
            let rolls = children.iter().map(|c| (c.bounds(), c.weight() as i32));
            Bounds::of_rolls(rolls, P::MAX_SCORE)
        } else {
            Bounds::of_choice(children.iter().map(Node::bounds), side, block.narrow)
        };
        bounds != Bounds::UNKNOWN && self.tree.node(index).tighten(bounds)
    }

    /// Adds a playout to the nodes of its path, and concludes from new proofs on the way up.
    fn back_up(&mut self, first: f32, opened: bool) {
        let mut points = Node::fixed(first);
        let last = self.path.len() - 1;
        let mut proven = self.tree.node(self.path[last].index).is_bounded();
        for i in (0..=last).rev() {
            let step = self.path[i];
            let node = self.tree.node(step.index);
            if let Some(sure) = step.instead {
                points = Node::fixed(sure);
            }
            if self.shared {
                match step.lent {
                    Some(lent) => node.settle(points.wrapping_sub(lent)),
                    None => self.kept.add(&self.tree, step.index, points),
                }
            } else {
                node.record(points);
            }
            if proven
                && i < last
                && let Some(block) = node.link.block()
            {
                // On another way to shared children their proofs may be old news.
                proven = self.conclude(step.index, step.side, block) || self.tree.map.is_some();
            }
        }
        if self.settings.needs_extras() {
            self.back_up_extras(first, opened);
        }
    }

    /// The same for what only some methods keep.
    fn back_up_extras(&mut self, first: f32, opened: bool) {
        let mut fresh = opened && self.settings.implicit > 0.0;
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
                fresh = value != extra.implicit() || opened;
                extra.set_implicit(value);
            }
        }
    }
}
