//! A player that first looks for a win by threats.

use std::time::Duration;

use super::{ThreatBoard, ThreatSearch};
use crate::limits::{Limits, Report, StopFlag};
use crate::position::Position;
use crate::score::Score;
use crate::search::Search;

/// The part of a search's time and nodes that threats may use.
const SHARE: u32 = 8;
/// Most nodes of threats: what they have not found by then, another search finds sooner.
const NODES: u64 = 200_000;

/// A player that plays a win by threats if it finds one; otherwise another player plays, in the rest
/// of the time. A search to a given depth has no threats, so that its values are those of the depth.
pub struct ThreatPlayer<P: Position, B: ThreatBoard> {
    board: B,
    /// Puts the board at a position, unless threats decide nothing there.
    follow: fn(&mut B, &P) -> bool,
    search: ThreatSearch<B::Move>,
    then: Box<dyn Search<P>>,
}

impl<P: Position, B: ThreatBoard<Action = P::Move>> ThreatPlayer<P, B> {
    /// A player that looks for threats on `board` by `search`; `then` plays if there is no win.
    /// `follow` puts the board at a position, with the side to move as the attacker, or returns false
    /// if threats decide nothing there.
    pub fn new(
        board: B,
        follow: fn(&mut B, &P) -> bool,
        search: ThreatSearch<B::Move>,
        then: Box<dyn Search<P>>,
    ) -> Self {
        ThreatPlayer {
            board,
            follow,
            search,
            then,
        }
    }

    /// The win by threats, as a report, and the number of nodes.
    fn win(&mut self, root: &P, limits: &Limits) -> (Option<Report<P::Move>>, u64) {
        let mut nodes = 0;
        if limits.depth.is_some()
            || root.outcome().is_some()
            || !(self.follow)(&mut self.board, root)
        {
            return (None, nodes);
        }
        let share = share(limits);
        for level in 0..B::LEVELS {
            let win = self.search.win(&mut self.board, level, &share);
            nodes += self.search.nodes();
            let Some(win) = win else { continue };
            let region = self.search.region(&mut self.board, level, &share);
            let plies = win.plies.saturating_sub(win.line.len() as u32);
            let pv: Vec<P::Move> = win.line.into_iter().flat_map(B::actions).collect();
            let plies = pv.len() as u32 + plies * B::ACTIONS;
            if plies <= Score::MAX_PLY {
                let report = Report {
                    depth: plies,
                    seldepth: plies,
                    score: Some(Score::win_in(plies)),
                    solved: true,
                    nodes,
                    pv,
                    region: region.unwrap_or_default(),
                    ..Report::empty(limits)
                };
                return (Some(report), nodes);
            }
        }
        (None, nodes)
    }
}

/// The limits of threats within those of a search.
fn share(limits: &Limits) -> Limits {
    let part = |time: Option<Duration>| time.map(|time| time / SHARE);
    let mut share = limits.clone();
    share.nodes = Some(
        limits
            .nodes
            .map_or(NODES, |nodes| nodes / u64::from(SHARE))
            .min(NODES),
    );
    (share.soft, share.hard) = (part(limits.soft), part(limits.hard));
    share
}

impl<P: Position, B: ThreatBoard<Action = P::Move> + Send> Search<P> for ThreatPlayer<P, B> {
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        let (win, nodes) = self.win(root, limits);
        if let Some(report) = win {
            progress(&report);
            return report;
        }
        let mut rest = limits.clone();
        rest.nodes = limits.nodes.map(|limit| limit.saturating_sub(nodes));
        let with_threats = |report: &Report<P::Move>| Report {
            nodes: report.nodes + nodes,
            ..report.clone()
        };
        let mut pass_on = |report: &Report<P::Move>| progress(&with_threats(report));
        with_threats(&self.then.search(root, &rest, &mut pass_on))
    }

    fn ponder(&mut self, root: &P, line: &[P::Move], stop: &StopFlag) {
        self.then.ponder(root, line, stop);
    }

    fn new_game(&mut self) {
        self.search.forget();
        self.then.new_game();
    }
}
