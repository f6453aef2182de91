//! Distances in queen's and king's moves from the amazons of both sides, as floods of bitboards.

use crate::board::grown;
use crate::geometry::Board;

/// What the distances of all empty squares from both sides tell.
#[derive(Clone, Default)]
pub(crate) struct Race {
    /// The squares that each side reaches sooner than the other.
    pub(crate) nearer: [Board; 2],
    /// The squares that both reach.
    pub(crate) contested: Board,
    /// The squares that both reach equally soon.
    pub(crate) level: Board,
    /// By how many moves the sooner side is sooner: a number of three binary digits, least first,
    /// at every square. It is at most 6, and just 6 if the other side never comes.
    pub(crate) lead: [Board; 3],
    /// Σ 2^(8−d) over First's distances d, less the same of Second. Distances above 8 count as 8.
    pub(crate) closeness: i32,
}

impl Race {
    /// The race of queens.
    #[inline]
    pub(crate) fn of_queens(amazons: [Board; 2], empty: Board) -> Race {
        let rays = Rays::new(empty);
        run(amazons, |from| rays.reach(from, empty))
    }

    /// The race of kings.
    #[inline]
    pub(crate) fn of_kings(amazons: [Board; 2], empty: Board) -> Race {
        run(amazons, |from| grown(from) & empty)
    }

    /// The sum of a side's leads over the squares that it reaches sooner.
    #[inline]
    pub(crate) fn lead_of(&self, side: usize) -> i32 {
        (0..3)
            .map(|digit| count(self.lead[digit] & self.nearer[side]) << digit)
            .sum()
    }
}

/// The number of squares in a set.
#[inline]
pub(crate) fn count(set: Board) -> i32 {
    set.count_ones() as i32
}

/// Floods the board from both sides, move by move; `step` gives the empty squares one move away.
#[inline]
fn run(amazons: [Board; 2], step: impl Fn(Board) -> Board) -> Race {
    let mut race = Race::default();
    let mut front = amazons;
    let mut seen = [0; 2];
    let mut distance = 0;
    loop {
        front = [0, 1].map(|side| match front[side] {
            0 => 0,
            from => step(from) & !seen[side],
        });
        if front[0] | front[1] == 0 {
            break;
        }
        distance = (distance + 1).min(8);
        race.closeness += (count(front[0]) - count(front[1])) << (8 - distance);
        race.level |= front[0] & front[1];
        race.nearer[0] |= front[0] & !seen[1] & !front[1];
        race.nearer[1] |= front[1] & !seen[0] & !front[0];
        seen = [seen[0] | front[0], seen[1] | front[1]];
        add_saturating(&mut race.lead, seen[0] ^ seen[1]);
    }
    race.contested = seen[0] & seen[1];
    let alone = seen[0] ^ seen[1];
    race.lead[0] &= !alone;
    race.lead[1] |= alone;
    race.lead[2] |= alone;
    race
}

/// Adds 1 to the numbers at the squares of `set`, as long as they are below 6 = 110₂.
#[inline]
fn add_saturating(digits: &mut [Board; 3], set: Board) {
    let ones = set & !(digits[1] & digits[2]);
    let twos = digits[0] & ones;
    digits[0] ^= ones;
    digits[2] |= digits[1] & twos;
    digits[1] ^= twos;
}

/// One direction of a queen's moves, `BY` bits up or down a step.
struct Ray<const UP: bool, const BY: u32> {
    /// The empty squares behind which another empty one lies.
    two: Board,
    /// The empty squares behind which three others lie.
    four: Board,
}

impl<const UP: bool, const BY: u32> Ray<UP, BY> {
    #[inline]
    fn new(empty: Board) -> Self {
        let two = empty & Self::shift(empty, 1);
        let four = two & Self::shift(two, 2);
        Ray { two, four }
    }

    #[inline]
    fn shift(set: Board, steps: u32) -> Board {
        if UP {
            set << (BY * steps)
        } else {
            set >> (BY * steps)
        }
    }

    /// All squares of `empty` that this direction leads to from the squares of `from`. After the
    /// first step it covers 2, 4, 8 and 9 squares, and no ray of the largest board is longer.
    #[inline]
    fn fill(&self, from: Board, empty: Board) -> Board {
        let mut set = Self::shift(from, 1) & empty;
        set |= Self::shift(set, 1) & empty;
        set |= Self::shift(set, 2) & self.two;
        set |= Self::shift(set, 4) & self.four;
        set | Self::shift(set, 1) & empty
    }
}

