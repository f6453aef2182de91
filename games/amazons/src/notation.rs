//! Text of moves and positions.
//!
//! - A move is `d1-d7-g7`: from, to, arrow.
//! - A position is the rows from the top, separated by `/`, with `b` and `w` for the amazons of
//!   First (black) and Second (white), `x` for arrows and numbers for runs of empty squares, then a
//!   blank and `b` or `w` for the side to move: `3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3 b`.
//! - A SAU move is `DJDDGD`: three pairs of letters, the column from the left and the row from the
//!   top.
//!
//! Case is ignored.

use std::ops::Range;

use engine_core::{Notation, ParseError, Position, Side};

use crate::board::Amazons;
use crate::geometry::{Board, Square};
use crate::moves::{Action, sees};

/// An error at the character with index `at`.
fn error(characters: &[char], at: usize, expected: impl Into<String>) -> ParseError {
    let found = characters.get(at).map(char::to_string);
    ParseError::new(at + 1, found.unwrap_or_default(), expected)
}

/// Reads the letter at index `at`, one of the first `count` of the alphabet, as a number from 0.
fn read_letter(characters: &[char], at: usize, count: u8, what: &str) -> Result<u8, ParseError> {
    characters
        .get(at)
        .map(|letter| letter.to_ascii_lowercase())
        .filter(|letter| ('a'..(b'a' + count) as char).contains(letter))
        .map(|letter| letter as u8 - b'a')
        .ok_or_else(|| {
            let last = (b'a' + count - 1) as char;
            error(characters, at, format!("a {what} letter a to {last}"))
        })
}

/// Reads a square such as `d10` at index `at`, on a board of `columns` × `rows`. Also returns the
/// index after it.
pub(crate) fn read_square(
    characters: &[char],
    at: usize,
    (columns, rows): (u8, u8),
) -> Result<(Square, usize), ParseError> {
    let column = read_letter(characters, at, columns, "column")?;
    let digits: String = characters[at + 1..]
        .iter()
        .take_while(|character| character.is_ascii_digit())
        .collect();
    let end = at + 1 + digits.len();
    digits
        .parse()
        .ok()
        .filter(|row| (1..=rows).contains(row) && !digits.starts_with('0'))
        .map(|row: u8| (Square::new(column, row - 1), end))
        .ok_or_else(|| {
            let found = if digits.is_empty() {
                characters
                    .get(at + 1)
                    .map(char::to_string)
                    .unwrap_or_default()
            } else {
                digits
            };
            ParseError::new(at + 2, found, format!("a row number 1 to {rows}"))
        })
}

/// Checks that the text ends at index `end`.
fn expect_end(characters: &[char], end: usize) -> Result<(), ParseError> {
    if end < characters.len() {
        return Err(error(characters, end, "the end"));
    }
    Ok(())
}

/// The letter of a colour in a position's text.
fn letter(side: Side) -> char {
    match side {
        Side::First => 'b',
        Side::Second => 'w',
    }
}

/// The colour of a side's amazons.
fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

impl Amazons {
    fn size(&self) -> (u8, u8) {
        (self.columns(), self.rows())
    }

    /// The action with these three squares, read at these indices of `characters`, if it is legal.
    fn check_action(
        &self,
        characters: &[char],
        [from, to, arrow]: [Square; 3],
        [from_place, to_place, arrow_place]: [Range<usize>; 3],
    ) -> Result<Action, ParseError> {
        let action = Action::new(from, to, arrow);
        if self.outcome().is_none() && self.is_legal(action) {
            return Ok(action);
        }
        let wrong = |place: Range<usize>, expected: String| {
            let column = place.start + 1;
            let found: String = characters[place].iter().collect();
            Err(ParseError::new(column, found, expected))
        };
        let side = self.side();
        if self.outcome().is_some() {
            wrong(from_place, "nothing, as the game is over".to_owned())
        } else if self.amazons(side) & from.bit() == 0 {
            let expected = format!("the square of a {} amazon", colour(side));
            wrong(from_place, expected)
        } else if self.empty() & to.bit() == 0 || !sees(self.lines(), from, to) {
            let expected = format!("a square that the amazon on {from} can reach");
            wrong(to_place, expected)
        } else {
            let expected = format!("a square that an arrow from {to} can reach");
            wrong(arrow_place, expected)
        }
    }

    /// Reads one row of a position's text at index `at`, adds its amazons and arrows to `sets`, and
    /// returns the index after it.
    fn read_row(
        &self,
        characters: &[char],
        mut at: usize,
        row: u8,
        sets: &mut [Board; 3],
    ) -> Result<usize, ParseError> {
        let mut column = 0;
        while column < self.columns() {
            let kind = match characters.get(at).map(char::to_ascii_lowercase) {
                Some('b') => 0,
                Some('w') => 1,
                Some('x') => 2,
                _ => {
                    let (run, end) = read_run(characters, at, self.columns() - column)?;
                    column += run;
                    at = end;
                    continue;
                }
            };
            sets[kind] |= Square::new(column, row).bit();
            column += 1;
            at += 1;
        }
        Ok(at)
    }
}

