//! Forbidden moves on a plain array, by the words of the definitions: every point of every line is
//! tried.

use std::collections::BTreeSet;

use gomoku::{Cell, Colour, Forbidden, Gomoku};

const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

type Point = (i32, i32);

/// A board: what stands on every point.
#[derive(Clone)]
pub(crate) struct Slow {
    pub(crate) size: i32,
    points: Vec<Option<Colour>>,
}

impl Slow {
    pub(crate) fn new(size: u8) -> Slow {
        Slow {
            size: size.into(),
            points: vec![None; usize::from(size) * usize::from(size)],
        }
    }

    pub(crate) fn of(position: &Gomoku) -> Slow {
        let mut slow = Slow::new(position.size());
        for point in slow.all() {
            slow.set(point, position.at(cell(point)));
        }
        slow
    }

    pub(crate) fn all(&self) -> Vec<Point> {
        let size = self.size;
        (0..size)
            .flat_map(|y| (0..size).map(move |x| (x, y)))
            .collect()
    }

    fn is_on(&self, (x, y): Point) -> bool {
        (0..self.size).contains(&x) && (0..self.size).contains(&y)
    }

    pub(crate) fn at(&self, (x, y): Point) -> Option<Colour> {
        self.points[(y * self.size + x) as usize]
    }

    pub(crate) fn set(&mut self, (x, y): Point, colour: Option<Colour>) {
        self.points[(y * self.size + x) as usize] = colour;
    }

    fn is(&self, point: Point, colour: Colour) -> bool {
        self.is_on(point) && self.at(point) == Some(colour)
    }

    fn is_empty(&self, point: Point) -> bool {
        self.is_on(point) && self.at(point).is_none()
    }

    /// The unbroken row of a colour through a point in a direction, in order.
    pub(crate) fn row(&self, (x, y): Point, (dx, dy): Point, colour: Colour) -> Vec<Point> {
        if !self.is((x, y), colour) {
            return Vec::new();
        }
        let mut first = 0;
        while self.is((x + (first - 1) * dx, y + (first - 1) * dy), colour) {
            first -= 1;
        }
        (first..)
            .map(|k| (x + k * dx, y + k * dy))
            .take_while(|&point| self.is(point, colour))
            .collect()
    }

    /// The lengths of the rows of a colour through a point.
    pub(crate) fn lengths(&self, point: Point, colour: Colour) -> [usize; 4] {
        STEPS.map(|step| self.row(point, step, colour).len())
    }

    /// The points of the line through a point.
    fn line(&self, (x, y): Point, (dx, dy): Point) -> Vec<Point> {
        (-self.size..=self.size)
            .map(|k| (x + k * dx, y + k * dy))
            .filter(|&point| self.is_on(point))
            .collect()
    }

    /// What `look` sees after black plays a point.
    fn after<T>(&self, point: Point, look: impl FnOnce(&Slow) -> T) -> T {
        let mut board = self.clone();
        board.set(point, Some(Colour::Black));
        look(&board)
    }

    /// The fours through a black stone: all sets of four stones that one more makes a five.
    fn fours(&self, stone: Point) -> usize {
        let mut fours = BTreeSet::new();
        for step in STEPS {
            for fifth in self.line(stone, step) {
                if !self.is_empty(fifth) {
                    continue;
                }
                let mut five = self.after(fifth, |board| board.row(fifth, step, Colour::Black));
                if five.len() == 5 && five.contains(&stone) {
                    five.retain(|&point| point != fifth);
                    fours.insert(five);
                }
            }
        }
        fours.len()
    }

    /// Whether a black stone is in an unbroken row of four that can become a five at both ends.
    fn is_straight_four(&self, stone: Point, (dx, dy): Point) -> bool {
        let row = self.row(stone, (dx, dy), Colour::Black);
        let [first, .., last] = row[..] else {
            return false;
        };
        let ends = [(first.0 - dx, first.1 - dy), (last.0 + dx, last.1 + dy)];
        let makes_five = |&end: &Point| {
            self.is_empty(end)
                && self.after(end, |board| board.row(end, (dx, dy), Colour::Black).len()) == 5
        };
        row.len() == 4 && ends.iter().all(makes_five)
    }

    /// Whether a black stone is in a three in a direction.
    fn is_three(&self, stone: Point, step: Point) -> bool {
        self.line(stone, step).into_iter().any(|point| {
            self.is_empty(point)
                && self.after(point, |board| {
                    board.is_straight_four(point, step)
                        && board.row(point, step, Colour::Black).contains(&stone)
                        && !board.lengths(point, Colour::Black).contains(&5)
                })
                && self.forbidden(point).is_none()
        })
    }

    /// Why black may not play an empty point.
    pub(crate) fn forbidden(&self, point: Point) -> Option<Forbidden> {
        self.after(point, |board| {
            let lengths = board.lengths(point, Colour::Black);
            if lengths.contains(&5) {
                None
            } else if lengths.iter().any(|&length| length > 5) {
                Some(Forbidden::Overline)
            } else if board.fours(point) > 1 {
                Some(Forbidden::FourFour)
            } else {
                let threes = STEPS.iter().filter(|&&step| board.is_three(point, step));
                (threes.count() > 1).then_some(Forbidden::ThreeThree)
            }
        })
    }

    /// As [`Slow::forbidden`], but taking every straight four for playable: without the recursion.
    pub(crate) fn forbidden_without_recursion(&self, point: Point) -> Option<Forbidden> {
        let verdict = self.forbidden(point);
        let threes = self.after(point, |board| {
            let open = |&&step: &&Point| {
                board.line(point, step).into_iter().any(|next| {
                    board.is_empty(next)
                        && board.after(next, |board| {
                            board.is_straight_four(next, step)
                                && board.row(next, step, Colour::Black).contains(&point)
                        })
                })
            };
            STEPS.iter().filter(open).count()
        });
        let five = self.after(point, |board| {
            board.lengths(point, Colour::Black).contains(&5)
        });
        match verdict {
            None if threes > 1 && !five => Some(Forbidden::ThreeThree),
            verdict => verdict,
        }
    }
}

/// The cell of a point.
pub(crate) fn cell((x, y): Point) -> Cell {
    Cell::new(x as u8, y as u8)
}
