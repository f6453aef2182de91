//! Number of stones a colour still needs to connect its edges, with bridges for free.

use crate::board::{Colour, Hex};
use crate::geometry::{Cell, CellSet};
use crate::lanes::{Board, Lanes, pack, unpack};

/// Longer paths are ignored.
const MAX_STONES: usize = 32;

/// The shortest paths of a colour from edge to edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Paths {
    /// Stones needed by a shortest path, whose steps go to a neighbour or over a bridge; `None` if
    /// there is no path.
    pub(crate) stones: Option<u32>,
    /// Number of empty cells on shortest paths.
    pub(crate) cells: u32,
    /// Number of empty cells on paths that need one stone more, but on no shortest path.
    pub(crate) detour_cells: u32,
}

/// Where the shortest paths of a colour run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ways {
    /// As [`Paths::stones`].
    pub(crate) stones: Option<u32>,
    /// The empty cells on shortest paths.
    pub(crate) cells: CellSet,
    /// Those on paths that need one stone more, but on no shortest path.
    pub(crate) detour_cells: CellSet,
}

/// Finds the shortest paths on boards of one size, packed with `STRIDE` bits per row into `W`
/// words.
///
/// The two floods of a colour, one from each edge, run at the same time, one per lane. Each level
/// adds the cells that need one more stone.
#[derive(Clone, Debug)]
pub(crate) struct Floods<const W: usize, const STRIDE: u32> {
    size: u8,
    board: Lanes<W>,
    /// Columns: first, second, second to last, last.
    left: Lanes<W>,
    second: Lanes<W>,
    second_last: Lanes<W>,
    right: Lanes<W>,
    /// By colour: the row or column at the start edge of each lane, and the next one.
    outer: [Lanes<W>; 2],
    inner: [Lanes<W>; 2],
    /// Cells by the number of stones needed to reach them, from 1: scratch memory of a flood.
    levels: Box<[Lanes<W>; MAX_STONES + 1]>,
}

/// The cells on which one colour's floods run.
struct Ground<'a, const W: usize> {
    own: Lanes<W>,
    empty: Lanes<W>,
    /// By direction, the cells that a bridge leads to: both carrier cells are empty.
    bridges: &'a [Lanes<W>; 6],
}

impl<const W: usize, const STRIDE: u32> Floods<W, STRIDE> {
    /// For boards of `size`, at most `STRIDE`.
    pub(crate) fn new(size: u8) -> Self {
        let board = CellSet::board(size);
        let only = |wanted: &dyn Fn(Cell) -> bool| {
            let mut set = CellSet::EMPTY;
            board
                .cells()
                .filter(|&cell| wanted(cell))
                .for_each(|cell| set.insert(cell));
            Lanes::splat(pack(&set, size, STRIDE))
        };
        let row = |at: u8| only(&|cell| cell.row == at);
        let column = |at: u8| only(&|cell| cell.column == at);
        let last = size - 1;
        Floods {
            size,
            board: only(&|_| true),
            left: column(0),
            second: column(1),
            second_last: column(last - 1),
            right: column(last),
            outer: [row(0).firsts(row(last)), column(0).firsts(column(last))],
            inner: [
                row(1).firsts(row(last - 1)),
                column(1).firsts(column(last - 1)),
            ],
            levels: Box::new([Lanes::empty(); MAX_STONES + 1]),
        }
    }

    /// The shortest paths of both colours, red first.
    pub(crate) fn paths(&mut self, position: &Hex) -> [Paths; 2] {
        self.each(position, Self::paths_between)
    }

    /// Where the shortest paths of both colours run, red first.
    pub(crate) fn ways(&mut self, position: &Hex) -> [Ways; 2] {
        let size = self.size;
        let set = |board: Board<W>| unpack(&board, size, STRIDE);
        self.each(position, |floods, edges, ground| {
            let stones = floods.flood(edges, ground);
            let [cells, detour_cells] = floods.on_paths(stones.unwrap_or(0)).map(set);
            Ways {
                stones: stones.map(|stones| stones as u32),
                cells,
                detour_cells,
            }
        })
    }

