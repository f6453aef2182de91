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

/// The captures of a position, each once.
pub(crate) struct Captures {
    list: [Action; Captures::MOST],
    len: usize,
}

impl Captures {
    /// No position has more: each of the eight arcs yields two at most, see [`Captures::of`].
    pub(crate) const MOST: usize = 16;

    /// All captures that `own` has against `enemy`.
    ///
    /// A path that ends in a capture passes an arc last of all, and before it one of two things:
    /// - The last piece before that arc and the first after it are of different sides: the mover's
    ///   captures the other. This covers every path that does not run over its own start.
    /// - Both are the same piece, on the two stations of a crossing. It may run over itself, either
    ///   way, and on to the next piece.
    ///
    /// A line without pieces is skipped: the arc before it has seen to what lies beyond.
    #[inline]
    pub(crate) fn of(own: Pieces, enemy: Pieces) -> Captures {
        let mut captures = Captures {
            list: [Action { from: 0, to: 0 }; Captures::MOST],
            len: 0,
        };
        for (a_loop, points) in ROUND.iter().enumerate() {
            let ours = own.stations >> (a_loop * STATIONS) & LOOP;
            let theirs = enemy.stations >> (a_loop * STATIONS) & LOOP;
            if ours != 0 && theirs != 0 {
                captures.around(ours, theirs, points);
            }
        }
        captures
    }

    /// The captures on one loop, where both sides have pieces.
    #[inline]
    fn around(&mut self, ours: u64, theirs: u64, points: &[u8; 2 * STATIONS]) {
        let (ours, theirs) = (ours | ours << STATIONS, theirs | theirs << STATIONS);
        for line in 0..4 {
            // Seen from the arc behind the line: bit 0 is the first station after the arc, the
            // highest bits are the line, its last station on top.
            let start = SIZE * (line + 1);
            let (ours, theirs) = (ours >> start & LOOP, theirs >> start & LOOP);
            let taken = ours | theirs;
            if taken >> (STATIONS - SIZE) == 0 {
                continue;
            }
            let (before, after) = (highest(taken), lowest(taken));
            let point = |station: u32| points[(start as u32 + station) as usize];
            let is_ours = |station: u32| ours >> station & 1 != 0;
            match (is_ours(before), is_ours(after)) {
                (true, false) => self.add(point(before), point(after)),
                (false, true) => self.add(point(after), point(before)),
                (true, true) if point(before) == point(after) => {
                    let onwards = lowest(taken & (taken - 1));
                    if !is_ours(onwards) {
                        self.add(point(after), point(onwards));
                    }
                    let backwards = highest(taken ^ 1 << before);
                    if !is_ours(backwards) {
                        self.add(point(before), point(backwards));
                    }
                }
                _ => {}
            }
        }
    }

    #[inline]
    fn add(&mut self, from: u8, to: u8) {
        let capture = Action { from, to };
        if !self.as_slice().contains(&capture) {
            self.list[self.len] = capture;
            self.len += 1;
        }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[Action] {
        &self.list[..self.len]
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
