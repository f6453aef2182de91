//! Games saved by Piskvork, the manager of Gomocup, and by Gomocup's judge (`.psq`, `.rec`).
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0
//! 8,8,0
//! 9,7,1250
//! one engine
//! another
//! -1
//! ```
//!
//! The first line has the size of the board, the levels of the two players, and which of them begins:
//! 0 or 1. Then come the stones: column and row from 1 at the top left, and the time of the move in ms,
//! which is not read. Then the names of the two players, where programs played, and a number: -1, or
//! the code of an error, 0 if there was none. Gomocup's judge adds a line with the result and the
//! event, `1,Freestyle15_1`: the first or the second name won, or 0 for a draw. Older files of this
//! project have the number before the names; they are read, too.
//!
//! A `.rec` file of Gomotur has the names in its first two lines instead, a board of 20×20, and columns
//! and rows from 0.
//!
//! There are no words for anything but stones, nor for the rules.

use engine_core::{Outcome, Side};
use game::dialect;
use game::numbers::groups;
use protocol::Protocol;

use super::header::Heading;
use super::recorded::best_of;
use super::replay::Replay;
use super::scan::{Part, Scanner, folded, parts};
use super::{Event, Fault, Place, Reading, Record, Recorded, Token, Unwritable};

/// The first word.
const NAME: &str = "Piskvorky";

/// Size of the board in files of Gomotur.
const GOMOTUR_SIZE: u8 = 20;

/// Reads the games of a file.
pub(super) fn read<G: Recorded>(
    text: &str,
    variant: &G::Variant,
    mut take: impl FnMut(Reading<G>),
) {
    for part in parts(text, is_head) {
        take(read_game(part, variant));
    }
}

/// Whether a line is the first one of a game. A program may be called Piskvorky, too.
fn is_head(line: &str) -> bool {
    let line = folded(line);
    let size = line.strip_prefix(&folded(NAME)).unwrap_or_default();
    let height = size.trim_start_matches(|c: char| c.is_ascii_digit());
    height.len() < size.len() && height.starts_with('x')
}

/// Whether a text looks like a file of Gomotur: two names, then lines of three numbers.
pub fn is_gomotur(text: &str) -> bool {
    let mut lines = text
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty());
    let mut names = || {
        lines
            .next()
            .is_some_and(|line| stone(line).is_none() && !line.is_empty())
    };
    let has_names = names() && names();
    let is_stone = |line: &str| stone(line).is_some() && line.split(',').count() == 3;
    has_names && lines.next().is_some_and(is_stone)
}

/// What the first lines say.
struct Head<V> {
    variant: V,
    /// Whether the second player begins.
    is_second: bool,
    /// The number of the first column and row.
    origin: u32,
    /// Number of lines before the stones.
    lines: usize,
}

fn read_game<G: Recorded>(part: Part<'_>, variant: &G::Variant) -> Reading<G> {
    let lines = part.text.split('\n').zip(part.line..).map(token);
    let lines: Vec<Token<'_>> = lines.collect();
    // A name may be empty; lines before the stones and at the end are not names.
    let is_blank = |line: &&Token<'_>| line.text.is_empty();
    let before = lines.iter().take_while(is_blank).count();
    let after = lines.iter().rev().take_while(is_blank).count();
    let lines = lines[before..lines.len().max(before + after) - after].to_vec();
    let head = head::<G>(&lines, part.text, variant);
    let (head, fault) = match head {
        Ok(head) => (Some(head), Ok(())),
        Err(fault) => (None, Err(fault)),
    };
    let played = head.as_ref().map_or(variant, |head| &head.variant);
    let may_relax = *variant == G::Variant::default();
    best_of(played, may_relax, |mut replay| {
        let mut heading = Heading::default();
        let fault = match &head {
            Some(head) => read_lines(&lines, head, &mut heading, &mut replay),
            None => fault.clone(),
        };
        replay.finish(heading, fault, part.line)
    })
}

/// Reads the first lines.
fn head<G: Recorded>(
    lines: &[Token<'_>],
    text: &str,
    variant: &G::Variant,
) -> Result<Head<G::Variant>, Fault> {
    let first = lines.first().copied().unwrap_or(Token {
        text: "",
        place: Place::start_of(1),
    });
    let (size, is_second, origin, lines) = if is_gomotur(text) {
        (GOMOTUR_SIZE, false, 0, 2)
    } else {
        let (size, is_second) = first_line(&first)?;
        (size, is_second, 1, 1)
    };
    let found = G::PSQ.map(|psq| psq(variant, size));
    let found = found.filter(|variant| G::start(variant).is_ok());
    let wrong = || first.fault("the size of a board that the game is played on");
    Ok(Head {
        variant: found.ok_or_else(wrong)?,
        is_second,
        origin,
        lines,
    })
}

/// The size of the board, and whether the second player begins.
fn first_line(head: &Token<'_>) -> Result<(u8, bool), Fault> {
    let plain = folded(head.text);
    let wrong = || {
        head.fault(format!(
            "{NAME} and the size of a board, as {NAME} 15x15, 11:11, 0"
        ))
    };
    let fields = plain.strip_prefix(&folded(NAME)).ok_or_else(wrong)?;
    let mut fields = fields.split(',');
    let size = fields.next().and_then(|size| size.split_once('x'));
    let (width, height) = size.ok_or_else(wrong)?;
    if width != height {
        return Err(head.fault("a square board"));
    }
    let is_second = fields.nth(1).is_some_and(|begins| begins == "1");
    Ok((width.parse().map_err(|_| wrong())?, is_second))
}

/// A line without blanks around it.
fn token((text, line): (&str, usize)) -> Token<'_> {
    let mut scanner = Scanner::new(text.trim_end(), line);
    scanner.skip_blanks();
    scanner.rest()
}

