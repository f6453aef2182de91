//! Contest records (棋谱).
//!
//! ```text
//! #[WTN][one team R][another B][先手胜][2019.08.08 14:00 北京][2019CCGC];
//! R:A5-6;B5-5;C5-3;A4-2;B4-1;A3-4
//! B:E3-1;D2-2;E2-3;C1-4;D1-5;E1-6
//! 1:6;(R6,B4)
//! ```
//!
//! A ply is its number, the die, and (piece, target). A second dialect writes (from, to). The
//! reader takes both, layouts in any order and with or without hyphens, headers of any form or
//! none, blanks, either case, and full-width punctuation. The writer writes the first dialect.

use std::fmt;

use engine_core::{Outcome, ParseError, Position, Side};

use crate::army::Army;
use crate::board::{Einstein, Phase};
use crate::header::Header;
use crate::moves::Action;
use crate::notation::{check_step, in_frame, scan_square, square_name};
use crate::scan::Scanner;
use crate::tables::HOME;
use crate::variant::Colour;

/// A record that was read in whole, every ply of it legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// What the first line says.
    pub header: Header,
    /// The position before the first roll.
    pub start: Einstein,
    /// The plies from there: the die, 1–6, and the step.
    pub plies: Vec<(u8, Action)>,
}

/// A record that is not faultless. Nothing of it is imported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// What stands there; empty at the end of the text.
    pub found: String,
    /// What was expected, in words.
    pub expected: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecordError {
            line,
            found,
            expected,
        } = self;
        write!(f, "line {line}: expected {expected}, found {found:?}")
    }
}

impl std::error::Error for RecordError {}

/// A line that is not empty, in plain punctuation and without blanks.
struct Line {
    number: usize,
    text: String,
}

impl Line {
    fn error(&self, expected: impl Into<String>) -> RecordError {
        RecordError {
            line: self.number,
            found: self.text.clone(),
            expected: expected.into(),
        }
    }

    /// An error within this line.
    fn wrong(&self, error: ParseError) -> RecordError {
        self.error(format!("{} in column {}", error.expected, error.column))
    }
}

/// A ply as it is written.
struct Ply {
    line: Line,
    die: u8,
    /// A piece's colour and number, or a column and a row.
    mover: (char, u8),
    /// The target, row by row from A5.
    target: u8,
}

#[derive(Clone, Copy, PartialEq)]
enum Dialect {
    /// (piece, target)
    Piece,
    /// (from, to)
    From,
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    /// The first line that is not as it should be: not understood, an illegal ply, a ply after the
    /// end, or a header whose winner did not win.
    pub fn read(text: &str) -> Result<Record, RecordError> {
        let mut lines = text
            .trim_start_matches('\u{feff}')
            .lines()
            .enumerate()
            .peekable();
        while lines.next_if(|(_, line)| line.trim().is_empty()).is_some() {}
        let header_line = lines.next_if(|(_, line)| layout_colour(&plain(line)).is_none());
        let header = header_line.map_or(Header::default(), |(_, line)| Header::read(line));
        let mut lines = lines
            .map(|(index, line)| Line {
                number: index + 1,
                text: plain(line),
            })
            .filter(|line| !line.text.is_empty());

        let end = text.lines().count() + 1;
        let armies = read_armies(&mut lines, end)?;
        let plies = lines
            .enumerate()
            .map(|(index, line)| read_ply(line, index + 1))
            .collect::<Result<Vec<Ply>, RecordError>>()?;
        let record = replay(&header, armies, &plies)?;
        let ended = record.end().outcome().and_then(Outcome::winner);
        match (header_line, ended, header.winner) {
            (Some((index, line)), Some(winner), Some(claimed)) if winner != claimed => {
                Err(RecordError {
                    line: index + 1,
                    found: line.to_string(),
                    expected: format!("{winner:?} as the winner, as the game ends so"),
                })
            }
            _ => Ok(record),
        }
    }

    /// The position after the last ply.
    pub fn end(&self) -> Einstein {
        let mut position = self.start.clone();
        for &(die, step) in &self.plies {
            position.play_roll(die);
            position.play(step);
        }
        position
    }

