//! Text of actions and positions.
//!
//! An action is a cell, its column letter and its row counted from the top (`c2`), or `swap`. The
//! swap may also be written as `swap-pieces` or `swap-sides`, according to the variant. The SAU
//! platform writes a cell as two letters, with the row also counted from the top (`CB`).
//!
//! A position is its rows from the top, separated by `/`: `r` and `b` are stones, a number is a run
//! of empty cells. Then follow the colour to move, `r` or `b`, and `exchanged` if a swap of sides
//! has given red to `Second`: `2/1r b exchanged`.

use engine_core::{Notation, ParseError, Position};

use crate::board::{Colour, Hex};
use crate::geometry::Cell;
use crate::moves::Action;
use crate::variant::{Opening, Swap};

impl Notation for Hex {
    fn write_move(&self, action: Action) -> String {
        match action {
            Action::Place(cell) => write_cell(cell),
            Action::Swap => "swap".to_string(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Action, ParseError> {
        read_action(self, text, parse_cell)
    }

    fn write_position(&self) -> String {
        let rows: Vec<String> = (0..self.size()).map(|row| write_row(self, row)).collect();
        let colour = colour_letter(self.to_move());
        let exchanged = if self.is_exchanged() {
            " exchanged"
        } else {
            ""
        };
        format!("{} {colour}{exchanged}", rows.join("/"))
    }

    fn parse_position(&self, text: &str) -> Result<Hex, ParseError> {
        let mut reader = Reader { text, at: 0 };
        let mut stones = Vec::new();
        for row in 0..self.size() {
            if row > 0 {
                reader.expect('/', || format!("/ and row {}", row + 1))?;
            }
            read_row(&mut reader, self.size(), row, &mut stones)?;
        }
        reader.expect(' ', || "a blank and the colour to move".to_string())?;
        let to_move = reader
            .peek()
            .and_then(colour_of_letter)
            .ok_or_else(|| reader.error("the colour to move, r or b"))?;
        reader.at += 1;
        let exchanged = read_exchanged(&reader, self)?;
        Ok(Hex::set_up(self.variant(), stones, to_move, exchanged))
    }
}

impl Hex {
    /// Writes a turn in SAU notation.
    pub fn write_sau(&self, turn: &[Action]) -> String {
        let word = |&action: &Action| match action {
            Action::Place(cell) => [cell.column, cell.row]
                .map(|number| (b'A' + number) as char)
                .iter()
                .collect(),
            Action::Swap => "swap".to_string(),
        };
        turn.iter().map(word).collect()
    }

    /// Reads a turn in SAU notation and checks that its actions are legal.
    ///
    /// # Errors
    /// Text that is not a turn, or an illegal action.
    pub fn parse_sau(&self, text: &str) -> Result<Vec<Action>, ParseError> {
        read_action(self, text, parse_letters).map(|action| vec![action])
    }
}

/// Writes a cell, `c2`.
pub(crate) fn write_cell(cell: Cell) -> String {
    format!("{}{}", (b'a' + cell.column) as char, cell.row as u32 + 1)
}

/// Reads a cell on a board of `size`, `c2` or `C2`.
pub(crate) fn parse_cell(text: &str, size: u8) -> Result<Cell, ParseError> {
    let column = read_letter(text, 0, size, "a column letter")?;
    let mut reader = Reader { text, at: 1 };
    let digits = reader.digits();
    let expected = format!("a row 1 to {size}");
    let row: u8 = match digits.parse() {
        Ok(row) if (1..=size).contains(&row) && !digits.starts_with('0') => row,
        _ if digits.is_empty() => return Err(reader.error(expected)),
        _ => return Err(ParseError::new(2, digits, expected)),
    };
    reader.at += digits.len();
    match reader.peek() {
        None => Ok(Cell::new(column, row - 1)),
        Some(_) => Err(reader.error("the end")),
    }
}

/// Reads a cell in SAU notation, `CB`.
fn parse_letters(text: &str, size: u8) -> Result<Cell, ParseError> {
    let column = read_letter(text, 0, size, "a column letter")?;
    let row = read_letter(text, 1, size, "a row letter")?;
    match text.chars().nth(2) {
        None => Ok(Cell::new(column, row)),
        Some(found) => Err(ParseError::new(3, found, "the end")),
    }
}

/// Reads the letter at character index `at` as a number from 0.
fn read_letter(text: &str, at: usize, size: u8, what: &str) -> Result<u8, ParseError> {
    let found = text.chars().nth(at);
    found
        .filter(char::is_ascii_alphabetic)
        .map(|letter| letter.to_ascii_lowercase() as u8 - b'a')
        .filter(|&number| number < size)
        .ok_or_else(|| {
            let found = found.map(String::from).unwrap_or_default();
            let last = (b'a' + size - 1) as char;
            ParseError::new(at + 1, found, format!("{what} a to {last}"))
        })
}

/// Reads an action, using `cell` for cells, and checks that it is legal.
fn read_action(
    position: &Hex,
    text: &str,
    cell: fn(&str, u8) -> Result<Cell, ParseError>,
) -> Result<Action, ParseError> {
    let wrong = |expected: String| Err(ParseError::new(1, text, expected));
    if text
        .get(..4)
        .is_some_and(|word| word.eq_ignore_ascii_case("swap"))
    {
        let spelled: &str = position.variant().swap.into();
        if text.len() > 4 && !text.eq_ignore_ascii_case(spelled) {
            return wrong(format!("swap or {spelled}, which the variant has"));
        }
        return if position.may_swap() {
            Ok(Action::Swap)
        } else {
            wrong("a stone, as no swap is possible here".to_string())
        };
    }
    let action = Action::Place(cell(text, position.size())?);
    if position.is_legal(action) {
        Ok(action)
    } else if position.winner().is_some() {
        wrong("nothing, as the game is over".to_string())
    } else if let Some(forced) = position.forced_cell() {
        wrong(format!("{}, the forced first cell", write_cell(forced)))
    } else {
        wrong("an empty cell".to_string())
    }
}

fn colour_letter(colour: Colour) -> char {
    match colour {
        Colour::Red => 'r',
        Colour::Blue => 'b',
    }
}

fn colour_of_letter(letter: char) -> Option<Colour> {
    match letter.to_ascii_lowercase() {
        'r' => Some(Colour::Red),
        'b' => Some(Colour::Blue),
        _ => None,
    }
}

fn write_row(position: &Hex, row: u8) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for column in 0..position.size() {
        match position.colour_at(Cell::new(column, row)) {
            None => empty += 1,
            Some(colour) => {
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(colour_letter(colour));
            }
        }
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

/// Text that is read from the left. Everything before the current byte is ASCII, so bytes are
/// columns.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn error(&self, expected: impl Into<String>) -> ParseError {
        let found = self.peek().map(String::from).unwrap_or_default();
        ParseError::new(self.at + 1, found, expected)
    }

    fn expect(&mut self, wanted: char, what: impl Fn() -> String) -> Result<(), ParseError> {
        if self.peek() != Some(wanted) {
            return Err(self.error(what()));
        }
        self.at += 1;
        Ok(())
    }

    /// The digits at the current column; does not consume them.
    fn digits(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit());
        &rest[..end.unwrap_or(rest.len())]
    }
}

fn read_row(
    reader: &mut Reader<'_>,
    size: u8,
    row: u8,
    stones: &mut Vec<(Colour, Cell)>,
) -> Result<(), ParseError> {
    let mut column = 0;
    while column < size {
        let left = size - column;
        if let Some(colour) = reader.peek().and_then(colour_of_letter) {
            stones.push((colour, Cell::new(column, row)));
            reader.at += 1;
            column += 1;
            continue;
        }
        let digits = reader.digits();
        let expected = || format!("r, b or 1 to {left} empty cells in row {}", row + 1);
        let error = || match digits {
            "" => reader.error(expected()),
            _ => ParseError::new(reader.at + 1, digits, expected()),
        };
        let empty: u8 = digits.parse().map_err(|_| error())?;
        if !(1..=left).contains(&empty) {
            return Err(error());
        }
        reader.at += digits.len();
        column += empty;
    }
    Ok(())
}

/// Reads the text after the colour to move.
fn read_exchanged(reader: &Reader<'_>, position: &Hex) -> Result<bool, ParseError> {
    if reader.rest().is_empty() {
        return Ok(false);
    }
    let variant = position.variant();
    if variant.opening != Opening::Swap || variant.swap != Swap::Sides {
        return Err(reader.error("the end, as the variant has no swap of sides"));
    }
    if reader.rest().eq_ignore_ascii_case(" exchanged") {
        Ok(true)
    } else {
        Err(reader.error("the end or ' exchanged'"))
    }
}
