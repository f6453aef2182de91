//! Contest records (棋谱), and the game's part of the other record formats.
//!
//! ```text
//! #[AM][one team B][another W][后手胜][2024.05.01 14:00 辽宁][2024 CCGC];
//! 1 d1d7(g7) a7d7(d5)
//! 2 g1g3(b3)
//! ```
//!
//! A line holds one turn of each side: from, to and, in parentheses, the arrow; rows from the
//! bottom. The last line may hold only the first side's turn. Numbers may be missing, and line ends
//! may be anywhere. Programs that speak SAU also write its six letters, `1 DJDDGG`.

use engine_core::{Notation, ParseError};
use game::Written;
use records::{
    Event, Fault, Heading, Part, Reading, Record, Recorded, Replay, Scanner, Sgf, Unwritable, best,
    cells, folded,
};

use crate::board::Amazons;
use crate::moves::Action;
use crate::variant::Variant;

impl Recorded for Amazons {
    const CODE: &'static str = "AM";
    const LETTERS: [char; 2] = ['B', 'W'];
    const SGF: Option<Sgf> = Some(Sgf {
        number: 18,
        others: &[],
        is_sau: true,
        swaps: &[],
        by_colour: false,
        has_edges: false,
    });

    /// SGF cannot express other start positions.
    fn size(variant: &Variant) -> Option<u8> {
        (*variant == Variant::default()).then_some(variant.columns)
    }

    /// Also with other marks between the squares, or none: `d1-d7/g7` of Little Golem, `d1d7(g7)`,
    /// `d1d7g7`.
    fn read_turn(&self, text: &str) -> Result<Vec<Action>, ParseError> {
        self.parse_turn(text).or_else(|error| {
            let squares = cells(text, "-/(),>:").filter(|squares| squares.len() == 3);
            let squares = squares.ok_or(error)?;
            self.parse_turn(&squares.join("-"))
        })
    }

    fn read_contest(part: Part<'_>, variant: &Variant) -> Reading<Amazons> {
        best(variant, |mut replay| {
            let mut scanner = Scanner::new(part.text, part.line);
            let mut heading = Heading::default();
            let fault = read(&mut scanner, &mut heading, &mut replay);
            replay.finish(heading, fault, part.line)
        })
    }

    fn write_contest(record: &Record<Amazons>) -> Result<String, Unwritable> {
        record.check_start()?;
        let colours = record.start.letters();
        let mut text = format!("#{};\n", record.header.brackets(Self::CODE, Some(colours)));
        let mut position = record.start.clone();
        for (index, event) in record.events.iter().enumerate() {
            if let Event::Move(action) = *event {
                let half = format!("{}{}({})", action.from(), action.to(), action.arrow());
                text += &match index % 2 {
                    0 => format!("{} {half}", index / 2 + 1),
                    _ => format!(" {half}\n"),
                };
            }
            event.play(&mut position);
        }
        if record.events.len() % 2 == 1 {
            text.push('\n');
        }
        Ok(text)
    }
}

fn read<'t>(
    scanner: &mut Scanner<'t>,
    heading: &mut Heading<'t>,
    replay: &mut Replay<Amazons>,
) -> Result<(), Fault> {
    scanner.accept('#');
    *heading = Heading::read(scanner, Some(Amazons::CODE), Amazons::LETTERS)?;
    heading.check_colours(0);
    while scanner.accept(';') {}
    while !scanner.at_end() {
        let token = scanner.clone();
        let number = scanner.take_while(|c| c.is_ascii_digit());
        if !number.text.is_empty() {
            let expected = replay.len() / 2 + 1;
            let is_next =
                replay.len().is_multiple_of(2) && folded(number.text) == expected.to_string();
            if !is_next {
                return Err(match replay.len() % 2 {
                    0 => token.fault(format!("the number {expected}")),
                    _ => token.fault("the turn of the other side in the same line"),
                });
            }
            scanner.accept('.');
            scanner.skip_blanks();
        }
        read_half(scanner, replay)?;
        scanner.accept(';');
    }
    Ok(())
}

/// Reads `d1d7(g7)`, or the SAU platform's `DJDDGG`, and plays it.
fn read_half(scanner: &mut Scanner<'_>, replay: &mut Replay<Amazons>) -> Result<(), Fault> {
    let begin = scanner.clone();
    let mut ahead = scanner.clone();
    ahead.skip_blanks();
    let letters = ahead.take_while(|c| c.is_ascii_alphanumeric());
    if letters.text.len() == 6 && letters.text.bytes().all(|c| c.is_ascii_alphabetic()) {
        *scanner = ahead;
        return replay.play_by(&letters, |position| {
            (Amazons::sau().parse)(position, letters.text)
        });
    }
    let from = square(scanner, "the square of an amazon")?;
    scanner.accept('-');
    let to = square(scanner, "the square that the amazon goes to")?;
    scanner.expect('(', "'(' and the square of the arrow")?;
    let arrow = square(scanner, "the square of the arrow")?;
    scanner.expect(')', "')' after the arrow")?;
    replay.play(&begin.until(scanner), &format!("{from}-{to}-{arrow}"))
}

/// Reads a letter and digits.
fn square(scanner: &mut Scanner<'_>, what: &str) -> Result<String, Fault> {
    scanner.skip_blanks();
    let begin = scanner.clone();
    if scanner.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
        scanner.skip();
        let row = scanner.take_while(|c| c.is_ascii_digit());
        if !row.text.is_empty() {
            return Ok(folded(begin.until(scanner).text));
        }
    }
    Err(begin.fault(format!("{what}, as d7")))
}
