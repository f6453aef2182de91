//! One thread of alpha-beta search: what all methods of the family share.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::evaluate::Evaluator;
use crate::limits::Counters;
use crate::ordering::{HistoryKey, MoveStack, Ordering};
use crate::position::Position;
use crate::score::Score;
use crate::search::abdada::Abdada;
use crate::search::chance::Roll;
use crate::search::correction::Correction;
use crate::search::counter::{NodeCounter, Stopped, Value};
use crate::search::evaluations::EvaluationCache;
use crate::search::line::Lines;
use crate::search::moves::{Moves, Next};
use crate::search::node::{Found, Node, Window, table_cutoff};
use crate::search::settings::SearchSettings;
use crate::search::trail::Trail;
use crate::table::{Grounds, Table};

/// How a method searches decision nodes.
pub(super) trait Strategy: Send + Sized + 'static {
    /// Whether nodes of this depth are searched with all moves if all their candidates lose.
    fn widens(_settings: &SearchSettings, _depth: u32) -> bool {
        false
    }

    /// The value of a node for its side to act: exact within the window, else a bound.
    fn decision<P: Position, E: Evaluator<P>>(
        searcher: &mut Searcher<P, E, Self>,
        position: &mut P,
        node: Node,
        window: Window,
    ) -> Value {
        searcher.decision(position, node, window)
    }

    /// The value of a leaf.
    fn leaf<P: Position, E: Evaluator<P>>(
        searcher: &mut Searcher<P, E, Self>,
        position: &mut P,
        _node: Node,
        _window: Window,
    ) -> Value {
        Ok(searcher.evaluate(position))
    }
}

/// The windows in which the root is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Driver {
    /// One search in an open window.
    Open,
    /// Aspiration windows.
    Aspiration,
    /// MTD(f).
    Mtdf,
}

/// One search thread, with its state between searches.
pub(super) struct Searcher<P: Position, E, S> {
    pub(super) evaluator: E,
    pub(super) table: Arc<Table>,
    pub(super) settings: SearchSettings,
    pub(super) driver: Driver,
    /// Maximum number of candidates searched at a node; `None` for all moves.
    pub(super) candidate_limit: Option<usize>,
    /// What a value of the root can rest on at best, with the candidates that are searched there.
    pub(super) left_out: Grounds,
    pub(super) ordering: Ordering<P::Move>,
    pub(super) stack: MoveStack<P::Move>,
    pub(super) rolls: Vec<Roll>,
    /// Buffer for the rolls of one chance node.
    pub(super) faces: Vec<(u8, i32)>,
    pub(super) lines: Lines<P::Move>,
    /// The action that led to the node at each ply; `NONE` at 0.
    path: Vec<HistoryKey>,
    pub(super) candidates: Vec<P::Move>,
    /// Moves of the root that are not searched. What is found without them stays out of the table.
    pub(super) excluded: Vec<P::Move>,
    /// The moves searched so far at the nodes on the current path.
    pub(super) searched: Vec<HistoryKey>,
    pub(super) abdada: Abdada,
    /// The deferred moves of the nodes on the current path.
    pub(super) deferred: Vec<P::Move>,
    pub(super) node_counter: NodeCounter,
    /// What the last returned value rests on.
    pub(super) grounds: Grounds,
    /// Plies of quiescence above the current node.
    pub(super) quiescing: u32,
    /// Cache of static evaluations; used only in games where a side may act twice in a row.
    pub(super) evaluations: EvaluationCache,
    /// Maximum ply reached in this iteration.
    pub(super) seldepth: u32,
    pub(super) counters: Counters,
    pub(super) trail: Trail,
    pub(super) correction: Correction,
    /// The depth of the iteration.
    pub(super) iteration: u32,
    strategy: PhantomData<S>,
}

/// A child of a node; its move has been played.
pub(super) struct Child<'a, P: Position, E, S> {
    searcher: &'a mut Searcher<P, E, S>,
    position: &'a mut P,
    ply: u32,
    /// Whether the side that moved acts again.
    same_side: bool,
}

impl<P: Position, E: Evaluator<P>, S: Strategy> Child<'_, P, E, S> {
    /// Says whether a cutoff is expected at the child.
    #[inline]
    pub(super) fn expect_cutoff(&mut self, expected: bool) {
        self.searcher.trail.expect_cutoff(self.ply, expected);
    }

    /// The value of the child for the side that moved, searched to `depth` in that side's window.
    /// The only place in alpha-beta search that changes signs.
    #[inline(always)]
    pub(super) fn search(&mut self, depth: u32, window: Window) -> Value {
        self.searcher.lines.clear(self.ply);
        let node = Node {
            depth,
            ply: self.ply,
        };
        if self.same_side {
            self.searcher.value(self.position, node, window)
        } else {
            (self.searcher)
                .value(self.position, node, -window)
                .map(|score| -score)
        }
    }
}

