//! A real pseudo-terminal with the program in it, and what it shows.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty};
use vt100::{Color, Parser};

/// How long a page may take to show something, on a machine with much else to do.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// What a terminal has received.
pub(super) struct Received {
    pub(super) parser: Parser,
    pub(super) bytes: Vec<u8>,
}

/// A terminal with the program in it.
pub(super) struct Terminal {
    pty: Arc<Pty>,
    received: Arc<Mutex<Received>>,
    pub(super) child: Child,
}

impl Terminal {
    /// `referee` in a terminal of this size, with more of its environment set.
    pub(super) fn start(
        folder: &Path,
        arguments: &[&str],
        (columns, rows): (u16, u16),
        environment: &[(&str, &str)],
    ) -> Terminal {
        let (pty, pts) = pty_process::blocking::open().expect("a pseudo-terminal");
        pty.resize(Size::new(rows, columns)).expect("a size");
        // Whoever runs the tests may ignore Ctrl-C.
        let command = Command::new("env")
            .args(["--default-signal=INT", env!("CARGO_BIN_EXE_referee")])
            .args(arguments)
            .current_dir(folder)
            .env_remove("NO_COLOR")
            .env("TERM", "xterm-256color")
            .envs(environment.iter().copied());
        let child = command.spawn(pts).expect("the program starts");
        let received = Arc::new(Mutex::new(Received {
            parser: Parser::new(size(rows), size(columns), 1000),
            bytes: Vec::new(),
        }));
        let pty = Arc::new(pty);
        let (reader, into) = (Arc::clone(&pty), Arc::clone(&received));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // An error is the end: nobody has the terminal open any more.
            while let Ok(count @ 1..) = (&*reader).read(&mut bytes) {
                let mut into = into.lock().expect("no holder panics");
                into.parser.process(&bytes[..count]);
                into.bytes.extend(&bytes[..count]);
            }
        });
        Terminal {
            pty,
            received,
            child,
        }
    }

    pub(super) fn type_in(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).expect("it reads");
    }

    pub(super) fn resize(&self, columns: u16, rows: u16) {
        let mut received = self.received();
        received
            .parser
            .screen_mut()
            .set_size(size(rows), size(columns));
        self.pty.resize(Size::new(rows, columns)).expect("a size");
    }

    pub(super) fn received(&self) -> MutexGuard<'_, Received> {
        self.received.lock().expect("no holder panics")
    }

    /// The text on the screen.
    pub(super) fn screen(&self) -> String {
        self.received().parser.screen().contents()
    }

    /// Waits until the screen shows all of these.
    pub(super) fn shows(&self, texts: &[&str]) -> String {
        self.waits(&format!("{texts:?}"), |screen| {
            texts.iter().all(|text| screen.contains(text))
        })
    }

    /// Waits until this was shown at any time, whatever has followed it.
    pub(super) fn has_shown(&self, text: &str) {
        self.waits(text, |_| {
            String::from_utf8_lossy(&self.received().bytes).contains(text)
        });
    }

    pub(super) fn waits(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if holds(&screen) {
                return screen;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "expected {what} on the screen:\n{screen}"
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether a cell of the screen has a colour.
    pub(super) fn has_colour(&self) -> bool {
        let received = self.received();
        let screen = received.parser.screen();
        let (rows, columns) = screen.size();
        let cells =
            (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column)));
        let mut cells = cells.filter_map(|(row, column)| screen.cell(row, column));
        cells.any(|cell| [cell.fgcolor(), cell.bgcolor()] != [Color::Default; 2])
    }

    /// Waits until the program has ended, and checks that the terminal is as it was.
    pub(super) fn ends(&mut self) -> ExitStatus {
        let begun = Instant::now();
        let status = loop {
            match self.child.try_wait().expect("it is ours") {
                Some(status) => break status,
                None => assert!(begun.elapsed() < PATIENCE, "it goes on:\n{}", self.screen()),
            }
            thread::sleep(Duration::from_millis(10));
        };
        loop {
            let received = self.received();
            let screen = received.parser.screen();
            if !screen.alternate_screen() && !screen.hide_cursor() {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "the screen was not restored");
            drop(received);
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn size(of: u16) -> NonZeroU16 {
    NonZeroU16::new(of).expect("a terminal has a size")
}

pub(super) const UP: &str = "\x1b[A";
pub(super) const RIGHT: &str = "\x1b[C";
pub(super) const ENTER: &str = "\r";
