//! Conductance of a board seen as an electrical circuit.

use crate::board::{Colour, Hex};
use crate::geometry::{CellSet, MAX_SIZE};

/// Resistance of an empty cell, from its middle to its rim.
const EMPTY: f32 = 1.0;
/// Resistance of a stone. Not 0, so that no conductance is infinite.
const STONE: f32 = 0.02;
/// What a blocked circuit still conducts, so that logarithms stay finite.
const LEAK: f32 = 1e-4;

/// Cells that wait for their elimination, a power of two above the largest size.
const WAITING: usize = 32;

/// The conductance between the two edges of `colour`, where `held` are the cells of each colour's
/// bridges: a colour's own count as its stones, the other's as the other's, and what both hold is
/// empty.
pub(crate) fn conductance(position: &Hex, colour: Colour, held: &[CellSet; 2]) -> f32 {
    let other = colour.other();
    let [own_held, other_held] = [held[colour as usize], held[other as usize]];
    let own = position
        .stones(colour)
        .union(&own_held.without(&other_held));
    let blocked = position.stones(other).union(&other_held.without(&own_held));

    let size = position.size() as usize;
    let mut resistance = [EMPTY; MAX_SIZE * MAX_SIZE];
    let mut set = |cells: &CellSet, ohms: f32| {
        for cell in cells.cells() {
            // Blue's board is mirrored, so that the current always flows down.
            let (line, place) = match colour {
                Colour::Red => (cell.row, cell.column),
                Colour::Blue => (cell.column, cell.row),
            };
            resistance[line as usize * size + place as usize] = ohms;
        }
    };
    set(&own, STONE);
    set(&blocked, f32::INFINITY);
    // The narrow form is faster, and holds the contest's board.
    if size <= 12 {
        Circuit::<12>::default().conductance(&resistance, size)
    } else {
        Circuit::<20>::default().conductance(&resistance, size)
    }
}

/// A circuit whose cells are eliminated one by one, line by line from the top, each replaced by
/// links between its neighbours (the star-mesh transform), until only the two edges remain.
/// Only positive numbers are added, so nothing cancels and single precision is enough.
struct Circuit<const WIDTH: usize> {
    /// Conductances of a waiting cell to the cells after it: element 0 is the next one. A cell
    /// has its place by its number modulo [`WAITING`].
    links: [[f32; WIDTH]; WAITING],
    /// Conductances of waiting cells to the upper edge.
    upper: [f32; WAITING],
    /// Conductances of waiting cells to the lower edge.
    lower: [f32; WAITING],
}

impl<const WIDTH: usize> Default for Circuit<WIDTH> {
    fn default() -> Self {
        Circuit {
            links: [[0.0; WIDTH]; WAITING],
            upper: [0.0; WAITING],
            lower: [0.0; WAITING],
        }
    }
}

impl<const WIDTH: usize> Circuit<WIDTH> {
    fn conductance(mut self, resistance: &[f32], size: usize) -> f32 {
        let mut total = LEAK;
        for line in 0..size {
            for place in 0..size {
                let cell = line * size + place;
                if resistance[cell].is_finite() {
                    self.connect(resistance, size, line, place);
                    total += self.eliminate(cell, size);
                }
            }
        }
        total
    }

    /// Adds a cell's own links to the cells after it and to the edges.
    #[inline]
    fn connect(&mut self, resistance: &[f32], size: usize, line: usize, place: usize) {
        let cell = line * size + place;
        let own = resistance[cell];
        let links = &mut self.links[cell % WAITING];
        if place + 1 < size {
            links[0] += 1.0 / (own + resistance[cell + 1]);
        }
        if line + 1 < size {
            links[size - 1] += 1.0 / (own + resistance[cell + size]);
            if place > 0 {
                links[size - 2] += 1.0 / (own + resistance[cell + size - 1]);
            }
        } else {
            self.lower[cell % WAITING] += 1.0 / own;
        }
        if line == 0 {
            self.upper[cell % WAITING] += 1.0 / own;
        }
    }

    /// Replaces a cell by links between its neighbours; returns the new link between the edges.
    #[inline]
    fn eliminate(&mut self, cell: usize, size: usize) -> f32 {
        // Zeros behind the links let every row be updated in one length.
        let mut links = [0.0; 2 * MAX_SIZE + 2];
        links[..WIDTH].copy_from_slice(&self.links[cell % WAITING]);
        self.links[cell % WAITING] = [0.0; WIDTH];
        let upper = std::mem::take(&mut self.upper[cell % WAITING]);
        let lower = std::mem::take(&mut self.lower[cell % WAITING]);
        let sum: f32 = upper + lower + links[..WIDTH].iter().sum::<f32>();
        if sum == 0.0 {
            return 0.0;
        }
        let share = 1.0 / sum;
        for distance in 1..=size {
            let weight = links[distance - 1] * share;
            if weight == 0.0 {
                continue;
            }
            let other = (cell + distance) % WAITING;
            self.upper[other] += weight * upper;
            self.lower[other] += weight * lower;
            let row = &mut self.links[other];
            for (link, &next) in row.iter_mut().zip(&links[distance..distance + WIDTH]) {
                *link += weight * next;
            }
        }
        upper * lower * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::Variant;

    /// Conductance of an empty board by relaxing the potentials: slow, and obvious.
    fn relaxed(size: usize) -> f32 {
        let mut potential = vec![0.5f64; size * size];
        let steps: [(isize, isize); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];
        let mut current = 0.0;
        for _ in 0..5_000 {
            current = 0.0;
            for row in 0..size as isize {
                for column in 0..size as isize {
                    let (mut sum, mut weight) = (0.0, 0.0);
                    for (dx, dy) in steps {
                        let (x, y) = (column + dx, row + dy);
                        if (0..size as isize).contains(&x) && (0..size as isize).contains(&y) {
                            sum += potential[y as usize * size + x as usize] / 2.0;
                            weight += 0.5;
                        }
                    }
                    let cell = row as usize * size + column as usize;
                    if row == 0 {
                        sum += 1.0;
                        weight += 1.0;
                        current += 1.0 - potential[cell];
                    }
                    if row as usize == size - 1 {
                        weight += 1.0;
                    }
                    potential[cell] = sum / weight;
                }
            }
        }
        current as f32
    }

    #[test]
    fn an_empty_board_conducts_as_its_relaxed_potentials_say() {
        for size in [2u8, 5, 11, 12, 13, 19] {
            let variant = Variant {
                size,
                ..Variant::default()
            };
            let board = Hex::empty_board(variant);
            let held = [CellSet::EMPTY; 2];
            for colour in [Colour::Red, Colour::Blue] {
                let found = conductance(&board, colour, &held) - LEAK;
                let expected = relaxed(size as usize);
                assert!(
                    (found / expected - 1.0).abs() < 1e-3,
                    "{size}: {found} {expected}"
                );
            }
        }
    }
}
