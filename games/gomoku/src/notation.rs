//! Text of actions, turns and positions, and the SAU platform's turns.
//!
//! - A cell is column letter and row, a1 at the bottom left: `h8`. `x3` says that black will offer
//!   three fifth stones. `swap`, `pass` and `claim` are words.
//! - A turn is its actions in the order played: `h8h9j10x3`, `g7h10f6`. No board has a column x, and
//!   no board with prescribed openings has the first letter of `swap` or `pass`.
//! - A position is its rows from the top, separated by `/`: a number is a run of empty cells, `b`
//!   and `w` are stones. Then follow the colour of the next stone and, where they apply, in this
//!   order: `x3`, the number of fifth stones; `offers` and the offered cells, `offers g7h10`;
//!   `exchanged` if Second plays black; what the last action left behind: `passed`, `both passed`,
//!   `forbidden three-three` or `claimed three-three`. The numbers of stones may be unreachable in a
//!   game, so problems can be set up.
//! - A SAU turn has a letter pair for each cell, columns from the left and rows **from the top**, and
//!   the same words: `HHHGJFX3`.

use engine_core::{Notation, ParseError, Position, Side};

use crate::board::{Colour, Description, Gomoku};
use crate::forbidden::Forbidden;
use crate::geometry::Cell;
use crate::moves::Action;
use crate::opening::{MOST_OFFERS, Stage};
use crate::state::Last;
use crate::variant::{ForbiddenRule, Opening};

/// The words, in the order in which they are tried.
const WORDS: [(&str, Action); 3] = [
    ("swap", Action::Swap),
    ("pass", Action::Pass),
    ("claim", Action::Claim),
];

/// Text being read, with the column for errors.
struct Reader<'a> {
    text: &'a str,
    /// Bytes read.
    at: usize,
    column: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader {
            text,
            at: 0,
            column: 1,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn at_end(&self) -> bool {
        self.rest().is_empty()
    }

    fn skip(&mut self) {
        if let Some(c) = self.peek() {
            self.at += c.len_utf8();
            self.column += 1;
        }
    }

    /// Skips a word, in upper or lower case, if it comes next.
    fn accept(&mut self, word: &str) -> bool {
        let next = self.rest().get(..word.len());
        let found = next.is_some_and(|next| next.eq_ignore_ascii_case(word));
        if found {
            self.at += word.len();
            self.column += word.len();
        }
        found
    }

    /// The text read since byte `at`.
    fn read_since(&self, at: usize) -> &'a str {
        &self.text[at..self.at]
    }

    /// An error at the next character.
    fn error(&self, expected: impl Into<String>) -> ParseError {
        let found = self.peek().map(String::from).unwrap_or_default();
        ParseError::new(self.column, found, expected)
    }

    /// Reads a letter from `a` as a number from 0, below `count`.
    fn letter(&mut self, count: u8, what: &str) -> Result<u8, ParseError> {
        let letter = self.peek().filter(char::is_ascii_alphabetic);
        let index = letter.map(|letter| letter.to_ascii_lowercase() as u8 - b'a');
        match index.filter(|&index| index < count) {
            Some(index) => {
                self.skip();
                Ok(index)
            }
            None => {
                let last = (b'a' + count - 1) as char;
                Err(self.error(format!("{what} a to {last}")))
            }
        }
    }

    /// Reads a number of one or two digits, 1 to `most`.
    fn number(&mut self, most: u8, what: &str) -> Result<u8, ParseError> {
        let (start, column) = (self.at, self.column);
        let mut number = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            if self.column == column + 2 {
                break;
            }
            number = number * 10 + digit as u8;
            self.skip();
        }
        if (1..=most).contains(&number) {
            return Ok(number);
        }
        let found = match self.read_since(start) {
            "" => self.peek().map(String::from).unwrap_or_default(),
            digits => digits.to_owned(),
        };
        Err(ParseError::new(
            column,
            found,
            format!("{what} 1 to {most}"),
        ))
    }
}

/// How a grammar reads a cell of a board of a size.
type ReadCell = fn(&mut Reader<'_>, u8) -> Result<Cell, ParseError>;

/// Reads actions in sequence and plays them on a copy of the position.
struct TurnReader<'a> {
    reader: Reader<'a>,
    position: Gomoku,
    side: Side,
    actions: Vec<Action>,
}

impl<'a> TurnReader<'a> {
    fn new(position: &Gomoku, text: &'a str) -> Self {
        TurnReader {
            reader: Reader::new(text),
            position: position.clone(),
            side: position.side(),
            actions: Vec::new(),
        }
    }

