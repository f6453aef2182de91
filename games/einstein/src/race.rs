//! Number of turns that a side alone on the board needs.

use std::sync::LazyLock;

use crate::army::Army;
use crate::tables::{MOVABLE, distance};

/// Number of codes for a piece: its distance in turns 1–4, 0 if it is captured.
const CODES: usize = 5;

/// Weight of each piece's code in the index of a race, piece 1 least significant.
pub(crate) const UNIT: [usize; 6] = [1, 5, 25, 125, 625, 3125];

/// Turns assumed for a side without pieces: makes the last piece worth more than any other.
const TURNS_WITHOUT_PIECES: f32 = 8.0;

/// Maximum number of turns in a distribution; if both sides need more, the probability is ½ each.
const MAX_TURNS: usize = 15;

/// The distribution of turns for a side that always minimizes the expectation. Fills one cache
/// line.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Race {
    /// The expected number of turns before the roll.
    pub(crate) turns: f32,
    /// Entry `t - 1`: the probability of needing more than `t` turns.
    longer: [f32; MAX_TURNS],
}

const _: () = assert!(size_of::<Race>() == 64);

/// The contribution of `piece` on `square` to the index of a race.
#[inline]
pub(crate) fn unit_cost(piece: u8, square: u8) -> usize {
    PLACE[piece as usize][square as usize & 31] as usize
}

static PLACE: [[u16; 32]; 6] = {
    let mut place = [[0; 32]; 6];
    let mut piece = 0;
    while piece < 6 {
        let mut square = 0;
        while square < 25 {
            place[piece][square] = (distance(square as u8) as usize * UNIT[piece]) as u16;
            square += 1;
        }
        piece += 1;
    }
    place
};

/// The index of an army's race in [`Race::table`].
#[inline]
pub(crate) fn index(army: Army) -> usize {
    (0..6)
        .map(|piece| unit_cost(piece, army.field(piece)))
        .sum()
}

static RACES: LazyLock<Vec<Race>> = LazyLock::new(|| {
    let mut races = vec![Race::NEVER];
    for index in 1..CODES.pow(6) {
        // A nearer piece gives a lower index, which is already computed.
        races.push(Race::after_a_turn(index, &races));
    }
    races
});

impl Race {
    /// The race of a side without pieces.
    const NEVER: Race = Race {
        turns: TURNS_WITHOUT_PIECES,
        longer: [1.0; MAX_TURNS],
    };

    /// A race that is over.
    const DONE: Race = Race {
        turns: 0.0,
        longer: [0.0; MAX_TURNS],
    };

    /// All races, by index.
    pub(crate) fn table() -> &'static [Race] {
        &RACES
    }

    fn after_a_turn(index: usize, known: &[Race]) -> Race {
        let codes = UNIT.map(|unit| index / unit % CODES);
        let alive = (0..6).fold(0, |mask, piece| {
            mask | ((codes[piece] > 0) as usize) << piece
        });
        let after = |piece: u8| match codes[piece as usize] {
            1 => &Race::DONE,
            _ => &known[index - UNIT[piece as usize]],
        };
        let mut race = Race {
            turns: 1.0,
            longer: [0.0; MAX_TURNS],
        };
        for [low, high] in &MOVABLE[alive][1..=6] {
            let (low, high) = (after(*low), after(*high));
            let best = if low.turns <= high.turns { low } else { high };
            race.turns += best.turns / 6.0;
            // At least two turns are needed unless this one ended the race.
            race.longer[0] += (best.turns > 0.0) as u8 as f32 / 6.0;
            for turn in 1..MAX_TURNS {
                race.longer[turn] += best.longer[turn - 1] / 6.0;
            }
        }
        race
    }

    /// The probability of reaching the goal first when moving first.
    #[inline]
    pub(crate) fn chance_against(&self, other: &Race) -> f32 {
        let both_longer = self.longer[MAX_TURNS - 1] * other.longer[MAX_TURNS - 1];
        let mut chance = 1.0 - self.longer[0] + 0.5 * both_longer;
        for turn in 1..MAX_TURNS {
            chance += (self.longer[turn - 1] - self.longer[turn]) * other.longer[turn - 1];
        }
        chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn race(squares: [Option<u8>; 6]) -> Race {
        Race::table()[index(Army::from_squares(squares))]
    }

    #[test]
    fn a_lone_piece_needs_its_distance() {
        let lone = race([None, Some(6), None, None, None, None]);
        assert!((lone.turns - 3.0).abs() < 1e-5);
        assert!((lone.longer[1] - 1.0).abs() < 1e-5 && lone.longer[2] == 0.0);
        assert!((lone.chance_against(&lone) - 1.0).abs() < 1e-5);
        let ahead = race([Some(12), None, None, None, None, None]);
        assert!(lone.chance_against(&ahead) < 1e-5);
    }

    #[test]
    fn the_die_chooses_between_pieces() {
        // Piece 1 is one step from the goal, piece 2 two steps: only a 1 moves piece 1.
        let race = race([Some(23), Some(17), None, None, None, None]);
        assert!((race.longer[0] - 5.0 / 6.0).abs() < 1e-6);
        // If piece 2 was moved next to the goal, the second turn ends the race.
        assert!(race.longer[1] < 1e-6);
        assert!((race.turns - 11.0 / 6.0).abs() < 1e-6);
    }

    #[test]
    fn every_race_is_a_distribution_with_its_mean() {
        for race in &Race::table()[1..] {
            assert!(race.longer.windows(2).all(|pair| pair[0] >= pair[1] - 1e-6));
            let sum: f32 = 1.0 + race.longer.iter().sum::<f32>();
            assert!(
                sum < race.turns + 1e-4 && sum > race.turns - 0.2,
                "{sum} {}",
                race.turns
            );
        }
    }
}
