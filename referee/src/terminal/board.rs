//! A board on the screen: the game's own text, in colour, with a cursor on its places.
//!
//! The places are found in the text: rows begin with their number, and their tokens stand in the
//! columns a, b, c, …. A board of dots, one in every fourth column, has places for its edges.

use std::ops::RangeInclusive;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Theme;

/// Distance between two dots of a board of dots, in columns of the text.
const DOTS: usize = 4;

/// An empty place of a board of squares, points or hexagons.
const EMPTY: &str = ".";

/// An empty place that may be chosen next.
const TARGET: char = '*';

/// A place of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// Its name in actions: `c2`, or `a1h` for an edge.
    pub(crate) name: String,
    /// What stands there: `R`, `B3`, `.`.
    pub(crate) token: String,
    /// Its line in the text.
    pub(crate) row: usize,
    /// Its first column in the text.
    pub(crate) column: usize,
}

impl Site {
    /// The middle of its text, in half columns: the places of a board of hexagons are half a column
    /// apart from those in the next row.
    fn middle(&self) -> usize {
        2 * self.column + self.token.chars().count()
    }
}

/// A direction of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// What is marked on a board, as indices of sites.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    pub(crate) cursor: Option<usize>,
    pub(crate) last: Vec<usize>,
    /// The places chosen so far.
    pub(crate) picked: Vec<usize>,
    /// The places that may follow.
    pub(crate) targets: Vec<usize>,
}

/// The text of a position and its places.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    lines: Vec<Vec<char>>,
    /// The lines with places; the others are coordinates and remarks.
    rows: RangeInclusive<usize>,
    sites: Vec<Site>,
}

impl Board {
    /// The board of a text that a game has drawn.
    pub(crate) fn new(text: &str) -> Board {
        let lines: Vec<Vec<char>> = text
            .trim_end()
            .lines()
            .map(|l| l.chars().collect())
            .collect();
        let mut sites = Vec::new();
        let mut numbered = Vec::new();
        for (row, line) in lines.iter().enumerate() {
            if let Some((number, column)) = number_of(line) {
                numbered.push(row);
                if is_dots(line) {
                    sites.extend(edges(&lines, row, number))
                } else {
                    sites.extend(squares(line, row, number, column))
                }
            }
        }
        let first = numbered.first().copied().unwrap_or(1);
        let last = numbered.last().copied().unwrap_or(0);
        Board {
            lines,
            rows: first..=last,
            sites,
        }
    }