/// The eight directions.
struct Rays {
    east: Ray<true, 1>,
    west: Ray<false, 1>,
    north: Ray<true, 11>,
    south: Ray<false, 11>,
    north_east: Ray<true, 12>,
    south_west: Ray<false, 12>,
    north_west: Ray<true, 10>,
    south_east: Ray<false, 10>,
}

impl Rays {
    #[inline]
    fn new(empty: Board) -> Rays {
        Rays {
            east: Ray::new(empty),
            west: Ray::new(empty),
            north: Ray::new(empty),
            south: Ray::new(empty),
            north_east: Ray::new(empty),
            south_west: Ray::new(empty),
            north_west: Ray::new(empty),
            south_east: Ray::new(empty),
        }
    }

    /// The empty squares that are a queen's move away from some square of `from`.
    #[inline]
    fn reach(&self, from: Board, empty: Board) -> Board {
        self.east.fill(from, empty)
            | self.west.fill(from, empty)
            | self.north.fill(from, empty)
            | self.south.fill(from, empty)
            | self.north_east.fill(from, empty)
            | self.south_west.fill(from, empty)
            | self.north_west.fill(from, empty)
            | self.south_east.fill(from, empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;
    use crate::board::Amazons;
    use crate::geometry::{OFFSETS, squares};
    use crate::playout::Random;
    use engine_core::{Playout, Position, Rng, Side};

    const MOST_LEAD: i32 = 6;

    /// Distances by breadth-first search, square by square.
    fn distances(position: &Amazons, side: Side, longest: i32) -> Vec<Option<u32>> {
        let mut distances = vec![None; 128];
        let mut queue: Vec<(usize, u32)> = squares(position.amazons(side))
            .map(|square| (square.index(), 0))
            .collect();
        let mut next = 0;
        while next < queue.len() {
            let (from, distance) = queue[next];
            next += 1;
            for offset in OFFSETS {
                for step in 1..=longest {
                    let to = from as i32 + offset as i32 * step;
                    if !(0..128).contains(&to) || position.empty() >> to & 1 == 0 {
                        break;
                    }
                    let to = to as usize;
                    if distances[to].is_none() {
                        distances[to] = Some(distance + 1);
                        queue.push((to, distance + 1));
                    }
                }
            }
        }
        distances
    }

    fn check(race: &Race, position: &Amazons, longest: i32) {
        let [first, second] = Side::BOTH.map(|side| distances(position, side, longest));
        let mut closeness = 0;
        for square in squares(position.empty()) {
            let (index, bit) = (square.index(), square.bit());
            let has = |set: Board| set & bit != 0;
            let lead: i32 = (0..3)
                .map(|digit| (has(race.lead[digit]) as i32) << digit)
                .sum();
            let weight = |distance: Option<u32>| distance.map_or(0, |d| 256 >> d.min(8));
            closeness += weight(first[index]) - weight(second[index]);
            let expected = match (first[index], second[index]) {
                (None, None) => (false, false, 0),
                (Some(_), None) => (true, false, MOST_LEAD),
                (None, Some(_)) => (false, true, MOST_LEAD),
                (Some(a), Some(b)) => (a < b, a > b, (a.abs_diff(b) as i32).min(MOST_LEAD)),
            };
            let found = (has(race.nearer[0]), has(race.nearer[1]), lead);
            assert_eq!(found, expected, "{square}\n{position}");
            let both = first[index].is_some() && second[index].is_some();
            assert_eq!(has(race.contested), both);
            assert_eq!(has(race.level), both && first[index] == second[index]);
        }
        assert_eq!(race.closeness, closeness, "\n{position}");
    }

    #[test]
    fn floods_are_breadth_first_searches() {
        let mut rng = Rng::new(1);
        let board = r#"{"columns":9,"rows":4,"first":["a1"],"second":["d3","i4"]}"#;
        for variant in ["{}", r#"{"size":6}"#, board] {
            let variant: Variant = serde_json::from_str(variant).unwrap();
            for _ in 0..10 {
                let mut position = variant.start().unwrap();
                while position.outcome().is_none() {
                    let amazons = Side::BOTH.map(|side| position.amazons(side));
                    check(&Race::of_queens(amazons, position.empty()), &position, 10);
                    check(&Race::of_kings(amazons, position.empty()), &position, 1);
                    position.play(Random.choose(&position, &mut rng));
                }
            }
        }
    }
}