impl<P: Position, E: Evaluator<P>, S: Strategy> Searcher<P, E, S> {
    pub(super) fn new(
        evaluator: E,
        (table, abdada): (Arc<Table>, Abdada),
        settings: &SearchSettings,
        candidate_limit: Option<usize>,
        driver: Driver,
    ) -> Self {
        Searcher {
            evaluator,
            table,
            settings: settings.clone(),
            driver,
            candidate_limit,
            left_out: Grounds::Ends,
            ordering: Ordering::new(
                P::HISTORY_LEN,
                settings.counter_moves,
                settings.continuation,
            ),
            stack: MoveStack::default(),
            rolls: Vec::new(),
            faces: Vec::new(),
            lines: Lines::default(),
            path: vec![HistoryKey::NONE],
            candidates: Vec::new(),
            excluded: Vec::new(),
            searched: Vec::new(),
            abdada,
            deferred: Vec::new(),
            node_counter: NodeCounter::default(),
            grounds: Grounds::Ends,
            quiescing: 0,
            evaluations: EvaluationCache::new(!P::ALTERNATES),
            seldepth: 0,
            counters: Counters::default(),
            trail: Trail::new(),
            correction: Correction::new(settings.selectivity.correction > 0.0),
            iteration: 0,
            strategy: PhantomData,
        }
    }

    /// The action that led to the node at this ply.
    #[inline]
    pub(super) fn previous(&self, ply: u32) -> HistoryKey {
        self.path[ply as usize]
    }

    fn set_path(&mut self, ply: u32, played: HistoryKey) {
        let ply = ply as usize;
        if self.path.len() <= ply {
            self.path.resize(ply + 1, HistoryKey::NONE);
        }
        self.path[ply] = played;
    }

