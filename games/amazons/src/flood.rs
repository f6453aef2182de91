//! Queen and king distances from the amazons of both sides, by flood fill on bitboards.

use engine_core::pair::Pair;

use crate::geometry::{Board, STRIDE};
use crate::sets::{Area, Sets};

/// Comparison of both sides' distances to all empty squares.
#[derive(Clone, Copy)]
pub(crate) struct Race {
    /// The squares that each side reaches before the other.
    pub(crate) nearer: [Area; 2],
    /// The squares that both sides reach.
    pub(crate) contested: Area,
    /// The squares that both sides reach in the same number of moves.
    pub(crate) level: Area,
    /// The lead in moves of the closer side: a three-bit number per square, lowest bit first. At
    /// most 6, which means that the other side never reaches the square.
    pub(crate) lead: [Area; 3],
    /// Σ 2^(8−d) over each side's distances d. Distances above 8 count as 8.
    closeness: Pair,
}

impl Race {
    /// The race by queen moves.
    #[inline]
    pub(crate) fn of_queens(amazons: [Board; 2], empty: Board) -> Race {
        let empty = Sets::new([empty; 2]);
        let rays = Rays::new(empty);
        run(amazons, empty, |from, near, unseen| {
            // If all remaining squares are adjacent, a king step does as well as a queen move.
            let beyond = (near.grown() & unseen).without(near);
            if beyond.is_empty() {
                near
            } else {
                rays.reach(from) & unseen
            }
        })
    }

    /// The race by king moves.
    #[inline]
    pub(crate) fn of_kings(amazons: [Board; 2], empty: Board) -> Race {
        run(amazons, Sets::new([empty; 2]), |_, near, _| near)
    }

    /// The sum of a side's leads over the squares that it reaches first.
    #[inline]
    pub(crate) fn lead_of(&self, side: usize) -> i32 {
        let [ones, twos, fours] = self.lead.map(|digit| (digit & self.nearer[side]).count());
        fours.twice_and(twos).twice_and(ones).sum()
    }

    /// Σ 2^(8−d) over First's distances d, minus the same for Second. Distances above 8 count as 8.
    #[inline]
    pub(crate) fn closeness(&self) -> i32 {
        let [first, second] = self.closeness.words();
        first as i32 - second as i32
    }
}

/// Flood fill from both sides, move by move.
///
/// `step` returns the squares reached next. Its arguments: the squares reached last, the unreached
/// squares adjacent to them (not empty), and all unreached squares.
#[inline(always)]
fn run(amazons: [Board; 2], empty: Sets, step: impl Fn(Sets, Sets, Sets) -> Sets) -> Race {
    let mut front = Sets::new(amazons);
    let mut unseen = empty;
    let mut seen = [Area::empty(); 2];
    let mut first_nearer = Area::empty();
    let mut lead = [Area::empty(); 3];
    let mut closeness = Pair::new([0; 2]);
    let mut distance = 0;
    loop {
        // Without an unreached adjacent square, no unreached square is in line either.
        let near = front.grown() & unseen;
        if near.is_empty() {
            break;
        }
        front = step(front, near, unseen);
        unseen = unseen.without(front);
        let [first, second] = front.areas();
        seen = [seen[0] | first, seen[1] | second];
        first_nearer = first_nearer | first.without(seen[1]);
        add_saturating(&mut lead, seen[0] ^ seen[1]);
        distance = (distance + 1).min(8);
        closeness = closeness.plus(front.counts().up(8 - distance));
    }
    let contested = seen[0] & seen[1];
    let alone = seen[0] ^ seen[1];
    let [ones, twos, fours] = lead;
    let lead = [ones.without(alone), twos | alone, fours | alone];
    let uneven = lead[0] | lead[1] | lead[2];
    Race {
        nearer: [first_nearer, uneven.without(first_nearer)],
        contested,
        level: contested.without(uneven),
        lead,
        closeness,
    }
}

/// Adds 1 to the numbers at the squares of `set` that are below 6 = 110₂.
#[inline(always)]
fn add_saturating(digits: &mut [Area; 3], set: Area) {
    let ones = set.without(digits[1] & digits[2]);
    let twos = digits[0] & ones;
    digits[0] = digits[0] ^ ones;
    digits[2] = digits[2] | digits[1] & twos;
    digits[1] = digits[1] ^ twos;
}

