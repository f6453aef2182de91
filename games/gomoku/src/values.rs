//! Values of cells: what the shapes of a stone in the four directions are worth together.

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

/// Values by the shapes of all four directions.
pub(crate) struct Values {
    /// Index of an unordered pair of shapes, four bits each.
    pair: [u8; 256],
    values: Box<[CellValue]>,
}

/// The values where nothing is forbidden.
pub(crate) static FREE: LazyLock<Values> = LazyLock::new(|| Values::new(false));
/// The values of a colour with forbidden moves.
pub(crate) static RESTRICTED: LazyLock<Values> = LazyLock::new(|| Values::new(true));

impl Values {
    fn new(restricted: bool) -> Values {
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
        for first in &pairs {
            for second in &pairs {
                values.push(value(
                    [first[0], first[1], second[0], second[1]],
                    restricted,
                ));
            }
        }
        Values {
            pair,
            values: values.into(),
        }
    }

    /// The value of a cell with these shapes, four bits each.
    #[inline]
    pub(crate) fn of(&self, shapes: u16) -> CellValue {
        let [low, high] = shapes.to_le_bytes();
        let pair = |byte: u8| self.pair[byte as usize] as usize;
        self.values[pair(low) * PAIRS + pair(high)]
    }
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

/// Points of the shapes of a colour in one direction, and in two directions of one cell together.
///
/// Logistic regressions on the results of games between earlier versions of this evaluation; 400
/// points multiply the odds by e. Only shapes from [`Shape::ClosedTwo`] to [`Shape::Four`] count;
/// stronger ones end the game before the evaluation matters.
struct Points {
    single: [i32; RATED],
    /// By the stronger and the weaker shape.
    double: [[i32; RATED]; RATED],
    /// A four and an open three.
    four_three: i32,
    /// Nothing stops a five.
    straight: i32,
    five: i32,
}

/// Number of shapes that have points, from the weakest on.
const RATED: usize = 7;
const WEAKEST: usize = Shape::ClosedTwo as usize;

/// Points of the side to move.
const MOVER: Points = Points {
    single: [4, 9, 1, 13, 46, 48, 58],
    double: [
        [-5, 0, 0, 0, 0, 0, 0],
        [-7, -4, 0, 0, 0, 0, 0],
        [2, 8, 33, 0, 0, 0, 0],
        [-1, 14, 37, 12, 0, 0, 0],
        [-1, 47, 87, 36, 288, 0, 0],
        [13, 90, 173, 51, 283, 443, 0],
        [9, 91, 152, 77, 0, 0, 0],
    ],
    four_three: 900,
    straight: 1_600,
    five: 2_000,
};

/// Points of the other side.
const WAITER: Points = Points {
    single: [2, 6, -1, 15, 35, 34, 62],
    double: [
        [-1, 0, 0, 0, 0, 0, 0],
        [-1, 1, 0, 0, 0, 0, 0],
        [3, 7, 20, 0, 0, 0, 0],
        [-2, 9, 21, 4, 0, 0, 0],
        [2, 10, 24, 0, 55, 0, 0],
        [4, 22, 54, 13, 15, 36, 0],
        [17, 75, 94, 52, 0, 0, 0],
    ],
    four_three: 395,
    straight: 500,
    five: 1_200,
};

impl Points {
    fn of(&self, shapes: [Shape; 4], mark: Mark) -> i32 {
        match mark {
            Mark::Forbidden => return 0,
            Mark::Five => return self.five,
            Mark::Straight => return self.straight,
            _ => {}
        }
        let mut rated = shapes.map(|shape| (shape as usize).wrapping_sub(WEAKEST));
        rated.sort_unstable();
        let mut sum = if mark == Mark::FourThree {
            self.four_three
        } else {
            0
        };
        for (place, &strong) in rated.iter().enumerate() {
            if strong < RATED {
                sum += self.single[strong];
                sum += rated[..place]
                    .iter()
                    .map(|&weak| self.double[strong][weak])
                    .sum::<i32>();
            }
        }
        // Several threes may be forbidden.
        if mark == Mark::Suspect { sum / 4 } else { sum }
    }
}

fn value(shapes: [Shape; 4], restricted: bool) -> CellValue {
    let mark = mark(shapes, restricted);
    CellValue {
        mover: MOVER.of(shapes, mark) as i16,
        waiter: WAITER.of(shapes, mark) as i16,
        mark,
    }
}
