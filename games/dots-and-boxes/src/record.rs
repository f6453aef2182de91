//! Contest records (棋谱), and Dots and Boxes' part of the other formats.
//!
//! ```json
//! {"R":"one team","B":"another","winner":"R","RScore":13,"BScore":12,"Date":"2022-08-06",
//! "Event":"2022 CCGC","game":[{"piece":"r(e2,v)"},{"piece":"b(d3,h)"}]}
//! ```
//!
//! One element per edge: `r` or `b` for the side that drew it, the dot (the left end of a
//! horizontal edge, the lower end of a vertical one; rows from the bottom), and the direction. The
//! side that draws first is `First`, whatever its colour; the colour has no effect on the game. The
//! writer makes `First` red. The format has no place and no time of day.

use engine_core::{Outcome, Position, Side};
use records::{
    Event, Fault, Heading, Part, Place, Reading, Record, Recorded, Replay, Token, Unwritable, best,
    folded,
};
use serde::{Deserialize, Serialize};

use crate::board::DotsAndBoxes;
use crate::variant::Variant;

/// A record as JSON. Other keys are ignored.
#[derive(Serialize, Deserialize)]
struct Keys<'t> {
    #[serde(rename = "R", default)]
    red: String,
    #[serde(rename = "B", default)]
    blue: String,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    winner: Option<&'t str>,
    #[serde(rename = "RScore", default, skip_serializing_if = "Option::is_none")]
    red_boxes: Option<u32>,
    #[serde(rename = "BScore", default, skip_serializing_if = "Option::is_none")]
    blue_boxes: Option<u32>,
    #[serde(rename = "Date", default)]
    date: String,
    #[serde(rename = "Event", default)]
    event: String,
    #[serde(borrow)]
    game: Vec<Element<'t>>,
}

/// One edge.
#[derive(Serialize, Deserialize)]
struct Element<'t> {
    /// Borrowed, so that faults can report its place.
    #[serde(borrow)]
    piece: &'t str,
}

impl Recorded for DotsAndBoxes {
    const CODE: &'static str = "DB";
    const LETTERS: [char; 2] = ['R', 'B'];

    fn is_contest(text: &str) -> bool {
        text.trim_start().starts_with('{') && text.contains("\"piece\"")
    }

    /// A record ends with its last brace, on any line.
    fn contest_parts(text: &str) -> Vec<Part<'_>> {
        let mut objects =
            serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
        let mut parts = Vec::new();
        let (mut begin, mut line) = (0, 1);
        loop {
            let next = objects.next();
            let end = match next {
                Some(Ok(_)) => objects.byte_offset(),
                _ => text.len(),
            };
            let part = &text[begin..end];
            let trimmed = part.trim_start();
            let lines = |text: &str| text.matches('\n').count();
            line += lines(&part[..part.len() - trimmed.len()]);
            if !trimmed.is_empty() {
                let text = trimmed;
                parts.push(Part { text, line });
            }
            line += lines(trimmed);
            if end == text.len() {
                return parts;
            }
            begin = end;
        }
    }

    fn read_contest(part: Part<'_>, variant: &Variant) -> Reading<DotsAndBoxes> {
        best(variant, |mut replay| {
            let mut heading = Heading::default();
            let fault = read(part, &mut heading, &mut replay);
            replay.finish(heading, fault, part.line)
        })
    }

    fn write_contest(record: &Record<DotsAndBoxes>) -> Result<String, Unwritable> {
        record.check_start()?;
        let header = &record.header;
        let mut position = record.start.clone();
        let mut pieces = Vec::with_capacity(record.events.len());
        for event in &record.events {
            if let Event::Move(edge) = *event {
                let letter = ['r', 'b'][position.side().index()];
                let name = position.spelled(edge);
                let (dot, direction) = name.split_at(name.len() - 1);
                pieces.push(format!("{letter}({dot},{direction})"));
            }
            event.play(&mut position);
        }
        let boxes = |side| position.outcome().map(|_| position.boxes_of(side));
        let date = header.time.split(' ').next().unwrap_or_default();
        let keys = Keys {
            red: header.teams[0].clone(),
            blue: header.teams[1].clone(),
            winner: header.result.map(|result| match result {
                Outcome::Win(Side::First) => "R",
                Outcome::Win(Side::Second) => "B",
                Outcome::Draw => "draw",
            }),
            red_boxes: boxes(Side::First),
            blue_boxes: boxes(Side::Second),
            date: date.replace('.', "-"),
            event: header.event.clone(),
            game: pieces.iter().map(|piece| Element { piece }).collect(),
        };
        let text = serde_json::to_string(&keys).map_err(|error| Unwritable(error.to_string()))?;
        Ok(text + "\n")
    }
}

