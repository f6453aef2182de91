//! Time limits, measured as in a league.

use std::time::Duration;

use engine_core::{Rng, Side};
use jiff::SignedDuration;
use protocol::ugi::Go;
use task::clock::{Clock, ClockSpec};

use super::{Asked, PATIENCE, movetime, prepare, turn};
use crate::Plan;
use crate::conversation::Conversation;
use crate::finding::{Checked, Fault, Remark};
use crate::game::{self, Player};
use crate::positions::{Case, cases};

/// Time per turn, ms.
const MOVE: u64 = 100;

/// Number of turns with a fixed time.
const MOVES: usize = 10;

/// A clock that is nearly empty, ms.
const NEARLY_EMPTY: u64 = 100;

/// Number of turns with this clock.
const NEARLY_EMPTY_TURNS: usize = 5;

/// The clock of a whole game.
const BASE: SignedDuration = SignedDuration::from_secs(1);
const INCREMENT: SignedDuration = SignedDuration::from_millis(50);

/// Added to the plan's seed, so that the positions differ from those of `legality`.
const OTHER_POSITIONS: u64 = 1;

/// No turn takes longer than `movetime`.
pub(super) fn fixed(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let plan = conversation.plan;
    let mut player = Asked { go: movetime(MOVE) };
    for (index, case) in other_positions(plan, MOVES).into_iter().enumerate() {
        player.ask(conversation, &case.history)?;
        conversation.step(index + 1, MOVES);
    }
    let (latest, timed) = (conversation.observed.latest, conversation.observed.timed);
    if latest > plan.margin {
        return Err(Fault(format!(
            "`go movetime`: the latest of {timed} turns came {} ms after its time, expected at most {}",
            latest.as_millis(),
            plan.margin.as_millis()
        )));
    }
    Ok(Remark::Fine(format!(
        "{timed} turns, the latest {} ms after its time",
        latest.as_millis()
    )))
}

/// Positions that `legality` did not use.
fn other_positions(plan: &Plan, count: usize) -> Vec<Case> {
    cases(plan, count, plan.seed.wrapping_add(OTHER_POSITIONS))
}

/// A game on a clock with an increment is not lost on time.
pub(super) fn game(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    prepare(conversation)?;
    let plan = conversation.plan;
    let mut clock = Clock::new(&ClockSpec {
        base: Some(BASE),
        increment: INCREMENT,
        margin: SignedDuration::try_from(plan.margin).unwrap_or(SignedDuration::MAX),
        ..ClockSpec::default()
    });
    let mut least = clock.left().unwrap_or_default();
    let mut rng = Rng::new(plan.seed);
    let played = game::play(plan, Side::First, &mut rng, |history, board| {
        let go = go_with_clock(clock.left().unwrap_or_default());
        let shown = go.p1time.unwrap_or(0);
        let (answer, used) = game::turn(conversation, &mut Asked { go }, history, board)?;
        clock.charge(used).map_err(|fallen| {
            let took = format!("a turn after {} ms: {fallen}", used.as_millis());
            conversation.wrong(&took, &format!("one within the {shown} ms on the clock"))
        })?;
        least = least.min(clock.left().unwrap_or_default());
        Ok(answer)
    })?;
    Ok(Remark::Fine(format!(
        "a game of {} turns with {BASE:#} and {INCREMENT:#} per turn, at least {} ms left",
        played.turns,
        least.as_millis()
    )))
}

/// The `go` command of a clock.
fn go_with_clock(left: Duration) -> Go {
    let left = Some(left.as_millis() as u64);
    let increment = Some(INCREMENT.as_millis() as u64);
    Go {
        p1time: left,
        p2time: left,
        p1inc: increment,
        p2inc: increment,
        ..Go::default()
    }
}

/// A nearly empty clock suffices for a turn.
pub(super) fn nearly_none(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let plan = conversation.plan;
    let left = Duration::from_millis(NEARLY_EMPTY);
    let go = Go {
        p1inc: Some(0),
        p2inc: Some(0),
        ..go_with_clock(left)
    };
    let mut slowest = Duration::ZERO;
    let mut player = Asked { go };
    for case in other_positions(plan, NEARLY_EMPTY_TURNS) {
        let reply = player.ask(conversation, &case.history)?;
        slowest = slowest.max(reply.used);
    }
    let text = format!(
        "the slowest of {NEARLY_EMPTY_TURNS} turns took {} ms of {NEARLY_EMPTY} ms on the clock",
        slowest.as_millis()
    );
    if slowest > left + plan.margin {
        return Err(Fault(format!(
            "`go{}`: {text}, expected less: the flag has fallen",
            player.go
        )));
    }
    Ok(Remark::Fine(text))
}

/// Node and depth limits, which a league may use, too.
pub(super) fn other_limits(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let limits = [
        Go {
            nodes: Some(1000),
            ..Go::default()
        },
        Go {
            depth: Some(1),
            ..Go::default()
        },
    ];
    let mut ignored = Vec::new();
    for go in limits {
        conversation.say(&format!("position startpos\ngo{go}\n"))?;
        let answer = conversation.hear_perhaps("bestmove", PATIENCE, turn)?;
        if answer.is_none() {
            ignored.push(format!("`go{go}`"));
            conversation.say("stop\n")?;
            conversation.hear("bestmove", PATIENCE, turn)?;
        }
    }
    if ignored.is_empty() {
        return Ok(Remark::Fine(
            "`go nodes 1000` and `go depth 1` are answered".to_owned(),
        ));
    }
    Ok(Remark::Note(format!(
        "{}: no answer within {} ms; the engine cannot play in a league with this limit",
        ignored.join(", "),
        PATIENCE.as_millis()
    )))
}
