//! Contest records of games in which stones are placed: Connect6, Hex, Gomoku.
//!
//! ```text
//! {[C6][one team B][another W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(I,12)}
//! ```
//!
//! A stone is the letter of its colour and its cell in the game's notation, with a comma. An action
//! without a cell is written in the parentheses unchanged: `(pass)`, `(swap-pieces)`. An action
//! that the rest of the game implies is left out. Also
//! accepted: `{{C6}[…`, a team's name or nothing instead of the letter, marks such as `MARK[k]`
//! after a stone, and a final `;`.

use engine_core::Side;

use super::game::is_omitted;
use super::header::Heading;
use super::replay::Replay;
use super::scan::{Part, Scanner, folded};
use super::{Event, Fault, Reading, Record, Recorded, Unwritable, side_of};

/// Reads one record.
pub fn read<G: Recorded>(part: Part<'_>, variant: &G::Variant) -> Reading<G> {
    super::best(variant, |mut replay: Replay<G>| {
        let mut scanner = Scanner::new(part.text, part.line);
        let mut heading = Heading::default();
        let fault = read_all(&mut scanner, &mut heading, &mut replay);
        replay.finish(heading, fault, part.line)
    })
}

fn read_all<'t, G: Recorded>(
    scanner: &mut Scanner<'t>,
    heading: &mut Heading<'t>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let is_open = scanner.accept('{');
    let mut code = Some(G::CODE);
    if is_open && scanner.accept('{') {
        let field = scanner.take_while(|c| c != '}');
        if folded(field.text) != folded(G::CODE) {
            return Err(field.fault(format!("the code {}", G::CODE)));
        }
        scanner.expect('}', "'}' after the code")?;
        code = None;
    }
    *heading = Heading::read(scanner, code, G::LETTERS)?;
    scanner.accept(';');
    loop {
        if scanner.at_end() {
            return match is_open {
                true => Err(scanner.fault("a stone or '}'")),
                false => Ok(()),
            };
        }
        if is_open && scanner.accept('}') {
            break;
        }
        read_stone(scanner, heading, replay)?;
        skip_marks(scanner)?;
        if !scanner.accept(';') && !scanner.at_end() && scanner.peek() != Some('}') {
            return Err(scanner.fault("';' and the next stone, or '}'"));
        }
    }
    match scanner.at_end() {
        true => Ok(()),
        false => Err(scanner.fault("nothing more after '}'")),
    }
}

/// Reads `B(J,10)` and plays it.
fn read_stone<G: Recorded>(
    scanner: &mut Scanner<'_>,
    heading: &Heading<'_>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let begin = scanner.clone();
    let player = scanner.take_while(|c| !"(;[]{}".contains(c));
    let [first, second] = G::LETTERS;
    if !scanner.accept('(') {
        return Err(begin.fault(format!("a stone, as {first}(J,10) or {second}(J,10)")));
    }
    let cell = scanner.take_while(|c| !"();[]{}".contains(c));
    scanner.expect(')', "')' after the cell")?;
    let token = begin.until(scanner);
    let player = player.text.trim();
    if !player.is_empty() {
        let side = side_named(player, heading, replay.position()).ok_or_else(|| {
            token.fault(format!(
                "{first}, {second} or a team's name before the cell"
            ))
        })?;
        replay.check_side(&token, side)?;
    }
    replay.play(&token, &folded(cell.text).replacen(',', "", 1))
}

/// The side of a colour's letter or a team's name.
fn side_named<G: Recorded>(player: &str, heading: &Heading<'_>, position: &G) -> Option<Side> {
    let mut letters = G::LETTERS.iter();
    let letter =
        letters.position(|letter| folded(player) == letter.to_ascii_lowercase().to_string());
    let team = || heading.header.teams.iter().position(|team| team == player);
    match letter {
        Some(colour) => side_of(position, colour),
        None => team().map(|team| Side::BOTH[team]),
    }
}

/// Skips `MARK[k]` and similar marks.
fn skip_marks(scanner: &mut Scanner<'_>) -> Result<(), Fault> {
    loop {
        let mut mark = scanner.clone();
        mark.skip_blanks();
        mark.take_while(|c| c.is_ascii_alphabetic());
        if !mark.accept('[') {
            return Ok(());
        }
        mark.take_while(|c| c != ']' && c != '\n');
        mark.expect(']', "']' after the mark")?;
        *scanner = mark;
    }
}

/// Writes one record; `separator` is between the header and the first stone.
///
/// # Errors
/// A game that does not begin at the start of its variant.
pub fn write<G: Recorded>(record: &Record<G>, separator: &str) -> Result<String, Unwritable> {
    record.check_start()?;
    let colours = record.start.letters();
    let mut position = record.start.clone();
    let mut stones = Vec::with_capacity(record.events.len());
    for (index, event) in record.events.iter().enumerate() {
        if let Event::Move(mv) = *event
            && !is_omitted(&position, &record.events[index..])
        {
            let text = position.spelled(mv);
            let digits = text.find(|c: char| c.is_ascii_digit());
            let cell = match digits {
                Some(at) => format!("{},{}", text[..at].to_uppercase(), &text[at..]),
                None => text,
            };
            let letter = G::LETTERS[position.colour_index(position.recorded_side())];
            stones.push(format!("{letter}({cell})"));
        }
        event.play(&mut position);
    }
    let header = record.header.brackets(G::CODE, Some(colours));
    Ok(format!("{{{header}{separator}{}}}\n", stones.join(";")))
}
