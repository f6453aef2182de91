//! Numbered turns over several lines, as books print games and as several programs save them:
//!
//! ```text
//! BoardSize: 11x11
//! Moves:
//!   1. A2 (0 ms) Swap (23 ms)
//!   2. F6 (73123 ms) F8 (14236 ms)
//! ```
//!
//! A line has a number and the turns of one or both players. Lines before the first number are the
//! head: `BoardSize: 11x11` and `First: H` (the player who joins left and right begins) of Six, or
//! tags as in chess, `[RED "name"]`, `[Result "1-0"]`, `[Date "2024.07.15"]`. Lines of words are left out. So is what stands in parentheses, except in the lists of
//! Ludii, `(Add Ball1 to S15)` and `(Swap P1 P2)`, and the marks `!` and `?`. A game ends before the next
//! number 1.

use engine_core::{Outcome, Side};
use game::turn::turn_is_over;

use super::header::Heading;
use super::list::{claim, without_number};
use super::recorded::{best_by_any_rules, on_board};
use super::replay::Replay;
use super::scan::{Scanner, plain};
use super::{Event, Fault, Reading, Record, Recorded, Token, Unwritable, side_of};

/// Whether a text looks like numbered turns over several lines: a line begins with the number 1, and
/// the next one with a number begins with a larger one.
pub fn is_numbered(text: &str) -> bool {
    let mut numbers = text.lines().filter_map(|line| number(line.trim_start()));
    numbers.next() == Some(1) && numbers.next().is_some_and(|number| number > 1)
}

/// The number at the begin of a line, `12.`.
fn number(line: &str) -> Option<u32> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &line[..line.len() - rest.len()];
    let is_number = rest.starts_with(['.', ')']);
    digits.parse().ok().filter(|_| is_number)
}

/// The lines of one game.
#[derive(Default)]
struct Lines<'t> {
    head: Vec<Token<'t>>,
    turns: Vec<Token<'t>>,
    /// Lines of words after the first turn, or before the next game.
    words: Vec<Token<'t>>,
}

/// Reads the games of a file.
pub(super) fn read<G: Recorded>(
    text: &str,
    variant: &G::Variant,
    mut take: impl FnMut(Reading<G>),
) {
    let mut scanner = Scanner::new(text, 1);
    let mut lines = Lines::default();
    while !scanner.rest().text.is_empty() {
        let line = scanner.line();
        match number(line.text.trim_start()) {
            _ if line.text.trim().is_empty() => {}
            Some(1) if !lines.turns.is_empty() => {
                let head = std::mem::take(&mut lines.words);
                take(read_game(&lines, variant));
                lines = Lines {
                    head,
                    turns: vec![line],
                    words: Vec::new(),
                };
            }
            Some(_) => lines.turns.push(line),
            None if lines.turns.is_empty() => lines.head.push(line),
            None => lines.words.push(line),
        }
    }
    if !lines.turns.is_empty() {
        take(read_game(&lines, variant));
    }
}

fn read_game<G: Recorded>(lines: &Lines<'_>, variant: &G::Variant) -> Reading<G> {
    let mut head = Head {
        variant: variant.clone(),
        begins: None,
        tags: Vec::new(),
        left_out: 0,
    };
    let fault = lines.head.iter().try_for_each(|line| head.take::<G>(line));
    let begin = lines.turns[0].place.line;
    let is_stated = head.variant != *variant;
    let read = |mut replay: Replay<G>| {
        let mut heading = Heading::default();
        for (key, value) in &head.tags {
            take_tag(key, *value, replay.position(), &mut heading);
        }
        let left_out = head.left_out + lines.words.len();
        if left_out > 0 {
            heading.note(format!("lines of words that are left out: {left_out}"));
        }
        let mut last = 0;
        let fault = fault.clone().and_then(|()| {
            if let Some(line) = &head.begins {
                replay.begin_turn(line, 1)?;
            }
            lines
                .turns
                .iter()
                .try_for_each(|line| read_line(line, &mut last, &mut heading, &mut replay))
        });
        replay.finish(heading, fault, begin)
    };
    if is_stated {
        super::best(&head.variant, read)
    } else {
        best_by_any_rules(variant, read)
    }
}

/// What the head says.
struct Head<'t, V> {
    variant: V,
    /// The line that says that `Second` moves first.
    begins: Option<Token<'t>>,
    /// The tags, by keys in lower case.
    tags: Vec<(String, Token<'t>)>,
    /// Number of lines that say nothing of the game.
    left_out: usize,
}

impl<'t, V: Clone> Head<'t, V> {
    fn take<G: Recorded<Variant = V>>(&mut self, line: &Token<'t>) -> Result<(), Fault> {
        let text = line.text.trim();
        let (key, value) = text.split_once(':').unwrap_or((text, ""));
        match (&*key.to_lowercase(), value.trim()) {
            ("boardsize", value) => {
                let (columns, rows) = value.split_once('x').unwrap_or((value, value));
                let size = columns.parse().ok().filter(|_| columns == rows);
                let sized = size.and_then(|size| on_board::<G>(&self.variant, size));
                let wrong = || line.fault("the size of a board that the game is played on");
                self.variant = sized.ok_or_else(wrong)?;
            }
            ("first", "H" | "h") => self.begins = Some(*line),
            ("first" | "swap" | "moves", _) => {}
            _ if text.starts_with('[') => self.tags.extend(tag(line)),
            _ => self.left_out += 1,
        }
        Ok(())
    }
}

