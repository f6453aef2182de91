//! Choices to learn a policy from.

use serde::{Deserialize, Serialize};

/// Choices among moves, each move as its features. Stored as one list of features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    features: Vec<u32>,
    /// Where the features of each move end.
    moves: Vec<u32>,
    /// Where the moves of each choice end.
    choices: Vec<u32>,
}

impl Choices {
    /// Number of choices.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// Adds a choice: the features of the move that was chosen, then those of the others.
    ///
    /// # Panics
    /// There is no move, or all choices together have 2³² features.
    pub fn push<'a>(&mut self, moves: impl IntoIterator<Item = &'a [u32]>) {
        let before = self.moves.len();
        let end = |list: usize| u32::try_from(list).expect("below 2^32 features");
        for features in moves {
            self.features.extend(features);
            self.moves.push(end(self.features.len()));
        }
        assert!(self.moves.len() > before, "a choice has a move");
        self.choices.push(end(self.moves.len()));
    }

    /// The choices of several lists, in their order.
    pub fn concat(lists: &[Choices]) -> Choices {
        let mut all = Choices::default();
        for list in lists {
            for index in 0..list.len() {
                all.push(list.get(index).map(|at| list.features(at)));
            }
        }
        all
    }

    /// The moves of a choice, by their numbers in all choices; the chosen one is the first.
    ///
    /// # Panics
    /// There is no such choice.
    pub fn get(&self, index: usize) -> std::ops::Range<usize> {
        start(&self.choices, index)..self.choices[index] as usize
    }

    /// The features of a move, by its number in all choices.
    ///
    /// # Panics
    /// There is no such move.
    pub fn features(&self, at: usize) -> &[u32] {
        &self.features[start(&self.moves, at)..self.moves[at] as usize]
    }

    /// Number of moves in all choices.
    pub fn moves(&self) -> usize {
        self.moves.len()
    }
}

/// Where a part starts: at the end of the one before.
fn start(ends: &[u32], index: usize) -> usize {
    index
        .checked_sub(1)
        .map_or(0, |before| ends[before] as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_come_back_as_they_were_added() {
        let list: [&[&[u32]]; 3] = [&[&[1, 2], &[3]], &[&[]], &[&[], &[7, 7], &[4]]];
        let mut choices = Choices::default();
        for moves in list {
            choices.push(moves.iter().copied());
        }
        let twice = Choices::concat(&[choices.clone(), choices.clone()]);
        assert_eq!(
            (choices.len(), twice.len(), twice.moves()),
            (3, 6, 2 * choices.moves())
        );
        for (index, moves) in list.iter().chain(&list).enumerate() {
            let found: Vec<&[u32]> = twice.get(index).map(|at| twice.features(at)).collect();
            assert_eq!(found, *moves);
        }
    }
}
