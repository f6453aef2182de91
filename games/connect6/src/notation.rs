//! Text of stones, turns and positions, and the SAU platform's turns.
//!
//! - A stone is column letter and row, a1 at the bottom left: `j10`.
//! - A turn is its stones in the order played: `j10`, `k11i11`.
//! - A position is its rows from the top, separated by `/`: a number is a run of empty cells, `b`
//!   and `w` are stones. Then follow the side to move and its stones left in this turn:
//!   `6/6/3bw1/6/6/6 white 1`. The numbers of stones may be unreachable in a game, so problems can
//!   be set up.
//! - A SAU turn is one letter pair per stone, columns from the left and rows **from the top**:
//!   `KIIK`. A turn that ends with its first stone is padded: `JJ@@`. The reader also accepts `JJ`,
//!   and any empty cell after a first stone that won.

use engine_core::{Notation, ParseError, Position, Side};

use crate::board::Connect6;
use crate::moves::Stone;

/// Text being read, with the column for errors.
struct Reader<'a> {
    text: &'a str,
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    column: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader {
            text,
            rest: text.chars().peekable(),
            column: 1,
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        self.column += 1;
        Some(next)
    }

    fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// The text read since `column`.
    fn read_since(&self, column: usize) -> String {
        let read = self.text.chars().take(self.column - 1);
        read.skip(column - 1).collect()
    }

    /// An error at the next character.
    fn error(&mut self, expected: impl Into<String>) -> ParseError {
        let found = self.peek().map(String::from).unwrap_or_default();
        ParseError::new(self.column, found, expected)
    }

    /// Reads a letter from `a` as a number from 0, below `count`.
    fn letter(&mut self, count: u8, what: &str) -> Result<u8, ParseError> {
        let index = self.peek().map(|c| c.to_ascii_lowercase() as u32);
        match index.and_then(|c| c.checked_sub('a' as u32)) {
            Some(index) if index < count as u32 => {
                self.next();
                Ok(index as u8)
            }
            _ => {
                let last = (b'a' + count - 1) as char;
                Err(self.error(format!("a {what} letter a to {last}")))
            }
        }
    }

    /// Reads a number of one or two digits, 1 to `most`.
    fn number(&mut self, most: u8, what: &str) -> Result<u8, ParseError> {
        let start = self.column;
        let mut number = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            if self.column == start + 2 {
                break;
            }
            number = number * 10 + digit as u8;
            self.next();
        }
        if (1..=most).contains(&number) {
            return Ok(number);
        }
        let expected = format!("{what} 1 to {most}");
        if self.column == start {
            return Err(self.error(expected));
        }
        Err(ParseError::new(start, self.read_since(start), expected))
    }

    /// Reads a word up to a blank or the end, in lower case.
    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.peek().filter(|c| !c.is_whitespace()) {
            word.push(c.to_ascii_lowercase());
            self.next();
        }
        word
    }
}

/// Reads stones in sequence and plays them on a copy of the position.
struct TurnReader<'a> {
    reader: Reader<'a>,
    position: Connect6,
    side: Side,
    stones: Vec<Stone>,
}

impl<'a> TurnReader<'a> {
    fn new(position: &Connect6, text: &'a str) -> Self {
        TurnReader {
            reader: Reader::new(text),
            position: position.clone(),
            side: position.side(),
            stones: Vec::new(),
        }
    }

    fn turn_is_over(&self) -> bool {
        self.position.outcome().is_some() || self.position.side() != self.side
    }

    /// Reads one stone with `read` and plays it.
    fn stone(
        &mut self,
        read: impl Fn(&mut Reader<'_>, u8) -> Result<Stone, ParseError>,
    ) -> Result<(), ParseError> {
        if self.position.outcome().is_some() {
            return Err(self.reader.error("nothing more, as the game is over"));
        }
        if self.turn_is_over() {
            return Err(self.reader.error("nothing more, as the turn is over"));
        }
        let column = self.reader.column;
        let stone = read(&mut self.reader, self.position.size())?;
        if !self.position.is_legal(stone) {
            let found = self.reader.read_since(column);
            return Err(ParseError::new(column, found, "an empty cell"));
        }
        self.position.play(stone);
        self.stones.push(stone);
        Ok(())
    }

    /// Reads, but does not play, a second stone after a first one that won.
    fn stone_after_win(&mut self) -> Result<(), ParseError> {
        let column = self.reader.column;
        let stone = read_sau_stone(&mut self.reader, self.position.size())?;
        if self
            .position
            .at(stone.column().into(), stone.row().into())
            .is_some()
        {
            let found = self.reader.read_since(column);
            return Err(ParseError::new(column, found, "an empty cell"));
        }
        if !self.reader.at_end() {
            return Err(self.reader.error("the end of the turn"));
        }
        Ok(())
    }
}

/// `j10`.
pub(crate) fn stone_text(stone: Stone) -> String {
    let letter = (b'a' + stone.column()) as char;
    format!("{letter}{}", stone.row() + 1)
}

fn read_stone(reader: &mut Reader<'_>, size: u8) -> Result<Stone, ParseError> {
    let column = reader.letter(size, "column")?;
    let row = reader.number(size, "a row")?;
    Ok(Stone::new(column, row - 1))
}

fn read_sau_stone(reader: &mut Reader<'_>, size: u8) -> Result<Stone, ParseError> {
    let column = reader.letter(size, "column")?;
    let from_top = reader.letter(size, "row")?;
    Ok(Stone::new(column, size - 1 - from_top))
}

impl Notation for Connect6 {
    fn write_move(&self, stone: Stone) -> String {
        stone_text(stone)
    }

