//! Contest records of games in which stones are placed: Connect6, Hex, Gomoku.
//!
//! ```text
//! {[C6][one team B][another W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(I,12)}
//! ```
//!
//! A stone is the letter of its colour and its cell in the game's notation, with a comma. An action
//! without a cell is written in the parentheses unchanged: `(pass)`, `(swap-pieces)`. An action
//! that the rest of the game implies is left out. Also
//! accepted: `{{C6}[…`, a name or nothing instead of the letter, marks such as `MARK[k]`
//! after a stone, a final `;`, and a missing `}`. A name that the header does not have belongs to the
//! player whose turn it is where it first stands.

use engine_core::Side;

use super::header::{Header, Heading};
use super::recorded::is_omitted;
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
    heading.check_colours(replay.position().colour_index(Side::First));
    while scanner.accept(';') {}
    let mut names = Names::default();
    loop {
        if scanner.at_end() {
            if replay.is_empty() && heading.header == Header::default() {
                return Err(scanner.fault("a record"));
            }
            if is_open {
                heading.note("the last '}' is missing");
            }
            return Ok(());
        }
        if is_open && scanner.accept('}') {
            break;
        }
        read_stone(scanner, heading, &mut names, replay)?;
        skip_marks(scanner)?;
        if !scanner.accept(';') && !scanner.at_end() && scanner.peek() != Some('}') {
            return Err(scanner.fault("';' and the next stone, or '}'"));
        }
        while scanner.accept(';') {}
    }
    if scanner.at_end() {
        Ok(())
    } else {
        Err(scanner.fault("nothing more after '}'"))
    }
}

/// Reads `B(J,10)` and plays it.
fn read_stone<G: Recorded>(
    scanner: &mut Scanner<'_>,
    heading: &mut Heading<'_>,
    names: &mut Names,
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
        let side = side_named(player, heading, replay.position());
        let side = match side {
            Some(side) => names.known(side, player),
            None => names.side(player, heading, replay.position()),
        };
        let side = side.ok_or_else(|| {
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
    let is_named = |team: &String| {
        let rest = team.strip_suffix(player);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(char::is_whitespace))
    };
    let [first, second] = heading.header.teams.each_ref().map(is_named);
    let team = || (first != second).then_some(usize::from(second));
    match letter {
        Some(colour) => side_of(position, colour),
        None => team().map(|team| Side::BOTH[team]),
    }
}

/// Maximum number of characters of a name before a stone.
const MOST_NAME: usize = 40;

/// The first name of each side before stones. Another one is not guessed to be of the same side.
#[derive(Default)]
struct Names([Option<String>; 2]);

impl Names {
    /// Notes that the header has a name of this side.
    fn known(&mut self, side: Side, name: &str) -> Option<Side> {
        self.0[side.index()].get_or_insert_with(|| name.to_owned());
        Some(side)
    }

    /// The side that a name belongs to: the one whose turn it is where the name first stands. `None` if
    /// that side has another name.
    fn side<G: Recorded>(
        &mut self,
        name: &str,
        heading: &mut Heading<'_>,
        position: &G,
    ) -> Option<Side> {
        let is_known = |known: &Option<String>| known.as_deref() == Some(name);
        if let Some(index) = self.0.iter().position(is_known) {
            return Some(Side::BOTH[index]);
        }
        // A name is a word or some, not a page of text.
        if name.chars().count() > MOST_NAME || name.contains('\n') {
            return None;
        }
        let side = position.recorded_side();
        let known = &mut self.0[side.index()];
        if known.is_some() || position.outcome().is_some() {
            return None;
        }
        heading.note(format!("stones of {side:?} are called {name:?}"));
        *known = Some(name.to_owned());
        Some(side)
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
