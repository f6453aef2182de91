//! Points, loops, steps and symmetries.
//!
//! A point is `6 * row + column`: a1 is 0, f1 is 5, a6 is 30. A set of points is a `u64`; [`ALL`]
//! has the 36 bits in use.
//!
//! A loop is a cycle of 24 *stations*: four lines of six points, with an arc from each line to the
//! next. A point where two lines of a loop cross has two stations on that loop; every inner point
//! has two stations in all, on one loop or on both. Stations 0–23 belong to the inner loop, 24–47
//! to the outer loop, so a `u64` holds one side's pieces on both loops.

/// Points per line, and per side of the board.
pub(crate) const SIZE: usize = 6;
/// Points of the board.
pub(crate) const POINTS: usize = SIZE * SIZE;
/// Stations of one loop.
pub(crate) const STATIONS: usize = 4 * SIZE;
/// Loops.
pub(crate) const LOOPS: usize = 2;
/// Maximum number of pieces of one side.
pub(crate) const MOST_PIECES: usize = 12;
/// Every point.
pub(crate) const ALL: u64 = (1 << POINTS) - 1;

/// The point of each station of both loops, in the order of travel.
///
/// The lines of the loop at distance `k` from the edge: row `k` to the right, column `k` from the
/// right upwards, row `k` from the top to the left, column `k` downwards.
pub(crate) const POINT: [u8; LOOPS * STATIONS] = {
    let mut points = [0; LOOPS * STATIONS];
    let mut i = 0;
    while i < LOOPS * STATIONS {
        let near = 1 + i / STATIONS;
        let far = SIZE - 1 - near;
        let step = i % SIZE;
        let (column, row) = match i % STATIONS / SIZE {
            0 => (step, near),
            1 => (far, step),
            2 => (SIZE - 1 - step, far),
            _ => (near, SIZE - 1 - step),
        };
        points[i] = (SIZE * row + column) as u8;
        i += 1;
    }
    points
};

/// The stations on each point, as a set: none on a corner, one on the other edge points, two
/// inside.
pub(crate) const STATIONS_ON: [u64; POINTS] = {
    let mut sets = [0; POINTS];
    let mut i = 0;
    while i < POINT.len() {
        sets[POINT[i] as usize] |= 1 << i;
        i += 1;
    }
    sets
};

const fn column(n: usize) -> u64 {
    0b000001_000001_000001_000001_000001_000001 << n
}

/// The eight steps: the difference of the point's number, and the points from which the step stays
/// on the board sideways. A step off the top or bottom leaves the set [`ALL`] anyway.
pub(crate) const STEPS: [(i8, u64); 8] = {
    let (not_a, not_f) = (ALL & !column(0), ALL & !column(SIZE - 1));
    [
        (1, not_f),
        (-1, not_a),
        (6, ALL),
        (-6, ALL),
        (7, not_f),
        (-7, not_a),
        (5, not_a),
        (-5, not_f),
    ]
};

/// The points of `set` moved by `step`, which may be negative.
#[inline]
pub(crate) const fn shift(set: u64, step: i8) -> u64 {
    if step > 0 { set << step } else { set >> -step }
}

/// `set` and all neighbours of its points.
#[inline]
pub(crate) const fn spread(set: u64) -> u64 {
    let row = set | (set & !column(SIZE - 1)) << 1 | (set & !column(0)) >> 1;
    (row | row << SIZE | row >> SIZE) & ALL
}

/// Number of symmetries: those of the square. They map the loops to themselves and the rules have
/// no direction, so all of them keep the sides.
pub(crate) const SYMMETRIES: u8 = 8;

/// A point under a symmetry, as [`engine_core::mirrored`].
pub(crate) const fn transform(symmetry: u8, point: u8) -> u8 {
    let last = SIZE as u8 - 1;
    let at = (point % SIZE as u8, point / SIZE as u8);
    let (column, row) = engine_core::mirrored(symmetry, (last, last), at);
    SIZE as u8 * row + column
}

/// The points of a set, in ascending order.
#[inline]
pub(crate) fn points(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        point
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str) -> u8 {
        let name = name.as_bytes();
        SIZE as u8 * (name[1] - b'1') + name[0] - b'a'
    }

    fn names(stations: &[u8]) -> Vec<String> {
        let name = |p: &u8| format!("{}{}", (b'a' + p % 6) as char, p / 6 + 1);
        stations.iter().map(name).collect()
    }

    #[test]
    fn the_loops_run_as_drawn_on_the_board() {
        let inner = "a2 b2 c2 d2 e2 f2 e1 e2 e3 e4 e5 e6 f5 e5 d5 c5 b5 a5 b6 b5 b4 b3 b2 b1";
        let outer = "a3 b3 c3 d3 e3 f3 d1 d2 d3 d4 d5 d6 f4 e4 d4 c4 b4 a4 c6 c5 c4 c3 c2 c1";
        assert_eq!(names(&POINT[..24]).join(" "), inner);
        assert_eq!(names(&POINT[24..]).join(" "), outer);
    }

    #[test]
    fn the_arcs_are_those_of_the_rules() {
        let rules = [
            "a2 b1", "a3 c1", "a5 b6", "a4 c6", "f2 e1", "f3 d1", "f5 e6", "f4 d6",
        ];
        let mut expected: Vec<[u8; 2]> = rules
            .iter()
            .map(|arc| [point(&arc[..2]), point(&arc[3..])])
            .collect();
        let mut arcs = Vec::new();
        for a_loop in POINT.chunks(STATIONS) {
            for line in 0..4 {
                arcs.push([a_loop[6 * line + 5], a_loop[(6 * line + 6) % STATIONS]]);
            }
        }
        for arc in expected.iter_mut().chain(&mut arcs) {
            arc.sort_unstable();
        }
        expected.sort_unstable();
        arcs.sort_unstable();
        assert_eq!(arcs, expected);
    }

    #[test]
    fn points_have_the_stations_of_their_lines() {
        for (p, set) in STATIONS_ON.iter().enumerate() {
            let on_edge = |x: usize| x == 0 || x == SIZE - 1;
            let expected = 2 - on_edge(p % SIZE) as u32 - on_edge(p / SIZE) as u32;
            assert_eq!(set.count_ones(), expected, "point {p}");
        }
    }

    #[test]
    fn spreading_is_all_steps_at_once() {
        for p in 0..POINTS {
            let set = 1u64 << p;
            let steps = STEPS.iter().fold(set, |all, &(step, from)| {
                all | shift(set & from, step) & ALL
            });
            assert_eq!(spread(set), steps, "point {p}");
            let corners = 4 - 2 * (p % 6 == 0 || p % 6 == 5) as u32;
            let neighbours =
                [3, 5, 8][(corners == 4) as usize + (p / 6 != 0 && p / 6 != 5) as usize];
            assert_eq!(spread(set).count_ones(), 1 + neighbours, "point {p}");
        }
    }

    #[test]
    fn symmetries_permute_the_points_and_keep_the_loops() {
        for symmetry in 0..SYMMETRIES {
            let image: u64 = (0..POINTS as u8)
                .map(|p| 1u64 << transform(symmetry, p))
                .sum();
            assert_eq!(image, ALL);
            for p in 0..POINTS as u8 {
                let on = |point: u8, low: usize| {
                    (STATIONS_ON[point as usize] >> low & 0xff_ffff).count_ones()
                };
                let q = transform(symmetry, p);
                assert_eq!(
                    (on(p, 0), on(p, 24)),
                    (on(q, 0), on(q, 24)),
                    "{symmetry} {p}"
                );
            }
        }
    }
}
