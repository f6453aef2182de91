//! Links to hexworld.org and trmph.com: `https://hexworld.org/board/#11,c2a3:sb4`.
//!
//! After `#` come the board size, letters for the display, and the moves: cells, `:s` for
//! swap-pieces, `:rb` and `:rw` for a resignation of the first and the second player, `:fb` and `:fw`
//! for a game that one of them lost on time or by default. A second comma is a cursor. A link contains
//! nothing else. The part before `#` is optional.
//!
//! A line of trmph may end with the winner: `b` or `1` is the first player, `r` or `2` the second.

use engine_core::{Outcome, Side};

use super::header::Heading;
use super::replay::Replay;
use super::scan::{Part, Scanner};
use super::{Event, Fault, Reading, Record, Recorded, Token, Unwritable, best};

const SITE: &str = "https://hexworld.org/board/#";
/// What a fault says.
const EXPECTED: &str = "a cell, :s, :rb, :rw, :fb or :fw";
/// The swap in a link and in the game's notation.
const SWAP: [&str; 2] = [":s", "swap-pieces"];

/// Reads one link.
pub(super) fn read<G: Recorded>(part: Part<'_>, variant: &G::Variant) -> Reading<G> {
    let mut scanner = Scanner::new(part.text, part.line);
    let sized = read_size::<G>(&mut scanner, variant);
    let (variant, size) = match sized {
        Ok(variant) => (variant, Ok(())),
        Err(fault) => (variant.clone(), Err(fault)),
    };
    best(&variant, |mut replay| {
        let mut scanner = scanner.clone();
        let mut heading = Heading::default();
        let read = |()| read_moves(&mut scanner, &mut heading, &mut replay);
        let fault = size.clone().and_then(read);
        replay.finish(heading, fault, part.line)
    })
}

/// Reads up to the comma before the moves.
fn read_size<G: Recorded>(
    scanner: &mut Scanner<'_>,
    variant: &G::Variant,
) -> Result<G::Variant, Fault> {
    if scanner.rest().text.contains('#') {
        scanner.take_while(|c| c != '#');
        scanner.skip();
    }
    scanner.skip_blanks();
    let begin = scanner.clone();
    let digits = scanner.take_while(|c| c.is_ascii_digit());
    let size = digits.text.parse().ok();
    let sized = size.and_then(|size| G::resized(variant, size));
    let sized = sized.filter(|variant| G::start(variant).is_ok());
    let sized = sized.ok_or_else(|| begin.fault("the size of the board"))?;
    if scanner.accept('x') {
        let height = scanner.take_while(|c| c.is_ascii_digit());
        if height.text != digits.text {
            return Err(height.fault("a board as high as it is wide"));
        }
    }
    scanner.take_while(|c| c.is_ascii_alphanumeric());
    if !scanner.at_end() {
        scanner.expect(',', "a comma and the moves")?;
    }
    Ok(sized)
}

fn read_moves<'t, G: Recorded>(
    scanner: &mut Scanner<'t>,
    heading: &mut Heading<'t>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    while !scanner.at_end() {
        let begin = scanner.clone();
        match scanner.peek() {
            Some(',') => scanner.skip(),
            Some(':') => read_word(scanner, heading, replay)?,
            _ => {
                let letters = scanner.take_while(|c| c.is_ascii_alphabetic());
                let digits = scanner.take_while(|c| c.is_ascii_digit());
                let token = begin.until(scanner);
                let is_winner = letters.text.is_empty() != digits.text.is_empty();
                match winner(token.text).filter(|_| is_winner && scanner.at_end()) {
                    Some(side) => claim(heading, Outcome::Win(side), token)?,
                    None if token.text.is_empty() => return Err(begin.fault(EXPECTED)),
                    None => replay.play(&token, &token.text.to_ascii_lowercase())?,
                }
            }
        }
    }
    Ok(())
}

/// Reads a word after a colon.
fn read_word<'t, G: Recorded>(
    scanner: &mut Scanner<'t>,
    heading: &mut Heading<'t>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let begin = scanner.clone();
    scanner.skip();
    let kind = scanner.peek();
    scanner.skip();
    // A resignation or forfeit names its player; the other words have one letter.
    if matches!(kind, Some('r' | 'f')) {
        scanner.skip();
    }
    let token = begin.until(scanner);
    let lost = |side: Side| Outcome::Win(side.opponent());
    match token.text {
        ":s" => replay.play(&token, SWAP[1])?,
        ":rb" | ":fb" => claim(heading, lost(Side::First), token)?,
        ":rw" | ":fw" => claim(heading, lost(Side::Second), token)?,
        ":p" => return Err(token.fault(format!("a turn: {} has no pass", G::NAME))),
        _ => return Err(token.fault(EXPECTED)),
    }
    Ok(())
}

/// Stores the result that a word states.
fn claim<'t>(heading: &mut Heading<'t>, result: Outcome, word: Token<'t>) -> Result<(), Fault> {
    if heading.claim(result, word) {
        Ok(())
    } else {
        Err(word.fault("one result"))
    }
}

/// The winner at the end of a line of trmph.
fn winner(word: &str) -> Option<Side> {
    match word {
        "b" | "1" => Some(Side::First),
        "r" | "2" => Some(Side::Second),
        _ => None,
    }
}

/// Writes one link.
///
/// # Errors
/// A game that does not begin on an empty board, or a swap of sides.
pub(super) fn write<G: Recorded>(record: &Record<G>) -> Result<String, Unwritable> {
    record.check_start()?;
    let size = G::size(&record.variant).unwrap_or_default();
    let mut text = format!("{SITE}{size},");
    let mut position = record.start.clone();
    for event in &record.events {
        if let Event::Move(mv) = *event {
            match position.spelled(mv) {
                word if word == SWAP[1] => text += SWAP[0],
                word if word.ends_with(|c: char| c.is_ascii_digit()) => text += &word,
                word => return Err(Unwritable(word)),
            }
        }
        event.play(&mut position);
    }
    match (position.outcome(), record.header.result) {
        (None, Some(Outcome::Win(Side::First))) => text += ":rw",
        (None, Some(Outcome::Win(Side::Second))) => text += ":rb",
        _ => {}
    }
    Ok(text + "\n")
}
