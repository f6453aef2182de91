//! Tables for geometry and dice, computed at compile time.
//!
//! Each side sees the board in its own *frame*: squares 0–24 row by row, 0 its own corner, 24 its
//! goal. The frames differ by a rotation of 180°, so square `s` of one side is `24 - s` of the
//! other. Both sides then move alike, and the rules need no colours.

/// The goal of a side in its own frame; also used to convert a square to the other frame.
pub(crate) const GOAL: u8 = 24;

/// The home squares of a side, in the order of red's written layout.
pub(crate) const HOME: [u8; 6] = [0, 1, 2, 5, 6, 10];

/// Number of layouts of one side.
pub(crate) const LAYOUT_COUNT: usize = 720;

/// The square mirrored in the diagonal from corner to goal.
pub(crate) const fn transpose(square: u8) -> u8 {
    square % 5 * 5 + square / 5
}

/// Turns that a piece on `square` needs to reach the goal.
pub(crate) const fn distance(square: u8) -> u8 {
    let (column, row) = (square % 5, square / 5);
    4 - if column < row { column } else { row }
}

/// The targets of a piece's steps.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    /// The first `count` are targets; of three, the diagonal one is first.
    pub(crate) targets: [u8; 3],
    /// 3; 1 on the last row or column; 0 on the goal.
    pub(crate) count: u8,
}

/// Steps by square. Field values that are not squares have no steps.
pub(crate) static STEPS: [Steps; 32] = {
    let mut steps = [Steps {
        targets: [0; 3],
        count: 0,
    }; 32];
    let mut square = 0;
    while square < GOAL {
        let step = &mut steps[square as usize];
        match (square % 5 < 4, square / 5 < 4) {
            (true, true) => {
                step.targets = [square + 6, square + 1, square + 5];
                step.count = 3;
            }
            (true, false) => {
                step.targets[0] = square + 1;
                step.count = 1;
            }
            _ => {
                step.targets[0] = square + 5;
                step.count = 1;
            }
        }
        square += 1;
    }
    steps
};

/// The two pieces (numbered from 0) that a roll may move, by the mask of pieces on the board and
/// the roll 1–6; equal if only one may move. Entries for an empty mask are unspecified.
pub(crate) static MOVABLE: [[[u8; 2]; 8]; 64] = {
    let mut table = [[[0; 2]; 8]; 64];
    let mut alive = 1;
    while alive < 64 {
        let mut die = 1;
        while die <= 6 {
            table[alive][die] = movable(alive as u8, die as u8 - 1);
            die += 1;
        }
        alive += 1;
    }
    table
};

const fn movable(alive: u8, piece: u8) -> [u8; 2] {
    let lower = alive & ((2 << piece) - 1);
    let higher = alive >> piece << piece;
    if lower == 0 || alive >> piece & 1 == 1 {
        let nearest = higher.trailing_zeros() as u8;
        [nearest, nearest]
    } else {
        let nearest = 7 - lower.leading_zeros() as u8;
        if higher == 0 {
            [nearest, nearest]
        } else {
            [nearest, higher.trailing_zeros() as u8]
        }
    }
}

/// The numbers 1–6 on the squares of [`HOME`], by layout index, in lexicographic order.
pub(crate) static LAYOUTS: [[u8; 6]; LAYOUT_COUNT] = {
    let mut layouts = [[0; 6]; LAYOUT_COUNT];
    let mut rank = 0;
    while rank < LAYOUT_COUNT {
        layouts[rank] = layout(rank);
        rank += 1;
    }
    layouts
};

const fn layout(rank: usize) -> [u8; 6] {
    let mut rest = [1, 2, 3, 4, 5, 6];
    let mut numbers = [0; 6];
    let mut block = LAYOUT_COUNT;
    let mut remainder = rank;
    let mut i = 0;
    while i < 6 {
        block /= 6 - i;
        let mut take = remainder / block;
        remainder %= block;
        numbers[i] = rest[take];
        while take < 5 {
            rest[take] = rest[take + 1];
            take += 1;
        }
        i += 1;
    }
    numbers
}

/// The index of a layout, or `None` if `numbers` are not 1–6, each once.
pub(crate) fn layout_rank(numbers: [u8; 6]) -> Option<u16> {
    LAYOUTS.binary_search(&numbers).ok().map(|rank| rank as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_all_the_orders_in_rising_order() {
        assert!(LAYOUTS.windows(2).all(|pair| pair[0] < pair[1]));
        for numbers in LAYOUTS {
            let mut sorted = numbers;
            sorted.sort_unstable();
            assert_eq!(sorted, [1, 2, 3, 4, 5, 6]);
        }
        assert_eq!(layout_rank([6, 5, 4, 3, 2, 1]), Some(719));
        assert_eq!(layout_rank([6, 5, 4, 3, 2, 2]), None);
    }

    #[test]
    fn a_die_moves_its_piece_or_the_nearest() {
        for (alive, die, pieces) in [
            (0b111111, 4, [3, 3]),
            (0b100001, 4, [0, 5]),
            (0b000110, 6, [2, 2]),
            (0b011100, 1, [2, 2]),
            (0b101010, 3, [1, 3]),
            (0b000001, 6, [0, 0]),
        ] {
            assert_eq!(MOVABLE[alive][die], pieces, "{alive:06b}, die {die}");
        }
    }

    #[test]
    fn steps_stay_on_the_board_and_approach_the_goal() {
        let counts: Vec<u8> = STEPS.iter().map(|steps| steps.count).collect();
        assert_eq!(counts[..5], [3, 3, 3, 3, 1]);
        assert_eq!(counts[20..25], [1, 1, 1, 1, 0]);
        assert!(counts[25..].iter().all(|&count| count == 0));
        for (square, steps) in STEPS.iter().enumerate() {
            for &target in &steps.targets[..steps.count as usize] {
                let (columns, rows) = (
                    target as i32 % 5 - square as i32 % 5,
                    target as i32 / 5 - square as i32 / 5,
                );
                assert!(
                    matches!((columns, rows), (0 | 1, 1) | (1, 0)),
                    "{square} to {target}"
                );
            }
        }
    }
}