    /// The place of this name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.sites.iter().position(|site| site.name == name)
    }

    /// The places that a turn names, whatever else is in it.
    pub(crate) fn named_in(&self, turn: &str) -> Vec<usize> {
        let mut places = Vec::new();
        for (start, _) in turn
            .char_indices()
            .filter(|(_, sign)| sign.is_ascii_lowercase())
        {
            let rest = &turn[start..];
            let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
            // The name of an edge has a letter more.
            let names = [rest.get(..digits + 2), rest.get(..digits + 1)];
            let found = names.into_iter().flatten().find_map(|name| self.find(name));
            places.extend(found);
        }
        places
    }

    /// The names of places.
    pub(crate) fn names(&self, places: &[usize]) -> String {
        let names = places.iter().map(|&place| &*self.sites[place].name);
        names.collect::<Vec<_>>().join(" ")
    }

    /// Where a place stands in the text, column and row.
    pub(crate) fn at(&self, place: usize) -> (usize, usize) {
        let site = self.sites.get(place);
        site.map_or((0, 0), |site| (site.column, site.row))
    }

    /// Columns of the text.
    pub(crate) fn width(&self) -> u16 {
        self.lines.iter().map(Vec::len).max().unwrap_or(0) as u16 + 1
    }

    /// Rows of the text.
    pub(crate) fn height(&self) -> u16 {
        self.lines.len() as u16
    }

    /// The place in the middle of the board.
    pub(crate) fn middle(&self) -> usize {
        let middle = (self.rows.start() + self.rows.end()) / 2;
        let apart = |place: &usize| self.sites[*place].row.abs_diff(middle);
        let nearest = (0..self.sites.len()).map(|place| apart(&place)).min();
        let row = (0..self.sites.len()).filter(|place| Some(apart(place)) == nearest);
        let row: Vec<usize> = row.collect();
        row.get(row.len() / 2).copied().unwrap_or(0)
    }

    /// The next place in a direction; the same one at the edge of the board.
    pub(crate) fn next(&self, from: usize, direction: Direction) -> usize {
        let Some(here) = self.sites.get(from) else {
            return from;
        };
        let apart = |site: &Site| {
            let (rows, columns) = (
                here.row.abs_diff(site.row),
                here.middle().abs_diff(site.middle()),
            );
            match direction {
                Direction::Left if site.middle() < here.middle() && rows == 0 => {
                    Some((rows, columns))
                }
                Direction::Right if site.middle() > here.middle() && rows == 0 => {
                    Some((rows, columns))
                }
                Direction::Up if site.row < here.row => Some((rows, columns)),
                Direction::Down if site.row > here.row => Some((rows, columns)),
                _ => None,
            }
        };
        let others = self.sites.iter().enumerate();
        let next = others
            .filter_map(|(index, site)| Some((apart(site)?, index)))
            .min();
        next.map_or(from, |(_, index)| index)
    }

    /// The lines with their colours and marks. `colours` are the names of the game's colours. The
    /// cursor is `[…]`, what was played last `(…)`, the places chosen `{…}`, those that may follow
    /// `*` or `<…>`.
    pub(crate) fn render(
        &self,
        theme: Theme,
        colours: [&str; 2],
        marks: &Marks,
    ) -> Vec<Line<'static>> {
        let mut cells: Vec<Vec<(char, Style)>> = Vec::new();
        for (row, line) in self.lines.iter().enumerate() {
            let inside = self.rows.contains(&row);
            let styled = line.iter().enumerate().map(|(column, &sign)| {
                let style = if inside {
                    sign_style(theme, colours, line, column)
                } else {
                    theme.faint()
                };
                (sign, style)
            });
            cells.push(styled.collect());
        }
        for &target in &marks.targets {
            let site = &self.sites[target];
            if site.token == EMPTY {
                cells[site.row][site.column] = (TARGET, theme.target())
            } else {
                self.mark(&mut cells, target, ['<', '>'], None)
            }
        }
        for &picked in &marks.picked {
            self.mark(&mut cells, picked, ['{', '}'], None);
        }
        for &last in &marks.last {
            self.mark(&mut cells, last, ['(', ')'], Some(theme.last()));
        }
        if let Some(cursor) = marks.cursor {
            self.mark(&mut cells, cursor, ['[', ']'], None);
        }
        cells.into_iter().map(line_of).collect()
    }

    /// Puts signs around a place, and gives it a style if it is empty.
    fn mark(
        &self,
        cells: &mut [Vec<(char, Style)>],
        index: usize,
        around: [char; 2],
        style: Option<Style>,
    ) {
        let Some(site) = self.sites.get(index) else {
            return;
        };
        let line = &mut cells[site.row];
        let end = site.column + site.token.chars().count();
        let needed = end + 1;
        if line.len() < needed {
            line.resize(needed, (' ', Style::new()));
        }
        for (at, sign) in [
            (site.column.checked_sub(1), around[0]),
            (Some(end), around[1]),
        ] {
            if let Some(cell) = at.map(|at| &mut line[at])
                && !cell.0.is_ascii_digit()
            {
                *cell = (sign, Style::new().bold());
            }
        }
        let is_empty = matches!(site.token.trim(), "." | "");
        for cell in &mut line[site.column..end] {
            if let Some(style) = style.filter(|_| is_empty) {
                cell.1 = style;
            }
            if around[0] == '[' {
                cell.1 = cell.1.reversed();
            }
        }
    }
}

/// The number that a line begins with, and the column after it.
fn number_of(line: &[char]) -> Option<(usize, usize)> {
    let start = line.iter().position(|sign| *sign != ' ')?;
    let digits = line[start..]
        .iter()
        .take_while(|sign| sign.is_ascii_digit())
        .count();
    let number: String = line[start..start + digits].iter().collect();
    let end = start + digits;
    // `2 moves` after a board is no row of it.
    (line.get(end) == Some(&' ') && line[end..].iter().filter(|c| !c.is_whitespace()).count() > 1)
        .then_some(())?;
    Some((number.parse().ok()?, end))
}

/// Whether a numbered line is a row of dots.
fn is_dots(line: &[char]) -> bool {
    let dots = line.iter().skip(3).step_by(DOTS);
    line.len() > 3 && dots.clone().all(|sign| *sign == 'o')
}

/// The letter of a column.
fn letter(column: usize) -> char {
    char::from(b'a' + (column % 26) as u8)
}