/// The key in lower case and the value of `[Result "1-0"]`, where it has one.
fn tag<'t>(line: &Token<'t>) -> Option<(String, Token<'t>)> {
    let mut scanner = Scanner::of(*line);
    scanner.accept('[');
    let key = scanner.take_while(|c| !c.is_whitespace() && c != '"' && c != ']');
    let value = if scanner.accept('"') {
        scanner.take_while(|c| c != '"')
    } else {
        scanner.take_while(|c| c != ']')
    };
    let is_known = !["", "?", "-"].contains(&value.text.trim());
    is_known.then(|| (key.text.to_lowercase(), value))
}

/// Stores what a tag says of the game that begins with this position.
fn take_tag<'t, G: Recorded>(key: &str, value: Token<'t>, start: &G, heading: &mut Heading<'t>) {
    let text = value.text.trim();
    let header = &mut heading.header;
    let colour = G::COLOURS.iter().position(|colour| *colour == key);
    let side = colour.and_then(|colour| side_of(start, colour));
    match key {
        "event" => header.event = text.to_owned(),
        "site" => header.place = text.to_owned(),
        "date" => header.time = text.to_owned(),
        "result" => match result(text, start) {
            Some(result) => {
                heading.claim(result, value);
            }
            None if text == "*" => {}
            None => heading.note(format!(
                "{text:?} is none of the results 1-0, 0-1 and 1/2-1/2"
            )),
        },
        _ => {
            if let Some(side) = side {
                header.teams[side.index()] = text.to_owned();
            }
        }
    }
}

/// The result in a tag: as in chess, the player who begins first, or the colour that won.
fn result<G: Recorded>(text: &str, start: &G) -> Option<Outcome> {
    let word = text.to_lowercase();
    match &*word {
        "1-0" => Some(Outcome::Win(Side::First)),
        "0-1" => Some(Outcome::Win(Side::Second)),
        "1/2-1/2" | "draw" => Some(Outcome::Draw),
        _ => {
            let colour = word.split(' ').next()?;
            let index = G::COLOURS.iter().position(|known| *known == colour)?;
            side_of(start, index).map(Outcome::Win)
        }
    }
}

/// Reads a line and plays its turns. Its number is larger than the `last` one.
fn read_line<'t, G: Recorded>(
    line: &Token<'t>,
    last: &mut u32,
    heading: &mut Heading<'t>,
    replay: &mut Replay<G>,
) -> Result<(), Fault> {
    let mut scanner = Scanner::of(*line);
    scanner.skip_blanks();
    let begin = scanner.clone();
    scanner.take_while(|c| c.is_ascii_digit());
    let number = number(line.text.trim_start()).unwrap_or_default();
    if number <= *last {
        return Err(begin.fault(format!("the number {}", *last + 1)));
    }
    *last = number;
    scanner.take_while(|c| c == '.' || c == ')');
    while !scanner.at_end() {
        let begin = scanner.clone();
        if scanner.accept('(') {
            let inner = scanner.take_while(|c| c != ')');
            scanner.expect(')', "')'")?;
            let token = begin.until(&scanner);
            if let Some(word) = of_ludii(inner.text) {
                replay.word(&token, &word)?;
            }
            continue;
        }
        let token = scanner.take_while(|c| !c.is_whitespace() && !",;".contains(c));
        scanner.take_while(|c| ",;".contains(c));
        let word: String = token.text.chars().map(plain).collect();
        let word = without_number(word.trim_end_matches(['!', '?']));
        match word {
            "" | "#" | "*" => {}
            _ if word.eq_ignore_ascii_case("resign") => {
                let side = replay.position().side();
                claim(Some(Outcome::Win(side.opponent())), token, heading)?;
            }
            _ => replay.word(&token, word)?,
        }
    }
    Ok(())
}

/// The turn in `Add Ball1 to S15` or `Swap P1 P2`; `None` for other words, as a time.
fn of_ludii(words: &str) -> Option<String> {
    let lower = words.trim().to_lowercase();
    if lower.starts_with("swap ") {
        return Some("swap".to_owned());
    }
    let cell = lower.strip_prefix("add ")?.rsplit(" to ").next()?.trim();
    Some(cell.to_owned())
}

/// Writes one game, followed by an empty line.
///
/// # Errors
/// A game that does not begin at the start of its variant, or that has rolls.
pub(super) fn write<G: Recorded>(record: &Record<G>) -> Result<String, Unwritable> {
    record.check_start()?;
    let size = G::size(&record.variant).filter(|&size| G::resized(&record.variant, size).is_some());
    let mut text = size.map_or(String::new(), |size| format!("BoardSize: {size}x{size}\n"));
    let mut position = record.start.clone();
    let mut count = 0;
    let mut before = position.clone();
    let mut turn = Vec::new();
    for event in &record.events {
        let Event::Move(mv) = *event else {
            return Err(Unwritable("rolls of a die".to_owned()));
        };
        if turn.is_empty() {
            before = position.clone();
        }
        turn.push(mv);
        event.play(&mut position);
        if turn_is_over(&position, before.side()) {
            let word = match turn[..] {
                [mv] => before.spelled(mv),
                _ => before.write_turn(&turn),
            };
            text += &match count % 2 {
                0 => format!("{}. {word}", count / 2 + 1),
                _ => format!(" {word}\n"),
            };
            count += 1;
            turn.clear();
        }
    }
    Ok(text + if count % 2 == 0 { "\n" } else { "\n\n" })
}
