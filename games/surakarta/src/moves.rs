//! Moves and their generation.

use engine_core::Move;

use crate::geometry::{ALL, LOOPS, POINT, SIZE, STATIONS, STATIONS_ON, STEPS, points, shift};

/// A move: its origin and its target. The target point's occupant shows whether it is a step or a
/// capture; the same capture by several paths is one move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    /// The origin: `6 * row + column`, 0 for a1, 35 for f6.
    pub from: u8,
    /// The target.
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

/// The points of each loop, repeated twice.
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
    /// The points with pieces.
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

    /// Adds a piece on an empty point, or removes the one there.
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
/// Maximum number of captures through one arc, see [`Tracks::through`].
const THROUGH: usize = 2;

/// The stations of both sides, prepared for finding captures.
#[derive(Clone, Copy)]
struct Tracks {
    /// The stations of the capturing side's pieces on each loop, repeated twice.
    ours: [u64; LOOPS],
    /// The stations of all pieces, in the same form.
    occupied: [u64; LOOPS],
    /// Whether both sides have pieces on each loop.
    both: [bool; LOOPS],
}

impl Tracks {
    #[inline]
    fn new(own: Pieces, enemy: Pieces) -> Tracks {
        let on = |stations: u64| [stations & LOOP, stations >> STATIONS & LOOP];
        let twice = |stations: u64| stations | stations << STATIONS;
        let (ours, theirs) = (on(own.stations), on(enemy.stations));
        Tracks {
            ours: ours.map(twice),
            occupied: [0, 1].map(|a_loop| twice(ours[a_loop] | theirs[a_loop])),
            both: [0, 1].map(|a_loop| ours[a_loop] != 0 && theirs[a_loop] != 0),
        }
    }

    /// The captures through one arc.
    ///
    /// The path of a capture passes an arc. The first piece before that arc and the first piece
    /// after it are either:
    /// - Pieces of different sides. The mover's piece captures the other. All paths that do not
    ///   pass over their own origin are of this kind.
    /// - The same piece, on both its stations of a crossing. It may move through the arc and over
    ///   its own origin, in either direction, to the next piece.
    ///
    /// If the line before the arc is empty, the path has passed another arc first and is counted
    /// there.
    #[inline]
    fn through(&self, arc: usize) -> [Option<Action>; THROUGH] {
        let (a_loop, start) = (arc / 4, SIZE * (arc % 4 + 1));
        let ours = self.ours[a_loop] >> start;
        // Relative to the arc: bit 0 is the first station after it; the highest bits are the line
        // before it, its last station on top.
        let occupied = self.occupied[a_loop] >> start & LOOP;
        if !self.both[a_loop] || occupied >> (STATIONS - SIZE) == 0 {
            return [None; THROUGH];
        }
        let (before, after) = (highest(occupied), lowest(occupied));
        let point = |station: u32| ROUND[a_loop][start + station as usize];
        let is_ours = |station: u32| ours >> station & 1 != 0;
        let action = |from: u32, to: u32| Action {
            from: point(from),
            to: point(to),
        };
        match (is_ours(before), is_ours(after)) {
            (true, false) => [Some(action(before, after)), None],
            (false, true) => [Some(action(after, before)), None],
            (true, true) if point(before) == point(after) => {
                let onwards = lowest(occupied & (occupied - 1));
                let backwards = highest(occupied ^ 1 << before);
                [
                    (!is_ours(onwards)).then(|| action(after, onwards)),
                    (!is_ours(backwards)).then(|| action(before, backwards)),
                ]
            }
            _ => [None; THROUGH],
        }
    }
}

/// The points where `own` can capture a piece of `enemy`.
///
/// The evaluation calls this more often than anything else, so most of it avoids unpredictable
/// branches.
#[inline]
pub(crate) fn targets(own: Pieces, enemy: Pieces) -> u64 {
    let tracks = Tracks::new(own, enemy);
    let mut targets = 0;
    for a_loop in (0..LOOPS).filter(|&a_loop| tracks.both[a_loop]) {
        for arc in 4 * a_loop..4 * a_loop + 4 {
            let start = SIZE * (arc % 4 + 1);
            let (ours, occupied) = (
                tracks.ours[a_loop] >> start,
                tracks.occupied[a_loop] >> start,
            );
            let occupied = occupied & LOOP;
            let (before, after) = (highest(occupied), lowest(occupied));
            let [before_ours, after_ours] = [before, after].map(|station| ours >> station & 1);
            let point = |station: u32| ROUND[a_loop][start + station as usize];
            let target = point(if before_ours != 0 { after } else { before });
            let is_near = before >= (STATIONS - SIZE) as u32;
            targets |= ((before_ours ^ after_ours) & is_near as u64) << target;
            if before_ours & after_ours != 0 && point(before) == point(after) {
                let round = tracks.through(arc).into_iter().flatten();
                targets = round.fold(targets, |all, capture| all | 1 << capture.to);
            }
        }
    }
    targets
}

