//! Depth-first proof-number search that is guided by knowledge of the game.
//!
//! Beside what [`dfpn`](super::dfpn) does, it asks a [`Guide`] at every new position: who wins, if
//! that is known, which moves are worth a search, in which order. Of these only some are searched at
//! a time, the best first (Henderson, *Playing and solving the game of Hex*, 2010, calls this focused
//! df-pn). The [zones](Zone) of refutations exclude further moves.

mod table;

use super::goal::Goal;
use super::numbers::{INFINITE, Numbers};
use super::tree::{Builder, ProofTree};
use super::zone::Zone;
use super::{Finding, Prover, RootMove};
use crate::limits::Limits;
use crate::position::{Outcome, Position};
use table::{Entry, Table};

/// A share of the moves that may still win is searched at a time, and one more.
const SHARE: usize = 4;
/// As in [`dfpn`](super::dfpn): a child is left when it is worse than the second by one part in so
/// many.
const EPSILON_PART: u32 = 4;
/// What it costs to prove that a side wins which is sure to, or sure not to.
const EASY: f32 = 2.0;
const HARD: f32 = 14.0;
/// Positions that may be opened again for a ply of the line that is shown.
const NODES_A_PLY: u64 = 1_000;

/// A position in the place of another one: the same side wins it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced<P> {
    /// The position. Its moves are moves of the other one, too, and a move wins here if and only if it
    /// wins there.
    pub position: P,
    /// By side, what the zone of its wins has in the other position beside its zone in this one.
    pub needs: [Zone; 2],
}

/// What a [`Guide`] says of a position beside its moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Look {
    /// The cells within which the other side refutes all moves that are not listed, if it refutes
    /// those that are.
    pub zone: Zone,
    /// The chance that the side to move wins, 0 to 1, by an estimate.
    pub chance: f32,
}

/// Knowledge of a game, for [`Guided`].
pub trait Guide<P: Position>: Send {
    /// A position that is searched in place of an unfinished one; `None` if there is nothing to gain.
    fn reduce(&mut self, _position: &P) -> Option<Reduced<P>> {
        None
    }

    /// A move by which the side to move wins an unfinished position, and the zone of the win, if that is
    /// seen without a search. Asked where a search begins, to shorten its lines.
    fn win(&mut self, _position: &P) -> Option<(P::Move, Zone)> {
        None
    }

    /// Looks at an unfinished position: writes the moves that are worth a search to `moves`, which is
    /// empty, the best first, each with an estimate of its cost: 1 for a likely win, more for others.
    /// If the other side refutes these, it refutes all others, within the zones of these refutations
    /// and [`Look::zone`]. So a position without moves is lost.
    fn look(&mut self, position: &P, moves: &mut Vec<(P::Move, u8)>) -> Look;

    /// The cell that a move of this position takes; `None` if the zone after the move says nothing
    /// about the position before, as with a swap.
    fn cell(&self, position: &P, mv: P::Move) -> Option<usize>;
}

/// The move to search next at a node.
struct Choice {
    index: usize,
    phi: u32,
    delta: u32,
    /// φ of the second-best move.
    second: u32,
}

/// Depth-first proof-number search with a guide, for games without draws and dice in which sides
/// alternate and positions do not repeat.
pub struct Guided<P: Position, G> {
    guide: G,
    table: Table<P::Move>,
    /// Positions opened by this search.
    nodes: u64,
    over: bool,
    goal: Goal,
    root: Option<P>,
}

impl<P: Position, G: Guide<P>> Guided<P, G> {
    /// A search with a table of at most `bytes` bytes, at least some hundred positions.
    ///
    /// # Panics
    /// If the game has dice or draws, or if its positions can repeat.
    pub fn new(guide: G, bytes: usize) -> Guided<P, G> {
        assert!(
            !P::HAS_CHANCE && !P::DRAWS && !P::REPEATS,
            "a guided search decides between a win and a loss"
        );
        Guided {
            guide,
            table: Table::new(bytes),
            nodes: 0,
            over: false,
            goal: Goal::win(crate::position::Side::First),
            root: None,
        }
    }

    /// Whether a move of an unfinished position is known to lose.
    fn is_refuted(&self, position: &P, mv: P::Move) -> bool {
        let mut after = position.clone();
        after.play(mv);
        self.table
            .known(after.key())
            .is_some_and(|known| known.phi == 0)
    }

