//! Text of moves and positions. Searches do not use it.

use std::fmt;

use crate::position::Position;

/// A parse error: column, text found, text expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Column of the first wrong character, counted in characters from 1.
    pub column: usize,
    /// The text found there; empty at the end of the text.
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

    /// The same error in a text with `columns` more characters in front.
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

/// The notation of a game. Parsers never panic; errors give the column and what was expected.
///
/// An *action* is the text of one move. A *turn* is the text of all actions that one side plays in
/// its turn, as in the `protocols.md` of a referee: `k11i11`, `a1h+a2h`.
pub trait Notation: Position {
    /// The text of a legal move in this position.
    fn write_move(&self, mv: Self::Move) -> String;

    /// Parses one action and checks that it is legal here. Case-insensitive.
    ///
    /// # Errors
    /// The text is not an action, or the action is illegal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError>;

    /// The position on one line, without a line end. It does not contain the variant and the
    /// history.
    fn write_position(&self) -> String;

    /// Parses a position of the same variant as `self`. Its history is empty.
    ///
    /// # Errors
    /// The text is not a position of this variant.
    fn parse_position(&self, text: &str) -> Result<Self, ParseError>;

    /// The text of a turn from this position: its moves in order.
    ///
    /// Games with one action per turn need not implement it.
    fn write_turn(&self, moves: &[Self::Move]) -> String {
        moves.iter().map(|&mv| self.write_move(mv)).collect()
    }

    /// Parses a turn and checks that every action is legal. It does not check that the turn is
    /// complete; the caller can check [`Position::side`] after playing it.
    ///
    /// Games with one action per turn need not implement it.
    ///
    /// # Errors
    /// The text is not a turn, or an action in it is illegal.
    fn parse_turn(&self, text: &str) -> Result<Vec<Self::Move>, ParseError> {
        self.parse_move(text).map(|mv| vec![mv])
    }
}
