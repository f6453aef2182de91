//! What every empty cell is worth to each colour, kept up to date stone by stone.

use engine_core::zobrist;

use crate::board::{Colour, Gomoku};
use crate::geometry::{Cell, MAX_SIZE};
use crate::moves::Action;
use crate::shapes::{EXACTLY_FIVE, FIVE_OR_MORE, REACH, Shape, ShapeTable, WEIGHTS};
use crate::values::{
    CellValue, ENEMY_MARKS, FREE, KIND, MULTISETS, Mark, OWN_MARKS, RESTRICTED, UNRESTRICTED,
    Values, learned, multiset,
};
use crate::variant::{ForbiddenRule, Variant};

/// Cells of a row, with a margin that no line leaves.
const STRIDE: usize = 32;
/// The index of the first cell of the board.
const MARGIN: usize = REACH * STRIDE + REACH;
/// Cells with the margin around the board.
pub(crate) const CELLS: usize = (MAX_SIZE + 2 * REACH) * STRIDE;
/// Maximum number of cells whose shapes a stone changes for one colour, and one more.
const MOST_CHANGED: usize = 8 * REACH + 1;
/// Distance to the next cell of a row, a column and the two diagonals.
pub(crate) const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];

/// Keys of the stones: black's by cell, then white's.
static KEYS: [u64; 2 * KEYS_OF_COLOUR] = zobrist::keys(0x90);
/// Keys of one colour, more than any cell needs. The number stays as it is: with other keys, other
/// positions share an entry of a table, and searches change.
const KEYS_OF_COLOUR: usize = 928;

/// The index of a cell: [`Cell::index`], moved by the margin.
#[inline]
pub(crate) const fn index_of(cell: Cell) -> usize {
    cell.index() + MARGIN
}

/// The cell of a stone to place.
#[inline]
pub(crate) fn cell_of(action: Action) -> usize {
    match action {
        Action::Cell(cell) => index_of(cell),
        _ => unreachable!("threats are stones"),
    }
}

/// The stone on a cell of the board.
#[inline]
pub(crate) const fn action_at(index: usize) -> Action {
    Action::Cell(Cell::from_index(index - MARGIN))
}

#[inline]
const fn cell_at(column: usize, row: usize) -> usize {
    row * STRIDE + column + MARGIN
}

/// What stands on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Content {
    Black,
    White,
    Empty,
    Outside,
}

impl Content {
    /// A stone of a colour.
    #[inline]
    const fn of(colour: usize) -> Content {
        if colour == 0 {
            Content::Black
        } else {
            Content::White
        }
    }
}

/// What wins, and what is forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// Five or more win for both colours.
    FiveOrMore,
    /// Exactly five win for both colours.
    ExactlyFive,
    /// Black wins by exactly five and has forbidden moves, white by five or more.
    Forbidden,
}

impl Rule {
    /// The rule of a variant.
    pub(crate) fn of(variant: Variant) -> Rule {
        match (variant.forbidden, variant.exactly_five) {
            (ForbiddenRule::Off, false) => Rule::FiveOrMore,
            (ForbiddenRule::Off, true) => Rule::ExactlyFive,
            _ => Rule::Forbidden,
        }
    }
}

/// Cells of one mark, by row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Marked {
    rows: [u32; MAX_SIZE],
    count: u16,
}

impl Marked {
    const NONE: Marked = Marked {
        rows: [0; MAX_SIZE],
        count: 0,
    };

    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count as usize
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The cells, in ascending order.
    #[inline]
    pub(crate) fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let Marked { rows, mut count } = *self;
        let (mut row, mut word) = (0, rows[0]);
        std::iter::from_fn(move || {
            if count == 0 {
                return None;
            }
            while word == 0 {
                row += 1;
                word = rows[row];
            }
            let column = word.trailing_zeros() as usize;
            word &= word - 1;
            count -= 1;
            Some(cell_at(column, row))
        })
    }

    pub(crate) fn first(&self) -> Option<usize> {
        self.cells().next()
    }
}

