//! Smart Game Format, version 4 (<https://www.red-bean.com/sgf/>): the main line, without comments.
//!
//! ```text
//! (;FF[4]GM[11]CA[UTF-8]SZ[11]PB[one team]PW[another]RE[B+]
//! ;B[a1];W[swap-pieces];B[c2])
//! ```
//!
//! `B` is `First` and `W` is `Second` throughout the game, whatever colours they play. The game
//! defines how a turn is written ([`super::Sgf`]); its other notation is accepted too. A date has
//! no time of day.
//!
//! In Gomoku, `B` and `W` are the colours of the stones, and an action that the rest of the game
//! implies is left out: a game without a swap and with one fifth stone is written as everywhere.
//!
//! Programs disagree on swaps. Where the player of a swap moves again, as in
//! `;B[a9];W[swap-pieces];W[b10]` of HexGui and the Computer Olympiad, the players have exchanged
//! colours, whatever the word: the stone stays, and from then on `B` and `W` are the colours of the
//! stones. `PB`, `PW` and `RE` are still those of `First` and `Second`.
//!
//! A game may begin with stones that are set up, where stones never move (`setup.rs`).

mod setup;

use std::cmp::Ordering;

use engine_core::{Outcome, ParseError, Side};

use super::game::is_omitted;
use super::header::{Header, Heading};
use super::replay::Replay;
use super::scan::{Scanner, folded};
use super::{Event, Fault, Reading, Record, Recorded, Token, Unwritable, best, side_of};
use crate::turn::turn_is_over;

/// A property and one of its values.
struct Property<'t> {
    name: Token<'t>,
    value: Token<'t>,
}

/// Reads the games of a collection.
pub(super) fn read<G: Recorded>(
    text: &str,
    variant: &G::Variant,
    mut take: impl FnMut(Reading<G>),
) {
    let mut rest = Scanner::new(text, 1);
    while !rest.at_end() {
        let mut properties = Vec::new();
        let line = rest.place().line;
        let parsed = read_tree(&mut rest, &mut properties);
        let has_failed = parsed.is_err();
        take(read_game(line, &properties, parsed, variant));
        if has_failed {
            break;
        }
    }
}

/// Reads a game tree; the first variation is the main line.
fn read_tree<'t>(
    scanner: &mut Scanner<'t>,
    properties: &mut Vec<Property<'t>>,
) -> Result<(), Fault> {
    scanner.expect('(', "'(' and a game")?;
    let mut depth = 1;
    let mut is_main = true;
    while depth > 0 {
        scanner.skip_blanks();
        match scanner.peek() {
            Some('(') => depth += 1,
            Some(')') => (depth, is_main) = (depth - 1, false),
            Some(';') => {}
            Some(c) if c.is_ascii_alphabetic() => {
                let name = scanner.take_while(|c| c.is_ascii_alphabetic());
                let mut has_value = false;
                while scanner.accept('[') {
                    let value = read_value(scanner)?;
                    if is_main {
                        properties.push(Property { name, value });
                    }
                    has_value = true;
                }
                if !has_value {
                    return Err(scanner.fault("'[' and the value of the property"));
                }
                continue;
            }
            _ => return Err(scanner.fault("a property, ';', '(' or ')'")),
        }
        scanner.skip();
    }
    Ok(())
}

/// Reads a value and its closing bracket.
fn read_value<'t>(scanner: &mut Scanner<'t>) -> Result<Token<'t>, Fault> {
    let begin = scanner.clone();
    loop {
        let value = begin.until(scanner);
        match scanner.rest().text.chars().next() {
            Some(']') => {
                scanner.skip();
                return Ok(value);
            }
            Some('\\') => {
                scanner.skip();
                scanner.skip();
            }
            Some(_) => scanner.skip(),
            None => return Err(scanner.fault("']' after the value")),
        }
    }
}

fn read_game<G: Recorded>(
    line: usize,
    properties: &[Property<'_>],
    parsed: Result<(), Fault>,
    variant: &G::Variant,
) -> Reading<G> {
    let sized = sized::<G>(properties, variant);
    let (variant, size) = match sized {
        Ok(variant) => (variant, Ok(())),
        Err(fault) => (variant.clone(), Err(fault)),
    };
    let exchange = exchange::<G>(properties);
    let first = properties.iter().position(is_turn);
    let first = first.unwrap_or(properties.len());
    best(&variant, |mut replay| {
        let mut heading = Heading::default();
        let mut take = |replay: &mut Replay<G>, index: usize| {
            let property = &properties[index];
            match index < first && setup::is_part(property) {
                true => Ok(()),
                false => {
                    take_property(property, Colours::at(index, exchange), &mut heading, replay)
                }
            }
        };
        let fault = (size.clone())
            .and_then(|()| (0..first).try_for_each(|index| take(&mut replay, index)))
            .and_then(|()| setup::set_up(&properties[..first], properties.get(first), &mut replay))
            .and_then(|()| {
                (first..properties.len()).try_for_each(|index| take(&mut replay, index))
            });
        // A parse error comes after everything that was parsed.
        let fault = fault.and_then(|()| parsed.clone());
        replay.finish(heading, fault, line)
    })
}

/// Who plays black and white, as far as the record says by the order of its turns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Colours {
    /// `B` is `First`.
    Kept,
    /// This turn exchanges the players' colours.
    Exchanging,
    /// `B` and `W` are the colours of the stones.
    Exchanged,
}

