//! The value of the endgame, where every edge gives a box away.
//!
//! The open boxes then form chains and loops. After one side opens a chain, the opponent captures
//! its boxes in sequence. The opponent need not take all: by declining the last two boxes of a
//! chain or the last four of a loop with one edge (double-cross), it makes the opener capture them
//! and open the next chain or loop. So a side that opens a chain of c ≥ 3 boxes loses c − 2 + |v −
//! 2|, where v is the value of the remaining chains and loops to the side that need not open one;
//! for a loop of l boxes it is l − 4 + |v − 4|. A chain of one or two boxes (two, opened by the
//! middle edge) leaves no such choice: c − v. Opening the shortest chain or the shortest loop is
//! always optimal, which leaves few cases.
//!
//! Sources: Berlekamp, *The Dots and Boxes Game*, 2000; Barker and Korf, *Solving Dots-And-Boxes*,
//! AAAI 2012; Buzzard and Ciere, *Playing Simple Loony Dots and Boxes Endgames Optimally*, 2014.

use crate::board::{BOX, Lines};
use crate::geometry::{Geometry, OUTSIDE};
use crate::moves::Edge;

/// Capacity: 25 boxes cannot hold more chains or loops.
const MOST: usize = 32;

/// A short list of lengths.
#[derive(Clone, Copy, Debug)]
struct Lengths {
    items: [i8; MOST],
    count: usize,
}

impl Lengths {
    const NONE: Lengths = Lengths {
        items: [0; MOST],
        count: 0,
    };

    /// Inserts a length; the list stays sorted, longest first.
    fn insert(&mut self, length: i8) {
        let mut at = self.count;
        while at > 0 && self.items[at - 1] < length {
            self.items[at] = self.items[at - 1];
            at -= 1;
        }
        self.items[at] = length;
        self.count += 1;
    }

    fn longest_first(&self) -> &[i8] {
        &self.items[..self.count]
    }
}

/// Independent chains and loops, all unopened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Endgame {
    chains: Lengths,
    loops: Lengths,
}

impl Endgame {
    pub(crate) const EMPTY: Endgame = Endgame {
        chains: Lengths::NONE,
        loops: Lengths::NONE,
    };

    pub(crate) fn add_chain(&mut self, length: i8) {
        self.chains.insert(length);
    }

    pub(crate) fn add_loop(&mut self, length: i8) {
        self.loops.insert(length);
    }

    /// Net boxes still to come for the side that need not open, with best play.
    pub(crate) fn value(&self) -> i32 {
        // values[j]: for the longest chains so far and the j longest loops.
        let mut values = [0i8; MOST];
        let loops = self.loops.longest_first();
        for (j, &length) in loops.iter().enumerate() {
            values[j + 1] = open_loop(length, values[j]);
        }
        for &chain in self.chains.longest_first() {
            values[0] = open_chain(chain, values[0]);
            for (j, &length) in loops.iter().enumerate() {
                values[j + 1] = open_chain(chain, values[j + 1]).min(open_loop(length, values[j]));
            }
        }
        values[loops.len()] as i32
    }
}

/// Loss by opening a chain, if the remaining chains and loops are worth `rest` to the side that
/// need not open.
fn open_chain(length: i8, rest: i8) -> i8 {
    if length < 3 {
        length - rest
    } else {
        length - 2 + (rest - 2).abs()
    }
}

/// As [`open_chain`], for a loop.
fn open_loop(length: i8, rest: i8) -> i8 {
    length - 4 + (rest - 4).abs()
}

/// A chain of boxes with two open edges each, as an arc of a graph whose nodes are the boxes with
/// more open edges.
#[derive(Clone, Copy, Debug)]
struct Arm {
    length: i8,
    /// The boxes with three or four open edges at its ends, or [`OUTSIDE`].
    ends: [u8; 2],
}

