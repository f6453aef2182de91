//! What followers of a live league cost its games: `cargo bench -p referee --bench followers`.
//!
//! A league of searches with a fixed number of nodes is played alone and followed by turns. When it is
//! followed, `referee serve` shows it to 200 readers of its events. The program prints both times, and
//! the processor time of the server. README.md beside this file has the figures.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Number of readers.
const FOLLOWERS: usize = 200;
/// Number of pairs of runs: alone, and followed.
const ROUNDS: usize = 3;

const LEAGUE: &str = r#"
[league]
name = "night"
games = ["amazons", "connect6", "hex", "gomoku"]
rounds = 4
concurrency = 2
seed = 1

[clock]
nodes = 20000

[[engine]]
name = "pvs"
builtin = "pvs"

[[engine]]
name = "mcts"
builtin = "mcts"
"#;

fn main() {
    // `cargo test --benches` and the like only check that it builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    for _ in 0..ROUNDS {
        let alone = play(false);
        let followed = play(true);
        println!(
            "alone {:.2} s, followed {:.2} s: {:+.1} %; server {:.2} s of processor time, {} MB sent",
            alone.elapsed.as_secs_f64(),
            followed.elapsed.as_secs_f64(),
            100.0 * (followed.elapsed.as_secs_f64() / alone.elapsed.as_secs_f64() - 1.0),
            followed.server.as_secs_f64(),
            followed.bytes / 1_000_000,
        );
    }
}

struct Run {
    elapsed: Duration,
    /// Processor time of the server.
    server: Duration,
    /// What the followers received.
    bytes: u64,
}

/// Plays the league, followed or not.
fn play(is_followed: bool) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("league.toml"), LEAGUE).expect("a league file");
    let server = is_followed.then(|| Server::start(folder.path()));
    let begin = Instant::now();
    let mut league = referee(
        folder.path(),
        &["league", "league.toml", "--quiet", "--anyway"],
    )
    .spawn()
    .expect("the league starts");
    let bytes = Arc::new(AtomicU64::new(0));
    if let Some(server) = &server {
        let live = folder.path().join("matches/night/live.json");
        while !live.exists() {
            thread::sleep(Duration::from_millis(10));
        }
        for _ in 0..FOLLOWERS {
            follow(&server.address, Arc::clone(&bytes));
        }
    }
    let status = league.wait().expect("the league ends");
    let elapsed = begin.elapsed();
    assert!(status.success());
    Run {
        elapsed,
        server: server.map_or(Duration::ZERO, |server| server.processor_time()),
        bytes: bytes.load(Ordering::Relaxed),
    }
}

fn referee(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

struct Server {
    child: Child,
    /// Host and port.
    address: String,
}

impl Server {
    fn start(folder: &Path) -> Server {
        let mut child = referee(folder, &["serve", "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut url = String::new();
        let out = child.stdout.take().expect("a pipe");
        let read = BufReader::new(out).read_line(&mut url);
        read.expect("the server's address");
        let address = url.trim().trim_start_matches("http://");
        Server {
            child,
            address: address.trim_end_matches('/').to_owned(),
        }
    }

    /// Of the process, so far; the kernel counts hundredths of a second.
    fn processor_time(&self) -> Duration {
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = std::fs::read_to_string(path).expect("the server runs");
        let fields = stat.rsplit_once(')').expect("the name ends").1;
        let ticks = fields.split_whitespace().skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
        Duration::from_millis(10 * ticks)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the events of the league on a thread, until the server ends.
fn follow(address: &str, bytes: Arc<AtomicU64>) {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let request = format!("GET /events/night HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("a request");
    thread::spawn(move || {
        let mut buffer = [0; 1 << 16];
        while let Ok(read @ 1..) = stream.read(&mut buffer) {
            bytes.fetch_add(read as u64, Ordering::Relaxed);
        }
    });
}
