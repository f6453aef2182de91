//! Text of actions and positions, and the grammar of the SAU platform.
//!
//! | item | text |
//! |---|---|
//! | a layout | `R:653214`: the colour, the numbers on its home squares row by row from the top |
//! | a step | `R6-b4`: the colour, the piece's number, the target |
//! | a position | `R:a5,b5,-,a4,b4,a3 B:? R d3`: the squares of red's pieces 1–6 (`-` captured, `?` not laid out), those of blue's, the colour to act, and the phase: `layout`, `roll`, the roll, or `over` |
//! | SAU, a layout | `653214` |
//! | SAU, a step | `6BB`: the number, column A–E from the left, row A–E from the top |

use engine_core::{Notation, ParseError, Position};

use crate::army::Army;
use crate::board::{Einstein, Phase};
use crate::moves::{Action, steps};
use crate::scan::Scanner;
use crate::tables::GOAL;
use crate::variant::Colour;

/// Converts between a board square (0–24 row by row from A5) and a square in this colour's frame.
pub(crate) fn in_frame(colour: Colour, square: u8) -> u8 {
    match colour {
        Colour::Red => square,
        Colour::Blue => GOAL - square,
    }
}

/// The name of a square in this colour's frame: `a5` for board square 0, `e1` for 24.
pub(crate) fn square_name(colour: Colour, square: u8) -> String {
    let square = in_frame(colour, square);
    format!("{}{}", (b'a' + square % 5) as char, 5 - square / 5)
}

/// Reads `b4` as a square in this colour's frame.
pub(crate) fn scan_square(scanner: &mut Scanner, colour: Colour) -> Result<u8, ParseError> {
    let column = scan_letter(scanner, "a column letter, a to e")?;
    let row = scanner.digit(1, 5, "a row")?;
    Ok(in_frame(colour, (5 - row) * 5 + column))
}

/// Reads a letter a to e as 0 to 4.
fn scan_letter(scanner: &mut Scanner, expected: &str) -> Result<u8, ParseError> {
    scanner.take(expected, |c| {
        let c = c.to_ascii_lowercase();
        ('a'..='e').contains(&c).then(|| c as u8 - b'a')
    })
}

/// The digits of a layout, in the order of its colour's home squares from the top.
pub(crate) fn layout_digits(numbers: [u8; 6], colour: Colour) -> String {
    let mut numbers = numbers;
    if colour == Colour::Blue {
        numbers.reverse();
    }
    numbers
        .map(|number| (b'0' + number) as char)
        .iter()
        .collect()
}

fn scan_layout(scanner: &mut Scanner, colour: Colour) -> Result<Action, ParseError> {
    let mut numbers = [0; 6];
    for i in 0..6 {
        let before = scanner.clone();
        let number = scanner.digit(1, 6, "a number of a piece")?;
        if numbers[..i].contains(&number) {
            return Err(before.error("a number that has not been placed"));
        }
        numbers[i] = number;
    }
    scanner.end()?;
    if colour == Colour::Blue {
        numbers.reverse();
    }
    Ok(Action::layout(numbers).expect("six different numbers are a layout"))
}

/// Reads the six digits of a layout.
pub(crate) fn parse_layout(text: &str, colour: Colour) -> Result<Action, ParseError> {
    scan_layout(&mut Scanner::new(text), colour)
}

/// The error if no action is legal now.
fn nothing_to_play(position: &Einstein, text: &str) -> Option<ParseError> {
    match position.phase {
        Phase::Roll => Some(ParseError::new(1, text, "a roll of the die first")),
        Phase::Over => Some(ParseError::new(1, text, "nothing, as the game is over")),
        Phase::Layout | Phase::Move(_) => None,
    }
}

/// Words joined as `a, b or c`.
fn one_of(words: &[String]) -> String {
    match words {
        [] => "nothing".to_string(),
        [word] => word.clone(),
        [words @ .., last] => format!("{} or {last}", words.join(", ")),
    }
}

