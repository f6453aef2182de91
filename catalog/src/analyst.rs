//! A search of the positions of a game, one after the other, that keeps what it finds.

use std::time::Duration;

use engine_core::{Limits, Report, Resources, Score, Search, StopFlag};
use game::turn::{self, turn_is_over};
use game::{Engine, start};
use serde_json::Value;
use textbook::AnySearch;

use crate::search::{self, SearchError};

/// What an analyst searches with.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// The search.
    pub search: AnySearch,
    /// Memory of its table or tree, MiB.
    pub table_mb: usize,
    /// Seed of everything random.
    pub seed: u64,
}

/// The limits of one search. Without any it ends when the position is solved, or stopped.
#[derive(Clone, Debug, Default)]
pub struct Spend {
    /// Depth, plies.
    pub depth: Option<u32>,
    /// Nodes or playouts.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// Ends the search.
    pub stop: StopFlag,
}

impl Spend {
    /// A part of it, 0 to 1: of nodes and time, not of depth. At least one node.
    #[must_use]
    pub fn part(&self, share: f64) -> Spend {
        Spend {
            depth: self.depth,
            nodes: self
                .nodes
                .map(|nodes| ((nodes as f64 * share) as u64).max(1)),
            time: self.time.map(|time| time.mul_f64(share)),
            stop: self.stop.clone(),
        }
    }

    /// Limits that do not depend on time.
    fn least(&self, nodes: u64) -> Limits {
        let least = Spend {
            depth: Some(1),
            nodes: Some(nodes),
            time: None,
            stop: self.stop.clone(),
        };
        least.limits()
    }

    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.depth = self.depth;
        limits.nodes = self.nodes;
        limits.hard = self.time;
        limits.stop = self.stop.clone();
        limits.for_value = true;
        limits
    }
}

/// What a search has found of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The value for the side to act.
    pub score: Score,
    /// Whether no longer search can change it.
    pub solved: bool,
    /// The best turn and those that are expected after it, in UGI notation. The last one may be
    /// unfinished, but not the first.
    pub line: Vec<String>,
    /// Completed depth, plies.
    pub depth: u32,
    /// Nodes or playouts.
    pub nodes: u64,
}

/// A search of the positions of a game, one after the other. Its table is kept.
pub trait Analyst: Send {
    /// Searches the position after these turns and rolls, in which a player begins a turn; `None` if
    /// it was stopped before it found anything.
    ///
    /// # Errors
    /// The words cannot be played, or nobody begins a turn after them.
    fn judge(&mut self, words: &str, spend: &Spend) -> Result<Option<Judgement>, SearchError>;

    /// The value of the best turn that begins with none of the actions of the best one, which `judge`
    /// has found; `None` if there is none, or if the search cannot leave moves out.
    ///
    /// # Errors
    /// As for [`Analyst::judge`].
    fn without(
        &mut self,
        words: &str,
        best: &str,
        spend: &Spend,
    ) -> Result<Option<Score>, SearchError>;
}

/// The analyst of a game.
struct OfGame<G: Engine> {
    start: G,
    search: Box<dyn Search<G>>,
}

/// An analyst of games of a variant that begin at the position `from`, `None` for the initial one.
///
/// # Errors
/// The variant, the position or the search is not one of the game, or memory is short.
pub(crate) fn analyst<G: Engine>(
    variant: &Value,
    from: Option<&str>,
    means: Means,
) -> Result<Box<dyn Analyst>, SearchError> {
    let initial = start::<G>(variant)?;
    let start = match from {
        Some(from) => initial.parse_position(from)?,
        None => initial,
    };
    let resources = Resources {
        table_mb: means.table_mb,
        threads: 1,
        seed: means.seed,
    };
    let mut search = search::player(&start, means.search, &G::settings(), resources)?;
    search.new_game();
    Ok(Box::new(OfGame { start, search }))
}

impl<G: Engine> Analyst for OfGame<G> {
    fn judge(&mut self, words: &str, spend: &Spend) -> Result<Option<Judgement>, SearchError> {
        let root = self.after(words)?;
        let mut report = self.search.search(&root, &spend.limits(), &mut |_| {});
        // On a busy machine time can end before anything is found.
        for nodes in LEAST_NODES {
            if report.score.is_none() && !spend.stop.is_set() {
                report = self.search.search(&root, &spend.least(nodes), &mut |_| {});
            }
        }
        let (Some(score), false) = (report.score, report.pv.is_empty()) else {
            return Ok(None);
        };
        let line = self.turns(&root, &report, spend);
        Ok(Some(Judgement {
            score,
            solved: report.solved,
            line,
            depth: report.depth,
            nodes: report.nodes,
        }))
    }

    fn without(
        &mut self,
        words: &str,
        best: &str,
        spend: &Spend,
    ) -> Result<Option<Score>, SearchError> {
        let root = self.after(words)?;
        let best = turn::play_turn(&mut root.clone(), best)?;
        let legal = root.legal_moves();
        if legal.iter().all(|mv| best.contains(mv)) {
            return Ok(None);
        }
        self.search.exclude(best.clone());
        let report = self.search.search(&root, &spend.limits(), &mut |_| {});
        let left_out = report.pv.first().is_some_and(|mv| !best.contains(mv));
        Ok(report.score.filter(|_| left_out))
    }
}

impl<G: Engine> OfGame<G> {
    /// The position after these words, in which a player must act.
    fn after(&self, words: &str) -> Result<G, SearchError> {
        let mut position = self.start.clone();
        turn::play_words(&mut position, words)?;
        search::acting(position)
    }

    /// The line of a report turn by turn. The first turn is whole: if the line ends within it, the
    /// rest is searched.
    fn turns(&mut self, root: &G, report: &Report<G::Move>, spend: &Spend) -> Vec<String> {
        let mut line = report.pv.clone().into_iter();
        let (mut position, mut turns) = (root.clone(), Vec::new());
        while position.outcome().is_none() && !position.is_chance() {
            let (before, side, mut turn) = (position.clone(), position.side(), Vec::new());
            while !turn_is_over(&position, side) {
                let next = line.next().filter(|&mv| position.is_legal(mv));
                let next = match next {
                    Some(mv) => mv,
                    None if turns.is_empty() => self.next(&position, spend),
                    None => break,
                };
                position.play(next);
                turn.push(next);
            }
            if turn.is_empty() {
                break;
            }
            turns.push(before.write_turn(&turn));
            if !turn_is_over(&position, side) {
                break;
            }
        }
        turns
    }

    /// An action that goes on with a turn.
    fn next(&mut self, position: &G, spend: &Spend) -> G::Move {
        let limits = spend.part(REST).limits();
        let report = self.search.search(position, &limits, &mut |_| {});
        let found = report.pv.first().copied();
        found
            .filter(|&mv| position.is_legal(mv))
            .unwrap_or_else(|| position.legal_moves()[0])
    }
}

/// Nodes within which every search finds something: enough for a tree search, and more than the actions of
/// any position of our games, of which Amazons has most.
const LEAST_NODES: [u64; 2] = [64, 20_000];

/// What a search of the rest of a turn may spend of the limits of the whole.
const REST: f64 = 0.1;