    /// Calls `found` for both colours, red first, with its edges: the cells that touch an edge or
    /// have a bridge to it.
    #[inline(always)]
    fn each<T>(
        &mut self,
        position: &Hex,
        found: impl Fn(&mut Self, Lanes<W>, &Ground<'_, W>) -> T,
    ) -> [T; 2] {
        let [red, blue] = [Colour::Red, Colour::Blue]
            .map(|colour| Lanes::splat(pack::<W>(position.stones(colour), self.size, STRIDE)));
        let empty = self.board.without(red | blue);
        let beside = self.steps(empty);
        let mut bridges = std::array::from_fn(|one| beside[one] & beside[(one + 1) % 6]);
        let [up, right, _, down, left, _] = bridges;
        let edges = [
            self.outer[0] | self.inner[0] & down.firsts(up),
            self.outer[1] | self.inner[1] & right.firsts(left),
        ];
        // These two bridges span three columns, so a shift would wrap into the next row.
        bridges[1] = bridges[1].without(self.second);
        bridges[4] = bridges[4].without(self.second_last);
        let ground = |own| Ground {
            own,
            empty,
            bridges: &bridges,
        };
        [
            found(self, edges[0], &ground(red)),
            found(self, edges[1], &ground(blue)),
        ]
    }

    /// The shortest paths between two edges.
    fn paths_between(&mut self, edges: Lanes<W>, ground: &Ground<'_, W>) -> Paths {
        let Some(stones) = self.flood(edges, ground) else {
            return Paths {
                stones: None,
                cells: 0,
                detour_cells: 0,
            };
        };
        let count = |cells: Board<W>| cells.map(u64::count_ones).iter().sum();
        let [cells, detour_cells] = self.on_paths(stones).map(count);
        Paths {
            stones: Some(stones as u32),
            cells,
            detour_cells,
        }
    }

    /// The empty cells on paths of this number of stones between the edges of the last flood, which
    /// is the least; and those on paths that need one more, but on none of these.
    #[inline(always)]
    fn on_paths(&self, stones: usize) -> [Board<W>; 2] {
        let (mut cells, mut detour, mut longer) = (Lanes::empty(), Lanes::empty(), Lanes::empty());
        // Only the first lane is needed: the second holds the same cells in reverse.
        for i in 1..=stones {
            let back = self.levels[stones + 1 - i].swapped();
            cells = cells | self.levels[i] & back;
            detour = detour | self.levels[i] & longer;
            longer = back;
        }
        [cells.first(), detour.without(cells).first()]
    }

    /// Fills `levels` and returns the number of stones between the edges. Both floods reach their
    /// goal at the same level, so one loop serves both.
    #[inline(always)]
    fn flood(&mut self, edges: Lanes<W>, ground: &Ground<'_, W>) -> Option<usize> {
        let goals = edges.swapped();
        let mut reached = Lanes::empty();
        let mut near = edges;
        let mut stones = 0;
        loop {
            let joined = (near & ground.own).without(reached);
            let new = if !joined.is_empty() {
                joined
            } else if !(reached & goals).is_empty() {
                return Some(stones);
            } else {
                stones += 1;
                let next = (near & ground.empty).without(reached);
                if next.is_empty() || stones == MAX_STONES {
                    return None;
                }
                self.levels[stones] = next;
                next
            };
            reached = reached | new;
            near = near | self.adjacent_and_bridged(new, ground);
        }
    }

    /// The neighbours of `cells` and the far ends of bridges from them; some bits may be off the
    /// board.
    #[inline(always)]
    fn adjacent_and_bridged(&self, cells: Lanes<W>, ground: &Ground<'_, W>) -> Lanes<W> {
        let (left, right) = (cells.down(1), cells.up(1));
        // Two directions share a shift: a step along the row and a step to the row above or below.
        let above = (left | cells.without(self.right)).down(STRIDE - 1);
        let below = (right | cells.without(self.left)).up(STRIDE - 1);
        let bridges = &ground.bridges;
        left.without(self.right)
            | right.without(self.left)
            | above
            | below
            | cells.down(2 * STRIDE - 1) & bridges[0]
            | cells.down(STRIDE - 2) & bridges[1]
            | cells.up(STRIDE + 1) & bridges[2]
            | cells.up(2 * STRIDE - 1) & bridges[3]
            | cells.up(STRIDE - 2) & bridges[4]
            | cells.down(STRIDE + 1) & bridges[5]
    }

    /// All cells moved to a neighbour, by direction ([`crate::geometry::STEPS`]); cells that leave
    /// the board are dropped.
    #[inline(always)]
    fn steps(&self, cells: Lanes<W>) -> [Lanes<W>; 6] {
        let (not_last, not_first) = (cells.without(self.right), cells.without(self.left));
        [
            cells.down(STRIDE),
            not_last.down(STRIDE - 1),
            not_last.up(1),
            cells.up(STRIDE) & self.board,
            not_first.up(STRIDE - 1) & self.board,
            not_first.down(1),
        ]
    }
}

/// Floods for boards of one size, packed into as few words as they need.
#[derive(Clone, Debug)]
pub(crate) enum AnyFloods {
    Narrow(Box<Floods<2, 11>>),
    Middle(Box<Floods<3, 13>>),
    Wide(Box<Floods<6, 19>>),
}

impl AnyFloods {
    /// For boards of `size`, 2 to 19.
    pub(crate) fn new(size: u8) -> AnyFloods {
        match size {
            0..=11 => AnyFloods::Narrow(Box::new(Floods::new(size))),
            12..=13 => AnyFloods::Middle(Box::new(Floods::new(size))),
            _ => AnyFloods::Wide(Box::new(Floods::new(size))),
        }
    }

