//! Proof searches as players.

use std::time::Duration;

use super::numbers::Numbers;
use super::{Answer, Finding, Goal, Prover, RootMove};
use crate::evaluate::Evaluator;
use crate::limits::{Limits, Report};
use crate::position::Position;
use crate::score::Score;
use crate::search::Search;

/// Nodes for each ply of a depth limit that is the only limit. Proof searches have no depth limit,
/// but must end.
const NODES_A_PLY: u64 = 1_000;

/// Moves evaluated between two checks of the clock.
const EVALUATE: usize = 16;

/// A player that plays by proof search.
///
/// It asks "do I win?" with half of its budget, then "do I at least draw?" with the other half,
/// which finds the losing moves. In a game without draws ([`Position::DRAWS`]) the first question
/// answers both. It plays a proven move. If no move is proven, it prefers a move
/// 1. of the best status: proven not to lose, unknown, lost;
/// 2. with the smallest share of work to prove a win, then to prove a draw
///    ([`Numbers::share_of_proof`]);
/// 3. with the best evaluation after one ply, which is also the reported score;
/// 4. that is generated first.
///
/// A win or loss is reported with the length of the line that was found; the shortest one is not
/// known. The player uses one thread and no random numbers.
pub struct ProofPlayer<P: Position, E> {
    prover: Box<dyn Prover<P>>,
    evaluator: E,
    /// The root moves in the order of generation.
    candidates: Vec<Candidate<P::Move>>,
}

/// A root move with its evaluation and numbers.
#[derive(Clone, Copy, Debug)]
struct Candidate<M> {
    mv: M,
    /// Its evaluation for the side that plays it; the minimum if there was no time to evaluate it.
    value: Score,
    /// Numbers of "I win" and "I at least draw".
    win: Numbers,
    draw: Numbers,
}

impl<M: Copy> Candidate<M> {
    /// Sort key; the largest is the best move.
    fn rank(&self) -> (u8, u64, u64, Score) {
        let class = match self.draw.answer() {
            Answer::Proven => 2,
            Answer::Unknown => 1,
            Answer::Disproven => 0,
        };
        let ease = |numbers: Numbers| (1 << 32) - numbers.share_of_proof();
        (class, ease(self.win), ease(self.draw), self.value)
    }
}

impl<P: Position, E: Evaluator<P>> ProofPlayer<P, E> {
    /// A player that uses `prover`.
    pub fn new(prover: Box<dyn Prover<P>>, evaluator: E) -> Self {
        ProofPlayer {
            prover,
            evaluator,
            candidates: Vec::new(),
        }
    }

    /// Lists the root moves with their evaluations.
    fn list_candidates(&mut self, root: &P, limits: &Limits) {
        let mut time = limits.clone();
        time.nodes = None;
        let mut position = root.clone();
        let mut late = false;
        self.evaluator.reset(root);
        self.candidates.clear();
        for (i, mv) in root.legal_moves().into_iter().enumerate() {
            late |= i % EVALUATE == 0 && i > 0 && time.exhausted(0);
            let value = if late {
                -Score::INFINITY
            } else {
                self.value_after(&mut position, mv)
            };
            self.candidates.push(Candidate {
                mv,
                value,
                win: Numbers::UNKNOWN,
                draw: Numbers::UNKNOWN,
            });
        }
    }

    /// The evaluation after `mv` for the side that plays it, never a proven score.
    fn value_after(&mut self, position: &mut P, mv: P::Move) -> Score {
        let side = position.side();
        self.evaluator.push(position, mv);
        let undo = position.play(mv);
        let score = match position.terminal(1) {
            Some(score) => Score::points(score.value()),
            None => self.evaluator.evaluate(position),
        };
        let value = if position.side() == side {
            score
        } else {
            -score
        };
        position.undo(mv, undo);
        self.evaluator.pop();
        value
    }

