//! Contest records (棋谱), and the game's part of the other record formats.
//!
//! ```text
//! #2019-08-08 14:00:00|北京
//! !BBBBBB
//! !BBBBBB
//! !000000
//! !000000
//! !RRRRRR
//! !RRRRRR
//! B2A-3B
//! R5Cx2C
//! ```
//!
//! After the head come the six rows of the board from the top, then one turn per line: side, row
//! and column of the piece, `-` or `x`, row and column of the target. `B` is black, `First`; `R` is
//! the other side. Few such records are available, and none says how rows are counted. The writer
//! counts from the top, as for the rows of the board; the reader counts from the bottom if only
//! that reading is legal. Only the file name has the teams and the result.

use engine_core::{Notation, ParseError, Position, Side};
use game::Game;
use records::{
    Event, Fault, Heading, Part, Reading, Record, Recorded, Replay, Scanner, Unwritable, best,
    cells, folded, side_of,
};

use crate::board::Surakarta;
use crate::geometry::SIZE;
use crate::moves::Action;
use crate::variant::Variant;

/// The rows of the board at the start.
const ROWS: [&str; SIZE] = ["bbbbbb", "bbbbbb", "000000", "000000", "rrrrrr", "rrrrrr"];

impl Recorded for Surakarta {
    const CODE: &'static str = "SK";
    /// Programs of several teams let white, in the rows below, begin.
    const SECOND_MAY_BEGIN: bool = true;
    const LETTERS: [char; 2] = ['B', 'R'];

    fn is_contest(text: &str) -> bool {
        text.lines()
            .take(12)
            .any(|line| folded(line) == format!("!{}", ROWS[0]))
    }

    /// Also captures with the sign of a step, and `->`: `B5-E2`, `b5->b4`.
    fn read_turn(&self, text: &str) -> Result<Vec<Action>, ParseError> {
        self.parse_turn(text).or_else(|error| {
            let points = cells(text, "->xX").filter(|points| points.len() == 2);
            let points = points.ok_or(error)?;
            let turn = |sign: &str| self.parse_turn(&points.join(sign));
            turn("-").or_else(|error| turn("x").map_err(|_| error))
        })
    }

    fn read_contest(part: Part<'_>, variant: &Variant) -> Reading<Surakarta> {
        let read = |from_top: bool| {
            best(variant, |mut replay| {
                let mut scanner = Scanner::new(part.text, part.line);
                let mut heading = Heading::default();
                let fault = read(&mut scanner, &mut heading, &mut replay, from_top);
                replay.finish(heading, fault, part.line)
            })
        };
        let from_top = read(true);
        if from_top.fault.is_none() {
            return from_top;
        }
        let from_bottom = read(false);
        let is_better = from_bottom.record.events.len() > from_top.record.events.len();
        if is_better { from_bottom } else { from_top }
    }

    fn write_contest(record: &Record<Surakarta>) -> Result<String, Unwritable> {
        record.check_start()?;
        let header = &record.header;
        let clean = |field: &str| field.replace(['\n', '\r', '|'], " ");
        let time = clean(&header.time).replace('.', "-");
        let mut text = format!("#{time}|{}\n", clean(&header.place));
        for row in ROWS {
            text += &format!("!{}\n", row.to_uppercase());
        }
        let mut position = record.start.clone();
        for event in &record.events {
            if let Event::Move(action) = *event {
                let letter = Self::LETTERS[position.colour_index(position.side())];
                let name = position.write_move(action);
                let [from, to] = [&name[..2], &name[3..]].map(|point| turned(point, true));
                text += &format!("{letter}{from}{}{to}\n", &name[2..3]);
            }
            event.play(&mut position);
        }
        Ok(text)
    }
}

/// Converts between `b5` and `2B`; the record's rows count from the top if `from_top`.
fn turned(point: &str, from_top: bool) -> String {
    let swap = |c: char| match c {
        '1'..='6' if from_top => (b'1' + b'6' - c as u8) as char,
        c => c.to_ascii_uppercase(),
    };
    point.chars().rev().map(swap).collect()
}

fn read<'t>(
    scanner: &mut Scanner<'t>,
    heading: &mut Heading<'t>,
    replay: &mut Replay<Surakarta>,
    from_top: bool,
) -> Result<(), Fault> {
    if scanner.accept('#') {
        let head = scanner.line();
        let (time, place) = head.text.split_once('|').unwrap_or((head.text, ""));
        heading.header.time = time.trim().replace('-', ".");
        heading.header.place = place.trim().to_owned();
    }
    read_board(scanner)?;
    while !scanner.at_end() {
        let token = scanner.line();
        let text = folded(token.text);
        let (side, word) =
            turn(&text, from_top).ok_or_else(|| token.fault("a turn, as B2A-3B or R5Cx2C"))?;
        let side = side_of(replay.position(), side).unwrap_or(Side::First);
        replay.check_side(&token, side)?;
        replay.play(&token, &word)?;
    }
    Ok(())
}

/// Reads the rows of the board, if present.
fn read_board(scanner: &mut Scanner<'_>) -> Result<(), Fault> {
    let mut rows = ROWS.iter();
    while !scanner.at_end() && scanner.peek() == Some('!') {
        let token = scanner.line();
        let row = rows
            .next()
            .ok_or_else(|| token.fault("a turn, as B2A-3B"))?;
        if folded(token.text) != format!("!{row}") {
            return Err(token.fault(format!(
                "!{}, the row of the first position",
                row.to_uppercase()
            )));
        }
    }
    match rows.next() {
        Some(row) if rows.len() + 1 < SIZE => Err(scanner.fault(format!(
            "!{}, the next row of the board",
            row.to_uppercase()
        ))),
        _ => Ok(()),
    }
}

/// The colour of `b2a-3b`, and its turn in the game's notation.
fn turn(text: &str, from_top: bool) -> Option<(usize, String)> {
    let text = text.trim_end_matches(';');
    let colour = Surakarta::LETTERS
        .iter()
        .position(|letter| text.starts_with(letter.to_ascii_lowercase()))?;
    if !text.is_ascii() || text.len() != 6 {
        return None;
    }
    let point = |at: usize| turned(&text[at..at + 2], from_top).to_lowercase();
    Some((colour, format!("{}{}{}", point(1), &text[3..4], point(4))))
}