    /// Asks the rules and the guide about a new position.
    fn open(&mut self, position: &P) -> Entry<P::Move> {
        match position.outcome() {
            None => {}
            // Not after a move of the other side, but a reduced position can be won.
            Some(Outcome::Win(winner)) if winner == position.side() => {
                return Entry {
                    phi: 0,
                    delta: INFINITE,
                    ..Entry::lost(Zone::EMPTY)
                };
            }
            Some(_) => return Entry::lost(Zone::EMPTY),
        }
        self.nodes += 1;
        let mut moves = Vec::new();
        let Look { zone, chance } = self.guide.look(position, &mut moves);
        if moves.is_empty() {
            return Entry::lost(zone);
        }
        let factor = |chance: f32| (EASY + (HARD - EASY) * (1.0 - chance)).round() as u8;
        Entry {
            phi: 1,
            delta: 1,
            factors: (factor(chance), factor(1.0 - chance)),
            must: Zone::ALL,
            moves: moves.into(),
            ..Entry::lost(zone)
        }
    }

    /// Whether the guide sees a win of the side to move, which is stored then.
    fn sees_win(&mut self, position: &P) -> bool {
        let win = self.guide.win(position);
        if let Some((mv, zone)) = win {
            self.table.store(position.key(), Entry::won(mv, zone));
        }
        win.is_some()
    }

    /// Searches a position until one of its numbers reaches a limit or the budget is spent. Returns
    /// what is known of it if it is solved: a full table may drop it at once.
    fn search(
        &mut self,
        position: &mut P,
        limit: (u32, u32),
        limits: &Limits,
    ) -> Option<Entry<P::Move>> {
        let key = position.key();
        if let Some(known) = self.table.get(key).filter(|known| known.is_solved()) {
            return Some(known.clone());
        }
        let reduced = match position.outcome() {
            None => self.guide.reduce(position),
            Some(_) => None,
        };
        let Some(mut reduced) = reduced.filter(|reduced| reduced.position.key() != key) else {
            return self.search_here(position, limit, limits);
        };
        let solved = self.search_here(&mut reduced.position, limit, limits);
        if solved.is_none() {
            self.table.link(key, reduced.position.key());
        }
        solved.map(|solved| self.carry_over(position, &reduced, solved))
    }

    /// Stores what the solution of a reduced position says about a position.
    fn carry_over(
        &mut self,
        position: &P,
        reduced: &Reduced<P>,
        solved: Entry<P::Move>,
    ) -> Entry<P::Move> {
        let mover_wins = solved.phi == 0;
        let winner = if mover_wins {
            position.side()
        } else {
            position.side().opponent()
        };
        let zone = solved.zone.union(&reduced.needs[winner.index()]);
        let is_inside = |mv: &P::Move| {
            self.guide
                .cell(position, *mv)
                .is_some_and(|cell| zone.contains(cell))
        };
        let legal = position.legal_moves();
        let any = || {
            legal
                .iter()
                .copied()
                .find(is_inside)
                .or(legal.first().copied())
        };
        let best = if mover_wins {
            solved.best.or_else(any)
        } else {
            None
        };
        let entry = Entry {
            zone,
            best,
            ..solved
        };
        self.table.store(position.key(), entry.clone());
        entry
    }

    /// Searches a position that is not reduced further; what is known if it is solved then.
    fn search_here(
        &mut self,
        position: &mut P,
        limit: (u32, u32),
        limits: &Limits,
    ) -> Option<Entry<P::Move>> {
        let key = position.key();
        let before = self.nodes;
        let mut entry = match self.table.take(key) {
            Some(entry) => entry,
            None if limits.nodes.is_some_and(|limit| self.nodes >= limit) => {
                self.over = true;
                return None;
            }
            None => self.open(position),
        };
        limits.spend(1);
        self.over |= limits.exhausted(self.nodes) || limits.soft_limit_reached();
        if !entry.is_solved() {
            self.search_moves(position, &mut entry, limit, limits);
        }
        entry.work += self.nodes - before;
        let solved = entry.is_solved().then(|| entry.clone());
        self.table.store(key, entry);
        solved
    }

