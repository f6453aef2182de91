//! Games that were played elsewhere, to learn from.

use engine_core::ParseError;
use game::Game;
use game::turn::{play_roll, play_word, play_words, words};

use crate::environment::LearnError;

/// A game of a log, as text.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedGame {
    /// What tells it from other games.
    pub id: String,
    /// The position with which it began; `None` for that of the variant.
    pub position: Option<String>,
    /// The actions and rolls of its opening, from which nothing is learned.
    pub opening: String,
    /// Its turns and rolls after that.
    pub turns: String,
    /// The points of `First`, 0 to 1.
    pub points: f32,
}

/// What happens in a game.
pub(crate) enum Event<M> {
    /// A roll of the die: the face.
    Roll(u8),
    /// An action.
    Action(M),
}

/// A game, as it can be replayed.
pub(crate) struct Script<G: Game> {
    /// The position after its opening.
    pub(crate) begun: G,
    /// What happened from there.
    pub(crate) events: Vec<Event<G::Move>>,
}

/// Reads a game; `start` is the first position of the variant.
pub(crate) fn read<G: Game>(start: &G, game: &LoggedGame) -> Result<Script<G>, LearnError> {
    let fault = |error: ParseError| LearnError::Logged {
        id: game.id.clone(),
        error,
    };
    let mut begun = match &game.position {
        Some(text) => start.parse_position(text).map_err(fault)?,
        None => start.clone(),
    };
    play_words(&mut begun, &game.opening).map_err(fault)?;
    let mut board = begun.clone();
    let mut events = Vec::new();
    for (before, word) in words(&game.turns) {
        let fault = |error: ParseError| fault(error.shifted(before));
        if board.is_chance() && board.outcome().is_none() {
            events.push(Event::Roll(play_roll(&mut board, word).map_err(fault)?));
        } else {
            let actions = play_word(&mut board, word).map_err(fault)?;
            events.extend(actions.into_iter().map(Event::Action));
        }
    }
    Ok(Script { begun, events })
}
