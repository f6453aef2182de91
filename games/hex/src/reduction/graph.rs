//! The groups and empty cells of both colours.

use super::fill::Filled;
use crate::board::{Colour, Hex};
use crate::connections::Carrier;
use crate::geometry::{Cell, STEPS};

/// No group, or a place off the board.
const NONE: u16 = u16::MAX;

/// Whether empty cells around a cell, one bit for each of [`STEPS`], are adjacent to each other.
static ALL_ADJACENT: [bool; 64] = {
    let mut table = [false; 64];
    table[0] = true;
    let mut direction = 0;
    while direction < 6 {
        table[1 << direction] = true;
        table[1 << direction | 1 << ((direction + 1) % 6)] = true;
        direction += 1;
    }
    table
};

/// By empty cells around a cell, those of them without which the others are all adjacent.
static WITHOUT_ONE: [u8; 64] = {
    let mut table = [0; 64];
    let mut cells = 0;
    while cells < 64 {
        let mut direction = 0;
        while direction < 6 {
            let one = 1 << direction;
            if cells & one != 0 && ALL_ADJACENT[cells & !one] {
                table[cells] |= one as u8;
            }
            direction += 1;
        }
        cells += 1;
    }
    table
};

/// The groups of one colour. Groups are numbered by one of their cells; two more numbers belong to the
/// edges.
#[derive(Clone, Debug)]
struct Groups<const W: usize> {
    /// By cell.
    group: Vec<u16>,
    /// By group, the cells beside it, of any kind.
    beside: Vec<Carrier<W>>,
}

/// What changes when a stone is placed.
#[derive(Clone, Debug)]
pub(super) struct Stones<const W: usize> {
    pub(super) empty: Carrier<W>,
    /// By cell, the empty cells around it, one bit for each of [`STEPS`].
    open: Vec<u8>,
    /// By colour.
    groups: [Groups<W>; 2],
}

impl<const W: usize> Stones<W> {
    /// Takes over what a stone of one colour changes, without new memory.
    pub(super) fn copy(&mut self, other: &Stones<W>, colour: Colour) {
        self.empty = other.empty;
        self.open.copy_from_slice(&other.open);
        let groups = &mut self.groups[colour as usize];
        let others = &other.groups[colour as usize];
        groups.group.copy_from_slice(&others.group);
        groups.beside.copy_from_slice(&others.beside);
    }
}

/// The groups of one colour around a cell: up to six, all different.
#[derive(Clone, Copy)]
struct Around {
    groups: [u16; STEPS.len()],
    count: usize,
}

impl Around {
    fn groups(&self) -> &[u16] {
        &self.groups[..self.count]
    }
}

#[derive(Clone, Debug)]
pub(super) struct Graph<const W: usize> {
    size: usize,
    /// The cells around each cell, by direction, and the edge of each colour that it touches.
    around: Vec<[u16; STEPS.len()]>,
    edge: Vec<[u16; 2]>,
    /// As sets of cells, within one step and within two.
    neighbours: Vec<Carrier<W>>,
    near: Vec<Carrier<W>>,
    pub(super) stones: Stones<W>,
    pub(super) mover: Colour,
    /// The cells that were filled in last.
    pub(super) filled: Vec<Filled>,
    /// The stones before a trial.
    pub(super) before: Stones<W>,
}