/// Checks a step. The error lists the legal choices. Piece and target were read at these columns,
/// with these words.
pub(crate) fn check_step(
    position: &Einstein,
    piece: u8,
    target: u8,
    [piece_written, target_written]: [(usize, &str); 2],
) -> Result<Action, ParseError> {
    let colour = position.colour(position.side());
    let movable: Vec<u8> = position.movable().collect();
    if !movable.contains(&piece) {
        let words: Vec<String> = movable.iter().map(u8::to_string).collect();
        let die = position.die().unwrap_or_default();
        let expected = format!("a piece that die {die} moves: {}", one_of(&words));
        return Err(ParseError::new(piece_written.0, piece_written.1, expected));
    }
    let action = Action::Step { piece, target };
    if !position.is_legal(action) {
        let from = position.armies[position.side().index()].field(piece - 1);
        let words: Vec<String> = steps(piece - 1, from)
            .map(|step| match step {
                Action::Step { target, .. } => square_name(colour, target),
                Action::Layout(_) => unreachable!("steps are steps"),
            })
            .collect();
        let expected = format!(
            "a square that {} {piece} reaches: {}",
            colour.name(),
            one_of(&words)
        );
        let (column, found) = target_written;
        return Err(ParseError::new(column, found, expected));
    }
    Ok(action)
}

impl Notation for Einstein {
    fn write_move(&self, mv: Action) -> String {
        let colour = self.colour(self.side());
        match mv {
            Action::Layout(_) => {
                let digits = mv.numbers().map(|numbers| layout_digits(numbers, colour));
                format!("{}:{}", colour.letter(), digits.unwrap_or_default())
            }
            Action::Step { piece, target } => {
                format!("{}{piece}-{}", colour.letter(), square_name(colour, target))
            }
        }
    }

    fn parse_move(&self, text: &str) -> Result<Action, ParseError> {
        if let Some(error) = nothing_to_play(self, text) {
            return Err(error);
        }
        let colour = self.colour(self.side());
        let mut scanner = Scanner::new(text);
        let expected = format!("{}, as {} is to act", colour.letter(), colour.name());
        scanner.take(&expected, |c| {
            c.eq_ignore_ascii_case(&colour.letter()).then_some(())
        })?;
        if self.phase == Phase::Layout {
            scanner.expect(':')?;
            return scan_layout(&mut scanner, colour);
        }
        let piece = scanner.digit(1, 6, "a number of a piece")?;
        scanner.expect('-')?;
        let target = scan_square(&mut scanner, colour)?;
        scanner.end()?;
        check_step(self, piece, target, [(2, &text[1..2]), (4, &text[3..])])
    }

    fn write_position(&self) -> String {
        let army = |colour: Colour| {
            let army = self.armies[self.side_of(colour).index()];
            let squares = if army == Army::UNPLACED {
                "?".to_string()
            } else {
                army.squares()
                    .map(|square| {
                        square.map_or("-".to_string(), |square| square_name(colour, square))
                    })
                    .join(",")
            };
            format!("{}:{squares}", colour.letter())
        };
        let next = match self.phase {
            Phase::Layout => "layout".to_string(),
            Phase::Roll => "roll".to_string(),
            Phase::Move(die) => format!("d{die}"),
            Phase::Over => "over".to_string(),
        };
        let to_act = self.colour(self.side()).letter();
        format!(
            "{} {} {to_act} {next}",
            army(Colour::Red),
            army(Colour::Blue)
        )
    }

    fn parse_position(&self, text: &str) -> Result<Einstein, ParseError> {
        let mut scanner = Scanner::new(text);
        let mut armies = [Army::UNPLACED; 2];
        for colour in [Colour::Red, Colour::Blue] {
            armies[self.side_of(colour).index()] = scan_army(&mut scanner, colour)?;
            scanner.expect(' ')?;
        }
        let colour = scanner.take("R or B, the colour to act", |c| match c {
            'R' | 'r' => Some(Colour::Red),
            'B' | 'b' => Some(Colour::Blue),
            _ => None,
        })?;
        let side = self.side_of(colour);
        scanner.expect(' ')?;
        let (column, word) = (scanner.column(), scanner.rest());
        let phase = scan_phase(&mut scanner)?;
        scanner.end()?;
        self.with_armies(armies, side, phase)
            .map_err(|expected| ParseError::new(column, word, expected))
    }
}

