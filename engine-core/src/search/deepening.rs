//! Iterative deepening over principal variation search (Slate and Atkin 1977), on any number of
//! threads that share the table (Lazy SMP).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::evaluate::Evaluator;
use crate::limits::{Limits, Report};
use crate::position::Position;
use crate::search::Search;
use crate::search::pvs::{RootMove, Worker};
use crate::table::Table;

/// Deepest iteration, plies: the depth that a table entry can hold.
pub const MAX_DEPTH: u32 = 255;

/// The player `pvs`: principal variation search, one ply deeper at a time.
pub struct Pvs<P: Position, E> {
    table: Arc<Table>,
    workers: Vec<Worker<P, E>>,
}

impl<P: Position, E: Evaluator<P>> Pvs<P, E> {
    /// A player with this table and one evaluator a thread, at least one. `width` limits the moves
    /// that are looked at in every node.
    ///
    /// # Panics
    /// If there is no evaluator.
    pub fn new(table: Table, evaluators: Vec<E>, width: Option<usize>) -> Self {
        assert!(!evaluators.is_empty(), "a thread needs an evaluator");
        let table = Arc::new(table);
        let workers = evaluators
            .into_iter()
            .map(|e| Worker::new(e, table.clone(), width))
            .collect();
        Pvs { table, workers }
    }
}

impl<P: Position, E: Evaluator<P>> Search<P> for Pvs<P, E> {
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
        let (first, helpers) = self.workers.split_first_mut().expect("there is a worker");
        std::thread::scope(|scope| {
            for (i, worker) in helpers.iter_mut().enumerate() {
                let (limits, nodes) = (&helper_limits, &nodes);
                // Every other helper runs one ply ahead, so that the threads do not do the same.
                let begin = 1 + i as u32 % 2;
                scope.spawn(move || deepen(worker, root, limits, nodes, begin, &mut |_| {}));
            }
            let table = &self.table;
            let mut report = Report::empty(limits);
            deepen(first, root, limits, &nodes, 1, &mut |iteration| {
                report = Report {
                    depth: iteration.depth,
                    seldepth: iteration.seldepth,
                    score: iteration.best.score,
                    nodes: iteration.nodes.max(nodes.load(Ordering::Relaxed)),
                    time: limits.elapsed(),
                    hashfull: table.fullness(),
                    pv: iteration.best.pv.clone(),
                };
                progress(&report);
            });
            helper_limits.stop.stop();
            report
        })
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.workers.iter_mut().for_each(Worker::forget);
    }
}

/// What one iteration of a thread has found.
struct Iteration<'a, M> {
    /// Depth that was completed; 0 if none was.
    depth: u32,
    seldepth: u32,
    /// Nodes of this thread since the search began.
    nodes: u64,
    best: &'a RootMove<M>,
}

/// Searches deeper and deeper until a limit, a proof, or the only move ends it, and reports each
/// iteration's best move. An iteration that is stopped counts as far as it came: its first move was
/// the best of the one before.
fn deepen<P: Position, E: Evaluator<P>>(
    worker: &mut Worker<P, E>,
    root: &P,
    limits: &Limits,
    shared_nodes: &Arc<AtomicU64>,
    begin: u32,
    report: &mut dyn FnMut(Iteration<'_, P::Move>),
) {
    if root.outcome().is_some() || root.is_chance() {
        return;
    }
    worker.begin(root, limits, shared_nodes);
    let mut position = root.clone();
    let mut moves = worker.root_moves(root);
    let last = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    for depth in begin..=last {
        let stopped = worker.iterate(&mut position, &mut moves, depth).is_err();
        debug_assert_eq!(position, *root, "a search leaves its root as it was");
        let completed = if !stopped {
            depth
        } else if depth == begin {
            0
        } else {
            depth - 1
        };
        let best = &moves[0];
        report(Iteration {
            depth: completed,
            seldepth: worker.seldepth,
            nodes: worker.nodes,
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
