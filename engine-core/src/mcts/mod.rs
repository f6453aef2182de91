//! Monte-Carlo tree search, right for extra turns, dice, margins and proven results.
//!
//! | file | what it holds |
//! |---|---|
//! | `variant`, `settings` | the methods by name; the numbers they are mixed from |
//! | `worker` | one thread: select, play out, back up; `expand` opens leaves |
//! | `select` | which child is next, by `ucb`, `tuned`, `puct`, `rave`, `bias`, `widening`, `implicit` |
//! | `simulate` | playouts, with `lgr` and `early` |
//! | `bounds` | proofs: MCTS-Solver and score bounds |
//! | `tree`, `node`, `extra`, `link` | the nodes, and how threads grow them without locks |
//! | `recycle`, `reroot`, `transpositions` | bounded memory, tree reuse, shared children |
//! | `helper`, `control`, `busy` | what threads are asked, share, and keep to themselves |
//! | `report` | the move to play |

mod bias;
mod bounds;
mod busy;
mod control;
mod early;
mod expand;
mod extra;
mod helper;
mod implicit;
mod lgr;
mod link;
mod node;
mod puct;
mod rave;
mod recycle;
mod report;
mod reroot;
mod select;
mod settings;
mod simulate;
mod transpositions;
mod tree;
mod tuned;
mod ucb;
mod variant;
mod widening;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use crate::evaluate::{Evaluator, Playout};
use crate::limits::{Limits, Report};
use crate::pool::Pool;
use crate::position::Position;
use crate::search::Search;
use crate::settings::Settings;
use control::Control;
use helper::{Done, Job, helper};
use reroot::reroot;
pub use settings::{Parallel, Selection, TreeSettings};
use tree::Tree;
pub use variant::Variant;
use worker::Worker;

/// The player of every Monte-Carlo method.
pub struct Mcts<P: Position, E, L> {
    /// One for all threads, or one a thread.
    trees: Vec<Arc<Tree>>,
    /// The worker of the thread that asks for moves.
    first: Worker<P, E, L>,
    helpers: Pool<Job<P>, Done>,
    settings: TreeSettings,
    seed: u64,
    /// The root of the last search, if its trees may be used again.
    last: Option<P>,
}

impl<P, E, L> Mcts<P, E, L>
where
    P: Position,
    E: Evaluator<P> + 'static,
    L: Playout<P> + 'static,
{
    /// A player with an evaluator and a playout policy a thread, at least one, whose trees take at
    /// most `megabytes` MiB together (or 128 KiB each, which is the least that a tree needs), and
    /// whose playouts follow from `seed`. `None` if the system does not have the memory.
    ///
    /// # Panics
    /// If there is no player.
    pub fn new(
        players: Vec<(E, L)>,
        settings: &Settings,
        megabytes: usize,
        seed: u64,
    ) -> Option<Self> {
        let threads = players.len();
        let one_tree = settings.tree.parallel == Parallel::Tree;
        let count = if one_tree { 1 } else { threads };
        let bytes = megabytes.checked_mul(1 << 20)? / count.max(1);
        let trees: Option<Vec<_>> = (0..count)
            .map(|_| Tree::new(bytes, &settings.tree).map(Arc::new))
            .collect();
        let trees = trees?;
        let shared = one_tree && threads > 1;
        let mut workers = players.into_iter().enumerate().map(|(i, player)| {
            let tree = trees[if one_tree { 0 } else { i }].clone();
            Worker::new(player, settings, tree, shared)
        });
        let first = workers
            .next()
            .expect("a thread needs an evaluator and a policy");
        let helpers = Pool::new((1..).zip(workers).map(|(i, worker)| helper(i, worker)));
        let mut mcts = Mcts {
            trees,
            first,
            helpers,
            settings: settings.tree.clone(),
            seed,
            last: None,
        };
        mcts.seed();
        Some(mcts)
    }

    /// Gives every thread a stream of its own.
    fn seed(&mut self) {
        let seed = self.seed;
        let job = Job::NewGame { seed };
        (self.helpers).together(&job, || self.first.new_game(seed));
    }

    /// Makes `root` the root of every tree, with what is known below it.
    fn plant(&mut self, root: &P) {
        let last = self.last.take().filter(|_| self.settings.reuse);
        for tree in &self.trees {
            let kept = last.as_ref().is_some_and(|last| reroot(tree, last, root));
            if !kept {
                tree.reset();
            }
        }
        self.last = Some(root.clone());
    }

    /// Makes room in the trees; false if they cannot grow any more in this search.
    fn collect(&self, limits: &Limits) -> bool {
        /// What it takes to touch a node: some 10 ns, with a reserve.
        const COST: Duration = Duration::from_nanos(20);
        let affordable = |nodes: u32| {
            let left = limits
                .hard
                .map(|hard| hard.saturating_sub(limits.elapsed()));
            !limits.stop.is_set() && left.is_none_or(|left| left > COST * nodes)
        };
        // Every tree has a try.
        let done: Vec<_> = (self.trees.iter())
            .map(|tree| tree.collect(affordable))
            .collect();
        done.into_iter().all(|done| done)
    }

    /// The state of a search.
    fn report(&self, root: &P, limits: &Limits) -> Report<P::Move> {
        report_of(&self.first, &self.trees, root, limits)
    }

    fn is_forced(&self, limits: &Limits) -> bool {
        limits.is_timed() && self.trees[0].root_children().len() == 1
    }
}

