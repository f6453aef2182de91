//! The best empty cells near stones, by the gain of a stone on each of them.

use engine_core::{Position, Side};

use crate::board::Connect6;
use crate::geometry::{CELLS, MAX_SIZE, STEPS, STRIDE};
use crate::moves::{Cells, Stone};
use crate::windows::{CONTENTS, Windows};

/// Number of cells whose gains are summed at once, one per byte of a word.
const LANES: usize = 8;
/// A window may begin up to five cells before the first cell of the board.
const PAD: usize = 5 * (STRIDE + 1);
/// The windows of one direction, indexed by their first cells, plus padding for word loads past the
/// last one.
const PLANE: usize = (PAD + CELLS + LANES).next_multiple_of(LANES);

/// The gain of one more stone of each side in a window, by the window's content before.
pub(crate) type GainTable = [[u8; CONTENTS]; 2];

/// The gains of all windows of a position, and memory for sorting cells.
///
/// The gain of a cell is the sum over the windows through it. Windows are stored by their first
/// cells, row by row, so one load reads those of eight neighbouring cells.
pub(crate) struct Ranking {
    table: &'static GainTable,
    planes: Box<[[[u8; PLANE]; STEPS.len()]; 2]>,
    /// The rows of each side's stones at the last update of the planes.
    stones: [[u32; MAX_SIZE]; 2],
    keys: Vec<u32>,
}

impl Ranking {
    /// The ranking of the empty board whose windows are `windows`. Without a threat, no content
    /// gains more than 42, so six gains fit into a byte.
    pub(crate) fn new(windows: &Windows, table: &'static GainTable) -> Ranking {
        let mut ranking = Ranking {
            table,
            planes: Box::new([[[0; PLANE]; STEPS.len()]; 2]),
            stones: [[0; MAX_SIZE]; 2],
            keys: Vec::with_capacity(MAX_SIZE * MAX_SIZE),
        };
        (0..CELLS)
            .filter(|cell| cell % STRIDE < MAX_SIZE)
            .for_each(|cell| ranking.update(windows, cell));
        ranking
    }

    /// Appends to `out` the best `limit` of `cells` for the side to move, best first; ties are
    /// ordered by cell number. `windows` are those of `position`, in which no block may be needed.
    pub(crate) fn best(
        &mut self,
        windows: &Windows,
        position: &Connect6,
        cells: &Cells,
        limit: usize,
        out: &mut Vec<Stone>,
    ) {
        self.follow(windows, position);
        self.keys.clear();
        for (row, &cells) in cells.rows.iter().enumerate() {
            let mut left = cells;
            while left != 0 {
                let first = left.trailing_zeros() as usize;
                left = self.add_keys(position.side(), row * STRIDE + first, left);
            }
        }
        let mut best = &mut self.keys[..];
        if best.len() > limit {
            best = best.select_nth_unstable(limit).0;
        }
        best.sort_unstable();
        let stones = best
            .iter()
            .map(|key| Stone::from_cell((key & 0xffff) as usize));
        out.extend(stones);
    }

    /// Adds the keys of up to [`LANES`] cells of a row from `cell` on. Returns the remaining bits
    /// of `cells`.
    #[inline]
    fn add_keys(&mut self, side: Side, cell: usize, cells: u32) -> u32 {
        let sums = self.sums(side, cell);
        let mut here = cells >> (cell % STRIDE) & ((1 << LANES) - 1);
        let rest = cells ^ here << (cell % STRIDE);
        while here != 0 {
            let lane = here.trailing_zeros() as usize;
            here &= here - 1;
            let gain = u16::MAX - sums[lane % LANES];
            self.keys.push((gain as u32) << 16 | (cell + lane) as u32);
        }
        rest
    }

