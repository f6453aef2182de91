//! Games of the checked engine against random turns.

use catalog::Match;
use engine_core::{Rng, Side};

use super::Plan;
use super::conversation::Conversation;
use super::finding::Fault;
use super::positions::{roll, start};
use crate::protocol::History;

/// The engine's answer.
pub(super) enum Answer {
    /// A legal turn, in UGI notation; it has been played.
    Played(String),
    /// The engine resigns.
    Resigned,
}

/// A game that has been played.
pub(super) struct Played {
    /// The whole game.
    pub(super) history: History,
    /// Number of the engine's turns.
    pub(super) turns: usize,
}

/// Plays a game in which the engine plays `side` and its opponent plays random turns. `ask` asks
/// the engine for a turn and plays it.
pub(super) fn play(
    plan: &Plan,
    side: Side,
    rng: &mut Rng,
    mut ask: impl FnMut(&History, &mut dyn Match) -> Result<Answer, Fault>,
) -> Result<Played, Fault> {
    let mut game = start(plan);
    let mut history = History::new("");
    let mut turns = 0;
    while game.outcome().is_none() {
        if game.roll_due() {
            history.push(&format!("d{}", roll(&mut *game, rng)));
            continue;
        }
        if game.side() == side {
            match ask(&history, &mut *game)? {
                Answer::Played(turn) => history.push(&turn),
                Answer::Resigned => break,
            }
            turns += 1;
        } else {
            let turn = game.play_random_turn(rng);
            history.push(&turn.expect("the game goes on, and no roll is due"));
        }
    }
    Ok(Played { history, turns })
}

/// Plays the plan's number of games with `play`, alternating sides. Returns the engine's number of
/// turns.
pub(super) fn several<'p>(
    conversation: &mut Conversation<'p>,
    mut play: impl FnMut(&mut Conversation<'p>, Side, &mut Rng) -> Result<Played, Fault>,
) -> Result<usize, Fault> {
    let (mut rng, games) = (Rng::new(conversation.plan.seed), conversation.plan.games);
    let mut turns = 0;
    for number in 0..games {
        let side = Side::BOTH[number as usize % 2];
        let played = play(conversation, side, &mut rng)
            .map_err(|Fault(text)| Fault(format!("game {} of {games}: {text}", number + 1)))?;
        turns += played.turns;
        conversation.step(number as usize + 1, games as usize);
    }
    Ok(turns)
}
