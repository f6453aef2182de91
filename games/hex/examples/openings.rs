//! Solves the first stones of Hex, for `docs/hex-openings.md`.
//!
//! ```text
//! openings SIZE [CELL...]    the cells, or all of a board of SIZE rows, one line each
//! ```
//!
//! A cell and its half turn have the same result, so one of them is solved. The cells near the centre
//! come first, and what the search learns of one helps with the next; so the numbers of positions
//! depend on the cells that were solved before. A table of 4 GiB keeps all of 8×8.

use std::process::ExitCode;
use std::time::Instant;

use engine_core::proof::{Answer, Goal};
use engine_core::{Limits, Move, Notation, Position, Side, Symmetric};
use game::{Game, Guided, Searched};
use hex::{Action, Hex, Variant};

const TABLE: usize = 4 << 30;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match asked(&words) {
        Ok((board, actions)) => {
            solve(board, &actions);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}\nusage: openings SIZE [CELL...], as in: openings 7 d4 c4");
            ExitCode::FAILURE
        }
    }
}

fn asked(words: &[String]) -> Result<(Hex, Vec<Action>), String> {
    let (size, cells) = words.split_first().ok_or("the size is missing")?;
    let size = size
        .parse()
        .map_err(|_| format!("size: expected a number, found {size:?}"))?;
    let board = Hex::start(&Variant {
        size,
        ..Variant::default()
    })
    .map_err(|error| error.to_string())?;
    if cells.is_empty() {
        let actions = halves(&board);
        return Ok((board, actions));
    }
    let parse = |text: &String| {
        let action = board.parse_move(text);
        action.map_err(|error| format!("{text:?}: {error}"))
    };
    let actions = cells.iter().map(parse).collect::<Result<_, _>>()?;
    Ok((board, actions))
}

/// One of each cell and its half turn, those near the centre first.
fn halves(board: &Hex) -> Vec<Action> {
    let mut actions = board.legal_moves();
    actions.retain(|&action| action.to_bits() <= board.transform_move(1, action).to_bits());
    let centre = i32::from(board.size()) - 1;
    actions.sort_by_key(|&action| {
        let Action::Place(cell) = action else {
            return i32::MAX;
        };
        let [row, column] = [cell.row, cell.column].map(|at| 2 * i32::from(at) - centre);
        row.abs().max(column.abs()).max((row + column).abs())
    });
    actions
}

fn solve(mut board: Hex, actions: &[Action]) {
    let mut prover = board
        .prover(&Hex::settings(), TABLE)
        .expect("memory for a table");
    let (mut positions, start) = (0, Instant::now());
    for &action in actions {
        let before = Instant::now();
        let undo = board.play(action);
        let finding = prover.prove(&board, Goal::win(Side::First), &Limits::default());
        board.undo(action, undo);
        let result = match finding.answer {
            Answer::Proven => "wins",
            Answer::Disproven => "loses",
            Answer::Unknown => "is not solved, for want of memory",
        };
        positions += finding.nodes;
        println!(
            "{} {result}, {} positions, {:.1} s",
            board.write_move(action),
            finding.nodes,
            before.elapsed().as_secs_f64()
        );
    }
    println!(
        "{} cells, {positions} positions, {:.1} s",
        actions.len(),
        start.elapsed().as_secs_f64()
    );
}
