//! Recorded games: lists of moves, and tables with one game a line.
//!
//! A list of moves names the stones in the order played, separated by commas: `j10,k11,i11`. A
//! table has a line `game_id,moves,winner` and then one line a game, such as
//! `21,"j10,k9,j12",black`; the winner is `black`, `white` or `draw`. The reader also takes blanks
//! around the stones, upper case, missing quotation marks, and tables without their first line.
//! It plays every game: what it returns is legal, over, and won by the recorded side.

use std::fmt;

use engine_core::{Notation, Outcome, ParseError, Position};

use crate::board::Connect6;
use crate::moves::Stone;
use crate::notation::{colour, stone_text};

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The game's number in its table.
    pub id: u64,
    /// The stones in the order played, black's first one first.
    pub stones: Vec<Stone>,
    /// How the game ended.
    pub outcome: Outcome,
}

/// A fault in a table of games: its line, and what is wrong there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in that line, what was read and what was expected.
    pub error: ParseError,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, {}", self.line, self.error)
    }
}

impl std::error::Error for RecordError {}

const HEADER: &str = "game_id,moves,winner";

/// Reads a list of moves and plays it on `position`.
///
/// # Errors
/// The first stone that is none or is not legal, with its column; the stones before it have been
/// played.
pub fn read_moves(position: &mut Connect6, text: &str) -> Result<Vec<Stone>, ParseError> {
    let mut stones = Vec::new();
    let mut column = 0;
    for item in text.split(',') {
        let indent = item.chars().take_while(|c| c.is_whitespace()).count();
        let stone = position
            .parse_move(item.trim())
            .map_err(|error| error.shifted(column + indent))?;
        position.play(stone);
        stones.push(stone);
        column += item.chars().count() + 1;
    }
    Ok(stones)
}

/// The text that [`read_moves`] reads.
pub fn write_moves(stones: &[Stone]) -> String {
    let texts: Vec<String> = stones.iter().map(|&stone| stone_text(stone)).collect();
    texts.join(",")
}

/// Reads one line of a table, a game that began at `start`.
///
/// # Errors
/// A line that is not a number, moves and a winner; a stone that is not legal; a game that is not
/// over, or did not end as the line says.
pub fn read_game(start: &Connect6, line: &str) -> Result<Record, ParseError> {
    let width = |text: &str| text.chars().count();
    let (id, rest) = line
        .split_once(',')
        .ok_or_else(|| ParseError::new(width(line) + 1, "", "a comma and the moves"))?;
    let (moves, winner) = rest
        .rsplit_once(',')
        .ok_or_else(|| ParseError::new(width(line) + 1, "", "a comma and the winner"))?;
    let winner_column = width(line) - width(winner) + 1;
    let id_number = id
        .trim()
        .parse()
        .map_err(|_| ParseError::new(1, id, "the number of the game"))?;

    let inner = moves.strip_prefix('"').unwrap_or(moves);
    let moves_column = width(id) + 1 + width(moves) - width(inner);
    let mut position = start.clone();
    let stones = read_moves(&mut position, inner.strip_suffix('"').unwrap_or(inner))
        .map_err(|error| error.shifted(moves_column))?;
    let outcome = position.outcome().ok_or_else(|| {
        ParseError::new(
            winner_column,
            winner,
            "more stones, as the game is not over",
        )
    })?;
    let expected = outcome_text(outcome);
    if !winner.trim().eq_ignore_ascii_case(expected) {
        let expected = format!("{expected}, as the stones say");
        return Err(ParseError::new(winner_column, winner, expected));
    }
    Ok(Record {
        id: id_number,
        stones,
        outcome,
    })
}

/// The line of a game, without the line end.
pub fn write_game(record: &Record) -> String {
    let moves = write_moves(&record.stones);
    format!("{},\"{moves}\",{}", record.id, outcome_text(record.outcome))
}

fn outcome_text(outcome: Outcome) -> &'static str {
    outcome.winner().map_or("draw", colour)
}

/// Reads a table of games that began at `start`. Empty lines are passed over.
///
/// # Errors
/// The first faulty line; nothing is then returned.
pub fn read_table(start: &Connect6, text: &str) -> Result<Vec<Record>, RecordError> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .filter(|&(i, line)| i > 0 || !line.trim().eq_ignore_ascii_case(HEADER))
        .map(|(i, line)| read_game(start, line).map_err(|error| RecordError { line: i + 1, error }))
        .collect()
}

/// The text of a table of games.
pub fn write_table(records: &[Record]) -> String {
    std::iter::once(HEADER.to_string())
        .chain(records.iter().map(write_game))
        .map(|line| line + "\n")
        .collect()
}
