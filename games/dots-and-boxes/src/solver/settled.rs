//! The chains and loops that no longer touch the rest of the board, by their lengths.
//!
//! Where on the board such a chain lies has no effect on the value, so the solver takes it off the board
//! and keeps only its length. Positions that differ in the places of such chains become equal.

use crate::chains::Endgame;

/// A multiset of numbers of boxes, as a bit string from the lowest bit: a 0 makes the length one
/// longer, a 1 is a chain of the present length. Different multisets have different strings. A multiset
/// of at most 25 boxes takes at most 26 bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Lengths(u32);

impl Lengths {
    /// The place of the first chain of this length, or where it would be.
    #[inline]
    fn place(self, length: u32) -> u32 {
        let mut gaps = !self.0;
        for _ in 1..length {
            gaps &= gaps - 1;
        }
        gaps.trailing_zeros() + 1
    }

    fn insert(&mut self, length: u32) {
        let place = self.place(length);
        let below = (1 << place) - 1;
        self.0 = self.0 & below | 1 << place | (self.0 & !below) << 1;
    }

    fn remove(&mut self, length: u32) {
        let place = self.place(length);
        let below = (1 << place) - 1;
        self.0 = self.0 & below | self.0 >> 1 & !below;
    }

    /// The shortest length that is at least `least`.
    #[inline]
    fn shortest(self, least: u32) -> Option<u32> {
        let longer = self.0 >> self.place(least);
        (longer != 0).then(|| least + longer.trailing_zeros())
    }

    /// All lengths, the shortest first.
    fn iter(self) -> impl Iterator<Item = u32> {
        let (mut left, mut length) = (self.0, 0);
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let gap = left.trailing_zeros();
            length += gap;
            left = left >> gap >> 1;
            Some(length)
        })
    }
}

/// A chain or a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Component {
    /// A chain of so many boxes, at least 1.
    Chain(u8),
    /// A loop of so many boxes: an even number, at least 4.
    Loop(u8),
}

impl Component {
    /// Number of boxes.
    pub(super) fn boxes(self) -> i32 {
        match self {
            Component::Chain(length) | Component::Loop(length) => length as i32,
        }
    }

    /// Number of boxes that the side that captures it can decline to keep control: none if the side
    /// that opens a chain of two draws the line between them.
    pub(super) fn control(self) -> i32 {
        match self {
            Component::Chain(..=2) => 0,
            Component::Chain(_) => 2,
            Component::Loop(_) => 4,
        }
    }
}

/// The chains and loops that are off the board. At most 25 boxes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Settled {
    chains: Lengths,
    /// By half their lengths.
    loops: Lengths,
}

impl Settled {
    /// Bits of [`Settled::code`].
    pub(super) const BITS: u32 = 39;

    /// A number that no other chains and loops have.
    #[inline]
    pub(super) fn code(self) -> u64 {
        self.chains.0 as u64 | (self.loops.0 as u64) << 26
    }

    /// Adds a component. Returns the number of boxes that this removes: two chains of one box cancel
    /// each other, and so do two chains of two.
    ///
    /// Opening such a chain of n boxes costs n and gives the move away without a choice. Let R be any
    /// position, and R + C the same with one such chain: v(R + C) ≥ −n − v(R), by opening C. So opening
    /// one of two gains −n − v(R + C), which is at most v(R); and the lines of R gain the same with both chains as without, by
    /// induction. If R is empty, both sides get one chain.
    pub(super) fn insert(&mut self, component: Component) -> i32 {
        if component.control() == 0 && self.contains(component) {
            self.remove(component);
            return 2 * component.boxes();
        }
        self.put(component);
        0
    }

    fn contains(self, component: Component) -> bool {
        let length = component.boxes() as u32;
        self.chains.shortest(length) == Some(length)
    }

    fn put(&mut self, component: Component) {
        match component {
            Component::Chain(length) => self.chains.insert(length as u32),
            Component::Loop(length) => self.loops.insert(length as u32 / 2),
        }
    }

    /// Removes a component that is there.
    pub(super) fn remove(&mut self, component: Component) {
        match component {
            Component::Chain(length) => self.chains.remove(length as u32),
            Component::Loop(length) => self.loops.remove(length as u32 / 2),
        }
    }

