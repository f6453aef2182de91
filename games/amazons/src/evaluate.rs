//! Territory by queen and king distances, after J. Lieberum, *An evaluation function for the game
//! of Amazons* (Theoretical Computer Science 349, 2005).
//!
//! An empty square belongs to the side that reaches it in fewer moves. By queen moves, this
//! predicts the endgame; by king moves, it shows what a distant amazon cannot hold. Early in the
//! game, when both sides can still reach everything, the closeness of the amazons (2^−d, and king
//! distances) and their mobility matter more.

use engine_core::{Evaluator, Position, Score, Side};

use crate::board::Amazons;
use crate::flood::Race;
use crate::geometry::squares;

/// The territory evaluator.
#[derive(Clone, Debug)]
pub struct Territory {
    rows: [Row; 4],
}

impl Territory {
    /// An evaluator with these weights.
    pub const fn new(weights: Weights) -> Territory {
        Territory {
            rows: weights.rows(),
        }
    }
}

impl Default for Territory {
    fn default() -> Territory {
        Territory::new(Weights::DEFAULT)
    }
}

/// Features of a position, from the view of `First`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Features {
    /// How open the game is: Σ 2^−|difference of queen distances| over the squares that both sides
    /// reach. About 70 at the start, 0 when the sides are separated.
    pub openness: f32,
    /// Squares closer by queen moves; a tie counts a fifth of a square for the side to move.
    pub queens: f32,
    /// The same by king moves.
    pub kings: f32,
    /// Σ 2·2^−d over the own queen distances, minus the other side's.
    pub closeness: f32,
    /// Leads in king moves, up to 6, in sixths.
    pub leads: f32,
    /// Σ −24 / (4 + reachable squares) over the own amazons, minus the other side's.
    pub mobility: f32,
}

/// Value of a tie for the side to move, in squares.
const TIE: f32 = 0.2;

/// Value of an amazon's mobility, in hundredths, by the number of squares it can reach: the first
/// few matter most.
const MOBILITY: [i32; 36] = {
    let mut worth = [0; 36];
    let mut reach = 0;
    while reach < worth.len() {
        worth[reach] = -2400 / (4 + reach as i32);
        reach += 1;
    }
    worth
};

impl Features {
    /// Computes the features of a position.
    pub fn of(position: &Amazons) -> Features {
        let amazons = Side::BOTH.map(|side| position.amazons(side));
        let queens = Race::of_queens(amazons, position.empty());
        let kings = Race::of_kings(amazons, position.empty());
        let tie = match position.side() {
            Side::First => TIE,
            Side::Second => -TIE,
        };
        let owned = |race: &Race| {
            let [first, second, level] =
                [race.nearer[0], race.nearer[1], race.level].map(|area| area.count().sum());
            (first - second) as f32 + tie * level as f32
        };
        Features {
            openness: openness(&queens),
            queens: owned(&queens),
            kings: owned(&kings),
            closeness: queens.closeness() as f32 / 128.0,
            leads: (kings.lead_of(0) - kings.lead_of(1)) as f32 / 6.0,
            mobility: (mobility(position, Side::First) - mobility(position, Side::Second)) as f32
                / 100.0,
        }
    }
}

/// Ignores leads above 3.
fn openness(queens: &Race) -> f32 {
    let [ones, twos, fours] = queens.lead;
    let small = queens.contested.without(fours);
    let lead_is_1 = (small & ones).without(twos);
    let lead_is_2 = (small & twos).without(ones);
    let lead_is_3 = small & twos & ones;
    let eighths = (queens.level.count())
        .twice_and(lead_is_1.count())
        .twice_and(lead_is_2.count())
        .twice_and(lead_is_3.count());
    eighths.sum() as f32 / 8.0
}

fn mobility(position: &Amazons, side: Side) -> i32 {
    squares(position.amazons(side))
        .map(|square| MOBILITY[position.lines().reach(square).count() as usize])
        .sum()
}

