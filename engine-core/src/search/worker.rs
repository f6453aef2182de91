//! One thread of alpha-beta search: what all members of the family share.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::evaluate::Evaluator;
use crate::limits::{Counters, Limits};
use crate::ordering::{MoveStack, Ordering, Played};
use crate::position::Position;
use crate::score::Score;
use crate::search::aspiration::aspiration;
use crate::search::chance::Roll;
use crate::search::line::Lines;
use crate::search::meter::{Meter, Stopped, Value};
use crate::search::moves::{Moves, Next};
use crate::search::mtdf::{bisection, mtdf};
use crate::search::node::{Found, Node, Window, decided};
use crate::search::pvs::scout;
use crate::search::root::{FixedDepth, RootMove, Tally};
use crate::search::settings::SearchSettings;
use crate::search::underway::Underway;
use crate::table::{Bound, Entry, Table};

/// How a member of the family searches the nodes where a player acts.
pub(super) trait Strategy: Send + Sized + 'static {
    /// Whether the transposition table is asked and told.
    const TABLE: bool = true;
    /// Whether values stay within their window (fail-hard).
    const HARD: bool = false;

    /// Whether moves after the first get a null window first (principal variation search).
    const SCOUT: bool = true;

    /// The value of a child for the side that moves there: `first` is whether no child of its parent
    /// has been searched yet.
    #[inline(always)]
    fn child<P: Position, E: Evaluator<P>>(
        child: &mut Child<'_, P, E, Self>,
        depth: u32,
        window: Window,
        first: bool,
    ) -> Value {
        if Self::SCOUT && !first {
            scout(child, depth, window)
        } else {
            child.search(depth, window)
        }
    }

    /// The value of a node for its side to act: exact within the window, else a bound.
    fn decision<P: Position, E: Evaluator<P>>(
        worker: &mut Worker<P, E, Self>,
        position: &mut P,
        node: Node,
        window: Window,
    ) -> Value {
        worker.decision(position, node, window)
    }

    /// The value of a leaf.
    fn leaf<P: Position, E: Evaluator<P>>(
        worker: &mut Worker<P, E, Self>,
        position: &mut P,
        node: Node,
        _window: Window,
    ) -> Value {
        Ok(worker.evaluate(position, node.ply))
    }
}

/// How the value of the root is closed in on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Driver {
    /// One search in an open window.
    Open,
    /// Aspiration windows, re-opened step by step, or at once.
    Aspiration { full: bool },
    /// MTD(f).
    Mtdf,
    /// Null windows in the middle of what is possible.
    Bisection,
}

/// One thread of search, with all that it keeps between searches.
pub(super) struct Worker<P: Position, E, S> {
    pub(super) evaluator: E,
    pub(super) table: Arc<Table>,
    pub(super) settings: SearchSettings,
    driver: Driver,
    /// How many candidates are searched; `None` for all moves.
    pub(super) width: Option<usize>,
    pub(super) ordering: Ordering<P::Move>,
    pub(super) stack: MoveStack<P::Move>,
    pub(super) rolls: Vec<Roll>,
    /// Room for the faces of one chance node.
    pub(super) faces: Vec<(u8, i32)>,
    pub(super) lines: Lines<P::Move>,
    /// The actions that led to the node of each ply; nothing at 0.
    path: Vec<Played>,
    pub(super) candidates: Vec<P::Move>,
    pub(super) underway: Underway,
    /// The moves of the nodes on the current line that other threads were searching.
    pub(super) put_off: Vec<P::Move>,
    meter: Meter,
    /// Deepest ply reached in this iteration.
    seldepth: u32,
    /// Depth of this iteration.
    pub(super) horizon: u32,
    pub(super) counters: Counters,
    strategy: PhantomData<S>,
}

/// A child of a node, on the board and ready to be searched.
pub(super) struct Child<'a, P: Position, E, S> {
    worker: &'a mut Worker<P, E, S>,
    position: &'a mut P,
    ply: u32,
    /// Whether the side that moved here acts again.
    again: bool,
}

impl<P: Position, E: Evaluator<P>, S: Strategy> Child<'_, P, E, S> {
    /// The value of the child for the side that moved there, searched to `depth` in that side's
    /// window. The one place that knows about signs.
    #[inline(always)]
    pub(super) fn search(&mut self, depth: u32, window: Window) -> Value {
        self.worker.lines.clear(self.ply);
        let node = Node {
            depth,
            ply: self.ply,
        };
        if self.again {
            self.worker.value(self.position, node, window)
        } else {
            (self.worker)
                .value(self.position, node, -window)
                .map(|score| -score)
        }
    }
}