    /// Runs a proof search, and stores the numbers of the root moves.
    fn ask(&mut self, root: &P, goal: Goal, limits: &Limits) -> Finding {
        let finding = self.prover.prove(root, goal, limits);
        // Both lists are in the order of generation.
        let mut candidates = self.candidates.iter_mut();
        for RootMove { mv, numbers } in self.prover.root_moves() {
            let Some(candidate) = candidates.find(|known| known.mv == mv) else {
                break;
            };
            if goal.draw_suffices {
                candidate.draw = numbers;
            } else {
                candidate.win = numbers;
                // A win is at least a draw; in games without draws the reverse holds too.
                if !P::DRAWS || numbers.answer() == Answer::Proven {
                    candidate.draw = numbers;
                }
            }
        }
        finding
    }

    /// Runs both proof searches; returns what is proven of the root, and the nodes used.
    fn solve(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> (Proof, u64) {
        let side = root.side();
        let share = if P::DRAWS {
            half(limits)
        } else {
            limits.clone()
        };
        let win = self.ask(root, Goal::win(side), &share);
        match win.answer {
            Answer::Proven => return (Proof::Win, win.nodes),
            Answer::Disproven if !P::DRAWS => return (Proof::Loss, win.nodes),
            Answer::Unknown if !P::DRAWS => return (Proof::None, win.nodes),
            _ => {}
        }
        progress(&self.report(root, Proof::None, win.nodes, limits));
        let mut rest = limits.clone();
        rest.nodes = limits.nodes.map(|nodes| nodes - win.nodes);
        let draw = self.ask(root, Goal::draw(side), &rest);
        let proof = match (win.answer, draw.answer) {
            (_, Answer::Disproven) => Proof::Loss,
            (Answer::Disproven, Answer::Proven) => Proof::Draw,
            _ => Proof::None,
        };
        (proof, win.nodes + draw.nodes)
    }

    fn report(&mut self, root: &P, proof: Proof, nodes: u64, limits: &Limits) -> Report<P::Move> {
        // Of equal moves the first wins.
        let best = self
            .candidates
            .iter()
            .rev()
            .max_by_key(|known| known.rank());
        let best = *best.expect("a position that is not over has a move");
        let mut pv = vec![best.mv];
        let mut plies = 1;
        if proof != Proof::None {
            let line = self.prover.line(limits);
            plies = (line.len() as u32).clamp(1, Score::MAX_PLY);
            if line.first() == Some(&best.mv) {
                pv = line;
            }
        }
        debug_assert!(pv.iter().take(1).all(|&mv| root.is_legal(mv)));
        Report {
            depth: pv.len() as u32,
            seldepth: pv.len() as u32,
            score: Some(match proof {
                Proof::Win => Score::win_in(plies),
                Proof::Loss => Score::loss_in(plies),
                Proof::Draw => Score::DRAW,
                Proof::None => Score::points(best.value.value()),
            }),
            solved: proof != Proof::None,
            nodes,
            hashfull: self.prover.fullness(),
            pv,
            region: if P::DRAWS {
                Vec::new()
            } else {
                self.prover.region()
            },
            ..Report::empty(limits)
        }
    }
}

/// What is proven of a root, for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proof {
    Win,
    Draw,
    Loss,
    None,
}

/// Half of the limits; unlimited stays unlimited.
fn half(limits: &Limits) -> Limits {
    let halve = |time: Option<Duration>| time.map(|time| time / 2);
    let mut share = limits.clone();
    share.nodes = limits.nodes.map(|nodes| nodes.div_ceil(2));
    (share.soft, share.hard) = (halve(limits.soft), halve(limits.hard));
    share
}

/// These limits, with a node limit if depth is the only limit.
fn without_depth(limits: &Limits) -> Limits {
    let mut limits = limits.clone();
    if let Some(depth) = limits.depth
        && limits.nodes.is_none()
        && !limits.is_timed()
    {
        limits.nodes = Some(depth as u64 * NODES_A_PLY);
    }
    limits
}

impl<P: Position, E: Evaluator<P>> Search<P> for ProofPlayer<P, E> {
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        if root.outcome().is_some() || root.is_chance() {
            return Report::empty(limits);
        }
        let limits = &without_depth(limits);
        self.list_candidates(root, limits);
        let limits = &limits.with_choices(self.candidates.len());
        let (proof, nodes) = self.solve(root, limits, progress);
        let report = self.report(root, proof, nodes, limits);
        progress(&report);
        report
    }

    fn new_game(&mut self) {
        self.prover.forget();
    }
}