engine_core::weights! {
    /// Points per unit of each [feature](Features), and for the side to move, at the values of
    /// openness in [`OPENNESS`], with interpolation between them.
    ///
    /// Fitted by Texel's method to 1200 self-play games of a search of 10 000 nodes a turn with the
    /// weights before (`configs/tune/amazons.toml`), which were from games of one ply.
    pub struct Weights {
        /// A square closer by queen moves at openness 0.
        queens_0: f32 = 41.25, 0 to 60;
        /// A square closer by king moves at openness 0.
        kings_0: f32 = 50.96, 0 to 60;
        /// A unit of closeness at openness 0.
        closeness_0: f32 = 4.78, -10 to 30;
        /// A lead of six king moves at openness 0.
        leads_0: f32 = 1.21, -10 to 40;
        /// A unit of mobility at openness 0.
        mobility_0: f32 = -7.89, -10 to 40;
        /// The side to move at openness 0.
        to_move_0: f32 = -45.5, -60 to 60;
        /// A square closer by queen moves at openness 8.
        queens_8: f32 = 18.51, 0 to 60;
        /// A square closer by king moves at openness 8.
        kings_8: f32 = 4.73, 0 to 60;
        /// A unit of closeness at openness 8.
        closeness_8: f32 = -5.29, -10 to 30;
        /// A lead of six king moves at openness 8.
        leads_8: f32 = 4.17, -10 to 40;
        /// A unit of mobility at openness 8.
        mobility_8: f32 = 5.73, -10 to 40;
        /// The side to move at openness 8.
        to_move_8: f32 = 1.3, -60 to 60;
        /// A square closer by queen moves at openness 24.
        queens_24: f32 = 8.44, 0 to 60;
        /// A square closer by king moves at openness 24.
        kings_24: f32 = 4.89, 0 to 60;
        /// A unit of closeness at openness 24.
        closeness_24: f32 = -7.72, -10 to 30;
        /// A lead of six king moves at openness 24.
        leads_24: f32 = 6.49, -10 to 40;
        /// A unit of mobility at openness 24.
        mobility_24: f32 = 19.04, -10 to 40;
        /// The side to move at openness 24.
        to_move_24: f32 = -14.8, -60 to 60;
        /// A square closer by queen moves at openness 56.
        queens_56: f32 = 3.01, 0 to 60;
        /// A square closer by king moves at openness 56.
        kings_56: f32 = 0.0, 0 to 60;
        /// A unit of closeness at openness 56.
        closeness_56: f32 = -5.57, -10 to 30;
        /// A lead of six king moves at openness 56.
        leads_56: f32 = 8.83, -10 to 40;
        /// A unit of mobility at openness 56.
        mobility_56: f32 = 11.94, -10 to 40;
        /// The side to move at openness 56.
        to_move_56: f32 = -21.0, -60 to 60;
    }
}

/// The values of openness that have weights of their own, in ascending order.
const OPENNESS: [f32; 4] = [0.0, 8.0, 24.0, 56.0];

/// The weights at one value of openness.
#[derive(Clone, Copy, Debug)]
struct Row {
    queens: f32,
    kings: f32,
    closeness: f32,
    leads: f32,
    mobility: f32,
    to_move: f32,
}

impl Weights {
    /// The weights at each value of [`OPENNESS`].
    const fn rows(&self) -> [Row; 4] {
        [
            Row {
                queens: self.queens_0,
                kings: self.kings_0,
                closeness: self.closeness_0,
                leads: self.leads_0,
                mobility: self.mobility_0,
                to_move: self.to_move_0,
            },
            Row {
                queens: self.queens_8,
                kings: self.kings_8,
                closeness: self.closeness_8,
                leads: self.leads_8,
                mobility: self.mobility_8,
                to_move: self.to_move_8,
            },
            Row {
                queens: self.queens_24,
                kings: self.kings_24,
                closeness: self.closeness_24,
                leads: self.leads_24,
                mobility: self.mobility_24,
                to_move: self.to_move_24,
            },
            Row {
                queens: self.queens_56,
                kings: self.kings_56,
                closeness: self.closeness_56,
                leads: self.leads_56,
                mobility: self.mobility_56,
                to_move: self.to_move_56,
            },
        ]
    }
}

impl Row {
    /// Points for First.
    fn points(&self, features: &Features, side: Side) -> f32 {
        let to_move = match side {
            Side::First => self.to_move,
            Side::Second => -self.to_move,
        };
        self.queens * features.queens
            + self.kings * features.kings
            + self.closeness * features.closeness
            + self.leads * features.leads
            + self.mobility * features.mobility
            + to_move
    }
}

