//! Shapes: what a stone makes of one line.
//!
//! The shape of a stone on a cell follows from the five cells on each side of it on the line. Ten
//! cells, each empty, own or blocked, have 3¹⁰ = 59 049 contents; a table has the shape of each. It
//! is filled from many own stones to few: a three is a row that one more stone makes a straight
//! four, and that content has a larger index.

use std::sync::LazyLock;

/// What a stone makes of a line, ordered by strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum Shape {
    /// Nothing: no five is possible through the stone.
    Dead,
    /// Six or more in a row where only exactly five win.
    Overline,
    /// One stone that cannot become an open two.
    ClosedOne,
    /// One stone that can become an open two.
    One,
    /// Two stones of a five that cannot become an open three.
    ClosedTwo,
    /// Two stones with two cells that make an open three; fewer than two do not occur.
    TwoA,
    /// Two stones with three or more such cells.
    TwoB,
    /// Three stones of a five that cannot become a straight four.
    ClosedThree,
    /// Three stones with one cell that makes a straight four.
    ThreeA,
    /// Three stones with several such cells.
    ThreeB,
    /// Four stones with one cell that makes a five.
    Four,
    /// Two fours on one line, as `b_bbb_b` and `bb_bb_bb`.
    DoubleFour,
    /// Four in a row that become a five at both ends.
    StraightFour,
    /// A five.
    Five,
}

impl Shape {
    /// Number of shapes.
    pub(crate) const COUNT: usize = 14;

    /// All shapes in the order of their numbers.
    pub(crate) const ALL: [Shape; Shape::COUNT] = [
        Shape::Dead,
        Shape::Overline,
        Shape::ClosedOne,
        Shape::One,
        Shape::ClosedTwo,
        Shape::TwoA,
        Shape::TwoB,
        Shape::ClosedThree,
        Shape::ThreeA,
        Shape::ThreeB,
        Shape::Four,
        Shape::DoubleFour,
        Shape::StraightFour,
        Shape::Five,
    ];

    /// Whether the shape is an open three.
    pub(crate) const fn is_three(self) -> bool {
        matches!(self, Shape::ThreeA | Shape::ThreeB)
    }

    /// Whether the shape is an open two.
    const fn is_two(self) -> bool {
        matches!(self, Shape::TwoA | Shape::TwoB)
    }
}

/// Cells on each side of a cell that its shape depends on.
pub(crate) const REACH: usize = 5;
/// The cells of a line that a shape depends on, with the cell itself in the middle.
const SPAN: usize = 2 * REACH + 1;
/// Contents of the ten cells around a cell.
const CONTENTS: usize = 59_049;

/// Weights of the ten cells around a cell in the index of their content; own stones count once,
/// blocked cells twice. The cell itself has none.
pub(crate) const WEIGHTS: [u16; SPAN] = [1, 3, 9, 27, 81, 0, 243, 729, 2_187, 6_561, 19_683];

/// The shape of a stone for every content of the ten cells around it.
pub(crate) type ShapeTable = [Shape; CONTENTS];

/// The table where five or more in a row win.
pub(crate) static FIVE_OR_MORE: LazyLock<Box<ShapeTable>> = LazyLock::new(|| table(false));
/// The table where exactly five win.
pub(crate) static EXACTLY_FIVE: LazyLock<Box<ShapeTable>> = LazyLock::new(|| table(true));

/// What a cell is to one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cell {
    Empty,
    Own,
    Blocked,
}

/// The line with a stone in its middle, for a content.
fn line(content: usize) -> [Cell; SPAN] {
    let mut line = [Cell::Own; SPAN];
    for (cell, &weight) in line.iter_mut().zip(&WEIGHTS).filter(|(_, w)| **w > 0) {
        *cell = [Cell::Empty, Cell::Own, Cell::Blocked][content / weight as usize % 3];
    }
    line
}

fn table(exact: bool) -> Box<ShapeTable> {
    let mut table = vec![Shape::Dead; CONTENTS].into_boxed_slice();
    for content in (0..CONTENTS).rev() {
        table[content] = shape(content, exact, &table);
    }
    table.try_into().expect("the slice has this length")
}