    /// Searches the moves of a position that is not solved.
    fn search_moves(
        &mut self,
        position: &mut P,
        entry: &mut Entry<P::Move>,
        limit: (u32, u32),
        limits: &Limits,
    ) {
        let moves = entry.moves.clone();
        let (phi, delta) = entry.factors;
        let unopened = |cost: u8| (u32::from(cost) * u32::from(phi), u32::from(delta));
        let mut children: Vec<(u64, (u32, u32))> = moves
            .iter()
            .map(|&(mv, cost)| {
                let undo = position.play(mv);
                let key = position.key();
                position.undo(mv, undo);
                (key, unopened(cost))
            })
            .collect();
        loop {
            for (child, &(mv, cost)) in children.iter_mut().zip(&moves) {
                // From the view of this position: its φ is the child's δ.
                if self.table.get(child.0).is_none()
                    && self.table.known(child.0).is_some_and(Entry::is_solved)
                {
                    let undo = position.play(mv);
                    self.search(position, (INFINITE, INFINITE), limits);
                    position.undo(mv, undo);
                }
                let known = self.table.known(child.0);
                child.1 = known.map_or(unopened(cost), |known| (known.delta, known.phi));
                let Some(known) = known else { continue };
                if known.delta == 0 {
                    let cell = self.guide.cell(position, mv);
                    let zone = cell.map_or(Zone::ALL, |cell| known.zone.with(cell));
                    *entry = Entry {
                        work: entry.work,
                        ..Entry::won(mv, zone)
                    };
                    return;
                }
            }
            self.exclude(position, entry, &moves, &children);
            let Some(choice) = self.choose(position, entry, &moves, &children) else {
                *entry = Entry {
                    work: entry.work,
                    ..Entry::lost(entry.zone)
                };
                return;
            };
            (entry.phi, entry.delta) = (choice.phi, choice.delta);
            if self.over || choice.phi >= limit.0 || choice.delta >= limit.1 {
                return;
            }
            let (_, (_, child_delta)) = children[choice.index];
            let margin = choice.second / EPSILON_PART + 1;
            let phi = limit.0.min(choice.second.saturating_add(margin));
            let delta = (limit.1 - choice.delta).saturating_add(child_delta);
            let (mv, _) = moves[choice.index];
            let undo = position.play(mv);
            self.search(position, (delta.min(INFINITE - 1), phi), limits);
            position.undo(mv, undo);
        }
    }

    /// Takes the zones of refuted moves into account.
    fn exclude(
        &self,
        position: &P,
        entry: &mut Entry<P::Move>,
        moves: &[(P::Move, u8)],
        children: &[(u64, (u32, u32))],
    ) {
        for (&(mv, _), (key, (phi, _))) in moves.iter().zip(children) {
            let known = if *phi == INFINITE {
                self.table.get(*key)
            } else {
                None
            };
            let Some(known) = known else { continue };
            match self.guide.cell(position, mv) {
                Some(cell) if entry.must.contains(cell) => {
                    entry.must = entry.must.intersection(&known.zone);
                    entry.zone = entry.zone.union(&known.zone);
                }
                // Another refutation is enough.
                Some(_) => {}
                None => entry.zone = Zone::ALL,
            }
        }
    }

    /// The best of the moves that are searched now; `None` if all are refuted.
    fn choose(
        &self,
        position: &P,
        entry: &Entry<P::Move>,
        moves: &[(P::Move, u8)],
        children: &[(u64, (u32, u32))],
    ) -> Option<Choice> {
        let is_open = |&index: &usize| {
            let cell = self.guide.cell(position, moves[index].0);
            children[index].1.0 != INFINITE && cell.is_none_or(|cell| entry.must.contains(cell))
        };
        let open: Vec<usize> = (0..moves.len()).filter(is_open).collect();
        let width = 1 + open.len().div_ceil(SHARE);
        let mut choice: Option<Choice> = None;
        for &index in open.iter().take(width) {
            let (phi, delta) = children[index].1;
            choice = Some(match choice {
                None => Choice {
                    index,
                    phi,
                    delta,
                    second: INFINITE - 1,
                },
                Some(best) if phi < best.phi => Choice {
                    index,
                    phi,
                    delta: best.delta.saturating_add(delta).min(INFINITE - 1),
                    second: best.phi,
                },
                Some(best) => Choice {
                    second: best.second.min(phi),
                    delta: best.delta.saturating_add(delta).min(INFINITE - 1),
                    ..best
                },
            });
        }
        choice
    }

    /// The numbers of a position for the goal.
    fn numbers(&self, position: &P) -> Numbers {
        let prover = position.side() == self.goal.side;
        match (position.outcome(), self.table.known(position.key())) {
            (None, None) => Numbers::UNKNOWN,
            (None, Some(entry)) => Numbers::from_phi_delta((entry.phi, entry.delta), prover),
            (outcome, _) => Numbers::of(outcome, self.goal),
        }
    }

    /// The winner's move in a solved position, or one where the winner needs cells; `None` if it is
    /// not solved within the limits.
    fn next_of_line(&mut self, position: &mut P, limits: &Limits) -> Option<P::Move> {
        (self.nodes, self.over) = (0, false);
        let entry = self.search(position, (INFINITE, INFINITE), limits)?;
        let legal = position.legal_moves();
        let resists = |mv: &&P::Move| {
            let cell = self.guide.cell(position, **mv);
            cell.is_some_and(|cell| entry.zone.contains(cell))
        };
        let reply = || legal.iter().find(resists).or(legal.first());
        entry.best.or_else(|| reply().copied())
    }

