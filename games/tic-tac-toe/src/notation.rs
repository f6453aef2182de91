//! Text of cells and positions, and the SAU platform's cells.
//!
//! - A cell is column letter and row, a1 at the bottom left: `b2` is the centre. A turn is one cell.
//! - A position is its rows from the top, separated by `/`: a number is a run of empty cells, `x` and
//!   `o` are marks. Then follows the side to move: `2o/1x1/3 x`. The numbers of marks may be
//!   unreachable in a game, so problems can be set up.
//! - The platform does not have the game. As in its other games of stones, a cell is two letters,
//!   column from the left and row **from the top**: `BB`.

use engine_core::{Notation, ParseError, Position, Side};

use crate::board::TicTacToe;
use crate::moves::Cell;

/// The letters of the sides in positions and on the board.
pub(crate) const LETTERS: [char; 2] = ['x', 'o'];

/// Text being read, with the column for errors.
struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    column: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader {
            rest: text.chars().peekable(),
            column: 1,
        }
    }

    /// Reads the next character, in lower case, if `read` takes it.
    fn take<T>(
        &mut self,
        expected: impl Into<String>,
        read: impl Fn(char) -> Option<T>,
    ) -> Result<T, ParseError> {
        let next = self.rest.peek().copied();
        let Some(taken) = next.and_then(|c| read(c.to_ascii_lowercase())) else {
            let found = next.map(String::from).unwrap_or_default();
            return Err(ParseError::new(self.column, found, expected));
        };
        self.rest.next();
        self.column += 1;
        Ok(taken)
    }

    fn end(&mut self) -> Result<(), ParseError> {
        match self.rest.peek() {
            None => Ok(()),
            Some(&found) => Err(ParseError::new(self.column, found.to_string(), "the end")),
        }
    }
}

/// The index of a character counted from `first`, below 3.
fn index_from(first: char) -> impl Fn(char) -> Option<u8> {
    move |c| {
        let index = (c as u32).checked_sub(first as u32)?;
        (index < 3).then_some(index as u8)
    }
}

fn side_of_letter(letter: char) -> Option<Side> {
    let index = LETTERS.iter().position(|&known| known == letter)?;
    Some(Side::BOTH[index])
}

impl TicTacToe {
    /// Reads a cell with `read_row` for its second character, and checks that it is legal.
    fn read_cell(
        &self,
        text: &str,
        read_row: impl Fn(&mut Reader<'_>) -> Result<u8, ParseError>,
    ) -> Result<Cell, ParseError> {
        let mut reader = Reader::new(text);
        let column = reader.take("a column letter a to c", index_from('a'))?;
        let row = read_row(&mut reader)?;
        reader.end()?;
        let cell = Cell::new(column, row);
        if self.outcome().is_some() {
            return Err(ParseError::new(1, text, "nothing, as the game is over"));
        }
        if self.is_legal(cell) {
            Ok(cell)
        } else {
            Err(ParseError::new(1, text, "an empty cell"))
        }
    }

    /// Writes a turn in SAU notation.
    pub fn write_sau(&self, turn: &[Cell]) -> String {
        turn.iter()
            .flat_map(|cell| [cell.column(), 2 - cell.row()])
            .map(|index| (b'A' + index) as char)
            .collect()
    }

    /// Reads a turn in SAU notation and checks that it is legal.
    ///
    /// # Errors
    /// Text that is not a cell, or a cell that is not empty.
    pub fn parse_sau(&self, text: &str) -> Result<Vec<Cell>, ParseError> {
        let cell = self.read_cell(text, |reader| {
            let from_top = reader.take("a row letter a to c", index_from('a'))?;
            Ok(2 - from_top)
        })?;
        Ok(vec![cell])
    }

    fn write_row(&self, row: u8) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for column in 0..3 {
            let Some(side) = self.at(Cell::new(column, row)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(LETTERS[side.index()]);
            empty = 0;
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }
}

/// Reads a row of a position and sets its bits in `cells`.
fn read_row(reader: &mut Reader<'_>, row: u8, cells: &mut [u16; 2]) -> Result<(), ParseError> {
    let mut column = 0;
    while column < 3 {
        let left = 3 - column;
        let expected = format!("x, o or 1 to {left} empty cells in row {}", row + 1);
        let (owner, width) = reader.take(expected, |c| {
            let run = c.to_digit(10).map(|run| run as u8);
            let run = run.filter(|run| (1..=left).contains(run));
            let mark = side_of_letter(c).map(|side| (Some(side), 1));
            mark.or(run.map(|run| (None, run)))
        })?;
        if let Some(side) = owner {
            cells[side.index()] |= 1 << Cell::new(column, row).index();
        }
        column += width;
    }
    Ok(())
}

impl Notation for TicTacToe {
    fn write_move(&self, cell: Cell) -> String {
        format!("{}{}", (b'a' + cell.column()) as char, cell.row() + 1)
    }

    fn parse_move(&self, text: &str) -> Result<Cell, ParseError> {
        self.read_cell(text, |reader| reader.take("a row 1 to 3", index_from('1')))
    }

    fn write_position(&self) -> String {
        let rows = [2, 1, 0].map(|row| self.write_row(row));
        format!("{} {}", rows.join("/"), LETTERS[self.side().index()])
    }

    fn parse_position(&self, text: &str) -> Result<TicTacToe, ParseError> {
        let mut reader = Reader::new(text);
        let mut cells = [0; 2];
        for row in [2, 1, 0] {
            read_row(&mut reader, row, &mut cells)?;
            let (separator, expected) = match row {
                0 => (' ', "a blank and the side to move"),
                _ => ('/', "/ and the next row"),
            };
            reader.take(expected, |c| (c == separator).then_some(()))?;
        }
        let side = reader.take("the side to move, x or o", side_of_letter)?;
        reader.end()?;
        TicTacToe::set_up(cells, side)
            .ok_or_else(|| ParseError::new(1, text, "at most one side with three in a row"))
    }
}
