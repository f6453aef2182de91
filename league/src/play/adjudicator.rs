//! Ends games early, as the `[adjudication]` table of a league file says, by the turns played and
//! the scores reported. The outcome follows from the log alone.

use catalog::{PROVER, Proof};
use engine_core::{Outcome, Side};
use gamelog::record::{GameResult, Reason};
use protocol::ugi::InfoScore;
use task::adjudication::{Adjudication, Draw, Proven, Resign};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who won.
    pub result: GameResult,
    /// The reason.
    pub reason: Reason,
    /// A description of the reason.
    pub detail: String,
}

/// Decides, turn by turn, whether a game in progress ends by adjudication.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// Number of turns of both sides.
    turns: u32,
    /// What each side's last scores say.
    sides: [Streaks; 2],
}

/// For how many consecutive turns, up to its last, a side has reported the same.
#[derive(Clone, Copy, Debug, Default)]
struct Streaks {
    /// That it wins.
    ahead: u32,
    /// That it loses.
    behind: u32,
    /// That neither side is ahead.
    level: u32,
    /// Whether it has reported any score in the game.
    has_scores: bool,
}

impl Adjudicator {
    /// The adjudicator of a new game.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator {
            rules,
            turns: 0,
            sides: Default::default(),
        }
    }

    /// Records a turn, with the last score that the engine reported in it; rolls do not count as
    /// turns. A turn without a score resets the side's streaks.
    pub fn turn(&mut self, side: Side, score: Option<&str>) {
        self.turns += 1;
        let score = score.and_then(|score| score.parse().ok());
        let is = |holds: &dyn Fn(InfoScore) -> bool| score.is_some_and(holds);
        let streaks = &mut self.sides[side.index()];
        streaks.has_scores |= score.is_some();
        let Adjudication { resign, draw, .. } = self.rules;
        if let Some(Resign { points, .. }) = resign {
            let points = i64::from(points.get());
            count(&mut streaks.ahead, is(&|score| advantage(score) >= points));
            count(
                &mut streaks.behind,
                is(&|score| advantage(score) <= -points),
            );
        }
        if let Some(Draw { points, .. }) = draw {
            let level = is(&|score| advantage(score).abs() <= points.into());
            count(&mut streaks.level, level);
        }
    }

    /// The verdict if the game, which is not over, is to be ended because of what the log says.
    pub fn verdict(&self) -> Option<Verdict> {
        self.agreed_win()
            .or_else(|| self.agreed_draw())
            .or_else(|| self.turn_limit())
    }

    fn agreed_win(&self) -> Option<Verdict> {
        let Resign {
            points,
            turns,
            alone,
        } = self.rules.resign?;
        let least = turns.get();
        let is_silent = |side: Side| alone && !self.sides[side.index()].has_scores;
        let wins = |winner: &Side| {
            let loser = winner.opponent();
            let sees_win = self.sides[winner.index()].ahead >= least;
            let sees_loss = self.sides[loser.index()].behind >= least;
            match (is_silent(*winner), is_silent(loser)) {
                (false, false) => sees_win && sees_loss,
                (true, false) => sees_loss,
                (false, true) => sees_win,
                (true, true) => false,
            }
        };
        let winner = Side::BOTH.into_iter().find(wins)?;
        let who = match Side::BOTH.into_iter().find(|&side| is_silent(side)) {
            None => "both engines see".to_owned(),
            Some(silent) => format!("{:?} alone sees", silent.opponent()),
        };
        Some(Verdict {
            result: Outcome::Win(winner).into(),
            reason: Reason::AgreedWin,
            detail: format!(
                "{who} {winner:?} ahead by {points} points or more, {turns} turns each"
            ),
        })
    }

    fn agreed_draw(&self) -> Option<Verdict> {
        let Draw {
            points,
            turns,
            after,
        } = self.rules.draw?;
        let level = self.sides.iter().all(|side| side.level >= turns.get());
        (level && self.turns >= after).then(|| Verdict {
            result: GameResult::Draw,
            reason: Reason::AgreedDraw,
            detail: format!(
                "both engines see nobody ahead by over {points} points, {turns} turns each"
            ),
        })
    }

    fn turn_limit(&self) -> Option<Verdict> {
        let most = self.rules.max_turns?;
        (self.turns >= most.get()).then(|| Verdict {
            result: GameResult::Draw,
            reason: Reason::Length,
            detail: format!("not over after {most} turns"),
        })
    }

    /// The node limit of the proof search that is due after the last turn, if any.
    pub fn proof_due(&self) -> Option<u64> {
        let Proven { nodes, every } = self.rules.proven?;
        (self.turns > 0 && self.turns % every == 0).then_some(nodes)
    }
}

/// The verdict of a proof.
pub fn proven(proof: Proof) -> Verdict {
    let Proof {
        winner,
        size,
        nodes,
    } = proof;
    let prover = PROVER.name();
    Verdict {
        result: Outcome::Win(winner).into(),
        reason: Reason::Proof,
        detail: format!("{prover}: {winner:?} wins, by a tree of {size} nodes, found in {nodes}"),
    }
}

/// The advantage of the side that reports a score, in points; the maximum if the score is proven.
fn advantage(score: InfoScore) -> i64 {
    match score {
        InfoScore::Points(points) => points.into(),
        InfoScore::Win(_) => i64::MAX,
        InfoScore::Loss(_) => -i64::MAX,
    }
}

/// Extends a streak, or resets it.
fn count(streak: &mut u32, holds: bool) {
    *streak = if holds { *streak + 1 } else { 0 };
}

#[cfg(test)]
mod tests;
