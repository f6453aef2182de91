//! Fills the tables of two classes of pieces, one against the other.
//!
//! A step leads to a higher square, so in one pass from the highest squares down the values of all
//! successors are known. Those after a capture are in the tables with one piece less.

use super::group::{Faces, Group, MOST, pieces};
use super::index::{SQUARES, index, is_stored, size};
use super::{CERTAIN, Endgames, Pair};
use crate::tables::{GOAL, STEPS, transpose};

/// A step of one piece of a group.
#[derive(Clone, Copy, Default)]
struct Step {
    piece: u8,
    /// In the group's own frame.
    target: u8,
    /// How far it leads in the list of placements, if nothing is captured.
    ahead: u16,
}

/// The squares of pieces that cannot stand so: they meet those of every opponent.
const EVERYWHERE: u32 = u32::MAX;

/// The pieces of a group on the board.
struct Placement {
    group: Group,
    /// One bit for each piece, in the own frame and in the opponent's; [`EVERYWHERE`] if two of the
    /// pieces share a square.
    occupied: [u32; 2],
    /// The number of the mirrored placement.
    mirrored: usize,
    steps: Vec<Step>,
}

impl Placement {
    /// The placement of this number, in base [`SQUARES`] with the first piece highest.
    fn new(class: u8, number: usize) -> Placement {
        let count = pieces(class);
        let unit = |piece: u32| SQUARES.pow(count - 1 - piece);
        let mut squares = [0; MOST];
        for piece in 0..count {
            squares[piece as usize] = (number / unit(piece) % SQUARES) as u8;
        }
        let group = Group::of_class(class, squares);
        let (mut occupied, mut mirrored, mut steps) = ([0u32; 2], 0, Vec::new());
        for (piece, &square) in group.squares().iter().enumerate() {
            occupied[0] |= 1 << square;
            occupied[1] |= 1 << (GOAL - square);
            mirrored = mirrored * SQUARES + usize::from(transpose(square));
            let ways = &STEPS[usize::from(square)];
            steps.extend(
                ways.targets[..usize::from(ways.count)]
                    .iter()
                    .map(|&target| Step {
                        piece: piece as u8,
                        target,
                        ahead: (usize::from(target - square) * unit(piece as u32)) as u16,
                    }),
            );
        }
        if occupied[0].count_ones() < count {
            occupied = [EVERYWHERE; 2];
        }
        Placement {
            group,
            occupied,
            mirrored,
            steps,
        }
    }

    /// The piece on a square.
    fn find(&self, square: u8) -> usize {
        let place = self.group.squares().iter().position(|&at| at == square);
        place.expect("the square is occupied")
    }
}

/// Two classes while their tables are filled. A *row* is one placement of the first class with all
/// placements of the second.
struct Filling<'a> {
    smaller: &'a Endgames,
    faces: [Faces; 2],
    placements: [Vec<Placement>; 2],
    /// The placements of the second class by the squares that they occupy in the first's frame.
    standing: [Vec<usize>; 25],
    /// The winning probability of either side where it rolls, row by row. Where two pieces share a
    /// square it is 1: the step before, which captures, then gains nothing by not capturing.
    chances: [Vec<f32>; 2],
}

/// The probability of a position that is impossible.
const IMPOSSIBLE: f32 = 1.0;

/// The tables of the positions where a group of the first class rolls, and where one of the second
/// does; the second is empty if the classes are the same.
pub(super) fn fill(classes: [u8; 2], smaller: &Endgames) -> Pair {
    let placements = classes.map(|class| {
        let count = SQUARES.pow(pieces(class));
        let numbers = 0..count;
        numbers
            .map(|number| Placement::new(class, number))
            .collect::<Vec<_>>()
    });
    let positions = placements[0].len() * placements[1].len();
    let standing = std::array::from_fn(|square| {
        let stands = |number: &usize| placements[1][*number].occupied[1] >> square & 1 == 1;
        (0..placements[1].len()).filter(stands).collect()
    });
    let mut filling = Filling {
        smaller,
        faces: classes.map(Faces::of),
        placements,
        standing,
        chances: [(); 2].map(|()| vec![IMPOSSIBLE; positions]),
    };
    filling.run();
    [0, 1].map(|side| {
        if side == 1 && classes[0] == classes[1] {
            Box::default()
        } else {
            filling.rounded(side)
        }
    })
}

