//! Choosing a turn: a search for each of its actions, within the time of the whole.

use std::time::Duration;

use engine_core::search::pace::paced;
use engine_core::{Limits, Search, StopFlag};

use crate::game::Game;
use crate::thinker::{Listener, TurnLimits};
use crate::turn::turn_is_over;

/// A turn that is asked for.
pub(crate) struct Question<G: Game> {
    pub(crate) position: G,
    pub(crate) limits: TurnLimits,
    /// Runs since the question was asked: making the player, or ending another search, is paid for.
    pub(crate) asked: Limits,
    /// Ends the search.
    pub(crate) stop: StopFlag,
    /// Ends the pondering after it.
    pub(crate) rest: StopFlag,
}

/// The share of the time left that is spent on an action after which the turn may go on.
const SHARE: f64 = 0.6;

/// Nodes, or playouts, that a single legal action is looked at with.
const GLANCE: u64 = 100;

/// A turn, and what the search expects after it.
pub(crate) struct Chosen<G: Game> {
    pub(crate) turn: Vec<G::Move>,
    /// The position after the turn.
    pub(crate) position: G,
    /// The rest of the principal variation, from there.
    pub(crate) line: Vec<G::Move>,
}

/// Searches action by action until the turn is over. The turn is empty where nobody moves.
pub(crate) fn choose<G: Game>(
    player: &mut dyn Search<G>,
    question: &Question<G>,
    listener: &mut impl Listener<G>,
) -> Chosen<G> {
    let side = question.position.side();
    let mut chosen = Chosen {
        turn: Vec::new(),
        position: question.position.clone(),
        line: Vec::new(),
    };
    while !turn_is_over(&chosen.position, side) {
        let position = &chosen.position;
        let limits = action_limits(position, question);
        let report = paced(player, position, &limits, &mut |report| {
            listener.progress(position, report);
            // Monte-Carlo search does not look at the limit: its depth is that of its line.
            if limits.depth.is_some_and(|depth| report.depth >= depth) {
                limits.stop.stop();
            }
        });
        let mut pv = report.pv.into_iter();
        let found = pv.next().filter(|&mv| position.is_legal(mv));
        let mv = found.unwrap_or_else(|| {
            listener.trouble("the search found no move, so any is played");
            position.legal_moves()[0]
        });
        chosen.position.play(mv);
        chosen.turn.push(mv);
        chosen.line = pv.collect();
    }
    chosen
}

/// Whether the turn goes on after one of `moves`.
fn may_go_on<G: Game>(position: &G, moves: &[G::Move]) -> bool {
    let mut after = position.clone();
    !G::ALTERNATES
        && moves.iter().any(|&mv| {
            let undo = after.play(mv);
            let over = turn_is_over(&after, position.side());
            after.undo(mv, undo);
            !over
        })
}

/// What the search of the next action of a turn may spend.
fn action_limits<G: Game>(position: &G, question: &Question<G>) -> Limits {
    let moves = position.legal_moves();
    let share = if may_go_on(position, &moves) {
        SHARE
    } else {
        1.0
    };
    let spent = question.asked.elapsed();
    let left = |time: Duration| time.saturating_sub(spent).mul_f64(share);
    let mut limits = Limits::default();
    // No search is shallower than one ply.
    limits.depth = question.limits.depth.map(|depth| depth.max(1));
    limits.nodes = question.limits.nodes;
    limits.soft = question.limits.soft.map(left);
    limits.hard = question.limits.hard.map(left);
    limits.stop = question.stop.part();
    if limits.is_timed() && moves.len() == 1 {
        // Nothing to decide: a glance, for the report.
        limits.depth = Some(1);
        limits.nodes = Some(limits.nodes.map_or(GLANCE, |nodes| nodes.min(GLANCE)));
    }
    limits
}