/// The shapes of both colours on all cells, and the sums of their values.
#[derive(Clone)]
pub(crate) struct Patterns {
    size: usize,
    /// Cells on each side of a stone whose shapes it may change.
    reach: usize,
    shapes_of: [&'static ShapeTable; 2],
    values_of: [&'static Values; 2],
    content: [Content; CELLS],
    /// Contents of the lines through a cell, by direction: black's in the lower half, white's in the
    /// upper half.
    lines: Box<[[u32; 4]; CELLS]>,
    /// What an empty cell of the board is to black and white.
    cells: Box<[[CellShapes; 2]; CELLS]>,
    marked: [[Marked; Mark::COUNT]; 2],
    sums: Sums,
    key: u64,
    /// What the added stones have changed.
    changes: Vec<Change>,
    stones: Vec<Added>,
}

/// The shapes of a stone of one colour on an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CellShapes {
    /// Four bits for each direction.
    shapes: u16,
    value: CellValue,
}

impl CellShapes {
    const NONE: CellShapes = CellShapes {
        shapes: 0,
        value: CellValue::NONE,
    };
}

/// Sums over the empty cells, by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sums {
    /// Points of the colour if it is to move.
    mover: [i32; 2],
    /// Points of the colour if it is not.
    waiter: [i32; 2],
}

/// The learned numbers that the value of a position and the order of its moves are made of, as places
/// in `data/values.bin`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// The first places of the side to move and of the other.
    pub kinds: [usize; 2],
    /// The place of the threats.
    pub threats: usize,
    /// Every empty cell, with the multisets of its shapes for the side to move and for the other.
    pub cells: Vec<(Cell, u16, u16)>,
}

impl Inputs {
    /// Number of multisets, and so of numbers of one part.
    pub const MULTISETS: usize = MULTISETS;
    /// Number of all numbers of one kind: four parts by multiset, and then the threats.
    pub const KIND: usize = KIND;
}

/// A cell before a stone was added.
#[derive(Clone, Copy, Debug)]
struct Change {
    colour: u16,
    cell: u16,
    before: CellShapes,
}

/// A stone that can be taken back.
#[derive(Clone, Copy, Debug)]
struct Added {
    colour: usize,
    cell: usize,
    /// The number of changes before it.
    changes: usize,
    sums: Sums,
}

