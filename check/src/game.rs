//! Games of the checked engine against random turns.

use std::time::Duration;

use catalog::Match;
use engine_core::{ParseError, Rng, Side};
use engine_process::deviation::Deviation;
use engine_process::driver::History;

use super::Plan;
use super::conversation::Conversation;
use super::finding::Fault;
use super::positions::{roll, start};

/// The engine in one game.
pub(super) trait Player {
    /// Asks for the engine's turn after this history.
    fn ask(
        &mut self,
        conversation: &mut Conversation<'_>,
        history: &History,
    ) -> Result<Reply, Fault>;

    /// The protocol's spelling of the engine's legal turn, given in UGI notation, if other spellings
    /// are deviations. Called once for each turn.
    fn spelling(&mut self, turn: &str) -> Option<String> {
        let _ = turn;
        None
    }

    /// Tells the engine that the game is over.
    fn end(&mut self, conversation: &mut Conversation<'_>, history: &History) -> Result<(), Fault> {
        let _ = (conversation, history);
        Ok(())
    }
}

/// A turn as the engine wrote it.
pub(super) struct Reply {
    /// The turn, in the protocol's notation.
    pub(super) text: String,
    /// The whole answer, for messages.
    pub(super) answer: String,
    /// The time it took.
    pub(super) used: Duration,
}

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

/// Asks the engine for a turn and plays it. Returns also the time it took.
pub(super) fn turn(
    conversation: &mut Conversation<'_>,
    player: &mut dyn Player,
    history: &History,
    game: &mut dyn Match,
) -> Result<(Answer, Duration), Fault> {
    let reply = player.ask(conversation, history)?;
    let answer = accept(conversation, player, &reply, game);
    let answer = answer.map_err(|error| illegal(conversation, &reply, &error))?;
    Ok((answer, reply.used))
}

/// Plays the turn of a reply.
pub(super) fn accept(
    conversation: &mut Conversation<'_>,
    player: &mut dyn Player,
    reply: &Reply,
    game: &mut dyn Match,
) -> Result<Answer, ParseError> {
    match game.play_turn_in(conversation.plan.engine.protocol, &reply.text) {
        Ok(turn) => {
            let own = player.spelling(&turn);
            conversation.note(own.and_then(|own| Deviation::of_turn(&reply.text, &own)));
            Ok(Answer::Played(turn))
        }
        Err(_) if reply.text.eq_ignore_ascii_case("resign") => Ok(Answer::Resigned),
        Err(error) => Err(error),
    }
}

/// The fault of an illegal turn.
pub(super) fn illegal(conversation: &Conversation<'_>, reply: &Reply, error: &ParseError) -> Fault {
    conversation.wrong(&reply.answer, &format!("a legal turn: {error}"))
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

/// Plays the plan's number of games with a new process, alternating sides. Returns what was played,
/// in words.
pub(super) fn several(conversation: &mut Conversation<'_>) -> Result<String, Fault> {
    conversation.quit_engine();
    conversation.language.ready(conversation)?;
    let (mut rng, games) = (Rng::new(conversation.plan.seed), conversation.plan.games);
    let mut turns = 0;
    for number in 0..games {
        let side = Side::BOTH[number as usize % 2];
        turns += one(conversation, side, &mut rng)
            .map_err(|Fault(text)| Fault(format!("game {} of {games}: {text}", number + 1)))?;
        conversation.step(number as usize + 1, games as usize);
    }
    let games = match games {
        1 => "1 game".to_owned(),
        count => format!("{count} games"),
    };
    Ok(format!(
        "{games} against random turns, {turns} turns, all legal"
    ))
}

/// One game, announced and ended. Returns the engine's number of turns.
fn one(conversation: &mut Conversation<'_>, side: Side, rng: &mut Rng) -> Result<usize, Fault> {
    let plan = conversation.plan;
    let mut player = conversation.language.begin(conversation, side)?;
    let played = play(plan, side, rng, |history, game| {
        let (answer, used) = turn(conversation, &mut *player, history, game)?;
        let slowest = &mut conversation.observed.slowest;
        *slowest = (*slowest).max(used);
        Ok(answer)
    })?;
    player.end(conversation, &played.history)?;
    Ok(played.turns)
}
