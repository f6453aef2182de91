//! A session with the SAU platform.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine_core::{ParseError, Report, Side};

use super::{Next, complain, for_each_line, per_turn, print, start};
use crate::game::{Game, VariantError};
use crate::options::Options;
use crate::protocol::Protocol;
use crate::sau::{Answer, Command};
use crate::thinker::{Listener, Thinker, TurnLimits};
use crate::turn::{play_roll, play_turn_in};

/// Plays until `quit` or the end of the input.
pub(super) fn serve<G: Game>(options: &Options) -> Result<(), VariantError> {
    let start = start::<G>(&options.variant)?;
    let game = SharedGame::default();
    let thinker = Thinker::new(options.clone(), Printer { game: game.clone() });
    let mut session = Session {
        start,
        game,
        thinker,
        limits: per_turn(options),
    };
    for_each_line(std::io::stdin().lock(), |line| session.line(line));
    Ok(())
}

/// The position of the game in progress and the engine's side in it. The player's thread adds the
/// engine's own turns, the session all else.
type SharedGame<G> = Arc<Mutex<Option<(G, Side)>>>;

/// A thread that panicked with the lock has left a whole game behind: turns are played on copies.
fn lock<G>(game: &SharedGame<G>) -> MutexGuard<'_, Option<(G, Side)>> {
    game.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Session<G: Game> {
    start: G,
    game: SharedGame<G>,
    thinker: Thinker<G>,
    limits: TurnLimits,
}

impl<G: Game> Session<G> {
    fn line(&mut self, line: &str) -> Next {
        match Command::parse(line) {
            Some(Command::Quit) => return Next::Quit,
            Some(Command::Name) => print(Answer::Name(G::ID.into())),
            Some(Command::New(colour)) => self.new_game(&colour),
            Some(Command::Move(turn)) => {
                self.advance(line, |game| play_turn_in(game, Protocol::Sau, &turn))
            }
            Some(Command::Dice(face)) => {
                self.advance(line, |game| play_roll(game, &format!("d{face}")));
            }
            Some(Command::Error) => complain("the platform refused the last move"),
            Some(Command::End) => {
                self.thinker.rest();
                *lock(&self.game) = None;
            }
            None => complain(format_args!("not understood: {line}")),
        }
        Next::Line
    }

    fn new_game(&mut self, colour: &str) {
        let Some(side) = G::COLOURS.iter().position(|&known| known == colour) else {
            return complain(format_args!(
                "unknown colour {colour:?}, expected {}",
                G::COLOURS.join(" or ")
            ));
        };
        self.thinker.stop();
        self.thinker.new_game();
        *lock(&self.game) = Some((self.start.clone(), Side::BOTH[side]));
        self.think_if_due();
    }

    /// Plays what the platform announced, and answers if it is the engine's turn.
    fn advance<T>(&mut self, line: &str, play: impl Fn(&mut G) -> Result<T, ParseError>) {
        self.thinker.rest();
        let played = match &mut *lock(&self.game) {
            Some((position, _)) => play(position).map_err(|error| error.to_string()),
            None => Err("no game has begun".into()),
        };
        match played {
            Ok(_) => self.think_if_due(),
            Err(error) => complain(format_args!("{line}: {error}")),
        }
    }

    /// Thinks, if it is the engine's turn and no roll is due.
    fn think_if_due(&mut self) {
        let due = match &*lock(&self.game) {
            Some((position, side))
                if position.side() == *side
                    && !position.is_chance()
                    && position.outcome().is_none() =>
            {
                position.clone()
            }
            _ => return,
        };
        self.thinker.think(due, self.limits.clone());
    }
}

/// Plays and prints the turns that the player chooses.
struct Printer<G> {
    game: SharedGame<G>,
}

impl<G: Game> Listener<G> for Printer<G> {
    fn progress(&mut self, _: &G, _: &Report<G::Move>) {}

    fn chosen(&mut self, position: &G, turn: &[G::Move], _: Duration) {
        // Another game may have begun meanwhile; its platform waits for another answer.
        if let Some((current, _)) = &mut *lock(&self.game)
            && current == position
        {
            for &mv in turn {
                current.play(mv);
            }
            print(Answer::Move(position.write_sau(turn)));
        }
    }

    fn trouble(&mut self, message: &str) {
        complain(message);
    }
}
