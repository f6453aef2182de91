//! Contest records (棋谱), and the game's part of the other record formats.
//!
//! ```text
//! #[WTN][one team R][another B][先手胜][2019.08.08 14:00 北京][2019CCGC];
//! R:A5-6;B5-5;C5-3;A4-2;B4-1;A3-4
//! B:E3-1;D2-2;E2-3;C1-4;D1-5;E1-6
//! 1:6;(R6,B4)
//! ```
//!
//! A ply is its number, the roll, and (piece, target). A second dialect writes (from, to). The
//! reader accepts both, layouts in any order and with or without hyphens, and any header or none; a
//! line in the form of a file name is read as a header. The writer uses the first dialect.

mod lines;

use engine_core::Position;
use records::{Event, Part, Reading, Record, Recorded, Unwritable, folded, parts};

use crate::board::Einstein;
use crate::moves::Action;
use crate::notation::{in_frame, square_name};
use crate::tables::HOME;
use crate::variant::{Colour, Variant};
use lines::{Dialect, is_ply, layout_colour, read_lines};

const COLOURS: [Colour; 2] = [Colour::Red, Colour::Blue];

impl Recorded for Einstein {
    const CODE: &'static str = "WTN";
    const LETTERS: [char; 2] = ['R', 'B'];

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

    /// A record begins at a line that is neither a layout nor a ply, if it has such a line.
    fn contest_parts(text: &str) -> Vec<Part<'_>> {
        parts(text, |line| {
            let line = folded(line);
            !line.is_empty() && layout_colour(&line).is_none() && !is_ply(&line)
        })
    }

    fn read_contest(part: Part<'_>, variant: &Variant) -> Reading<Einstein> {
        let lines = read_lines(part);
        let read = |dialect| lines.reading(dialect, variant);
        // The letters of the first plies show the dialect, unless all are B; then legality decides.
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
        Ok(format!("#{header};\n{}{plies}", armies.concat()))
    }
}

/// The line for a colour's layout: `R:A5-6;…`.
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
