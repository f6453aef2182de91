//! Text of edges, turns and positions, and the SAU platform's notation.
//!
//! - An edge is a dot and a direction: `a1h`, `a1v`. The dot is the left end of a horizontal, the
//!   lower end of a vertical edge; columns are letters from the left, rows numbers from the bottom.
//! - A turn is its edges in order, joined by `+`: `a1h+a2h`.
//! - A position is its lines from the top, separated by `/`: lines of edges (`-` drawn, `.` open)
//!   alternate with rows of edges and boxes (`|` drawn or `.` open; `r`, `b` or `.` for the owner).
//!   Then follow a blank and `r` or `b` for the side to move. On 1×1: `-/|.|/. r`.
//! - The platform writes `<n> KIJ[KIJ…]`, n edges of three letters: K is `A` for horizontal, `B` for
//!   vertical edges; I the number of their line, from the top or the left; J the segment on it,
//!   from the left or the top; both letters from `A`.

use engine_core::{Notation, ParseError, Position, Side};

use crate::board::DotsAndBoxes;
use crate::moves::Edge;

/// The letter for a number from 0.
pub(crate) fn letter(number: u8) -> char {
    (b'a' + number) as char
}

/// The number, from 0, of a letter in either case.
fn number_of(letter: char) -> Option<u8> {
    letter
        .is_ascii_alphabetic()
        .then(|| letter.to_ascii_lowercase() as u8 - b'a')
}

/// Text that is read character by character, with columns.
struct Reader<'a> {
    text: &'a str,
    rest: std::str::Chars<'a>,
    /// The column of the next character.
    column: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader {
            text,
            rest: text.chars(),
            column: 1,
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// The text read since `column`.
    fn read_since(&self, column: usize) -> String {
        let read = self.text.chars().take(self.column - 1);
        read.skip(column - 1).collect()
    }

    fn error<T>(&self, expected: impl Into<String>) -> Result<T, ParseError> {
        let found = self.peek().map(String::from).unwrap_or_default();
        Err(ParseError::new(self.column, found, expected))
    }

    /// Reads the next character; `accept` converts it to a value.
    fn next<T>(
        &mut self,
        accept: impl Fn(char) -> Option<T>,
        expected: impl Fn() -> String,
    ) -> Result<T, ParseError> {
        match self.peek().and_then(accept) {
            Some(value) => {
                self.rest.next();
                self.column += 1;
                Ok(value)
            }
            None => self.error(expected()),
        }
    }

    fn exact(&mut self, wanted: char) -> Result<(), ParseError> {
        self.next(|c| (c == wanted).then_some(()), || format!("{wanted:?}"))
    }

    /// Reads a letter, in either case, for a number below `count`.
    fn letter(&mut self, count: u8, what: &str) -> Result<u8, ParseError> {
        self.next(
            |c| number_of(c).filter(|&number| number < count),
            || format!("{what}, a to {}", letter(count - 1)),
        )
    }

    /// Reads a decimal number, 1 to `most`, of at most two digits.
    fn number(&mut self, most: u32, what: &str) -> Result<u32, ParseError> {
        let start = self.column;
        let expected = || format!("{what}, 1 to {most}");
        let digit = |c: char| c.to_digit(10);
        let mut number = self.next(digit, expected)?;
        if let Ok(second) = self.next(digit, expected) {
            number = 10 * number + second;
        }
        if (1..=most).contains(&number) {
            Ok(number)
        } else {
            Err(ParseError::new(start, self.read_since(start), expected()))
        }
    }

    fn skip_blanks(&mut self) {
        while self.exact(' ').is_ok() {}
    }

    fn end(&self) -> Result<(), ParseError> {
        match self.peek() {
            Some(_) => self.error("the end"),
            None => Ok(()),
        }
    }
}

fn side_letter(side: Side) -> char {
    match side {
        Side::First => 'r',
        Side::Second => 'b',
    }
}

fn side_of(letter: char) -> Option<Side> {
    Side::BOTH
        .into_iter()
        .find(|&side| side_letter(side) == letter.to_ascii_lowercase())
}

