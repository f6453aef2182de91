//! Principal variation search (Marsland and Campbell 1982; Reinefeld's NegaScout 1983), fail-soft,
//! with the transposition table. Right for extra turns and for chance nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::evaluate::Evaluator;
use crate::limits::Limits;
use crate::ordering::{HISTORY_LIMIT, History, Killers, MoveStack, Picker};
use crate::position::{Move, Position};
use crate::score::Score;
use crate::search::chance::{Star1, Verdict};
use crate::table::{Bound, Entry, Table};

/// The search was ended from outside; what it was about to return is worthless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// A value, unless the search was stopped.
type Value = Result<Score, Stopped>;

/// How often, in nodes, the clock and the stop flag are looked at.
const CHECK_EVERY: u64 = 64;

/// One thread of principal variation search, with all that it keeps between searches.
pub(super) struct Worker<P: Position, E> {
    evaluator: E,
    table: Arc<Table>,
    history: History,
    killers: Killers<P::Move>,
    stack: MoveStack<P::Move>,
    rolls: Vec<(u8, i32)>,
    /// The principal variation of each ply's node (triangular table).
    pv: Vec<Vec<P::Move>>,
    /// How many candidates are searched; `None` for all moves.
    width: Option<usize>,
    candidates: Vec<P::Move>,
    limits: Limits,
    /// Nodes of this search.
    pub(super) nodes: u64,
    /// Nodes of all threads, as far as they have been added up.
    shared_nodes: Arc<AtomicU64>,
    /// Deepest ply reached in this iteration.
    pub(super) seldepth: u32,
}

/// Where a node stands in the tree, and its window.
#[derive(Clone, Copy)]
struct Node {
    depth: u32,
    ply: u32,
    alpha: Score,
    beta: Score,
}

impl Node {
    /// Whether the window is open, so that an exact value and a line are wanted.
    fn is_pv(&self) -> bool {
        self.beta.value() - self.alpha.value() > 1
    }
}

/// A root move and what the last iteration knew of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Its value, or a draw until it has been searched.
    pub(super) score: Score,
    pub(super) pv: Vec<M>,
}

impl<P: Position, E: Evaluator<P>> Worker<P, E> {
    pub(super) fn new(evaluator: E, table: Arc<Table>, width: Option<usize>) -> Self {
        Worker {
            evaluator,
            table,
            history: History::new(P::HISTORY_LEN),
            killers: Killers::new(),
            stack: MoveStack::default(),
            rolls: Vec::new(),
            pv: Vec::new(),
            width,
            candidates: Vec::new(),
            limits: Limits::default(),
            nodes: 0,
            shared_nodes: Arc::default(),
            seldepth: 0,
        }
    }

    /// Makes ready for a search of `root`.
    pub(super) fn begin(&mut self, root: &P, limits: &Limits, shared_nodes: &Arc<AtomicU64>) {
        self.limits = limits.clone();
        self.nodes = 0;
        self.shared_nodes = shared_nodes.clone();
        self.killers.clear();
        // A stopped search leaves its moves behind.
        self.stack.moves.clear();
        self.rolls.clear();
        self.evaluator.reset(root);
    }

    /// Forgets what was learnt in earlier searches.
    pub(super) fn forget(&mut self) {
        self.history.clear();
        self.killers.clear();
    }

    /// The root's moves: the candidates, or all, those that have cut off before first.
    pub(super) fn root_moves(&mut self, root: &P) -> Vec<RootMove<P::Move>> {
        let moves = if self.list_candidates(root) {
            std::mem::take(&mut self.candidates)
        } else {
            let mut moves = root.legal_moves();
            moves.sort_by_key(|&mv| std::cmp::Reverse(self.rank(root, mv)));
            moves
        };
        let root_move = |mv| RootMove {
            mv,
            score: Score::DRAW,
            pv: vec![mv],
        };
        moves.into_iter().map(root_move).collect()
    }

    /// Lists the candidates of a search of limited width; false if all moves are to be searched.
    fn list_candidates(&mut self, position: &P) -> bool {
        let Some(limit) = self.width else {
            return false;
        };
        self.evaluator
            .candidates(position, limit, &mut self.candidates)
            && !self.candidates.is_empty()
    }