impl Filling<'_> {
    /// Computes all probabilities: where the first side rolls, from the rows below; then, where the
    /// second rolls, from those of the same row.
    fn run(&mut self) {
        let length = self.placements[1].len();
        let mut best: [Vec<f32>; MOST] = [(); MOST].map(|()| vec![0.0; length]);
        for row in (0..self.placements[0].len()).rev() {
            let own = &self.placements[0][row];
            if own.mirrored > row {
                self.copy_mirrored(row);
            } else if own.occupied[0] != EVERYWHERE {
                self.first_rolls(row, &mut best);
                self.second_rolls(row);
            }
        }
    }

    /// Copies a row from its mirror image.
    fn copy_mirrored(&mut self, row: usize) {
        let length = self.placements[1].len();
        let image = self.placements[0][row].mirrored * length;
        for chances in &mut self.chances {
            let (left, right) = chances.split_at_mut(image);
            let target = &mut left[row * length..][..length];
            for (value, other) in target.iter_mut().zip(&self.placements[1]) {
                *value = right[other.mirrored];
            }
        }
    }

    /// Computes a row where the first side rolls; `best` is for the values of its pieces' best steps.
    fn first_rolls(&mut self, row: usize, best: &mut [Vec<f32>; MOST]) {
        let length = self.placements[1].len();
        let own = &self.placements[0][row];
        best.iter_mut().for_each(|values| values.fill(0.0));
        for &step in &own.steps {
            let values = &mut best[usize::from(step.piece)];
            if step.target == GOAL {
                values.fill(1.0);
            } else if own.occupied[0] >> step.target & 1 == 1 {
                for (value, enemy) in values.iter_mut().zip(&self.placements[1]) {
                    if is_possible(own, enemy) {
                        *value = value.max(self.after_capture(own, enemy, step));
                    }
                }
            } else {
                let next = &self.chances[1][(row + usize::from(step.ahead)) * length..][..length];
                for (value, next) in values.iter_mut().zip(next) {
                    *value = value.max(1.0 - next);
                }
                for &number in &self.standing[usize::from(step.target)] {
                    let enemy = &self.placements[1][number];
                    if is_possible(own, enemy) {
                        let value = &mut values[number];
                        *value = value.max(self.after_capture(own, enemy, step));
                    }
                }
            }
        }
        let [one, two, three] = best;
        let row = &mut self.chances[0][row * length..][..length];
        for (number, value) in row.iter_mut().enumerate() {
            if is_possible(own, &self.placements[1][number]) {
                *value = mean(&self.faces[0], [one[number], two[number], three[number]]);
            }
        }
    }

    /// Computes a row where the second side rolls.
    fn second_rolls(&mut self, row: usize) {
        let length = self.placements[1].len();
        let enemy = &self.placements[0][row];
        let start = row * length;
        for (number, own) in self.placements[1].iter().enumerate() {
            if !is_possible(enemy, own) {
                continue;
            }
            let occupied = own.occupied[0] | enemy.occupied[1];
            let mut best = [0f32; MOST];
            for &step in &own.steps {
                let value = if step.target == GOAL {
                    1.0
                } else if occupied >> step.target & 1 == 0 {
                    1.0 - self.chances[0][start + number + usize::from(step.ahead)]
                } else {
                    self.after_capture(own, enemy, step)
                };
                let best = &mut best[usize::from(step.piece)];
                *best = best.max(value);
            }
            self.chances[1][start + number] = mean(&self.faces[1], best);
        }
    }

    /// The winning probability after a step on another piece.
    fn after_capture(&self, own: &Placement, enemy: &Placement, step: Step) -> f32 {
        let moved = own.group.moved(step.piece.into(), step.target);
        if enemy.occupied[1] >> step.target & 1 == 0 {
            let left = moved.without(own.find(step.target));
            return 1.0 - self.smaller.of_groups(&enemy.group, &left);
        }
        if enemy.group.squares().len() == 1 {
            return 1.0;
        }
        let left = enemy.group.without(enemy.find(GOAL - step.target));
        1.0 - self.smaller.of_groups(&left, &moved)
    }

    /// The table of the positions where a side rolls.
    fn rounded(&self, side: usize) -> Box<[u16]> {
        let [own, enemies] = [side, 1 - side].map(|side| &self.placements[side]);
        let lowest = enemies[0].group.squares();
        let units = [self.placements[1].len(), 1];
        let mut table = vec![0; size(own[0].group.squares().len() + lowest.len())];
        for (own_number, own) in own.iter().enumerate() {
            if !is_stored(own.group.squares()[0]) {
                continue;
            }
            // The placements of the enemy are in the order of the index.
            let start = index(own.group.squares(), lowest);
            for (enemy, value) in table[start..][..enemies.len()].iter_mut().enumerate() {
                let chance = self.chances[side][own_number * units[side] + enemy * units[1 - side]];
                *value = (chance * f32::from(CERTAIN) + 0.5) as u16;
            }
        }
        table.into()
    }
}

/// Whether all pieces of both sides have squares of their own.
#[inline]
fn is_possible(one: &Placement, other: &Placement) -> bool {
    one.occupied[0] & other.occupied[1] == 0
}

/// The mean over the faces of the best step, from the best step of every piece.
fn mean(faces: &Faces, best: [f32; MOST]) -> f32 {
    let only = faces.only.iter().zip(best);
    let mut sum: f32 = only.map(|(&faces, value)| f32::from(faces) * value).sum();
    for (&faces, pair) in faces.either.iter().zip(best.windows(2)) {
        sum += f32::from(faces) * pair[0].max(pair[1]);
    }
    sum / 6.0
}
