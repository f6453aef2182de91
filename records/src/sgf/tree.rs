//! The syntax of SGF: game trees, and where the next one begins after a fault.
//!
//! Only the main line is kept. Files as programs write them are read: words before the first game,
//! names with lower-case letters (`GaMe` is `GM`, as FF[4] says of older files), and `]` within a name
//! or a comment that should have been escaped. A note says what was forgiven.
//!
//! A lost bracket costs one game. A value that runs into the begin of another game has lost its own
//! bracket, and reading goes on with that game; see [`begins_game`].

use crate::scan::Scanner;
use crate::{Fault, Place, Token};

/// A property of the main line and one of its values.
pub(super) struct Property<'t> {
    /// The name in capital letters, as FF[4] reads it.
    pub(super) id: String,
    /// The name as it is written.
    pub(super) name: Token<'t>,
    /// The value.
    pub(super) value: Token<'t>,
    /// The node, from 0.
    pub(super) node: usize,
}

/// A game of a collection.
pub(super) struct Tree<'t> {
    /// The line in which it begins, from 1.
    pub(super) line: usize,
    /// The properties of its main line.
    pub(super) properties: Vec<Property<'t>>,
    /// What was forgiven.
    pub(super) notes: Vec<String>,
    /// The syntax error that ended it, if any.
    pub(super) parsed: Result<(), Fault>,
}

/// Properties whose values are words of people; `]` within them is often not escaped.
const TEXTS: [&str; 17] = [
    "AN", "AP", "BT", "C", "CP", "EV", "GC", "GN", "N", "ON", "PB", "PC", "PW", "RO", "SO", "US",
    "WT",
];

/// Properties that stand in the first node of a game and in no other.
const ROOTS: [&str; 21] = [
    "AP", "BR", "CA", "DT", "EV", "FF", "GC", "GM", "GN", "PB", "PC", "PW", "RE", "RO", "RU", "SO",
    "ST", "SZ", "TM", "US", "WR",
];

/// Characters in which a game shows that it begins.
const MOST_AHEAD: usize = 200;

/// Calls `take` with each game of a collection; the games after a fault are read, too.
pub(super) fn each<'t>(text: &'t str, mut take: impl FnMut(Tree<'t>)) {
    let mut rest = Scanner::new(text, 1);
    let mut style = Style::default();
    while !rest.at_end() {
        let before = rest.place();
        let words = next_game(&mut rest);
        let mut tree = Tree {
            line: rest.place().line,
            properties: Vec::new(),
            notes: Vec::new(),
            parsed: Ok(()),
        };
        if rest.at_end() {
            // There is no further game; what follows the last one is left out.
            if style.games == 0 {
                tree.line = before.line;
                tree.parsed = Err(words.fault("'(' and a game"));
                take(tree);
            }
            return;
        }
        if !words.text.trim().is_empty() {
            let shown: String = words.text.trim().chars().take(30).collect();
            tree.notes.push(format!("text before the game: {shown:?}"));
        }
        tree.parsed = read(&mut rest, &mut tree.properties, &mut tree.notes, &mut style);
        if tree.parsed.is_err() {
            let lost = rest.place();
            skip_to_game(&mut rest, &style);
            if let Some(note) = left_out(lost, &mut rest) {
                tree.notes.push(note);
            }
        }
        style.games += 1;
        take(tree);
    }
}

/// What the games of a collection have in common.
#[derive(Default)]
struct Style {
    /// Number of games so far.
    games: usize,
    /// The first property of the last game.
    first: String,
}

/// What was lost after a fault.
fn left_out(from: Place, rest: &mut Scanner<'_>) -> Option<String> {
    let to = rest.place();
    if rest.at_end() || to.line <= from.line + 1 {
        return None;
    }
    Some(format!(
        "reading goes on with the next game in line {}",
        to.line
    ))
}