    /// As [`Floods::paths`].
    #[inline]
    pub(crate) fn paths(&mut self, position: &Hex) -> [Paths; 2] {
        match self {
            AnyFloods::Narrow(floods) => floods.paths(position),
            AnyFloods::Middle(floods) => floods.paths(position),
            AnyFloods::Wide(floods) => floods.paths(position),
        }
    }

    /// As [`Floods::ways`].
    pub(crate) fn ways(&mut self, position: &Hex) -> [Ways; 2] {
        match self {
            AnyFloods::Narrow(floods) => floods.ways(position),
            AnyFloods::Middle(floods) => floods.ways(position),
            AnyFloods::Wide(floods) => floods.ways(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::STEPS;
    use crate::variant::Variant;
    use engine_core::{Playout, Position, Rng};

    /// Reference: relaxes distance tables until nothing changes; slow and simple.
    fn slow_ways(position: &Hex, colour: Colour) -> Ways {
        let [from, back] = [0, 1].map(|edge| slow_distances(position, colour, edge));
        let lengths = || from.iter().zip(&back).map(|(&from, &back)| (from, back));
        let cell_at = |i: usize| {
            let size = position.size() as usize;
            Cell::new((i % size) as u8, (i / size) as u8)
        };
        // An empty cell costs one stone in the distance to either edge.
        let through = |i: usize, (from, back): (Option<u32>, Option<u32>)| {
            let twice = position.colour_at(cell_at(i)).is_none() as u32;
            Some(from? + back? - twice)
        };
        let stones = (0..)
            .zip(lengths())
            .filter_map(|(i, ends)| through(i, ends))
            .min();
        let set = |wanted: Option<u32>| {
            let on_path = |&(i, ends): &(usize, (Option<u32>, Option<u32>))| {
                // A flood stops at its goal: cells farther from an edge do not count.
                position.colour_at(cell_at(i)).is_none()
                    && wanted.is_some()
                    && through(i, ends) == wanted
                    && ends.0.max(ends.1) <= stones
            };
            let mut set = CellSet::EMPTY;
            let found = (0..).zip(lengths()).filter(on_path);
            found.for_each(|(i, _)| set.insert(cell_at(i)));
            set
        };
        Ways {
            stones,
            cells: set(stones),
            detour_cells: set(stones.map(|stones| stones + 1)),
        }
    }

    fn counted(ways: &Ways) -> Paths {
        Paths {
            stones: ways.stones,
            cells: ways.cells.count(),
            detour_cells: ways.detour_cells.count(),
        }
    }

    /// Number of stones that connect each cell to an edge, including its own.
    fn slow_distances(position: &Hex, colour: Colour, edge: usize) -> Vec<Option<u32>> {
        let size = position.size() as i32;
        let at = |x: i32, y: i32| position.colour_at(Cell::new(x as u8, y as u8));
        let on_board = |x: i32, y: i32| (0..size).contains(&x) && (0..size).contains(&y);
        let empty = |x: i32, y: i32| on_board(x, y) && at(x, y).is_none();
        let steps = STEPS.map(|(dx, dy)| (dx as i32, dy as i32));
        // Positions one step off the board stand for the edge.
        let is_edge = |x: i32, y: i32| match (colour, edge) {
            (Colour::Red, 0) => y < 0,
            (Colour::Red, _) => y >= size,
            (Colour::Blue, 0) => x < 0,
            (Colour::Blue, _) => x >= size,
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
        let mut best: Vec<Option<u32>> = vec![None; (size * size) as usize];
        loop {
            let mut changed = false;
            for i in 0..size * size {
                let (x, y) = (i % size, i / size);
                let cost = match at(x, y) {
                    None => 1,
                    Some(found) if found == colour => 0,
                    Some(_) => continue,
                };
                for (tx, ty) in touched(x, y) {
                    let before = if is_edge(tx, ty) {
                        Some(0)
                    } else if on_board(tx, ty) {
                        best[(ty * size + tx) as usize]
                    } else {
                        None
                    };
                    let Some(before) = before else { continue };
                    let known = &mut best[i as usize];
                    if known.is_none_or(|known| before + cost < known) {
                        *known = Some(before + cost);
                        changed = true;
                    }
                }
            }
            if !changed {
                return best;
            }
        }
    }

    fn board(size: u8) -> Hex {
        Hex::empty_board(Variant {
            size,
            ..Variant::default()
        })
    }

    /// Calls `f` on the positions of random games.
    fn positions(size: u8, games: u32, stones: u8, seed: u64, mut f: impl FnMut(&Hex)) {
        let mut rng = Rng::new(seed);
        for _ in 0..games {
            let mut position = board(size);
            while position.outcome().is_none() {
                f(&position);
                for _ in 0..stones {
                    if position.outcome().is_none() {
                        let action = crate::Random::default().choose(&position, &mut rng);
                        position.play(action);
                    }
                }
            }
        }
    }

    #[test]
    fn paths_are_those_of_a_slow_search() {
        for size in [2u8, 3, 5, 8, 11, 12, 13, 14, 19] {
            let mut narrow = Floods::<2, 11>::new(size.min(11));
            let mut middle = Floods::<3, 13>::new(size.min(13));
            let mut wide = Floods::<6, 19>::new(size);
            positions(size, 60 / size as u32, 1 + size / 3, 1, |position| {
                let ways = [Colour::Red, Colour::Blue].map(|colour| slow_ways(position, colour));
                let expected = [counted(&ways[0]), counted(&ways[1])];
                let text = crate::draw::draw(position);
                if size <= 11 {
                    assert_eq!(narrow.paths(position), expected, "{text}");
                }
                if size <= 13 {
                    assert_eq!(middle.paths(position), expected, "{text}");
                }
                assert_eq!(wide.paths(position), expected, "{text}");
                assert_eq!(AnyFloods::new(size).ways(position), ways, "{text}");
            });
        }
    }

    #[test]
    fn narrow_and_wide_boards_agree() {
        for size in 2..=13 {
            let mut narrow = Floods::<2, 11>::new(size.min(11));
            let mut middle = Floods::<3, 13>::new(size);
            let mut wide = Floods::<6, 19>::new(size);
            positions(size, 5, 1, 2, |position| {
                let expected = wide.paths(position);
                assert_eq!(middle.paths(position), expected);
                if size <= 11 {
                    assert_eq!(narrow.paths(position), expected);
                }
            });
        }
    }
}