/// Reads a number of empty squares, 1 to `most`, at index `at`; also returns the index after it.
fn read_run(characters: &[char], at: usize, most: u8) -> Result<(u8, usize), ParseError> {
    let digits: String = characters[at.min(characters.len())..]
        .iter()
        .take_while(|character| character.is_ascii_digit())
        .collect();
    digits
        .parse()
        .ok()
        .filter(|run| (1..=most).contains(run) && !digits.starts_with('0'))
        .map(|run| (run, at + digits.len()))
        .ok_or_else(|| {
            let expected = format!("b, w, x or a number of empty squares 1 to {most}");
            match digits.as_str() {
                "" => error(characters, at, expected),
                _ => ParseError::new(at + 1, digits, expected),
            }
        })
}

impl Notation for Amazons {
    fn write_move(&self, action: Action) -> String {
        action.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Action, ParseError> {
        let characters: Vec<char> = text.chars().collect();
        let mut squares = [Square::new(0, 0); 3];
        let mut places = [0..0, 0..0, 0..0];
        let mut at = 0;
        for i in 0..3 {
            if i > 0 {
                if characters.get(at) != Some(&'-') {
                    return Err(error(&characters, at, "a hyphen"));
                }
                at += 1;
            }
            let start = at;
            (squares[i], at) = read_square(&characters, at, self.size())?;
            places[i] = start..at;
        }
        expect_end(&characters, at)?;
        self.check_action(&characters, squares, places)
    }

    fn write_position(&self) -> String {
        let arrows = self.arrows();
        let mut text = String::new();
        for row in (0..self.rows()).rev() {
            let mut run = 0;
            for column in 0..self.columns() {
                let bit = Square::new(column, row).bit();
                let found = match () {
                    _ if self.empty() & bit != 0 => {
                        run += 1;
                        continue;
                    }
                    _ if arrows & bit != 0 => 'x',
                    _ if self.amazons(Side::First) & bit != 0 => letter(Side::First),
                    _ => letter(Side::Second),
                };
                push_run(&mut text, &mut run);
                text.push(found);
            }
            push_run(&mut text, &mut run);
            text.push(if row > 0 { '/' } else { ' ' });
        }
        text.push(letter(self.side()));
        text
    }

    fn parse_position(&self, text: &str) -> Result<Amazons, ParseError> {
        let characters: Vec<char> = text.chars().collect();
        let mut sets = [0; 3];
        let mut at = 0;
        for row in (0..self.rows()).rev() {
            at = self.read_row(&characters, at, row, &mut sets)?;
            let (separator, expected) = match row {
                0 => (' ', "a blank and the side to move"),
                _ => ('/', "a slash and the next row"),
            };
            if characters.get(at) != Some(&separator) {
                return Err(error(&characters, at, expected));
            }
            at += 1;
        }
        let side = match characters.get(at).map(char::to_ascii_lowercase) {
            Some('b') => Side::First,
            Some('w') => Side::Second,
            _ => return Err(error(&characters, at, "the side to move, b or w")),
        };
        expect_end(&characters, at + 1)?;
        for side in Side::BOTH {
            let (found, expected) = (sets[side.index()], self.amazons(side));
            if found.count_ones() != expected.count_ones() {
                return Err(ParseError::new(
                    1,
                    format!("{} of them", found.count_ones()),
                    format!("{} {} amazons", expected.count_ones(), colour(side)),
                ));
            }
        }
        Ok(Amazons::new(self.size(), [sets[0], sets[1]], sets[2], side))
    }
}

/// Writes a run of empty squares, if there is one, and starts a new run.
fn push_run(text: &mut String, run: &mut u8) {
    if *run > 0 {
        text.push_str(&run.to_string());
        *run = 0;
    }
}

impl Amazons {
    /// Writes a turn in SAU notation.
    pub fn write_sau(&self, turn: &[Action]) -> String {
        let pair = |square: Square| {
            let row = self.rows() - 1 - square.row();
            [(b'A' + square.column()) as char, (b'A' + row) as char]
        };
        turn.iter()
            .flat_map(|action| [action.from(), action.to(), action.arrow()])
            .flat_map(pair)
            .collect()
    }

