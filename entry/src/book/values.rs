//! Scores backed up from the positions that were searched.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use engine_core::{Score, Side};

use super::{Book, Known};

/// Passes over the book after which values count as final although some still change. Only in a
/// game whose positions repeat are so many needed.
const MOST_PASSES: usize = 1_000;

/// The values of the positions of a book, for the side that acts. An expanded position has the value
/// of its best move, any other the score of its search, if there was one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<u64, Score>);

impl Values {
    /// The values of a book.
    pub fn of(book: &Book) -> Values {
        let searched = |(&key, known): (&u64, &Known)| Some((key, known.searched?.score));
        let mut values = Values(book.positions.iter().filter_map(searched).collect());
        let order = deepest_first(book);
        for _ in 0..MOST_PASSES {
            let mut changed = false;
            for key in &order {
                let known = &book.positions[key];
                if let Some(value) = values.best(book, known)
                    && values.0.insert(*key, value) != Some(value)
                {
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        values
    }

    /// The value of a position.
    pub fn get(&self, key: u64) -> Option<Score> {
        self.0.get(&key).copied()
    }

    /// The value of a move to the position `to`, for the side that plays it.
    pub fn after(&self, book: &Book, side: Side, to: u64) -> Option<Score> {
        let value = self.get(to)?.to_root(1);
        let same = book.positions.get(&to)?.side == side;
        Some(if same { value } else { -value })
    }

    /// The value of the best move of an expanded position.
    fn best(&self, book: &Book, known: &Known) -> Option<Score> {
        let lines = known.moves.values().filter(|_| known.expanded);
        lines
            .filter_map(|line| self.after(book, known.side, line.to))
            .max()
    }
}

/// The expanded positions, those after longer lines first, so that one pass is enough in a book
/// without repetitions whose positions are all as far from the start by every line.
fn deepest_first(book: &Book) -> Vec<u64> {
    let mut distance = BTreeMap::from([(book.start, 0_u32)]);
    let mut queue = VecDeque::from([(book.start, 0)]);
    while let Some((key, number)) = queue.pop_front() {
        let known = book.positions.get(&key).into_iter();
        for line in known.flat_map(|known| known.moves.values()) {
            if let Entry::Vacant(place) = distance.entry(line.to) {
                place.insert(number + 1);
                queue.push_back((line.to, number + 1));
            }
        }
    }
    let expanded = book.positions.iter().filter(|(_, known)| known.expanded);
    let mut order: Vec<u64> = expanded.map(|(&key, _)| key).collect();
    order.sort_by_key(|key| (u32::MAX - distance.get(key).copied().unwrap_or(0), *key));
    order
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::book::{Line, Searched};

    fn searched(score: Score) -> Option<Searched> {
        Some(Searched {
            nodes: 1,
            solved: false,
            score,
            best: 0,
        })
    }

    /// A book with positions 1, 2, …, each with its side, score and the positions after its moves.
    fn book(positions: &[(Side, Score, &[u64])]) -> Book {
        let mut book = Book::new("nim", json!({}), 1);
        for (key, &(side, score, after)) in (1..).zip(positions) {
            let known = book.entry(key, side);
            known.searched = searched(score);
            known.expanded = !after.is_empty();
            let line = |(bits, &to): (u32, &u64)| {
                (
                    bits,
                    Line {
                        to,
                        ..Line::default()
                    },
                )
            };
            known.moves = (1..).zip(after).map(line).collect();
        }
        book
    }

    #[test]
    fn a_value_is_that_of_the_best_move() {
        let (first, second) = (Side::First, Side::Second);
        let p = Score::points;
        let book = book(&[
            (first, p(0), &[2, 3]),
            (second, p(70), &[4, 5]),
            (second, p(-20), &[]),
            // Second goes on.
            (second, p(15), &[]),
            (first, Score::win_in(3), &[]),
        ]);
        let values = Values::of(&book);
        assert_eq!(values.get(2), Some(p(15)));
        assert_eq!(values.get(1), Some(p(20)));
        assert_eq!(values.after(&book, second, 5), Some(Score::loss_in(4)));
        assert_eq!(values.after(&book, first, 2), Some(p(-15)));
        assert_eq!(values.get(9), None);
    }

    #[test]
    fn a_repetition_ends() {
        let (first, second) = (Side::First, Side::Second);
        let p = Score::points;
        let book = book(&[
            (first, p(10), &[2]),
            (second, p(3), &[1, 3]),
            (first, p(5), &[]),
        ]);
        let values = Values::of(&book);
        assert_eq!(values, Values::of(&book));
        assert!(values.get(1).is_some());
        let endless = super::tests::book(&[(first, p(10), &[2]), (first, Score::win_in(2), &[1])]);
        assert!(Values::of(&endless).get(1).is_some());
    }
}
