//! A game in progress, in which nothing illegal can be played.

use std::mem;

use engine_core::{Outcome, ParseError, Side};
use game::turn::{Told, turn_is_over};
use game::{Engine, turn};
use protocol::Protocol;

/// A game in progress, with what pictures of it show.
pub(crate) struct Playing<G: Engine> {
    position: G,
    /// The actions since the start.
    history: Vec<G::Move>,
    /// The position before the last turn, and the number of actions before it.
    last: Option<(G, usize)>,
    /// Whether the last turn goes on.
    in_turn: bool,
}

impl<G: Engine> Playing<G> {
    /// A game that begins at a position.
    pub(crate) fn new(position: G) -> Playing<G> {
        Playing {
            position,
            history: Vec::new(),
            last: None,
            in_turn: false,
        }
    }

    /// The actions since the start.
    pub(crate) fn history(&self) -> &[G::Move] {
        &self.history
    }

    /// The position before the last turn, and the actions of that turn.
    pub(crate) fn last_turn(&self) -> Option<(&G, &[G::Move])> {
        let (before, begun) = self.last.as_ref()?;
        Some((before, &self.history[*begun..]))
    }

    /// Goes on to the position after `moves`, all of one turn, or after a roll if there are none.
    pub(crate) fn advance(&mut self, after: G, moves: &[G::Move]) {
        let before = mem::replace(&mut self.position, after);
        if moves.is_empty() {
            return;
        }
        let side = before.side();
        if !self.in_turn {
            self.last = Some((before, self.history.len()));
        }
        self.history.extend_from_slice(moves);
        self.in_turn = !turn_is_over(&self.position, side);
    }

    /// The position.
    pub(crate) fn position(&self) -> &G {
        &self.position
    }

    /// Plays a word of a list of moves, and returns its actions.
    pub(crate) fn play_word(&mut self, word: &str) -> Result<Vec<G::Move>, ParseError> {
        let mut after = self.position.clone();
        let moves = turn::play_word(&mut after, word)?;
        self.advance(after, &moves);
        Ok(moves)
    }
}

/// A game in progress. Illegal turns and rolls are rejected.
pub trait Match: Send {
    /// The side to move.
    fn side(&self) -> Side;

    /// The colour that a side plays now, as an index into [`Rules::colours`](crate::Rules::colours).
    fn colour_of(&self, side: Side) -> usize;

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Estimated number of turns that the side to move still plays, including this one; at least 1.
    fn turns_left(&self) -> u32;

    /// Whether a game of this variant can end in a draw.
    fn can_be_drawn(&self) -> bool;

    /// Why the finished game ended, in the game's terms; unspecified before the end.
    fn ending(&self) -> &'static str;

    /// Whether a roll is due.
    fn roll_due(&self) -> bool;

    /// Whether the side to move has played a part of its turn. If its last turn has won it another
    /// turn, that last turn counts as complete.
    fn mid_turn(&self) -> bool;

    /// Faces of the die, numbered from 1; 1 in a game without dice.
    fn faces(&self) -> u8;

    /// Rolls the die.
    ///
    /// # Errors
    /// No roll is due, or the die has no such face; nothing is played then.
    fn roll(&mut self, face: u8) -> Result<(), ParseError>;

    /// Plays one whole turn in UGI notation and returns it in the notation of UGI and the log.
    ///
    /// # Errors
    /// The text is not exactly one legal turn; nothing is played then.
    fn play_turn(&mut self, text: &str) -> Result<String, ParseError>;

    /// Plays one whole turn in a protocol's notation and returns it in the notation of UGI and the
    /// log.
    ///
    /// # Errors
    /// The text is not exactly one legal turn, or the protocol does not support the game; nothing
    /// is played then.
    fn play_turn_in(&mut self, protocol: Protocol, text: &str) -> Result<String, ParseError>;

