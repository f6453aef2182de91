//! Moves and their generation.

use engine_core::Move;

use crate::geometry::{ALL, LOOPS, POINT, SIZE, STATIONS, STATIONS_ON, STEPS, points, shift};

/// A move: the point it starts from and the point it ends on. What stands there says whether it is
/// a step or a capture, and the same capture by several ways round the loops is one move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    /// Where the piece stands: `6 * row + column`, 0 for a1, 35 for f6.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
}

impl Move for Action {
    #[inline]
    fn to_bits(self) -> u32 {
        u32::from(self.from) | u32::from(self.to) << 8
    }

    #[inline]
    fn from_bits(bits: u32) -> Action {
        Action {
            from: bits as u8,
            to: (bits >> 8) as u8,
        }
    }
}

/// The stations of one loop.
const LOOP: u64 = (1 << STATIONS) - 1;

/// The points of each loop, twice round.
const ROUND: [[u8; 2 * STATIONS]; LOOPS] = {
    let mut round = [[0; 2 * STATIONS]; LOOPS];
    let mut i = 0;
    while i < LOOPS * 2 * STATIONS {
        let a_loop = i / (2 * STATIONS);
        round[a_loop][i % (2 * STATIONS)] = POINT[a_loop * STATIONS + i % STATIONS];
        i += 1;
    }
    round
};

/// The pieces of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pieces {
    /// The points they stand on.
    pub(crate) points: u64,
    /// The stations of those points, on both loops.
    pub(crate) stations: u64,
}

impl Pieces {
    pub(crate) fn new(points_of: u64) -> Pieces {
        let stations = points(points_of).fold(0, |all, p| all | STATIONS_ON[p as usize]);
        Pieces {
            points: points_of,
            stations,
        }
    }

    /// Puts a piece on an empty point, or takes the one there.
    #[inline]
    pub(crate) fn toggle(&mut self, point: u8) {
        self.points ^= 1 << point;
        self.stations ^= STATIONS_ON[point as usize];
    }

    #[inline]
    pub(crate) fn stand_on(self, point: u8) -> bool {
        self.points >> point & 1 != 0
    }

    #[inline]
    pub(crate) fn count(self) -> u32 {
        self.points.count_ones()
    }
}

/// Arcs of both loops.
const ARCS: usize = 4 * LOOPS;
/// Most captures through one arc, see [`through`].
const THROUGH: usize = 2;

/// The captures that `own` has against `enemy` through one arc.
///
/// A capture's path passes an arc, and the first piece before that arc and the first after it are
/// one of two things:
/// - Pieces of different sides. The mover's captures the other. All paths that do not run over
///   their own start are of this kind.
/// - The same piece, on both its stations of a crossing. It may run through the arc and over its
///   own start, either way, and on to the next piece.
///
/// If the line before the arc is empty, the path has passed another arc first, and counts there.
#[inline]
fn through(arc: usize, own: Pieces, enemy: Pieces) -> [Option<Action>; THROUGH] {
    let (a_loop, start) = (arc / 4, SIZE * (arc % 4 + 1));
    // Seen from the arc: bit 0 is the first station after it, the highest bits are the line before
    // it, the last station on top.
    let turned = |stations: u64| {
        let stations = stations >> (a_loop * STATIONS) & LOOP;
        (stations | stations << STATIONS) >> start & LOOP
    };
    let (ours, theirs) = (turned(own.stations), turned(enemy.stations));
    let taken = ours | theirs;
    if taken >> (STATIONS - SIZE) == 0 {
        return [None; THROUGH];
    }
    let (before, after) = (highest(taken), lowest(taken));
    let point = |station: u32| ROUND[a_loop][start + station as usize];
    let is_ours = |station: u32| ours >> station & 1 != 0;
    let action = |from: u32, to: u32| Action {
        from: point(from),
        to: point(to),
    };
    match (is_ours(before), is_ours(after)) {
        (true, false) => [Some(action(before, after)), None],
        (false, true) => [Some(action(after, before)), None],
        (true, true) if point(before) == point(after) && theirs != 0 => {
            let onwards = lowest(taken & (taken - 1));
            let backwards = highest(taken ^ 1 << before);
            [
                (!is_ours(onwards)).then(|| action(after, onwards)),
                (!is_ours(backwards)).then(|| action(before, backwards)),
            ]
        }
        _ => [None; THROUGH],
    }
}

