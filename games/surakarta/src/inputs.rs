//! What learned weights see: the contents of groups of points (n-tuples; Lucas, *Learning to Play
//! Othello with N-Tuple Systems*, 2008), and the numbers of pieces.
//!
//! The groups are lines, corners of the board, and the two lines that an arc joins, where captures
//! come from. Contents that a symmetry of the board maps to each other are one input.

use std::sync::LazyLock;

use engine_core::learned::{Change, Inputs};
use engine_core::{Position, Side};

use crate::board::Surakarta;
use crate::geometry::{MOST_PIECES, POINT, POINTS, SIZE, STATIONS, SYMMETRIES, transform};
use crate::moves::Action;

/// Maximum number of points of a group.
const MOST_POINTS: usize = 9;
/// Stations on each side of an arc that its group has.
const NEAR_ARC: usize = 5;

/// A group of points on the board.
struct Group {
    points: Vec<u8>,
    /// The input of each content for `First` and for `Second`. The points are the digits of the
    /// content in base 3, the first point the lowest: 0 empty, 1 `First`, 2 `Second`.
    inputs: Vec<[u32; 2]>,
}

impl Group {
    /// The inputs of the group in a position with these points occupied by both sides.
    #[inline]
    fn inputs(&self, occupied: [u64; 2]) -> [u32; 2] {
        let digits = self.points.iter().rev().map(|&point| {
            let at = |set: u64| (set >> point & 1) as usize;
            at(occupied[0]) + 2 * at(occupied[1])
        });
        self.inputs[digits.fold(0, |content, digit| 3 * content + digit)]
    }
}

/// All groups.
struct Groups {
    groups: Vec<Group>,
    /// The groups that contain each point, one bit each.
    with: [u64; POINTS],
    /// Number of inputs of groups.
    count: u32,
}

static GROUPS: LazyLock<Groups> = LazyLock::new(Groups::new);

/// The number of pieces is one input, after those of the groups.
const COUNTS: usize = (MOST_PIECES + 1) * (MOST_PIECES + 1);

impl Groups {
    fn new() -> Groups {
        let mut groups = Groups {
            groups: Vec::new(),
            with: [0; POINTS],
            count: 0,
        };
        for row in 0..SIZE as u8 / 2 {
            groups.add(&(0..6).map(|column| 6 * row + column).collect::<Vec<u8>>());
        }
        groups.add(&[0, 1, 2, 6, 7, 8, 12, 13, 14]);
        for a_loop in POINT.chunks_exact(STATIONS) {
            // The arc after the first line.
            let mut points = a_loop[SIZE - NEAR_ARC..SIZE + NEAR_ARC].to_vec();
            points.sort_unstable();
            points.dedup();
            groups.add(&points);
        }
        groups
    }

    /// Adds the images of a group under all symmetries. They share their inputs.
    fn add(&mut self, points: &[u8]) {
        assert!(
            points.len() <= MOST_POINTS,
            "contents are numbers in base 3"
        );
        let image =
            |symmetry| -> Vec<u8> { points.iter().map(|&p| transform(symmetry, p)).collect() };
        let sorted = |mut points: Vec<u8>| {
            points.sort_unstable();
            points
        };
        let set = sorted(points.to_vec());
        let onto_itself: Vec<Vec<u8>> = (0..SYMMETRIES)
            .map(image)
            .filter(|image| sorted(image.clone()) == set)
            .collect();
        let place = |point: &u8| points.iter().position(|p| p == point).expect("onto itself");
        let orders: Vec<Vec<usize>> = (onto_itself.iter())
            .map(|image| image.iter().map(place).collect())
            .collect();
        let inputs = self.number(points.len(), &orders);
        let mut sets = Vec::new();
        for symmetry in 0..SYMMETRIES {
            let points = image(symmetry);
            let set = sorted(points.clone());
            if !sets.contains(&set) {
                sets.push(set);
                for &point in &points {
                    self.with[point as usize] |= 1 << self.groups.len();
                }
                let inputs = inputs.clone();
                self.groups.push(Group { points, inputs });
            }
        }
    }

    /// Numbers the contents of a group: those that an order of its points maps to each other share
    /// a number.
    fn number(&mut self, points: usize, orders: &[Vec<usize>]) -> Vec<[u32; 2]> {
        let contents = 3usize.pow(points as u32);
        let digit = |content: usize, place: usize| content / 3usize.pow(place as u32) % 3;
        let mapped = |content: usize, order: &Vec<usize>| -> usize {
            let digits = order.iter().enumerate();
            digits
                .map(|(to, &from)| digit(content, from) * 3usize.pow(to as u32))
                .sum()
        };
        let exchanged = |content: usize| -> usize {
            let other = |place| [0, 2, 1][digit(content, place)] * 3usize.pow(place as u32);
            (0..points).map(other).sum()
        };
        let mut numbers = vec![u32::MAX; contents];
        for content in 0..contents {
            if numbers[content] == u32::MAX {
                for order in orders {
                    numbers[mapped(content, order)] = self.count;
                }
                self.count += 1;
            }
        }
        let both = |content: usize| [numbers[content], numbers[exchanged(content)]];
        (0..contents).map(both).collect()
    }

    /// The inputs of the numbers of pieces.
    fn counts(&self, occupied: [u64; 2]) -> [u32; 2] {
        let [first, second] = occupied.map(u64::count_ones);
        let input = |own, other| self.count + own * (MOST_PIECES as u32 + 1) + other;
        [input(first, second), input(second, first)]
    }
}

/// The inputs of Surakarta.
#[derive(Clone)]
pub struct Tuples {
    groups: &'static Groups,
}

impl Inputs<Surakarta> for Tuples {
    const NAME: &'static str = "surakarta-tuples-1";

    fn of(_: &Surakarta) -> Tuples {
        Tuples { groups: &GROUPS }
    }

    fn count(&self) -> usize {
        self.groups.count as usize + COUNTS
    }

    fn active(&self, position: &Surakarta, viewer: Side, out: &mut Vec<u32>) {
        let occupied = Side::BOTH.map(|side| position.pieces(side).points);
        let groups = self.groups.groups.iter();
        out.extend(groups.map(|group| group.inputs(occupied)[viewer.index()]));
        out.push(self.groups.counts(occupied)[viewer.index()]);
    }

    fn change(&self, before: &Surakarta, mv: Action, changes: &mut [Change; 2]) {
        let old = Side::BOTH.map(|side| before.pieces(side).points);
        let (own, other) = (before.side().index(), before.side().opponent().index());
        let mut new = old;
        new[own] ^= 1 << mv.from | 1 << mv.to;
        new[other] &= !(1 << mv.to);
        let mut replace = |old: [u32; 2], new: [u32; 2]| {
            for (viewer, change) in changes.iter_mut().enumerate() {
                change.removed.push(old[viewer]);
                change.added.push(new[viewer]);
            }
        };
        let mut groups = self.groups.with[mv.from as usize] | self.groups.with[mv.to as usize];
        while groups != 0 {
            let group = &self.groups.groups[groups.trailing_zeros() as usize];
            groups &= groups - 1;
            replace(group.inputs(old), group.inputs(new));
        }
        if old[other] != new[other] {
            replace(self.groups.counts(old), self.groups.counts(new));
        }
    }
}
