//! Contest records (棋谱), and what other formats need to know of the game.
//!
//! ```text
//! #[WTN][one team R][another B][先手胜][2019.08.08 14:00 北京][2019CCGC];
//! R:A5-6;B5-5;C5-3;A4-2;B4-1;A3-4
//! B:E3-1;D2-2;E2-3;C1-4;D1-5;E1-6
//! 1:6;(R6,B4)
//! ```
//!
//! A ply is its number, the die, and (piece, target). A second dialect writes (from, to). The reader
//! takes both, layouts in any order and with or without hyphens, and headers of any form or none: a
//! line that is a file's name says what that name does. The writer writes the first dialect.

use engine_core::{ParseError, Position, Side};
use entry::record::{
    Event, Fault, Header, Heading, Part, Reading, Record, Recorded, Replay, Scanner, Token,
    Unwritable, folded, parts, plain,
};

use crate::board::Einstein;
use crate::moves::Action;
use crate::notation::{check_step, in_frame, layout_digits, scan_square, square_name};
use crate::scan;
use crate::tables::HOME;
use crate::variant::{Colour, Variant};

const COLOURS: [Colour; 2] = [Colour::Red, Colour::Blue];

impl Recorded for Einstein {
    const CODE: &'static str = "WTN";
    const LETTERS: [char; 2] = ['R', 'B'];

    fn colour_index(&self, side: Side) -> usize {
        usize::from(self.colour(side) == Colour::Blue)
    }

    fn alternatives(variant: &Variant) -> Vec<Variant> {
        vec![Variant {
            first_colour: variant.first_colour.opponent(),
            ..variant.clone()
        }]
    }

    fn is_contest(text: &str) -> bool {
        let mut lines = text.lines().map(folded).filter(|line| !line.is_empty());
        let mut head = [lines.next(), lines.next()].into_iter().flatten();
        head.any(|line| {
            line.starts_with("#[wtn]") || line.starts_with("r:a5") || line.starts_with("b:e")
        })
    }

    /// A record begins with a line that is neither a layout nor a ply, if it has such a line.
    fn contest_parts(text: &str) -> Vec<Part<'_>> {
        parts(text, |line| {
            let line = folded(line);
            !line.is_empty() && layout_colour(&line).is_none() && !is_ply(&line)
        })
    }

    fn read_contest(part: Part<'_>, variant: &Variant) -> Reading<Einstein> {
        let lines = read_lines(part);
        let read = |dialect| lines.reading(dialect, variant);
        // The letters of the first ply tell, unless all are B; then it is what is legal.
        match lines.first_letter() {
            Some('r') => read(Dialect::Piece),
            Some(_) => read(Dialect::From),
            None => {
                let (piece, from) = (read(Dialect::Piece), read(Dialect::From));
                let is_better = from.record.events.len() > piece.record.events.len();
                if is_better { from } else { piece }
            }
        }
    }

    fn write_contest(record: &Record<Einstein>) -> Result<String, Unwritable> {
        record.check_start()?;
        let colours = record.start.letters();
        let header = record.header.brackets(Self::CODE, Some(colours));
        let mut position = record.start.clone();
        let mut armies = [String::new(), String::new()];
        let mut plies = String::new();
        let (mut ply, mut die) = (0, 0);
        if !record.variant.layouts.is_empty() {
            armies = COLOURS.map(|colour| laid_out(&position, colour));
        }
        for event in &record.events {
            let colour = position.colour(position.side());
            match *event {
                Event::Roll(face) => die = face,
                Event::Move(Action::Step { piece, target }) => {
                    ply += 1;
                    let square = square_name(colour, target).to_uppercase();
                    plies += &format!("{ply}:{die};({}{piece},{square})\n", colour.letter());
                }
                Event::Move(layout) => {
                    let mut after = position.clone();
                    Event::Move(layout).play(&mut after);
                    armies[(colour == Colour::Blue) as usize] = laid_out(&after, colour);
                }
            }
            event.play(&mut position);
        }
        if armies.iter().any(String::is_empty) {
            return Err(Unwritable("a game without both layouts".to_owned()));
        }
        Ok(format!("#{header};\n{}{plies}", armies.concat()))
    }
}

