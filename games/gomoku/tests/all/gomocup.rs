//! The engine in the Gomocup protocol.

use std::io::Write;
use std::process::{Command, Stdio};

/// What the engine answers to these lines.
fn answers(lines: &str) -> Vec<String> {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_gomoku"))
        .args(["--protocol", "gomocup", "--variant", "{ opening = 'free' }"])
        .args(["--move-time", "50", "--table-mb", "4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut input = engine.stdin.take().expect("a pipe");
    let written = input.write_all(format!("{lines}\nEND\n").as_bytes());
    written.expect("the engine reads");
    drop(input);
    let output = engine.wait_with_output().expect("the engine ends");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(str::to_owned).collect()
}

#[test]
fn what_is_not_played_is_refused_in_words() {
    assert_eq!(
        answers("RECTSTART 15,20\nSTART 15\nSWAP2BOARD\nINFO rule 9"),
        [
            "ERROR only square boards are played: START and one size",
            "OK",
            "ERROR no swap2 opening is played: BEGIN, TURN or BOARD",
            "MESSAGE rule 9 is not known here",
        ]
    );
}

/// Black's stones make a six with h8, and white's next move cannot stop the five beside it.
#[test]
fn the_rule_decides_what_wins() {
    // Black to move: a five is won at once in every rule.
    let five = "BOARD\n3,7,1\n0,0,2\n4,7,1\n0,2,2\n5,7,1\n0,4,2\n6,7,1\n0,6,2\nDONE";
    for rule in [0, 1, 4] {
        let found = answers(&format!("START 15\nINFO rule {rule}\n{five}"));
        assert!(["7,7", "2,7"].contains(&&*found[1]), "{rule}: {found:?}");
    }
    // A six: the game is over in the free-style game, and goes on where exactly five are needed.
    let six =
        "BOARD\n3,7,2\n0,0,1\n4,7,2\n0,2,1\n5,7,2\n0,4,1\n7,7,2\n0,6,1\n8,7,2\n0,8,1\n6,7,2\nDONE";
    let over = |rule: u32| {
        let found = answers(&format!("INFO rule {rule}\nSTART 15\n{six}"));
        found[1].starts_with("ERROR")
    };
    assert_eq!([0, 1, 4].map(over), [true, false, true]);
}

/// Gomocup's free-style game: columns and rows from 0 to 19.
#[test]
fn a_game_on_the_largest_board() {
    let four = "BOARD\n19,16,1\n0,0,2\n19,17,1\n0,2,2\n19,18,1\n0,4,2\n19,19,1\n0,6,2\nDONE";
    let found = answers(&format!("START 20\nINFO rule 0\n{four}"));
    assert_eq!(found, ["OK", "19,15"]);
    // The engine, white, stops the five at the far edge.
    let stop = "BOARD\n15,19,2\n14,19,1\n16,19,2\n9,9,1\n17,19,2\n9,11,1\n18,19,2\nDONE";
    let found = answers(&format!(
        "START 20\nINFO rule 0\n{stop}\nTURN 0,19\nTURN 20,0"
    ));
    assert_eq!(found[..2], ["OK", "19,19"]);
    let number = |text: &str| text.parse::<u8>().ok().filter(|&number| number < 20);
    let (column, row) = found[2].split_once(',').expect("a turn");
    assert!(
        number(column).is_some() && number(row).is_some(),
        "{found:?}"
    );
    assert_eq!(
        found[3],
        "ERROR column 1: expected a number from 0 to 19, found \"20\""
    );
    assert_eq!(answers("START 21"), ["ERROR no board of size 21"]);
}
