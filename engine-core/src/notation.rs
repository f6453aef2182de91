//! Text of moves and positions. No search depends on it.

use std::fmt;

use crate::position::Position;

/// Text that is not what was expected: where, what was read, what would have been right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Column of the first wrong character, counted in characters from 1.
    pub column: usize,
    /// What stood there; empty at the end of the text.
    pub found: String,
    /// What was expected, as words: `a column letter a to k`.
    pub expected: String,
}

impl ParseError {
    /// An error at `column`, counted in characters from 1.
    pub fn new(column: usize, found: impl Into<String>, expected: impl Into<String>) -> ParseError {
        ParseError {
            column,
            found: found.into(),
            expected: expected.into(),
        }
    }

    /// The same error in a longer text that has `columns` more characters in front.
    pub fn shifted(mut self, columns: usize) -> ParseError {
        self.column += columns;
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "column {}: expected {}, found ",
            self.column, self.expected
        )?;
        if self.found.is_empty() {
            write!(f, "the end")
        } else {
            write!(f, "{:?}", self.found)
        }
    }
}

impl std::error::Error for ParseError {}

/// A game's text. Parsers take any input without panic and say column and expectation.
///
/// An *action* is the text of one move; a *turn* is the text of all that one side plays before the
/// other has the word, as `protocols.md` of a referee writes it: `k11i11`, `a1h+a2h`.
pub trait Notation: Position {
    /// The text of a legal move in this position.
    fn write_move(&self, mv: Self::Move) -> String;

    /// Reads one action and checks that it is legal here. Upper and lower case are alike.
    ///
    /// # Errors
    /// Text that is no action, or an action that is not legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError>;

    /// The position on one line, without a line end. The variant and the history are not part of
    /// it.
    fn write_position(&self) -> String;

    /// Reads a position of the same variant as `self`. The history starts there.
    ///
    /// # Errors
    /// Text that is no position of this variant.
    fn parse_position(&self, text: &str) -> Result<Self, ParseError>;

    /// The text of a turn, played from this position: its moves, one after the other.
    ///
    /// Games with one action a turn need not implement it.
    fn write_turn(&self, moves: &[Self::Move]) -> String {
        moves.iter().map(|&mv| self.write_move(mv)).collect()
    }

    /// Reads a turn and checks that every action of it is legal. Whether the turn is complete is
    /// for the caller to see, by [`Position::side`] after playing it.
    ///
    /// Games with one action a turn need not implement it.
    ///
    /// # Errors
    /// Text that is no turn, or an action in it that is not legal.
    fn parse_turn(&self, text: &str) -> Result<Vec<Self::Move>, ParseError> {
        self.parse_move(text).map(|mv| vec![mv])
    }
}
