//! The referee's dice.

use engine_core::Rng;
use engine_core::zobrist::mix;

/// The dice of a game. They depend only on the game's seed: both games of a pair see the same
/// rolls, whoever plays and however long the engines think.
#[derive(Clone, Debug)]
pub struct Dice(Rng);

impl Dice {
    /// The dice for a game's seed. The seed is mixed, so an engine that seeds the same generator
    /// with the same number gets a different sequence.
    pub fn new(seed: u64) -> Dice {
        const DICE: u64 = 0x6469_6365;
        Dice(Rng::new(mix(seed ^ DICE)))
    }

    /// Rolls a die with `faces` faces, at least 1. Returns 1 to `faces`.
    pub fn roll(&mut self, faces: u8) -> u8 {
        1 + self.0.below(faces.into()) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rolls(seed: u64, count: usize) -> Vec<u8> {
        let mut dice = Dice::new(seed);
        (0..count).map(|_| dice.roll(6)).collect()
    }

    #[test]
    fn one_seed_gives_one_sequence() {
        assert_eq!(rolls(1, 12), rolls(1, 12));
        assert_ne!(rolls(1, 12), rolls(2, 12));
        assert_eq!(
            rolls(1, 12),
            [5, 2, 3, 3, 1, 6, 5, 1, 2, 5, 2, 5],
            "logs depend on it"
        );
    }

    #[test]
    fn faces_are_even_and_not_the_plain_generator_s() {
        let mut counts = [0; 6];
        for face in rolls(3, 60_000) {
            counts[usize::from(face) - 1] += 1;
        }
        assert!(
            counts.iter().all(|n| (9_500..10_500).contains(n)),
            "{counts:?}"
        );
        let mut plain = Rng::new(3);
        let plain: Vec<u8> = (0..60).map(|_| 1 + plain.below(6) as u8).collect();
        assert_ne!(rolls(3, 60), plain);
    }
}
