//! Chooses a turn: one search for each action, within the time of the whole turn.

use std::time::Duration;

use engine_core::search::pace::paced;
use engine_core::{Counters, Limits, Report, Search, StopFlag};
use game::Searched;
use game::turn::turn_is_over;

use crate::thinker::{Listener, Player, TurnLimits};

/// A request for a turn.
pub(crate) struct Question<G: Searched> {
    pub(crate) position: G,
    pub(crate) limits: TurnLimits,
    /// Starts when the turn is requested, so the time for making the player or ending another
    /// search counts.
    pub(crate) asked: Limits,
    /// Ends the search.
    pub(crate) stop: StopFlag,
    /// Ends the pondering that follows.
    pub(crate) ponder_stop: StopFlag,
}

/// Fraction of the remaining time spent on an action after which the turn may continue. The first
/// action matters most.
const SHARE: f64 = 0.6;

/// Minimum fraction of the turn's time for a search. A shorter search would know less than the line
/// found by an earlier search of the turn.
const MIN_SHARE: f64 = 1.0 / 16.0;

/// A turn and the line the search expects after it.
pub(crate) struct Chosen<G: Searched> {
    pub(crate) turn: Vec<G::Move>,
    /// The position after the turn.
    pub(crate) position: G,
    /// The remaining principal variation, starting at `position`.
    pub(crate) line: Vec<G::Move>,
    /// Whether a search had a choice.
    pub(crate) is_searched: bool,
}

/// The turn chosen so far, and the cost and results of its searches.
struct Progress<G: Searched> {
    chosen: Chosen<G>,
    /// Whether the line is proven, so no search can change it.
    solved: bool,
    nodes: u64,
    counters: Counters,
}

impl<G: Searched> Progress<G> {
    fn new(position: &G) -> Progress<G> {
        Progress {
            chosen: Chosen {
                turn: Vec::new(),
                position: position.clone(),
                line: Vec::new(),
                is_searched: false,
            },
            solved: false,
            nodes: 0,
            counters: Counters::default(),
        }
    }

    /// The next action of the line, if there is one.
    fn expected(&self) -> Option<G::Move> {
        let Chosen { line, position, .. } = &self.chosen;
        line.first().copied().filter(|&mv| position.is_legal(mv))
    }

    fn play(&mut self, mv: G::Move) {
        self.chosen.position.play(mv);
        self.chosen.turn.push(mv);
    }

    /// Plays an action that no search has chosen.
    fn leave_line(&mut self, mv: G::Move) {
        self.chosen.line.clear();
        self.solved = false;
        self.play(mv);
    }

    /// Plays the next action of the line.
    fn follow(&mut self, mv: G::Move) {
        self.chosen.line.remove(0);
        self.play(mv);
    }

    /// Converts the report of a search of the next action to a report on the whole turn.
    fn of_turn(&self, report: &Report<G::Move>, time: Duration) -> Report<G::Move> {
        let plies = self.chosen.turn.len() as u32;
        let mut whole = report.clone();
        whole.depth += plies;
        whole.seldepth += plies;
        whole.score = report.score.map(|score| score.to_root(plies));
        whole.nodes += self.nodes;
        whole.time = time;
        whole.counters += self.counters;
        whole.pv = [&self.chosen.turn, &report.pv[..]].concat();
        whole
    }
}

/// Chooses action by action until the turn is over: from the book, or the game's opener, or else by a
/// search. The turn is empty if nobody moves. Without limits, for an analysis, all is searched.
///
/// If the position is solved, or little time is left for the turn, the remaining actions come from
/// the line of the last search.
pub(crate) fn choose<G: Searched>(
    player: &mut Player<G>,
    question: &Question<G>,
    listener: &mut impl Listener<G>,
) -> Chosen<G> {
    let side = question.position.side();
    let mut progress = Progress::new(&question.position);
    while !turn_is_over(&progress.chosen.position, side) {
        if question.limits != TurnLimits::default()
            && let Some(mv) = without_search(player, &progress.chosen.position, listener)
        {
            progress.leave_line(mv);
            continue;
        }
        let moves = progress.chosen.position.legal_moves();
        let limits = action_limits(&progress.chosen.position, &moves, question);
        match progress.expected() {
            Some(mv) if progress.solved || is_short(&limits, question) => progress.follow(mv),
            _ => {
                progress.chosen.is_searched |= moves.len() > 1;
                let search = &mut *player.search;
                search_action(search, question, &limits, &mut progress, listener);
            }
        }
    }
    progress.chosen
}

