//! Forbidden moves of black, as the International Rules of Renju define them (Renju International
//! Federation, 1996, sections 3 and 9).
//!
//! - *Five*: exactly five in a row. A move that makes one wins, whatever else it makes.
//! - *Overline*: six or more in a row.
//! - *Four*: four stones on a line that one more stone makes a five. A point whose stone makes an
//!   overline completes no four. A row of four with two such points, the *straight four*, is one
//!   four; one line can also hold two (`●_●●●_●`, `●●_●●_●●`).
//! - *Three*: three stones on a line that one more stone makes a straight four. That stone must not
//!   make a five elsewhere, and must not itself be forbidden.
//! - A stone that makes an overline, two fours or more, or two threes or more is forbidden.
//!
//! The definition of a three refers to forbidden moves, so it is recursive. The recursion ends: every
//! level puts one more black stone on an empty point. It is also unambiguous, because a verdict
//! depends only on verdicts about positions with more stones.
//!
//! A line holds at most one three through a point: the straight four that completes it needs an
//! empty point and then no black stone on both sides, which leaves no room for three stones of
//! another. So two threes are on two lines.

use engine_core::rows::Bits;

use crate::board::{Colour, Gomoku};
use crate::geometry::{Cell, Lines, cell_on_line, exact_fives, lines_through};

/// Why a move is forbidden. If there are several reasons, the first of overline, four-four,
/// three-three.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Forbidden {
    /// Two threes or more at once.
    ThreeThree,
    /// Two fours or more at once.
    FourFour,
    /// Six or more in a row.
    Overline,
}

impl Forbidden {
    /// All kinds.
    pub const ALL: [Forbidden; 3] = [
        Forbidden::ThreeThree,
        Forbidden::FourFour,
        Forbidden::Overline,
    ];

    /// The name: `three-three`.
    pub const fn name(self) -> &'static str {
        match self {
            Forbidden::ThreeThree => "three-three",
            Forbidden::FourFour => "four-four",
            Forbidden::Overline => "overline",
        }
    }
}

/// What a stone of black makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Five,
    Forbidden(Forbidden),
    Allowed,
}

impl Gomoku {
    /// Why a black stone on an empty cell would be forbidden by the rules of Renju; `None` if it is
    /// not, or if it makes a five. It does not depend on the variant or the side to move.
    #[inline]
    pub fn forbidden(&self, cell: Cell) -> Option<Forbidden> {
        if !may_be_forbidden(self.lines(Colour::Black), cell) {
            return None;
        }
        self.examined(cell)
    }

    fn examined(&self, cell: Cell) -> Option<Forbidden> {
        let mut board = Board {
            black: *self.lines(Colour::Black),
            white: self.lines(Colour::White),
            masks: self.masks(),
        };
        match board.verdict(cell) {
            Verdict::Forbidden(forbidden) => Some(forbidden),
            Verdict::Five | Verdict::Allowed => None,
        }
    }
}

/// Whether there are enough stones near an empty cell for a forbidden move: two on each of two
/// lines, or four on one.
#[inline]
fn may_be_forbidden(black: &Lines, cell: Cell) -> bool {
    let mut lines = 0;
    for (line, bit) in lines_through(cell) {
        // Five cells to either side: the sixth stone of an overline is that far.
        let near = ((black[line] as u64) << 5 >> bit & 0b111_1111_1111).count_ones();
        lines += u32::from(near >= 2) + u32::from(near >= 4);
    }
    lines >= 2
}

/// The stones, on which black's are tried.
struct Board<'a> {
    black: Lines,
    white: &'a Lines,
    masks: &'a Lines,
}