/// Reads `R:a5,b5,-,a4,b4,a3` or `R:?`.
fn scan_army(scanner: &mut Scanner, colour: Colour) -> Result<Army, ParseError> {
    scanner.expect(colour.letter())?;
    scanner.expect(':')?;
    if scanner.accept('?') {
        return Ok(Army::UNPLACED);
    }
    let mut squares = [None; 6];
    for (i, square) in squares.iter_mut().enumerate() {
        if i > 0 {
            scanner.expect(',')?;
        }
        if !scanner.accept('-') {
            *square = Some(scan_square(scanner, colour)?);
        }
    }
    Ok(Army::from_squares(squares))
}

fn scan_phase(scanner: &mut Scanner) -> Result<Phase, ParseError> {
    let rest = |scanner: &mut Scanner, word: &str| {
        word.chars().try_for_each(|wanted| scanner.expect(wanted))
    };
    let first = scanner.take("layout, roll, d1 to d6, or over", |c| {
        let c = c.to_ascii_lowercase();
        "lrdo".contains(c).then_some(c)
    })?;
    match first {
        'l' => rest(scanner, "ayout").map(|()| Phase::Layout),
        'r' => rest(scanner, "oll").map(|()| Phase::Roll),
        'o' => rest(scanner, "ver").map(|()| Phase::Over),
        _ => scanner.digit(1, 6, "a face of the die").map(Phase::Move),
    }
}

impl Einstein {
    /// Writes a turn in SAU notation.
    pub fn write_sau(&self, turn: &[Action]) -> String {
        let colour = self.colour(self.side());
        turn.iter()
            .map(|mv| match *mv {
                Action::Layout(_) => mv
                    .numbers()
                    .map_or(String::new(), |numbers| layout_digits(numbers, colour)),
                Action::Step { piece, target } => {
                    let square = in_frame(colour, target);
                    let letter = |i: u8| (b'A' + i) as char;
                    format!("{piece}{}{}", letter(square % 5), letter(square / 5))
                }
            })
            .collect()
    }