/// The action that the book has for a position, if it has one with enough evidence, or that the game
/// opens with.
fn without_search<G: Searched>(
    player: &Player<G>,
    position: &G,
    listener: &mut impl Listener<G>,
) -> Option<G::Move> {
    let book = player.book.as_ref();
    if let Some(advice) = book.and_then(|book| book.choose(position, player.seed)) {
        let action = position.write_move(advice.mv);
        listener.booked(&format!("book {action} {}", advice.in_words()));
        return Some(advice.mv);
    }
    let opener = position.opener(player.seed).filter(|_| player.opens)?;
    let action = position.write_move(opener.mv);
    listener.booked(&format!("opener {action}, {}", opener.reason));
    Some(opener.mv)
}

/// Searches the next action, and plays it.
fn search_action<G: Searched>(
    player: &mut dyn Search<G>,
    question: &Question<G>,
    limits: &Limits,
    progress: &mut Progress<G>,
    listener: &mut impl Listener<G>,
) {
    let position = progress.chosen.position.clone();
    let report = paced(player, &position, limits, &mut |report| {
        let whole = progress.of_turn(report, question.asked.elapsed());
        listener.progress(&question.position, &whole);
        // Monte-Carlo search ignores the limit: its depth is the length of its line.
        if limits.depth.is_some_and(|depth| report.depth >= depth) {
            limits.stop.stop();
        }
    });
    progress.nodes += report.nodes;
    progress.counters += report.counters;
    progress.solved = report.solved;
    let mut pv = report.pv.into_iter();
    let found = pv.next().filter(|&mv| position.is_legal(mv));
    let mv = found.unwrap_or_else(|| {
        listener.trouble("the search found no move; playing a legal one");
        position.legal_moves()[0]
    });
    progress.play(mv);
    progress.chosen.line = pv.collect();
}

/// Whether too little of the turn's time is left to search the next action.
fn is_short<G: Searched>(limits: &Limits, question: &Question<G>) -> bool {
    let short = |own: Option<Duration>, of_turn: Option<Duration>| match (own, of_turn) {
        (Some(own), Some(of_turn)) => own < of_turn.mul_f64(MIN_SHARE),
        _ => false,
    };
    let TurnLimits { soft, hard, .. } = question.limits;
    short(limits.soft, soft) || short(limits.hard, hard)
}

/// Whether the turn goes on after one of `moves`.
fn may_go_on<G: Searched>(position: &G, moves: &[G::Move]) -> bool {
    let mut after = position.clone();
    !G::ALTERNATES
        && moves.iter().any(|&mv| {
            let undo = after.play(mv);
            let over = turn_is_over(&after, position.side());
            after.undo(mv, undo);
            !over
        })
}

/// The limits for the search of the next action.
fn action_limits<G: Searched>(position: &G, moves: &[G::Move], question: &Question<G>) -> Limits {
    let share = if may_go_on(position, moves) {
        SHARE
    } else {
        1.0
    };
    let spent = question.asked.elapsed();
    let left = |time: Duration| time.saturating_sub(spent).mul_f64(share);
    let mut limits = question.asked.from_now();
    // A search has at least one ply.
    limits.depth = question.limits.depth.map(|depth| depth.max(1));
    limits.nodes = question.limits.nodes;
    limits.soft = question.limits.soft.map(left);
    limits.hard = question.limits.hard.map(left);
    limits.stop = question.stop.child();
    limits
}