/// The captures of a position, each once.
pub(crate) struct Captures {
    list: [Action; Captures::MOST],
    len: usize,
}

impl Captures {
    /// No position has more.
    pub(crate) const MOST: usize = ARCS * THROUGH;

    /// All captures that `own` has against `enemy`.
    #[inline]
    pub(crate) fn of(own: Pieces, enemy: Pieces) -> Captures {
        let mut captures = Captures {
            list: [Action { from: 0, to: 0 }; Captures::MOST],
            len: 0,
        };
        for arc in 0..ARCS {
            for capture in through(arc, own, enemy).into_iter().flatten() {
                if !captures.as_slice().contains(&capture) {
                    captures.list[captures.len] = capture;
                    captures.len += 1;
                }
            }
        }
        captures
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[Action] {
        &self.list[..self.len]
    }

    /// The `n`th of [`Captures::MOST`] places for a capture: `None` if it is empty, or holds what an
    /// earlier place holds. All places together hold each capture once, so that a random place that
    /// is not empty is a random capture, found without looking for the others.
    #[inline]
    pub(crate) fn place(n: usize, own: Pieces, enemy: Pieces) -> Option<Action> {
        let (arc, which) = (n / THROUGH, n % THROUGH);
        let places = through(arc, own, enemy);
        let held = places[which];
        held?;
        let is_repeated = places[..which].contains(&held)
            || (0..arc).any(|earlier| through(earlier, own, enemy).contains(&held));
        held.filter(|_| !is_repeated)
    }
}

/// The highest station of a set that is not empty.
#[inline]
fn highest(set: u64) -> u32 {
    u64::BITS - 1 - set.leading_zeros()
}

/// The lowest station of a set that is not empty.
#[inline]
fn lowest(set: u64) -> u32 {
    set.trailing_zeros()
}

/// The points of `own` that can step by `STEPS[direction]`, `empty` being the empty points.
#[inline]
pub(crate) fn steppers(own: u64, empty: u64, direction: usize) -> u64 {
    let (step, from) = STEPS[direction];
    own & from & shift(empty, -step) & ALL
}

#[cfg(test)]
mod tests {
    use engine_core::{Notation, Position};

    use crate::{Surakarta, Variant};

    fn check(position: &str, expected: &str) {
        let start = Surakarta::new(Variant::default());
        let position = start.parse_position(position).expect("a position");
        let mut captures = Vec::new();
        position.generate(0, &mut captures);
        let mut names: Vec<String> = captures.iter().map(|&mv| position.write_move(mv)).collect();
        names.sort();
        assert_eq!(names.join(" "), expected);
    }

    #[test]
    fn a_capture_passes_an_arc() {
        // c3 is in line with c1, but no arc lies between; through the arc to a3, b3 comes first.
        check("6/6/6/1ww3/6/2b3 b 0", "c1xb3");
        check("6/6/6/2w3/6/2b3 b 0", "c1xc3");
    }

    #[test]
    fn an_own_piece_bars_the_way() {
        check("6/6/6/1bw3/6/2b3 b 0", "");
    }

    #[test]
    fn a_piece_may_run_over_its_own_start() {
        // From b2 down to b1 and a2, and over b2 itself to c2; or the other way, to b4.
        check("6/6/1w4/6/1bw3/6 b 0", "b2xb4 b2xc2");
    }

    #[test]
    fn a_capture_by_several_ways_is_one_move() {
        check("6/6/6/6/1b2w1/6 b 0", "b2xe2");
        check("6/w5/6/6/b5/6 b 0", "a2xa5");
    }

    #[test]
    fn a_corner_of_the_board_is_on_no_loop() {
        check("w4w/6/6/6/6/b4b b 0", "");
    }
}
