//! Values of cells: what the shapes of a stone in the four directions are worth together. The numbers
//! are learned from games of the engine against itself: `examples/learn.rs`.

use std::sync::LazyLock;

use crate::shapes::Shape;

/// What a stone of a colour on an empty cell threatens, by its shapes in all directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum Mark {
    /// No four and no open three.
    None,
    /// One open three.
    Three,
    /// Two or more open threes.
    DoubleThree,
    /// One four.
    Four,
    /// One four, and an open three.
    FourThree,
    /// A straight four or two fours: nothing stops a five.
    Straight,
    /// A five.
    Five,
    /// Two or more open threes of black where that may be forbidden; with or without a four.
    Suspect,
    /// Certainly forbidden: an overline or two fours of black.
    Forbidden,
}

impl Mark {
    /// Number of marks.
    pub(crate) const COUNT: usize = 9;
}

/// The value of an empty cell to one colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CellValue {
    /// Points if the colour is to move.
    pub(crate) mover: i16,
    /// Points if the other colour is to move.
    pub(crate) waiter: i16,
    pub(crate) mark: Mark,
}

impl CellValue {
    pub(crate) const NONE: CellValue = CellValue {
        mover: 0,
        waiter: 0,
        mark: Mark::None,
    };
}

/// Number of unordered pairs of shapes.
const PAIRS: usize = Shape::COUNT * (Shape::COUNT + 1) / 2;
/// Number of multisets of the shapes of four directions.
pub(crate) const MULTISETS: usize =
    Shape::COUNT * (Shape::COUNT + 1) * (Shape::COUNT + 2) * (Shape::COUNT + 3) / 24;
/// Numbers of one kind of colour: four by multiset, and one by threats.
pub(crate) const KIND: usize = 4 * MULTISETS + THREATS;

/// Learned points, little-endian. Each [`Kind`] has four numbers by the multiset of a cell's shapes:
/// points of the side to move, points of the other side, what a stone gains, what it prevents. Then
/// come the points of the threats of a position.
static LEARNED: &[u8; 2 * 3 * KIND] = include_bytes!("../data/values.bin");

/// The learned number at a place.
pub(crate) const fn learned(place: usize) -> i16 {
    i16::from_le_bytes([LEARNED[2 * place], LEARNED[2 * place + 1]])
}

/// A colour under rules that give the same cells different values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
    /// A colour where nothing is forbidden.
    Free,
    /// Black with forbidden moves.
    Restricted,
    /// White against black with forbidden moves.
    Unrestricted,
}

/// Values by the shapes of all four directions.
pub(crate) struct Values {
    kind: Kind,
    /// Index of an unordered pair of shapes, four bits each.
    pair: [u8; 256],
    values: Box<[CellValue]>,
    /// What a stone gains and prevents, to order moves.
    gains: Box<[[i16; 2]]>,
}

/// The values where nothing is forbidden.
pub(crate) static FREE: LazyLock<Values> = LazyLock::new(|| Values::new(Kind::Free));
/// The values of black with forbidden moves.
pub(crate) static RESTRICTED: LazyLock<Values> = LazyLock::new(|| Values::new(Kind::Restricted));
/// The values of white against it.
pub(crate) static UNRESTRICTED: LazyLock<Values> =
    LazyLock::new(|| Values::new(Kind::Unrestricted));

impl Values {
    fn new(kind: Kind) -> Values {
        let mut pair = [0; 256];
        let mut pairs = Vec::new();
        for (a, &one) in Shape::ALL.iter().enumerate() {
            for (b, &other) in Shape::ALL.iter().enumerate().take(a + 1) {
                pair[a | b << 4] = pairs.len() as u8;
                pair[b | a << 4] = pairs.len() as u8;
                pairs.push([one, other]);
            }
        }
        let mut values = Vec::with_capacity(PAIRS * PAIRS);
        let mut gains = Vec::with_capacity(PAIRS * PAIRS);
        for first in &pairs {
            for second in &pairs {
                let shapes = [first[0], first[1], second[0], second[1]];
                let place = kind as usize * KIND + multiset(packed(shapes));
                values.push(CellValue {
                    mover: learned(place),
                    waiter: learned(place + MULTISETS),
                    mark: mark(shapes, kind == Kind::Restricted),
                });
                gains.push([2, 3].map(|part| learned(place + part * MULTISETS)));
            }
        }
        Values {
            kind,
            pair,
            values: values.into(),
            gains: gains.into(),
        }
    }

