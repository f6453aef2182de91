//! The lines of a contest record: parsed first, then replayed in either dialect.

use engine_core::{ParseError, Position};
use records::{
    Fault, Header, Heading, Part, Reading, Recorded, Replay, Scanner, Token, folded, plain,
};

use super::{COLOURS, home};
use crate::board::Einstein;
use crate::moves::Action;
use crate::notation::{check_step, in_frame, layout_digits, scan_square, square_name};
use crate::scan;
use crate::tables::HOME;
use crate::variant::{Colour, Variant};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Dialect {
    /// (piece, target)
    Piece,
    /// (from, to)
    From,
}

/// A ply as written.
struct Ply<'t> {
    token: Token<'t>,
    die: char,
    /// The colour and number of a piece, or a column and a row.
    mover: (char, u8),
    /// The target, row by row from A5.
    target: u8,
}

/// A record as written, up to the first fault.
pub(super) struct Lines<'t> {
    line: usize,
    heading: Heading<'t>,
    /// The layouts of red and blue: the token and its digits.
    armies: [Option<(Token<'t>, String)>; 2],
    plies: Vec<Ply<'t>>,
    /// The first parse error.
    fault: Result<(), Fault>,
}

/// The colour of a layout line. `line` must be in plain lower case without blanks.
pub(super) fn layout_colour(line: &str) -> Option<Colour> {
    COLOURS.into_iter().find(|colour| {
        let mut characters = line.chars();
        characters.next() == Some(colour.letter().to_ascii_lowercase())
            && characters.next() == Some(':')
    })
}

pub(super) fn is_ply(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(':')
}

pub(super) fn read_lines(part: Part<'_>) -> Lines<'_> {
    let mut scanner = Scanner::new(part.text, part.line);
    let mut lines = Lines {
        line: part.line,
        heading: Heading::default(),
        armies: [None, None],
        plies: Vec::new(),
        fault: Ok(()),
    };
    lines.fault = lines.read(&mut scanner);
    lines
}

impl<'t> Lines<'t> {
    fn read(&mut self, scanner: &mut Scanner<'t>) -> Result<(), Fault> {
        scanner.skip_blanks();
        let first = scanner.clone().line();
        if layout_colour(&folded(first.text)).is_none() {
            scanner.line();
            self.heading = read_header(first)?;
        }
        for _ in 0..2 {
            scanner.skip_blanks();
            // A game may end before: somebody does not come, or resigns.
            if scanner.at_end() && self.heading.result.is_some() {
                break;
            }
            let (begin, token) = (scanner.clone(), scanner.line());
            let colour = layout_colour(&folded(token.text));
            let colour = colour.ok_or_else(|| {
                begin.fault("the layouts of red and blue, as R:A5-6;… and B:E3-3;…")
            })?;
            let army = &mut self.armies[(colour == Colour::Blue) as usize];
            if army.is_some() {
                return Err(token.fault(format!("the layout of {}", colour.opponent().name())));
            }
            *army = Some((token, read_layout(&token, colour)?));
        }
        while !scanner.at_end() {
            let token = scanner.line();
            self.plies.push(read_ply(token, self.plies.len() + 1)?);
        }
        Ok(())
    }

    /// The first letter before a digit that is not B.
    pub(super) fn first_letter(&self) -> Option<char> {
        let mut letters = self.plies.iter().map(|ply| ply.mover.0);
        letters.find(|&letter| letter != 'b')
    }

    /// Replays the record in a dialect, as far as it is legal.
    pub(super) fn reading(&self, dialect: Dialect, variant: &Variant) -> Reading<Einstein> {
        let first_colour = (self.plies.first())
            .and_then(|ply| self.mover_colour(dialect, ply))
            .or(self.heading.colours[0].map(|index| COLOURS[index]))
            .or(self.heading.colours[1].map(|index| COLOURS[index].opponent()))
            .unwrap_or(variant.first_colour);
        let variant = Variant {
            first_colour,
            layouts: Vec::new(),
        };
        let mut replay = Replay::new(variant).expect("such a variant always begins");
        let fault = self.play(dialect, &mut replay);
        // A parse error comes after everything that was parsed.
        let fault = fault.and(self.fault.clone());
        replay.finish(self.heading.clone(), fault, self.line)
    }

    fn play(&self, dialect: Dialect, replay: &mut Replay<Einstein>) -> Result<(), Fault> {
        let mut given = self.armies.iter().flatten().count();
        while given > 0 {
            let colour = replay.position().colour(replay.position().side());
            let [red, blue] = &self.armies;
            let (army, other) = match colour {
                Colour::Red => (red, blue),
                Colour::Blue => (blue, red),
            };
            match (army, other) {
                (Some((token, digits)), _) => {
                    replay.play(token, &format!("{}:{digits}", colour.letter()))?;
                }
                (None, Some((token, _))) => {
                    return Err(token.fault(format!("the layout of {} first", colour.name())));
                }
                (None, None) => break,
            }
            given -= 1;
        }
        for ply in &self.plies {
            let side = replay.position().side();
            let mover = self.mover_of(dialect, ply, replay.position());
            let Some((colour, piece)) = mover else {
                replay.check_side(&ply.token, side)?;
                let colour = replay.position().colour_name(side);
                return Err(ply
                    .token
                    .fault(format!("a move of {colour}, whose turn it is")));
            };
            replay.check_side(&ply.token, replay.position().side_of(colour))?;
            replay.roll(&ply.token, &ply.die.to_string())?;
            replay.play_by(&ply.token, |position| step(position, piece, ply))?;
        }
        Ok(())
    }

    /// The colour that plays the first ply.
    fn mover_colour(&self, dialect: Dialect, ply: &Ply<'_>) -> Option<Colour> {
        if dialect == Dialect::Piece {
            return colour_of(ply.mover.0);
        }
        let square = board_square(ply.mover)?;
        COLOURS
            .into_iter()
            .find(|&colour| home(colour).contains(&square))
    }

    /// The piece that a ply moves.
    fn mover_of(
        &self,
        dialect: Dialect,
        ply: &Ply<'_>,
        position: &Einstein,
    ) -> Option<(Colour, u8)> {
        let (letter, number) = ply.mover;
        if dialect == Dialect::Piece {
            return colour_of(letter).map(|colour| (colour, number));
        }
        let square = board_square(ply.mover)?;
        let side = position.side();
        let colour = position.colour(side);
        let (owner, piece) = position.piece_at(side, in_frame(colour, square))?;
        Some((position.colour(owner), piece))
    }
}

/// Reads a line that is not a layout: fields in brackets, or a file name.
fn read_header(token: Token<'_>) -> Result<Heading<'_>, Fault> {
    let mut scanner = Scanner::of(token);
    scanner.accept('#');
    scanner.skip_blanks();
    if scanner.peek() == Some('[') {
        let heading = Heading::read(&mut scanner, Some(Einstein::CODE), Einstein::LETTERS)?;
        while scanner.accept(';') {}
        return if scanner.at_end() {
            Ok(heading)
        } else {
            Err(scanner.fault("the end of the line"))
        };
    }
    let named = Header::from_name(token.text, Einstein::CODE, Einstein::LETTERS);
    Ok(
        named.map_or_else(Heading::default, |(header, colours)| Heading {
            header,
            result: Some(token),
            colours,
            ..Heading::default()
        }),
    )
}

/// Reads `R:A5-6;B5-2;…` or, without hyphens, `R:A56;B52;…`, as the digits of the game's notation.
fn read_layout(token: &Token<'_>, colour: Colour) -> Result<String, Fault> {
    let text: String = folded(token.text);
    let wrong = |error: ParseError| token.fault(error.expected);
    let mut scanner = scan::Scanner::new(&text[2..]);
    let mut numbers = [0; 6];
    for i in 0..6 {
        if i > 0 {
            scanner.expect(';').map_err(wrong)?;
        }
        let square = scan_square(&mut scanner, colour).map_err(wrong)?;
        let free = HOME
            .iter()
            .position(|&home| home == square)
            .filter(|&at| numbers[at] == 0);
        let at = free.ok_or_else(|| token.fault("each home square once"))?;
        scanner.accept('-');
        let number = scanner.digit(1, 6, "a number of a piece").map_err(wrong)?;
        if numbers.contains(&number) {
            return Err(token.fault("each number from 1 to 6 once"));
        }
        numbers[at] = number;
    }
    scanner.accept(';');
    scanner.end().map_err(wrong)?;
    Ok(layout_digits(numbers, colour))
}

/// Reads `1:6;(R6,B4)`, the ply with this number.
fn read_ply(token: Token<'_>, number: usize) -> Result<Ply<'_>, Fault> {
    let text = folded(token.text);
    let rest = text
        .strip_prefix(&number.to_string())
        .and_then(|rest| rest.strip_prefix(':'))
        .ok_or_else(|| token.fault(format!("ply {number}, as {number}:6;(R6,B4)")))?;
    let wrong = |error: ParseError| token.fault(error.expected);
    let mut scanner = scan::Scanner::new(rest);
    let die = scanner.digit(1, 6, "a die").map_err(wrong)?;
    scanner.expect(';').map_err(wrong)?;
    scanner.expect('(').map_err(wrong)?;
    let letter = scanner
        .take("a colour, R or B, or a column, A to E", |c| {
            "rabcde".contains(c).then_some(c)
        })
        .map_err(wrong)?;
    let digit = scanner
        .digit(1, 6, "a number of a piece or a row")
        .map_err(wrong)?;
    scanner.expect(',').map_err(wrong)?;
    let target = scan_square(&mut scanner, Colour::Red).map_err(wrong)?;
    scanner.expect(')').map_err(wrong)?;
    scanner.accept(';');
    scanner.end().map_err(wrong)?;
    Ok(Ply {
        token,
        die: (b'0' + die) as char,
        mover: (letter, digit),
        target,
    })
}

/// The colour of a lower-case letter.
fn colour_of(letter: char) -> Option<Colour> {
    COLOURS
        .into_iter()
        .find(|colour| colour.letter().eq_ignore_ascii_case(&plain(letter)))
}

/// `a5` as 0, `e1` as 24.
fn board_square((letter, digit): (char, u8)) -> Option<u8> {
    let column = (letter as u32)
        .checked_sub('a' as u32)
        .filter(|&column| column < 5)?;
    (1..=5)
        .contains(&digit)
        .then(|| (5 - digit) * 5 + column as u8)
}

/// The step of a ply for a known piece.
fn step(position: &Einstein, piece: u8, ply: &Ply<'_>) -> Result<Vec<Action>, ParseError> {
    let colour = position.colour(position.side());
    let target = in_frame(colour, ply.target);
    let written = [piece.to_string(), square_name(colour, target)];
    let written = written.each_ref().map(|word| (0, word.as_str()));
    let step = check_step(position, piece, target, written);
    step.map(|step| vec![step]).map_err(|error| {
        let expected = format!("{}, not {}", error.expected, error.found);
        ParseError { expected, ..error }
    })
}
