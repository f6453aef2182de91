//! Games that are ended before the rules end them: what a league file says of it, and the judge who
//! applies it to what has been played and reported. Both follow from the log alone.

use std::num::NonZeroU32;

use catalog::{PROVER, Proof};
use engine_core::{Outcome, Side};
use entry::ugi::InfoScore;
use serde::{Deserialize, Serialize};

use crate::record::{GameResult, Reason};

/// When a game is ended before its end: the `[adjudication]` table of a league file. The default is
/// never.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// Both engines say who wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// Both engines say that nobody does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
    /// A game is a draw after so many turns of both sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<NonZeroU32>,
    /// A search of the referee's own proves who wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<Proven>,
}

/// A game is lost for a side that says so, and whose opponent agrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// The least advantage, in points of the engines' evaluations.
    pub points: NonZeroU32,
    /// In how many turns of each side, one after the other.
    pub turns: NonZeroU32,
}

/// A game is drawn where both sides see no advantage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// The largest advantage, in points of the engines' evaluations.
    pub points: u32,
    /// In how many turns of each side, one after the other.
    pub turns: NonZeroU32,
    /// Not before so many turns of both sides have been played.
    #[serde(default)]
    pub after: u32,
}

/// A game is won where that is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proven {
    /// Nodes that a search for a proof may take, 1 to [`Proven::MAX_NODES`].
    pub nodes: u64,
    /// After how many turns of both sides there is such a search.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub every: NonZeroU32,
}

impl Proven {
    /// Most nodes of a search: 640 MB of memory.
    pub const MAX_NODES: u64 = 10_000_000;
}

fn one() -> NonZeroU32 {
    NonZeroU32::MIN
}

fn is_one(number: &NonZeroU32) -> bool {
    *number == NonZeroU32::MIN
}

impl Adjudication {
    /// Whether every game is played to its end.
    pub fn is_none(&self) -> bool {
        *self == Adjudication::default()
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// The reason in words.
    pub detail: String,
}

/// Says of a game in progress, turn by turn, whether it is to be ended.
#[derive(Clone, Debug)]
pub struct Judge {
    rules: Adjudication,
    /// Turns of both sides.
    turns: u32,
    /// What each side has said last.
    sides: [Streaks; 2],
}

/// In how many of its last turns a side has said the same.
#[derive(Clone, Copy, Debug, Default)]
struct Streaks {
    /// That it wins.
    ahead: u32,
    /// That it loses.
    behind: u32,
    /// That nobody does.
    level: u32,
}

impl Judge {
    /// A judge of a game that begins.
    pub fn new(rules: Adjudication) -> Judge {
        Judge {
            rules,
            turns: 0,
            sides: Default::default(),
        }
    }

    /// Takes in a turn, with the score that the engine has reported last in it; rolls are no turns. A turn without a
    /// score ends what the side has said before.
    pub fn turn(&mut self, side: Side, score: Option<&str>) {
        self.turns += 1;
        let score = score.and_then(|score| score.parse().ok());
        let is = |holds: &dyn Fn(InfoScore) -> bool| score.is_some_and(holds);
        let streaks = &mut self.sides[side.index()];
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

    /// Whether the game, which is not over, is to be ended, by what the log tells of it.
    pub fn verdict(&self) -> Option<Verdict> {
        self.agreed_win()
            .or_else(|| self.agreed_draw())
            .or_else(|| self.too_long())
    }

    fn agreed_win(&self) -> Option<Verdict> {
        let Resign { points, turns } = self.rules.resign?;
        let least = turns.get();
        let wins = |winner: &Side| {
            let [winner, loser] = [*winner, winner.opponent()].map(|side| self.sides[side.index()]);
            winner.ahead >= least && loser.behind >= least
        };
        let winner = Side::BOTH.into_iter().find(wins)?;
        Some(Verdict {
            result: Outcome::Win(winner).into(),
            reason: Reason::AgreedWin,
            detail: format!(
                "both engines see {winner:?} ahead by {points} points or more, {turns} turns each"
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

    fn too_long(&self) -> Option<Verdict> {
        let most = self.rules.max_turns?;
        (self.turns >= most.get()).then(|| Verdict {
            result: GameResult::Draw,
            reason: Reason::Length,
            detail: format!("not over after {most} turns"),
        })
    }

    /// For how many nodes a proof is looked for after the turn that was played last, if it is.
    pub fn proof_due(&self) -> Option<u64> {
        let Proven { nodes, every } = self.rules.proven?;
        (self.turns > 0 && self.turns % every == 0).then_some(nodes)
    }
}

/// The verdict that follows from a proof.
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

/// The advantage of the side that reports a score, in points; beyond all points where it is proven.
fn advantage(score: InfoScore) -> i64 {
    match score {
        InfoScore::Points(points) => points.into(),
        InfoScore::Win(_) => i64::MAX,
        InfoScore::Loss(_) => -i64::MAX,
    }
}

/// Counts another turn, or begins anew.
fn count(streak: &mut u32, holds: bool) {
    *streak = if holds { *streak + 1 } else { 0 };
}

#[cfg(test)]
mod tests;
