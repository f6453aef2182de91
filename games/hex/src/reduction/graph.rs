//! The groups and empty cells of both colours.

use super::{Inferior, Reduced};
use crate::board::{Colour, Hex};
use crate::connections::Carrier;
use crate::geometry::{Cell, CellSet, STEPS};

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

/// The groups of one colour. Groups are numbered by one of their cells; two more numbers belong to the
/// edges.
#[derive(Clone, Debug)]
struct Groups<const W: usize> {
    /// By cell.
    group: Vec<u16>,
    /// By group, the cells beside it, of any kind.
    beside: Vec<Carrier<W>>,
}

/// The ends around a cell.
#[derive(Clone, Copy)]
struct Ends {
    /// Empty cells, one bit for each of [`STEPS`].
    empty: usize,
    /// Different groups.
    groups: [u16; 6],
    count: usize,
}

impl Ends {
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
    /// As sets of cells.
    neighbours: Vec<Carrier<W>>,
    empty: Carrier<W>,
    /// By colour.
    groups: [Groups<W>; 2],
    mover: Colour,
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
        let neighbours = |around: &[u16; 6]| {
            let on = around.iter().filter(|&&next| next != NONE);
            on.fold(Carrier::EMPTY, |set, &next| set.with(next as usize))
        };
        let groups = Groups {
            group: vec![NONE; cells],
            beside: vec![Carrier::EMPTY; cells + 2],
        };
        Graph {
            size: size as usize,
            neighbours: around.iter().map(neighbours).collect(),
            around,
            edge: (0..cells).map(edge).collect(),
            empty: Carrier::EMPTY,
            groups: [groups.clone(), groups],
            mover: Colour::Red,
        }
    }

    fn cell(&self, number: usize) -> Cell {
        Cell::new((number % self.size) as u8, (number / self.size) as u8)
    }

    fn number(&self, cell: Cell) -> usize {
        cell.row as usize * self.size + cell.column as usize
    }

    /// As [`super::Reduction::reduce`].
    pub(super) fn reduce(&mut self, position: &Hex) -> Reduced {
        assert_eq!(position.size() as usize, self.size, "a board of this size");
        self.read(position);
        let mut captured = [CellSet::EMPTY; 2];
        let mut filled = Vec::new();
        let mut again = true;
        while again {
            again = false;
            for cell in self.empty.cells() {
                if !self.empty.contains(cell) {
                    continue;
                }
                if self.is_dead(cell) {
                    self.fill(Colour::Red, cell, &mut filled);
                    again = true;
                    continue;
                }
                'colours: for colour in [Colour::Red, Colour::Blue] {
                    for partner in self.around[cell] {
                        let other = partner as usize;
                        if partner != NONE
                            && other > cell
                            && self.empty.contains(other)
                            && self.kills(colour, other, cell)
                            && self.kills(colour, cell, other)
                        {
                            for cell in [cell, other] {
                                self.fill(colour, cell, &mut filled);
                                captured[colour as usize].insert(self.cell(cell));
                            }
                            again = true;
                            break 'colours;
                        }
                    }
                }
            }
        }
        Reduced {
            position: position.with_stones(&filled),
            captured,
        }
    }

    fn fill(&mut self, colour: Colour, cell: usize, filled: &mut Vec<(Colour, Cell)>) {
        self.place(colour, cell);
        filled.push((colour, self.cell(cell)));
    }

    /// Takes over the stones of a position.
    fn read(&mut self, position: &Hex) {
        self.mover = position.to_move();
        let cells = self.size * self.size;
        for colour in [Colour::Red, Colour::Blue] {
            let groups = &mut self.groups[colour as usize];
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
        self.empty = (0..cells).fold(Carrier::EMPTY, Carrier::with);
        for colour in [Colour::Red, Colour::Blue] {
            for cell in position.stones(colour).cells() {
                self.place(colour, self.number(cell));
            }
        }
    }

    /// Puts a stone on an empty cell.
    fn place(&mut self, colour: Colour, cell: usize) {
        self.empty = self.empty.without(cell);
        let ends = self.ends(colour, cell, NONE);
        let edges = self.size * self.size;
        // The number of an edge stays.
        let keep = ends
            .groups()
            .iter()
            .copied()
            .max()
            .filter(|&group| group as usize >= edges);
        let keep = keep.unwrap_or(cell as u16);
        let groups = &mut self.groups[colour as usize];
        let mut beside = self.neighbours[cell];
        if keep as usize >= edges {
            beside = beside.union(&groups.beside[keep as usize]);
        }
        for &group in ends.groups() {
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
    }

    /// The ends of a colour around a cell, as if there were nothing on the cell `without`.
    fn ends(&self, colour: Colour, cell: usize, without: u16) -> Ends {
        let mut ends = Ends {
            empty: 0,
            groups: [NONE; 6],
            count: 0,
        };
        let known = &self.groups[colour as usize].group;
        let mut add = |group: u16| {
            if !ends.groups[..ends.count].contains(&group) {
                ends.groups[ends.count] = group;
                ends.count += 1;
            }
        };
        let edge = self.edge[cell][colour as usize];
        if edge != NONE {
            add(edge);
        }
        let mut empty = 0;
        for direction in 0..STEPS.len() {
            let next = self.around[cell][direction];
            if next == NONE || next == without {
                continue;
            }
            if self.empty.contains(next as usize) {
                empty |= 1 << direction;
            } else if known[next as usize] != NONE {
                add(known[next as usize]);
            }
        }
        ends.empty = empty;
        ends
    }

    /// Whether a cell is dead, by the ends of either colour.
    fn is_dead(&self, cell: usize) -> bool {
        self.is_useless(Colour::Red, cell, NONE) || self.is_useless(Colour::Blue, cell, NONE)
    }

    /// Whether all ends of a colour around a cell are adjacent, as if there were nothing on `without`.
    fn is_useless(&self, colour: Colour, cell: usize, without: u16) -> bool {
        let ends = self.ends(colour, cell, without);
        ends.count <= 1
            && ALL_ADJACENT[ends.empty]
            && (ends.count == 0
                || self.all_beside(
                    cell,
                    ends.empty,
                    &self.groups[colour as usize].beside[ends.groups[0] as usize],
                ))
    }

    fn all_beside(&self, cell: usize, empty: usize, beside: &Carrier<W>) -> bool {
        (0..STEPS.len()).all(|direction| {
            empty >> direction & 1 == 0 || beside.contains(self.around[cell][direction] as usize)
        })
    }

    /// As [`Graph::is_useless`], with a stone of the colour on another empty cell.
    fn is_useless_with(&self, colour: Colour, cell: usize, stone: usize) -> bool {
        let ends = self.ends(colour, cell, stone as u16);
        if !ALL_ADJACENT[ends.empty] {
            return false;
        }
        let joined = self.ends(colour, stone, NONE);
        let known = &self.groups[colour as usize].beside;
        let is_joined = |group: &u16| joined.groups().contains(group);
        let is_beside = self.neighbours[cell].contains(stone);
        let any = is_beside || ends.groups().iter().any(is_joined);
        let apart = ends
            .groups()
            .iter()
            .filter(|&group| !is_joined(group))
            .count();
        if apart + usize::from(any) > 1 {
            return false;
        }
        let beside = if any {
            let groups = joined.groups().iter();
            groups.fold(self.neighbours[stone], |beside, &group| {
                beside.union(&known[group as usize])
            })
        } else if ends.count == 1 {
            known[ends.groups[0] as usize]
        } else {
            return true;
        };
        self.all_beside(cell, ends.empty, &beside)
    }

    /// Whether a stone makes another cell dead.
    fn kills(&self, colour: Colour, stone: usize, cell: usize) -> bool {
        self.is_useless_with(colour, cell, stone)
            || self.is_useless(colour.other(), cell, stone as u16)
    }

    /// As [`super::Reduction::inferior`].
    pub(super) fn inferior(&mut self) -> Inferior {
        let mut inferior = Inferior::default();
        let mover = self.mover;
        let mut rest = self.empty;
        for cell in self.empty.cells() {
            let empty = |&next: &u16| next != NONE && self.empty.contains(next as usize);
            let killer = self.around[cell]
                .into_iter()
                .filter(empty)
                .find(|&next| self.kills(mover.other(), next as usize, cell));
            if let Some(killer) = killer {
                rest = rest.without(cell);
                inferior
                    .vulnerable
                    .push((self.cell(cell), self.cell(killer as usize)));
            }
        }
        for cell in rest.cells() {
            let better = self.around[cell].into_iter().find(|&next| {
                next != NONE
                    && rest.contains(next as usize)
                    && self.kills(mover, next as usize, cell)
            });
            if better.is_some() {
                rest = rest.without(cell);
                inferior.dominated.push(self.cell(cell));
            }
        }
        inferior
    }
}