impl Colours {
    /// At a property of a record in which the property at `exchange`, if any, exchanges colours.
    fn at(index: usize, exchange: Option<usize>) -> Colours {
        match exchange.map(|exchange| index.cmp(&exchange)) {
            None | Some(Ordering::Less) => Colours::Kept,
            Some(Ordering::Equal) => Colours::Exchanging,
            Some(Ordering::Greater) => Colours::Exchanged,
        }
    }
}

fn is_turn(property: &Property<'_>) -> bool {
    matches!(property.name.text, "B" | "W")
}

/// The index of a swap after which its player moves again.
fn exchange<G: Recorded>(properties: &[Property<'_>]) -> Option<usize> {
    let swaps = G::SGF?.swaps;
    let mut turns = properties.iter().enumerate().filter(|(_, it)| is_turn(it));
    let (index, swap) = turns.find(|(_, it)| swaps.contains(&&*folded(it.value.text)))?;
    let (_, next) = turns.next()?;
    (next.name.text == swap.name.text).then_some(index)
}

/// The variant with the board size of the game.
fn sized<G: Recorded>(
    properties: &[Property<'_>],
    variant: &G::Variant,
) -> Result<G::Variant, Fault> {
    let Some(size) = properties
        .iter()
        .find(|property| property.name.text == "SZ")
    else {
        return Ok(variant.clone());
    };
    let number = folded(size.value.text)
        .split(':')
        .next()
        .and_then(|number| number.parse().ok());
    if number.is_some() && number == G::size(variant) {
        return Ok(variant.clone());
    }
    let sized = number.and_then(|number| G::resized(variant, number));
    let sized = sized.filter(|variant| G::start(variant).is_ok());
    sized.ok_or_else(|| {
        size.value
            .fault("the size of a board that the game is played on")
    })
}

fn take_property<'t, G: Recorded>(
    property: &Property<'t>,
    colours: Colours,
    heading: &mut Heading<'t>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let Property { name, value } = property;
    let header = &mut heading.header;
    match name.text {
        "GM" => {
            let number = G::SGF.map(|sgf| sgf.number.to_string()).unwrap_or_default();
            if value.text.trim() != number {
                return Err(value.fault(format!("{number}, {}", G::NAME)));
            }
        }
        "PB" => header.teams[0] = unescaped(value.text),
        "PW" => header.teams[1] = unescaped(value.text),
        "DT" => header.time = unescaped(value.text).replace('-', "."),
        "PC" => header.place = unescaped(value.text),
        "EV" => header.event = unescaped(value.text),
        "GN" => header.id = unescaped(value.text),
        "RE" => {
            heading.result = Some(*value);
            header.result = result(value)?;
        }
        "AB" | "AW" | "AE" => {
            return Err(name.fault("stones that are set up before the first turn only"));
        }
        "AA" => return Err(name.fault("a game from the first position")),
        "B" | "W" => take_turn(property, colours, heading, replay)?,
        _ => {}
    }
    Ok(())
}

/// Plays a turn, or notes a resignation.
fn take_turn<'t, G: Recorded>(
    Property { name, value }: &Property<'t>,
    colours: Colours,
    heading: &mut Heading<'t>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let colour = usize::from(name.text == "W");
    let side = match colours {
        Colours::Exchanged => side_of(replay.position(), colour),
        Colours::Kept | Colours::Exchanging => None,
    };
    let side = side.unwrap_or(Side::BOTH[colour]);
    let swaps = G::SGF.map_or(&[][..], |sgf| sgf.swaps);
    let word = match (colours, swaps.last()) {
        (Colours::Exchanging, Some(&exchange)) => exchange.to_owned(),
        _ => folded(value.text),
    };
    if matches!(word.as_str(), "resign" | "forfeit") {
        heading.result = Some(*value);
        heading.header.result = Some(Outcome::Win(side.opponent()));
        return Ok(());
    }
    replay.check_side(value, side)?;
    replay.play_by(value, |position| parse_turn(position, &word))
}