    /// Reads a turn in SAU notation and checks that its actions are legal.
    ///
    /// # Errors
    /// Text that is not a turn, or an illegal action.
    pub fn parse_sau(&self, text: &str) -> Result<Vec<Action>, ParseError> {
        let characters: Vec<char> = text.chars().collect();
        let mut squares = [Square::new(0, 0); 3];
        for (i, square) in squares.iter_mut().enumerate() {
            let column = read_letter(&characters, 2 * i, self.columns(), "column")?;
            let row = read_letter(&characters, 2 * i + 1, self.rows(), "row")?;
            *square = Square::new(column, self.rows() - 1 - row);
        }
        expect_end(&characters, 6)?;
        self.check_action(&characters, squares, [0..2, 2..4, 4..6])
            .map(|action| vec![action])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    fn start() -> Amazons {
        Variant::default().start().unwrap()
    }

    #[test]
    fn the_start_reads_as_in_the_module_documentation() {
        let text = "3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3 b";
        assert_eq!(start().write_position(), text);
        assert_eq!(start().parse_position(text), Ok(start()));
        assert_eq!(start().parse_position(&text.to_uppercase()), Ok(start()));
    }

    #[test]
    fn sau_letters_run_from_the_top() {
        let start = start();
        let action = start.parse_move("d1-d7-g7").unwrap();
        assert_eq!(start.write_sau(&[action]), "DJDDGD");
        assert_eq!(start.parse_sau("DJDDGD"), Ok(vec![action]));
        assert_eq!(start.parse_sau("djddgd"), Ok(vec![action]));
        // Black stands on AG DJ GJ JG.
        for from in ["AGAFAG", "DJDIDJ", "GJGIGJ", "JGJFJG"] {
            assert!(start.parse_sau(from).is_ok(), "{from}");
        }
    }

    #[test]
    fn wrong_moves_are_refused_at_their_column() {
        let start = start();
        let check = |text: &str, message: &str| {
            assert_eq!(start.parse_move(text).unwrap_err().to_string(), message);
        };
        check(
            "",
            "column 1: expected a column letter a to j, found the end",
        );
        check(
            "k1-d7-g7",
            "column 1: expected a column letter a to j, found \"k\"",
        );
        check(
            "d11-d7-g7",
            "column 2: expected a row number 1 to 10, found \"11\"",
        );
        check(
            "d01-d7-g7",
            "column 2: expected a row number 1 to 10, found \"01\"",
        );
        check("d1d7g7", "column 3: expected a hyphen, found \"d\"");
        check("d1-d7", "column 6: expected a hyphen, found the end");
        check("d1-d7-g7 ", "column 9: expected the end, found \" \"");
        check(
            "d2-d7-g7",
            "column 1: expected the square of a black amazon, found \"d2\"",
        );
        check(
            "d10-d7-g7",
            "column 1: expected the square of a black amazon, found \"d10\"",
        );
        check(
            "d1-e3-g7",
            "column 4: expected a square that the amazon on d1 can reach, found \"e3\"",
        );
        check(
            "d1-d10-g7",
            "column 4: expected a square that the amazon on d1 can reach, found \"d10\"",
        );
        check(
            "d1-d7-d10",
            "column 7: expected a square that an arrow from d7 can reach, found \"d10\"",
        );
        check(
            "d1-d7-d7",
            "column 7: expected a square that an arrow from d7 can reach, found \"d7\"",
        );
        let sau = |text: &str, message: &str| {
            assert_eq!(start.parse_sau(text).unwrap_err().to_string(), message);
        };
        sau(
            "DJDDG",
            "column 6: expected a row letter a to j, found the end",
        );
        sau("DJDDGDD", "column 7: expected the end, found \"D\"");
        sau(
            "DADDGD",
            "column 1: expected the square of a black amazon, found \"DA\"",
        );
        sau(
            "DJDDGE",
            "column 5: expected a square that an arrow from d7 can reach, found \"GE\"",
        );
    }

    #[test]
    fn wrong_positions_are_refused_at_their_column() {
        let start = Variant::of_size(6).unwrap().start().unwrap();
        let check = |text: &str, message: &str| {
            assert_eq!(start.parse_position(text).unwrap_err().to_string(), message);
        };
        assert_eq!(start.write_position(), "1w2w1/w4w/6/6/b4b/1b2b1 b");
        check(
            "",
            "column 1: expected b, w, x or a number of empty squares 1 to 6, found the end",
        );
        check(
            "7/6",
            "column 1: expected b, w, x or a number of empty squares 1 to 6, found \"7\"",
        );
        check(
            "1w5",
            "column 3: expected b, w, x or a number of empty squares 1 to 4, found \"5\"",
        );
        check(
            "1w4 ",
            "column 4: expected a slash and the next row, found \" \"",
        );
        check(
            "6/6/6/6/6/6",
            "column 12: expected a blank and the side to move, found the end",
        );
        check(
            "6/6/6/6/6/6 x",
            "column 13: expected the side to move, b or w, found \"x\"",
        );
        check(
            "6/6/6/6/6/6 b",
            "column 1: expected 4 black amazons, found \"0 of them\"",
        );
        check(
            "1w2w1/w4w/6/6/b4b/1b2b1 bb",
            "column 26: expected the end, found \"b\"",
        );
    }
}