/// Whether `own` can capture any piece of `enemy`.
#[inline]
pub(crate) fn can_capture(own: Pieces, enemy: Pieces) -> bool {
    let tracks = Tracks::new(own, enemy);
    (0..ARCS).any(|arc| tracks.through(arc) != [None; THROUGH])
}

/// Whether `capture` is a legal capture by `own` of a piece of `enemy`.
#[inline]
pub(crate) fn is_capture(capture: Action, own: Pieces, enemy: Pieces) -> bool {
    let tracks = Tracks::new(own, enemy);
    (0..ARCS).any(|arc| tracks.through(arc).contains(&Some(capture)))
}

/// The captures of a position, without duplicates.
pub(crate) struct Captures {
    list: [Action; Captures::MOST],
    len: usize,
}

impl Captures {
    /// Maximum number of captures in a position.
    pub(crate) const MOST: usize = ARCS * THROUGH;

    /// All captures by `own` of pieces of `enemy`.
    #[inline]
    pub(crate) fn of(own: Pieces, enemy: Pieces) -> Captures {
        let mut captures = Captures {
            list: [Action { from: 0, to: 0 }; Captures::MOST],
            len: 0,
        };
        let tracks = Tracks::new(own, enemy);
        for arc in 0..ARCS {
            for capture in tracks.through(arc).into_iter().flatten() {
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

    /// The `n`-th of [`Captures::MOST`] slots for a capture: `None` if the slot is empty or repeats
    /// an earlier slot. The slots hold each capture exactly once, so a random non-empty slot is a
    /// uniformly random capture, without generating the others.
    #[inline]
    pub(crate) fn place(n: usize, own: Pieces, enemy: Pieces) -> Option<Action> {
        let (arc, which) = (n / THROUGH, n % THROUGH);
        let tracks = Tracks::new(own, enemy);
        let places = tracks.through(arc);
        let held = places[which];
        held?;
        let is_repeated = places[..which].contains(&held)
            || (0..arc).any(|earlier| tracks.through(earlier).contains(&held));
        held.filter(|_| !is_repeated)
    }
}

/// The highest station of a non-empty set.
#[inline]
fn highest(set: u64) -> u32 {
    u64::BITS - 1 - set.leading_zeros()
}

/// The lowest station of a non-empty set.
#[inline]
fn lowest(set: u64) -> u32 {
    set.trailing_zeros()
}

/// The points of `own` that can step by `STEPS[direction]` to a point of `empty`.
#[inline]
pub(crate) fn steppers(own: u64, empty: u64, direction: usize) -> u64 {
    let (step, from) = STEPS[direction];
    own & from & shift(empty, -step) & ALL
}

#[cfg(test)]
mod tests {
    use engine_core::{Notation, Position};

    use super::{Action, can_capture, is_capture, targets};
    use crate::playout::Random;
    use crate::{Surakarta, Variant};
    use engine_core::{Playout, Rng};

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
        // c3 and c1 are on one line, but without an arc between them; through the arc towards a3,
        // b3 comes first.
        check("6/6/6/1ww3/6/2b3 b 0", "c1xb3");
        check("6/6/6/2w3/6/2b3 b 0", "c1xc3");
    }

    #[test]
    fn an_own_piece_bars_the_way() {
        check("6/6/6/1bw3/6/2b3 b 0", "");
    }

    #[test]
    fn a_piece_may_run_over_its_own_start() {
        // From b2 down to b1 and a2, and over b2 itself to c2; or in the other direction, to b4.
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

    #[test]
    fn what_needs_no_list_agrees_with_the_list() {
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let mut position = Surakarta::new(Variant::default());
            while position.outcome().is_none() {
                let (own, enemy) = (position.own(), position.enemy());
                let captures = position.captures();
                let list = captures.as_slice();
                let all = list.iter().fold(0, |all, capture| all | 1u64 << capture.to);
                assert_eq!(targets(own, enemy), all);
                assert_eq!(can_capture(own, enemy), !list.is_empty());
                for (from, to) in (0..36).flat_map(|from| (0..36).map(move |to| (from, to))) {
                    let mv = Action { from, to };
                    assert_eq!(is_capture(mv, own, enemy), list.contains(&mv));
                }
                position.play(Random.choose(&position, &mut rng));
            }
        }
    }
}