    /// Searches every root move to `depth`, and moves each new best one to the front with its score
    /// and line. If the search is stopped, what it found until then stands.
    pub(super) fn iterate(
        &mut self,
        root: &mut P,
        moves: &mut [RootMove<P::Move>],
        depth: u32,
    ) -> Result<(), Stopped> {
        self.seldepth = 0;
        let mut alpha = -Score::INFINITY;
        for i in 0..moves.len() {
            let node = Node {
                depth,
                ply: 0,
                alpha,
                beta: Score::INFINITY,
            };
            let score = self.child(root, moves[i].mv, node, i == 0)?;
            if i == 0 || score > alpha {
                alpha = score;
                moves[i].score = score;
                moves[i].pv.truncate(1);
                let line = self.pv.get(1).map_or(&[][..], |line| line);
                moves[i].pv.extend_from_slice(line);
                moves[..=i].rotate_right(1);
            }
        }
        Ok(())
    }

    /// The value of `mv` for the side to act at `node`: searched with the node's window if it is
    /// the first move, else with a null window first and again only if it turns out better.
    fn child(&mut self, position: &mut P, mv: P::Move, node: Node, first: bool) -> Value {
        let side = position.side();
        self.evaluator.push(position, mv);
        let undo = position.play(mv);
        self.table.prefetch(position.key());
        let again = !P::ALTERNATES && position.side() == side;
        let depth = node.depth.saturating_sub(1);
        let mut search = |alpha: Score, beta: Score| {
            let (ply, child) = (node.ply + 1, |alpha, beta| Node {
                depth,
                ply: node.ply + 1,
                alpha,
                beta,
            });
            if let Some(line) = self.pv.get_mut(ply as usize) {
                line.clear();
            }
            // The one place that knows about signs.
            if again {
                self.value(position, child(alpha, beta))
            } else {
                self.value(position, child(-beta, -alpha))
                    .map(|score| -score)
            }
        };
        let value = if first {
            search(node.alpha, node.beta)
        } else {
            match search(node.alpha, node.alpha + 1) {
                Ok(score) if score > node.alpha && score < node.beta && node.is_pv() => {
                    search(node.alpha, node.beta)
                }
                value => value,
            }
        };
        position.undo(mv, undo);
        self.evaluator.pop();
        value
    }

    /// The value of a node for its side to act: exact within the window, else a bound (fail-soft).
    fn value(&mut self, position: &mut P, node: Node) -> Value {
        self.count_node()?;
        if let Some(score) = position.terminal(node.ply) {
            return Ok(score);
        }
        self.seldepth = self.seldepth.max(node.ply);
        if (node.depth == 0 && !position.mid_turn()) || node.ply >= Score::MAX_PLY {
            return Ok(self.leaf(position, node));
        }
        if P::HAS_CHANCE && position.is_chance() {
            return self.chance(position, node);
        }
        self.decision(position, node)
    }