impl Patterns {
    /// The empty board.
    pub(crate) fn new(size: usize, rule: Rule) -> Patterns {
        let table = |exact: bool| -> &'static ShapeTable {
            if exact { &EXACTLY_FIVE } else { &FIVE_OR_MORE }
        };
        let values_of: [&'static Values; 2] = match rule {
            Rule::Forbidden => [&RESTRICTED, &UNRESTRICTED],
            _ => [&FREE, &FREE],
        };
        let mut patterns = Patterns {
            size,
            reach: if rule == Rule::FiveOrMore {
                REACH - 1
            } else {
                REACH
            },
            shapes_of: [
                table(rule != Rule::FiveOrMore),
                table(rule == Rule::ExactlyFive),
            ],
            values_of,
            content: [Content::Outside; CELLS],
            lines: Box::new([[0; 4]; CELLS]),
            cells: Box::new([[CellShapes::NONE; 2]; CELLS]),
            marked: [[Marked::NONE; Mark::COUNT]; 2],
            sums: Sums::default(),
            key: 0,
            changes: Vec::new(),
            stones: Vec::new(),
        };
        let board = patterns.board().collect::<Vec<_>>();
        for &cell in &board {
            patterns.content[cell] = Content::Empty;
        }
        for &cell in &board {
            patterns.begin(cell);
        }
        patterns
    }

    /// Adds and removes the stones that differ from those of a position. Earlier stones cannot be
    /// taken back any more.
    pub(crate) fn follow(&mut self, position: &Gomoku) {
        for colour in Colour::BOTH {
            let stones = position.cells_of(colour);
            for cell in self.board() {
                let is_stone = stones.contains(Cell::from_index(cell - MARGIN));
                if self.content[cell] == Content::of(colour as usize) && !is_stone {
                    self.clear(colour as usize, cell);
                }
            }
        }
        for colour in Colour::BOTH {
            for cell in position.cells_of(colour).cells().map(index_of) {
                if self.is_empty(cell) {
                    self.add(colour as usize, cell);
                }
            }
        }
        self.changes.clear();
        self.stones.clear();
    }

    /// The cells of the board.
    pub(crate) fn board(&self) -> impl Iterator<Item = usize> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |column| cell_at(column, row)))
    }

    /// Counts what lies outside the board around a cell, and the empty cell itself.
    fn begin(&mut self, cell: usize) {
        for (direction, step) in STEPS.into_iter().enumerate() {
            for (place, &weight) in WEIGHTS.iter().enumerate() {
                if self.content[cell + place * step - REACH * step] == Content::Outside {
                    self.lines[cell][direction] += 2 * pair(weight, weight);
                }
            }
        }
        self.enter(cell);
    }

    #[inline]
    pub(crate) fn content(&self, cell: usize) -> Content {
        self.content[cell]
    }

    #[inline]
    pub(crate) fn is_empty(&self, cell: usize) -> bool {
        self.content[cell] == Content::Empty
    }

    /// Key of the stones.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// The cells on which a stone of a colour has a mark.
    #[inline]
    pub(crate) fn marked(&self, colour: usize, mark: Mark) -> &Marked {
        &self.marked[colour][mark as usize]
    }

    #[inline]
    pub(crate) fn mark(&self, colour: usize, cell: usize) -> Mark {
        self.cells[cell][colour].value.mark
    }

    /// The shape of a stone on an empty cell in a direction.
    #[inline]
    pub(crate) fn shape(&self, colour: usize, cell: usize, direction: usize) -> Shape {
        Shape::ALL[(self.cells[cell][colour].shapes >> (4 * direction) & 15) as usize]
    }

    /// The shape of a stone on an empty cell in a direction, if the cell `away` from it on that line,
    /// -5 to 5, were blocked.
    #[inline]
    pub(crate) fn shape_blocked(
        &self,
        colour: usize,
        cell: usize,
        direction: usize,
        away: isize,
    ) -> Shape {
        let weight = WEIGHTS[(away + REACH as isize) as usize] as usize;
        self.shapes_of[colour][self.line(colour, cell, direction) + 2 * weight]
    }

    /// Points of `colour`, which is to move.
    #[inline]
    pub(crate) fn points(&self, colour: usize) -> i32 {
        let threats = learned(self.threats(colour));
        self.sums.mover[colour] - self.sums.waiter[1 - colour] + i32::from(threats)
    }

    /// Place of the learned points of the threats of both colours, of which `colour` is to move.
    #[inline]
    fn threats(&self, colour: usize) -> usize {
        let bit = |colour: usize, mark: Mark| usize::from(!self.marked(colour, mark).is_empty());
        let own = OWN_MARKS
            .iter()
            .fold(0, |bits, &mark| bits << 1 | bit(colour, mark));
        let all = ENEMY_MARKS
            .iter()
            .fold(own, |bits, &mark| bits << 1 | bit(1 - colour, mark));
        self.values_of[colour].place() + 4 * MULTISETS + all
    }

    /// What a stone of the colour on an empty cell gains and prevents.
    #[inline]
    pub(crate) fn gain(&self, colour: usize, cell: usize) -> i32 {
        let [own, enemy] = [colour, 1 - colour]
            .map(|colour| self.values_of[colour].gains(self.cells[cell][colour].shapes));
        i32::from(own[0]) + i32::from(enemy[1])
    }

    /// The learned numbers that the value and the gains are made of, if the colour is to move.
    pub(crate) fn inputs(&self, colour: usize) -> Inputs {
        let multisets = |cell: usize| {
            let of = |colour: usize| multiset(self.cells[cell][colour].shapes) as u16;
            (Cell::from_index(cell - MARGIN), of(colour), of(1 - colour))
        };
        Inputs {
            kinds: [colour, 1 - colour].map(|colour| self.values_of[colour].place()),
            threats: self.threats(colour),
            cells: self
                .board()
                .filter(|&cell| self.is_empty(cell))
                .map(multisets)
                .collect(),
        }
    }

    /// Content of the line through a cell, an index into a table of shapes.
    #[inline]
    fn line(&self, colour: usize, cell: usize, direction: usize) -> usize {
        (self.lines[cell][direction] >> (16 * colour) & 0xffff) as usize
    }

    /// Puts a stone on an empty cell.
    pub(crate) fn add(&mut self, colour: usize, cell: usize) {
        self.stones.push(Added {
            colour,
            cell,
            changes: self.changes.len(),
            sums: self.sums,
        });
        for own in 0..2 {
            self.set(own, cell, CellShapes::NONE);
        }
        self.content[cell] = Content::of(colour);
        self.key ^= KEYS[colour * KEYS_OF_COLOUR + cell];
        self.count::<true>(colour, cell);
        self.renew_around(cell);
    }

    /// Takes the last added stone back; returns false if there is none.
    pub(crate) fn take_back(&mut self) -> bool {
        let Some(added) = self.stones.pop() else {
            return false;
        };
        let Added { colour, cell, .. } = added;
        self.count::<false>(colour, cell);
        self.content[cell] = Content::Empty;
        self.key ^= KEYS[colour * KEYS_OF_COLOUR + cell];
        while self.changes.len() > added.changes {
            if let Some(change) = self.changes.pop() {
                let (colour, cell) = (change.colour as usize, change.cell as usize);
                let now = std::mem::replace(&mut self.cells[cell][colour], change.before);
                self.move_mark(colour, cell, now.value.mark, change.before.value.mark);
            }
        }
        self.sums = added.sums;
        true
    }

    /// Removes any stone.
    fn clear(&mut self, colour: usize, cell: usize) {
        self.content[cell] = Content::Empty;
        self.key ^= KEYS[colour * KEYS_OF_COLOUR + cell];
        self.count::<false>(colour, cell);
        self.renew_around(cell);
        self.enter(cell);
    }

    /// Adds a stone to the lines of all cells that it is in, or removes it from them. The margin has
    /// lines, too, which nobody reads: so there is no branch in the loop.
    #[inline]
    fn count<const ADD: bool>(&mut self, colour: usize, cell: usize) {
        for (direction, step) in STEPS.into_iter().enumerate() {
            for (place, &weight) in WEIGHTS.iter().enumerate() {
                // Seen from there, the stone is on the other side.
                let near = cell + REACH * step - place * step;
                let weights = match colour {
                    0 => pair(weight, 2 * weight),
                    _ => pair(2 * weight, weight),
                };
                if ADD {
                    self.lines[near][direction] += weights
                } else {
                    self.lines[near][direction] -= weights
                }
            }
        }
    }

    /// Renews the shapes that a stone on a cell may have changed. No shape of a colour reaches
    /// beyond a stone of the other.
    #[inline]
    fn renew_around(&mut self, cell: usize) {
        let mut changed = [(0, 0); MOST_CHANGED];
        for colour in 0..2 {
            let enemy = Content::of(1 - colour);
            let mut count = 0;
            for (direction, step) in STEPS.into_iter().enumerate() {
                for step in [step as isize, -(step as isize)] {
                    let mut near = cell;
                    for _ in 0..self.reach {
                        near = near.wrapping_add_signed(step);
                        let content = self.content[near];
                        if content == enemy || content == Content::Outside {
                            break;
                        }
                        if content == Content::Empty {
                            let line = self.line(colour, near, direction);
                            let shape = self.shapes_of[colour][line] as u16;
                            let old = self.cells[near][colour].shapes;
                            let shapes = old & !(15 << (4 * direction)) | shape << (4 * direction);
                            // No branch: it would often be mispredicted.
                            changed[count] = (near, shapes);
                            count += usize::from(shapes != old);
                        }
                    }
                }
            }
            for &(cell, shapes) in &changed[..count] {
                let value = self.values_of[colour].of(shapes);
                self.set(colour, cell, CellShapes { shapes, value });
            }
        }
    }

    /// Sets the shapes of a cell, and logs the old ones.
    #[inline]
    fn set(&mut self, colour: usize, cell: usize, new: CellShapes) {
        let before = std::mem::replace(&mut self.cells[cell][colour], new);
        self.changes.push(Change {
            colour: colour as u16,
            cell: cell as u16,
            before,
        });
        self.sums.mover[colour] += (new.value.mover - before.value.mover) as i32;
        self.sums.waiter[colour] += (new.value.waiter - before.value.waiter) as i32;
        self.move_mark(colour, cell, before.value.mark, new.value.mark);
    }

    #[inline]
    fn move_mark(&mut self, colour: usize, cell: usize, old: Mark, new: Mark) {
        if old == new {
            return;
        }
        let (column, row) = ((cell - MARGIN) % STRIDE, (cell - MARGIN) / STRIDE);
        let marked = &mut self.marked[colour];
        if old != Mark::None {
            marked[old as usize].rows[row] ^= 1 << column;
            marked[old as usize].count -= 1;
        }
        if new != Mark::None {
            marked[new as usize].rows[row] ^= 1 << column;
            marked[new as usize].count += 1;
        }
    }

    /// Counts a cell that is empty now.
    fn enter(&mut self, cell: usize) {
        for colour in 0..2 {
            let mut shapes = 0;
            for direction in 0..4 {
                let shape = self.shapes_of[colour][self.line(colour, cell, direction)];
                shapes |= (shape as u16) << (4 * direction);
            }
            let value = self.values_of[colour].of(shapes);
            self.set(colour, cell, CellShapes { shapes, value });
        }
    }
}

/// A number for black and one for white.
#[inline(always)]
const fn pair(black: u16, white: u16) -> u32 {
    black as u32 | (white as u32) << 16
}

#[cfg(test)]
impl PartialEq for Patterns {
    fn eq(&self, other: &Patterns) -> bool {
        self.content == other.content
            && self
                .lines
                .iter()
                .zip(&*other.lines)
                .zip(&self.content)
                .all(|((a, b), content)| *content == Content::Outside || a == b)
            && self.cells == other.cells
            && self.marked == other.marked
            && (self.sums, self.key) == (other.sums, other.key)
    }
}