/// One direction of queen moves: a step moves `BY` bits up or down.
struct Ray<const UP: bool, const BY: u32> {
    /// The empty squares whose next square backwards is also empty.
    two: Sets,
    /// The empty squares whose next three squares backwards are also empty.
    four: Sets,
}

impl<const UP: bool, const BY: u32> Ray<UP, BY> {
    #[inline(always)]
    fn new(empty: Sets) -> Self {
        let two = empty & Self::shift(empty, 1);
        let four = two & Self::shift(two, 2);
        Ray { two, four }
    }

    #[inline(always)]
    fn shift(sets: Sets, steps: u32) -> Sets {
        match (UP, BY < STRIDE as u32 - 1) {
            (true, true) => sets.right(BY * steps),
            (false, true) => sets.left(BY * steps),
            (true, false) => sets.up(BY * steps),
            (false, false) => sets.down(BY * steps),
        }
    }

    /// All squares of `empty` that this direction reaches from `from`. After the first step it
    /// covers 2, 4, 8 and 9 squares; no ray on the largest board is longer.
    #[inline(always)]
    fn fill(&self, from: Sets, empty: Sets) -> Sets {
        let mut set = Self::shift(from, 1) & empty;
        set |= Self::shift(set, 1) & empty;
        set |= Self::shift(set, 2) & self.two;
        set |= Self::shift(set, 4) & self.four;
        set | Self::shift(set, 1) & empty
    }
}

/// The eight directions.
struct Rays {
    empty: Sets,
    west: Ray<false, 1>,
    north: Ray<true, 11>,
    south: Ray<false, 11>,
    north_east: Ray<true, 12>,
    south_west: Ray<false, 12>,
    north_west: Ray<true, 10>,
    south_east: Ray<false, 10>,
}

impl Rays {
    #[inline(always)]
    fn new(empty: Sets) -> Rays {
        Rays {
            empty,
            west: Ray::new(empty),
            north: Ray::new(empty),
            south: Ray::new(empty),
            north_east: Ray::new(empty),
            south_west: Ray::new(empty),
            north_west: Ray::new(empty),
            south_east: Ray::new(empty),
        }
    }

    /// The empty squares that are one queen move away from a square of `from`.
    #[inline(always)]
    fn reach(&self, from: Sets) -> Sets {
        let empty = self.empty;
        empty.carried_right(from.right(1) & empty)
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
        let nearer = race.nearer.map(Area::board);
        let lead = race.lead.map(Area::board);
        let (contested, level) = (race.contested.board(), race.level.board());
        let [first, second] = Side::BOTH.map(|side| distances(position, side, longest));
        let (mut closeness, mut leads) = (0, [0; 2]);
        for square in squares(position.empty()) {
            let (index, bit) = (square.index(), square.bit());
            let has = |set: Board| set & bit != 0;
            let lead: i32 = (0..3).map(|digit| (has(lead[digit]) as i32) << digit).sum();
            let weight = |distance: Option<u32>| distance.map_or(0, |d| 256 >> d.min(8));
            closeness += weight(first[index]) - weight(second[index]);
            let expected = match (first[index], second[index]) {
                (None, None) => (false, false, 0),
                (Some(_), None) => (true, false, MOST_LEAD),
                (None, Some(_)) => (false, true, MOST_LEAD),
                (Some(a), Some(b)) => (a < b, a > b, (a.abs_diff(b) as i32).min(MOST_LEAD)),
            };
            (0..2).for_each(|side| leads[side] += has(nearer[side]) as i32 * lead);
            let found = (has(nearer[0]), has(nearer[1]), lead);
            assert_eq!(found, expected, "{square}\n{position}");
            let both = first[index].is_some() && second[index].is_some();
            assert_eq!(has(contested), both);
            assert_eq!(has(level), both && first[index] == second[index]);
        }
        assert_eq!([0, 1].map(|side| race.lead_of(side)), leads);
        assert_eq!(race.closeness(), closeness, "\n{position}");
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
