//! Iterative deepening (Slate and Atkin 1977) over any search to a fixed depth, on any number of
//! threads that share the table (Lazy SMP) and put off what others are searching.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::evaluate::Evaluator;
use crate::limits::{Limits, Report};
use crate::pool::Pool;
use crate::position::Position;
use crate::search::Search;
use crate::search::alphabeta::AlphaBeta;
use crate::search::line::complete;
use crate::search::plain::Plain;
use crate::search::pvs::PrincipalVariation;
use crate::search::root::{Exhaustive, ExhaustiveWorker, FixedDepth, RootMove, Tally};
use crate::search::selective::Selective;
use crate::search::settings::Method;
use crate::search::underway::Underway;
use crate::search::worker::{Driver, Strategy, Worker};
use crate::settings::Settings;
use crate::table::Table;

/// Deepest iteration, plies: the depth that a table entry can hold.
pub const MAX_DEPTH: u32 = 255;

/// A player by `method`, with this table (which the methods without a table leave empty) and one
/// evaluator a thread, at least one.
///
/// # Panics
/// If there is no evaluator.
pub fn player<P: Position, E: Evaluator<P> + 'static>(
    method: Method,
    table: Table,
    evaluators: Vec<E>,
    settings: &Settings,
) -> Box<dyn Search<P>> {
    let parts = Parts {
        table: Arc::new(table),
        evaluators,
        settings: settings.clone(),
    };
    match method {
        Method::Minimax => parts.exhaustive(Exhaustive::TwoFunctions),
        Method::MinimaxOne => parts.exhaustive(Exhaustive::OneFunction),
        Method::Negamax => parts.exhaustive(Exhaustive::Negamax),
        Method::Plain => parts.alpha_beta::<P, Plain>(Driver::Open),
        Method::FailHard => parts.alpha_beta::<P, AlphaBeta<true>>(Driver::Open),
        Method::FailSoft => parts.alpha_beta::<P, AlphaBeta<false>>(Driver::Open),
        Method::Pvs => parts.alpha_beta::<P, PrincipalVariation>(Driver::Open),
        Method::Aspiration => {
            parts.alpha_beta::<P, PrincipalVariation>(Driver::Aspiration { full: false })
        }
        Method::AspirationFull => {
            parts.alpha_beta::<P, PrincipalVariation>(Driver::Aspiration { full: true })
        }
        Method::Mtdf => parts.alpha_beta::<P, AlphaBeta<false>>(Driver::Mtdf),
        Method::Bisection => parts.alpha_beta::<P, AlphaBeta<false>>(Driver::Bisection),
        Method::Star1 => parts.star::<P>(false),
        Method::Star2 => parts.star::<P>(true),
        Method::Selective => parts.alpha_beta::<P, Selective>(Driver::Aspiration { full: false }),
    }
}

/// What a player is made of.
struct Parts<E> {
    table: Arc<Table>,
    evaluators: Vec<E>,
    settings: Settings,
}

impl<E: 'static> Parts<E> {
    fn exhaustive<P: Position>(self, kind: Exhaustive) -> Box<dyn Search<P>>
    where
        E: Evaluator<P>,
    {
        let worker = |evaluator| ExhaustiveWorker::new(kind, evaluator);
        let workers = self.evaluators.into_iter().map(worker);
        Box::new(Deepening::new(self.table, workers.collect()))
    }

    fn alpha_beta<P: Position, S: Strategy>(self, driver: Driver) -> Box<dyn Search<P>>
    where
        E: Evaluator<P>,
    {
        let Settings { search, width, .. } = &self.settings;
        let underway = Underway::of(self.evaluators.len());
        let worker = |evaluator| {
            let shared = (self.table.clone(), underway.clone());
            Worker::<P, E, S>::new(evaluator, shared, search, *width, driver)
        };
        let workers = self.evaluators.into_iter().map(worker).collect();
        Box::new(Deepening::new(self.table.clone(), workers))
    }

    fn star<P: Position>(mut self, star2: bool) -> Box<dyn Search<P>>
    where
        E: Evaluator<P>,
    {
        self.settings.search.star2 = star2;
        self.alpha_beta::<P, PrincipalVariation>(Driver::Open)
    }
}

