//! Measures the exact solver.
//!
//! ```text
//! solve                       empty boards up to 3×4, and random positions of 5×5 with 30 lines open
//! solve COLUMNS ROWS          the empty board
//! solve COLUMNS ROWS OPEN N   N positions with so many lines open after random lines, and N after play
//!                             that gives nothing away while it can
//! ```
//!
//! A table of 1 GiB; `TABLE_MB` in the environment sets another size. Each line has the time of the
//! value, in milliseconds; of random positions the median and the longest.

use std::process::ExitCode;
use std::time::Instant;

use dots_and_boxes::{DotsAndBoxes, Random, Sensible, Solver, Variant};
use engine_core::{Limits, Playout, Position, Rng};

fn main() -> ExitCode {
    let words: Result<Vec<u32>, _> = std::env::args().skip(1).map(|word| word.parse()).collect();
    match words.as_deref() {
        Ok([]) => {
            whole(3, 3);
            whole(4, 3);
            sample(5, 5, 30, 20);
        }
        Ok(&[columns, rows]) => whole(columns as u8, rows as u8),
        Ok(&[columns, rows, open, count]) => {
            sample(columns as u8, rows as u8, open as usize, count);
        }
        _ => {
            eprintln!("usage: solve [COLUMNS ROWS [OPEN N]], as in: solve 5 5 34 20");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn empty(columns: u8, rows: u8) -> DotsAndBoxes {
    let variant = Variant {
        columns,
        rows,
        ..Variant::default()
    };
    variant.start().expect("at most 64 lines")
}

fn solver() -> Solver {
    let megabytes = std::env::var("TABLE_MB").ok();
    let megabytes: usize = megabytes.and_then(|text| text.parse().ok()).unwrap_or(1024);
    Solver::new(megabytes << 20).expect("memory for the table")
}

/// The value of an empty board.
fn whole(columns: u8, rows: u8) {
    let mut solver = solver();
    let start = Instant::now();
    let value = solver.value(&empty(columns, rows), &Limits::default());
    println!(
        "{columns}x{rows}: value {:+}, {:.1} ms, {} nodes",
        value.expect("no limits"),
        start.elapsed().as_secs_f64() * 1e3,
        solver.nodes(),
    );
}

/// Values of random positions, each with an empty table.
fn sample(columns: u8, rows: u8, open: usize, count: u32) {
    let mut solver = solver();
    for (name, sensible) in [("random lines", false), ("careful play", true)] {
        let mut rng = Rng::new(2026);
        let (mut times, mut nodes) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let position = random(columns, rows, open, sensible, &mut rng);
            solver.forget();
            let start = Instant::now();
            let result = solver.result(&position, &Limits::default());
            result.expect("no limits");
            let decided = start.elapsed().as_secs_f64() * 1e3;
            let mut searched = solver.nodes();
            let value = solver.value(&position, &Limits::default());
            value.expect("no limits");
            searched += solver.nodes();
            times.push([decided, start.elapsed().as_secs_f64() * 1e3]);
            nodes.push(searched);
        }
        let of = |which: usize| {
            let mut sorted: Vec<f64> = times.iter().map(|pair| pair[which]).collect();
            sorted.sort_by(f64::total_cmp);
            (sorted[sorted.len() / 2], sorted[sorted.len() - 1])
        };
        let ((result, result_most), (value, value_most)) = (of(0), of(1));
        nodes.sort_unstable();
        println!(
            "{columns}x{rows}, {open} open, {name}: result {result:.1} ms (at most {result_most:.1}), \
             value {value:.1} ms (at most {value_most:.1}), {} nodes",
            nodes[nodes.len() / 2],
        );
    }
}

/// A position with so many open lines.
fn random(columns: u8, rows: u8, open: usize, sensible: bool, rng: &mut Rng) -> DotsAndBoxes {
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