fn read_lines<'t, G: Recorded>(
    lines: &[Token<'t>],
    head: &Head<G::Variant>,
    heading: &mut Heading<'t>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let (before, lines) = lines.split_at(head.lines.min(lines.len()));
    let stones = lines.iter().take_while(|line| stone(line.text).is_some());
    let stones = stones.count();
    for line in &lines[..stones] {
        read_stone(line, head.origin, replay)?;
    }
    let is_number = |line: &Token<'_>| line.text.parse::<i64>().is_ok();
    let after = match &lines[stones..] {
        [before @ .., last] if read_result(last, head.is_second, heading) => before,
        after => after,
    };
    if let [first, rest @ ..] = after
        && rest.iter().any(|line| stone(line.text).is_some())
    {
        return Err(first.fault("column, row and time of a stone, as 8,8,0"));
    }
    // The number comes last, or, in older files, before the names. A name may be a number.
    let names = match after {
        [names @ .., number] if is_number(number) && names.len() != 1 => names,
        [number, names @ ..] if is_number(number) && names.len() == 2 => names,
        names => names,
    };
    let names = if head.lines == 2 { before } else { names };
    let (names, more) = names.split_at(names.len().min(2));
    if let Some(line) = more.first() {
        return Err(line.fault("column, row and time of a stone, as 8,8,0, two names, and -1"));
    }
    for (index, line) in names.iter().enumerate() {
        heading.header.teams[index ^ usize::from(head.is_second)] = line.text.to_owned();
    }
    Ok(())
}

/// Reads `1,Freestyle15_1`, the last line of Gomocup's judge: which of the two names won, or 0 for a
/// draw, and the event. Whether it is such a line.
fn read_result<'t>(line: &Token<'t>, is_second: bool, heading: &mut Heading<'t>) -> bool {
    let Some((result, event)) = line.text.split_once(',') else {
        return false;
    };
    let header = &mut heading.header;
    header.result = match result {
        "0" => Some(Outcome::Draw),
        "1" => Some(Outcome::Win(Side::BOTH[usize::from(is_second)])),
        "2" => Some(Outcome::Win(Side::BOTH[usize::from(!is_second)])),
        _ => return false,
    };
    header.event = event.trim().to_owned();
    heading.result = Some(*line);
    true
}

/// The column and row in `8,8,0`.
fn stone(line: &str) -> Option<(u32, u32)> {
    let mut fields = line.split(',').map(str::trim);
    let mut number = || fields.next()?.parse().ok();
    let cell = (number()?, number()?);
    fields
        .all(|field| field.parse::<f64>().is_ok())
        .then_some(cell)
}

/// Reads `8,8,0` and plays the stone.
fn read_stone<G: Recorded>(
    line: &Token<'_>,
    origin: u32,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let off = || line.fault(format!("a column and a row of the board, from {origin}"));
    let (column, row) = stone(line.text).ok_or_else(off)?;
    let cell = column.checked_sub(origin).zip(row.checked_sub(origin));
    let (column, row) = cell.ok_or_else(off)?;
    let dialect =
        dialect::of::<G>(Protocol::Gomocup).map_err(|error| line.fault(error.expected))?;
    let text = format!("{column},{row}");
    replay.play_by(line, |position| {
        (dialect.parse)(position, &text).map_err(|error| match error.expected.as_str() {
            // The numbers of the protocol begin at 0.
            expected if expected.starts_with("a number from 0") => engine_core::ParseError {
                expected: format!("a column and a row of the board, from {origin}"),
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
    if let Some(name) = [first, second]
        .into_iter()
        .find(|name| is_head(name) || stone(name).is_some())
    {
        return Err(Unwritable(format!("a player called {name:?}")));
    }
    text += &format!("{first}\n{second}\n-1\n");
    let result = match record.header.result {
        None => return Ok(text),
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win(side)) => 1 + side.index(),
    };
    let event = record.header.event.replace(['\n', '\r'], " ");
    Ok(text + &format!("{result},{}\n", event.trim()))
}