    /// Counts a node, or ends the search before it. A limit of nodes is kept exactly.
    fn count_node(&mut self) -> Result<(), Stopped> {
        let look = self.nodes.is_multiple_of(CHECK_EVERY);
        if look && self.nodes > 0 {
            self.shared_nodes.fetch_add(CHECK_EVERY, Ordering::Relaxed);
        }
        let exhausted = if look {
            self.limits.exhausted(self.nodes)
        } else {
            self.limits.nodes.is_some_and(|limit| self.nodes >= limit)
        };
        if exhausted {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// The static value of a leaf. Where two orders of actions within a turn meet again, the table
    /// saves evaluating the same position twice.
    fn leaf(&mut self, position: &P, node: Node) -> Score {
        if P::ALTERNATES {
            return self.evaluator.evaluate(position);
        }
        let key = position.key();
        if let Some(entry) = self.table.probe::<P::Move>(key)
            && entry.depth == 0
            && entry.bound == Bound::Exact
        {
            return entry.score.to_root(node.ply);
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

    fn decision(&mut self, position: &mut P, node: Node) -> Value {
        let key = position.key();
        let entry = self.table.probe::<P::Move>(key);
        if let Some(entry) = entry
            && let Some(score) = cutoff(&entry, node)
        {
            return Ok(score);
        }
        let side = position.side();
        let table_move = entry.and_then(|entry| entry.mv);
        let narrow = self.list_candidates(position);
        let mut picker = if narrow {
            let history = &self.history;
            let rank = |mv| history.get(side, position.history_index(mv));
            Picker::of_list(&mut self.stack, table_move, &self.candidates, rank)
        } else {
            Picker::new(&self.stack, table_move, self.killers.get(node.ply, side))
        };
        let mut found = Found {
            best: -Score::INFINITY,
            mv: None,
            alpha: node.alpha,
        };
        let mut first = true;
        while let Some(mv) = self.next_move(&mut picker, position) {
            let window = Node {
                alpha: found.alpha,
                ..node
            };
            let score = self.child(position, mv, window, first)?;
            first = false;
            if score > found.best {
                found.best = score;
                if score > found.alpha {
                    found.alpha = score;
                    found.mv = Some(mv);
                    if node.is_pv() {
                        self.extend_line(node.ply, mv);
                    }
                }
            }
            if score >= node.beta {
                break;
            }
        }
        picker.finish(&mut self.stack);
        if narrow {
            found.forget_loss();
        }
        self.learn(position, node, &found);
        self.table.store(key, found.entry(node));
        Ok(found.best)
    }

    fn next_move(&mut self, picker: &mut Picker<P::Move>, position: &P) -> Option<P::Move> {
        let (history, side) = (&self.history, position.side());
        let rank = |mv| history.get(side, position.history_index(mv));
        picker.next(position, &mut self.stack, rank)
    }

    fn rank(&self, position: &P, mv: P::Move) -> i32 {
        self.history
            .get(position.side(), position.history_index(mv))
    }

    /// `mv`, then the line of the next ply, becomes the line of `ply`.
    fn extend_line(&mut self, ply: u32, mv: P::Move) {
        let ply = ply as usize;
        if self.pv.len() < ply + 2 {
            self.pv.resize(ply + 2, Vec::new());
        }
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// A move that cut off is tried earlier from now on.
    fn learn(&mut self, position: &P, node: Node, found: &Found<P::Move>) {
        if let Some(mv) = found.mv
            && found.best >= node.beta
        {
            let side = position.side();
            let bonus = (node.depth * node.depth).min(HISTORY_LIMIT as u32 / 4) as i32;
            self.history.add(side, position.history_index(mv), bonus);
            self.killers.add(node.ply, side, mv);
        }
    }

    /// The expectation over the rolls, with Star1's windows. The table knows chance nodes too.
    fn chance(&mut self, position: &mut P, node: Node) -> Value {
        let key = position.key();
        if let Some(entry) = self.table.probe::<P::Move>(key)
            && let Some(score) = decision(&entry, node)
        {
            return Ok(score);
        }
        let mark = self.rolls.len();
        position.rolls(&mut self.rolls);
        let result = self.expectation(position, node, mark);
        self.rolls.truncate(mark);
        let (score, bound) = result?;
        let entry = Entry::<P::Move> {
            mv: None,
            score: score.from_root(node.ply),
            depth: node.depth.min(255) as u8,
            bound,
        };
        self.table.store(key, entry);
        // The line ends before the roll: nobody knows what it will be.
        if let Some(line) = self.pv.get_mut(node.ply as usize) {
            line.clear();
        }
        Ok(score)
    }

    /// Searches the rolls past `mark` until they are all known or their mean is outside the window.
    fn expectation(
        &mut self,
        position: &mut P,
        node: Node,
        mark: usize,
    ) -> Result<(Score, Bound), Stopped> {
        let mut star = Star1::new(node.alpha, node.beta, P::MAX_SCORE, P::FACES as i32);
        for i in mark..self.rolls.len() {
            let (face, weight) = self.rolls[i];
            let window = star.window(weight);
            position.play_roll(face);
            let rolled = Node {
                alpha: window.0,
                beta: window.1,
                ..node
            };
            let value = self.value(position, rolled);
            position.undo_roll(face);
            if let Verdict::Cut(score) = star.add(weight, value?, window) {
                let bound = if score >= node.beta {
                    Bound::Lower
                } else {
                    Bound::Upper
                };
                return Ok((score, bound));
            }
        }
        Ok((star.value(), Bound::Exact))
    }
}

/// The score of a table entry, if it decides a node of which no line is wanted.
fn cutoff<M>(entry: &Entry<M>, node: Node) -> Option<Score> {
    if node.is_pv() {
        None
    } else {
        decision(entry, node)
    }
}

/// The score of a table entry, if it decides the node.
fn decision<M>(entry: &Entry<M>, node: Node) -> Option<Score> {
    if (entry.depth as u32) < node.depth {
        return None;
    }
    let score = entry.score.to_root(node.ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= node.beta,
        Bound::Upper => score <= node.alpha,
    };
    decides.then_some(score)
}

/// What the search of a node has found so far.
struct Found<M> {
    best: Score,
    mv: Option<M>,
    alpha: Score,
}

impl<M: Move> Found<M> {
    /// Not all moves were looked at: a loss is then no proof.
    fn forget_loss(&mut self) {
        if self.best.plies_to_loss().is_some() {
            self.best = -Score::MAX_EVAL;
        }
    }

    fn entry(&self, node: Node) -> Entry<M> {
        let bound = if self.best >= node.beta {
            Bound::Lower
        } else if self.mv.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        Entry {
            mv: self.mv,
            score: self.best.from_root(node.ply),
            depth: node.depth.min(255) as u8,
            bound,
        }
    }
}
