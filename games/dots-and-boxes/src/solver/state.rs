//! A position as the solver sees it: drawn lines, without owners and without settled chains.
//!
//! The solver stops only at *quiet* positions, in which no box can be captured. From one quiet position
//! to the next, a side draws a line and the other side captures what this gives away. Captures leave one
//! choice at most:
//!
//! - Capturing a box is best if all else stays possible. Only the last two boxes of a chain, or the last
//!   four of a path that can be captured from both ends, offer something else: to decline them by one line.
//! - Let R be the position after these k boxes are captured, too. Who captures them moves in R and gets
//!   k + v(R). Who declines them gives them away, and the opponent moves in R: −(k + v(R)). Any line
//!   elsewhere gives them away, too, and gains at most what it gains in R. So the value is |k + v(R)|.
//! - If several such chains are left, v(R) is not negative, since the side has a choice there, too. So it
//!   captures all but one: a path of four first, so that two boxes are left for the choice.
//!
//! Sources: Berlekamp, *The Dots and Boxes Game*, 2000; Barker and Korf, *Solving Dots-And-Boxes*, AAAI
//! 2012. `tests/all/exact.rs` compares the values with minimax over all lines.

use super::settled::{Component, Settled};
use super::shape::{IMAGES, Shape};
use crate::board::Lines;
use crate::geometry::OUTSIDE;
use crate::moves::{Edge, Edges};

/// What a side can capture before the next quiet position.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Captured {
    /// Number of boxes that it captures in any case.
    pub(super) taken: i32,
    /// Number of further boxes that it captures or declines; 0 if it has no choice.
    pub(super) choice: i32,
}

impl Captured {
    /// Number of boxes that are captured or declined.
    pub(super) fn boxes(self) -> i32 {
        self.taken + self.choice
    }
}

/// A chain that can be captured.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// A box with one open line.
    start: u8,
    boxes: i32,
    /// Whether the other end has one open line, too.
    both_ends: bool,
}

impl Open {
    /// Number of boxes that its captor can decline.
    fn choice(self) -> i32 {
        match (self.both_ends, self.boxes) {
            (false, 2..) => 2,
            (true, 4..) => 4,
            _ => 0,
        }
    }
}

/// A position with all its images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    lines: Lines,
    /// The drawn lines under each symmetry; the first is the identity.
    images: [u64; IMAGES],
    settled: Settled,
    /// Boxes without an owner, with the settled ones, less those that cancel each other.
    left: i8,
}

impl State {
    /// The position with these lines, and what the side to move can capture to make it quiet.
    pub(super) fn new(shape: &Shape, drawn: u64) -> (State, Captured) {
        let mut state = State {
            lines: Lines::default(),
            images: [0; IMAGES],
            settled: Settled::default(),
            left: shape.board.box_count() as i8,
        };
        for edge in Edges(shape.in_order(drawn)) {
            state.draw(shape, edge);
        }
        let captured = state.capture(shape);
        state.settle(shape, u64::MAX);
        (state, captured)
    }

    /// Boxes without an owner.
    #[inline]
    pub(super) fn left(&self) -> i32 {
        self.left as i32
    }

    /// The chains and loops off the board.
    #[inline]
    pub(super) fn settled(&self) -> Settled {
        self.settled
    }

    /// Whether only settled chains and loops are left.
    #[inline]
    pub(super) fn is_settled(&self, shape: &Shape) -> bool {
        self.lines.drawn == shape.board.all
    }

    /// Number of open lines on the board plus number of safe ones, 0 to 128.
    #[inline]
    pub(super) fn open_and_safe(&self, shape: &Shape) -> u32 {
        let open = shape.board.all & !self.lines.drawn;
        open.count_ones() + self.lines.safe(shape.board).count_ones()
    }

