//! Tables with one game per line: `21,"j10,k9,j12",black`.
//!
//! The first line is `game_id,moves,winner`. Each further line is one game: its number, its moves
//! as in a list, and the winner's colour, `draw`, or nothing. Missing quotation marks and a missing
//! first line are accepted.

use engine_core::Outcome;

use super::game::result_word;
use super::header::Heading;
use super::list::{read_words, write_words};
use super::replay::Replay;
use super::scan::{Part, Scanner, folded, lines};
use super::{Fault, Reading, Record, Recorded, Token, Unwritable, best, side_of};

/// The first line.
pub(super) const HEAD: &str = "game_id,moves,winner\n";

/// Reads a table.
pub(super) fn read<G: Recorded>(
    text: &str,
    variant: &G::Variant,
    mut take: impl FnMut(Reading<G>),
) {
    for part in lines(text) {
        if folded(part.text) != HEAD.trim() {
            take(read_line(part, variant));
        }
    }
}

fn read_line<G: Recorded>(part: Part<'_>, variant: &G::Variant) -> Reading<G> {
    best(variant, |mut replay| {
        let mut scanner = Scanner::new(part.text, part.line);
        let mut heading = Heading::default();
        let fault = read_fields(&mut scanner, &mut heading, &mut replay);
        replay.finish(heading, fault, part.line)
    })
}

fn read_fields<'t, G: Recorded>(
    scanner: &mut Scanner<'t>,
    heading: &mut Heading<'t>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let id = scanner.take_while(|c| c != ',');
    scanner.expect(',', "a comma and the moves")?;
    heading.header.id = id.text.trim().to_owned();
    let moves = if scanner.accept('"') {
        let moves = scanner.take_while(|c| c != '"');
        scanner.expect('"', "'\"' after the moves")?;
        moves
    } else {
        let rest = scanner.rest();
        let moves = rest.text.rfind(',').map_or("", |comma| &rest.text[..comma]);
        (0..moves.chars().count()).for_each(|_| scanner.skip());
        Token {
            text: moves,
            ..rest
        }
    };
    read_words(&mut Scanner::of(moves), replay)?;
    scanner.expect(',', "a comma and the winner")?;
    scanner.skip_blanks();
    let winner = scanner.rest();
    (0..winner.text.chars().count()).for_each(|_| scanner.skip());
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