impl DotsAndBoxes {
    /// Reads `a1h`, open or not.
    fn read_edge(&self, reader: &mut Reader) -> Result<Edge, ParseError> {
        let (columns, rows) = (self.geometry.columns, self.geometry.rows);
        let column = reader.letter(columns + 1, "a dot's column")?;
        let row = reader.number(rows as u32 + 1, "a dot's row")? as u8;
        let (can_right, can_up) = (column < columns, row <= rows);
        let horizontal = reader.next(
            |c| match c.to_ascii_lowercase() {
                'h' if can_right => Some(true),
                'v' if can_up => Some(false),
                _ => None,
            },
            || match (can_right, can_up) {
                (true, true) => "h or v".to_owned(),
                (true, false) => "h, as no edge goes up from the top row".to_owned(),
                (false, true) => "v, as no edge goes right from the last column".to_owned(),
                (false, false) => "another dot, as no edge begins here".to_owned(),
            },
        )?;
        let (x, y) = (2 * column, 2 * (rows + 1 - row));
        let (x, y) = if horizontal { (x + 1, y) } else { (x, y - 1) };
        Ok(Edge(
            self.geometry
                .edge_at(x, y)
                .expect("x and y are within the board"),
        ))
    }

    /// Checks that an edge, written as `found` at `column`, may be drawn.
    fn check_open(&self, edge: Edge, column: usize, found: &str) -> Result<(), ParseError> {
        let expected = if self.is_legal(edge) {
            return Ok(());
        } else if self.outcome().is_some() {
            "no edge, as the game is over"
        } else {
            "an edge that is not drawn yet"
        };
        Err(ParseError::new(column, found, expected))
    }

    /// Plays an edge of a turn of `side`: the last one that `reader` read, from `column` on.
    fn play_read(
        &mut self,
        edge: Edge,
        side: Side,
        reader: &Reader,
        column: usize,
    ) -> Result<(), ParseError> {
        let found = reader.read_since(column);
        if self.side != side {
            let expected = "the end of the turn, as the edge before closed no box";
            return Err(ParseError::new(column, found, expected));
        }
        self.check_open(edge, column, &found)?;
        self.play(edge);
        Ok(())
    }

    /// Reads one lattice point in a position's text.
    fn read_cell(&mut self, x: u8, y: u8, reader: &mut Reader) -> Result<(), ParseError> {
        if let Some(edge) = self.geometry.edge_at(x, y) {
            let mark = if y.is_multiple_of(2) { '-' } else { '|' };
            let drawn = reader.next(
                |c| [mark, '.'].contains(&c).then_some(c != '.'),
                || format!("an edge, {mark:?} or '.'"),
            )?;
            if drawn {
                self.lines.draw(self.geometry, Edge(edge));
            }
        } else if let Some(number) = self.geometry.box_at(x, y) {
            let owner = reader.next(
                |c| {
                    if c == '.' {
                        Some(None)
                    } else {
                        side_of(c).map(Some)
                    }
                },
                || "a box, 'r', 'b' or '.'".to_owned(),
            )?;
            if let Some(side) = owner {
                self.owned[side.index()] |= self.geometry.set_of(number);
                self.margin += if side == Side::First { 1 } else { -1 };
            }
        }
        Ok(())
    }

    /// Checks that exactly the closed boxes have an owner. Columns of `text` count from 1.
    fn check_owners(&self, text: &str) -> Result<(), ParseError> {
        let width = 2 * self.geometry.columns as usize;
        for number in 0..self.geometry.box_count() as usize {
            let (row, column) = (
                number / self.geometry.columns as usize,
                number % self.geometry.columns as usize,
            );
            let closed = self.geometry.sides[number] & !self.lines.drawn == 0;
            let owned = (self.owned[0] | self.owned[1]) >> number & 1 == 1;
            if closed != owned {
                // Every row of the text is a line of edges, a row of boxes and two separators.
                let at = row * (width / 2 + width + 3) + width / 2 + 1 + 2 * column + 1;
                let found = text.chars().nth(at).map(String::from).unwrap_or_default();
                let expected = if closed {
                    "an owner, 'r' or 'b', as the box is closed"
                } else {
                    "'.', as the box is not closed"
                };
                return Err(ParseError::new(at + 1, found, expected));
            }
        }
        Ok(())
    }
}