/// Iterative deepening on a thread, and on helpers that fill the same table.
struct Deepening<P, F> {
    table: Arc<Table>,
    first: F,
    helpers: Pool<Task<P>, ()>,
}

/// What the helpers are asked to do.
#[derive(Clone)]
enum Task<P> {
    Search {
        root: P,
        limits: Limits,
        nodes: Arc<AtomicU64>,
    },
    Forget,
}

impl<P: Position, F: FixedDepth<P> + 'static> Deepening<P, F> {
    fn new(table: Arc<Table>, workers: Vec<F>) -> Self {
        let mut workers = workers.into_iter();
        let first = workers.next().expect("a thread needs an evaluator");
        let helper = |mut worker: F| {
            move |task| match task {
                Task::Forget => worker.forget(),
                Task::Search {
                    root,
                    limits,
                    nodes,
                } => deepen(&mut worker, &root, &limits, &nodes, &mut |_| {}),
            }
        };
        Deepening {
            table,
            first,
            helpers: Pool::new(workers.map(helper)),
        }
    }
}

impl<P: Position, F: FixedDepth<P> + 'static> Search<P> for Deepening<P, F> {
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        self.table.age();
        let nodes = Arc::new(AtomicU64::new(0));
        // The helpers search until the first thread has its answer.
        let helper_limits = Limits::default();
        let task = Task::Search {
            root: root.clone(),
            limits: helper_limits.clone(),
            nodes: nodes.clone(),
        };
        let (table, first) = (&self.table, &mut self.first);
        let mut report = Report::empty(limits);
        let mut found = |iteration: Iteration<'_, P::Move>| {
            let mut pv = iteration.best.pv.clone();
            complete(&mut pv, root, table, iteration.depth as usize);
            report = Report {
                depth: iteration.depth,
                seldepth: iteration.tally.seldepth,
                score: iteration.best.score,
                nodes: iteration.tally.nodes.max(nodes.load(Ordering::Relaxed)),
                time: limits.elapsed(),
                hashfull: table.fullness(),
                counters: iteration.tally.counters,
                pv,
            };
            progress(&report);
        };
        self.helpers.together(&task, || {
            deepen(first, root, limits, &nodes, &mut found);
            helper_limits.stop.stop();
        });
        report
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.helpers.together(&Task::Forget, || self.first.forget());
    }
}

/// What one iteration of a thread has found.
struct Iteration<'a, M> {
    /// Depth that was completed; 0 if none was.
    depth: u32,
    tally: Tally,
    best: &'a RootMove<M>,
}

/// Searches deeper and deeper until a limit, a proof, or the only move ends it, and reports each
/// iteration's best move. An iteration that is stopped counts as far as it came: its first move was
/// the best of the one before.
fn deepen<P: Position, F: FixedDepth<P>>(
    worker: &mut F,
    root: &P,
    limits: &Limits,
    shared_nodes: &Arc<AtomicU64>,
    report: &mut dyn FnMut(Iteration<'_, P::Move>),
) {
    if root.outcome().is_some() || root.is_chance() {
        return;
    }
    let mut position = root.clone();
    let mut moves = worker.begin(root, limits, shared_nodes);
    let last = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    for depth in 1..=last {
        let stopped = worker.iterate(&mut position, &mut moves, depth).is_err();
        debug_assert_eq!(position, *root, "a search leaves its root as it was");
        let completed = depth - u32::from(stopped);
        let best = &moves[0];
        report(Iteration {
            depth: completed,
            tally: worker.tally(),
            best,
        });
        let proven = best.score.plies_to_win().or(best.score.plies_to_loss());
        let alone = moves.len() == 1 && limits.is_timed();
        if stopped
            || proven.is_some_and(|plies| plies <= depth)
            || alone
            || limits.enough_for_iteration()
        {
            return;
        }
    }
}
