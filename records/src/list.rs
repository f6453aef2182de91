//! Move lists, one game per line: `j10,k11,i11`.
//!
//! A list holds actions and rolls (`d6`) in order, separated by commas, semicolons or blanks; turns
//! of several actions (`k11i11`) are accepted too, and cells without anything between them
//! (`a2d4e5`). Turns may be numbered, `1. d1-d7/g7 2. a7-d4/d5` or `1.j10 2.i9l10`, and a colour may
//! stand before each, `b a1,w a2` or `B[a1] W[a2]`. `resign` gives the game to the other player, and a
//! colour at the end is the winner. `#` begins a comment.

use engine_core::{Outcome, Side};

use super::header::Heading;
use super::recorded::best_by_any_rules;
use super::replay::Replay;
use super::scan::{Part, Scanner, plain};
use super::{Event, Fault, Reading, Record, Recorded, Token, Unwritable, side_of};

/// Reads one list.
pub(super) fn read<G: Recorded>(part: Part<'_>, variant: &G::Variant) -> Reading<G> {
    best_by_any_rules(variant, |mut replay| {
        let mut scanner = Scanner::new(part.text, part.line);
        let mut heading = Heading::default();
        let fault = read_words(&mut scanner, &mut heading, &mut replay);
        replay.finish(heading, fault, part.line)
    })
}

/// Reads words and plays them.
pub(super) fn read_words<'t, G: Recorded>(
    scanner: &mut Scanner<'t>,
    heading: &mut Heading<'t>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let is_separator = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let mut players = Players::default();
    loop {
        scanner.take_while(is_separator);
        let token = scanner.take_while(|c| !is_separator(c));
        if token.text.is_empty() || token.text.starts_with('#') {
            scanner.take_while(|_| true);
            return Ok(());
        }
        let word: String = token.text.chars().map(plain).collect();
        let word = without_number(&word);
        if word.is_empty() {
            continue;
        }
        if is_colour::<G>(word) {
            if scanner.clone().at_end() && !replay.is_empty() {
                claim(players.winner(word, replay.position()), token, heading)?
            } else {
                players.check(word, token, replay)?
            }
        } else if word.eq_ignore_ascii_case("resign") {
            let side = replay.position().side();
            claim(Some(Outcome::Win(side.opponent())), token, heading)?;
        } else {
            let (colour, turn) = with_colour(word);
            if let Some(colour) = colour {
                players.check(colour, token, replay)?;
            }
            replay.word(&token, turn)?;
        }
    }
}

/// Stores the result that a word states.
pub(super) fn claim<'t>(
    result: Option<Outcome>,
    word: Token<'t>,
    heading: &mut Heading<'t>,
) -> Result<(), Fault> {
    if result.is_some_and(|result| heading.claim(result, word)) {
        Ok(())
    } else {
        Err(word.fault("the winner, as the game says"))
    }
}

/// Whether a word is a colour of the game, or the first letter of one that programs give to players.
fn is_colour<G: Recorded>(word: &str) -> bool {
    let letters = ["b", "w", "r", "black", "white"];
    let mut known = letters.iter().chain(&G::COLOURS);
    known.any(|known| word.eq_ignore_ascii_case(known))
}

/// The players of a list by the words before their turns: programs call them by letters that are not
/// those of the game's colours.
#[derive(Default)]
struct Players([Option<String>; 2]);

impl Players {
    /// Notes the word before a turn.
    fn check<G: Recorded>(
        &mut self,
        word: &str,
        token: Token<'_>,
        replay: &Replay<G>,
    ) -> Result<(), Fault> {
        let side = replay.position().side();
        let word = word.to_lowercase();
        let known = &mut self.0[side.index()];
        if known.get_or_insert_with(|| word.clone()) == &word
            && self.0[side.opponent().index()].as_ref() != Some(&word)
        {
            return Ok(());
        }
        Err(token.fault("a turn of the other player"))
    }

    /// The result that a word at the end states.
    fn winner<G: Recorded>(&self, word: &str, position: &G) -> Option<Outcome> {
        // The winner may be named in full where letters stand before the turns.
        let is_player = |player: &Option<String>| {
            player.as_ref().is_some_and(|player| {
                player.eq_ignore_ascii_case(word)
                    || player.len() == 1 && word.to_lowercase().starts_with(player.as_str())
            })
        };
        let player = self
            .0
            .iter()
            .position(is_player)
            .map(|index| Side::BOTH[index]);
        let is_name = |colour: &&str| colour.eq_ignore_ascii_case(word);
        let colour = || G::COLOURS.iter().position(is_name);
        let side = player.or_else(|| side_of(position, colour()?));
        side.map(Outcome::Win)
    }
}

/// The colour and the turn in `B[a1]`.
fn with_colour(word: &str) -> (Option<&str>, &str) {
    let inner = word.strip_suffix(']').and_then(|word| word.split_once('['));
    match inner {
        Some((colour, turn)) if ["B", "W", "b", "w"].contains(&colour) => (Some(colour), turn),
        _ => (None, word),
    }
}

/// A word without the number of the turn before it: `1.j10`, `1.`, `1)`.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() {
        rest.strip_prefix(['.', ')'])
            .map_or(word, |rest| rest.trim_start_matches('.'))
    } else {
        word
    }
}

/// The words of a record, joined by commas.
///
/// # Errors
/// A game that does not begin at the start of its variant.
pub(super) fn write_words<G: Recorded>(record: &Record<G>) -> Result<String, Unwritable> {
    record.check_start()?;
    let mut position = record.start.clone();
    let mut words = Vec::with_capacity(record.events.len());
    for event in &record.events {
        words.push(match *event {
            Event::Roll(face) => format!("d{face}"),
            Event::Move(mv) => position.spelled(mv),
        });
        event.play(&mut position);
    }
    Ok(words.join(","))
}

/// Writes one list.
pub(super) fn write<G: Recorded>(record: &Record<G>) -> Result<String, Unwritable> {
    Ok(write_words(record)? + "\n")
}
