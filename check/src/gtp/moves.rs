//! `play` with an illegal move, and `undo`.

use engine_core::{Rng, Side};
use engine_process::START_UP;
use engine_process::driver::gtp::letters;
use game::turn::Told;
use protocol::gtp::Command;
use task::Protocol;

use super::exchange::{fail, succeed, written};
use super::introduction::knows;
use super::{ask_legal, prepare};
use crate::Plan;
use crate::conversation::{Conversation, quote};
use crate::finding::{Checked, Fault, Remark};
use crate::positions::start;

/// Text that is a move in no game.
const NONSENSE: &str = "zz99";

/// The command that plays a turn, in the letters of the engine.
fn play(plan: &Plan, side: Side, turn: &str) -> Command {
    super::play(side, &letters::written(turn, plan.engine.letters))
}

/// Random turns from the first position, in GTP, with their sides.
fn turns(plan: &Plan, count: usize) -> Vec<(Side, String)> {
    let mut board = start(plan);
    let mut rng = Rng::new(plan.seed);
    let turns = std::iter::from_fn(|| board.play_random_turn(&mut rng));
    let turns: Vec<String> = turns.take(count).collect();
    let words: Vec<&str> = turns.iter().map(String::as_str).collect();
    let told = start(plan).follow(Protocol::Gtp, &words);
    let told = told.expect("the turns are legal, and GTP has words for the game");
    told.into_iter().filter_map(Told::turn).collect()
}

/// An illegal move is refused and changes nothing.
pub(super) fn illegal(conversation: &mut Conversation<'_>) -> Checked {
    let plan = conversation.plan;
    conversation.language.ready(conversation)?;
    prepare(conversation)?;
    let refused = fail(conversation, super::play(Side::First, NONSENSE))?;
    let first = turns(plan, 1);
    let played = first.iter().map(|(side, turn)| play(plan, *side, turn));
    let played: Vec<Command> = played.collect();
    succeed(conversation, &played, START_UP)?;
    let mut board = start(plan);
    for (_, turn) in &first {
        let played = board.play_turn_in(Protocol::Gtp, turn);
        played.expect("the turn was legal");
        // The same move again: its cell is taken, or its piece is gone.
        fail(conversation, play(plan, Side::Second, turn))?;
    }
    if board.outcome().is_none() {
        let side = board.side();
        ask_legal(conversation, side, &mut *board)?;
    }
    Ok(Remark::Fine(format!(
        "`play b {NONSENSE}`: {:?}; and a move that was played before; plays on after it",
        quote(&written(&refused))
    )))
}

/// `undo` takes back the last move, if the engine has the command. No league sends it.
pub(super) fn undo(conversation: &mut Conversation<'_>) -> Checked {
    let plan = conversation.plan;
    conversation.language.ready(conversation)?;
    if !knows(conversation, "undo") {
        return Ok(Remark::Fine("not listed; no league sends it".to_owned()));
    }
    prepare(conversation)?;
    let undo = || Command::new("undo", &[]);
    let turns = turns(plan, 2);
    let played = turns.iter().map(|(side, turn)| play(plan, *side, turn));
    let mut commands: Vec<Command> = played.collect();
    // The last move can be played again only if it was taken back.
    let again = commands.last().cloned();
    commands.push(undo());
    commands.extend(again);
    succeed(conversation, &commands, START_UP)?;
    let backwards: Vec<Command> = turns.iter().map(|_| undo()).collect();
    succeed(conversation, &backwards, START_UP)?;
    fail(conversation, undo())
        .map_err(|Fault(text)| Fault(format!("{text}, as there is no move to take back")))?;
    let side = start(plan).side();
    ask_legal(conversation, side, &mut *start(plan))?;
    Ok(Remark::Fine(format!(
        "takes back {} moves, and no more",
        turns.len()
    )))
}