/// The chains and loops of a position in which no box has a single open edge and every edge gives a
/// box away.
///
/// Three or four chains that meet in a box (a joint) depend on each other. The code assumes that
/// the shortest of them is opened first, which merges the last two and the joint into one chain.
/// This is nearly always right, and exact without joints.
pub(crate) fn endgame(board: &Geometry, lines: &Lines) -> Endgame {
    let mut endgame = Endgame::EMPTY;
    let mut arms = [Arm {
        length: 0,
        ends: [OUTSIDE; 2],
    }; MOST];
    let mut count = 0;
    let mut left = lines.twos();
    while left & board.horizontal != 0 {
        let start = left.trailing_zeros() as u8;
        match walk(board, lines, start, &mut left) {
            (length, None) => endgame.add_loop(length),
            (length, Some([OUTSIDE, OUTSIDE])) => endgame.add_chain(length),
            (length, Some(ends)) => {
                arms[count] = Arm { length, ends };
                count += 1;
            }
        }
    }
    if count > 0 {
        Knot { arms, count }.untie(&mut endgame);
    }
    endgame
}

/// The length of the chain or loop through a box with two open edges, and the ends of a chain.
/// Removes its boxes from `left`.
fn walk(board: &Geometry, lines: &Lines, start: u8, left: &mut u64) -> (i8, Option<[u8; 2]>) {
    let mut length = 1;
    let mut ends = [OUTSIDE; 2];
    *left &= !(1 << start);
    let mut ways = board.sides[start as usize] & !lines.drawn;
    for end in &mut ends {
        let mut edge = ways.trailing_zeros() as usize;
        ways &= ways - 1;
        let mut number = start;
        loop {
            number ^= board.across[edge];
            if number == OUTSIDE || lines.twos() >> number & 1 == 0 {
                *end = number;
                break;
            }
            if number == start {
                return (length, None);
            }
            *left &= !(1 << number);
            length += 1;
            let onward = board.sides[number as usize] & !lines.drawn & !(1 << edge);
            edge = onward.trailing_zeros() as usize;
        }
    }
    (length, Some(ends))
}

/// Arms that meet in joints.
struct Knot {
    arms: [Arm; MOST],
    count: usize,
}

impl Knot {
    /// Opens the shortest arm until none is left.
    fn untie(mut self, endgame: &mut Endgame) {
        while self.count > 0 {
            let arm = self.take_shortest();
            endgame.add_chain(arm.length);
            for joint in arm.ends {
                if joint != OUTSIDE {
                    self.join(joint, endgame);
                }
            }
        }
    }

    /// Removes the shortest arm, preferably one with different ends.
    fn take_shortest(&mut self) -> Arm {
        let rank = |arm: &Arm| (arm.ends[0] == arm.ends[1], arm.length);
        let shortest = (1..self.count).fold(0, |best, i| {
            if rank(&self.arms[i]) < rank(&self.arms[best]) {
                i
            } else {
                best
            }
        });
        self.remove(shortest)
    }

    fn remove(&mut self, at: usize) -> Arm {
        let arm = self.arms[at];
        self.count -= 1;
        self.arms[at] = self.arms[self.count];
        arm
    }

    /// If only two arm ends still meet in `joint`, merges them and the joint into one arm; if one
    /// end is left, the joint extends that arm.
    fn join(&mut self, joint: u8, endgame: &mut Endgame) {
        let ends_at = |arm: &Arm| arm.ends.iter().filter(|&&end| end == joint).count();
        let meeting: usize = self.arms[..self.count].iter().map(ends_at).sum();
        if !(1..=2).contains(&meeting) {
            return;
        }
        let mut joined = Arm {
            length: 1,
            ends: [OUTSIDE; 2],
        };
        let mut far = 0;
        let mut i = 0;
        while i < self.count {
            if ends_at(&self.arms[i]) == 0 {
                i += 1;
                continue;
            }
            let arm = self.remove(i);
            joined.length += arm.length;
            if let Some(&end) = arm.ends.iter().find(|&&end| end != joint) {
                joined.ends[far] = end;
                far += 1;
            }
        }
        if far == 0 {
            endgame.add_loop(joined.length);
        } else if joined.ends == [OUTSIDE; 2] {
            endgame.add_chain(joined.length);
        } else {
            self.arms[self.count] = joined;
            self.count += 1;
        }
    }
}

/// The boxes that can be captured at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Harvest {
    /// Number of boxes that can be captured.
    pub(crate) boxes: i32,
    /// Number of boxes to decline so that the opponent must open next: 2 (a chain) or 4 (a loop).
    pub(crate) control: Option<i32>,
}

