//! Stones that are set up before the first turn: `AB` and `AW` put stones on cells, `AE` takes them
//! away, and `PL` names the colour to move.
//!
//! A value is a cell, or two opposite corners of a rectangle, `AB[a1:b2]`. Stones are placed one by
//! one, as on a board that speaks GTP ([`Written::out_of_turn`]).
//!
//! [`Written::out_of_turn`]: game::Written::out_of_turn

use std::collections::VecDeque;

use super::parse_turn;
use super::tree::Property;
use crate::{Fault, Recorded, Replay, Token, folded};

/// A stone to be set up.
struct Stone<'t, M> {
    /// An index into the colours of the game.
    colour: usize,
    action: M,
    /// The text of its cell.
    word: String,
    /// Its place in the record.
    cell: Token<'t>,
}

/// Whether a property sets stones up.
pub(super) fn is_part(property: &Property<'_>) -> bool {
    matches!(&*property.id, "AB" | "AW" | "AE")
}

/// Sets up the stones of the properties before the first turn, `turn`. `PL` says who is to move, or
/// else the first turn, or else the colour with fewer stones, black if there are equally many.
pub(super) fn set_up<G: Recorded>(
    properties: &[Property<'_>],
    turn: Option<&Property<'_>>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let mut stones: Vec<Stone<'_, G::Move>> = Vec::new();
    for property in properties.iter().filter(|&property| is_part(property)) {
        let Property {
            id, name, value, ..
        } = property;
        if replay.position().placed().is_none() {
            let name_of_game = G::NAME;
            return Err(name.fault(format!(
                "a game from the first position, because no stones can be set up in \
                 {name_of_game} with this variant"
            )));
        }
        for word in cells(value)? {
            let action = action(replay.position(), &word, value)?;
            match colour_of(id) {
                Some(colour) => stones.push(Stone {
                    colour,
                    action,
                    word,
                    cell: *value,
                }),
                None => stones.retain(|stone| stone.action != action),
            }
        }
    }
    let Some(last) = stones.last().map(|stone| stone.cell) else {
        return Ok(());
    };
    let of = |colour| stones.iter().filter(|stone| stone.colour == colour).count();
    let fewer = usize::from(of(0) > of(1));
    let to_move = named(properties)?;
    let to_move = to_move.or_else(|| turn.and_then(|turn| colour_of(&turn.id)));
    place(stones, replay)?;
    replay.begin_turn(&last, to_move.unwrap_or(fewer))
}

/// The colour that a property or its value names, by its last letter.
fn colour_of(name: &str) -> Option<usize> {
    let letter = name.chars().next_back()?;
    ['B', 'W'].iter().position(|&colour| colour == letter)
}

/// The colour of `PL`, if it is there.
fn named(properties: &[Property<'_>]) -> Result<Option<usize>, Fault> {
    let property = properties.iter().rfind(|property| property.id == "PL");
    let colour = property.map(|Property { value, .. }| {
        let colour = match folded(value.text).as_str() {
            "b" | "black" => Some(0),
            "w" | "white" => Some(1),
            _ => None,
        };
        colour.ok_or_else(|| value.fault("B or W"))
    });
    colour.transpose()
}

/// The cells of a value: one, or those of a rectangle.
fn cells(value: &Token<'_>) -> Result<Vec<String>, Fault> {
    let text = folded(value.text);
    let Some((from, to)) = text.split_once(':') else {
        return Ok(vec![text]);
    };
    let corners = corner(from).zip(corner(to));
    let Some((from, to)) = corners.filter(|(from, to)| from.is_letters == to.is_letters) else {
        return Err(value.fault("a cell or two corners, as in AB[a1][b2:c3]"));
    };
    let between = |a: u8, b: u8| a.min(b)..=a.max(b);
    let cells = between(from.column, to.column).flat_map(|column| {
        between(from.row, to.row).map(move |row| {
            let letter = |number: u8| char::from(b'a' + number);
            if from.is_letters {
                format!("{}{}", letter(column), letter(row))
            } else {
                format!("{}{row}", letter(column))
            }
        })
    });
    Ok(cells.collect())
}

/// A cell by its column and row.
struct Corner {
    /// From 0.
    column: u8,
    /// The number, or the index of the letter.
    row: u8,
    /// Whether the row is a letter.
    is_letters: bool,
}

fn corner(text: &str) -> Option<Corner> {
    let letter = |c: char| c.is_ascii_lowercase().then(|| c as u8 - b'a');
    let mut rest = text.chars();
    let column = letter(rest.next()?)?;
    let rest = rest.as_str();
    let by_letter = |rest: &str| rest.chars().next().filter(|_| rest.len() == 1);
    match by_letter(rest).and_then(letter) {
        Some(row) => Some(Corner {
            column,
            row,
            is_letters: true,
        }),
        None => Some(Corner {
            column,
            row: rest.parse().ok().filter(|row| *row < 100)?,
            is_letters: false,
        }),
    }
}

/// The action that places a stone on a cell of the first position.
fn action<G: Recorded>(start: &G, word: &str, cell: &Token<'_>) -> Result<G::Move, Fault> {
    let one_cell = || cell.fault("a cell or two corners, as in AB[a1][b2:c3]");
    let found = parse_turn(start, word);
    let found = found.map_err(|error| cell.fault(error.expected))?;
    let [action] = found[..] else {
        return Err(one_cell());
    };
    let mut after = start.clone();
    after.play(action);
    let mut placed = after.placed().into_iter().flatten().flatten();
    if placed.any(|placed| placed == action) {
        Ok(action)
    } else {
        Err(one_cell())
    }
}

/// Places the stones. One that ends the game, or that is forbidden before others are there, comes
/// after the others.
fn place<G: Recorded>(
    stones: Vec<Stone<'_, G::Move>>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let mut waiting = VecDeque::from(stones);
    let mut refused = 0;
    while let Some(stone) = waiting.pop_front() {
        let read = |position: &G| parse_turn(position, &stone.word);
        match replay.set_up(&stone.cell, stone.colour, read, waiting.is_empty()) {
            Ok(()) => refused = 0,
            Err(fault) if refused == waiting.len() => return Err(fault),
            Err(_) => {
                refused += 1;
                waiting.push_back(stone);
            }
        }
    }
    Ok(())
}
