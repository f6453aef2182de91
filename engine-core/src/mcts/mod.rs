//! Monte-Carlo tree search that supports extra turns, dice, margins and proven results.
//!
//! | file | what it holds |
//! |---|---|
//! | `method`, `settings` | the methods by name, and their parameters |
//! | `thread` | one search thread: select, expand, play out, back up; `expand` adds the children of a leaf |
//! | `select` | selection of a child: `ucb`, `tuned`, `puct`, `rave`, `bias`, `widening`, `implicit` |
//! | `simulate` | playouts, with `lgr` and `early` |
//! | `bounds` | proven values: MCTS-Solver and score bounds |
//! | `tree`, `node`, `estimate`, `extra`, `link` | the nodes, what selections compare of them, and their lock-free expansion |
//! | `recycle`, `reroot`, `transpositions` | bounded memory, tree reuse, shared children |
//! | `helper`, `control`, `buffer`, `thread_share` | helper threads: their jobs, shared state, buffered visits, and how they keep apart |
//! | `early_stop` | ends a search early if the best move can no longer be overtaken |
//! | `report` | the best move, its value, the principal variation |

mod bias;
mod bounds;
mod buffer;
mod control;
mod early;
mod early_stop;
mod estimate;
mod expand;
mod extra;
mod helper;
mod implicit;
mod lgr;
mod link;
mod method;
mod node;
mod puct;
mod rave;
mod recycle;
mod report;
mod reroot;
mod select;
mod settings;
mod simulate;
mod thread;
mod thread_share;
mod transpositions;
mod tree;
mod tuned;
mod ucb;
mod widening;

use std::sync::Arc;
use std::time::Duration;

use crate::evaluate::{Evaluator, Playout};
use crate::limits::{Limits, Report, StopFlag};
use crate::pool::Pool;
use crate::position::Position;
use crate::search::Search;
use crate::search::at_once::win_at_once;
use control::Control;
use early_stop::EarlyStop;
use helper::{HelperStats, Job, helper};
pub use method::TreeMethod;
use reroot::reroot;
pub use settings::{Parallel, Selection, TreeSettings};
use thread::TreeThread;
use thread_share::ThreadShare;
use tree::Tree;

/// A Monte-Carlo player; the settings define the method.
pub struct Mcts<P: Position, E, L> {
    /// One tree for all threads, or one for each thread.
    trees: Vec<Arc<Tree>>,
    /// The search thread that runs on the calling thread.
    first: TreeThread<P, E, L>,
    helpers: Pool<Job<P>, HelperStats>,
    seed: u64,
    /// The root of the last search; `None` if its trees cannot be reused.
    last: Option<P>,
    /// Moves of the next root that need no search.
    excluded: Vec<P::Move>,
}