/// Reads a turn in the game's SGF notation, or in its other notation.
fn parse_turn<G: Recorded>(position: &G, word: &str) -> Result<Vec<G::Move>, ParseError> {
    let sau = G::sau().parse;
    let is_sau = G::SGF.is_some_and(|sgf| sgf.is_sau);
    let [first, second] = match is_sau {
        true => [sau, G::parse_turn],
        false => [G::parse_turn, sau],
    };
    first(position, word).or_else(|error| second(position, word).map_err(|_| error))
}

/// The result in `RE`.
fn result(value: &Token<'_>) -> Result<Option<Outcome>, Fault> {
    let text = folded(value.text);
    match text.as_bytes() {
        [b'b', b'+', ..] => Ok(Some(Outcome::Win(Side::First))),
        [b'w', b'+', ..] => Ok(Some(Outcome::Win(Side::Second))),
        b"0" | b"draw" => Ok(Some(Outcome::Draw)),
        b"" | b"?" | b"void" => Ok(None),
        _ => Err(value.fault("B+, W+, 0, Void or ?")),
    }
}

/// The text of a value, without escapes.
fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut characters = value.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => text.extend(characters.next().filter(|c| *c != '\n')),
            c if c.is_whitespace() => text.push(' '),
            c => text.push(c),
        }
    }
    text.trim().to_owned()
}

/// A text as a value, with escapes.
fn escaped(text: &str) -> String {
    let mut value = String::new();
    for c in text.chars() {
        if "]\\:".contains(c) {
            value.push('\\');
        }
        value.push(if c.is_control() { ' ' } else { c });
    }
    value
}

/// Writes one game.
///
/// # Errors
/// A game that does not begin at the start of a variant with a board size.
pub(super) fn write<G: Recorded>(record: &Record<G>) -> Result<String, Unwritable> {
    record.check_start()?;
    let sgf = G::SGF.ok_or_else(|| Unwritable(G::NAME.to_owned()))?;
    let size = G::size(&record.variant).ok_or_else(|| Unwritable("this board".to_owned()))?;
    let mut text = format!("(;FF[4]GM[{}]CA[UTF-8]SZ[{size}]", sgf.number);
    text += &write_header(&record.header);
    for (index, node) in nodes(record).iter().enumerate() {
        // Ten turns per line.
        text += if index % 10 == 0 { "\n" } else { "" };
        let Node {
            before,
            side,
            moves,
        } = node;
        let colour = match sgf.by_colour {
            true => before.colour_index(*side),
            false => side.index(),
        };
        let value = match moves[..] {
            _ if sgf.is_sau => (G::sau().write)(before, moves).to_lowercase(),
            [mv] => before.spelled(mv),
            _ => before.write_turn(moves),
        };
        text += &format!(";{}[{value}]", ['B', 'W'][colour]);
    }
    Ok(text + ")\n")
}

/// Successive actions of a turn that name the same side.
struct Node<G: Recorded> {
    before: G,
    side: Side,
    moves: Vec<G::Move>,
}

/// The nodes of a game, without the actions that the others imply.
fn nodes<G: Recorded>(record: &Record<G>) -> Vec<Node<G>> {
    let mut nodes: Vec<Node<G>> = Vec::new();
    let mut position = record.start.clone();
    let mut is_new = true;
    for (index, event) in record.events.iter().enumerate() {
        let (turn_of, side) = (position.side(), position.recorded_side());
        if let Event::Move(mv) = *event
            && !is_omitted(&position, &record.events[index..])
        {
            match nodes.last_mut().filter(|node| !is_new && node.side == side) {
                Some(node) => node.moves.push(mv),
                None => nodes.push(Node {
                    before: position.clone(),
                    side,
                    moves: vec![mv],
                }),
            }
            is_new = false;
        }
        event.play(&mut position);
        is_new |= turn_is_over(&position, turn_of);
    }
    nodes
}

fn write_header(header: &Header) -> String {
    let result = match header.result {
        Some(Outcome::Win(Side::First)) => "B+",
        Some(Outcome::Win(Side::Second)) => "W+",
        Some(Outcome::Draw) => "0",
        None => "",
    };
    let date = header.time.split(' ').next().unwrap_or_default();
    let [first, second] = &header.teams;
    [
        ("GN", header.id.as_str()),
        ("PB", first),
        ("PW", second),
        ("RE", result),
        ("DT", &date.replace('.', "-")),
        ("PC", &header.place),
        ("EV", &header.event),
    ]
    .iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(name, value)| format!("{name}[{}]", escaped(value)))
    .collect()
}