    /// The components of which one is best if opening any of them is: a chain of one, a chain of two,
    /// the shortest longer chain, the shortest loop.
    ///
    /// Opening a longer chain (or loop) instead is never better. Let v(n) be the value with a chain of
    /// n ≥ 3 boxes beside any other components. Then v(n) and v(n + 1) differ by at most 1: this holds
    /// for what each line leads to, by induction, and for opening the chain itself. So opening the chain
    /// of m > n boxes loses m − 2 + |v(n) + 2|, which is at least n − 2 + |v(m) + 2|.
    pub(super) fn to_open(self) -> impl Iterator<Item = Component> {
        let one = self.chains.shortest(1).filter(|&length| length == 1);
        let two = self.chains.shortest(2).filter(|&length| length == 2);
        let chains = [one, two, self.chains.shortest(3)];
        let chains = chains.into_iter().flatten();
        let shortest_loop = self.loops.shortest(2);
        chains
            .map(|length| Component::Chain(length as u8))
            .chain(shortest_loop.map(|half| Component::Loop(2 * half as u8)))
    }

    /// Net boxes to come for the side to move, if nothing else is open.
    pub(super) fn value(self) -> i32 {
        let mut endgame = Endgame::EMPTY;
        self.chains
            .iter()
            .for_each(|length| endgame.add_chain(length as i8));
        self.loops
            .iter()
            .for_each(|half| endgame.add_loop(2 * half as i8));
        -endgame.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All multisets of at most so many boxes, as sorted lists of lengths.
    fn multisets(boxes: u32, least: u32) -> Vec<Vec<u32>> {
        let mut all = vec![vec![]];
        for first in least..=boxes {
            for mut rest in multisets(boxes - first, first) {
                rest.insert(0, first);
                all.push(rest);
            }
        }
        all
    }

    #[test]
    fn lengths_come_back_sorted_and_fit() {
        let mut strings = std::collections::HashSet::new();
        for lengths in multisets(25, 1) {
            let mut set = Lengths::default();
            for &length in lengths.iter().rev() {
                set.insert(length);
            }
            assert_eq!(set.iter().collect::<Vec<_>>(), lengths);
            assert!(set.0 < 1 << 26, "{lengths:?}");
            assert!(strings.insert(set.0), "{lengths:?}");
            let least = lengths.iter().copied().find(|&length| length >= 3);
            assert_eq!(set.shortest(3), least);
            if let Some(&some) = lengths.get(lengths.len() / 2) {
                set.remove(some);
                set.insert(some);
                assert_eq!(set.iter().collect::<Vec<_>>(), lengths);
            }
        }
        assert_eq!(strings.len(), 9296, "partitions of 0 to 25");
    }

    /// The value by the components that [`Settled::to_open`] leaves, and by all of them, is that of
    /// [`Endgame`]: proven for all endings of at most 25 boxes.
    #[test]
    fn the_endgame_is_exact_up_to_25_boxes() {
        let mut known = std::collections::HashMap::new();
        let mut count = 0;
        for loops in multisets(12, 2) {
            let in_loops: u32 = 2 * loops.iter().sum::<u32>();
            for chains in multisets(25 - in_loops, 1) {
                let mut settled = Settled::default();
                for &length in &chains {
                    settled.put(Component::Chain(length as u8));
                }
                for &half in &loops {
                    settled.put(Component::Loop(2 * half as u8));
                }
                assert!(settled.code() < 1 << Settled::BITS);
                let value = exhaustive(settled, &mut known);
                assert_eq!(settled.value(), value, "{chains:?} {loops:?}");
                let few = settled.to_open().map(|one| after(settled, one, &mut known));
                assert_eq!(few.max().unwrap_or(0), value, "{chains:?} {loops:?}");
                count += 1;
            }
        }
        assert_eq!(count, known.len());
        assert!(count > 20_000, "{count}");
    }

    /// The value by every component.
    fn exhaustive(settled: Settled, known: &mut std::collections::HashMap<u64, i32>) -> i32 {
        if let Some(&value) = known.get(&settled.code()) {
            return value;
        }
        let chains = settled.chains.iter().map(|n| Component::Chain(n as u8));
        let loops = settled.loops.iter().map(|n| Component::Loop(2 * n as u8));
        let all: Vec<Component> = chains.chain(loops).collect();
        let values = all.into_iter().map(|one| after(settled, one, known));
        let value = values.max().unwrap_or(0);
        known.insert(settled.code(), value);
        value
    }

    /// The value of opening one.
    fn after(
        mut settled: Settled,
        one: Component,
        known: &mut std::collections::HashMap<u64, i32>,
    ) -> i32 {
        settled.remove(one);
        let rest = exhaustive(settled, known);
        let left = one.control();
        let taken = one.boxes() - left;
        -(taken + if left == 0 { rest } else { (left + rest).abs() })
    }
}