    /// The record as contest software reads it.
    pub fn write(&self) -> String {
        let colours = Side::BOTH.map(|side| self.start.colour(side));
        let mut text = self.header.write(colours);
        for colour in [Colour::Red, Colour::Blue] {
            let army = self.start.armies[self.start.side_of(colour).index()];
            let mut home = HOME.map(|square| in_frame(colour, square));
            home.sort_unstable();
            let pieces = home.map(|square| {
                let square = in_frame(colour, square);
                let number = army.find(square).map_or(0, |piece| piece + 1);
                format!("{}-{number}", square_name(colour, square).to_uppercase())
            });
            text += &format!("{}:{}\n", colour.letter(), pieces.join(";"));
        }
        let mut side = self.start.side();
        for (index, &(die, step)) in self.plies.iter().enumerate() {
            if let Action::Step { piece, target } = step {
                let colour = self.start.colour(side);
                let square = square_name(colour, target).to_uppercase();
                let letter = colour.letter();
                text += &format!("{}:{die};({letter}{piece},{square})\n", index + 1);
            }
            side = side.opponent();
        }
        text
    }
}

/// A line in plain punctuation, without blanks.
fn plain(line: &str) -> String {
    line.chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            // The full-width forms of the printable ASCII characters.
            '！'..='～' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
            _ => c,
        })
        .collect()
}

/// The colour whose layout a line holds.
fn layout_colour(line: &str) -> Option<Colour> {
    let mut chars = line.chars();
    let colour = match chars.next()? {
        'R' | 'r' => Colour::Red,
        'B' | 'b' => Colour::Blue,
        _ => return None,
    };
    (chars.next() == Some(':')).then_some(colour)
}

/// Reads the two lines of layouts: red's army and blue's.
fn read_armies(
    lines: &mut impl Iterator<Item = Line>,
    end: usize,
) -> Result<[Army; 2], RecordError> {
    let mut armies = [None, None];
    for _ in 0..2 {
        let line = lines.next().unwrap_or(Line {
            number: end,
            text: String::new(),
        });
        let colour = layout_colour(&line.text)
            .ok_or_else(|| line.error("the layouts of red and blue, as R:A5-6;… and B:E3-3;…"))?;
        let slot = &mut armies[(colour == Colour::Blue) as usize];
        if slot.is_some() {
            return Err(line.error(format!("the layout of {}", colour.opponent().name())));
        }
        *slot = Some(read_army(&line, colour).map_err(|error| line.wrong(error))?);
    }
    Ok(armies.map(|army| army.expect("two lines of different colours were read")))
}

/// Reads `R:A5-6;B5-2;…` or, without hyphens, `R:A56;B52;…`.
fn read_army(line: &Line, colour: Colour) -> Result<Army, ParseError> {
    let mut scanner = Scanner::new(&line.text);
    scanner.expect(colour.letter())?;
    scanner.expect(':')?;
    let mut squares = [None; 6];
    for i in 0..6 {
        if i > 0 {
            scanner.expect(';')?;
        }
        let before = scanner.clone();
        let square = scan_square(&mut scanner, colour)?;
        if !HOME.contains(&square) || squares.contains(&Some(square)) {
            return Err(before.error("a home square that is still free"));
        }
        scanner.accept('-');
        let before = scanner.clone();
        let number = scanner.digit(1, 6, "a number of a piece")?;
        let slot: &mut Option<u8> = &mut squares[number as usize - 1];
        if slot.is_some() {
            return Err(before.error("a number that has not been placed"));
        }
        *slot = Some(square);
    }
    scanner.accept(';');
    scanner.end()?;
    Ok(Army::from_squares(squares))
}

/// Reads `1:6;(R6,B4)`, the ply of this number.
fn read_ply(line: Line, number: usize) -> Result<Ply, RecordError> {
    match scan_ply(&line.text, number) {
        Ok((die, mover, target)) => Ok(Ply {
            line,
            die,
            mover,
            target,
        }),
        Err(error) => Err(line.wrong(error)),
    }
}

