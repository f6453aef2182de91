//! How many stones a colour still needs to join its edges, with bridges at no cost.

use crate::bits::Bits;
use crate::board::{Colour, Hex};

/// Paths longer than this are taken for none.
const LONGEST: usize = 32;

/// What is known of a colour's shortest paths from edge to edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Paths {
    /// Stones that the shortest still needs, every step of it to a neighbour or over a bridge;
    /// `None` if there is no path.
    pub(crate) stones: Option<u32>,
    /// Empty cells that lie on a shortest path.
    pub(crate) cells: u32,
    /// Empty cells on a path that needs one stone more, but on no shortest one.
    pub(crate) detour_cells: u32,
}

/// The masks of a board of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane<B> {
    size: u8,
    board: B,
    /// The first column, and all others.
    left: B,
    not_left: B,
    right: B,
    not_right: B,
    top: B,
    bottom: B,
}

/// Cells by the number of stones that reach them from an edge, from 1.
type Levels<B> = [B; LONGEST + 1];

impl<B: Bits> Plane<B> {
    /// The masks for boards of `size`, at most [`Bits::STRIDE`].
    pub(crate) fn new(size: u8) -> Plane<B> {
        let all_rows =
            |cells: u32| (0..size as u32).fold(B::EMPTY, |bits, row| bits | B::row(cells, row));
        let (left, right) = (all_rows(1), all_rows(1 << (size - 1)));
        let full_row = (1 << size) - 1;
        Plane {
            size,
            board: all_rows(full_row),
            left,
            not_left: !left,
            right,
            not_right: !right,
            top: B::row(full_row, 0),
            bottom: B::row(full_row, size as u32 - 1),
        }
    }

    /// The shortest paths of both colours, red first.
    pub(crate) fn paths(&self, position: &Hex) -> [Paths; 2] {
        let [red, blue] =
            [Colour::Red, Colour::Blue].map(|colour| B::pack(position.stones(colour), self.size));
        let empty = self.board & !(red | blue);
        let bridged = |edge: B, one: usize, other: usize| {
            let edge_cells = edge & empty;
            edge | self.step(edge_cells, one) & self.step(edge_cells, other)
        };
        let vertical = [bridged(self.top, 3, 4), bridged(self.bottom, 0, 1)];
        let horizontal = [bridged(self.left, 1, 2), bridged(self.right, 4, 5)];
        [
            self.paths_between(red, empty, vertical),
            self.paths_between(blue, empty, horizontal),
        ]
    }

    /// The shortest paths over `own` and `empty` cells between two edges, each given as the cells
    /// that touch it or have a bridge to it.
    fn paths_between(&self, own: B, empty: B, edges: [B; 2]) -> Paths {
        let mut from = [B::EMPTY; LONGEST + 1];
        let mut back = [B::EMPTY; LONGEST + 1];
        let stones = self.levels(own, empty, edges[0], edges[1], &mut from);
        let (mut cells, mut detour) = (B::EMPTY, B::EMPTY);
        if let Some(stones) = stones {
            self.levels(own, empty, edges[1], edges[0], &mut back);
            for i in 1..=stones {
                cells = cells | from[i] & back[stones + 1 - i];
                if i > 1 {
                    detour = detour | from[i] & back[stones + 2 - i];
                }
            }
        }
        Paths {
            stones: stones.map(|stones| stones as u32),
            cells: cells.count(),
            detour_cells: (detour & !cells).count(),
        }
    }

    /// Fills `levels` and returns the number of stones needed from `edge` to `goal`.
    fn levels(&self, own: B, empty: B, edge: B, goal: B, levels: &mut Levels<B>) -> Option<usize> {
        let mut reached = B::EMPTY;
        let mut near = edge;
        for stones in 0..LONGEST {
            loop {
                let joined = near & own & !reached;
                if joined == B::EMPTY {
                    break;
                }
                reached = reached | joined;
                near = edge | self.near(reached, empty);
            }
            if reached & goal != B::EMPTY {
                return Some(stones);
            }
            let next = near & empty & !reached;
            if next == B::EMPTY {
                return None;
            }
            levels[stones + 1] = next;
            reached = reached | next;
            near = near | self.near(reached, empty);
        }
        None
    }

    /// The neighbours of `cells`, and the ends of bridges from them: both cells between are empty.
    #[inline(always)]
    fn near(&self, cells: B, empty: B) -> B {
        let around: [B; 6] = std::array::from_fn(|direction| self.step(cells, direction));
        let open = around.map(|cells| cells & empty);
        (0..6).fold(B::EMPTY, |near, one| {
            let other = (one + 1) % 6;
            near | around[one] | self.step(open[one], other) & self.step(open[other], one)
        })
    }