impl Evaluator<Amazons> for Territory {
    fn evaluate(&mut self, position: &Amazons) -> Score {
        let features = Features::of(position);
        let side = position.side();
        let openness = features.openness.min(OPENNESS[3]);
        let row = OPENNESS[1..3]
            .iter()
            .take_while(|&&row| row < openness)
            .count();
        let (low, high) = (OPENNESS[row], OPENNESS[row + 1]);
        let (below, above) = (&self.rows[row], &self.rows[row + 1]);
        let share = (openness - low) / (high - low);
        let first =
            (1.0 - share) * below.points(&features, side) + share * above.points(&features, side);
        let points = match side {
            Side::First => first,
            Side::Second => -first,
        };
        Score::points(rounded(points))
    }
}

/// From this magnitude on, an `f32` has no fractional digits.
const WHOLE: f32 = 1.5 * (1 << 23) as f32;

/// Rounds `points`, within ±2²², to the nearest integer, ties to even. Same as
/// `f32::round_ties_even`, which is a function call on machines without SSE4.1.
#[inline]
fn rounded(points: f32) -> i32 {
    (points + WHOLE - WHOLE) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;
    use crate::playout::Random;
    use engine_core::{Notation, Playout, Rng, Symmetric};

    fn score(position: &Amazons) -> i32 {
        Territory::default().evaluate(position).value()
    }

    #[test]
    fn mirrors_and_colours_make_no_difference() {
        let mut rng = Rng::new(4);
        for _ in 0..20 {
            let mut position = Variant::default().start().unwrap();
            while position.outcome().is_none() {
                for symmetry in 0..position.symmetries() {
                    let image = position.transform(symmetry);
                    assert_eq!(score(&image), score(&position), "{position}");
                }
                let swapped = Amazons::new(
                    (10, 10),
                    [Side::Second, Side::First].map(|side| position.amazons(side)),
                    position.arrows(),
                    position.side().opponent(),
                );
                assert_eq!(score(&swapped), score(&position), "{position}");
                position.play(Random.choose(&position, &mut rng));
            }
        }
    }

    #[test]
    fn points_are_rounded_to_the_nearest_and_ties_to_the_even() {
        for eighths in -80_000..80_000 {
            let points = eighths as f32 / 8.0;
            assert_eq!(rounded(points), points.round_ties_even() as i32);
        }
    }

    #[test]
    fn the_start_is_even_and_open() {
        let start = Variant::default().start().unwrap();
        let features = Features::of(&start);
        assert!((60.0..80.0).contains(&features.openness), "{features:?}");
        assert_eq!((features.closeness, features.leads), (0.0, 0.0));
        assert!((0..50).contains(&score(&start)));
    }

    #[test]
    fn closed_territory_is_counted() {
        let start = Variant::of_size(6).unwrap().start().unwrap();
        // Eight squares on each side of a wall; then white has shot at one of its own squares.
        let check = |text: &str, queens: f32| {
            let features = Features::of(&start.parse_position(text).unwrap());
            assert_eq!(features.openness, 0.0);
            assert_eq!((features.queens, features.kings), (queens, queens));
            assert_eq!(features.leads, queens);
        };
        check("b1xxw1/b1xxw1/2xx2/2xx2/b1xxw1/b1xxw1 b", 0.0);
        check("b1xxw1/b1xxw1/2xx2/2xx2/b1xxwx/b1xxw1 b", 1.0);
        let ahead = start
            .parse_position("b1xxw1/b1xxw1/2xx2/2xx2/b1xxwx/b1xxwx b")
            .unwrap();
        assert!(score(&ahead) > 50);
    }

    #[test]
    fn the_shut_in_are_worth_less() {
        let start = Variant::of_size(6).unwrap().start().unwrap();
        let free = start.parse_position("1w2w1/w4w/6/6/b4b/1b2b1 w").unwrap();
        let shut = start.parse_position("1w2w1/w4w/6/6/x4b/bb2b1 w").unwrap();
        assert!(Features::of(&shut).mobility < Features::of(&free).mobility);
        assert!(score(&shut) > score(&free));
    }
}
