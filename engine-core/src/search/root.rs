//! The search of the root: its moves, one iteration, and its table entry.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::evaluate::{Candidates, Evaluator};
use crate::limits::{Counters, Limits};
use crate::ordering::HistoryKey;
use crate::position::Position;
use crate::score::Score;
use crate::search::aspiration::aspiration;
use crate::search::counter::{NodeCounter, Stopped, Value};
use crate::search::mtdf::mtdf;
use crate::search::node::{Window, unproven_loss};
use crate::search::searcher::{Driver, Searcher, Strategy};
use crate::table::{Bound, Entry, Grounds};

/// A root move with its result of the last iteration.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Its value; `None` until it has been searched.
    pub(super) score: Option<Score>,
    pub(super) pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(mv: M) -> RootMove<M> {
        RootMove {
            mv,
            score: None,
            pv: vec![mv],
        }
    }
}

/// Counters of one thread in one search.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    pub(super) nodes: u64,
    /// Deepest ply of the last iteration.
    pub(super) seldepth: u32,
    pub(super) counters: Counters,
}

/// The table entry of a root.
pub(super) struct Known {
    /// Depth of the stored search, plies.
    pub(super) depth: u32,
    pub(super) grounds: Grounds,
}

impl<P: Position, E: Evaluator<P>, S: Strategy> Searcher<P, E, S> {
    /// Searches the root moves in a window, and moves each new best move to the front with its
    /// score and principal variation.
    fn search_root(
        &mut self,
        root: &mut P,
        moves: &mut [RootMove<P::Move>],
        depth: u32,
        window: Window,
    ) -> Value {
        let (mut best, mut alpha) = (-Score::INFINITY, window.alpha);
        let mut grounds = Grounds::Ends;
        // Moves from this index on are deferred.
        let mut deferred = moves.len();
        let mut i = 0;
        while i < moves.len() {
            let mark = self.mark(root, moves[i].mv, depth, i == 0);
            let mark = mark.filter(|_| i < deferred);
            if self.abdada.is_searched(mark) {
                moves[i..].rotate_left(1);
                deferred -= 1;
                continue;
            }
            let left = Window::new(alpha, window.beta);
            self.abdada.begin(mark);
            let score = self.visit(root, moves[i].mv, 0, |child| {
                child.search_move(depth - 1, left, i == 0)
            });
            self.abdada.end(mark);
            let score = if self.left_out > Grounds::Ends {
                unproven_loss(score?)
            } else {
                score?
            };
            grounds = grounds.max(self.grounds);
            best = best.max(score);
            if score > alpha {
                alpha = score;
                moves[i].score = Some(score);
                moves[i].pv.truncate(1);
                moves[i].pv.extend_from_slice(self.lines.from(1));
                moves[..=i].rotate_right(1);
            }
            if score >= window.beta {
                break;
            }
            i += 1;
        }
        self.grounds = grounds.max(self.left_out);
        Ok(best)
    }

    /// The candidates of the root, or all its moves sorted by history.
    fn list_root(&mut self, root: &P) -> Vec<P::Move> {
        let candidates = self.list_candidates(root);
        self.left_out = Grounds::of(candidates);
        if candidates != Candidates::All {
            return std::mem::take(&mut self.candidates);
        }
        let (ordering, side) = (&self.ordering, root.side());
        let mut moves = root.legal_moves();
        moves.sort_by_key(|&mv| {
            Reverse(ordering.rank(side, root.history_index(mv), HistoryKey::NONE))
        });
        moves
    }

    /// Adds the moves that the candidates of the root leave out. Returns whether there are any.
    pub(super) fn widen_root(&mut self, root: &P, moves: &mut Vec<RootMove<P::Move>>) -> bool {
        if self.left_out != Grounds::Candidates {
            return false;
        }
        self.list_all(root);
        let listed = moves.len();
        for &mv in &self.candidates {
            let is_listed = moves[..listed].iter().any(|known| known.mv == mv);
            if !is_listed && !self.excluded.contains(&mv) {
                moves.push(RootMove::new(mv));
            }
        }
        self.left_out = Grounds::Ends;
        moves.len() > listed
    }