    /// Reads one action and plays it.
    fn action(&mut self, cell: ReadCell) -> Result<(), ParseError> {
        if self.position.outcome().is_some() {
            return Err(self.reader.error("nothing more, as the game is over"));
        }
        if self.position.side() != self.side {
            return Err(self.reader.error("nothing more, as the turn is over"));
        }
        let (start, column) = (self.reader.at, self.reader.column);
        let action = self.read(cell)?;
        if !self.position.is_legal(action) {
            let found = self.reader.read_since(start);
            return Err(ParseError::new(column, found, self.position.wanted(action)));
        }
        self.position.play(action);
        self.actions.push(action);
        Ok(())
    }

    fn read(&mut self, cell: ReadCell) -> Result<Action, ParseError> {
        for (word, action) in WORDS {
            // In SAU's letters, an offer may begin with those of `claim`, which is a whole turn.
            let may_come = action != Action::Claim || self.reader.rest().len() == word.len();
            if may_come && self.reader.accept(word) {
                return Ok(action);
            }
        }
        if self.reader.accept("x") {
            let most = MOST_OFFERS as u8;
            return Ok(Action::Count(
                self.reader.number(most, "a number of fifth stones")?,
            ));
        }
        if self.position.stage() == Stage::Count {
            let expected = "x and the number of fifth stones that black will offer, as x2";
            return Err(self.reader.error(expected));
        }
        cell(&mut self.reader, self.position.size()).map(Action::Cell)
    }

    /// Reads actions up to the end of the text.
    fn all(mut self, cell: ReadCell) -> Result<Vec<Action>, ParseError> {
        self.action(cell)?;
        while !self.reader.at_end() {
            self.action(cell)?;
        }
        Ok(self.actions)
    }
}

impl Gomoku {
    /// What the rules ask for instead of an illegal action.
    fn wanted(&self, action: Action) -> String {
        let cell = match action {
            Action::Cell(cell) => cell,
            Action::Count(_) => return "a cell: the number of fifth stones follows the third".into(),
            Action::Swap => return "a cell: a swap is possible only before the fourth stone".into(),
            Action::Pass => return "a cell: a pass is possible only from the sixth stone on, with a prescribed opening".into(),
            Action::Claim => return "another action: a claim is possible only right after a forbidden move".into(),
        };
        match self.stage() {
            Stage::Count => "x and the number of fifth stones that black will offer, as x2".into(),
            Stage::Keep => {
                let offers: Vec<String> = self.offers().iter().copied().map(cell_text).collect();
                format!("one of the offered stones, {}", offers.join(" "))
            }
            _ if !self.is_empty(cell) => "an empty cell".into(),
            Stage::Setup => self.setup_rule().into(),
            Stage::Offer => match self.mirrored_offer(cell) {
                Some(offered) if offered != cell => {
                    let [cell, offered] = [cell, offered].map(cell_text);
                    format!("a stone that mirrors no other: {cell} mirrors the offered {offered}")
                }
                _ => "a cell that is not offered yet".into(),
            },
            Stage::Fourth | Stage::Play => "an empty cell".into(),
        }
    }

    /// Writes a turn in SAU notation.
    pub fn write_sau(&self, turn: &[Action]) -> String {
        let last = self.size() - 1;
        let word = |&action: &Action| match action {
            Action::Cell(cell) => [cell.column(), last - cell.row()]
                .map(|index| (b'A' + index) as char)
                .iter()
                .collect(),
            _ => action_text(action).to_uppercase(),
        };
        match turn {
            [Action::Swap | Action::Pass | Action::Claim] => action_text(turn[0]),
            _ => turn.iter().map(word).collect(),
        }
    }

    /// Reads a turn in SAU notation and checks that its actions are legal.
    ///
    /// # Errors
    /// Text that is not a turn, or an illegal action.
    pub fn parse_sau(&self, text: &str) -> Result<Vec<Action>, ParseError> {
        TurnReader::new(self, text).all(read_letters)
    }
}

/// `h8`.
pub(crate) fn cell_text(cell: Cell) -> String {
    let letter = (b'a' + cell.column()) as char;
    format!("{letter}{}", cell.row() + 1)
}

fn action_text(action: Action) -> String {
    match action {
        Action::Cell(cell) => cell_text(cell),
        Action::Count(count) => format!("x{count}"),
        Action::Swap => "swap".into(),
        Action::Pass => "pass".into(),
        Action::Claim => "claim".into(),
    }
}

fn read_cell(reader: &mut Reader<'_>, size: u8) -> Result<Cell, ParseError> {
    let column = reader.letter(size, "a column letter")?;
    let row = reader.number(size, "a row")?;
    Ok(Cell::new(column, row - 1))
}

fn read_letters(reader: &mut Reader<'_>, size: u8) -> Result<Cell, ParseError> {
    let column = reader.letter(size, "a column letter")?;
    let from_top = reader.letter(size, "a row letter")?;
    Ok(Cell::new(column, size - 1 - from_top))
}

