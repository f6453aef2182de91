//! A proof search beside another search.

use super::{Answer, Finding, Goal, Prover};
use crate::limits::{Limits, Report, StopFlag};
use crate::position::{Move, Position};
use crate::score::Score;
use crate::search::Search;

/// Positions that the proof search may open in a search without limits of time and nodes.
const NODES: u64 = 1_000;

/// A player that lets a proof search look for a win beside its own search. It plays a proven win at
/// once, and otherwise none of the moves that the proof search leaves out.
///
/// The proof search runs on a thread of its own, or before the other one, with a share of the limits.
/// It keeps what it knows from turn to turn.
pub struct WithProver<P: Position> {
    player: Box<dyn Search<P>>,
    prover: Box<dyn Prover<P>>,
    share: f64,
    own_thread: bool,
}

impl<P: Position> WithProver<P> {
    /// The player with a proof search beside it, which gets a share of a limit of nodes, 0 to 1, and
    /// the same share of the time unless it has a thread of its own.
    pub fn new(
        player: Box<dyn Search<P>>,
        prover: Box<dyn Prover<P>>,
        share: f64,
        own_thread: bool,
    ) -> WithProver<P> {
        WithProver {
            player,
            prover,
            share,
            own_thread,
        }
    }

    /// The limits of the proof search.
    fn part(&self, limits: &Limits) -> Limits {
        let mut part = limits.share(self.share);
        if !limits.is_timed() && limits.nodes.is_none() {
            part.nodes = Some(NODES);
        }
        if self.own_thread {
            (part.soft, part.hard) = (limits.soft, limits.hard);
        }
        part
    }

    /// Tells the player which moves of a root that is not solved need no search. Returns them.
    fn tell(&mut self, root: &P) -> Vec<P::Move> {
        let region = self.region();
        if region.is_empty() {
            return Vec::new();
        }
        let mut others = root.legal_moves();
        others.retain(|mv| !region.contains(mv));
        self.player.exclude(others.clone());
        others
    }

    /// What the proof search knows of the last root.
    fn region(&self) -> Vec<P::Move> {
        if P::DRAWS {
            // What does not win may be a draw.
            return Vec::new();
        }
        self.prover.region()
    }

    /// The proof search first, then the player with the rest.
    fn in_turn(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> (Finding, Report<P::Move>) {
        let goal = Goal::win(root.side());
        let finding = self.prover.prove(root, goal, &self.part(limits));
        if finding.answer == Answer::Proven {
            return (finding, Report::empty(limits));
        }
        if finding.answer == Answer::Unknown {
            self.tell(root);
        }
        let mut rest = limits.clone();
        rest.nodes = limits
            .nodes
            .map(|nodes| nodes.saturating_sub(finding.nodes).max(1));
        let known = self.known(finding, limits);
        let report = self.player.search(root, &rest, &mut |report| {
            progress(&known.added_to(report));
        });
        (finding, known.added_to(&report))
    }

    /// Both searches at the same time. Each is stopped when the other one has ended with a result.
    fn at_once(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> (Finding, Report<P::Move>) {
        let (mut part, mut rest) = (self.part(limits), limits.clone());
        (part.stop, rest.stop) = (limits.stop.child(), limits.stop.child());
        let stop_player = rest.stop.clone();
        let prover = &mut self.prover;
        let (finding, mut report) = std::thread::scope(|scope| {
            let proof = scope.spawn(|| {
                let finding = prover.prove(root, Goal::win(root.side()), &part);
                if finding.answer == Answer::Proven {
                    stop_player.stop();
                }
                finding
            });
            let report = self.player.search(root, &rest, progress);
            part.stop.stop();
            (proof.join().expect("the proof search panicked"), report)
        });
        if finding.answer == Answer::Unknown {
            let others = self.tell(root);
            if report.pv.first().is_some_and(|best| others.contains(best)) {
                report = Report {
                    nodes: report.nodes,
                    ..self.player.search(root, &Limits::nodes(1), &mut |_| {})
                };
            }
        }
        (finding, self.known(finding, limits).added_to(&report))
    }

    /// What a proof search has found about a root that is not won.
    fn known(&mut self, finding: Finding, limits: &Limits) -> Known<P::Move> {
        let is_lost = finding.answer == Answer::Disproven && !P::DRAWS;
        Known {
            nodes: finding.nodes,
            loss: is_lost.then(|| Score::loss_in(plies(&self.prover.line(limits)))),
            region: self.region(),
        }
    }

    /// The report of a proven win.
    fn win(&mut self, finding: Finding, limits: &Limits) -> Report<P::Move> {
        let mut pv = self.prover.line(limits);
        if pv.is_empty() {
            let mut moves = self.prover.root_moves().into_iter();
            let won = moves.find(|known| known.numbers.answer() == Answer::Proven);
            pv.extend(won.map(|known| known.mv));
        }
        Report {
            depth: plies(&pv),
            seldepth: plies(&pv),
            score: Some(Score::win_in(plies(&pv))),
            solved: true,
            nodes: finding.nodes,
            hashfull: self.prover.fullness(),
            pv,
            region: self.region(),
            ..Report::empty(limits)
        }
    }
}

/// What a proof search has found about a root that is not won.
struct Known<M> {
    nodes: u64,
    /// The value if the root is lost.
    loss: Option<Score>,
    region: Vec<M>,
}

impl<M: Move> Known<M> {
    /// A report of the other search with this.
    fn added_to(&self, report: &Report<M>) -> Report<M> {
        Report {
            score: self.loss.or(report.score),
            solved: self.loss.is_some() || report.solved,
            nodes: self.nodes + report.nodes,
            region: self.region.clone(),
            ..report.clone()
        }
    }
}

fn plies<M>(line: &[M]) -> u32 {
    (line.len() as u32).clamp(1, Score::MAX_PLY)
}

impl<P: Position> Search<P> for WithProver<P> {
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        if root.outcome().is_some() || root.is_chance() {
            return Report::empty(limits);
        }
        let (finding, report) = if self.own_thread {
            self.at_once(root, limits, progress)
        } else {
            self.in_turn(root, limits, progress)
        };
        let report = match finding.answer {
            Answer::Proven => self.win(finding, limits),
            _ => report,
        };
        progress(&report);
        report
    }

    /// The player alone: what is proven of a reply that is not played is of little use.
    fn ponder(&mut self, root: &P, line: &[P::Move], stop: &StopFlag) {
        self.player.ponder(root, line, stop);
    }

    fn new_game(&mut self) {
        self.player.new_game();
        self.prover.forget();
    }
}