    fn parse_move(&self, text: &str) -> Result<Stone, ParseError> {
        let mut turn = TurnReader::new(self, text);
        turn.stone(read_stone)?;
        if !turn.reader.at_end() {
            return Err(turn.reader.error("the end of the stone"));
        }
        Ok(turn.stones[0])
    }

    fn write_position(&self) -> String {
        let rows: Vec<String> = (0..self.size() as usize)
            .rev()
            .map(|row| write_row(self, row))
            .collect();
        let side = colour(self.side());
        format!("{} {side} {}", rows.join("/"), self.stones_left())
    }

    fn parse_position(&self, text: &str) -> Result<Connect6, ParseError> {
        let mut reader = Reader::new(text);
        let mut stones = Vec::new();
        for row in (0..self.size()).rev() {
            read_row(&mut reader, self.size(), row, &mut stones)?;
            let (separator, what) = if row == 0 {
                (' ', "a blank and the side to move")
            } else {
                ('/', "/ and the next row")
            };
            if reader.peek() != Some(separator) {
                return Err(reader.error(what));
            }
            reader.next();
        }
        let column = reader.column;
        let word = reader.word();
        let side = Side::BOTH
            .into_iter()
            .find(|&side| colour(side) == word)
            .ok_or_else(|| ParseError::new(column, word, "black or white"))?;
        if reader.peek() != Some(' ') {
            return Err(reader.error("a blank and the stones left in the turn"));
        }
        reader.next();
        let left = reader.number(2, "stones left in the turn,")?;
        if !reader.at_end() {
            return Err(reader.error("the end of the position"));
        }
        Connect6::set_up(self.size(), stones, side, left)
            .ok_or_else(|| ParseError::new(1, "two winners", "at most one side with six in a row"))
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Stone>, ParseError> {
        let mut turn = TurnReader::new(self, text);
        turn.stone(read_stone)?;
        while !turn.reader.at_end() {
            turn.stone(read_stone)?;
        }
        Ok(turn.stones)
    }
}

/// The colour of a side, as positions and records name it.
pub(crate) fn colour(side: Side) -> &'static str {
    ["black", "white"][side.index()]
}

fn write_row(position: &Connect6, row: usize) -> String {
    let mut text = String::new();
    let mut empty = 0;
    let flush = |empty: &mut usize, text: &mut String| {
        if *empty > 0 {
            text.push_str(&empty.to_string());
        }
        *empty = 0;
    };
    for column in 0..position.size() as usize {
        match position.at(column, row) {
            Some(side) => {
                flush(&mut empty, &mut text);
                text.push(['b', 'w'][side.index()]);
            }
            None => empty += 1,
        }
    }
    flush(&mut empty, &mut text);
    text
}

fn read_row(
    reader: &mut Reader<'_>,
    size: u8,
    row: u8,
    stones: &mut Vec<(Side, Stone)>,
) -> Result<(), ParseError> {
    let mut column = 0;
    while column < size {
        let owner = match reader.peek() {
            Some('b' | 'B') => Side::First,
            Some('w' | 'W') => Side::Second,
            _ => {
                column += reader.number(size - column, "b, w, or empty cells")?;
                continue;
            }
        };
        reader.next();
        stones.push((owner, Stone::new(column, row)));
        column += 1;
    }
    Ok(())
}

impl Connect6 {
    /// Writes a turn in SAU notation.
    pub fn write_sau(&self, turn: &[Stone]) -> String {
        let last = self.size() - 1;
        let mut text: String = turn
            .iter()
            .flat_map(|stone| [stone.column(), last - stone.row() as u8])
            .map(|index| (b'A' + index) as char)
            .collect();
        if turn.len() == 1 {
            text.push_str("@@");
        }
        text
    }

    /// Reads a turn in SAU notation and checks that its actions are legal.
    ///
    /// # Errors
    /// Text that is not a turn, or an illegal action.
    pub fn parse_sau(&self, text: &str) -> Result<Vec<Stone>, ParseError> {
        let mut turn = TurnReader::new(self, text);
        turn.stone(read_sau_stone)?;
        if turn.reader.peek() == Some('@') && turn.turn_is_over() {
            for _ in 0..2 {
                if turn.reader.peek() != Some('@') {
                    return Err(turn.reader.error("@@ for the stone not played"));
                }
                turn.reader.next();
            }
            if !turn.reader.at_end() {
                return Err(turn.reader.error("the end of the turn"));
            }
        }
        if turn.position.outcome().is_some() && !turn.reader.at_end() {
            turn.stone_after_win()?;
        }
        while !turn.reader.at_end() {
            turn.stone(read_sau_stone)?;
        }
        Ok(turn.stones)
    }
}