    /// The gains of `side` on the cells from `cell` on.
    #[inline]
    fn sums(&self, side: Side, cell: usize) -> [u16; LANES] {
        let [row, column, rising, falling] = &self.planes[side.index()];
        let lines = [
            line_sums::<{ STEPS[0] }>(row, cell),
            line_sums::<{ STEPS[1] }>(column, cell),
            line_sums::<{ STEPS[2] }>(rising, cell),
            line_sums::<{ STEPS[3] }>(falling, cell),
        ];
        // Sums over four directions may exceed a byte, so even and odd lanes are summed in separate
        // words.
        const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
        let (mut even, mut odd) = (0, 0);
        for line in lines {
            even += line & EVEN;
            odd += line >> 8 & EVEN;
        }
        std::array::from_fn(|lane| ([even, odd][lane % 2] >> (lane / 2 * 16)) as u16)
    }

    /// Updates the windows through cells that changed since the last ranking. Most search nodes
    /// rank nothing, so this is cheaper than updating the gains with every count.
    fn follow(&mut self, windows: &Windows, position: &Connect6) {
        for row in 0..MAX_SIZE {
            let mut changed = 0;
            for side in Side::BOTH {
                let stones = position.lines(side)[row];
                changed |= self.stones[side.index()][row] ^ stones;
                self.stones[side.index()][row] = stones;
            }
            while changed != 0 {
                let column = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                self.update(windows, row * STRIDE + column);
            }
        }
    }

    /// Updates the windows through a cell.
    #[inline]
    fn update(&mut self, windows: &Windows, cell: usize) {
        let contents = windows.contents_through(cell);
        for (direction, contents) in contents.into_iter().enumerate() {
            for (window, content) in contents.into_iter().enumerate() {
                let at = PAD + cell - (5 - window) * STEPS[direction];
                for side in Side::BOTH {
                    let gain = self.table[side.index()][content];
                    self.planes[side.index()][direction][at] = gain;
                }
            }
        }
    }
}

/// The gains in one direction on eight cells from `cell` on, one per byte.
#[inline(always)]
fn line_sums<const STEP: usize>(plane: &[u8; PLANE], cell: usize) -> u64 {
    let near: &[u8; PAD + LANES] = plane[cell..]
        .first_chunk()
        .expect("a plane has room for the last cells");
    let gains = |place: usize| {
        let bytes = near[PAD - place * STEP..].first_chunk();
        u64::from_le_bytes(*bytes.expect("a window begins within the pad"))
    };
    gains(0)
        .wrapping_add(gains(1))
        .wrapping_add(gains(2))
        .wrapping_add(gains(3))
        .wrapping_add(gains(4))
        .wrapping_add(gains(5))
}

#[cfg(test)]
mod tests {
    use engine_core::{Playout, Rng};

    use super::*;
    use crate::evaluate::{GAINS, Weights, gain};
    use crate::playout::Random;

    /// Reference: evaluates every cell alone and sorts all.
    fn sorted(windows: &Windows, position: &Connect6, cells: Cells) -> Vec<Stone> {
        let mut ranked: Vec<(i32, Stone)> = cells
            .cells()
            .map(|stone| (-gain(windows, position.side(), stone), stone))
            .collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, stone)| stone).collect()
    }

    #[test]
    fn the_best_are_the_first_of_all_sorted() {
        let mut rng = Rng::new(11);
        for size in [6, 13, 19] {
            let mut windows = Windows::new(size, Weights::DEFAULT.growth());
            let mut ranking = Ranking::new(&windows, &GAINS);
            let mut compared = 0;
            for _ in 0..400 {
                let mut position = Connect6::new(size);
                for _ in 0..rng.below(size as u32 * size as u32 / 3) {
                    if position.outcome().is_none() {
                        position.play(Random::default().choose(&position, &mut rng));
                    }
                }
                windows.follow(&position);
                if !windows.threats(position.side().opponent()).is_empty() {
                    continue;
                }
                let cells = [position.near_cells(), position.empty_cells()][rng.below(2) as usize];
                let limit = 1 + rng.below(30) as usize;
                let mut best = Vec::new();
                ranking.best(&windows, &position, &cells, limit, &mut best);
                let mut all = sorted(&windows, &position, cells);
                all.truncate(limit);
                assert_eq!(best, all);
                compared += 1;
            }
            assert!(compared > 100, "{compared}");
        }
    }
}
