//! The engine in GTP, as HexGui and other graphical boards use it.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use protocol::gtp::conformance;

const HEX: &str = env!("CARGO_BIN_EXE_hex");
const SMALL: [&str; 2] = ["--variant", "{ size = 3 }"];
const SWAP: [&str; 2] = ["--variant", "{ size = 3, opening = 'swap' }"];

/// The rows of the board, without coordinates and blanks.
#[track_caller]
fn board(variant: [&str; 2], commands: &str) -> Vec<String> {
    let shown = conformance::last(
        HEX,
        &variant,
        &format!("{}\nshowboard", commands.trim_end()),
    );
    let row = |line: &str| line.chars().filter(|c| ".RB".contains(*c)).collect();
    let rows: Vec<String> = shown.lines().map(row).collect();
    rows.into_iter()
        .filter(|row: &String| row.len() == 3)
        .collect()
}

#[test]
fn every_listed_command_is_known() {
    conformance::check_list(HEX);
}

/// HexGui rejects a response that does not begin with `= ` or `? `.
#[test]
fn responses_have_a_blank_after_their_mark() {
    use std::process::{Command, Stdio};
    let mut engine = Command::new(HEX)
        .args(["--protocol", "gtp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = engine.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"play b a1\nplay b a1\nquit\n").unwrap();
    drop(input);
    let output = String::from_utf8(engine.wait_with_output().unwrap().stdout).unwrap();
    let marks: Vec<&str> = output
        .split("\n\n")
        .map(|text| text.get(..2).unwrap_or(""))
        .collect();
    assert_eq!(marks, ["= ", "? ", "= ", ""]);
}

#[test]
fn a_position_is_set_up_stone_by_stone() {
    assert_eq!(
        board(
            SMALL,
            "play b a1\nplay b c1\nplay w a2\nplay w b2\nplay w a3"
        ),
        ["R.R", "BB.", "B.."]
    );
    assert_eq!(board(SMALL, "play w a1\nplay w c1"), ["B.B", "...", "..."]);
    let won = "play w a1\nplay w b1\nplay w c1";
    assert_eq!(
        conformance::last(HEX, &SMALL, &format!("{won}\nfinal_score")),
        "W+"
    );
    let over = conformance::refusal(HEX, &SMALL, &format!("{won}\nplay b a3"));
    assert_eq!(over, "illegal move: the game is over");
    let occupied = conformance::refusal(HEX, &SMALL, "play b a1\nplay b a1");
    assert_eq!(
        occupied,
        "illegal move: column 1: expected an empty cell, found \"a1\""
    );
}

#[test]
fn either_colour_moves_at_any_time() {
    // One stone is missing on each side: each colour wins at once.
    let position = "play b a1\nplay b a2\nplay w b3\nplay w c3\n";
    for (colour, score) in [("b", "B+"), ("w", "W+")] {
        let text = format!("{position}genmove {colour}\nfinal_score");
        assert_eq!(conformance::last(HEX, &SMALL, &text), score);
        let text = format!("{position}reg_genmove {colour}");
        assert_eq!(conformance::last(HEX, &SMALL, &text), "a3", "{colour}");
        let text = format!("{position}reg_genmove {colour}\nfinal_score");
        let unplayed = conformance::refusal(HEX, &SMALL, &text);
        assert_eq!(unplayed, "the game is not over");
    }
}

#[test]
fn every_play_is_undone_up_to_the_start() {
    let played = "play b a1\nplay b b1\nplay w resign\ngenmove w\nundo\nundo\nundo\n";
    assert_eq!(board(SMALL, played), ["R..", "...", "..."]);
    assert_eq!(
        board(SMALL, &format!("{played}undo")),
        ["...", "...", "..."]
    );
    let further = conformance::refusal(HEX, &SMALL, &format!("{played}undo\nundo"));
    assert_eq!(further, "cannot undo");
}

/// HexGui writes `swap-pieces` and lets the same colour go on: the stone stays. Where the other
/// colour goes on, the stone is swapped.
#[test]
fn what_follows_a_swap_says_which_one_it_was() {
    let swap = "play b b1\nplay w swap-pieces\n";
    assert_eq!(board(SWAP, swap), ["...", "B..", "..."]);
    assert_eq!(
        board(SWAP, &format!("{swap}play b c3")),
        ["...", "B..", "..R"]
    );
    assert_eq!(
        board(SWAP, &format!("{swap}play w c3")),
        [".R.", "...", "..B"]
    );
    let goes_on = format!("{swap}play w c3\nplay b b2\nplay w c2\n");
    assert_eq!(board(SWAP, &goes_on), [".R.", ".RB", "..B"]);
    let undone = format!("{goes_on}undo\nundo\nundo");
    assert_eq!(board(SWAP, &undone), ["...", "B..", "..."]);
    let generated = format!("{swap}genmove w\nplay b swap-pieces");
    let refused = conformance::refusal(HEX, &SWAP, &generated);
    assert!(refused.contains("no swap is possible here"), "{refused}");
}

#[test]
fn legal_moves_are_listed() {
    assert_eq!(
        conformance::last(HEX, &SMALL, "play b b2\nall_legal_moves"),
        "a1 b1 c1 a2 c2 a3 b3 c3"
    );
    let swap = conformance::last(HEX, &SWAP, "play b b2\nall_legal_moves w");
    assert!(swap.split(' ').any(|word| word == "swap-pieces"), "{swap}");
}

#[test]
fn clocks_are_those_of_gtp_and_of_hex_programs() {
    let commands = "time_settings 60 0 0\ntime_left b 30 0\ntime_left w 30\ngenmove b";
    conformance::last(HEX, &SMALL, commands);
    let refused = conformance::refusal(HEX, &SMALL, "time_left w soon");
    assert_eq!(refused, "syntax error");
}

#[test]
fn games_are_loaded_up_to_a_turn() {
    let folder = std::env::temp_dir().join(format!("hex gtp {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("game.sgf");
    let path = file.to_str().unwrap();
    // HexGui's swap, and a board of another size than the engine's.
    std::fs::write(
        &file,
        "(;FF[4]GM[11]SZ[3];B[b1];W[swap-pieces];W[c3];B[b2])",
    )
    .unwrap();
    let eleven = ["--variant", "{ opening = 'swap' }"];
    let whole = [".R.", ".R.", "..B"];
    assert_eq!(board(eleven, &format!("loadsgf {path}")), whole);
    assert_eq!(board(eleven, &format!("loadsgf \"{path}\"")), whole);
    assert_eq!(board(eleven, &format!("loadsgf {path} 99")), whole);
    assert_eq!(
        board(eleven, &format!("loadsgf {path} 4")),
        [".R.", "...", "..B"]
    );
    assert_eq!(
        board(eleven, &format!("loadsgf {path} 1")),
        ["...", "...", "..."]
    );
    assert_eq!(
        board(eleven, &format!("loadsgf {path}\nundo\nundo")),
        [".R.", "...", "..."]
    );
    let won = format!("loadsgf {path}\ngenmove w\nundo\nplay w a3\nplay b b3\nfinal_score");
    assert_eq!(conformance::last(HEX, &eleven, &won), "B+");
    std::fs::write(&file, "(;FF[4]GM[11]SZ[3];B[b1];W[b1])").unwrap();
    let refused = conformance::refusal(HEX, &eleven, &format!("loadsgf {path}"));
    assert!(
        refused.ends_with("line 1, column 28: expected an empty cell, found \"b1\""),
        "{refused}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
    let missing = conformance::refusal(HEX, &eleven, &format!("loadsgf {path}"));
    assert!(missing.starts_with("cannot load file: "), "{missing}");
}

/// Stones are set up before the first turn, also in several nodes, and taken away again.
#[test]
fn set_up_stones_are_loaded() {
    let game = "(;FF[4]GM[11]SZ[3]AB[b1][b2]AW[a1];AE[b2][c2]AB[c3];W[b3];B[b2])";
    conformance::with_file(game, |path| {
        let load = format!("loadsgf {path}");
        assert_eq!(board(SMALL, &load), ["BR.", ".R.", ".BR"]);
        let before = ["BR.", "...", "..R"];
        assert_eq!(board(SMALL, &format!("{load} 1")), before);
        assert_eq!(board(SMALL, &format!("{load}\nundo\nundo")), before);
        let undone = format!("{load}\nundo\nundo\nundo");
        assert_eq!(conformance::refusal(HEX, &SMALL, &undone), "cannot undo");
        let cleared = format!("{load}\nclear_board");
        assert_eq!(board(SMALL, &cleared), ["...", "...", "..."]);
    });
    // A whole game, in which another stone follows the one that ends it.
    conformance::with_file("(;GM[11]SZ[3]AB[a1][a2][a3]AW[b1][c1])", |path| {
        let score = format!("loadsgf {path}\nfinal_score");
        assert_eq!(conformance::last(HEX, &SMALL, &score), "B+");
    });
}

#[test]
fn set_up_stones_with_a_fault_are_refused() {
    for (game, message) in [
        (
            "(;SZ[3];B[b1];AB[c3])",
            "line 1, column 15: expected stones that are set up before the first turn only, found \
             \"AB\"",
        ),
        (
            "(;SZ[3]AB[b1]AW[b1])",
            "line 1, column 17: expected an empty cell, found \"b1\"",
        ),
        (
            "(;SZ[3]AB[a1:])",
            "line 1, column 11: expected a cell or two corners, as in AB[a1][b2:c3], found \"a1:\"",
        ),
        (
            "(;SZ[3]AB[a1]PL[x])",
            "line 1, column 17: expected B or W, found \"x\"",
        ),
    ] {
        let refused = conformance::with_file(game, |path| {
            conformance::refusal(HEX, &SMALL, &format!("loadsgf {path}"))
        });
        assert!(refused.ends_with(message), "{game}: {refused}");
    }
}

/// One stone is missing: the winning cell is the line, the best candidate, and certain.
#[test]
fn analysis_is_shown_on_cells() {
    let position = "play b a1\nplay w c1\nplay b a2\nplay w c2\n";
    let ask = |command: &str| conformance::last(HEX, &SMALL, &format!("{position}{command}"));
    assert!(ask("search_score b").starts_with("win 1, depth "));
    assert!(ask("search_score w").contains(", depth "));
    assert_eq!(ask("search_line b"), "a3");
    let influence = ask("search_candidates b");
    assert!(influence.starts_with("INFLUENCE a3 1.000 "), "{influence}");
    let (cells, text) = influence.split_once('\n').unwrap();
    assert_eq!(text, "TEXT a3: win 1");
    let words: Vec<&str> = cells.split(' ').skip(1).collect();
    assert_eq!(words.len(), 2 * 5, "five cells are empty: {cells}");
    for share in words.iter().skip(1).step_by(2) {
        let share: f32 = share.parse().unwrap();
        assert!((0.0..=1.0).contains(&share), "{cells}");
    }
    assert!(ask("search_shares b").starts_with("a3 100 "));
    assert_eq!(
        board(SMALL, &format!("{position}search_line b")),
        ["R.B", "R.B", "..."]
    );
}
