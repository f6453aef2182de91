//! Exact values of small boards, by alpha-beta over the game's own rules.

#![allow(clippy::unwrap_used)] // test code outside a #[test]

use dots_and_boxes::{DotsAndBoxes, Edge, Variant};
use engine_core::{Move, Position, Symmetric};

/// The number of an edge is its bits minus one.
pub(crate) fn bit(edge: Edge) -> u64 {
    1 << (edge.to_bits() - 1)
}

/// Proves bounds on the net boxes to come for the side to move, and stores them by the set of drawn
/// edges, with symmetric sets as one.
pub(crate) struct Solver {
    bounds: Vec<[i8; 2]>,
    /// All edges.
    all: u64,
    /// For each symmetry and each byte of a set, the image of that byte.
    images: Vec<[[u64; 256]; 4]>,
    /// The moves of all nodes on the path; a node owns those after its mark.
    moves: Vec<Edge>,
}

impl Solver {
    /// For positions on the board of `empty`, which has at most 32 edges.
    pub(crate) fn new(empty: &DotsAndBoxes) -> Solver {
        let image = |symmetry, set: u64| {
            let edges = empty
                .legal_moves()
                .into_iter()
                .filter(|&edge| set & bit(edge) != 0);
            edges.fold(0, |image, edge| {
                image | bit(empty.transform_move(symmetry, edge))
            })
        };
        Solver {
            all: image(0, u64::MAX),
            bounds: vec![[0; 2]; 1 << empty.legal_moves().len()],
            images: (0..empty.symmetries())
                .map(|symmetry| {
                    std::array::from_fn(|byte| {
                        std::array::from_fn(|value| image(symmetry, (value as u64) << (8 * byte)))
                    })
                })
                .collect(),
            moves: Vec::new(),
        }
    }

    /// The drawn edges, as a set.
    fn drawn(&self, position: &DotsAndBoxes) -> u64 {
        let open = position
            .legal_moves()
            .into_iter()
            .fold(0, |set, edge| set | bit(edge));
        self.all ^ open
    }

    /// The smallest of the symmetric sets.
    fn canonical(&self, drawn: u64) -> u64 {
        let bytes = (drawn as u32).to_le_bytes();
        let image =
            |table: &[[u64; 256]; 4]| (0..4).fold(0, |set, i| set | table[i][bytes[i] as usize]);
        self.images.iter().map(image).min().unwrap()
    }

    /// Whether the net boxes still to come for the side to move are at least `bound`.
    pub(crate) fn at_least(&mut self, position: &mut DotsAndBoxes, bound: i32) -> bool {
        self.reaches(position, self.drawn(position), bound)
    }

    fn reaches(&mut self, position: &mut DotsAndBoxes, drawn: u64, bound: i32) -> bool {
        let left = position.boxes_left() as i32;
        if bound.abs() > left {
            return bound <= 0;
        }
        let key = self.canonical(drawn) as usize;
        // Stored as distances from the widest bounds, so zeroed memory means no information.
        let [from_below, from_above] = self.bounds[key];
        let (low, high) = (from_below as i32 - left, left - from_above as i32);
        if bound <= low || bound > high {
            return bound <= low;
        }
        let mark = self.moves.len();
        position.generate(0, &mut self.moves);
        if let Some(edge) = self.free_box(position, mark) {
            self.moves.truncate(mark);
            self.moves.push(edge);
        } else {
            // Without safe edges, playing elsewhere while boxes can be captured loses them.
            if self.moves.len() == mark {
                position.generate(1, &mut self.moves);
            }
            position.generate(2, &mut self.moves);
        }
        let reached = (mark..self.moves.len())
            .any(|i| self.edge_reaches(position, drawn, self.moves[i], bound));
        self.moves.truncate(mark);
        self.bounds[key] = if reached {
            [(bound + left) as i8, from_above]
        } else {
            [from_below, (left + 1 - bound) as i8]
        };
        reached
    }

    /// Of the edges after `mark`, which all capture a box, one that makes no other box available.
    /// It is always optimal: it can be drawn before any other edge at no loss, and otherwise the
    /// opponent draws it.
    fn free_box(&mut self, position: &mut DotsAndBoxes, mark: usize) -> Option<Edge> {
        let end = self.moves.len();
        (mark..end)
            .map(|i| self.moves[i])
            .collect::<Vec<_>>()
            .into_iter()
            .find(|&edge| {
                position.play(edge);
                position.generate(0, &mut self.moves);
                position.undo(edge, ());
                let free = self.moves[end..]
                    .iter()
                    .all(|next| self.moves[mark..end].contains(next));
                self.moves.truncate(end);
                free
            })
    }

    /// Whether drawing an edge gains at least `bound` net boxes.
    fn edge_reaches(
        &mut self,
        position: &mut DotsAndBoxes,
        drawn: u64,
        edge: Edge,
        bound: i32,
    ) -> bool {
        let (side, margin) = (position.side(), position.margin());
        position.play(edge);
        let reached = if position.side() == side {
            let gain = position.margin() - margin;
            self.reaches(position, drawn | bit(edge), bound - gain)
        } else {
            !self.reaches(position, drawn | bit(edge), 1 - bound)
        };
        position.undo(edge, ());
        reached
    }

    /// The edges that gain at least `value` net boxes, as a set.
    pub(crate) fn best(&mut self, position: &mut DotsAndBoxes, value: i32) -> u64 {
        let drawn = self.drawn(position);
        position.legal_moves().into_iter().fold(0, |best, edge| {
            let keeps = self.edge_reaches(position, drawn, edge, value);
            if keeps { best | bit(edge) } else { best }
        })
    }
}

/// The empty board of a size.
pub(crate) fn empty(columns: u8, rows: u8) -> DotsAndBoxes {
    let variant = Variant {
        columns,
        rows,
        ..Variant::default()
    };
    variant.start().unwrap()
}

/// A line of the value table.
pub(crate) struct Known {
    pub(crate) empty: DotsAndBoxes,
    pub(crate) position: DotsAndBoxes,
    pub(crate) value: i32,
    pub(crate) best: u64,
    pub(crate) edges: usize,
    pub(crate) line: &'static str,
}

/// The value table. It uses this crate's edge numbers: horizontal edges line by line from the top,
/// then vertical edges row by row.
pub(crate) fn table() -> impl Iterator<Item = Known> {
    let lines = include_str!("../data/dots-and-boxes-values.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split(' ').collect();
        let hex = |text| u64::from_str_radix(text, 16).unwrap();
        let empty = empty(fields[1].parse().unwrap(), fields[0].parse().unwrap());
        let mut position = empty.clone();
        let edges = hex(fields[3]);
        for number in (0..64).filter(|number| edges >> number & 1 == 1) {
            position.play(Edge::from_bits(number + 1));
        }
        Known {
            empty,
            position,
            value: fields[4].parse().unwrap(),
            best: hex(fields[5]),
            edges: fields[2].parse().unwrap(),
            line,
        }
    })
}
