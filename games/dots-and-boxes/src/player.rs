//! The player: the exact solver first, then another search in the rest of the limits.

use engine_core::{Limits, Position, Report, Score, Search, StopFlag};

use crate::board::{BOX, DotsAndBoxes};
use crate::moves::Edge;
use crate::solver::{Proven, Solver};

/// Nodes of the solver in a search without limits.
const NODES: u64 = 200_000;

/// Nodes of the solver in a millisecond, about (AMD EPYC).
const NODES_PER_MS: u64 = 250;

/// Open lines with which a result takes about [`SOLVED_NODES`] nodes on 5×5.
pub(crate) const SOLVED_OPEN: u32 = 34;

/// Median of the nodes of a result with [`SOLVED_OPEN`] open lines. Each further line multiplies it by
/// about 2.4.
const SOLVED_NODES: f64 = 300.0;

/// The solver is asked if the median of its nodes is at most so many times what it gets: what it has not
/// finished helps it in the next turn.
const HOPE: f64 = 4.0;

/// A player that solves a position if it can, and otherwise lets another search play. If it only finds out
/// that the game is won, it plays a line that wins.
pub struct SolvingPlayer {
    solver: Solver,
    then: Box<dyn Search<DotsAndBoxes>>,
    /// The solver's part of the time and the nodes of a search.
    share: f64,
    /// Lines of the next root that are not drawn.
    excluded: Vec<Edge>,
}

impl SolvingPlayer {
    /// A player with this solver, which gets a share, 0 to 1, of the time and the nodes; `then` plays what
    /// it does not solve.
    pub fn new(solver: Solver, then: Box<dyn Search<DotsAndBoxes>>, share: f64) -> SolvingPlayer {
        SolvingPlayer {
            solver,
            then,
            share,
            excluded: Vec::new(),
        }
    }

    /// The limits of the solver within those of a search.
    fn part(&self, limits: &Limits) -> Limits {
        let mut part = limits.share(self.share);
        if !limits.is_timed() && limits.nodes.is_none() {
            part.nodes = Some(NODES);
        }
        part
    }

    /// The report of a solved or a won position, and the number of nodes.
    fn solved(&mut self, root: &DotsAndBoxes, limits: &Limits) -> (Option<Report<Edge>>, u64) {
        let part = self.part(limits);
        if limits.depth.is_some() || root.outcome().is_some() || !is_worth_a_try(root, &part) {
            return (None, 0);
        }
        let excluded = &self.excluded;
        let proven = self.solver.prove_without(root, excluded, &part);
        let mut nodes = self.solver.nodes();
        if proven.value().is_none() && proven.lower + root.margin() <= 0 {
            return (None, nodes);
        }
        let pv = self.variation(root, proven, &part, &mut nodes);
        if pv.is_empty() {
            return (None, nodes);
        }
        let open = root.open().count_ones();
        let report = Report {
            depth: open,
            seldepth: open,
            score: Some(score(root, proven.lower, &pv)),
            solved: proven.value().is_some(),
            // The root, if the table knows the rest.
            nodes: nodes.max(1),
            hashfull: self.solver.fullness(),
            pv,
            ..Report::empty(limits)
        };
        (Some(report), nodes)
    }

    /// Lines that gain the lower bound: to the end of the game if the bound is the value, and as far as
    /// the limits allow. Adds the nodes.
    fn variation(
        &mut self,
        root: &DotsAndBoxes,
        proven: Proven,
        part: &Limits,
        nodes: &mut u64,
    ) -> Vec<Edge> {
        let mut position = root.clone();
        let mut bound = proven.lower;
        let mut lines = Vec::new();
        while position.outcome().is_none() {
            let mut rest = part.clone();
            rest.nodes = part.nodes.map(|most| most.saturating_sub(*nodes));
            let at_root = lines.is_empty();
            let excluded: &[Edge] = if at_root { &self.excluded } else { &[] };
            let line = self.solver.line_without(&position, excluded, bound, &rest);
            *nodes += self.solver.nodes();
            let Some(line) = line else { break };
            lines.push(line);
            if proven.value().is_none() {
                break;
            }
            let (side, margin) = (position.side(), position.margin());
            position.play(line);
            let goes_on = position.side() == side;
            bound = if goes_on {
                bound - (position.margin() - margin)
            } else {
                -bound
            };
        }
        lines
    }
}

/// Whether the solver has a good chance within these limits.
fn is_worth_a_try(root: &DotsAndBoxes, part: &Limits) -> bool {
    let open = root.open().count_ones();
    let times = 2.4_f64.powi(open.saturating_sub(SOLVED_OPEN) as i32);
    let of_time = [part.soft, part.hard].into_iter().flatten().min();
    let of_time = of_time.map(|time| time.as_millis() as u64 * NODES_PER_MS);
    let nodes = [part.nodes, of_time].into_iter().flatten().min();
    open <= SOLVED_OPEN || nodes.is_some_and(|nodes| SOLVED_NODES * times <= HOPE * nodes as f64)
}

/// The final margin in points; a win or a loss in plies if the game stops at a majority.
fn score(root: &DotsAndBoxes, value: i32, pv: &[Edge]) -> Score {
    let margin = root.margin() + value;
    if !root.stop_at_majority {
        return Score::points(BOX * margin);
    }
    let plies = pv.len() as u32;
    match margin {
        0 => Score::DRAW,
        1.. => Score::win_in(plies),
        _ => Score::loss_in(plies),
    }
}

impl Search<DotsAndBoxes> for SolvingPlayer {
    fn search(
        &mut self,
        root: &DotsAndBoxes,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<Edge>),
    ) -> Report<Edge> {
        let (report, nodes) = self.solved(root, limits);
        let excluded = std::mem::take(&mut self.excluded);
        if let Some(report) = report {
            progress(&report);
            return report;
        }
        self.then.exclude(excluded);
        let mut rest = limits.clone();
        rest.nodes = limits.nodes.map(|most| most.saturating_sub(nodes));
        let with_solver = |report: &Report<Edge>| Report {
            nodes: report.nodes + nodes,
            ..report.clone()
        };
        let mut pass_on = |report: &Report<Edge>| progress(&with_solver(report));
        with_solver(&self.then.search(root, &rest, &mut pass_on))
    }

    fn exclude(&mut self, moves: Vec<Edge>) {
        self.excluded = moves;
    }

    /// The other search alone.
    fn ponder(&mut self, root: &DotsAndBoxes, line: &[Edge], stop: &StopFlag) {
        self.then.ponder(root, line, stop);
    }

    fn new_game(&mut self) {
        self.excluded.clear();
        self.solver.forget();
        self.then.new_game();
    }
}