    /// Plays `mv` at a node of this ply, calls `search` on the child, and undoes the move.
    #[inline]
    pub(super) fn visit(
        &mut self,
        position: &mut P,
        mv: P::Move,
        ply: u32,
        search: impl FnOnce(&mut Child<'_, P, E, S>) -> Value,
    ) -> Value {
        let side = position.side();
        let played = HistoryKey::new(side, position.history_index(mv));
        self.set_path(ply + 1, played);
        self.evaluator.push(position, mv);
        let undo = position.play(mv);
        self.table.prefetch(position.key());
        let same_side = !P::ALTERNATES && position.side() == side;
        let value = search(&mut Child {
            searcher: self,
            position,
            ply: ply + 1,
            same_side,
        });
        position.undo(mv, undo);
        self.evaluator.pop();
        value
    }

    /// As [`Searcher::visit`] with a pass instead of a move; `None` if the position does not allow
    /// one.
    pub(super) fn visit_pass(
        &mut self,
        position: &mut P,
        ply: u32,
        search: impl FnOnce(&mut Child<'_, P, E, S>) -> Value,
    ) -> Option<Value> {
        if !position.pass() {
            return None;
        }
        self.set_path(ply + 1, HistoryKey::NONE);
        let value = search(&mut Child {
            searcher: self,
            position,
            ply: ply + 1,
            same_side: false,
        });
        position.undo_pass();
        Some(value)
    }

    /// The value of a node for its side to act: exact within the window, else a bound. Inlined,
    /// because most nodes are leaves and then cost no call.
    #[inline(always)]
    pub(super) fn value(&mut self, position: &mut P, node: Node, window: Window) -> Value {
        self.node_counter.count()?;
        if let Some(score) = position.terminal(node.ply) {
            self.grounds = Grounds::Ends;
            return Ok(score);
        }
        self.seldepth = self.seldepth.max(node.ply);
        if let Some(score) = self.evaluator.exact(position) {
            self.grounds = Grounds::Ends;
            return Ok(score);
        }
        if (node.depth == 0 && !position.mid_turn()) || node.ply >= Score::MAX_PLY {
            return S::leaf(self, position, node, window);
        }
        if P::HAS_CHANCE && position.is_chance() {
            return self.chance(position, node, window);
        }
        S::decision(self, position, node, window)
    }

    /// What the last returned value rests on, wherever its position occurs. If positions can repeat,
    /// an end on one path to a position may be none on another.
    pub(super) fn lasting_grounds(&self) -> Grounds {
        if P::REPEATS {
            Grounds::Estimates
        } else {
            self.grounds
        }
    }

    /// The static evaluation of a position. If a side may act twice in a row, several orders of
    /// actions lead to the same position, and a cache avoids evaluating it again.
    pub(super) fn evaluate(&mut self, position: &P) -> Score {
        self.grounds = Grounds::Estimates;
        if P::ALTERNATES {
            return self.evaluator.evaluate(position);
        }
        let evaluator = &mut self.evaluator;
        (self.evaluations).get_or(position.key(), || evaluator.evaluate(position))
    }

    /// The static evaluation of a position, or a lower bound of it that is at least `enough`.
    pub(super) fn evaluate_to(&mut self, position: &P, enough: Score) -> Score {
        match self.evaluator.lower_bound(position, enough) {
            Some(bound) => {
                self.grounds = Grounds::Estimates;
                bound
            }
            None => self.evaluate(position),
        }
    }

    /// Looks a node up in the table: returns its score if that causes a cutoff, and the table move.
    /// PV nodes are searched even if the table has an exact value, because they need a principal
    /// variation.
    #[inline]
    pub(super) fn look_up(
        &mut self,
        position: &P,
        node: Node,
        window: Window,
    ) -> (Option<Score>, Option<P::Move>) {
        self.counters.probes += 1;
        let Some(entry) = self.table.probe::<P::Move>(position.key()) else {
            return (None, None);
        };
        self.counters.hits += 1;
        let score = if window.is_open() {
            None
        } else {
            table_cutoff(&entry, node, window, P::REPEATS)
        };
        // Only read if a score is returned.
        self.grounds = entry.grounds;
        (score, entry.mv)
    }

    /// Alpha-beta over the moves of a node, with the table.
    #[inline(never)]
    fn decision(&mut self, position: &mut P, node: Node, window: Window) -> Value {
        let (score, table_move) = self.look_up(position, node, window);
        if let Some(score) = score {
            return Ok(score);
        }
        let mut moves = self.moves(position, node, table_move);
        let mut found = Found::new(window);
        let nodes = (node, window);
        if self.abdada.is_shared(node.depth) {
            self.search_moves(position, nodes, &mut moves, &mut found, Self::next_shared)?;
        } else {
            self.search_moves(position, nodes, &mut moves, &mut found, Self::next_unshared)?;
        }
        Ok(self.finish(position, nodes, moves, found))
    }

    /// Searches the moves that `next` returns, until a cutoff.
    #[inline(always)]
    fn search_moves(
        &mut self,
        position: &mut P,
        (node, window): (Node, Window),
        moves: &mut Moves<P::Move>,
        found: &mut Found<P::Move>,
        next: impl Fn(&mut Self, &mut Moves<P::Move>, &P, u32, bool) -> Next<P::Move>,
    ) -> Result<(), Stopped> {
        let depth = node.depth.saturating_sub(1);
        let mut first = true;
        while let Some((mv, mark)) = next(self, moves, position, node.depth, first) {
            let left = Window::new(found.alpha, window.beta);
            self.abdada.begin(mark);
            let score = self.visit(position, mv, node.ply, |child| {
                child.search_move(depth, left, first)
            });
            self.abdada.end(mark);
            if self.add_value(found, node, window, mv, score?) {
                break;
            }
            first = false;
        }
        Ok(())
    }

    /// Adds the value of a searched move; returns true on a cutoff.
    #[inline]
    pub(super) fn add_value(
        &mut self,
        found: &mut Found<P::Move>,
        node: Node,
        window: Window,
        mv: P::Move,
        score: Score,
    ) -> bool {
        self.searched.push(self.path[node.ply as usize + 1]);
        found.searched += 1;
        found.grounds = found.grounds.max(self.grounds);
        found.best = found.best.max(score);
        if score <= found.alpha {
            return false;
        }
        found.mv = Some(mv);
        if score >= window.beta {
            // The bound depends on this move only.
            found.grounds = self.grounds;
            return true;
        }
        found.alpha = score;
        self.lines.extend(node.ply, mv);
        false
    }

    /// Updates the move ordering after a cutoff, stores the node in the table, and returns its
    /// value.
    pub(super) fn finish(
        &mut self,
        position: &P,
        (node, window): (Node, Window),
        moves: Moves<P::Move>,
        mut found: Found<P::Move>,
    ) -> Score {
        if let Some(mv) = found.mv
            && found.best >= window.beta
        {
            self.counters.cutoffs += 1;
            self.counters.first_cutoffs += (found.searched == 1) as u64;
            let place = (node.ply, node.depth);
            let searched = &self.searched[moves.searched..];
            self.ordering
                .learn(position, place, moves.previous, mv, searched);
        }
        moves.picker.finish(&mut self.stack);
        self.deferred.truncate(moves.deferred);
        self.searched.truncate(moves.searched);
        if moves.left_out > Grounds::Ends {
            found.mark_incomplete(moves.left_out, window.beta);
        }
        self.grounds = found.grounds;
        let entry = found.entry(node, window, self.lasting_grounds());
        self.table.store(position.key(), entry);
        found.best
    }
}