fn read<'t>(
    part: Part<'t>,
    heading: &mut Heading<'t>,
    replay: &mut Replay<DotsAndBoxes>,
) -> Result<(), Fault> {
    let keys: Keys<'t> = serde_json::from_str(part.text).map_err(|error| {
        // serde_json's message ends with the line and column within the part; the fault has its own
        // place.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let lines = part.text.split('\n');
        let before: usize = lines
            .take(error.line().max(1) - 1)
            .map(|line| line.len() + 1)
            .sum();
        Fault {
            place: place_of(part, before + error.column().max(1) - 1),
            found: message.to_owned(),
            expected: "a record in JSON, with \"game\":[{\"piece\":\"r(e2,v)\"},…]".to_owned(),
        }
    })?;
    // The colour that draws first is `First`.
    let blue_first = keys
        .game
        .first()
        .is_some_and(|first| folded(first.piece).starts_with('b'));
    let letters = if blue_first { ['b', 'r'] } else { ['r', 'b'] };
    let (mut teams, mut boxes) = ([keys.red, keys.blue], [keys.red_boxes, keys.blue_boxes]);
    if blue_first {
        teams.reverse();
        boxes.reverse();
    }
    heading.header.teams = teams;
    heading.header.time = keys.date.replace('-', ".");
    heading.header.event = keys.event;
    if let Some(winner) = keys.winner.filter(|winner| !winner.trim().is_empty()) {
        let token = token_of(part, winner);
        let word = folded(winner);
        let side = letters.iter().position(|letter| word == letter.to_string());
        heading.header.result = match side {
            Some(side) => Some(Outcome::Win(Side::BOTH[side])),
            None if ["draw", "和棋", "平局"].contains(&word.as_str()) => Some(Outcome::Draw),
            None => return Err(token.fault("R, B or draw")),
        };
        heading.result = Some(token);
    }
    for element in &keys.game {
        read_edge(&token_of(part, element.piece), letters, replay)?;
    }
    check_boxes(part, boxes, letters, replay.position())
}

/// Reads `r(e2,v)` and plays it.
fn read_edge(
    token: &Token<'_>,
    letters: [char; 2],
    replay: &mut Replay<DotsAndBoxes>,
) -> Result<(), Fault> {
    let text = folded(token.text);
    let edge = || {
        let side = letters
            .iter()
            .position(|letter| text.starts_with(*letter))?;
        let dot = text[1..].strip_prefix('(')?.strip_suffix(')')?;
        Some((Side::BOTH[side], dot.replacen(',', "", 1)))
    };
    let (side, word) = edge().ok_or_else(|| token.fault("an edge, as r(e2,v) or b(d3,h)"))?;
    replay.check_side(token, side)?;
    replay.play(token, &word)
}

/// Checks the final boxes of a finished game against the record.
fn check_boxes(
    part: Part<'_>,
    boxes: [Option<u32>; 2],
    letters: [char; 2],
    end: &DotsAndBoxes,
) -> Result<(), Fault> {
    for side in Side::BOTH {
        let owned = end.boxes_of(side);
        let Some(written) = boxes[side.index()].filter(|&boxes| boxes != owned) else {
            continue;
        };
        if end.outcome().is_some() {
            let key = format!("\"{}Score\"", letters[side.index()].to_ascii_uppercase());
            return Err(Fault {
                place: place_of(part, part.text.find(&key).unwrap_or_default()),
                found: format!("{key}:{written}"),
                expected: format!("{key}:{owned}, as the boxes are"),
            });
        }
    }
    Ok(())
}

/// The token of a text borrowed from the part.
fn token_of<'t>(part: Part<'t>, text: &'t str) -> Token<'t> {
    let at = text.as_ptr() as usize - part.text.as_ptr() as usize;
    Token {
        place: place_of(part, at),
        text,
    }
}

/// The place of a byte of the part.
fn place_of(part: Part<'_>, at: usize) -> Place {
    let before = part.text.get(..at).unwrap_or(part.text);
    let line_begin = before.rfind('\n').map_or(0, |end| end + 1);
    Place {
        line: part.line + before.matches('\n').count(),
        column: 1 + before[line_begin..].chars().count(),
    }
}