impl<const W: usize> Graph<W> {
    pub(super) fn new(size: u8) -> Graph<W> {
        let cells = size as usize * size as usize;
        let cell = |number: usize| {
            Cell::new(
                (number % size as usize) as u8,
                (number / size as usize) as u8,
            )
        };
        let number = |cell: Cell| cell.row as usize * size as usize + cell.column as usize;
        let around = |at: usize| {
            std::array::from_fn(|direction| {
                let next = cell(at).neighbour(direction);
                if next.is_on(size) {
                    number(next) as u16
                } else {
                    NONE
                }
            })
        };
        let edge = |at: usize| {
            [cell(at).row, cell(at).column].map(|place| match place {
                0 => cells as u16,
                place if place + 1 == size => cells as u16 + 1,
                _ => NONE,
            })
        };
        let around: Vec<[u16; 6]> = (0..cells).map(around).collect();
        let neighbours: Vec<Carrier<W>> = around
            .iter()
            .map(|around| around.iter().filter(|&&next| next != NONE))
            .map(|next| next.fold(Carrier::EMPTY, |set, &next| set.with(next as usize)))
            .collect();
        let near = |at: usize| {
            let next = neighbours[at].cells();
            next.fold(neighbours[at], |set, next| set.union(&neighbours[next]))
        };
        let groups = Groups {
            group: vec![NONE; cells],
            beside: vec![Carrier::EMPTY; cells + 2],
        };
        let stones = Stones {
            empty: Carrier::EMPTY,
            open: vec![0; cells],
            groups: [groups.clone(), groups],
        };
        Graph {
            size: size as usize,
            near: (0..cells).map(near).collect(),
            around,
            edge: (0..cells).map(edge).collect(),
            neighbours,
            before: stones.clone(),
            stones,
            mover: Colour::Red,
            filled: Vec::new(),
        }
    }

    pub(super) fn cell(&self, number: usize) -> Cell {
        Cell::new((number % self.size) as u8, (number / self.size) as u8)
    }

    pub(super) fn number(&self, cell: Cell) -> usize {
        cell.row as usize * self.size + cell.column as usize
    }

    /// Takes over the stones of a position of this size.
    pub(super) fn read(&mut self, position: &Hex) {
        assert_eq!(position.size() as usize, self.size, "a board of this size");
        self.mover = position.to_move();
        let cells = self.size * self.size;
        for colour in [Colour::Red, Colour::Blue] {
            let groups = &mut self.stones.groups[colour as usize];
            groups.group.fill(NONE);
            for edge in [cells, cells + 1] {
                groups.beside[edge] = Carrier::EMPTY;
            }
            for cell in 0..cells {
                let edge = self.edge[cell][colour as usize];
                if edge != NONE {
                    let beside = &mut groups.beside[edge as usize];
                    *beside = beside.with(cell);
                }
            }
        }
        self.stones.empty = (0..cells).fold(Carrier::EMPTY, Carrier::with);
        for (open, around) in self.stones.open.iter_mut().zip(&self.around) {
            let on = (0..STEPS.len()).filter(|&direction| around[direction] != NONE);
            *open = on.fold(0, |open, direction| open | 1 << direction);
        }
        for colour in [Colour::Red, Colour::Blue] {
            for cell in position.stones(colour).cells() {
                self.place(colour, self.number(cell));
            }
        }
    }

    /// Puts a stone on an empty cell. Returns the cells that may be dead or captured by it now and
    /// were not before.
    pub(super) fn place(&mut self, colour: Colour, cell: usize) -> Carrier<W> {
        self.stones.empty = self.stones.empty.without(cell);
        for (direction, &next) in self.around[cell].iter().enumerate() {
            if next != NONE {
                self.stones.open[next as usize] &= !(1 << ((direction + 3) % STEPS.len()));
            }
        }
        let around = self.groups_around(colour, cell);
        let edges = self.size * self.size;
        // The number of an edge stays.
        let largest = around.groups().iter().copied().max();
        let keep = largest.filter(|&group| group as usize >= edges);
        let keep = keep.unwrap_or(cell as u16);
        let groups = &mut self.stones.groups[colour as usize];
        let mut beside = self.neighbours[cell];
        for &group in around.groups() {
            beside = beside.union(&groups.beside[group as usize]);
            if group != keep {
                for known in &mut groups.group {
                    if *known == group {
                        *known = keep;
                    }
                }
            }
        }
        groups.group[cell] = keep;
        groups.beside[keep as usize] = beside;
        let touched = if around.count > 1 {
            self.near[cell].union(&beside)
        } else {
            self.near[cell]
        };
        touched.intersection(&self.stones.empty)
    }