    /// Prepares a search of `root`, and returns its moves.
    pub(super) fn begin(
        &mut self,
        root: &P,
        limits: &Limits,
        shared_nodes: &Arc<AtomicU64>,
    ) -> Vec<RootMove<P::Move>> {
        self.node_counter = NodeCounter::new(limits, shared_nodes);
        self.counters = Counters::default();
        self.ordering.begin();
        // A stopped search does not clean up these stacks.
        self.stack.moves.clear();
        self.rolls.clear();
        self.deferred.clear();
        self.searched.clear();
        self.quiescing = 0;
        self.evaluator.reset(root);
        let mut moves: Vec<_> = self
            .list_root(root)
            .into_iter()
            .map(RootMove::new)
            .collect();
        moves.retain(|known| !self.excluded.contains(&known.mv));
        if moves.is_empty() {
            self.widen_root(root, &mut moves);
        }
        moves
    }

    /// The result of an earlier search of `root`, if the table has it. Its best move becomes the
    /// first of `moves`, with its score if that is exact.
    pub(super) fn recall(&self, root: &P, moves: &mut [RootMove<P::Move>]) -> Option<Known> {
        if !self.excluded.is_empty() {
            return None;
        }
        let entry = self.table.probe::<P::Move>(root.key())?;
        let place = moves.iter().position(|known| Some(known.mv) == entry.mv)?;
        moves[..=place].rotate_right(1);
        let exact = entry.bound == Bound::Exact && !(P::REPEATS && entry.score.is_proven());
        moves[0].score = exact.then_some(entry.score);
        Some(Known {
            depth: entry.depth as u32,
            grounds: if exact {
                entry.grounds
            } else {
                Grounds::Estimates
            },
        })
    }

    /// Searches to `depth`, at least 1, and moves the best move to the front, with its score and
    /// principal variation. If the search is stopped, the moves keep what it found until then.
    /// `root` is unchanged afterwards.
    pub(super) fn iterate(
        &mut self,
        root: &mut P,
        moves: &mut [RootMove<P::Move>],
        depth: u32,
    ) -> Result<Grounds, Stopped> {
        (self.seldepth, self.iteration) = (0, depth);
        let guess = moves[0].score;
        let (driver, half) = (self.driver, self.settings.aspiration);
        let mut grounds = Grounds::Ends;
        let mut search = |window| {
            let value = self.search_root(root, moves, depth, window);
            grounds = grounds.max(self.grounds);
            value
        };
        let value = match (driver, guess) {
            (Driver::Aspiration, Some(guess)) => aspiration(guess, half, &mut search),
            (Driver::Mtdf, guess) => mtdf(guess.unwrap_or_default(), &mut search),
            (Driver::Open | Driver::Aspiration, _) => search(Window::OPEN),
        };
        let score = value?;
        moves[0].score = Some(score);
        self.grounds = grounds;
        if !self.excluded.is_empty() {
            return Ok(grounds);
        }
        let entry = Entry {
            mv: Some(moves[0].mv),
            score,
            depth: depth as u8,
            bound: Bound::Exact,
            grounds: self.lasting_grounds(),
        };
        self.table.store(root.key(), entry);
        Ok(grounds)
    }

    /// Counters since `begin`.
    pub(super) fn tally(&self) -> Tally {
        Tally {
            nodes: self.node_counter.nodes(),
            seldepth: self.seldepth,
            counters: self.counters,
        }
    }

    /// Clears what was learnt in earlier searches.
    pub(super) fn forget(&mut self) {
        self.ordering.forget();
        self.evaluations.clear();
        self.correction.forget();
        self.evaluator.forget();
    }
}