impl<P, E, L> Mcts<P, E, L>
where
    P: Position,
    E: Evaluator<P> + 'static,
    L: Playout<P> + 'static,
{
    /// A player with one thread for each evaluator and playout policy, at least one. It asks the
    /// evaluator for at most `candidate_limit` candidates, or searches all moves. The trees take
    /// at most `megabytes` MiB together (but at least 128 KiB each), and all random numbers follow
    /// from `seed`. `None` if the memory cannot be allocated.
    ///
    /// # Panics
    /// If `players` is empty.
    pub fn new(
        players: Vec<(E, L)>,
        settings: &TreeSettings,
        candidate_limit: Option<usize>,
        megabytes: usize,
        seed: u64,
    ) -> Option<Self> {
        let threads = players.len();
        let one_tree = settings.parallel == Parallel::Tree;
        let count = if one_tree { 1 } else { threads };
        let bytes = megabytes.checked_mul(1 << 20)? / count.max(1);
        let trees: Option<Vec<_>> = (0..count)
            .map(|_| Tree::new(bytes, settings).map(Arc::new))
            .collect();
        let trees = trees?;
        let mut tree_threads = players.into_iter().enumerate().map(|(i, player)| {
            let tree = trees[if one_tree { 0 } else { i }].clone();
            let share = if one_tree {
                ThreadShare {
                    thread: i as u32,
                    threads: threads as u32,
                }
            } else {
                ThreadShare::ALONE
            };
            TreeThread::new(player, settings, candidate_limit, tree, share)
        });
        let first = tree_threads.next().expect("at least one player");
        let helpers = Pool::new((1..).zip(tree_threads).map(|(i, thread)| helper(i, thread)));
        let mut mcts = Mcts {
            trees,
            first,
            helpers,
            seed,
            last: None,
            excluded: Vec::new(),
        };
        mcts.seed();
        Some(mcts)
    }

    /// Gives every thread its own stream of random numbers.
    fn seed(&mut self) {
        let seed = self.seed;
        let job = Job::NewGame { seed };
        (self.helpers).together(&job, || self.first.new_game(seed));
    }

    /// Makes `root` the root of every tree, and keeps the subtree below it if there is one.
    fn set_root(&mut self, root: &P) {
        let last = self.last.take();
        for tree in &self.trees {
            let kept = last.as_ref().is_some_and(|last| reroot(tree, last, root));
            if !kept {
                tree.reset();
            }
        }
        self.last = Some(root.clone());
    }

    /// Recycles the trees; false if they cannot grow any more in this search.
    fn collect(&self, limits: &Limits) -> bool {
        /// Time to touch a node: about 10 ns, with a reserve.
        const COST: Duration = Duration::from_nanos(20);
        let affordable = |nodes: u32| {
            let left = limits
                .hard
                .map(|hard| hard.saturating_sub(limits.elapsed()));
            !limits.stop.is_set() && left.is_none_or(|left| left > COST * nodes)
        };
        // Recycle all trees, even if one fails.
        let done: Vec<_> = (self.trees.iter())
            .map(|tree| tree.collect(affordable))
            .collect();
        done.into_iter().all(|done| done)
    }

    /// The current report.
    fn report(&self, root: &P, limits: &Limits) -> Report<P::Move> {
        report_of(&self.first, &self.trees, root, limits)
    }

    /// Grows the trees from their root, the position `root`, within `limits`.
    fn grow(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> HelperStats {
        self.first.begin();
        let limits = &limits.with_choices(self.trees[0].root_children().len());
        let control = Arc::new(Control::new(limits.nodes, 1 + self.helpers.len()));
        let job = Job::Run {
            root: root.clone(),
            limits: limits.clone(),
            control: control.clone(),
        };
        let mut helped = HelperStats::default();
        let mut early_stop = EarlyStop::new(&self.trees, limits);
        loop {
            let (first, trees) = (&mut self.first, &self.trees);
            let ((), done) = self.helpers.together(&job, || {
                first.run(root, limits, &control, &mut |thread| {
                    // Reports at 1 024, 2 048, 4 096, … playouts.
                    if thread.playouts >= 1024 && thread.playouts.is_power_of_two() {
                        progress(&report_of(thread, trees, root, limits));
                    }
                    if early_stop.is_decided(trees, root) {
                        control.end();
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
        helped
    }
}

/// The current report, with the counters of one thread.
fn report_of<P: Position, E: Evaluator<P>, L: Playout<P>>(
    thread: &TreeThread<P, E, L>,
    trees: &[Arc<Tree>],
    root: &P,
    limits: &Limits,
) -> Report<P::Move> {
    let mut report = Report {
        seldepth: thread.seldepth,
        nodes: thread.playouts,
        hashfull: thread.tree.fullness(),
        ..Report::empty(limits)
    };
    if root.is_chance() {
        return report;
    }
    let side = root.side();
    let children = report::candidates(trees.iter().map(|tree| &**tree));
    let tree = &*thread.tree;
    if let Some(best) = report::best::<P>(&children, side) {
        report.pv = report::principal_variation(tree, root, children[best].edge);
        report.depth = report.pv.len() as u32;
        let known = report::proven_bounds(&children, side, tree);
        let (evaluator, plies) = (&thread.evaluator, report.depth);
        report.score = report::score(evaluator, root, &children[best], known, plies);
        report.solved = known.value().is_some();
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
        self.set_root(root);
        self.first.expand_root(root);
        let excluded = std::mem::take(&mut self.excluded);
        self.first.exclude(root.side(), &excluded);
        let helped = self.grow(root, limits, progress);
        let mut report = self.report(root, limits);
        self.first.readmit(&excluded);
        report.nodes += helped.playouts;
        report.seldepth = report.seldepth.max(helped.seldepth);
        let children = self.trees[0].root_children().len() as u64;
        if report.nodes < children
            && !report.solved
            && let Some(win) = win_at_once(root, &excluded, limits)
        {
            report = Report {
                nodes: report.nodes,
                ..win
            };
        }
        if report.score.is_some() {
            progress(&report);
        }
        report
    }

    fn exclude(&mut self, moves: Vec<P::Move>) {
        self.excluded = moves;
    }

    /// The tree grows from the position after the own turn, so that it knows every reply, and every roll: a
    /// root after the expected reply would lose all others.
    fn ponder(&mut self, root: &P, _: &[P::Move], stop: &StopFlag) {
        if root.outcome().is_some() {
            return;
        }
        let mut limits = Limits::default();
        limits.stop = stop.clone();
        self.set_root(root);
        self.grow(root, &limits, &mut |_| {});
    }

    fn new_game(&mut self) {
        self.last = None;
        self.trees.iter().for_each(|tree| tree.forget());
        self.seed();
    }
}
