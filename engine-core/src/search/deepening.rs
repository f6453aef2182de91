//! Iterative deepening (Slate and Atkin 1977). Several threads share
//! the table (Lazy SMP) and defer moves that other threads are searching.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::evaluate::Evaluator;
use crate::limits::{Limits, Report};
use crate::pool::Pool;
use crate::position::Position;
use crate::search::Search;
use crate::search::abdada::Abdada;
use crate::search::at_once::win_at_once;
use crate::search::counter::Stopped;
use crate::search::line::complete;
use crate::search::node::LOST;
use crate::search::pvs::PrincipalVariation;
use crate::search::root::{RootMove, Tally};
use crate::search::searcher::{Driver, Searcher, Strategy};
use crate::search::selective::Selective;
use crate::search::settings::{Method, SearchSettings};
use crate::table::{Grounds, Table};

/// Maximum depth of an iteration, plies: the largest depth that a table entry can store.
pub const MAX_DEPTH: u32 = 255;

/// A player that searches by `method`, with one thread for each evaluator.
///
/// # Panics
/// If `evaluators` is empty.
pub fn player<P: Position, E: Evaluator<P> + 'static>(
    method: Method,
    table: Table,
    evaluators: Vec<E>,
    settings: &SearchSettings,
    candidate_limit: Option<usize>,
) -> Box<dyn Search<P>> {
    let mut parts = Parts {
        table: Arc::new(table),
        evaluators,
        settings: settings.clone(),
        candidate_limit,
    };
    match method {
        Method::Star1 => parts.settings.star2 = false,
        Method::Star2 => parts.settings.star2 = true,
        _ => {}
    }
    match method {
        Method::Pvs | Method::Star1 | Method::Star2 => {
            parts.player::<P, PrincipalVariation>(Driver::Open)
        }
        Method::Aspiration => parts.player::<P, PrincipalVariation>(Driver::Aspiration),
        Method::Mtdf => parts.player::<P, PrincipalVariation>(Driver::Mtdf),
        Method::Selective => parts.player::<P, Selective>(Driver::Aspiration),
    }
}

/// The parts of a player.
struct Parts<E> {
    table: Arc<Table>,
    evaluators: Vec<E>,
    settings: SearchSettings,
    candidate_limit: Option<usize>,
}

impl<E: 'static> Parts<E> {
    fn player<P: Position, S: Strategy>(self, driver: Driver) -> Box<dyn Search<P>>
    where
        E: Evaluator<P>,
    {
        let abdada = Abdada::new(self.evaluators.len());
        let (settings, limit) = (&self.settings, self.candidate_limit);
        let searcher = |evaluator| {
            let shared = (self.table.clone(), abdada.clone());
            Searcher::<P, E, S>::new(evaluator, shared, settings, limit, driver)
        };
        let searchers = self.evaluators.into_iter().map(searcher).collect();
        Box::new(Deepening::new(self.table.clone(), searchers))
    }
}

/// Iterative deepening on the calling thread, and on helper threads that share the table.
struct Deepening<P: Position, E, S> {
    table: Arc<Table>,
    first: Searcher<P, E, S>,
    helpers: Pool<Task<P>, ()>,
    /// Moves of the next root that are not searched.
    excluded: Vec<P::Move>,
}

/// A task of the helper threads.
#[derive(Clone)]
enum Task<P: Position> {
    Search {
        root: P,
        excluded: Vec<P::Move>,
        limits: Limits,
        nodes: Arc<AtomicU64>,
    },
    Forget,
}

impl<P: Position, E: Evaluator<P> + 'static, S: Strategy> Deepening<P, E, S> {
    fn new(table: Arc<Table>, searchers: Vec<Searcher<P, E, S>>) -> Self {
        let mut searchers = searchers.into_iter();
        let first = searchers.next().expect("at least one evaluator");
        let helper = |mut searcher: Searcher<P, E, S>| {
            move |task| match task {
                Task::Forget => searcher.forget(),
                Task::Search {
                    root,
                    excluded,
                    limits,
                    nodes,
                } => {
                    searcher.excluded = excluded;
                    deepen(&mut searcher, &root, &limits, &nodes, &mut |_| {});
                }
            }
        };
        Deepening {
            table,
            first,
            helpers: Pool::new(searchers.map(helper)),
            excluded: Vec::new(),
        }
    }
}

