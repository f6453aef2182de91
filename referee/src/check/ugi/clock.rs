//! Time limits, measured as in a league.

use std::time::Duration;

use engine_core::{Rng, Side};
use entry::ugi::Go;
use jiff::SignedDuration;

use super::{PATIENCE, Reply, ask, ask_and_play, movetime, prepare, ready, turn};
use crate::check::conversation::Conversation;
use crate::check::finding::{Checked, Fault, Remark};
use crate::check::positions::{after, cases};
use crate::check::{Plan, game};
use crate::clock::{Clock, ClockSpec};

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
    ready(conversation)?;
    let plan = conversation.plan;
    for (index, case) in other_positions(plan, MOVES).enumerate() {
        ask(conversation, &case, &movetime(MOVE))?;
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

/// Position lines that `legality` did not use.
fn other_positions(plan: &Plan, count: usize) -> impl Iterator<Item = String> {
    let cases = cases(plan, count, plan.seed.wrapping_add(OTHER_POSITIONS));
    cases.into_iter().map(|case| case.line)
}

/// A game on a clock with an increment is not lost on time.
pub(super) fn game(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
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
    let played = game::play(plan, Side::First, &mut rng, |history, game| {
        let go = go_with_clock(clock.left().unwrap_or_default());
        let line = after(history.words());
        let (answer, used) = ask_and_play(conversation, &line, &go, game)?;
        let shown = go.p1time.unwrap_or(0);
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
    ready(conversation)?;
    let plan = conversation.plan;
    let left = Duration::from_millis(NEARLY_EMPTY);
    let go = Go {
        p1inc: Some(0),
        p2inc: Some(0),
        ..go_with_clock(left)
    };
    let mut slowest = Duration::ZERO;
    for line in other_positions(plan, NEARLY_EMPTY_TURNS) {
        let Reply { used, .. } = ask(conversation, &line, &go)?;
        slowest = slowest.max(used);
    }
    let text = format!(
        "the slowest of {NEARLY_EMPTY_TURNS} turns took {} ms of {NEARLY_EMPTY} ms on the clock",
        slowest.as_millis()
    );
    if slowest > left + plan.margin {
        return Err(Fault(format!(
            "`go{go}`: {text}, expected less: the flag has fallen"
        )));
    }
    Ok(Remark::Fine(text))
}

/// Node and depth limits, which a league may use, too.
pub(super) fn other_limits(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
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