    /// Adds the proof of a solved position to `builder`.
    fn extract(
        &mut self,
        position: &mut P,
        builder: &mut Builder<P::Move>,
        limits: &Limits,
    ) -> Option<u32> {
        if let Some(known) = builder.without_moves(position) {
            return Some(known);
        }
        let entry = self.search(position, (INFINITE, INFINITE), limits)?;
        let moves = match entry.best {
            Some(best) => vec![best],
            None => position.legal_moves(),
        };
        builder.with_moves(position, moves, |builder, position| {
            self.extract(position, builder, limits)
        })
    }
}

impl<P: Position, G: Guide<P>> Prover<P> for Guided<P, G> {
    fn prove(&mut self, root: &P, goal: Goal, limits: &Limits) -> Finding {
        self.goal = goal;
        self.root = Some(root.clone());
        (self.nodes, self.over) = (0, false);
        if root.outcome().is_none() && !self.sees_win(root) {
            self.search(&mut root.clone(), (INFINITE, INFINITE), limits);
        }
        Finding {
            answer: self.numbers(root).answer(),
            nodes: self.nodes,
        }
    }

    fn root_moves(&self) -> Vec<RootMove<P::Move>> {
        let Some(root) = self.root.as_ref().filter(|root| root.outcome().is_none()) else {
            return Vec::new();
        };
        let entry = self.table.known(root.key());
        let own = root.side() == self.goal.side;
        let [won, lost] = if own {
            [Numbers::PROVEN, Numbers::DISPROVEN]
        } else {
            [Numbers::DISPROVEN, Numbers::PROVEN]
        };
        let numbers = |mv| {
            let mut after = root.clone();
            after.play(mv);
            match entry {
                Some(entry) if entry.best == Some(mv) => won,
                Some(entry) if entry.delta == 0 => lost,
                _ => self.numbers(&after),
            }
        };
        let moves = root.legal_moves().into_iter();
        moves
            .map(|mv| RootMove {
                mv,
                numbers: numbers(mv),
            })
            .collect()
    }

    fn region(&self) -> Vec<P::Move> {
        let root = self.root.as_ref().filter(|root| root.outcome().is_none());
        let known = root.and_then(|root| Some((root, self.table.known(root.key())?)));
        let Some((root, entry)) = known else {
            return Vec::new();
        };
        let is_inside = |zone: &Zone, mv: P::Move| {
            let cell = self.guide.cell(root, mv);
            cell.is_none_or(|cell| zone.contains(cell))
        };
        let mut moves = root.legal_moves();
        let all = moves.len();
        if entry.is_solved() {
            moves.retain(|&mv| is_inside(&entry.zone, mv));
        } else {
            let is_listed = |mv: P::Move| entry.moves.iter().any(|&(listed, _)| listed == mv);
            moves.retain(|&mv| {
                is_listed(mv) && is_inside(&entry.must, mv) && !self.is_refuted(root, mv)
            });
        }
        if moves.len() == all {
            moves.clear();
        }
        moves
    }

    /// The loser plays where the winner needs cells.
    fn line(&mut self, limits: &Limits) -> Vec<P::Move> {
        let mut line = Vec::new();
        let Some(mut position) = self.root.clone() else {
            return line;
        };
        let Some(winner) = self.numbers(&position).answer().proven_goal(self.goal) else {
            return line;
        };
        let mut limits = limits.clone();
        limits.nodes = Some(NODES_A_PLY);
        while position.outcome().is_none() && (line.is_empty() || !limits.exhausted(0)) {
            if position.side() == winner.side {
                self.sees_win(&position);
            }
            let Some(mv) = self.next_of_line(&mut position, &limits) else {
                break;
            };
            position.play(mv);
            line.push(mv);
        }
        line
    }

    fn proof_tree(&mut self, limits: &Limits) -> Option<ProofTree<P::Move>> {
        let mut position = self.root.clone()?;
        let goal = self.numbers(&position).answer().proven_goal(self.goal)?;
        let mut builder = Builder::new(true);
        (self.nodes, self.over) = (0, false);
        let found = self.extract(&mut position, &mut builder, limits);
        found.map(|_| builder.finish(goal))
    }

    fn forget(&mut self) {
        self.table.clear();
        self.root = None;
    }

    fn fullness(&self) -> u32 {
        self.table.fullness()
    }
}
