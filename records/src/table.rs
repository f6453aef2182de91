//! Tables with one game per line: `21,"j10,k9,j12",black`.
//!
//! The first line names the columns, `game_id,moves,winner`; other columns are left out, and columns may
//! stand in any order. Each further line is one game: its number, its moves as in a list, and the
//! winner's colour, `draw`, or nothing. Missing quotation marks and a missing first line are accepted.

use engine_core::Outcome;

use super::header::Heading;
use super::list::{read_words, write_words};
use super::recorded::{best_by_any_rules, result_word};
use super::replay::Replay;
use super::scan::{Part, Scanner, folded, lines};
use super::{Fault, Reading, Record, Recorded, Token, Unwritable, side_of};

/// The first line.
pub(super) const HEAD: &str = "game_id,moves,winner\n";

/// The places of the columns.
#[derive(Clone, Copy)]
struct Columns {
    id: Option<usize>,
    moves: usize,
    winner: Option<usize>,
    /// The number of columns.
    count: usize,
}

/// The columns of a table without a first line.
const USUAL: Columns = Columns {
    id: Some(0),
    moves: 1,
    winner: Some(2),
    count: 3,
};

/// The columns that a line names; `None` if it names no moves.
fn columns(line: &str) -> Option<Columns> {
    let names: Vec<String> = line
        .split(',')
        .map(|name| folded(name.trim_matches(['"', ' '])))
        .collect();
    let find = |known: &[&str]| names.iter().position(|name| known.contains(&&**name));
    Some(Columns {
        id: find(&["game_id", "id", "game", "name", "number"]),
        moves: find(&["moves", "actions", "turns"])?,
        winner: find(&["winner", "result"]),
        count: names.len(),
    })
}

/// Whether the line names the columns of a table of games.
pub fn is_head(line: &str) -> bool {
    columns(line).is_some_and(|columns| columns.count > 1)
}

/// Reads a table.
pub(super) fn read<G: Recorded>(
    text: &str,
    variant: &G::Variant,
    mut take: impl FnMut(Reading<G>),
) {
    let mut named = USUAL;
    for (index, part) in lines(text).enumerate() {
        match columns(part.text).filter(|_| index == 0 || folded(part.text) == HEAD.trim()) {
            Some(columns) => named = columns,
            None => take(read_line(part, named, variant)),
        }
    }
}

fn read_line<G: Recorded>(part: Part<'_>, columns: Columns, variant: &G::Variant) -> Reading<G> {
    best_by_any_rules(variant, |mut replay| {
        let mut scanner = Scanner::new(part.text, part.line);
        let mut heading = Heading::default();
        let fault = read_fields(&mut scanner, columns, &mut heading, &mut replay);
        replay.finish(heading, fault, part.line)
    })
}

fn read_fields<'t, G: Recorded>(
    scanner: &mut Scanner<'t>,
    columns: Columns,
    heading: &mut Heading<'t>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let fields = fields(scanner, columns)?;
    if let Some(id) = columns.id {
        heading.header.id = fields[id].text.trim().replace("\"\"", "\"");
    }
    read_words(&mut Scanner::of(fields[columns.moves]), heading, replay)?;
    let Some(winner) = columns.winner.map(|column| fields[column]) else {
        return Ok(());
    };
    let word = folded(winner.text);
    if word.is_empty() {
        return Ok(());
    }
    let colour = G::COLOURS.iter().position(|colour| *colour == word);
    let side = colour.and_then(|colour| side_of(replay.position(), colour));
    heading.header.result = side
        .map(Outcome::Win)
        .or((word == "draw").then_some(Outcome::Draw));
    heading.result = Some(winner);
    match heading.header.result {
        Some(_) => Ok(()),
        None => Err(winner.fault(format!("{}, {} or draw", G::COLOURS[0], G::COLOURS[1]))),
    }
}

/// The fields of a line, one for each column. Moves without quotation marks have commas of their own,
/// which are told from others by their number.
fn fields<'t>(scanner: &mut Scanner<'t>, columns: Columns) -> Result<Vec<Token<'t>>, Fault> {
    let commas = scanner.rest().text.matches(',').count();
    let mut fields = Vec::with_capacity(columns.count);
    for column in 0..columns.count {
        if column > 0 {
            let expected = match column {
                _ if column == columns.moves => "a comma and the moves",
                _ if Some(column) == columns.winner => "a comma and the winner",
                _ => "a comma and the next field",
            };
            scanner.expect(',', expected)?;
        }
        scanner.take_while(|c| c == ' ');
        fields.push(match scanner.peek() {
            Some('"') => {
                scanner.skip();
                take_quoted(scanner)?
            }
            _ if column == columns.moves => {
                let of_moves = commas.saturating_sub(columns.count - 1);
                take_with_commas(scanner, of_moves)
            }
            _ if column + 1 == columns.count => scanner.take_while(|_| true),
            _ => scanner.take_while(|c| c != ','),
        });
    }
    Ok(fields)
}

/// Reads up to the quotation mark at the end, and that. Two of them stand for one in the field.
fn take_quoted<'t>(scanner: &mut Scanner<'t>) -> Result<Token<'t>, Fault> {
    let begin = scanner.clone();
    loop {
        scanner.take_while(|c| c != '"');
        let field = begin.until(scanner);
        scanner.expect('"', "'\"' after the field")?;
        if scanner.peek() != Some('"') {
            return Ok(field);
        }
        scanner.skip();
    }
}

/// Reads up to the comma after so many others.
fn take_with_commas<'t>(scanner: &mut Scanner<'t>, commas: usize) -> Token<'t> {
    let begin = scanner.clone();
    for _ in 0..commas {
        scanner.take_while(|c| c != ',');
        scanner.skip();
    }
    scanner.take_while(|c| c != ',');
    begin.until(scanner)
}

/// The line of one game.
pub(super) fn write<G: Recorded>(record: &Record<G>) -> Result<String, Unwritable> {
    let moves = write_words(record)?;
    let winner = result_word(&record.end(), record.header.result);
    let id: String = record
        .header
        .id
        .chars()
        .filter(|c| !",\"\n\r".contains(*c))
        .collect();
    Ok(format!("{id},\"{moves}\",{winner}\n"))
}
