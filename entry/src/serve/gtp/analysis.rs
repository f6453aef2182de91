//! What the engine thinks of a position, as HexGui and GoGui display it.
//!
//! A line of `hexgui-analyze_commands` is the type of a response, a label and a command; the board
//! replaces `%m` by the colour to move. A `gfx` response colours cells by numbers from 0 to 1, a
//! `pspairs` response writes texts on cells, a `var` response is a line of play.

use std::fmt::Write;

use engine_core::{Evaluator, Score};
use game::{Engine, evaluator};
use protocol::Protocol;
use protocol::ugi::InfoScore;

use crate::serve::asking::Asking;
use crate::thinker::TurnLimits;

/// The lines of `hexgui-analyze_commands`.
pub(super) const COMMANDS: [&str; 8] = [
    "string/Score/search_score %m",
    "var/Line/search_line %m",
    "gfx/Candidate Moves/search_candidates %m",
    "pspairs/Candidate Chances/search_shares %m",
    "string/Suggested Move/reg_genmove %m",
    "plist/Legal Moves/all_legal_moves %m",
    "string/Board/showboard",
    "string/Final Score/final_score",
];

/// Number of candidate moves.
const CANDIDATES: usize = 8;

/// Searches one position.
pub(super) struct Analysis<'a, G: Engine> {
    /// An unfinished position.
    pub(super) position: G,
    /// The limits of the whole analysis.
    pub(super) limits: TurnLimits,
    pub(super) asking: &'a mut Asking<G>,
}

/// A legal action and its value for the side that acts.
struct Candidate<G: Engine> {
    action: G::Move,
    after: G,
    score: Score,
}

impl<G: Engine> Analysis<'_, G> {
    /// The value for the side to act, in the words of UGI, and what was searched.
    pub(super) fn score(self) -> Result<String, String> {
        let (_, report) = self.asking.search(&self.position, self.limits);
        let report = report.ok_or("nothing was searched")?;
        let score = report.score.map_or_else(
            || "unknown".to_owned(),
            |score| InfoScore::from(score).to_string(),
        );
        let (depth, nodes) = (report.depth, report.nodes);
        Ok(format!("{score}, depth {depth}, {nodes} nodes"))
    }

    /// The principal variation, action by action.
    pub(super) fn line(self) -> Result<String, String> {
        let (_, report) = self.asking.search(&self.position, self.limits);
        let mut position = self.position;
        let mut words = Vec::new();
        for action in report.ok_or("nothing was searched")?.pv {
            words.push(spelled(&position, action));
            position.play(action);
        }
        Ok(words.join(" "))
    }

    /// The candidate moves with their chances from 0 to 1, the best one first, and its score.
    pub(super) fn influence(self) -> String {
        let position = self.position.clone();
        let evaluator = position.evaluator();
        let candidates = self.candidates();
        let mut text = "INFLUENCE".to_owned();
        for candidate in &candidates {
            let share = evaluator.probability(candidate.score);
            let action = spelled(&position, candidate.action);
            // Writing to a string cannot fail.
            let _ = write!(text, " {action} {share:.3}");
        }
        if let Some(best) = candidates.first() {
            let (action, score) = (spelled(&position, best.action), InfoScore::from(best.score));
            let _ = write!(text, "\nTEXT {action}: {score}");
        }
        text
    }

    /// The candidate moves with their chances in percent.
    pub(super) fn shares(self) -> String {
        let position = self.position.clone();
        let evaluator = position.evaluator();
        let pair = |candidate: &Candidate<G>| {
            let percent = 100.0 * evaluator.probability(candidate.score);
            format!("{} {percent:.0}", spelled(&position, candidate.action))
        };
        let pairs: Vec<String> = self.candidates().iter().map(pair).collect();
        pairs.join(" ")
    }

    /// The actions that are best by the evaluation of the positions after them, each searched for
    /// its part of the time, the best one first.
    fn candidates(self) -> Vec<Candidate<G>> {
        let mut candidates = evaluated(&self.position);
        candidates.truncate(CANDIDATES);
        let parts = candidates.len() as u32;
        let part = TurnLimits {
            hard: self.limits.hard.map(|time| time / parts),
            ..self.limits
        };
        for candidate in &mut candidates {
            if candidate.after.outcome().is_none() {
                let (_, report) = self.asking.search(&candidate.after, part.clone());
                let score = report.and_then(|report| report.score);
                candidate.score = score.map_or(candidate.score, |score| {
                    seen_by(&self.position, &candidate.after, score.to_root(1))
                });
            }
        }
        sort(&mut candidates);
        candidates
    }
}

/// All legal actions with the evaluations of the positions after them, the best one first.
fn evaluated<G: Engine>(position: &G) -> Vec<Candidate<G>> {
    let mut evaluator = evaluator(position, &G::settings());
    let mut evaluate = |action| {
        let mut after = position.clone();
        after.play(action);
        let score = after.terminal(1).unwrap_or_else(|| {
            evaluator.reset(&after);
            evaluator.evaluate(&after)
        });
        Candidate {
            action,
            score: seen_by(position, &after, score),
            after,
        }
    };
    let moves = position.legal_moves().into_iter();
    let mut candidates: Vec<_> = moves.map(&mut evaluate).collect();
    sort(&mut candidates);
    candidates
}

/// Sorts the best candidate first; equal ones stay in the order of generation.
fn sort<G: Engine>(candidates: &mut [Candidate<G>]) {
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
}

/// The score of a position, seen by the side to act in the one before it.
fn seen_by<G: Engine>(before: &G, after: &G, score: Score) -> Score {
    if before.side() == after.side() {
        score
    } else {
        -score
    }
}

/// All legal actions, separated by blanks.
pub(super) fn legal<G: Engine>(position: &G) -> String {
    let moves = position.legal_moves().into_iter();
    let words: Vec<String> = moves.map(|action| spelled(position, action)).collect();
    words.join(" ")
}

/// An action in the game's GTP notation.
fn spelled<G: Engine>(position: &G, action: G::Move) -> String {
    let dialect = G::dialect(Protocol::Gtp).expect("the game is played in GTP");
    (dialect.write)(position, &[action])
}