fn scan_ply(text: &str, number: usize) -> Result<(u8, (char, u8), u8), ParseError> {
    let mut scanner = Scanner::new(text);
    for digit in number.to_string().chars() {
        scanner
            .expect(digit)
            .map_err(|_| ParseError::new(1, text, format!("ply {number}")))?;
    }
    scanner.expect(':')?;
    let die = scanner.digit(1, 6, "a die")?;
    scanner.expect(';')?;
    scanner.expect('(')?;
    let letter = scanner.take("a colour, R or B, or a column, A to E", |c| {
        let c = c.to_ascii_uppercase();
        "RABCDE".contains(c).then_some(c)
    })?;
    let digit = scanner.digit(1, 6, "a number of a piece or a row")?;
    scanner.expect(',')?;
    let target = scan_square(&mut scanner, Colour::Red)?;
    scanner.expect(')')?;
    scanner.accept(';');
    scanner.end()?;
    Ok((die, (letter, digit), target))
}

/// Replays the plies in the dialect they are written in. The letters tell it, unless all are `B`;
/// then it is the one that is legal.
fn replay(header: &Header, armies: [Army; 2], plies: &[Ply]) -> Result<Record, RecordError> {
    let read = |dialect| replay_as(dialect, header, armies, plies);
    match plies
        .iter()
        .map(|ply| ply.mover.0)
        .find(|&letter| letter != 'B')
    {
        Some('R') => read(Dialect::Piece),
        Some(_) => read(Dialect::From),
        None => read(Dialect::Piece).or_else(|_| read(Dialect::From)),
    }
}

fn replay_as(
    dialect: Dialect,
    header: &Header,
    [red, blue]: [Army; 2],
    plies: &[Ply],
) -> Result<Record, RecordError> {
    let first_colour = match plies.first() {
        Some(ply) => mover_colour(dialect, ply, red, blue)
            .ok_or_else(|| ply.line.error("a move of a piece from its home square"))?,
        None => header.first_colour.unwrap_or_default(),
    };
    let armies = match first_colour {
        Colour::Red => [red, blue],
        Colour::Blue => [blue, red],
    };
    let start = Einstein::new(first_colour)
        .with_armies(armies, Side::First, Phase::Roll)
        .expect("two armies at home are a position");
    let mut position = start.clone();
    let mut steps = Vec::with_capacity(plies.len());
    for ply in plies {
        if position.outcome().is_some() {
            let expected = format!("no more plies, as {}", position.ending_words());
            return Err(ply.line.error(expected));
        }
        position.play_roll(ply.die);
        let step = read_step(dialect, &position, ply)?;
        position.play(step);
        steps.push((ply.die, step));
    }
    Ok(Record {
        header: header.clone(),
        start,
        plies: steps,
    })
}

/// The colour that plays the first ply.
fn mover_colour(dialect: Dialect, ply: &Ply, red: Army, blue: Army) -> Option<Colour> {
    let (letter, digit) = ply.mover;
    if dialect == Dialect::Piece {
        return match letter {
            'R' => Some(Colour::Red),
            'B' => Some(Colour::Blue),
            _ => None,
        };
    }
    let from = board_square(letter, digit)?;
    let stands = |army: Army, colour| army.find(in_frame(colour, from)).map(|_| colour);
    stands(red, Colour::Red).or(stands(blue, Colour::Blue))
}

/// `A5` as 0, `E1` as 24.
fn board_square(letter: char, digit: u8) -> Option<u8> {
    let column = (letter as u32)
        .checked_sub('A' as u32)
        .filter(|&column| column < 5)?;
    (1..=5)
        .contains(&digit)
        .then(|| (5 - digit) * 5 + column as u8)
}

fn read_step(dialect: Dialect, position: &Einstein, ply: &Ply) -> Result<Action, RecordError> {
    let side = position.side();
    let colour = position.colour(side);
    let (letter, digit) = ply.mover;
    let piece = match dialect {
        Dialect::Piece => (letter == colour.letter()).then_some(digit),
        Dialect::From => board_square(letter, digit).and_then(|from| {
            let piece = position.armies[side.index()].find(in_frame(colour, from))?;
            Some(piece + 1)
        }),
    };
    let piece = piece.ok_or_else(|| {
        ply.line
            .error(format!("a move of a {} piece", colour.name()))
    })?;
    let target = in_frame(colour, ply.target);
    let written = [piece.to_string(), square_name(colour, target)];
    let written = written.each_ref().map(|word| (0, word.as_str()));
    check_step(position, piece, target, written).map_err(|error| {
        ply.line
            .error(format!("{}, not {}", error.expected, error.found))
    })
}
