//! A built-in engine in its own process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Long enough for a busy machine; nothing here should take a tenth of it.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A running engine. A thread reads its lines, so that every wait has a timeout.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Lines that arrived before an expected one.
    passed: Vec<String>,
}

impl Engine {
    /// Starts `referee engine GAME …`.
    pub fn start(game: &str, arguments: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
            .args(["engine", game])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the referee is built");
        // Standard error is not read.
        drop(child.stderr.take());
        let output = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            output
                .lines()
                .map_while(Result::ok)
                .all(|line| sender.send(line).is_ok())
        });
        let input = child.stdin.take();
        Engine {
            child,
            input,
            lines,
            passed: Vec::new(),
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        writeln!(input, "{line}")
            .and_then(|()| input.flush())
            .expect("the engine reads");
    }

    /// Waits for the first line that begins with `word` and was not returned before.
    pub fn expect(&mut self, word: &str) -> String {
        if let Some(place) = self.passed.iter().position(|line| line.starts_with(word)) {
            return self.passed.remove(place);
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left);
            let line = line.unwrap_or_else(|error| panic!("no line {word:?}: {error}"));
            if line.starts_with(word) {
                return line;
            }
            self.passed.push(line);
        }
    }

    /// The lines that have arrived but were not expected.
    pub fn unexpected(&mut self) -> Vec<String> {
        self.passed.extend(self.lines.try_iter());
        std::mem::take(&mut self.passed)
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Closes the input and waits for the process to exit.
    pub fn close(mut self) {
        self.input = None;
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("a child can be waited for") {
                assert!(status.success(), "{status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        panic!("the engine outlived its input");
    }
}
