//! Games saved by Gomocup's manager, piskvork (`.psq`).
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0
//! 8,8,0
//! 9,7,1250
//! -1
//! one engine
//! another
//! ```
//!
//! After the size of the board come the stones: column and row from 1 at the top left, and the time of
//! the move in ms, which is not read. After -1 come the names of the engines. There are no words for
//! anything but stones, nor for the rules and a result.

use super::header::Heading;
use super::replay::Replay;
use super::scan::{Part, Scanner, folded, parts};
use super::{Event, Fault, Reading, Record, Recorded, Token, Unwritable, best};
use crate::dialect;
use crate::numbers::groups;
use crate::protocol::Protocol;

/// The first word.
const NAME: &str = "Piskvorky";

/// Reads the games of a file.
pub(super) fn read<G: Recorded>(
    text: &str,
    variant: &G::Variant,
    mut take: impl FnMut(Reading<G>),
) {
    let begins = |line: &str| folded(line).starts_with(&folded(NAME));
    for part in parts(text, begins) {
        take(read_game(part, variant));
    }
}

fn read_game<G: Recorded>(part: Part<'_>, variant: &G::Variant) -> Reading<G> {
    let mut lines = part.text.split('\n').zip(part.line..).map(token);
    let head = lines.next();
    let (variant, size) = match head.map(|head| variant_of::<G>(&head, variant)) {
        Some(Ok(variant)) => (variant, Ok(())),
        Some(Err(fault)) => (variant.clone(), Err(fault)),
        None => (variant.clone(), Ok(())),
    };
    let lines: Vec<Token<'_>> = lines.collect();
    best(&variant, |mut replay| {
        let mut heading = Heading::default();
        let read = |()| read_lines(&lines, &mut heading, &mut replay);
        let fault = size.clone().and_then(read);
        replay.finish(heading, fault, part.line)
    })
}

/// A line without blanks around it.
fn token((text, line): (&str, usize)) -> Token<'_> {
    let mut scanner = Scanner::new(text.trim_end(), line);
    scanner.skip_blanks();
    scanner.rest()
}

/// The variant with the size of the board in the first line.
fn variant_of<G: Recorded>(head: &Token<'_>, variant: &G::Variant) -> Result<G::Variant, Fault> {
    let plain = folded(head.text);
    let wrong = || {
        head.fault(format!(
            "{NAME} and the size of a board, as {NAME} 15x15, 11:11, 0"
        ))
    };
    let size = plain.strip_prefix(&folded(NAME)).ok_or_else(wrong)?;
    let size = size.split(',').next().and_then(|size| size.split_once('x'));
    let (width, height) = size.ok_or_else(wrong)?;
    let number = width.parse().ok().filter(|_| width == height);
    let number: u8 = number.ok_or_else(wrong)?;
    let found = G::PSQ.map(|psq| psq(variant, number));
    let found = found.filter(|variant| G::start(variant).is_ok());
    found.ok_or_else(|| head.fault("the size of a board that the game is played on"))
}

fn read_lines<'t, G: Recorded>(
    lines: &[Token<'t>],
    heading: &mut Heading<'t>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let mut lines = lines.iter().filter(|line| !line.text.is_empty());
    for line in lines.by_ref() {
        if line.text.starts_with("-1") {
            break;
        }
        read_stone(line, replay)?;
    }
    for (team, line) in heading.header.teams.iter_mut().zip(lines) {
        *team = line.text.to_owned();
    }
    Ok(())
}

/// Reads `8,8,0` and plays the stone.
fn read_stone<G: Recorded>(line: &Token<'_>, replay: &mut Replay<G>) -> Result<(), Fault> {
    let expected = "column, row and time of a stone, as 8,8,0, or -1";
    let mut fields = line.text.splitn(3, ',');
    let number = |field: Option<&str>| field?.trim().parse::<u32>().ok()?.checked_sub(1);
    let cell = number(fields.next()).zip(number(fields.next()));
    let (column, row) = cell.ok_or_else(|| line.fault(expected))?;
    let dialect =
        dialect::of::<G>(Protocol::Gomocup).map_err(|error| line.fault(error.expected))?;
    let text = format!("{column},{row}");
    replay.play_by(line, |position| {
        (dialect.parse)(position, &text).map_err(|error| match error.expected.as_str() {
            // The numbers of the protocol begin at 0.
            expected if expected.starts_with("a number from 0") => engine_core::ParseError {
                expected: "a column and a row of the board, from 1".to_owned(),
                ..error
            },
            _ => error,
        })
    })
}

/// Writes one game.
///
/// # Errors
/// A game that does not begin at the start of its variant, or that has more than stones.
pub(super) fn write<G: Recorded>(record: &Record<G>) -> Result<String, Unwritable> {
    record.check_start()?;
    dialect::announce(Protocol::Gomocup, &record.start).map_err(Unwritable)?;
    let dialect = dialect::of::<G>(Protocol::Gomocup).map_err(|error| Unwritable(error.found))?;
    let size = G::size(&record.variant).ok_or_else(|| Unwritable("this board".to_owned()))?;
    let mut text = format!("{NAME} {size}x{size}, 11:11, 0\n");
    let mut position = record.start.clone();
    for event in &record.events {
        if let Event::Move(mv) = *event {
            let stone = (dialect.write)(&position, &[mv]);
            let groups = groups::<2>(&stone).map_err(|error| Unwritable(error.found))?;
            let [column, row] = groups[0].map(|number| number.value + 1);
            text += &format!("{column},{row},0\n");
        }
        event.play(&mut position);
    }
    let names = record
        .header
        .teams
        .each_ref()
        .map(|team| team.replace(['\n', '\r'], " "));
    let [first, second] = names.each_ref().map(|team| team.trim());
    Ok(text + &format!("-1\n{first}\n{second}\n"))
}