/// The places in a row of squares, points or hexagons.
fn squares(line: &[char], row: usize, number: usize, from: usize) -> Vec<Site> {
    let mut sites = Vec::new();
    let mut column = from;
    while column < line.len() {
        let length = line[column..]
            .iter()
            .take_while(|sign| **sign != ' ')
            .count();
        if length == 0 {
            column += 1;
            continue;
        }
        let token: String = line[column..column + length].iter().collect();
        // The number of the row stands at its end, too.
        if token != number.to_string() {
            sites.push(Site {
                name: format!("{}{number}", letter(sites.len())),
                token,
                row,
                column,
            });
        }
        column += length;
    }
    sites
}

/// The edges to the right of the dots of a row, and above them.
fn edges(lines: &[Vec<char>], row: usize, number: usize) -> Vec<Site> {
    let text = |row: usize, column: usize, length: usize| -> String {
        let line = lines[row]
            .iter()
            .skip(column)
            .take(length)
            .collect::<String>();
        format!("{line:<length$}")
    };
    let dots = (lines[row].len() - 3).div_ceil(DOTS);
    let mut sites = Vec::new();
    for dot in 0..dots {
        let column = 3 + DOTS * dot;
        if dot + 1 < dots {
            sites.push(Site {
                name: format!("{}{number}h", letter(dot)),
                token: text(row, column + 1, DOTS - 1),
                row,
                column: column + 1,
            });
        }
        let above = row
            .checked_sub(2)
            .and_then(|above| number_of(&lines[above]));
        if above.is_some() {
            sites.push(Site {
                name: format!("{}{number}v", letter(dot)),
                token: text(row - 1, column, 1),
                row: row - 1,
                column,
            });
        }
    }
    sites
}

/// The style of a sign in a row of the board.
fn sign_style(theme: Theme, colours: [&str; 2], line: &[char], column: usize) -> Style {
    let sign = line[column];
    // The number of a piece belongs to it.
    let before = column.checked_sub(1).map(|before| line[before]);
    let piece = match before {
        Some(letter) if sign.is_ascii_digit() && letter.is_ascii_uppercase() => letter,
        _ => sign,
    };
    let is_of = |colour: &&&str| colour.starts_with(piece.to_ascii_lowercase());
    match piece {
        'X' => theme.stone(colours[0]),
        'O' => theme.stone(colours[1]),
        '.' => theme.faint(),
        _ if piece.is_ascii_uppercase() => {
            let colour = colours.iter().find(is_of);
            colour.map_or(Style::new(), |colour| theme.stone(colour))
        }
        _ if piece.is_ascii_digit() => theme.faint(),
        _ => Style::new(),
    }
}

/// A line of styled signs.
fn line_of(cells: Vec<(char, Style)>) -> Line<'static> {
    let spans = cells.chunk_by(|one, other| one.1 == other.1);
    let spans = spans.map(|run| {
        let text: String = run.iter().map(|cell| cell.0).collect();
        Span::styled(text, run[0].1)
    });
    Line::from(spans.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_cursor_reaches_every_place_of_every_game() {
        use Direction::{Down, Left, Right, Up};
        let largest = ("gomoku", json!({ "opening": "free", "size": 20 }));
        let usual = catalog::ids().into_iter().map(|id| (id, json!({})));
        for (id, variant) in usual.chain([largest]) {
            let game = catalog::find(id).unwrap().start(&variant).unwrap();
            let board = Board::new(&game.board());
            let mut reached = vec![false; board.sites.len()];
            let mut open = vec![board.middle()];
            while let Some(at) = open.pop() {
                if !std::mem::replace(&mut reached[at], true) {
                    open.extend([Left, Right, Up, Down].map(|way| board.next(at, way)));
                }
            }
            assert!(reached.iter().all(|reached| *reached), "{id}");
        }
    }

    #[test]
    fn marks_are_visible_without_colour() {
        let board = Board::new("  a b\n2 . R 2\n1 . . 1\n  a b\n");
        let marks = Marks {
            cursor: board.find("a1"),
            last: vec![board.find("b2").unwrap()],
            ..Marks::default()
        };
        let theme = Theme { has_colour: false };
        let lines = board.render(theme, ["red", "blue"], &marks);
        let text: Vec<String> = lines.iter().map(Line::to_string).collect();
        assert_eq!(text, ["  a b", "2 .(R)2", "1[.]. 1", "  a b"]);
        let marks = Marks {
            cursor: board.find("b1"),
            picked: vec![board.find("b2").unwrap()],
            targets: vec![board.find("a1").unwrap(), board.find("a2").unwrap()],
            ..Marks::default()
        };
        let lines = board.render(theme, ["red", "blue"], &marks);
        let text: Vec<String> = lines.iter().map(Line::to_string).collect();
        assert_eq!(text, ["  a b", "2 *{R}2", "1 *[.]1", "  a b"]);
    }
}
