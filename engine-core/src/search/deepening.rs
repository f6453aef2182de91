//! Iterative deepening (Slate and Atkin 1977) over any fixed-depth search. Several threads share
//! the table (Lazy SMP) and defer moves that other threads are searching.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::evaluate::Evaluator;
use crate::limits::{Limits, Report};
use crate::pool::Pool;
use crate::position::Position;
use crate::score::Score;
use crate::search::Search;
use crate::search::abdada::Abdada;
use crate::search::alphabeta::AlphaBeta;
use crate::search::counter::Stopped;
use crate::search::exhaustive::{Exhaustive, ExhaustiveSearcher};
use crate::search::line::complete;
use crate::search::plain::Plain;
use crate::search::pvs::PrincipalVariation;
use crate::search::root::{FixedDepth, RootMove, Solved, Tally};
use crate::search::searcher::{Driver, Searcher, Strategy};
use crate::search::selective::Selective;
use crate::search::settings::Method;
use crate::settings::Settings;
use crate::table::Table;

/// Maximum depth of an iteration, plies: the largest depth that a table entry can store.
pub const MAX_DEPTH: u32 = 255;

/// A player that searches by `method`, with one thread for each evaluator. Methods without a
/// transposition table leave `table` empty.
///
/// # Panics
/// If `evaluators` is empty.
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

/// The parts of a player.
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
        let searcher = |evaluator| ExhaustiveSearcher::new(kind, evaluator);
        let searchers = self.evaluators.into_iter().map(searcher);
        Box::new(Deepening::new(self.table, searchers.collect()))
    }

    fn alpha_beta<P: Position, S: Strategy>(self, driver: Driver) -> Box<dyn Search<P>>
    where
        E: Evaluator<P>,
    {
        let Settings {
            search,
            candidate_limit,
            ..
        } = &self.settings;
        let abdada = Abdada::new(self.evaluators.len());
        let searcher = |evaluator| {
            let shared = (self.table.clone(), abdada.clone());
            Searcher::<P, E, S>::new(evaluator, shared, search, *candidate_limit, driver)
        };
        let searchers = self.evaluators.into_iter().map(searcher).collect();
        Box::new(Deepening::new(self.table.clone(), searchers))
    }

    fn star<P: Position>(mut self, star2: bool) -> Box<dyn Search<P>>
    where
        E: Evaluator<P>,
    {
        self.settings.search.star2 = star2;
        self.alpha_beta::<P, PrincipalVariation>(Driver::Open)
    }
}

/// Iterative deepening on the calling thread, and on helper threads that share the table.
struct Deepening<P, F> {
    table: Arc<Table>,
    first: F,
    helpers: Pool<Task<P>, ()>,
}

/// A task of the helper threads.
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
    fn new(table: Arc<Table>, searchers: Vec<F>) -> Self {
        let mut searchers = searchers.into_iter();
        let first = searchers.next().expect("at least one evaluator");
        let helper = |mut searcher: F| {
            move |task| match task {
                Task::Forget => searcher.forget(),
                Task::Search {
                    root,
                    limits,
                    nodes,
                } => deepen(&mut searcher, &root, &limits, &nodes, &mut |_| {}),
            }
        };
        Deepening {
            table,
            first,
            helpers: Pool::new(searchers.map(helper)),
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
        // The helpers search until the first thread has finished.
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
                solved: iteration.solved.0,
                nodes: iteration.tally.nodes.max(nodes.load(Ordering::Relaxed)),
                time: limits.elapsed(),
                hashfull: table.fullness(),
                counters: iteration.tally.counters,
                pv,
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
        report
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
    solved: Solved,
    tally: Tally,
    best: &'a RootMove<M>,
}

/// Searches deeper and deeper until a limit is reached, the value is proven, or a timed search has
/// only one move; reports the best move after each iteration. It starts from the table entry of the
/// root, at the depth of that entry. A stopped iteration counts as far as it came: its first move
/// was the best move of the previous iteration.
fn deepen<P: Position, F: FixedDepth<P>>(
    searcher: &mut F,
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
    let mut completed = 0;
    if let Some(known) = searcher.recall(root, &mut moves)
        && moves[0].score.is_some()
    {
        completed = known.depth;
        let solved = Solved(known.solved.0 || is_shortest(moves[0].score, known.depth));
        report(Iteration {
            depth: known.depth,
            solved,
            tally: searcher.tally(),
            best: &moves[0],
        });
        if solved.0 {
            return;
        }
    }
    let last = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    for depth in completed.clamp(1, last)..=last {
        let before = moves[0].clone();
        let iteration = searcher.iterate(&mut position, &mut moves, depth);
        debug_assert_eq!(position, *root, "a search must restore its root");
        let solved = match iteration {
            Ok(solved) => {
                completed = completed.max(depth);
                Solved(solved.0 || is_shortest(moves[0].score, depth))
            }
            Err(Stopped) => {
                // The best move got worse and the other moves have not been searched: keep its old
                // value.
                if moves[0].mv == before.mv && moves[0].score < before.score {
                    moves[0] = before;
                }
                Solved(false)
            }
        };
        report(Iteration {
            depth: completed,
            solved,
            tally: searcher.tally(),
            best: &moves[0],
        });
        let alone = moves.len() == 1 && limits.is_timed();
        if iteration.is_err() || solved.0 || alone || limits.no_time_for_iteration() {
            return;
        }
    }
}

/// Whether the score is a proven win or loss within `depth` plies. A search to `depth` would have
/// found a shorter win or a longer defence.
fn is_shortest(score: Option<Score>, depth: u32) -> bool {
    let proven = score.and_then(|score| score.plies_to_win().or(score.plies_to_loss()));
    proven.is_some_and(|plies| plies <= depth)
}
