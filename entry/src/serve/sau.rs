//! A session with the SAU platform.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine_core::{ParseError, Report, Side};
use game::turn::{play_roll, play_turn_in};
use game::{Engine, PLATFORM_COLOURS, VariantError};
use protocol::Protocol;
use protocol::sau::{Answer, Command};

use super::{Next, complain, for_each_line, per_turn, print, start};
use crate::another::another;
use crate::setup::Setup;
use crate::thinker::{Listener, Thinker, TurnLimits};

/// Plays until `quit` or the end of the input.
pub(super) fn serve<G: Engine>(setup: Setup) -> Result<(), VariantError> {
    let options = setup.options.clone();
    let start = start::<G>(&options.variant)?;
    let game = SharedGame::default();
    let mut thinker = Thinker::new(setup, Printer { game: game.clone() });
    // The platform does not wait for the engine: without this, the first turn would pay for the
    // table.
    thinker.prepare(start.clone());
    let mut session = Session {
        start,
        game,
        thinker,
        limits: per_turn(&options),
        seed: options.seed,
    };
    for_each_line(std::io::stdin().lock(), |line| session.line(line));
    Ok(())
}

/// A game in progress.
struct Playing<G: Engine> {
    position: G,
    /// The engine's own side.
    side: Side,
    /// The engine's last turn and the position before it; `None` once something else has been
    /// played.
    last: Option<(G, Vec<G::Move>)>,
    /// Actions of refused turns, cleared when something else is played.
    refused: Vec<G::Move>,
}

impl<G: Engine> Playing<G> {
    fn new(position: G, side: Side) -> Self {
        Playing {
            position,
            side,
            last: None,
            refused: Vec::new(),
        }
    }

    /// Plays and prints a turn of the engine.
    fn answer(&mut self, turn: &[G::Move]) {
        let before = self.position.clone();
        turn.iter().for_each(|&mv| {
            self.position.play(mv);
        });
        print(Answer::Move((G::sau().write)(&before, turn)));
        self.last = Some((before, turn.to_vec()));
    }
}

/// The game in progress, if any. The player's thread plays the engine's turns, the session
/// everything else.
type SharedGame<G> = Arc<Mutex<Option<Playing<G>>>>;

/// The side that `new` names: in the words of the platform, or by the colour of the pieces.
fn side<G: Engine>(colour: &str) -> Option<Side> {
    let words = [G::SAU_COLOURS, G::COLOURS, PLATFORM_COLOURS];
    let index = |words: &[&str; 2]| words.iter().position(|&known| known == colour);
    words.iter().find_map(index).map(|index| Side::BOTH[index])
}

/// Ignores poisoning: turns are played on copies, so a panic leaves a consistent game behind.
fn lock<G: Engine>(game: &SharedGame<G>) -> MutexGuard<'_, Option<Playing<G>>> {
    game.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Session<G: Engine> {
    start: G,
    game: SharedGame<G>,
    thinker: Thinker<G>,
    limits: TurnLimits,
    seed: u64,
}

impl<G: Engine> Session<G> {
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
            Some(Command::Error) => self.refused(),
            Some(Command::End) => {
                self.thinker.stop_pondering();
                *lock(&self.game) = None;
            }
            None => complain(format_args!("not understood: {line}")),
        }
        Next::Line
    }

    fn new_game(&mut self, colour: &str) {
        let Some(side) = side::<G>(colour) else {
            return complain(format_args!(
                "unknown colour {colour:?}, expected {}",
                G::SAU_COLOURS.join(" or ")
            ));
        };
        self.thinker.stop();
        self.thinker.new_game();
        *lock(&self.game) = Some(Playing::new(self.start.clone(), side));
        self.think_if_due();
    }

    /// Plays what the platform announced, and answers if it is the engine's turn.
    fn advance<T>(&mut self, line: &str, play: impl Fn(&mut G) -> Result<T, ParseError>) {
        self.thinker.stop_pondering();
        let played = match &mut *lock(&self.game) {
            Some(playing) => play(&mut playing.position)
                .map(|_| (playing.last, playing.refused) = (None, Vec::new()))
                .map_err(|error| error.to_string()),
            None => Err("no game has begun".into()),
        };
        match played {
            Ok(()) => self.think_if_due(),
            Err(error) => complain(format_args!("{line}: {error}")),
        }
    }

    /// Takes back the engine's last turn, which the platform called illegal, and plays another at
    /// once: the clock has already run for one turn, and a search would find the same turn again.
    fn refused(&mut self) {
        self.thinker.stop_pondering();
        let mut game = lock(&self.game);
        let Some(playing) = &mut *game else {
            return complain("error: no game has begun");
        };
        let Some((before, turn)) = playing.last.take() else {
            return complain("error: no turn of this engine to take back");
        };
        complain(format_args!(
            "the platform refused {}",
            (G::sau().write)(&before, &turn)
        ));
        playing.refused.extend(turn);
        playing.position = before;
        let turn = another(&playing.position, &playing.refused, self.seed);
        playing.answer(&turn);
    }

    /// Thinks if it is the engine's turn and no roll is due.
    fn think_if_due(&mut self) {
        let due = match &*lock(&self.game) {
            Some(Playing { position, side, .. })
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
struct Printer<G: Engine> {
    game: SharedGame<G>,
}

impl<G: Engine> Listener<G> for Printer<G> {
    fn progress(&mut self, _: &G, _: &Report<G::Move>) {}

    fn chosen(&mut self, position: &G, turn: &[G::Move], _: Duration) {
        // If another game has begun, its platform waits for a different answer.
        if let Some(playing) = &mut *lock(&self.game)
            && playing.position == *position
        {
            playing.answer(turn);
        }
    }

    fn trouble(&mut self, message: &str) {
        complain(message);
    }
}