    /// The value of a cell with these shapes, four bits each.
    #[inline]
    pub(crate) fn of(&self, shapes: u16) -> CellValue {
        self.values[self.index(shapes)]
    }

    /// What a stone on a cell with these shapes gains its colour, and what it prevents if the shapes
    /// are those of the other colour.
    #[inline]
    pub(crate) fn gains(&self, shapes: u16) -> [i16; 2] {
        self.gains[self.index(shapes)]
    }

    #[inline]
    fn index(&self, shapes: u16) -> usize {
        let [low, high] = shapes.to_le_bytes();
        let pair = |byte: u8| self.pair[byte as usize] as usize;
        pair(low) * PAIRS + pair(high)
    }

    /// Place of the first learned number.
    #[inline]
    pub(crate) fn place(&self) -> usize {
        self.kind as usize * KIND
    }
}

/// Number of different threats of a position with the colour to move.
const THREATS: usize = 256;
/// Marks of the side to move, and then of the other, that make a difference to the value; a
/// position with stronger ones has a known result.
pub(crate) const OWN_MARKS: [Mark; 3] = [Mark::Three, Mark::DoubleThree, Mark::Four];
pub(crate) const ENEMY_MARKS: [Mark; 5] = [
    Mark::Three,
    Mark::DoubleThree,
    Mark::Four,
    Mark::FourThree,
    Mark::Straight,
];

/// The number of a multiset of shapes, four bits each: multisets in ascending order of their
/// greatest shapes.
pub(crate) fn multiset(shapes: u16) -> usize {
    let mut sorted = [0, 4, 8, 12].map(|shift| (shapes >> shift & 15) as usize);
    sorted.sort_unstable();
    let [a, b, c, d] = sorted;
    a + b * (b + 1) / 2 + c * (c + 1) * (c + 2) / 6 + d * (d + 1) * (d + 2) * (d + 3) / 24
}

fn mark(shapes: [Shape; 4], restricted: bool) -> Mark {
    let count = |wanted: &dyn Fn(Shape) -> bool| shapes.iter().filter(|s| wanted(**s)).count();
    let has = |shape| shapes.contains(&shape);
    let fours = count(&|s| s >= Shape::Four);
    let threes = count(&Shape::is_three);
    if has(Shape::Five) {
        Mark::Five
    } else if restricted && (fours > 1 || has(Shape::DoubleFour) || has(Shape::Overline)) {
        Mark::Forbidden
    } else if restricted && threes > 1 {
        Mark::Suspect
    } else if fours > 1 || has(Shape::DoubleFour) || has(Shape::StraightFour) {
        Mark::Straight
    } else if fours == 1 && threes > 0 {
        Mark::FourThree
    } else if fours == 1 {
        Mark::Four
    } else if threes > 1 {
        Mark::DoubleThree
    } else if threes == 1 {
        Mark::Three
    } else {
        Mark::None
    }
}

/// Four bits for each shape.
fn packed(shapes: [Shape; 4]) -> u16 {
    shapes
        .iter()
        .rev()
        .fold(0, |packed, &shape| packed << 4 | shape as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multisets_are_numbered_without_gaps_whatever_the_order() {
        let mut seen = vec![[usize::MAX; 4]; MULTISETS];
        let count = Shape::COUNT;
        for number in 0..count.pow(4) {
            let digits = [0, 1, 2, 3].map(|place| number / count.pow(place) % count);
            let mut sorted = digits;
            sorted.sort_unstable();
            let place = &mut seen[multiset(packed(digits.map(|digit| Shape::ALL[digit])))];
            assert!(*place == [usize::MAX; 4] || *place == sorted, "{digits:?}");
            *place = sorted;
        }
        assert!(!seen.contains(&[usize::MAX; 4]));
    }
}
