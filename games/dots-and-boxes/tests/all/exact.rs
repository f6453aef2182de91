//! The solver of the crate against independent ones.

use std::collections::HashMap;

use dots_and_boxes::{DotsAndBoxes, Random, Sensible, Solver, Variant};
use engine_core::{Limits, Outcome, Playout, Position, Rng, Symmetric};

use crate::solver::{bit, empty, table};
use crate::values::{net_boxes, net_boxes_after};

const TABLE: usize = 1 << 22;

fn solver() -> Solver {
    Solver::new(TABLE).expect("memory")
}

fn unlimited() -> Limits {
    Limits::default()
}

/// A random position with so many open lines: by random lines, or by play that gives nothing away while
/// it can.
pub(crate) fn random(
    columns: u8,
    rows: u8,
    open: usize,
    sensible: bool,
    rng: &mut Rng,
) -> DotsAndBoxes {
    let mut position = empty(columns, rows);
    while position.legal_moves().len() > open {
        let edge = if sensible {
            Sensible.choose(&position, rng)
        } else {
            Random.choose(&position, rng)
        };
        position.play(edge);
    }
    position
}

#[test]
fn small_boards_have_their_known_values() {
    let mut solver = solver();
    for (rows, columns, value) in [
        (1, 1, -1),
        (1, 2, 0),
        (1, 3, -1),
        (2, 2, 2),
        (2, 3, -2),
        (3, 3, -3),
    ] {
        for start in [empty(columns, rows), empty(rows, columns)] {
            assert_eq!(
                solver.value(&start, &unlimited()),
                Some(value),
                "{rows}×{columns}"
            );
        }
    }
}

#[test]
fn every_position_of_the_table_has_its_value_and_its_best_lines() {
    let mut solver = solver();
    for known in table() {
        let found = solver.optimal(&known.position, &unlimited());
        let (value, lines) = found.expect("no limits");
        let set = lines.iter().fold(0, |set, &edge| set | bit(edge));
        assert_eq!((value, set), (known.value, known.best), "{}", known.line);
        let (value, line) = solver
            .best(&known.position, &unlimited())
            .expect("no limits");
        assert!(
            value == known.value && known.best & bit(line) != 0,
            "{}",
            known.line
        );
    }
}

/// Values and all optimal lines of random positions, against minimax over all lines.
#[test]
fn random_positions_have_the_values_of_minimax() {
    let mut rng = Rng::new(5);
    let boards = [
        (3, 3),
        (5, 2),
        (2, 4),
        (5, 5),
        (1, 9),
        (2, 2),
        (4, 4),
        (8, 3),
    ];
    let mut solvers = boards.map(|_| solver());
    for case in 0..4_000 {
        let at = case % boards.len();
        let (columns, rows) = boards[at];
        let open = 1 + rng.below(13) as usize;
        let mut position = random(columns, rows, open, case % 3 == 0, &mut rng);
        let mut known = HashMap::new();
        let value = net_boxes(&mut position, &mut known);
        let mut best = 0;
        for edge in position.legal_moves() {
            if net_boxes_after(&mut position, edge, &mut known) == value {
                best |= bit(edge);
            }
        }
        let found = solvers[at].optimal(&position, &unlimited());
        let (found, lines) = found.expect("no limits");
        let set = lines.iter().fold(0, |set, &edge| set | bit(edge));
        assert_eq!((found, set), (value, best), "{position:?}");
    }
}

#[test]
fn images_have_the_same_value() {
    let mut rng = Rng::new(6);
    for case in 0..40 {
        let position = random(4, 4, 18, case % 2 == 0, &mut rng);
        let value = solver().value(&position, &unlimited());
        for symmetry in 0..position.symmetries() {
            let image = position.transform(symmetry);
            assert_eq!(solver().value(&image, &unlimited()), value);
        }
    }
}

/// The sign of the final margin, with and without an early end.
#[test]
fn results_are_those_of_the_values() {
    let mut rng = Rng::new(7);
    let mut solver = solver();
    let mut seen = [0; 3];
    for case in 0..300 {
        let (columns, rows) = [(3, 3), (4, 2), (2, 2)][case % 3];
        let open = 1 + rng.below(12) as usize;
        let position = random(columns, rows, open, case % 2 == 0, &mut rng);
        let value = solver.value(&position, &unlimited()).expect("no limits");
        let margin = position.margin() + value;
        let expected = match margin.signum() {
            0 => Outcome::Draw,
            1 => Outcome::Win(position.side()),
            _ => Outcome::Win(position.side().opponent()),
        };
        seen[(margin.signum() + 1) as usize] += 1;
        // A table that knows the value already, and an empty one.
        assert_eq!(solver.result(&position, &unlimited()), Some(expected));
        solver.forget();
        assert_eq!(solver.result(&position, &unlimited()), Some(expected));
    }
    assert!(seen.iter().all(|&count| count >= 10), "{seen:?}");
}