impl Board<'_> {
    fn verdict(&mut self, cell: Cell) -> Verdict {
        if !may_be_forbidden(&self.black, cell) {
            return if self.makes_five(cell) {
                Verdict::Five
            } else {
                Verdict::Allowed
            };
        }
        let (mut fours, mut overline) = (0, false);
        let mut threes = [0; 4];
        for (three, (line, bit)) in threes.iter_mut().zip(lines_through(cell)) {
            let black = self.black[line] | 1 << bit;
            let empty = self.masks[line] & !(black | self.white[line]);
            if exact_fives(black) & covering(5, bit) != 0 {
                return Verdict::Five;
            }
            overline |= overlines(black) & covering(6, bit) != 0;
            let completed = windows_of_four(black, empty) & covering(5, bit);
            // Two adjacent windows are those of a straight four.
            fours += (completed & !(completed >> 1)).count_ones();
            *three = windows_of_three(black, empty) & covering(4, bit);
        }
        if overline {
            Verdict::Forbidden(Forbidden::Overline)
        } else if fours >= 2 {
            Verdict::Forbidden(Forbidden::FourFour)
        } else if self.has_two_threes(cell, threes) {
            Verdict::Forbidden(Forbidden::ThreeThree)
        } else {
            Verdict::Allowed
        }
    }

    fn makes_five(&self, cell: Cell) -> bool {
        lines_through(cell)
            .into_iter()
            .any(|(line, bit)| exact_fives(self.black[line] | 1 << bit) & covering(5, bit) != 0)
    }

    /// Whether two of the lines through `cell` have a three after a stone there. `windows` are those
    /// of each line that one more stone would make a straight four.
    fn has_two_threes(&mut self, cell: Cell, windows: [u32; 4]) -> bool {
        if windows.iter().filter(|&&windows| windows != 0).count() < 2 {
            return false;
        }
        let through = lines_through(cell);
        for (line, bit) in through {
            self.black[line] |= 1 << bit;
        }
        let is_three = |board: &mut Self, (&windows, &(line, _)): (&u32, &(usize, u32))| {
            Bits(windows).any(|first| board.completes_three(line, first))
        };
        let threes = windows.iter().zip(&through);
        let count = threes.filter(|&three| is_three(self, three)).count();
        for (line, bit) in through {
            self.black[line] &= !(1 << bit);
        }
        count >= 2
    }

    /// Whether black may play the empty cell of the window of four that begins at `first` of a line,
    /// and makes no five there.
    fn completes_three(&mut self, line: usize, first: usize) -> bool {
        let gap = !self.black[line] & 0b1111 << first;
        let cell = cell_on_line(line, gap.trailing_zeros() as usize);
        self.verdict(cell) == Verdict::Allowed
    }
}

/// The first bits of all windows of `length` cells that contain bit `bit`.
#[inline(always)]
fn covering(length: u32, bit: u32) -> u32 {
    let window = (1 << length) - 1;
    ((window as u64) << bit >> (length - 1)) as u32
}

/// The first bits of all runs of six set bits.
#[inline(always)]
fn overlines(line: u32) -> u32 {
    let threes = line & line >> 1 & line >> 2;
    threes & threes >> 3
}

/// The first bits of the windows of five cells with four black stones and one empty cell that a
/// stone there makes exactly five in a row.
#[inline(always)]
fn windows_of_four(black: u32, empty: u32) -> u32 {
    let free = black | empty;
    let twos = free & free >> 1;
    let open = twos & twos >> 2 & free >> 4;
    let (one, more) = (0..5).fold((0, 0), |(one, more), k| {
        let empty = empty >> k;
        (one | empty, more | one & empty)
    });
    open & one & !more & !(black << 1) & !(black >> 5)
}

/// The first bits of the windows of four cells with three black stones and one empty cell that a
/// stone there makes a straight four: the cells beside it are empty, and a stone on either makes
/// exactly five in a row.
#[inline(always)]
fn windows_of_three(black: u32, empty: u32) -> u32 {
    let free = black | empty;
    let twos = free & free >> 1;
    let open = twos & twos >> 2;
    let (one, more) = (0..4).fold((0, 0), |(one, more), k| {
        let empty = empty >> k;
        (one | empty, more | one & empty)
    });
    open & one & !more & empty << 1 & empty >> 4 & !(black << 2) & !(black >> 5)
}