impl Notation for DotsAndBoxes {
    fn write_move(&self, mv: Edge) -> String {
        let (x, y) = self.geometry.point(mv.0);
        let (direction, lower) = if y % 2 == 0 { ('h', y) } else { ('v', y + 1) };
        let row = self.geometry.rows + 1 - lower / 2;
        format!("{}{row}{direction}", letter(x / 2))
    }

    fn parse_move(&self, text: &str) -> Result<Edge, ParseError> {
        let mut reader = Reader::new(text);
        let edge = self.read_edge(&mut reader)?;
        reader.end()?;
        self.check_open(edge, 1, text)?;
        Ok(edge)
    }

    fn write_position(&self) -> String {
        let (width, height) = (2 * self.geometry.columns, 2 * self.geometry.rows);
        let mut text = String::new();
        for y in 0..=height {
            for x in 0..=width {
                if let Some(edge) = self.geometry.edge_at(x, y) {
                    let drawn = self.lines.drawn >> edge & 1 == 1;
                    text.push(match (drawn, y % 2) {
                        (false, _) => '.',
                        (true, 0) => '-',
                        (true, _) => '|',
                    });
                } else if let Some(number) = self.geometry.box_at(x, y) {
                    text.push(self.owner(number).map_or('.', side_letter));
                }
            }
            text.push(if y < height { '/' } else { ' ' });
        }
        text.push(side_letter(self.side));
        text
    }

    fn parse_position(&self, text: &str) -> Result<DotsAndBoxes, ParseError> {
        let mut position = DotsAndBoxes::new(self.geometry, self.stop_at_majority);
        let mut reader = Reader::new(text);
        let (width, height) = (2 * self.geometry.columns, 2 * self.geometry.rows);
        for y in 0..=height {
            for x in 0..=width {
                position.read_cell(x, y, &mut reader)?;
            }
            reader.exact(if y < height { '/' } else { ' ' })?;
        }
        position.side = reader.next(side_of, || "the side to move, 'r' or 'b'".to_owned())?;
        reader.end()?;
        position.check_owners(text)?;
        Ok(position)
    }

    fn write_turn(&self, moves: &[Edge]) -> String {
        let edges: Vec<String> = moves.iter().map(|&mv| self.write_move(mv)).collect();
        edges.join("+")
    }

    /// Reads a whole turn or its first edges. Refuses an edge after one that captured no box,
    /// because it would belong to the opponent.
    fn parse_turn(&self, text: &str) -> Result<Vec<Edge>, ParseError> {
        let mut position = self.clone();
        let mut reader = Reader::new(text);
        let mut edges = Vec::new();
        loop {
            let column = reader.column;
            let edge = self.read_edge(&mut reader)?;
            position.play_read(edge, self.side, &reader, column)?;
            edges.push(edge);
            if reader.peek().is_none() {
                return Ok(edges);
            }
            reader.next(|c| (c == '+').then_some(()), || "'+' or the end".to_owned())?;
        }
    }
}

impl DotsAndBoxes {
    /// Writes a turn in SAU notation.
    pub fn write_sau(&self, turn: &[Edge]) -> String {
        let mut text = format!("{} ", turn.len());
        for edge in turn {
            let (x, y) = self.geometry.point(edge.0);
            let (kind, line, segment) = match y % 2 {
                0 => (0, y / 2, x / 2),
                _ => (1, x / 2, y / 2),
            };
            text.extend([kind, line, segment].map(|n| letter(n).to_ascii_uppercase()));
        }
        text
    }

