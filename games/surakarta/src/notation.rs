//! Text of moves and positions.
//!
//! - A step is `b5-b4`, a capture `b5xe2`: columns a to f, rows 1 to 6 from the bottom.
//! - SAU writes both as four letters, `BBBC`: column, row, column, row, with columns A to F from the
//!   left and rows A to F **from the top**.
//! - A position is `bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0`: the rows from 6 down to 1, where `b` is
//!   black (`First`), `w` is white (`Second`) and a digit is a run of empty points; then the side
//!   to move; then the plies since the last capture.

use engine_core::{Notation, ParseError, Position, Side};

use crate::board::Surakarta;
use crate::geometry::{MOST_PIECES, SIZE};
use crate::moves::Action;

/// A text that is read character by character.
struct Reader<'a> {
    text: &'a str,
    /// Number of characters read so far.
    read: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { text, read: 0 }
    }

    fn peek(&self) -> Option<char> {
        self.text.chars().next().map(|c| c.to_ascii_lowercase())
    }

    /// An error at the next character.
    fn error(&self, expected: impl Into<String>) -> ParseError {
        let found = self.text.chars().next().map(String::from);
        ParseError::new(self.read + 1, found.unwrap_or_default(), expected)
    }

    /// Reads the next character in lower case, if `meaning` accepts it.
    fn next<T>(
        &mut self,
        expected: &str,
        meaning: impl FnOnce(char) -> Option<T>,
    ) -> Result<T, ParseError> {
        let value = self
            .peek()
            .and_then(meaning)
            .ok_or_else(|| self.error(expected))?;
        let mut rest = self.text.chars();
        rest.next();
        self.text = rest.as_str();
        self.read += 1;
        Ok(value)
    }

    fn end(&self) -> Result<(), ParseError> {
        match self.text {
            "" => Ok(()),
            _ => Err(self.error("the end")),
        }
    }

    fn column(&mut self) -> Result<u8, ParseError> {
        self.next("a column a to f", |c| line_of(c, 'a'))
    }

    /// Reads a point, a1 to f6.
    fn point(&mut self) -> Result<u8, ParseError> {
        let column = self.column()?;
        let row = self.next("a row 1 to 6", |c| line_of(c, '1'))?;
        Ok(SIZE as u8 * row + column)
    }

    /// Reads a point as two letters; the second is the row from the top.
    fn sau_point(&mut self) -> Result<u8, ParseError> {
        let column = self.next("a column A to F", |c| line_of(c, 'a'))?;
        let row = self.next("a row A to F", |c| line_of(c, 'a'))?;
        Ok(SIZE as u8 * (SIZE as u8 - 1 - row) + column)
    }
}

/// The index of the line `name`, if names run in order from `first`.
fn line_of(name: char, first: char) -> Option<u8> {
    let line = (name as u32).checked_sub(first as u32)?;
    (line < SIZE as u32).then_some(line as u8)
}

fn point_name(point: u8) -> String {
    let size = SIZE as u8;
    format!("{}{}", (b'a' + point % size) as char, 1 + point / size)
}

fn sau_name(point: u8) -> String {
    let size = SIZE as u8;
    let row = size - 1 - point / size;
    format!("{}{}", (b'A' + point % size) as char, (b'A' + row) as char)
}

