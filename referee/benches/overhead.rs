//! Overhead of the referee per game: `cargo bench -p referee`.
//!
//! Two engines that answer at once play whole games of Hex with full logging, run by the program
//! itself. The same run also measures the lower bound: the same lines through the same pipes
//! without a referee. README.md beside this file has the figures.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Barrier;
use std::time::{Duration, Instant};

/// Columns and rows of the board.
const SIZE: usize = 15;
/// Games per measurement, for engines that are started for every game and for engines that stay
/// running. The latter need enough games that the first starts count little, even with 64 games at
/// a time.
const GAMES: [usize; 2] = [200, 2000];
/// Number of measurements; the best counts.
const ROUNDS: usize = 3;
/// Numbers of simultaneous games to measure.
const CONCURRENCY: [usize; 4] = [1, 2, 16, 64];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--engine") {
        return answer();
    }
    // `cargo test --benches` and the like only check that it builds.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    println!("raw pipes:");
    for concurrency in CONCURRENCY {
        let time = best(|| floor(concurrency));
        println!(
            "{concurrency} at a time: {:.1} µs per ply",
            time as f64 / 1000.0
        );
    }
    for keep in [true, false] {
        println!(
            "{}:",
            if keep {
                "engines that stay running"
            } else {
                "new processes for every game"
            }
        );
        for concurrency in CONCURRENCY {
            let time = best(|| league(keep, concurrency));
            let games = GAMES[usize::from(keep)];
            println!(
                "{concurrency} at a time: {:.0} games/s, {:.1} µs per ply charged, {:.1} elapsed",
                games as f64 / time.elapsed.as_secs_f64(),
                time.in_games_us as f64 / (games * plies()) as f64,
                micros(time.elapsed) / (games * plies()) as f64,
            );
        }
    }
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1000.0
}

fn best<T: Ord>(measure: impl Fn() -> T) -> T {
    let all = (0..ROUNDS).map(|_| measure());
    all.min().expect("there are rounds")
}

/// Cells in playing order: row by row, so that a chain is complete only at the very end.
fn cell(ply: usize) -> String {
    let column = (b'a' + (ply % SIZE) as u8) as char;
    format!("{column}{}", ply / SIZE + 1)
}

/// Number of plies of a game, determined by playing it.
fn plies() -> usize {
    let rules = catalog::find("hex").expect("Hex is in the catalogue");
    let mut game = rules.start(&variant()).expect("the variant is sound");
    let mut plies = 0;
    while game.outcome().is_none() {
        game.play_turn(&cell(plies)).expect("the cell is empty");
        plies += 1;
    }
    plies
}

fn variant() -> serde_json::Value {
    serde_json::json!({ "size": SIZE })
}

/// The engine: it counts the moves and plays the next cell.
fn answer() {
    let (input, mut out) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut ply = 0;
    for line in input.lines().map_while(Result::ok) {
        let text = match line.split(' ').next() {
            Some("ugi") => "ugiok\n".to_owned(),
            Some("isready") => "readyok\n".to_owned(),
            Some("position") => {
                ply = line.split(' ').count().saturating_sub(3);
                continue;
            }
            Some("go") => format!("bestmove {}\n", cell(ply)),
            Some("quit") => return,
            _ => continue,
        };
        if out
            .write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .is_err()
        {
            return;
        }
    }
}

/// An engine's process, and its pipes.
type Engine = (Child, ChildStdin, BufReader<ChildStdout>);

/// Starts this program as an engine.
fn engine() -> Engine {
    let program = std::env::current_exe().expect("this program has a file");
    let mut child = Command::new(program)
        .arg("--engine")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program starts");
    let input = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    (child, input, output)
}

/// Time per ply without a referee, in ns, for this number of pairs of engines: the time until all
/// have finished, divided by the plies of all.
fn floor(concurrency: usize) -> u128 {
    let games = (GAMES[1] / 4).div_ceil(concurrency);
    // The engines start before the time is taken, and the first game is a warm-up.
    let (ready, plies) = (Barrier::new(concurrency + 1), plies());
    let time = std::thread::scope(|scope| {
        let pair = || {
            let mut engines = [engine(), engine()];
            converse(&mut engines, plies);
            ready.wait();
            (0..games).for_each(|_| converse(&mut engines, plies));
            ready.wait();
            for (child, input, _) in &mut engines {
                input.write_all(b"quit\n").expect("it reads");
                child.wait().expect("it ends");
            }
        };
        for _ in 0..concurrency {
            scope.spawn(pair);
        }
        ready.wait();
        let begin = Instant::now();
        ready.wait();
        begin.elapsed()
    });
    time.as_nanos() / (games * concurrency * plies) as u128
}

/// Exchanges the lines of one game.
fn converse(engines: &mut [Engine; 2], plies: usize) {
    let (mut words, mut answer) = (String::new(), String::new());
    for ply in 0..plies {
        let moves = if ply == 0 { "" } else { " moves" };
        let question = format!("position startpos{moves}{words}\ngo movetime 1000\n");
        let (_, input, output) = &mut engines[ply % 2];
        input.write_all(question.as_bytes()).expect("it reads");
        answer.clear();
        output.read_line(&mut answer).expect("it answers");
        words.push(' ');
        words.push_str(answer.trim_end().trim_start_matches("bestmove "));
    }
}

/// Time of a league.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Time {
    /// Wall-clock time from start to end of the program.
    elapsed: Duration,
    /// The time of all turns of all games, in µs, from the log.
    in_games_us: u64,
}

/// Plays a league with this number of simultaneous games; the engines stay running if `keep`.
fn league(keep: bool, concurrency: usize) -> Time {
    let folder = std::env::temp_dir().join(format!("referee-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("league.toml");
    std::fs::write(&file, league_file(keep, concurrency)).expect("a file");
    let begin = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["league", "--anyway"])
        .args([&file, Path::new("--out"), &folder.join("out")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the referee starts");
    let elapsed = begin.elapsed();
    assert!(status.success());
    let log = std::fs::read_to_string(folder.join("out/games.jsonl")).expect("a log");
    let in_games_us = log.lines().map(used).sum();
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    Time {
        elapsed,
        in_games_us,
    }
}

/// The time of all turns of a logged game, in µs.
fn used(line: &str) -> u64 {
    let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(game["reason"], "rules", "{game}");
    let turns = game["turns"].as_array().expect("turns");
    assert_eq!(turns.len(), plies());
    let used = turns
        .iter()
        .map(|turn| turn["used_us"].as_u64().expect("a time"));
    used.sum()
}

fn league_file(keep: bool, concurrency: usize) -> String {
    let program = std::env::current_exe().expect("this program has a file");
    let engine = |name: &str| {
        format!(
            "[[engine]]\nname = {name:?}\nkeep = {keep}\ncommand = [{program:?}, \"--engine\"]\n"
        )
    };
    format!(
        "[league]\nname = \"bench\"\ngames = [\"hex\"]\nrounds = {}\nconcurrency = {concurrency}\n\
         [clock]\nmove = \"10s\"\n[variant.hex]\nsize = {SIZE}\n{}{}",
        GAMES[usize::from(keep)] / 2,
        engine("one"),
        engine("other")
    )
}