    /// The directions of the empty cells without which all others around a cell are adjacent.
    pub(super) fn decisive(&self, cell: usize) -> impl Iterator<Item = usize> + use<W> {
        let decisive = WITHOUT_ONE[self.stones.open[cell] as usize];
        (0..STEPS.len()).filter(move |&direction| decisive >> direction & 1 != 0)
    }

    /// The cell in a direction, which must be on the board.
    pub(super) fn next(&self, cell: usize, direction: usize) -> usize {
        self.around[cell][direction] as usize
    }

    fn groups_around(&self, colour: Colour, cell: usize) -> Around {
        let mut around = Around {
            groups: [NONE; STEPS.len()],
            count: 0,
        };
        let mut add = |group: u16| {
            if group != NONE && !around.groups[..around.count].contains(&group) {
                around.groups[around.count] = group;
                around.count += 1;
            }
        };
        add(self.edge[cell][colour as usize]);
        let known = &self.stones.groups[colour as usize].group;
        for &next in self.around[cell].iter().filter(|&&next| next != NONE) {
            add(known[next as usize]);
        }
        around
    }

    /// Whether a cell is dead, by the ends of either colour.
    pub(super) fn is_dead(&self, cell: usize) -> bool {
        let open = self.stones.open[cell];
        ALL_ADJACENT[open as usize]
            && [Colour::Red, Colour::Blue]
                .into_iter()
                .any(|colour| self.is_useless(colour, cell, open))
    }

    /// Whether an empty cell and the [decisive](Graph::decisive) one in a direction kill each other as
    /// stones of a colour.
    pub(super) fn is_captured(&self, colour: Colour, cell: usize, direction: usize) -> bool {
        let back = (direction + 3) % STEPS.len();
        let other = self.next(cell, direction);
        let open = self.stones.open[cell] & !(1 << direction);
        let open_there = self.stones.open[other] & !(1 << back);
        ALL_ADJACENT[open_there as usize]
            && self.is_killed(colour, cell, open, other)
            && self.is_killed(colour, other, open_there, cell)
    }

    /// Whether a stone beside a cell makes it dead. `open` are the other empty cells around it, of
    /// which all must be adjacent to each other.
    fn is_killed(&self, colour: Colour, cell: usize, open: u8, stone: usize) -> bool {
        self.is_useless(colour.other(), cell, open)
            || self.is_useless_beside(colour, cell, open, stone)
    }

    /// Whether all ends of a colour around a cell are adjacent to each other, as empty ends `open` are.
    fn is_useless(&self, colour: Colour, cell: usize, open: u8) -> bool {
        let around = self.groups_around(colour, cell);
        match *around.groups() {
            [] => true,
            [group] => {
                let beside = &self.stones.groups[colour as usize].beside[group as usize];
                self.is_beside_all(cell, open, beside)
            }
            _ => false,
        }
    }

    /// As [`Graph::is_useless`], with a stone of the colour on an empty cell beside it.
    fn is_useless_beside(&self, colour: Colour, cell: usize, open: u8, stone: usize) -> bool {
        let around = self.groups_around(colour, cell);
        let joined = self.groups_around(colour, stone);
        let mut groups = around.groups().iter();
        if !groups.all(|group| joined.groups().contains(group)) {
            return false;
        }
        let known = &self.stones.groups[colour as usize].beside;
        let groups = joined.groups().iter();
        let beside = groups.fold(self.neighbours[stone], |beside, &group| {
            beside.union(&known[group as usize])
        });
        self.is_beside_all(cell, open, &beside)
    }

    /// Whether the cells in some directions from a cell are all in a set.
    fn is_beside_all(&self, cell: usize, mut directions: u8, beside: &Carrier<W>) -> bool {
        while directions != 0 {
            let direction = directions.trailing_zeros() as usize;
            if !beside.contains(self.next(cell, direction)) {
                return false;
            }
            directions &= directions - 1;
        }
        true
    }
}
