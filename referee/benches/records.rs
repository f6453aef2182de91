//! Time to verify records: `cargo bench -p referee --bench records`.
//!
//! A hundred thousand games of Connect6 (the repository's 829, repeated) in each format, read and
//! replayed by the program itself on one core. README.md beside this file has the figures.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Real games, 45 stones each on average.
const GAMES: &str = include_str!("../../games/connect6/tests/data/connect6-games.csv");
/// Number of games to verify.
const COUNT: usize = 100_000;

fn main() {
    // `cargo test --benches` and the like only check that it builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = std::env::temp_dir().join(format!("referee-records-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let mut lines = GAMES.lines();
    let head = lines.next().expect("a line");
    let games: Vec<&str> = lines.cycle().take(COUNT).collect();
    let table = format!("{head}\n{}\n", games.join("\n"));
    fs::write(folder.join("table"), table).expect("a file");
    for format in ["contest", "sau", "sgf", "moves"] {
        let convert = format!("convert --from table --game connect6 --to {format} table {format}");
        run(&folder, &convert);
    }
    println!("{COUNT} games of Connect6 on one core");
    for format in ["table", "contest", "sau", "sgf", "moves"] {
        let begin = Instant::now();
        run(
            &folder,
            &format!("verify --from {format} --game connect6 {format}"),
        );
        println!("  verify {format}: {:.2} s", begin.elapsed().as_secs_f64());
    }
    fs::remove_dir_all(&folder).expect("the folder is ours");
}

/// Runs the program once, on one core.
fn run(folder: &Path, arguments: &str) {
    let status = Command::new("taskset")
        .args(["-c", "0", env!("CARGO_BIN_EXE_referee")])
        .args(arguments.split(' '))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    let status = status.expect("taskset, of util-linux, and the program start");
    assert!(status.success(), "{arguments}: {status}");
}