/// The shape of a content, if the table has those with more own stones.
fn shape(content: usize, exact: bool, table: &[Shape]) -> Shape {
    let line = line(content);
    let count = |start| stones_of_five(&line, start, exact);
    let Some(most) = (1..=REACH).filter_map(count).max() else {
        return if exact && run(&line).len() > 5 {
            Shape::Overline
        } else {
            Shape::Dead
        };
    };
    // What one more stone on an empty cell makes.
    let mut next = Vec::new();
    for (cell, &weight) in WEIGHTS.iter().enumerate() {
        if line[cell] == Cell::Empty {
            next.push(table[content + weight as usize]);
        }
    }
    let ways = |wanted: &dyn Fn(Shape) -> bool| next.iter().filter(|s| wanted(**s)).count();
    match most {
        5 => Shape::Five,
        4 if ways(&|s| s == Shape::Five) < 2 => Shape::Four,
        4 if run(&line).len() == 4 => Shape::StraightFour,
        4 => Shape::DoubleFour,
        3 => match ways(&|s| s == Shape::StraightFour || !exact && s == Shape::DoubleFour) {
            0 => Shape::ClosedThree,
            1 => Shape::ThreeA,
            _ => Shape::ThreeB,
        },
        2 => match ways(&Shape::is_three) {
            0 => Shape::ClosedTwo,
            1 | 2 => Shape::TwoA,
            _ => Shape::TwoB,
        },
        _ if ways(&Shape::is_two) > 0 => Shape::One,
        _ => Shape::ClosedOne,
    }
}

/// The own stones among the five cells from `start` on; `None` if they cannot become a five.
fn stones_of_five(line: &[Cell; SPAN], start: usize, exact: bool) -> Option<usize> {
    let five = &line[start..start + 5];
    let longer = exact && (line[start - 1] == Cell::Own || line[start + 5] == Cell::Own);
    let possible = !longer && !five.contains(&Cell::Blocked);
    possible.then(|| five.iter().filter(|cell| **cell == Cell::Own).count())
}

/// The row of own stones through the middle.
fn run(line: &[Cell; SPAN]) -> std::ops::Range<usize> {
    let own = |cell: &usize| line[*cell] == Cell::Own;
    let left = (0..REACH).rev().take_while(own).count();
    let right = (REACH + 1..SPAN).take_while(own).count();
    REACH - left..REACH + right + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of a stone on the cell `*` of a line: `x` own, `o` blocked, `.` empty; cells
    /// beyond the text are empty.
    fn of(text: &str, exact: bool) -> Shape {
        let middle = text.find('*').unwrap() as isize;
        let mut content = 0;
        for (cell, &weight) in WEIGHTS.iter().enumerate() {
            let place = middle + cell as isize - REACH as isize;
            let byte = usize::try_from(place)
                .ok()
                .and_then(|p| text.as_bytes().get(p));
            content += weight as usize
                * match byte {
                    Some(b'x') => 1,
                    Some(b'o') => 2,
                    _ => 0,
                };
        }
        let table = if exact { &EXACTLY_FIVE } else { &FIVE_OR_MORE };
        table[content]
    }

    #[test]
    fn shapes_of_typical_lines() {
        use Shape::*;
        for (text, free, exact) in [
            ("*", One, One),
            ("oo*oo", Dead, Dead),
            ("oo*...o", Dead, Dead),
            ("oo*....o", ClosedOne, ClosedOne),
            ("*x", TwoB, TwoB),
            ("o*x", ClosedTwo, ClosedTwo),
            ("o.*x...o", TwoA, TwoA),
            ("*x.x", ThreeA, ThreeA),
            ("*xx", ThreeB, ThreeB),
            ("o.*xx.o", ClosedThree, ClosedThree),
            ("o.*xx..o", ThreeA, ThreeA),
            ("o*xx", ClosedThree, ClosedThree),
            ("*xxx", StraightFour, StraightFour),
            ("o*xxx", Four, Four),
            ("o*xxxo", Dead, Dead),
            ("*x.xx", Four, Four),
            ("x.*xx.x", DoubleFour, DoubleFour),
            ("xx.*x.xx", DoubleFour, DoubleFour),
            ("*xxxx", Five, Five),
            ("o*xxxxo", Five, Five),
            ("xx*xxx", Five, Overline),
            ("x.*xxx.o", StraightFour, Four),
            ("x.*xxx.x", StraightFour, Dead),
            ("x.*xx..o", Four, Four),
            ("x.*xx.x.o", DoubleFour, DoubleFour),
            ("o.x*x..x", ThreeA, ClosedThree),
        ] {
            assert_eq!(of(text, false), free, "{text} where five or more win");
            assert_eq!(of(text, true), exact, "{text} where exactly five win");
        }
    }

    #[test]
    fn shapes_are_the_same_in_a_mirror() {
        for table in [&FIVE_OR_MORE, &EXACTLY_FIVE] {
            for content in 0..CONTENTS {
                let cells = WEIGHTS.iter().rev().zip(&WEIGHTS).filter(|(w, _)| **w > 0);
                let digit = |w: u16| content / w as usize % 3;
                let mirrored: usize = cells.map(|(&a, &b)| digit(a) * b as usize).sum();
                assert_eq!(table[content], table[mirrored]);
            }
        }
    }
}
