//! A game without pages: lines in, boards and turns as plain lines out.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use base::plain::plain;
use base::signals;
use desk::Turn;
use engine_core::Side;
use league::results::replay::state;

use super::order::{Reply, obey};
use super::sitting::{Phase, Sitting};

/// How often the clocks and signals are looked at while nothing is typed.
const INTERVAL: Duration = Duration::from_millis(50);

/// The order that is obeyed while the engine thinks; all others wait for its turn.
const HURRY: &str = "now";

/// Plays until the input ends, or a signal asks to stop. A game that is over can be taken back.
pub(super) fn play(sitting: &mut Sitting, out: &mut dyn Write) -> Result<()> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    signals::on_stop(move |_| asked.store(true, Ordering::Relaxed))?;
    let mut lines = Lines {
        input: input(),
        held: None,
        stop,
    };
    let mut shown = None;
    loop {
        lines.wait(sitting, out)?;
        let state = (sitting.game().turns.len(), sitting.phase());
        if shown != Some(state) {
            report(sitting, shown.map_or(0, |(turns, _)| turns), out)?;
            shown = Some(state);
        }
        let Some(line) = lines.next(sitting)? else {
            return Ok(());
        };
        match obey(sitting, &line) {
            Ok(Reply::Done) if sitting.parts().is_empty() => {}
            Ok(Reply::Done) => writeln!(out, "your turn so far: {}", sitting.parts().join(" "))?,
            Ok(Reply::Say(words)) => writeln!(out, "{words}")?,
            Ok(Reply::Board) => board(sitting, out)?,
            Ok(Reply::Quit) => return Ok(()),
            Err(reason) => writeln!(out, "{}", plain(&reason))?,
        }
        out.flush()?;
    }
}

/// What the person types.
struct Lines {
    input: Receiver<io::Result<String>>,
    /// A line that came while the engine was thinking.
    held: Option<String>,
    stop: Arc<AtomicBool>,
}

/// The lines of standard input, read on a thread of its own: the clock runs meanwhile.
fn input() -> Receiver<io::Result<String>> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

impl Lines {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits until the engine has moved and no hint is being looked for.
    fn wait(&mut self, sitting: &mut Sitting, out: &mut dyn Write) -> Result<()> {
        while matches!(sitting.phase(), Phase::Starting | Phase::Engine) && !self.is_stopped() {
            if self.held.is_none() {
                self.held = self.input.try_recv().ok().transpose()?;
            }
            if self.held.take_if(|line| line.trim() == HURRY).is_some()
                && let Err(reason) = sitting.hurry()
            {
                writeln!(out, "{reason}")?;
            }
            sitting.wait(INTERVAL);
            sitting.look();
        }
        while sitting.is_looking_for_hint() && !self.is_stopped() {
            match sitting.take_hint() {
                Some(Ok(turn)) => writeln!(out, "hint: {turn}")?,
                Some(Err(reason)) => writeln!(out, "no hint: {}", plain(&reason))?,
                None => sitting.wait(INTERVAL),
            }
            sitting.look();
        }
        Ok(())
    }

    /// Waits for the next line; `None` at the end of the input and after a signal. An empty one when
    /// time has run out.
    fn next(&mut self, sitting: &mut Sitting) -> Result<Option<String>> {
        if let Some(line) = self.held.take() {
            return Ok(Some(line));
        }
        let was_over = sitting.phase() == Phase::Over;
        loop {
            match self.input.recv_timeout(INTERVAL) {
                Ok(line) => return Ok(Some(line?)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if self.is_stopped() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => drop(sitting.look()),
            }
            if !was_over && sitting.phase() == Phase::Over {
                return Ok(Some(String::new()));
            }
        }
    }
}

/// Prints the turns after the first `known` ones, and the board after them.
fn report(sitting: &Sitting, known: usize, out: &mut dyn Write) -> Result<()> {
    let turns = &sitting.game().turns;
    for Turn { record, by, .. } in turns.get(known..).unwrap_or_default() {
        let who = match by {
            None => "roll".to_owned(),
            Some(_) => sitting.player(Side::from(record.side)),
        };
        writeln!(out, "{who}: {}", record.text)?;
    }
    if let Some(trouble) = sitting.trouble() {
        writeln!(out, "{}", plain(trouble))?;
    }
    if sitting.phase() == Phase::GivenUp {
        let line = format!("{}; enter its turn, or `restart` it", sitting.failure(""));
        writeln!(out, "{}", plain(&line))?;
    }
    board(sitting, out)
}

fn board(sitting: &Sitting, out: &mut dyn Write) -> Result<()> {
    write!(out, "\n{}", sitting.position().board())?;
    let words = match (sitting.ending(), sitting.phase()) {
        (Some(ending), _) => ending,
        (None, Phase::Paused) => "the clocks stand; `resume` lets them go on".to_owned(),
        (None, _) => state(sitting.position(), sitting.rules().colours()),
    };
    writeln!(out, "{}", plain(&words))?;
    out.flush()?;
    Ok(())
}