/// Skips to the `(` of the next game, and returns what was skipped.
fn next_game<'t>(scanner: &mut Scanner<'t>) -> Token<'t> {
    let begin = scanner.clone();
    while !is_open(scanner) && !scanner.rest().text.is_empty() {
        scanner.skip();
    }
    begin.until(scanner)
}

/// Whether `(` and `;` come next.
fn is_open(scanner: &Scanner<'_>) -> bool {
    let text = scanner.rest().text;
    text.strip_prefix('(').is_some_and(|rest| {
        let next = rest.chars().take(MOST_AHEAD).find(|c| !c.is_whitespace());
        next == Some(';')
    })
}

/// Skips to the next begin of a game after a syntax error.
fn skip_to_game(scanner: &mut Scanner<'_>, style: &Style) {
    // A value that ran into a game has ended right before it.
    let mut previous = Some('\n');
    while !scanner.rest().text.is_empty() {
        if begins_game(scanner, previous, style) {
            return;
        }
        previous = track(scanner, previous);
    }
}

/// Skips a character, and returns what precedes the next one: a line end, or the last character
/// that is not blank.
fn track(scanner: &mut Scanner<'_>, previous: Option<char>) -> Option<char> {
    let next = scanner.rest().text.chars().next();
    scanner.skip();
    match next {
        Some('\n') => Some('\n'),
        Some(c) if c.is_whitespace() => previous,
        other => other,
    }
}

/// Whether a game begins here, in the place of a variation or of text within a value: `(;` after a
/// line end or `)`, and the first property is one that only begins games, or the same as in the game
/// before. Its bracket is closed; in a comment that quotes a game it would be escaped.
fn begins_game(scanner: &Scanner<'_>, previous: Option<char>, style: &Style) -> bool {
    if !matches!(previous, Some('\n' | ')')) || !is_open(scanner) {
        return false;
    }
    // A look of bounded length, or many of them would take quadratic time.
    let text = scanner.rest().text;
    let end = text
        .char_indices()
        .nth(MOST_AHEAD)
        .map_or(text.len(), |(at, _)| at);
    let text = text[..end].trim_start_matches(|c: char| c == '(' || c == ';' || c.is_whitespace());
    let Some((name, rest)) = text.split_once('[') else {
        return false;
    };
    if !name.trim().chars().all(is_of_name) {
        return false;
    }
    let id = capitals(name.trim());
    let is_first = id == style.first && !matches!(&*id, "B" | "W");
    let bare = previous == Some('\n') && id == style.first;
    if !(ROOTS.contains(&&*id) || is_first || bare) {
        return false;
    }
    let end = rest.find(']');
    end.is_some_and(|end| !rest[..end].ends_with('\\'))
}

/// Whether a game begins here and no variation: one that begins with a property of the first node.
fn begins_with_root(scanner: &Scanner<'_>) -> bool {
    begins_game(scanner, Some('\n'), &Style::default())
}

/// A name in capitals: without its lower-case letters, or, if it has no others, those.
fn capitals(name: &str) -> String {
    let capitals: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
    if capitals.is_empty() {
        name.to_ascii_uppercase()
    } else {
        capitals
    }
}