impl<P: Position, E: Evaluator<P>, S: Strategy> Worker<P, E, S> {
    pub(super) fn new(
        evaluator: E,
        (table, underway): (Arc<Table>, Underway),
        settings: &SearchSettings,
        width: Option<usize>,
        driver: Driver,
    ) -> Self {
        Worker {
            evaluator,
            table,
            settings: settings.clone(),
            driver,
            width,
            ordering: Ordering::new(
                P::HISTORY_LEN,
                settings.counter_moves,
                settings.continuation,
            ),
            stack: MoveStack::default(),
            rolls: Vec::new(),
            faces: Vec::new(),
            lines: Lines::new(),
            path: vec![Played::NONE],
            candidates: Vec::new(),
            underway,
            put_off: Vec::new(),
            meter: Meter::default(),
            seldepth: 0,
            horizon: 0,
            counters: Counters::default(),
            strategy: PhantomData,
        }
    }

    /// The action before the node of this ply.
    #[inline]
    pub(super) fn before(&self, ply: u32) -> Played {
        self.path[ply as usize]
    }

    fn set_path(&mut self, ply: u32, played: Played) {
        let ply = ply as usize;
        if self.path.len() <= ply {
            self.path.resize(ply + 1, Played::NONE);
        }
        self.path[ply] = played;
    }

    /// Plays `mv` at a node of this ply, lets `search` find its value, and takes it back.
    #[inline]
    pub(super) fn visit(
        &mut self,
        position: &mut P,
        mv: P::Move,
        ply: u32,
        search: impl FnOnce(&mut Child<'_, P, E, S>) -> Value,
    ) -> Value {
        let side = position.side();
        if S::TABLE {
            self.set_path(ply + 1, Played::new(side, position.history_index(mv)));
        }
        self.evaluator.push(position, mv);
        let undo = position.play(mv);
        if S::TABLE {
            self.table.prefetch(position.key());
        }
        let again = !P::ALTERNATES && position.side() == side;
        let value = search(&mut Child {
            worker: self,
            position,
            ply: ply + 1,
            again,
        });
        position.undo(mv, undo);
        self.evaluator.pop();
        value
    }

    /// As [`Worker::visit`], handing the turn over instead of moving; `None` where that cannot be.
    pub(super) fn visit_pass(
        &mut self,
        position: &mut P,
        ply: u32,
        search: impl FnOnce(&mut Child<'_, P, E, S>) -> Value,
    ) -> Option<Value> {
        if !position.pass() {
            return None;
        }
        self.set_path(ply + 1, Played::NONE);
        let value = search(&mut Child {
            worker: self,
            position,
            ply: ply + 1,
            again: false,
        });
        position.undo_pass();
        Some(value)
    }

    /// The value of a node for its side to act: exact within the window, else a bound. Inlined, so
    /// that a leaf, as most nodes are, costs no call.
    #[inline(always)]
    pub(super) fn value(&mut self, position: &mut P, node: Node, window: Window) -> Value {
        self.meter.count()?;
        if let Some(score) = position.terminal(node.ply) {
            return Ok(score);
        }
        if S::TABLE {
            self.seldepth = self.seldepth.max(node.ply);
        }
        if (node.depth == 0 && !position.mid_turn()) || node.ply >= Score::MAX_PLY {
            return S::leaf(self, position, node, window);
        }
        if P::HAS_CHANCE && position.is_chance() {
            return self.chance(position, node, window);
        }
        S::decision(self, position, node, window)
    }

    /// The static value of a position. Where two orders of actions within a turn meet again, the
    /// table saves evaluating the same position twice.
    pub(super) fn evaluate(&mut self, position: &P, ply: u32) -> Score {
        if P::ALTERNATES || !S::TABLE {
            return self.evaluator.evaluate(position);
        }
        let key = position.key();
        if let Some(entry) = self.table.probe::<P::Move>(key)
            && entry.depth == 0
            && entry.bound == Bound::Exact
        {
            return entry.score.to_root(ply);
        }
        let score = self.evaluator.evaluate(position);
        self.table.store(
            key,
            Entry::<P::Move> {
                mv: None,
                score,
                depth: 0,
                bound: Bound::Exact,
            },
        );
        score
    }

    /// What the table says of a node: its value, if that is decided there, and the move to try first.
    /// Where a line is wanted, the node is searched all the same.
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
            decided(&entry, node, window)
        };
        (score, entry.mv)
    }

    /// Alpha-beta over all moves, with the table.
    #[inline(never)]
    fn decision(&mut self, position: &mut P, node: Node, window: Window) -> Value {
        let (score, table_move) = self.look_up(position, node, window);
        if let Some(score) = score {
            return Ok(if S::HARD {
                score.clamp(window.alpha, window.beta)
            } else {
                score
            });
        }
        let mut moves = self.moves(position, node, table_move);
        let mut found = Found::new(window, S::HARD);
        let nodes = (node, window);
        if S::TABLE && self.underway.is_shared(node.depth) {
            self.search_moves(position, nodes, &mut moves, &mut found, Self::next_shared)?;
        } else {
            self.search_moves(position, nodes, &mut moves, &mut found, Self::next_alone)?;
        }
        self.finish(position, nodes, moves, &mut found);
        Ok(found.best)
    }

