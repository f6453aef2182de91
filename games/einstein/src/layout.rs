//! What a layout is worth, which no search can see from the layout itself.
//!
//! The win rates were learned in games against good replies ([`Layouts`]). One list for each side is
//! enough: how well a layout does hardly depends on the one that it meets. In 900 pairs of random
//! layouts, First's layout moves its win rate by 4.0 percentage points (standard deviation), Second's
//! by 4.5, and both together by another 0.3 (play at two plies).

mod file;

use std::cmp::Reverse;
use std::sync::LazyLock;

use engine_core::Side;

use crate::army::Army;
use crate::moves::Action;
use crate::tables::LAYOUT_COUNT;

pub use file::{LayoutRate, LayoutRow, Layouts, LayoutsError};

/// Layouts among which a player chooses by its search. At 500 nodes an action, the best layout alone
/// beat the engine that searched 96 layouts and always came to `123546`: 2730 of 5279 games
/// (`matches/samples/layouts`).
pub(crate) const CHOICES: usize = 1;

/// What the layouts of a side are worth.
struct Values {
    /// Points relative to the average layout, by index.
    points: Vec<i32>,
    /// All layouts, by the lower bounds of their rates.
    order: Vec<Action>,
}

static LEARNED: LazyLock<[Values; 2]> = LazyLock::new(|| {
    Side::BOTH.map(|side| {
        let mut points = vec![0; LAYOUT_COUNT];
        let mut bounds = points.clone();
        for row in &Layouts::shipped().rows {
            for layout in images(row.numbers) {
                if let Action::Layout(rank) = layout {
                    let rate = row.rates[side.index()];
                    points[rank as usize] = rate.points();
                    bounds[rank as usize] = rate.lower_bound();
                }
            }
        }
        let average = points.iter().sum::<i32>() / LAYOUT_COUNT as i32;
        points.iter_mut().for_each(|points| *points -= average);
        let mut ranks: Vec<usize> = (0..LAYOUT_COUNT).collect();
        ranks.sort_by_key(|&rank| Reverse(bounds[rank]));
        let order = ranks.into_iter().map(|rank| Action::Layout(rank as u32));
        Values {
            order: order.collect(),
            points,
        }
    })
});

/// All layouts of a side, best first: by the lower bounds of their rates, so that a few lucky games
/// do not decide.
pub(crate) fn by_quality(side: Side) -> &'static [Action] {
    &LEARNED[side.index()].order
}

/// Points of the layout of a side's army, relative to the average layout of that side; 0 once it has
/// moved.
pub(crate) fn quality(side: Side, army: Army) -> i32 {
    (army.layout_rank()).map_or(0, |rank| LEARNED[side.index()].points[rank as usize])
}

/// The numbers of the layouts that are worth the same: mirrored in the diagonal from the corner to
/// the goal, and with every number `n` as `7 - n`.
///
/// Numbers that are reversed on both sides, and on the die, leave the rules as they are. So layouts
/// of one side are worth the same against opponents that play all images alike.
pub fn equal_layouts(numbers: [u8; 6]) -> [[u8; 6]; 4] {
    let [a, b, c, d, e, f] = numbers;
    let mirrored = [a, d, f, b, e, c];
    let reversed = |numbers: [u8; 6]| numbers.map(|number| 7 - number);
    [numbers, mirrored, reversed(numbers), reversed(mirrored)]
}

/// A layout, 1–6 each once, and those that are worth the same.
fn images(numbers: [u8; 6]) -> [Action; 4] {
    equal_layouts(numbers).map(|numbers| Action::layout(numbers).expect("a layout"))
}

/// The 180 classes of layouts that are worth the same. The first of each class is the smallest
/// number.
pub fn layout_classes() -> Vec<[Action; 4]> {
    (0..LAYOUT_COUNT as u32)
        .filter_map(|rank| Action::Layout(rank).numbers())
        .filter(|numbers| equal_layouts(*numbers).iter().min() == Some(numbers))
        .map(images)
        .collect()
}

#[cfg(test)]
mod tests {
    use engine_core::{Position, Rng, Symmetric};

    use super::*;
    use crate::board::Einstein;
    use crate::variant::Colour;

    #[test]
    fn the_average_layout_is_worth_nothing() {
        for side in Side::BOTH {
            let all = (0..LAYOUT_COUNT).map(|rank| quality(side, Army::laid_out(rank)));
            let sum: i32 = all.sum();
            assert!(sum.abs() < LAYOUT_COUNT as i32, "{sum}");
        }
    }

    #[test]
    fn the_better_layouts_come_first() {
        for side in Side::BOTH {
            let order = by_quality(side);
            assert_eq!(order.len(), LAYOUT_COUNT);
            let points = |place: usize| match order[place] {
                Action::Layout(rank) => quality(side, Army::laid_out(rank as usize)),
                Action::Step { .. } => unreachable!("all are layouts"),
            };
            assert!(points(0) > 300 && points(LAYOUT_COUNT - 1) < -600);
            let best = order[0].numbers().expect("a layout");
            assert!(
                [1, 6].contains(&best[0]),
                "an end of 1-6 in the corner: {best:?}"
            );
        }
    }

    #[test]
    fn an_army_that_has_moved_has_no_layout() {
        let mut army = Army::laid_out(0);
        army.put(4, 12);
        for side in Side::BOTH {
            assert_eq!(quality(side, army), 0);
            assert_eq!(quality(side, Army::UNPLACED), 0);
        }
    }

    #[test]
    fn classes_hold_every_layout_once_and_its_mirror_image() {
        let classes = layout_classes();
        let mut all: Vec<u32> = (classes.as_flattened().iter())
            .map(|&layout| engine_core::Move::to_bits(layout))
            .collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!((classes.len(), all.len()), (180, LAYOUT_COUNT));
        let empty = Einstein::new(Colour::Red);
        for [layout, mirrored, reversed, both] in classes {
            assert_eq!(empty.transform_move(1, layout), mirrored);
            assert_eq!(empty.transform_move(1, reversed), both);
        }
    }

    /// Games with all numbers reversed, on the die too, are the same games.
    #[test]
    fn reversed_numbers_leave_the_rules_as_they_are() {
        let mut rng = Rng::new(8);
        for _ in 0..200 {
            let mut games = [Einstein::new(Colour::Red), Einstein::new(Colour::Red)];
            for _ in Side::BOTH {
                let numbers = Action::Layout(rng.below(720)).numbers().expect("a layout");
                let [one, _, other, _] = images(numbers);
                games[0].play(one);
                games[1].play(other);
            }
            while games[0].outcome().is_none() {
                if games[0].is_chance() {
                    let face = 1 + rng.below(6) as u8;
                    games[0].play_roll(face);
                    games[1].play_roll(7 - face);
                }
                let moves = games[0].legal_moves();
                assert_eq!(moves.len(), games[1].legal_moves().len());
                let mv = moves[rng.below(moves.len() as u32) as usize];
                let Action::Step { piece, target } = mv else {
                    unreachable!("both have laid out");
                };
                let piece = 7 - piece;
                assert!(games[1].is_legal(Action::Step { piece, target }));
                games[0].play(mv);
                games[1].play(Action::Step { piece, target });
            }
            assert_eq!(games[0].outcome(), games[1].outcome());
        }
    }
}