/// The state of a search as one of its workers sees it.
fn report_of<P: Position, E: Evaluator<P>, L: Playout<P>>(
    worker: &Worker<P, E, L>,
    trees: &[Arc<Tree>],
    root: &P,
    limits: &Limits,
) -> Report<P::Move> {
    let mut report = Report {
        seldepth: worker.seldepth,
        nodes: worker.playouts,
        hashfull: worker.tree.fullness(),
        ..Report::empty(limits)
    };
    let side = root.side();
    let children = report::candidates(trees.iter().map(|tree| &**tree));
    let tree = &*worker.tree;
    if let Some(best) = report::best::<P>(&children, side) {
        report.pv = report::principal_variation(tree, root, children[best].edge);
        report.depth = report.pv.len() as u32;
        let known = report::known(&children, side, tree);
        let margins = tree.has_margins();
        report.score = report::score::<P>(&children[best], known, side, report.depth, margins);
    }
    report
}

impl<P, E, L> Search<P> for Mcts<P, E, L>
where
    P: Position,
    E: Evaluator<P> + 'static,
    L: Playout<P> + 'static,
{
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        if root.outcome().is_some() || root.is_chance() {
            return Report::empty(limits);
        }
        self.plant(root);
        self.first.begin();
        self.first.open_root(root);
        let playouts = if self.is_forced(limits) {
            Some(1)
        } else {
            limits.nodes
        };
        let control = Arc::new(Control::new(playouts, 1 + self.helpers.len()));
        let job = Job::Run {
            root: root.clone(),
            limits: limits.clone(),
            control: control.clone(),
        };
        let mut helped = Done::default();
        loop {
            let (first, trees) = (&mut self.first, &self.trees);
            let ((), done) = self.helpers.together(&job, || {
                first.run(root, limits, &control, &mut |worker| {
                    // Reports at 1 024, 2 048, 4 096, … playouts.
                    if worker.playouts >= 1024 && worker.playouts.is_power_of_two() {
                        progress(&report_of(worker, trees, root, limits));
                    }
                });
            });
            done.into_iter().for_each(|done| helped.add(done));
            if !control.resume() {
                break;
            }
            if !self.collect(limits) {
                control.freeze();
            }
        }
        let mut report = self.report(root, limits);
        report.nodes += helped.playouts;
        report.seldepth = report.seldepth.max(helped.seldepth);
        progress(&report);
        report
    }

    fn new_game(&mut self) {
        self.last = None;
        self.trees.iter().for_each(|tree| tree.forget());
        self.seed();
    }
}