    /// Searches the moves of a node that `next` gives, until one cuts off.
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
            self.underway.begin(mark);
            let score = self.visit(position, mv, node.ply, |child| {
                S::child(child, depth, left, first)
            });
            self.underway.end(mark);
            if self.note(found, node, window, mv, score?) {
                break;
            }
            first = false;
        }
        Ok(())
    }

    /// Takes in the value of a move; true if it cuts off.
    #[inline]
    pub(super) fn note(
        &mut self,
        found: &mut Found<P::Move>,
        node: Node,
        window: Window,
        mv: P::Move,
        score: Score,
    ) -> bool {
        found.searched += 1;
        found.best = found.best.max(score);
        if score <= found.alpha {
            return false;
        }
        found.mv = Some(mv);
        if score >= window.beta {
            if S::HARD {
                found.best = window.beta;
            }
            return true;
        }
        found.alpha = score;
        self.lines.extend(node.ply, mv);
        false
    }

    /// Learns from what a node's search has found, and tells the table.
    pub(super) fn finish(
        &mut self,
        position: &P,
        (node, window): (Node, Window),
        moves: Moves<P::Move>,
        found: &mut Found<P::Move>,
    ) {
        if let Some(mv) = found.mv
            && found.best >= window.beta
        {
            self.counters.cutoffs += 1;
            self.counters.first_cutoffs += (found.searched == 1) as u64;
            let place = (node.ply, node.depth);
            let tried = moves.picker.tried(&self.stack);
            self.ordering
                .learn(position, place, moves.before, mv, tried);
        }
        moves.picker.finish(&mut self.stack);
        self.put_off.truncate(moves.put_off);
        if moves.narrow {
            found.forget_loss();
        }
        self.table.store(position.key(), found.entry(node, window));
    }

    /// Searches the root's moves in a window, and moves each new best one to the front with its
    /// score and line.
    fn search_root(
        &mut self,
        root: &mut P,
        moves: &mut [RootMove<P::Move>],
        depth: u32,
        window: Window,
    ) -> Value {
        let (mut best, mut alpha) = (-Score::INFINITY, window.alpha);
        // From here on they have been put off.
        let mut put_off = moves.len();
        let mut i = 0;
        while i < moves.len() {
            let mark = self.mark(root, moves[i].mv, depth, i == 0);
            let mark = mark.filter(|_| i < put_off);
            if self.underway.has(mark) {
                moves[i..].rotate_left(1);
                put_off -= 1;
                continue;
            }
            let left = Window::new(alpha, window.beta);
            self.underway.begin(mark);
            let score = self.visit(root, moves[i].mv, 0, |child| {
                S::child(child, depth - 1, left, i == 0)
            });
            self.underway.end(mark);
            let score = score?;
            best = best.max(score);
            if score > alpha {
                alpha = score;
                moves[i].score = score;
                moves[i].pv.truncate(1);
                moves[i].pv.extend_from_slice(self.lines.from(1));
                moves[..=i].rotate_right(1);
            }
            if score >= window.beta {
                break;
            }
            i += 1;
        }
        Ok(best)
    }
}

impl<P: Position, E: Evaluator<P>, S: Strategy> FixedDepth<P> for Worker<P, E, S> {
    fn begin(
        &mut self,
        root: &P,
        limits: &Limits,
        shared_nodes: &Arc<AtomicU64>,
    ) -> Vec<RootMove<P::Move>> {
        self.meter = Meter::new(limits, shared_nodes);
        self.counters = Counters::default();
        self.ordering.begin();
        // A stopped search leaves its moves behind.
        self.stack.moves.clear();
        self.rolls.clear();
        self.put_off.clear();
        self.evaluator.reset(root);
        let moves = if self.list_candidates(root) {
            std::mem::take(&mut self.candidates)
        } else {
            let (ordering, side) = (&self.ordering, root.side());
            let mut moves = root.legal_moves();
            moves.sort_by_key(|&mv| {
                let rank = ordering.rank(side, root.history_index(mv), Played::NONE);
                std::cmp::Reverse(rank)
            });
            moves
        };
        moves.into_iter().map(RootMove::new).collect()
    }

    fn iterate(
        &mut self,
        root: &mut P,
        moves: &mut [RootMove<P::Move>],
        depth: u32,
    ) -> Result<(), Stopped> {
        self.seldepth = 0;
        self.horizon = depth;
        let guess = moves[0].score;
        let (driver, half, grain) = (self.driver, self.settings.aspiration, self.settings.grain);
        let mut search =
            |alpha, beta| self.search_root(root, moves, depth, Window::new(alpha, beta));
        let value = match driver {
            // The first iteration has no guess.
            Driver::Aspiration { full } if depth > 1 => aspiration(guess, half, full, &mut search),
            Driver::Open | Driver::Aspiration { .. } => search(-Score::INFINITY, Score::INFINITY),
            Driver::Mtdf => mtdf(guess, grain, &mut search),
            Driver::Bisection => bisection(&mut search),
        };
        moves[0].score = value?;
        Ok(())
    }

    fn tally(&self) -> Tally {
        Tally {
            nodes: self.meter.nodes(),
            seldepth: self.seldepth,
            counters: self.counters,
        }
    }

    fn forget(&mut self) {
        self.ordering.forget();
    }
}