    /// All cells moved to a neighbour, in the order of [`crate::geometry::STEPS`]; those that leave
    /// the board vanish.
    #[inline(always)]
    fn step(&self, cells: B, direction: usize) -> B {
        match direction {
            0 => cells.down(B::STRIDE),
            1 => (cells & self.not_right).down(B::STRIDE - 1),
            2 => (cells & self.not_right).up(1),
            3 => cells.up(B::STRIDE) & self.board,
            4 => (cells & self.not_left).up(B::STRIDE - 1) & self.board,
            _ => (cells & self.not_left).down(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Wide;
    use crate::geometry::{Cell, STEPS};
    use crate::variant::Variant;
    use engine_core::{Playout, Position, Rng};

    /// The distance by relaxing a table of cells until nothing changes: slow, and obvious.
    fn slow_distance(position: &Hex, colour: Colour) -> Option<u32> {
        let size = position.size() as i32;
        let at = |x: i32, y: i32| position.colour_at(Cell::new(x as u8, y as u8));
        let on_board = |x: i32, y: i32| (0..size).contains(&x) && (0..size).contains(&y);
        let empty = |x: i32, y: i32| on_board(x, y) && at(x, y).is_none();
        let steps = STEPS.map(|(dx, dy)| (dx as i32, dy as i32));
        // Places one step outside stand for the edges: 0 the first, 1 the second.
        let edge = |x: i32, y: i32| match colour {
            Colour::Red if y < 0 => Some(0),
            Colour::Red if y >= size => Some(1),
            Colour::Blue if x < 0 => Some(0),
            Colour::Blue if x >= size => Some(1),
            _ => None,
        };
        let touched = |x: i32, y: i32| -> Vec<(i32, i32)> {
            let mut found = Vec::new();
            for i in 0..6 {
                let ((ax, ay), (bx, by)) = (steps[i], steps[(i + 1) % 6]);
                found.push((x + ax, y + ay));
                if empty(x + ax, y + ay) && empty(x + bx, y + by) {
                    found.push((x + ax + bx, y + ay + by));
                }
            }
            found
        };
        let cost = |x: i32, y: i32| match at(x, y) {
            None => Some(1),
            Some(found) if found == colour => Some(0),
            Some(_) => None,
        };
        let mut best = vec![u32::MAX; (size * size) as usize];
        loop {
            let mut changed = false;
            for i in 0..size * size {
                let (x, y) = (i % size, i / size);
                let Some(cost) = cost(x, y) else { continue };
                for (tx, ty) in touched(x, y) {
                    let before = if edge(tx, ty) == Some(0) {
                        0
                    } else if on_board(tx, ty) {
                        best[(ty * size + tx) as usize]
                    } else {
                        continue;
                    };
                    if before.saturating_add(cost) < best[i as usize] {
                        best[i as usize] = before + cost;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        (0..size * size)
            .filter(|i| {
                touched(i % size, i / size)
                    .into_iter()
                    .any(|(x, y)| edge(x, y) == Some(1))
            })
            .map(|i| best[i as usize])
            .min()
            .filter(|&stones| stones != u32::MAX)
    }

    fn board(size: u8) -> Hex {
        Hex::empty_board(Variant {
            size,
            ..Variant::default()
        })
    }

    #[test]
    fn distances_are_those_of_a_slow_search() {
        let mut rng = Rng::new(1);
        for size in [2u8, 3, 5, 8, 11, 12, 13, 19] {
            for _ in 0..(60 / size as u32) {
                let mut position = board(size);
                while position.outcome().is_none() {
                    let [red, blue] = if size <= 11 {
                        Plane::<u128>::new(size).paths(&position)
                    } else {
                        Plane::<Wide>::new(size).paths(&position)
                    };
                    let text = crate::draw::draw(&position);
                    assert_eq!(red.stones, slow_distance(&position, Colour::Red), "{text}");
                    assert_eq!(
                        blue.stones,
                        slow_distance(&position, Colour::Blue),
                        "{text}"
                    );
                    for _ in 0..=size / 3 {
                        if position.outcome().is_none() {
                            let action = crate::Random::default().choose(&position, &mut rng);
                            position.play(action);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn narrow_and_wide_planes_agree() {
        let mut rng = Rng::new(2);
        for size in 2..=11 {
            let mut position = board(size);
            while position.outcome().is_none() {
                assert_eq!(
                    Plane::<u128>::new(size).paths(&position),
                    Plane::<Wide>::new(size).paths(&position)
                );
                let action = crate::Random::default().choose(&position, &mut rng);
                position.play(action);
            }
        }
    }
}