impl Notation for Gomoku {
    fn write_move(&self, action: Action) -> String {
        action_text(action)
    }

    fn parse_move(&self, text: &str) -> Result<Action, ParseError> {
        let mut turn = TurnReader::new(self, text);
        turn.action(read_cell)?;
        if turn.reader.at_end() {
            Ok(turn.actions[0])
        } else {
            Err(turn.reader.error("the end of the action"))
        }
    }

    fn write_position(&self) -> String {
        let rows = (0..self.size()).rev().map(|row| write_row(self, row));
        let mut text = rows.collect::<Vec<_>>().join("/");
        text += &format!(" {}", colour_name(self.to_move()));
        if self.offer_count() > 0 {
            text += &format!(" x{}", self.offer_count());
        }
        if !self.offers().is_empty() {
            let offers = self.offers().iter().copied().map(cell_text);
            text += &format!(" offers {}", offers.collect::<String>());
        }
        if self.is_exchanged() {
            text += " exchanged";
        }
        text += &match self.last() {
            Last::Stone => String::new(),
            Last::Pass => " passed".into(),
            Last::Passes => " both passed".into(),
            Last::Forbidden(kind) => format!(" forbidden {}", kind.name()),
            Last::Claim(kind) => format!(" claimed {}", kind.name()),
        };
        text
    }

    fn parse_position(&self, text: &str) -> Result<Gomoku, ParseError> {
        PositionReader {
            start: self,
            reader: Reader::new(text),
        }
        .position()
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Action>, ParseError> {
        TurnReader::new(self, text).all(read_cell)
    }
}

/// The name of a colour in positions.
fn colour_name(colour: Colour) -> &'static str {
    ["black", "white"][colour as usize]
}

fn write_row(position: &Gomoku, row: u8) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for column in 0..position.size() {
        match position.at(Cell::new(column, row)) {
            Some(colour) => {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
                empty = 0;
                text.push(['b', 'w'][colour as usize]);
            }
            None => empty += 1,
        }
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}

/// Reads a position of the variant of `start`.
struct PositionReader<'a> {
    start: &'a Gomoku,
    reader: Reader<'a>,
}