/// The line of a colour's layout: `R:A5-6;…`.
fn laid_out(position: &Einstein, colour: Colour) -> String {
    let army = position.armies[position.side_of(colour).index()];
    let pieces = home(colour).map(|square| {
        let number = army
            .find(in_frame(colour, square))
            .map_or(0, |piece| piece + 1);
        format!(
            "{}-{number}",
            square_name(colour, in_frame(colour, square)).to_uppercase()
        )
    });
    format!("{}:{}\n", colour.letter(), pieces.join(";"))
}

/// A colour's home squares, row by row from A5.
fn home(colour: Colour) -> [u8; 6] {
    let mut home = HOME.map(|square| in_frame(colour, square));
    home.sort_unstable();
    home
}

#[derive(Clone, Copy, PartialEq)]
enum Dialect {
    /// (piece, target)
    Piece,
    /// (from, to)
    From,
}

/// A ply as it is written.
struct Ply<'t> {
    token: Token<'t>,
    die: char,
    /// A piece's colour and number, or a column and a row.
    mover: (char, u8),
    /// The target, row by row from A5.
    target: u8,
}

/// A record as it is written, as far as it was understood.
struct Lines<'t> {
    line: usize,
    heading: Heading<'t>,
    /// Red's layout and blue's: the digits and where they stand.
    armies: [Option<(Token<'t>, String)>; 2],
    plies: Vec<Ply<'t>>,
    /// What was not understood.
    fault: Result<(), Fault>,
}

/// The colour whose layout a line holds, which is in plain lower case without blanks.
fn layout_colour(line: &str) -> Option<Colour> {
    COLOURS.into_iter().find(|colour| {
        let mut characters = line.chars();
        characters.next() == Some(colour.letter().to_ascii_lowercase())
            && characters.next() == Some(':')
    })
}

fn is_ply(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(':')
}

fn read_lines(part: Part<'_>) -> Lines<'_> {
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
    fn first_letter(&self) -> Option<char> {
        let mut letters = self.plies.iter().map(|ply| ply.mover.0);
        letters.find(|&letter| letter != 'b')
    }

    /// What is legal of it in a dialect.
    fn reading(&self, dialect: Dialect, variant: &Variant) -> Reading<Einstein> {
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
        // What was not understood comes after all that was.
        let fault = fault.and(self.fault.clone());
        replay.finish(self.heading.clone(), fault, self.line)
    }

    fn play(&self, dialect: Dialect, replay: &mut Replay<Einstein>) -> Result<(), Fault> {
        if let [Some(_), Some(_)] = self.armies {
            for _ in Side::BOTH {
                let colour = replay.position().colour(replay.position().side());
                if let Some((token, digits)) = &self.armies[(colour == Colour::Blue) as usize] {
                    replay.play(token, &format!("{}:{digits}", colour.letter()))?;
                }
            }
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

/// Reads a line that is no layout: fields in brackets, or the name of a file.
fn read_header(token: Token<'_>) -> Result<Heading<'_>, Fault> {
    let mut scanner = Scanner::of(token);
    scanner.accept('#');
    scanner.skip_blanks();
    if scanner.peek() == Some('[') {
        let heading = Heading::read(&mut scanner, Some(Einstein::CODE), Einstein::LETTERS)?;
        scanner.accept(';');
        return match scanner.at_end() {
            true => Ok(heading),
            false => Err(scanner.fault("the end of the line")),
        };
    }
    let named = Header::from_name(token.text, Einstein::CODE, Einstein::LETTERS);
    Ok(
        named.map_or_else(Heading::default, |(header, colours)| Heading {
            header,
            result: Some(token),
            colours,
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

/// Reads `1:6;(R6,B4)`, the ply of this number.
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

/// The colour of a letter in lower case.
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

/// The step of a ply, whose piece is known.
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
