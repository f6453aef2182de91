//! The tests that every game begins with: the contracts, counts of move sequences, known values, a
//! session of its engine.

use std::io::Write;
use std::process::{Command, Stdio};

use engine_core::{Algorithm, Limits, Notation, Resources, conformance, perft};
use game::{Game, Searched};
use nim::{Nim, Variant};

fn start(heaps: [u8; 3]) -> Nim {
    Nim::start(&Variant { heaps }).expect("the heaps are small")
}

#[test]
fn the_contracts_hold() {
    conformance(&start([3, 5, 7]), 50, 1);
    conformance(&start([0, 1, 15]), 20, 2);
}

/// By hand: from heaps of 0, 1 and 2, three moves; after them 2, 2 and 1 moves.
#[test]
fn perft_counts() {
    let mut position = start([0, 1, 2]);
    let counts = [1, 2, 3].map(|depth| perft(&mut position, depth));
    assert_eq!(counts, [3, 5, 3]);
}

/// A search proves what the theory says, by every algorithm that can.
#[test]
fn the_theory_is_proven() {
    for (heaps, first_wins) in [([1, 2, 3], false), ([1, 2, 4], true), ([0, 3, 3], false)] {
        let position = start(heaps);
        for name in ["pvs", "mcts", "pns", "dfpn"] {
            let algorithm = Algorithm::find(name).expect("a name of the table");
            let resources = Resources {
                table_mb: 1,
                threads: 1,
                seed: 1,
            };
            let mut player = position
                .player(algorithm, &Nim::settings(), resources)
                .expect("there is memory");
            let report = player.search(&position, &Limits::nodes(1_000_000), &mut |_| {});
            let score = report.score.expect("it has searched");
            let proven = (
                score.plies_to_win().is_some(),
                score.plies_to_loss().is_some(),
            );
            assert_eq!(proven, (first_wins, !first_wins), "{name}: {heaps:?}");
        }
    }
}

#[test]
fn wrong_text_is_refused() {
    let position = start([3, 5, 7]);
    let error = |text| position.parse_move(text).unwrap_err().to_string();
    assert_eq!(
        error("d1"),
        "column 1: expected a heap, a to c, found \"d1\""
    );
    assert_eq!(
        error("a4"),
        "column 2: expected a number of matches, 1 to 3, found \"4\""
    );
    assert!(position.parse_position("3/5/16 f").is_err());
    assert!(Nim::start(&Variant { heaps: [0; 3] }).is_err());
}

/// The entry plays by UGI: from 3, 5 and 7 it takes one of any heap, the only winning moves.
#[test]
fn the_entry_plays() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_nim"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the entry starts");
    let mut input = engine.stdin.take().expect("a pipe");
    input
        .write_all(b"ugi\nisready\nposition startpos\ngo depth 3\nquit\n")
        .expect("it reads");
    let output = engine.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    let best = text.lines().find_map(|line| line.strip_prefix("bestmove "));
    assert!(["a1", "b1", "c1"].contains(&best.unwrap_or("")), "{text}");
}