    /// Reads a turn in SAU notation and checks that its actions are legal. Blanks between the edges are
    /// allowed.
    ///
    /// # Errors
    /// Text that is not a turn, or an illegal action.
    pub fn parse_sau(&self, text: &str) -> Result<Vec<Edge>, ParseError> {
        let board = self.geometry;
        let mut reader = Reader::new(text);
        reader.skip_blanks();
        let count = reader.number(board.all.count_ones(), "the number of edges")?;
        reader.exact(' ')?;
        let mut position = self.clone();
        let mut edges = Vec::new();
        for _ in 0..count {
            reader.skip_blanks();
            let column = reader.column;
            let kind = reader.letter(2, "horizontal or vertical")?;
            let (lines, segments) = match kind {
                0 => (board.rows + 1, board.columns),
                _ => (board.columns + 1, board.rows),
            };
            let line = reader.letter(lines, "a line")?;
            let segment = reader.letter(segments, "a segment")?;
            let (x, y) = match kind {
                0 => (2 * segment + 1, 2 * line),
                _ => (2 * line, 2 * segment + 1),
            };
            let edge = Edge(board.edge_at(x, y).expect("x and y are within the board"));
            position.play_read(edge, self.side, &reader, column)?;
            edges.push(edge);
        }
        reader.skip_blanks();
        reader.end()?;
        Ok(edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    fn start() -> DotsAndBoxes {
        Variant::default().start().unwrap()
    }

    #[test]
    fn the_corners_have_the_names_of_records_and_platform() {
        // From the platform's K I J: h is column a+J, row 6−I; v is column a+I, row 5−J.
        for (name, sau) in [
            ("a6h", "1 AAA"),
            ("e1h", "1 AFE"),
            ("a5v", "1 BAA"),
            ("f1v", "1 BFE"),
            ("c2h", "1 AEC"),
            ("d4v", "1 BDB"),
        ] {
            let edge = start().parse_move(name).unwrap();
            assert_eq!(start().write_sau(&[edge]), sau, "{name}");
            assert_eq!(start().parse_sau(&sau.to_lowercase()), Ok(vec![edge]));
        }
    }

    #[test]
    fn errors_say_column_and_expectation() {
        for (text, expected) in [
            (
                "",
                "column 1: expected a dot's column, a to f, found the end",
            ),
            (
                "g1h",
                "column 1: expected a dot's column, a to f, found \"g\"",
            ),
            ("a7h", "column 2: expected a dot's row, 1 to 6, found \"7\""),
            (
                "a07h",
                "column 2: expected a dot's row, 1 to 6, found \"07\"",
            ),
            ("a1", "column 3: expected h or v, found the end"),
            (
                "a6v",
                "column 3: expected h, as no edge goes up from the top row, found \"v\"",
            ),
            (
                "f1h",
                "column 3: expected v, as no edge goes right from the last column, found \"h\"",
            ),
            ("a1hh", "column 4: expected the end, found \"h\""),
        ] {
            assert_eq!(start().parse_move(text).unwrap_err().to_string(), expected);
        }
        let turn = start().parse_turn("a1h+a2h").unwrap_err().to_string();
        assert_eq!(
            turn,
            "column 5: expected the end of the turn, as the edge before closed no box, found \"a2h\""
        );
        let mut drawn = start();
        drawn.play(start().parse_move("a1h").unwrap());
        assert_eq!(
            drawn.parse_move("A1H").unwrap_err().to_string(),
            "column 1: expected an edge that is not drawn yet, found \"A1H\""
        );
        assert_eq!(
            drawn.parse_sau("1 AFA").unwrap_err().to_string(),
            "column 3: expected an edge that is not drawn yet, found \"AFA\""
        );
        assert_eq!(
            start().parse_sau("2 AAA").unwrap_err().to_string(),
            "column 6: expected horizontal or vertical, a to b, found the end"
        );
    }

    #[test]
    fn a_turn_goes_on_after_a_closed_box() {
        let small = Variant {
            columns: 2,
            rows: 1,
            ..Variant::default()
        }
        .start()
        .unwrap();
        let position = small.parse_position("-./|...|/-- b").unwrap();
        let turn = position.parse_turn("b1v+b2h").unwrap();
        assert_eq!(position.write_turn(&turn), "b1v+b2h");
        assert_eq!(position.write_sau(&turn), "2 BBAAAB");
        assert_eq!(position.parse_sau("2 BBA AAB"), Ok(turn));
    }

    #[test]
    fn owners_and_edges_of_a_position_must_agree() {
        let small = Variant {
            columns: 2,
            rows: 1,
            ..Variant::default()
        }
        .start()
        .unwrap();
        let error = |text| small.parse_position(text).unwrap_err().to_string();
        assert_eq!(
            error("-./|.|.|/-- b"),
            "column 5: expected an owner, 'r' or 'b', as the box is closed, found \".\""
        );
        assert_eq!(
            error("-./|r|b|/-- b"),
            "column 7: expected '.', as the box is not closed, found \"b\""
        );
        assert_eq!(
            error("-./|r|.|/--"),
            "column 12: expected ' ', found the end"
        );
    }
}
