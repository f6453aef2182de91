//! Monte-Carlo tree search: UCT with playouts, right for extra turns, dice and proven results.

mod settings;
mod tree;
mod uct;

use crate::evaluate::{Evaluator, Playout};
use crate::limits::{Counters, Limits, Report};
use crate::position::{Move, Outcome, Position, Side};
use crate::rng::Rng;
use crate::score::Score;
use crate::search::Search;
use crate::settings::Settings;
pub use settings::TreeSettings;
use tree::{Node, Proof};
use uct::Worker;

/// Which Monte-Carlo search plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// As the game's settings say.
    Tuned,
}

/// The player `mcts`. Several threads grow a tree each (root parallelism, Cazenave and Jouandeau
/// 2007), and the statistics of their roots are added up.
pub struct Mcts<P: Position, E, L> {
    workers: Vec<Worker<P, E, L>>,
    seed: u64,
}

/// The nodes that fit in so much memory.
fn nodes_in(megabytes: usize) -> usize {
    megabytes.saturating_mul(1 << 20) / size_of::<Node>()
}

impl<P: Position, E: Evaluator<P>, L: Playout<P>> Mcts<P, E, L> {
    /// A player with an evaluator and a playout policy a thread, at least one, whose trees take at
    /// most `megabytes` MiB together, and whose playouts follow from `seed`.
    ///
    /// # Panics
    /// If there is no player.
    pub fn new(players: Vec<(E, L)>, settings: &Settings, megabytes: usize, seed: u64) -> Self {
        assert!(
            !players.is_empty(),
            "a thread needs an evaluator and a policy"
        );
        let nodes = nodes_in(megabytes) / players.len();
        let worker = |(evaluator, playout)| {
            Worker::new(evaluator, playout, settings.clone(), nodes, Rng::new(seed))
        };
        let mut mcts = Mcts {
            workers: players.into_iter().map(worker).collect(),
            seed,
        };
        mcts.seed_workers();
        mcts
    }

    /// Gives every thread a stream of its own.
    fn seed_workers(&mut self) {
        for (i, worker) in self.workers.iter_mut().enumerate() {
            worker.rng = Rng::new(self.seed.wrapping_add(i as u64));
        }
    }

    /// The roots of all threads added up, children by place: all have the same, in the same order.
    fn merged_root(&self) -> Vec<Node> {
        let (first, others) = self.workers.split_first().expect("there is a worker");
        let mut children = first.tree.children(0).to_vec();
        for worker in others {
            for (sum, child) in children.iter_mut().zip(worker.tree.children(0)) {
                sum.visits += child.visits;
                sum.points += child.points;
                if let Some(outcome) = child.proof().outcome() {
                    sum.prove(outcome);
                }
            }
        }
        children
    }
}

impl<P: Position, E: Evaluator<P>, L: Playout<P>> Search<P> for Mcts<P, E, L> {
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        if root.outcome().is_some() || root.is_chance() {
            return Report::empty(limits);
        }
        let mut share = limits.clone();
        share.nodes = limits
            .nodes
            .map(|nodes| nodes.div_ceil(self.workers.len() as u64));
        let limits = &share;
        let (first, helpers) = self.workers.split_first_mut().expect("there is a worker");
        std::thread::scope(|scope| {
            for worker in helpers.iter_mut() {
                scope.spawn(move || worker.run(root, limits, &mut |_| {}));
            }
            first.run(root, limits, &mut |worker| {
                // Reports at 1 024, 2 048, 4 096, … playouts.
                if worker.playouts >= 1024 && worker.playouts.is_power_of_two() {
                    progress(&report(worker, worker.tree.children(0), root, limits));
                }
            });
        });
        let children = self.merged_root();
        let mut report = report(&self.workers[0], &children, root, limits);
        report.nodes = self.workers.iter().map(|worker| worker.playouts).sum();
        report.seldepth = self.workers.iter().map(|w| w.seldepth).max().unwrap_or(0);
        progress(&report);
        report
    }

    fn new_game(&mut self) {
        self.seed_workers();
    }
}

/// The child to play for `side`: a proven win, else the one with most visits that is not lost.
fn best_child(children: &[Node], side: Side) -> Option<usize> {
    let rank = |node: &Node| {
        let class = match node.proof().outcome() {
            Some(Outcome::Win(winner)) if winner == side => 2,
            Some(Outcome::Win(_)) => 0,
            _ => 1,
        };
        (class, node.visits)
    };
    // The first of the best.
    (0..children.len())
        .rev()
        .max_by_key(|&place| rank(&children[place]))
}

/// The state of a search whose root has these children.
fn report<P: Position, E: Evaluator<P>, L: Playout<P>>(
    worker: &Worker<P, E, L>,
    children: &[Node],
    root: &P,
    limits: &Limits,
) -> Report<P::Move> {
    let pv = principal_variation(worker, children, root);
    let side = root.side();
    let best = best_child(children, side).map(|place| &children[place]);
    Report {
        depth: pv.len() as u32,
        seldepth: worker.seldepth,
        score: best.map_or(Score::DRAW, |child| score(child, side, pv.len() as u32)),
        nodes: worker.playouts,
        time: limits.elapsed(),
        hashfull: worker.tree.fullness(),
        counters: Counters::default(),
        pv,
    }
}

/// A win chance as points: ±1 000 for certainty. What is proven is reported as a win or loss in as
/// many plies as the principal variation has; the shortest way is not known.
fn score(node: &Node, side: Side, plies: u32) -> Score {
    match node.proof() {
        Proof::Unknown => Score::points((2000.0 * (node.mean(side) - 0.5)).round() as i32),
        Proof::Draw => Score::DRAW,
        proof if proof.is_win_of(side) => Score::win_in(plies.min(Score::MAX_PLY)),
        _ => Score::loss_in(plies.min(Score::MAX_PLY)),
    }
}

/// The best move at the root, then the most visited ones, until the tree or a roll ends it.
fn principal_variation<P: Position, E: Evaluator<P>, L: Playout<P>>(
    worker: &Worker<P, E, L>,
    children: &[Node],
    root: &P,
) -> Vec<P::Move> {
    let mut position = root.clone();
    let mut pv = Vec::new();
    let mut index = 0;
    let mut best = best_child(children, position.side());
    while let Some(place) = best {
        index = worker.tree.child(index, place);
        let node = worker.tree.node(index);
        let mv = P::Move::from_bits(node.edge);
        pv.push(mv);
        position.play(mv);
        if position.outcome().is_some() || position.is_chance() {
            break;
        }
        best = best_child(worker.tree.children(index), position.side());
    }
    pv
}
