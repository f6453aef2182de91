//! Saved games of the SAU platform: one line per turn, `Black: JJ@@`, `White: KJJK`.
//!
//! A line is the colour and the text of the platform's `move`. For games with dice, which the
//! platform does not support, a roll is a line `Dice: 6`. Empty lines separate the games of a file.

use game::turn::turn_is_over;

use super::header::Heading;
use super::replay::Replay;
use super::scan::{Part, Scanner, folded, plain};
use super::{Event, Fault, Reading, Record, Recorded, Unwritable, best, side_of};

/// Reads the games of a file.
pub(super) fn read<G: Recorded>(
    text: &str,
    variant: &G::Variant,
    mut take: impl FnMut(Reading<G>),
) {
    let mut rest = Scanner::new(text, 1);
    while !rest.at_end() {
        let begin = rest.clone();
        while !rest.rest().text.is_empty() {
            if rest.line().text.trim().is_empty() {
                break;
            }
        }
        let part = begin.until(&rest);
        let line = part.place.line;
        take(read_game(
            Part {
                text: part.text,
                line,
            },
            variant,
        ));
    }
}

fn read_game<G: Recorded>(part: Part<'_>, variant: &G::Variant) -> Reading<G> {
    best(variant, |mut replay| {
        let mut scanner = Scanner::new(part.text, part.line);
        let fault = read_lines(&mut scanner, &mut replay);
        replay.finish(Heading::default(), fault, part.line)
    })
}

fn read_lines<G: Recorded>(scanner: &mut Scanner<'_>, replay: &mut Replay<G>) -> Result<(), Fault> {
    while !scanner.at_end() {
        let begin = scanner.clone();
        let word = folded(scanner.take_while(|c| c != ':' && c != '\n').text);
        let colour = G::COLOURS.iter().position(|colour| *colour == word);
        if !scanner.accept(':') || colour.is_none() && word != "dice" {
            let [first, second] = G::COLOURS;
            return Err(begin.fault(format!("{first}: or {second}: and a turn")));
        }
        let turn = scanner.take_while(|c| c != '\n');
        let text: String = turn.text.trim().chars().map(plain).collect();
        let token = begin.until(scanner);
        match colour {
            None => replay.roll(&token, &text)?,
            Some(colour) => {
                let side = side_of(replay.position(), colour).unwrap_or(replay.position().side());
                replay.check_side(&token, side)?;
                replay.play_by(&token, |position| (G::sau().parse)(position, &text))?;
            }
        }
    }
    Ok(())
}

/// Writes one game, followed by an empty line.
pub(super) fn write<G: Recorded>(record: &Record<G>) -> Result<String, Unwritable> {
    record.check_start()?;
    let mut text = String::new();
    let mut position = record.start.clone();
    let mut turn = Vec::new();
    let mut before = position.clone();
    for event in &record.events {
        match *event {
            Event::Roll(face) => text += &format!("Dice: {face}\n"),
            Event::Move(mv) => {
                if turn.is_empty() {
                    before = position.clone();
                }
                turn.push(mv);
            }
        }
        event.play(&mut position);
        if !turn.is_empty() && turn_is_over(&position, before.side()) {
            let colour = before.colour_name(before.side());
            let (initial, rest) = colour.split_at(1);
            let written = (G::sau().write)(&before, &turn);
            text += &format!("{}{rest}: {written}\n", initial.to_uppercase());
            turn.clear();
        }
    }
    Ok(text + "\n")
}