    /// The smallest image, and the symmetry that leads to it.
    #[inline]
    pub(super) fn least(&self) -> (u64, usize) {
        let mut found = (self.images[0], 0);
        for (symmetry, &image) in self.images.iter().enumerate().skip(1) {
            if image < found.0 {
                found = (image, symmetry);
            }
        }
        found
    }

    /// The lines that give nothing away, one of each set of twins.
    #[inline]
    pub(super) fn safe(&self, shape: &Shape) -> Edges {
        let drawn = self.lines.drawn;
        let safe = self.lines.safe(shape.board);
        let later =
            Edges(safe & shape.later_twins()).filter(|&edge| shape.has_open_twin(drawn, edge));
        Edges(later.fold(safe, |set, edge| set ^ edge.bit()))
    }

    /// One line of each chain that touches a box with more than two open lines. All its lines lead to
    /// the same position; of a chain of two, the one in the middle leaves the captor no choice.
    #[inline]
    pub(super) fn arms(&self, shape: &Shape) -> Edges {
        let mut left = self.lines.twos() & shape.board.horizontal;
        let mut openings = 0;
        while left != 0 {
            let chain = self.walk(shape, left.trailing_zeros() as u8);
            left &= !chain.boxes;
            openings |= chain.opening.bit();
        }
        Edges(openings)
    }

    /// The position after a line of a quiet position, and what the opponent can capture to make it quiet
    /// again.
    #[inline]
    pub(super) fn after(&self, shape: &Shape, edge: Edge) -> (State, Captured) {
        let mut next = *self;
        let before = next.lines.drawn;
        next.draw(shape, edge);
        let captured = next.capture(shape);
        let mut touched = 0;
        for edge in Edges(next.lines.drawn ^ before) {
            touched |= shape.board.boxes[edge.0 as usize];
        }
        next.settle(shape, touched);
        (next, captured)
    }

    /// The same for opening a component off the board.
    pub(super) fn after_opening(&self, component: Component) -> (State, Captured) {
        let mut next = *self;
        next.settled.remove(component);
        next.left -= component.boxes() as i8;
        let choice = component.control();
        let taken = component.boxes() - choice;
        (next, Captured { taken, choice })
    }

    #[inline]
    fn draw(&mut self, shape: &Shape, edge: Edge) -> i32 {
        let closed = self.cross_out(shape, edge);
        self.left -= closed as i8;
        closed
    }

    /// Draws a line, and returns the number of boxes that it closes.
    #[inline]
    fn cross_out(&mut self, shape: &Shape, edge: Edge) -> i32 {
        let closed = self.lines.draw(shape.board, edge);
        for (image, bit) in self.images.iter_mut().zip(shape.images(edge)) {
            *image |= bit;
        }
        (closed & shape.board.horizontal).count_ones() as i32
    }

    /// The open lines of a box.
    #[inline]
    fn open_lines(&self, shape: &Shape, number: u8) -> u64 {
        shape.board.sides[number as usize] & !self.lines.drawn
    }

    /// Captures every box that can be captured.
    fn capture(&mut self, shape: &Shape) -> Captured {
        let mut captured = Captured::default();
        loop {
            let mut last: Option<Open> = None;
            let mut several = false;
            let mut left = self.lines.threes() & shape.board.horizontal;
            if left == 0 {
                return captured;
            }
            let mut free = None;
            while left != 0 {
                let open = self.open_chain(shape, left.trailing_zeros() as u8, &mut left);
                if open.boxes > open.choice() {
                    free = Some(open);
                    break;
                }
                several |= last.is_some();
                if last.is_none_or(|other| other.choice() < open.choice()) {
                    last = Some(open);
                }
            }
            match (free, last) {
                (Some(open), _) => {
                    let boxes = open.boxes - open.choice();
                    captured.taken += self.take(shape, open.start, boxes);
                }
                (None, Some(open)) => {
                    let boxes = self.take(shape, open.start, open.boxes);
                    if several {
                        captured.taken += boxes;
                    } else {
                        captured.choice = boxes;
                    }
                }
                (None, None) => return captured,
            }
        }
    }