    /// Plays a turn, or the first actions of one, in a protocol's notation.
    ///
    /// # Errors
    /// Like [`Match::play_turn_in`], except that the turn may be incomplete.
    fn play_part_in(&mut self, protocol: Protocol, text: &str) -> Result<(), ParseError>;

    /// Plays words like [`Match::play_words`] and returns the turns and rolls among them in a
    /// protocol's notation; the last turn may be incomplete.
    ///
    /// # Errors
    /// A word cannot be played, or the protocol does not support the game.
    fn follow(&mut self, protocol: Protocol, words: &[&str]) -> Result<Vec<Told>, ParseError>;

    /// Plays a list of actions, turns and rolls (`d6`) separated by blanks or commas.
    ///
    /// # Errors
    /// The first word that cannot be played, with its column; the words before it are played.
    fn play_words(&mut self, text: &str) -> Result<(), ParseError>;

    /// The legal actions, sorted; the faces of the die (`d1` …) if a roll is due.
    fn actions(&self) -> Vec<String>;

    /// The legal action, if there is only one and no roll is due.
    fn only_action(&self) -> Option<String>;

    /// The position on one line.
    fn position(&self) -> String;
}

impl<G: Engine> Match for Playing<G> {
    fn side(&self) -> Side {
        self.position.side()
    }

    fn colour_of(&self, side: Side) -> usize {
        self.position.colour_index(side)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn turns_left(&self) -> u32 {
        self.position().turns_left()
    }

    fn can_be_drawn(&self) -> bool {
        self.position.can_be_drawn()
    }

    fn ending(&self) -> &'static str {
        self.position.ending()
    }

    fn roll_due(&self) -> bool {
        self.position.outcome().is_none() && self.position.is_chance()
    }

    fn mid_turn(&self) -> bool {
        self.position.mid_turn()
    }

    fn faces(&self) -> u8 {
        G::FACES
    }

    fn roll(&mut self, face: u8) -> Result<(), ParseError> {
        turn::play_roll(&mut self.position, &format!("d{face}")).map(|_| ())
    }

    fn play_turn(&mut self, text: &str) -> Result<String, ParseError> {
        self.play_turn_in(Protocol::Ugi, text)
    }

    fn play_turn_in(&mut self, protocol: Protocol, text: &str) -> Result<String, ParseError> {
        let (moves, after) = turn::turn_from(&self.position, protocol, text)?;
        let written = self.position.write_turn(&moves);
        self.advance(after, &moves);
        Ok(written)
    }

    fn play_part_in(&mut self, protocol: Protocol, text: &str) -> Result<(), ParseError> {
        let mut after = self.position.clone();
        let moves = turn::play_part_in(&mut after, protocol, text)?;
        self.advance(after, &moves);
        Ok(())
    }

    fn follow(&mut self, protocol: Protocol, words: &[&str]) -> Result<Vec<Told>, ParseError> {
        let mut after = self.position.clone();
        let told = turn::follow(&mut after, protocol, words.iter().copied())?;
        words
            .iter()
            .try_for_each(|word| self.play_word(word).map(drop))?;
        Ok(told)
    }

    fn play_words(&mut self, text: &str) -> Result<(), ParseError> {
        for (before, word) in turn::words(text) {
            self.play_word(word)
                .map_err(|error| error.shifted(before))?;
        }
        Ok(())
    }

    fn actions(&self) -> Vec<String> {
        let mut actions: Vec<String> = if self.roll_due() {
            (1..=G::FACES).map(|face| format!("d{face}")).collect()
        } else {
            self.position
                .legal_moves()
                .iter()
                .map(|&mv| self.position.write_move(mv))
                .collect()
        };
        actions.sort();
        actions
    }

    fn only_action(&self) -> Option<String> {
        match *self.position.legal_moves() {
            [only] => Some(self.position.write_move(only)),
            _ => None,
        }
    }

    fn position(&self) -> String {
        self.position.write_position()
    }
}