/// Reads a game tree; the first variation is the main line.
fn read<'t>(
    scanner: &mut Scanner<'t>,
    properties: &mut Vec<Property<'t>>,
    notes: &mut Vec<String>,
    style: &mut Style,
) -> Result<(), Fault> {
    scanner.expect('(', "'(' and a game")?;
    let mut depth = 1;
    let mut is_main = true;
    let mut node = 0;
    while depth > 0 {
        scanner.skip_blanks();
        match scanner.peek() {
            Some('(') if begins_with_root(scanner) => {
                return Err(scanner.fault("')' and the end of the game"));
            }
            Some('(') => depth += 1,
            Some(')') => (depth, is_main) = (depth - 1, false),
            Some(';') => node += 1,
            Some(c) if is_of_name(c) => {
                let name = scanner.take_while(is_of_name);
                let id = capitals(name.text);
                if node == 1 && properties.is_empty() {
                    style.first.clone_from(&id);
                }
                let values = read_values(scanner, &id, style, notes)?;
                let values = values.into_iter().filter(|_| is_main);
                properties.extend(values.map(|value| Property {
                    id: id.clone(),
                    name,
                    value,
                    node: node.max(1) - 1,
                }));
                continue;
            }
            _ => return Err(scanner.fault("a property, ';', '(' or ')'")),
        }
        scanner.skip();
    }
    let is_lower = |property: &&Property<'t>| property.id != property.name.text;
    if let Some(property) = properties.iter().find(is_lower) {
        let (name, id) = (property.name.text, &property.id);
        notes.push(format!(
            "names with lower-case letters: {name} is read as {id}"
        ));
    }
    Ok(())
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Reads the values of a property, one or more.
fn read_values<'t>(
    scanner: &mut Scanner<'t>,
    id: &str,
    style: &Style,
    notes: &mut Vec<String>,
) -> Result<Vec<Token<'t>>, Fault> {
    let mut values = Vec::new();
    while scanner.accept('[') {
        let begin = scanner.clone();
        let mut value = read_value(scanner, style)?;
        if TEXTS.contains(&id)
            && !goes_on(scanner)
            && let Some(end) = later_end(scanner, style)
        {
            *scanner = end;
            let whole = begin.until(scanner).text;
            value.text = &whole[..whole.len() - 1];
            notes.push(format!("']' within {id} is not escaped"));
        }
        values.push(value);
    }
    if values.is_empty() {
        Err(scanner.fault("'[' and the value of the property"))
    } else {
        Ok(values)
    }
}

/// Whether what comes next can follow a value.
fn goes_on(scanner: &Scanner<'_>) -> bool {
    let text = scanner.rest().text.trim_start();
    let rest = text.trim_start_matches(is_of_name);
    if rest.len() < text.len() {
        rest.trim_start().starts_with('[')
    } else {
        text.is_empty() || text.starts_with(['[', ';', '(', ')'])
    }
}

/// Where a text ends whose first closing brackets were not escaped; `None` if turns would be part of
/// it.
fn later_end<'t>(scanner: &Scanner<'t>, style: &Style) -> Option<Scanner<'t>> {
    let mut ahead = scanner.clone();
    loop {
        read_value(&mut ahead, style).ok()?;
        if goes_on(&ahead) {
            return Some(ahead);
        }
    }
}

/// Whether a value has run into another property, a turn `;B[` or one of the first node, `SZ[`. In a
/// comment that quotes one, the closing bracket would be escaped, and the value would go on.
fn has_property(value: &str) -> bool {
    let Some((before, after)) = value.rsplit_once('[') else {
        return false;
    };
    if after.contains("\\]") {
        return false;
    }
    let before = before.trim_end();
    let rest = before.trim_end_matches(|c: char| c.is_ascii_uppercase());
    let name = &before[rest.len()..];
    ROOTS.contains(&name) || matches!(name, "B" | "W") && rest.trim_end().ends_with(';')
}

/// Reads a value and its closing bracket.
fn read_value<'t>(scanner: &mut Scanner<'t>, style: &Style) -> Result<Token<'t>, Fault> {
    let begin = scanner.clone();
    let mut previous = None;
    loop {
        match scanner.rest().text.chars().next() {
            Some(']') => {
                let value = begin.until(scanner);
                if has_property(value.text) {
                    return Err(value.fault("']' after the value"));
                }
                scanner.skip();
                return Ok(value);
            }
            Some('\\') => {
                scanner.skip();
                scanner.skip();
                previous = Some('\\');
            }
            None => return Err(scanner.fault("']' after the value")),
            Some('(') if begins_game(scanner, previous, style) => {
                let line = begin.until(scanner);
                let line = line.text.lines().next().unwrap_or_default();
                let token = Token {
                    text: line,
                    place: begin.place(),
                };
                return Err(token.fault("']' after the value"));
            }
            Some(_) => previous = track(scanner, previous),
        }
    }
}