impl Surakarta {
    /// The side whose piece stands on a point.
    pub(crate) fn piece_on(&self, point: u8) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.pieces(side).stand_on(point))
    }

    /// Returns the error for an illegal move. The target is at `to_column` of `text`, which is
    /// ASCII because it was read.
    fn check_legal(&self, mv: Action, text: &str, to_column: usize) -> Result<Action, ParseError> {
        if self.is_legal(mv) {
            return Ok(mv);
        }
        if self.ending_kind().is_some() {
            return Err(ParseError::new(1, text, "nothing, as the game is over"));
        }
        if self.piece_on(mv.from) != Some(self.side()) {
            let expected = format!("a point with a {} piece", colour(self.side()));
            return Err(ParseError::new(1, &text[..2], expected));
        }
        let expected = match self.piece_on(mv.to) {
            None => "an empty neighbour of the piece",
            Some(side) if side == self.side() => "an empty point or an enemy piece",
            Some(_) => "an enemy piece that the piece reaches through an arc",
        };
        let target = &text[to_column - 1..];
        Err(ParseError::new(to_column, target, expected))
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

impl Notation for Surakarta {
    fn write_move(&self, mv: Action) -> String {
        let kind = match self.piece_on(mv.to) {
            Some(_) => 'x',
            None => '-',
        };
        format!("{}{kind}{}", point_name(mv.from), point_name(mv.to))
    }

    fn parse_move(&self, text: &str) -> Result<Action, ParseError> {
        let mut reader = Reader::new(text);
        let from = reader.point()?;
        let is_capture = reader.next("'-' for a step or 'x' for a capture", |c| match c {
            '-' => Some(false),
            'x' => Some(true),
            _ => None,
        })?;
        let to = reader.point()?;
        reader.end()?;
        let mv = self.check_legal(Action { from, to }, text, 4)?;
        match (is_capture, self.piece_on(to)) {
            (true, None) => Err(ParseError::new(3, "x", "'-', as the target is empty")),
            (false, Some(_)) => Err(ParseError::new(3, "-", "'x', as the target is taken")),
            _ => Ok(mv),
        }
    }

    fn write_position(&self) -> String {
        let mut text = String::new();
        for row in (0..SIZE).rev() {
            let mut empty = 0;
            for column in 0..SIZE {
                let piece = self.piece_on((SIZE * row + column) as u8);
                if piece.is_some() && empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                match piece {
                    Some(side) => text += letter(side),
                    None => empty += 1,
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text += if row > 0 { "/" } else { " " };
        }
        format!("{text}{} {}", letter(self.side()), self.quiet())
    }

    fn parse_position(&self, text: &str) -> Result<Surakarta, ParseError> {
        let mut reader = Reader::new(text);
        let points = read_board(&mut reader)?;
        reader.next("a blank", |c| (c == ' ').then_some(()))?;
        let side = reader.next("the side to move, b or w", side_of)?;
        reader.next("a blank", |c| (c == ' ').then_some(()))?;
        let quiet = match reader.text.parse() {
            Ok(quiet) if reader.text.as_bytes()[0].is_ascii_digit() => quiet,
            _ => {
                let expected = "the plies since the last capture, as a number";
                return Err(ParseError::new(reader.read + 1, reader.text, expected));
            }
        };
        for (side, points) in Side::BOTH.into_iter().zip(points) {
            if points.count_ones() as usize > MOST_PIECES {
                let expected = format!("at most {MOST_PIECES} {} pieces", colour(side));
                return Err(ParseError::new(1, text, expected));
            }
        }
        if points == [0, 0] {
            return Err(ParseError::new(1, text, "a piece"));
        }
        Ok(Surakarta::set_up(points, side, quiet, self.variant()))
    }
}

fn letter(side: Side) -> &'static str {
    &colour(side)[..1]
}

fn side_of(letter: char) -> Option<Side> {
    match letter {
        'b' => Some(Side::First),
        'w' => Some(Side::Second),
        _ => None,
    }
}

/// Reads six rows, separated by slashes, as the points of each side.
fn read_board(reader: &mut Reader) -> Result<[u64; 2], ParseError> {
    let mut points = [0; 2];
    for row in (0..SIZE).rev() {
        let mut column = 0;
        while column < SIZE {
            let left = SIZE - column;
            let expected = format!("b, w or 1 to {left} for empty points");
            match reader.peek().and_then(|c| c.to_digit(10)) {
                Some(_) => {
                    let gap = |c: char| c.to_digit(10).map(|n| n as usize);
                    let fits = |n: &usize| (1..=left).contains(n);
                    column += reader.next(&expected, |c| gap(c).filter(fits))?;
                }
                None => {
                    let side = reader.next(&expected, side_of)?;
                    points[side.index()] |= 1 << (SIZE * row + column);
                    column += 1;
                }
            }
        }
        if row > 0 {
            reader.next("'/' after six points", |c| (c == '/').then_some(()))?;
        }
    }
    Ok(points)
}

impl Surakarta {
    /// Writes a turn in SAU notation, `X1Y1X2Y2` for both steps and captures.
    pub fn write_sau(&self, turn: &[Action]) -> String {
        turn.iter()
            .map(|mv| sau_name(mv.from) + &sau_name(mv.to))
            .collect()
    }

    /// Reads a turn in SAU notation and checks that its actions are legal.
    ///
    /// # Errors
    /// Text that is not a turn, or an illegal action.
    pub fn parse_sau(&self, text: &str) -> Result<Vec<Action>, ParseError> {
        let mut reader = Reader::new(text);
        let from = reader.sau_point()?;
        let to = reader.sau_point()?;
        reader.end()?;
        self.check_legal(Action { from, to }, text, 3)
            .map(|mv| vec![mv])
    }
}