impl Harvest {
    /// Points for the capturing side, if the remaining position is worth `rest` points to the side
    /// that need not move.
    pub(crate) fn value(self, rest: i32) -> i32 {
        let all = BOX * self.boxes - rest;
        match self.control {
            Some(left) => all.max(BOX * (self.boxes - 2 * left) + rest),
            None => all,
        }
    }
}

/// Captures every available box, chain by chain.
pub(crate) fn harvest(board: &Geometry, lines: &mut Lines) -> Harvest {
    let mut harvest = Harvest::default();
    loop {
        let threes = lines.threes() & board.horizontal;
        if threes == 0 {
            return harvest;
        }
        let (boxes, control) = take_chain(board, lines, threes.trailing_zeros() as u8);
        harvest.boxes += boxes;
        harvest.control = match (harvest.control, control) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
}

/// Captures the chain that begins at a box with one open edge. Returns its length and the number of
/// boxes to decline to keep control, if that is possible.
fn take_chain(board: &Geometry, lines: &mut Lines, mut number: u8) -> (i32, Option<i32>) {
    let mut boxes = 0;
    loop {
        let open = board.sides[number as usize] & !lines.drawn;
        let edge = open.trailing_zeros() as u8;
        number ^= board.across[edge as usize];
        let both_ends_open = number != OUTSIDE && lines.threes() >> number & 1 == 1;
        lines.draw(board, Edge(edge));
        boxes += 1;
        if both_ends_open {
            boxes += 1;
            return (boxes, (boxes >= 4).then_some(4));
        }
        if number == OUTSIDE || lines.threes() >> number & 1 == 0 {
            return (boxes, (boxes >= 2).then_some(2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(chains: &[i8], loops: &[i8]) -> i32 {
        let mut endgame = Endgame::EMPTY;
        chains.iter().for_each(|&length| endgame.add_chain(length));
        loops.iter().for_each(|&length| endgame.add_loop(length));
        endgame.value()
    }

    /// The same value from all chains and loops, not only the shortest.
    fn exhaustive(chains: &[i8], loops: &[i8]) -> i32 {
        let without = |list: &[i8], i: usize| [&list[..i], &list[i + 1..]].concat();
        let by_chain = (0..chains.len())
            .map(|i| open_chain(chains[i], exhaustive(&without(chains, i), loops) as i8) as i32);
        let by_loop = (0..loops.len())
            .map(|i| open_loop(loops[i], exhaustive(chains, &without(loops, i)) as i8) as i32);
        by_chain.chain(by_loop).min().unwrap_or(0)
    }

    #[test]
    fn textbook_endings() {
        assert_eq!(value(&[], &[]), 0);
        assert_eq!(value(&[7], &[]), 7);
        assert_eq!(value(&[], &[8]), 8);
        // Two chains: all but two of the first, all of the second, minus the two declined.
        assert_eq!(value(&[3, 5], &[]), 1 + 3);
        // Twice all but two, minus the two each time, then the whole last chain.
        assert_eq!(value(&[4, 4, 4], &[]), 4);
        assert_eq!(value(&[5, 5, 5], &[]), 7);
        // One box, then the opponent must open the chain.
        assert_eq!(value(&[1, 6], &[]), 1 - 6);
        assert_eq!(value(&[1, 2, 6], &[]), 1 - 2 + 6);
        // Control of two loops of four costs as much as it gains.
        assert_eq!(value(&[], &[4, 4]), 0);
        // The loop is opened first: all four boxes, then the opponent gets the chain.
        assert_eq!(value(&[3], &[4]), 4 - 3);
    }

    #[test]
    fn opening_the_shortest_first_is_best() {
        let mut rng = engine_core::Rng::new(1);
        let mut pick = |from: &[i8], most: u32| -> Vec<i8> {
            (0..rng.below(most + 1))
                .map(|_| from[rng.below(from.len() as u32) as usize])
                .collect()
        };
        for _ in 0..500 {
            let (chains, loops) = (pick(&[1, 1, 2, 2, 3, 3, 4, 5, 7], 5), pick(&[4, 6, 8], 2));
            assert_eq!(
                value(&chains, &loops),
                exhaustive(&chains, &loops),
                "{chains:?} {loops:?}"
            );
        }
    }
}