    /// The chain that can be captured from a box with one open line. Its boxes are removed from `left`.
    fn open_chain(&self, shape: &Shape, start: u8, left: &mut u64) -> Open {
        *left &= !(1 << start);
        let (mut number, mut boxes) = (start, 1);
        let mut edge = Edge(self.open_lines(shape, number).trailing_zeros() as u8);
        loop {
            number ^= shape.board.across[edge.0 as usize];
            let both_ends = number != OUTSIDE && self.lines.threes() >> number & 1 == 1;
            if both_ends {
                *left &= !(1 << number);
                boxes += 1;
            }
            if both_ends || number == OUTSIDE || self.lines.twos() >> number & 1 == 0 {
                return Open {
                    start,
                    boxes,
                    both_ends,
                };
            }
            boxes += 1;
            let onward = self.open_lines(shape, number) & !edge.bit();
            edge = Edge(onward.trailing_zeros() as u8);
        }
    }

    /// Captures so many boxes of a chain from its start. Returns their number.
    fn take(&mut self, shape: &Shape, start: u8, boxes: i32) -> i32 {
        let (mut number, mut taken) = (start, 0);
        while taken < boxes {
            let edge = Edge(self.open_lines(shape, number).trailing_zeros() as u8);
            number ^= shape.board.across[edge.0 as usize];
            taken += self.draw(shape, edge);
        }
        taken
    }

    /// Takes the chains and loops off the board that contain one of these boxes and touch nothing else.
    fn settle(&mut self, shape: &Shape, touched: u64) {
        let mut left = self.lines.twos() & shape.board.horizontal & touched;
        while left != 0 {
            let chain = self.walk(shape, left.trailing_zeros() as u8);
            left &= !chain.boxes;
            if let Some(component) = chain.component() {
                self.left -= self.settled.insert(component) as i8;
                for edge in Edges(chain.lines) {
                    self.cross_out(shape, edge);
                }
            }
        }
    }

    /// The chain or loop through a box with two open lines.
    fn walk(&self, shape: &Shape, start: u8) -> Chain {
        let mut ways = self.open_lines(shape, start);
        let mut chain = Chain {
            boxes: 1 << start,
            lines: ways,
            opening: Edge(ways.trailing_zeros() as u8),
            ends: [OUTSIDE; 2],
            is_loop: false,
        };
        for way in 0..2 {
            let mut edge = Edge(ways.trailing_zeros() as u8);
            ways &= ways - 1;
            let mut number = start;
            loop {
                number ^= shape.board.across[edge.0 as usize];
                if number == OUTSIDE || self.lines.twos() >> number & 1 == 0 {
                    chain.ends[way] = number;
                    break;
                }
                if number == start {
                    chain.is_loop = true;
                    return chain;
                }
                // In a chain of two, the line between its boxes.
                chain.opening = edge;
                chain.boxes |= 1 << number;
                let onward = self.open_lines(shape, number) & !edge.bit();
                chain.lines |= onward;
                edge = Edge(onward.trailing_zeros() as u8);
            }
        }
        chain
    }
}

/// A chain or loop of boxes with two open lines.
#[derive(Clone, Copy, Debug)]
struct Chain {
    /// The boxes, by their numbers.
    boxes: u64,
    /// Its open lines.
    lines: u64,
    /// A line that opens it: the middle one of a chain of two.
    opening: Edge,
    /// The boxes with more open lines at its ends, or [`OUTSIDE`].
    ends: [u8; 2],
    is_loop: bool,
}

impl Chain {
    /// The chain or loop as a component, if it touches nothing else.
    fn component(&self) -> Option<Component> {
        let boxes = self.boxes.count_ones() as u8;
        if self.is_loop {
            Some(Component::Loop(boxes))
        } else {
            (self.ends == [OUTSIDE; 2]).then_some(Component::Chain(boxes))
        }
    }
}