    /// Reads a turn in SAU notation and checks that its actions are legal.
    ///
    /// # Errors
    /// Text that is not a turn, or an illegal action.
    pub fn parse_sau(&self, text: &str) -> Result<Vec<Action>, ParseError> {
        if let Some(error) = nothing_to_play(self, text) {
            return Err(error);
        }
        let colour = self.colour(self.side());
        let mut scanner = Scanner::new(text);
        if self.phase == Phase::Layout {
            return scan_layout(&mut scanner, colour).map(|layout| vec![layout]);
        }
        let piece = scanner.digit(1, 6, "a number of a piece")?;
        let column = scan_letter(&mut scanner, "a column letter, A to E")?;
        let row = scan_letter(&mut scanner, "a row letter, A to E from the top")?;
        let target = in_frame(colour, row * 5 + column);
        scanner.end()?;
        check_step(self, piece, target, [(1, &text[..1]), (2, &text[1..])]).map(|step| vec![step])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::Variant;

    fn start(first_colour: Colour) -> Einstein {
        let layouts = vec!["653214".to_string(), "123456".to_string()];
        Variant {
            first_colour,
            layouts,
        }
        .start()
        .unwrap()
    }

    #[test]
    fn layouts_are_read_from_the_top_left_for_both_colours() {
        let red_first = start(Colour::Red);
        assert_eq!(
            red_first.write_position(),
            "R:b4,a4,c5,a3,b5,a5 B:e3,d2,e2,c1,d1,e1 R roll"
        );
        assert_eq!(
            start(Colour::Blue).write_position(),
            "R:a5,b5,c5,a4,b4,a3 B:d1,c1,e2,e1,d2,e3 B roll"
        );
    }

    #[test]
    fn errors_say_column_and_expectation() {
        let mut position = start(Colour::Red);
        assert_eq!(
            position.parse_move("R6-b4").unwrap_err().to_string(),
            "column 1: expected a roll of the die first, found \"R6-b4\""
        );
        position.play_roll(6);
        for (text, error) in [
            (
                "B6-b4",
                "column 1: expected R, as red is to act, found \"B\"",
            ),
            (
                "R7-b4",
                "column 2: expected a number of a piece, 1 to 6, found \"7\"",
            ),
            ("R6b4", "column 3: expected '-', found \"b\""),
            (
                "R6-f4",
                "column 4: expected a column letter, a to e, found \"f\"",
            ),
            ("R6-b", "column 5: expected a row, 1 to 5, found the end"),
            ("R6-b4x", "column 6: expected the end, found \"x\""),
            (
                "R5-c4",
                "column 2: expected a piece that die 6 moves: 6, found \"5\"",
            ),
            (
                "R6-c4",
                "column 4: expected a square that red 6 reaches: b4, b5 or a4, found \"c4\"",
            ),
        ] {
            assert_eq!(
                position.parse_move(text).unwrap_err().to_string(),
                error,
                "{text}"
            );
        }
        assert!(position.parse_move("r6-B4").is_ok());
        assert_eq!(
            Einstein::new(Colour::Blue)
                .parse_move("B:123455")
                .unwrap_err()
                .to_string(),
            "column 8: expected a number that has not been placed, found \"5\""
        );
    }

    #[test]
    fn sau_counts_rows_from_the_top() {
        let mut position = start(Colour::Red);
        position.play_roll(6);
        let step = position.parse_move("R6-b4").unwrap();
        assert_eq!(position.write_sau(&[step]), "6BB");
        assert_eq!(position.parse_sau("6bb"), Ok(vec![step]));
        assert_eq!(
            position.parse_sau("6EB").unwrap_err().to_string(),
            "column 2: expected a square that red 6 reaches: b4, b5 or a4, found \"EB\""
        );
        let empty = Einstein::new(Colour::Red);
        let layout = empty.parse_move("R:653214").unwrap();
        assert_eq!(empty.write_sau(&[layout]), "653214");
        assert_eq!(empty.parse_sau("653214"), Ok(vec![layout]));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let start = Einstein::new(Colour::Red);
        for text in [
            "",
            "R:? B:? B layout",
            "R:? B:? R roll",
            "R:a5,b5,c5,a4,b4,a3 B:? R layout",
            "R:a5,b5,c5,a4,b4,c3 B:? B layout",
            "R:a5,-,-,-,-,- B:a5,-,-,-,-,- R roll",
            "R:a4,a4,-,-,-,- B:b2,-,-,-,-,- R roll",
            "R:a4,-,-,-,-,- B:b2,-,-,-,-,- R over",
            "R:e1,-,-,-,-,- B:b2,-,-,-,-,- B roll",
            "R:e1,-,-,-,-,- B:b2,-,-,-,-,- R over",
            "R:-,-,-,-,-,- B:-,-,-,-,-,- R over",
            "R:e1,-,-,-,-,- B:a5,-,-,-,-,- B over",
            "R:a4,-,-,-,-,- B:b2,-,-,-,-,- R d7",
            "R:a4,-,-,-,-,- B:b2,-,-,-,-,- R roll ",
        ] {
            assert!(start.parse_position(text).is_err(), "{text}");
        }
        for text in [
            "R:a5,b5,c5,a4,b4,a3 B:? B layout",
            "R:a4,-,-,-,-,- B:b2,-,-,-,-,- R roll",
            "R:e1,-,-,-,-,- B:b2,-,-,-,-,- B over",
            "R:-,-,-,-,-,- B:b2,-,-,-,-,- R over",
        ] {
            let read = start.parse_position(text).unwrap();
            assert_eq!(read.write_position(), text);
        }
    }
}