/// The best result with plain minimax over the game's own rules, which stop at a majority.
fn outcome(position: &mut DotsAndBoxes) -> i32 {
    if let Some(outcome) = position.outcome() {
        return match outcome {
            Outcome::Draw => 0,
            Outcome::Win(side) if side == position.side() => 1,
            Outcome::Win(_) => -1,
        };
    }
    let side = position.side();
    let values = position.legal_moves().into_iter().map(|edge| {
        position.play(edge);
        let value = outcome(position);
        let value = if position.side() == side {
            value
        } else {
            -value
        };
        position.undo(edge, ());
        value
    });
    values.max().expect("there are moves")
}

#[test]
fn a_game_that_stops_at_a_majority_has_the_same_result() {
    let mut rng = Rng::new(8);
    let mut solver = solver();
    let mut early = 0;
    for case in 0..200 {
        let (columns, rows) = [(3, 2), (2, 2), (3, 3)][case % 3];
        let variant = Variant {
            columns,
            rows,
            stop_at_majority: true,
        };
        let mut position = variant.start().expect("a small board");
        while position.outcome().is_none() && position.legal_moves().len() > 7 {
            let edge = Random.choose(&position, &mut rng);
            position.play(edge);
        }
        let sign = match solver.result(&position, &unlimited()).expect("no limits") {
            Outcome::Draw => 0,
            Outcome::Win(side) if side == position.side() => 1,
            Outcome::Win(_) => -1,
        };
        early += u32::from(position.outcome().is_some());
        assert_eq!(sign, outcome(&mut position), "{position:?}");
    }
    assert!(early > 0, "{early}");
}

/// A limit of nodes ends the search exactly there; with small steps the solver gets there, too.
#[test]
fn a_limit_ends_the_search_and_the_next_one_goes_on() {
    let start = empty(3, 3);
    let mut whole = solver();
    assert_eq!(whole.value(&start, &unlimited()), Some(-3));
    let needed = whole.nodes();
    let mut solver = solver();
    assert_eq!(solver.value(&start, &Limits::nodes(0)), None);
    assert_eq!(solver.nodes(), 0);
    assert_eq!(solver.value(&start, &Limits::nodes(needed - 1)), None);
    assert_eq!(solver.nodes(), needed - 1);
    assert_eq!(solver.value(&start, &Limits::nodes(needed / 2)), Some(-3));
    assert_eq!(solver.value(&start, &Limits::nodes(0)), Some(-3));

    solver.forget();
    let mut steps = 0;
    while solver.value(&start, &Limits::nodes(1_000)).is_none() {
        steps += 1;
        assert!(steps < 10_000);
    }
    assert!(steps > 3, "{steps}");

    let stopped = unlimited();
    stopped.stop.stop();
    solver.forget();
    assert_eq!(solver.value(&start, &stopped), None);
    assert_eq!(solver.best(&start, &stopped), None);
    assert_eq!(solver.optimal(&start, &stopped), None);
}

/// The nodes of all questions of one call count.
#[test]
fn all_questions_of_a_call_share_the_limit() {
    let start = empty(3, 2);
    let mut solver = solver();
    let (value, lines) = solver.optimal(&start, &unlimited()).expect("no limits");
    let needed = solver.nodes();
    solver.forget();
    assert_eq!(solver.optimal(&start, &Limits::nodes(needed - 1)), None);
    assert!(solver.nodes() < needed);
    solver.forget();
    assert_eq!(
        solver.optimal(&start, &Limits::nodes(needed)),
        Some((value, lines))
    );
}

/// Bounds that a stopped search has proven hold.
#[test]
fn bounds_hold_at_every_limit() {
    let start = empty(3, 3);
    let mut widths = std::collections::HashSet::new();
    for limit in (0..40).map(|step| 1_000 * step) {
        let proven = solver().prove(&start, &Limits::nodes(limit));
        assert!((proven.lower..=proven.upper).contains(&-3), "{proven:?}");
        widths.insert(proven.upper - proven.lower);
    }
    assert!(widths.len() > 2, "{widths:?}");
}

/// One solver can change boards: keys of one board say nothing about another.
#[test]
fn a_solver_changes_boards() {
    let mut solver = solver();
    for _ in 0..2 {
        assert_eq!(solver.value(&empty(3, 2), &unlimited()), Some(-2));
        assert_eq!(solver.value(&empty(2, 2), &unlimited()), Some(2));
        assert_eq!(solver.value(&empty(2, 3), &unlimited()), Some(-2));
    }
}

/// A table of one bucket forgets nearly everything, and the values stay right.
#[test]
fn a_tiny_table_costs_only_time() {
    let mut solver = Solver::new(0).expect("memory");
    for known in table().filter(|known| known.position.legal_moves().len() <= 12) {
        let value = solver.value(&known.position, &unlimited());
        assert_eq!(value, Some(known.value), "{}", known.line);
    }
}