impl PositionReader<'_> {
    fn position(mut self) -> Result<Gomoku, ParseError> {
        let stones = self.stones()?;
        let to_move = self.colour()?;
        let count = self.count(stones.len(), to_move)?;
        let offers = match count {
            0 => Vec::new(),
            _ => self.offers(&stones, to_move, count)?,
        };
        let exchanged = self.start.variant().opening == Opening::Prescribed
            && (stones.len() > 3 || count > 0)
            && self.reader.accept(" exchanged");
        let is_play = self.start.variant().opening == Opening::Free || stones.len() > 4;
        let last = if is_play {
            self.last(to_move)?
        } else {
            Last::Stone
        };
        if !self.reader.at_end() {
            return Err(self.reader.error("the end of the position"));
        }
        let described = Description {
            stones,
            to_move,
            count,
            offers,
            exchanged,
            last,
        };
        Gomoku::set_up(self.start.variant(), described).ok_or_else(|| {
            ParseError::new(1, "two winners", "at most one colour with five in a row")
        })
    }

    /// Reads the rows. In the setup of a prescribed opening, the stones must be placed as its rules
    /// say.
    fn stones(&mut self) -> Result<Vec<(Colour, Cell)>, ParseError> {
        let (size, mut stones) = (self.start.size(), Vec::new());
        for row in (0..size).rev() {
            read_row(&mut self.reader, size, row, &mut stones)?;
            let (separator, what) = if row == 0 {
                (" ", "a blank and the colour to move")
            } else {
                ("/", "/ and the next row")
            };
            if !self.reader.accept(separator) {
                return Err(self.reader.error(what));
            }
        }
        if self.start.variant().opening == Opening::Prescribed
            && !follows_opening(self.start, &stones)
        {
            let expected = "at least five stones, or the first of a prescribed opening";
            return Err(ParseError::new(1, "other stones", expected));
        }
        Ok(stones)
    }

    fn colour(&mut self) -> Result<Colour, ParseError> {
        let found = Colour::BOTH
            .into_iter()
            .find(|&colour| self.reader.accept(colour_name(colour)));
        found.ok_or_else(|| self.reader.error("black or white"))
    }

    /// Reads the number of fifth stones, and checks that the colour to move is possible in the
    /// opening.
    fn count(&mut self, stones: usize, to_move: Colour) -> Result<u8, ParseError> {
        if self.start.variant().opening == Opening::Free || stones > 4 {
            return Ok(0);
        }
        let mut count = 0;
        if stones >= 3 && self.reader.accept(" x") {
            count = self
                .reader
                .number(MOST_OFFERS as u8, "a number of fifth stones")?;
        }
        let expected = match (stones, count) {
            (4, 0) => return Err(self.reader.error("x and the number of fifth stones, as x2")),
            (0 | 2, _) | (3, 0) => Colour::Black,
            (1, _) | (3, _) => Colour::White,
            _ => return Ok(count),
        };
        if expected == to_move {
            Ok(count)
        } else {
            Err(self.reader.error(format!(
                "{} to move after {stones} stones",
                colour_name(expected)
            )))
        }
    }

    /// Reads the offered fifth stones.
    fn offers(
        &mut self,
        stones: &[(Colour, Cell)],
        to_move: Colour,
        count: u8,
    ) -> Result<Vec<Cell>, ParseError> {
        let mut offers = Vec::new();
        if stones.len() < 4 {
            return Ok(offers);
        }
        if self.reader.accept(" offers ") {
            while self.reader.peek().is_some_and(|c| c != ' ') && offers.len() < count as usize {
                let cell = self.offer(stones, &offers, count)?;
                offers.push(cell);
            }
        }
        let is_complete = offers.len() == count as usize;
        if is_complete == (to_move == Colour::White) {
            Ok(offers)
        } else {
            Err(self.reader.error(format!(
                "black to move with fewer than {count} stones offered, or white with {count}"
            )))
        }
    }

    /// Reads one offered stone; the others are `before` it.
    fn offer(
        &mut self,
        stones: &[(Colour, Cell)],
        before: &[Cell],
        count: u8,
    ) -> Result<Cell, ParseError> {
        let (start, column) = (self.reader.at, self.reader.column);
        let cell = read_cell(&mut self.reader, self.start.size())?;
        let described = Description {
            stones: stones.to_vec(),
            to_move: Colour::Black,
            count,
            offers: before.to_vec(),
            exchanged: false,
            last: Last::Stone,
        };
        let position = Gomoku::set_up(self.start.variant(), described);
        let position = position.expect("four stones make no five");
        let action = Action::Cell(cell);
        if position.is_legal(action) {
            Ok(cell)
        } else {
            let found = self.reader.read_since(start);
            Err(ParseError::new(column, found, position.wanted(action)))
        }
    }

    /// Reads what the last action left behind.
    fn last(&mut self, to_move: Colour) -> Result<Last, ParseError> {
        let variant = self.start.variant();
        if variant.opening == Opening::Prescribed || variant.forbidden == ForbiddenRule::Claimed {
            if self.reader.accept(" passed") {
                return Ok(Last::Pass);
            }
            if self.reader.accept(" both passed") {
                return Ok(Last::Passes);
            }
        }
        let kind = |reader: &mut Reader<'_>| {
            let found = Forbidden::ALL
                .into_iter()
                .find(|kind| reader.accept(kind.name()));
            found.ok_or_else(|| reader.error("three-three, four-four or overline"))
        };
        if variant.forbidden != ForbiddenRule::Off
            && to_move == Colour::White
            && self.reader.accept(" forbidden ")
        {
            return kind(&mut self.reader).map(Last::Forbidden);
        }
        if variant.forbidden == ForbiddenRule::Claimed && self.reader.accept(" claimed ") {
            return kind(&mut self.reader).map(Last::Claim);
        }
        Ok(Last::Stone)
    }
}

/// Whether these stones, if there are fewer than five, are those of a prescribed opening and a fourth
/// one.
fn follows_opening(start: &Gomoku, stones: &[(Colour, Cell)]) -> bool {
    if stones.len() > 4 {
        return true;
    }
    let mut left = stones.to_vec();
    let mut position = Gomoku::empty_board(start.variant());
    while position.stage() == Stage::Setup {
        let to_move = position.to_move();
        let fits = |&(colour, cell): &(Colour, Cell)| {
            colour == to_move && position.is_legal(Action::Cell(cell))
        };
        let Some(next) = left.iter().position(fits) else {
            return left.is_empty();
        };
        position.play(Action::Cell(left.swap_remove(next).1));
    }
    matches!(left[..], [] | [(Colour::White, _)])
}

fn read_row(
    reader: &mut Reader<'_>,
    size: u8,
    row: u8,
    stones: &mut Vec<(Colour, Cell)>,
) -> Result<(), ParseError> {
    let mut column = 0;
    while column < size {
        let colour = match reader.peek() {
            Some('b' | 'B') => Colour::Black,
            Some('w' | 'W') => Colour::White,
            _ => {
                column += reader.number(size - column, "b, w, or empty cells")?;
                continue;
            }
        };
        reader.skip();
        stones.push((colour, Cell::new(column, row)));
        column += 1;
    }
    Ok(())
}