impl<P: Position, E: Evaluator<P> + 'static, S: Strategy> Search<P> for Deepening<P, E, S> {
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        self.table.age();
        let nodes = Arc::new(AtomicU64::new(0));
        // The helpers search until the first thread has finished.
        let helper_limits = Limits::default();
        self.first.excluded = std::mem::take(&mut self.excluded);
        let task = Task::Search {
            root: root.clone(),
            excluded: self.first.excluded.clone(),
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
                solved: iteration.grounds == Grounds::Ends,
                nodes: iteration.tally.nodes.max(nodes.load(Ordering::Relaxed)),
                hashfull: table.fullness(),
                counters: iteration.tally.counters,
                pv,
                ..Report::empty(limits)
            };
            // Before the first value is known there is a move to play, but nothing to report.
            if report.score.is_some() {
                progress(&report);
            }
        };
        self.helpers.together(&task, || {
            deepen(first, root, limits, &nodes, &mut found);
            helper_limits.stop.stop();
        });
        if report.depth == 0
            && !report.pv.is_empty()
            && let Some(win) = win_at_once(root, &self.first.excluded, limits)
        {
            report = Report {
                nodes: report.nodes,
                ..win
            };
            progress(&report);
        }
        report
    }

    fn exclude(&mut self, moves: Vec<P::Move>) {
        self.excluded = moves;
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.helpers.together(&Task::Forget, || self.first.forget());
    }
}

/// The result of one iteration of a thread.
struct Iteration<'a, M> {
    /// Completed depth; 0 if none.
    depth: u32,
    /// What the score rests on.
    grounds: Grounds,
    tally: Tally,
    best: &'a RootMove<M>,
}

/// Searches deeper and deeper until a limit is reached, or no depth can change the value; reports the
/// best move after each iteration. It starts from the table entry of the
/// root, at the depth of that entry. A stopped iteration counts as far as it came: its first move
/// was the best move of the previous iteration.
fn deepen<P: Position, E: Evaluator<P>, S: Strategy>(
    searcher: &mut Searcher<P, E, S>,
    root: &P,
    limits: &Limits,
    shared_nodes: &Arc<AtomicU64>,
    report: &mut dyn FnMut(Iteration<'_, P::Move>),
) {
    if root.outcome().is_some() || root.is_chance() {
        return;
    }
    let mut position = root.clone();
    let mut moves = searcher.begin(root, limits, shared_nodes);
    if moves.is_empty() {
        return;
    }
    let limits = &limits.with_choices(moves.len());
    searcher.node_counter.set_limits(limits);
    let mut completed = 0;
    if let Some(known) = searcher.recall(root, &mut moves)
        && moves[0].score.is_some()
    {
        completed = known.depth;
        let grounds = firmest(known.grounds, &moves[0], known.depth);
        report(Iteration {
            depth: known.depth,
            grounds,
            tally: searcher.tally(),
            best: &moves[0],
        });
        if !grounds.may_change() {
            return;
        }
    }
    let last = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    for depth in completed.clamp(1, last)..=last {
        let before = moves[0].clone();
        let mut iteration = searcher.iterate(&mut position, &mut moves, depth);
        let lost = iteration.is_ok() && moves[0].score.is_some_and(|score| score <= LOST);
        if lost && S::widens(&searcher.settings, depth) && searcher.widen_root(root, &mut moves) {
            iteration = searcher.iterate(&mut position, &mut moves, depth);
        }
        debug_assert_eq!(position, *root, "a search must restore its root");
        let grounds = match iteration {
            Ok(grounds) => {
                completed = completed.max(depth);
                firmest(grounds, &moves[0], depth)
            }
            Err(Stopped) => {
                // The best move got worse and the other moves have not been searched: keep its old
                // value.
                if moves[0].mv == before.mv && moves[0].score < before.score {
                    moves[0] = before;
                }
                Grounds::Estimates
            }
        };
        report(Iteration {
            depth: completed,
            grounds,
            tally: searcher.tally(),
            best: &moves[0],
        });
        let is_final = !grounds.may_change();
        if iteration.is_err() || is_final || limits.no_time_for_iteration() {
            return;
        }
    }
}

/// What the value of the move rests on: a win or loss within `depth` plies is proven, however it was
/// found.
fn firmest<M>(grounds: Grounds, best: &RootMove<M>, depth: u32) -> Grounds {
    match best.score {
        Some(score) if score.is_proven_within(depth) => Grounds::Ends,
        _ => grounds,
    }
}
