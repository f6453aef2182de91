//! A trial: one engine is started as for a game and asked for one turn, so that what keeps it from
//! playing is known before it loses the games of a night.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use engine_core::Side;
use engine_process::driver::{self, Driver, Question};
use engine_process::process::{Process, Written};
use engine_process::{QUIT_GRACE, START_UP};
use gamelog::record::{Reason, TurnRecord};
use task::clock::{self, Clock, ClockSpec, MAX_TIME};
use task::{EngineSpec, GameTask, Letters, Protocol};

use super::{EarlyEnd, Game, Handshake, start_failure, turn};

/// The longest wait for a turn. An engine that thinks for longer is slow, and need not be broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a trial has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// The engine has played a legal turn, or resigned.
    Fit,
    /// It had no turn within this time, and its clock allows more.
    Slow(Duration),
    /// It cannot play.
    Unfit {
        /// What it has done, without what it has written to standard error.
        fault: String,
        /// What it has written.
        written: Written,
    },
    /// The referee is being stopped.
    Stopped,
}

/// Tries the engine that plays `seat` of this game: in the first turn after the opening, on the side
/// to move. Its clock tells it how long to think, and only an engine that does not answer at all is
/// too late. Rolls are not those of the game.
///
/// # Panics
/// If the task names a game, variant or opening that does not exist: the plan has checked them.
pub fn try_out(seat: Side, game: &GameTask, stop: &AtomicBool) -> Trial {
    let mut task = GameTask {
        dice: Some(0),
        carried_us: None,
        ..game.clone()
    };
    let unobserved = |_: &TurnRecord| {};
    let mover = Game::new(&task, stop, &mut { unobserved }).game.side();
    if seat != mover {
        std::mem::swap(&mut task.first, &mut task.second);
    }
    let engine = [&task.first, &task.second][mover.index()];
    if let Some(fault) = wrong_letters(engine, &task, mover, stop) {
        return Trial::Unfit {
            fault,
            written: Written::default(),
        };
    }
    loop {
        let observe = &mut { unobserved };
        let mut game = Game::new(&task, stop, observe);
        let mut driver = None;
        let tried = game.first_turn(engine, &mut driver);
        let tried = game.unless_paused(tried);
        let allowed = game.clocks[mover.index()].patience();
        let trial = match tried {
            Ok(()) | Err(EarlyEnd::Loss(_, Reason::Resign, _)) => Trial::Fit,
            Err(EarlyEnd::Loss(_, Reason::Time, _)) if allowed > PATIENCE => Trial::Slow(PATIENCE),
            Err(EarlyEnd::Loss(_, reason, detail)) => {
                let engine = driver.as_mut().and_then(|driver| driver.process_mut());
                let (written, late) = engine.map_or((Written::default(), false), last_words);
                let fault = match reason {
                    Reason::Illegal => format!("illegal turn {detail}"),
                    _ if late => format!("{detail}; {UNFLUSHED}"),
                    _ => detail,
                };
                Trial::Unfit { fault, written }
            }
            Err(EarlyEnd::Stopped) => Trial::Stopped,
            Err(EarlyEnd::Paused(_)) => continue,
        };
        if let (Trial::Fit, Some(mut driver)) = (&trial, driver) {
            driver.game_over(&game.history);
            driver.quit();
            driver.end(Instant::now() + QUIT_GRACE);
        }
        return trial;
    }
}

/// What is wrong with the column letters of a GTP engine, as far as a process of its own shows it: some
/// engines end when they are asked for a cell that they do not have.
fn wrong_letters(
    engine: &EngineSpec,
    task: &GameTask,
    side: Side,
    stop: &AtomicBool,
) -> Option<String> {
    if engine.protocol != Protocol::Gtp {
        return None;
    }
    let unobserved = &mut |_: &TurnRecord| {};
    let game = Game::new(task, stop, unobserved);
    let mut driver = driver::start(engine, format!("letters of {}", engine.name)).ok()?;
    game.prepare(engine, &mut *driver, side).ok()?;
    let mut found = None;
    let mut handshake = Handshake::new(side, engine, stop);
    let setup = game.setup(engine, side);
    let asked = handshake.step(|until| {
        found = driver.find_letters(&setup, until)?;
        Ok(())
    });
    let found = found.filter(|&found| asked.is_ok() && found != engine.letters)?;
    driver.quit();
    driver.end(Instant::now() + QUIT_GRACE);
    Some(match found {
        Letters::SkipI => format!(
            "its columns leave out the letter i: it refuses i1 and takes a later one; expected letters = \
             {:?} in its table",
            found.key()
        ),
        Letters::All => format!(
            "its columns have the letter i; expected letters = {:?} in its table, or none",
            found.key()
        ),
    })
}

/// What is said of an engine that has answered, but into its own buffer.
const UNFLUSHED: &str = "what it wrote arrived only when it ended, so it does not flush its output: flush \
                         after every line (in Python print(…, flush=True), in C setvbuf(stdout, NULL, \
                         _IOLBF, 0))";

/// Ends an engine, and returns what it has written, and whether it wrote only at its end.
fn last_words(engine: &mut Process) -> (Written, bool) {
    let before = engine.written();
    engine.end(Instant::now() + QUIT_GRACE);
    let written = engine.written();
    let late = before.output.is_empty() && !written.output.is_empty();
    (written, late)
}

impl Game<'_> {
    /// Starts an engine, which goes to `driver`, and plays its first turn.
    fn first_turn(
        &mut self,
        engine: &EngineSpec,
        driver: &mut Option<Box<dyn Driver>>,
    ) -> Result<(), EarlyEnd> {
        while self.game.roll_due() {
            self.roll();
        }
        let side = self.game.side();
        let started = driver::start(engine, format!("trial of {}", engine.name));
        let driver = driver.insert(started.map_err(|failure| start_failure(side, failure))?);
        if let Some(process) = driver.process_mut() {
            process.leave_out_errors();
        }
        self.prepare(engine, &mut **driver, side)?;
        let question = Question {
            history: &self.history,
            go: &clock::go(&self.clocks, side),
            patience: (self.clocks[side.index()].patience()).clamp(START_UP, PATIENCE),
            stop: self.stop,
            watch: None,
            delayed: None,
        };
        let mut patient = Clock::new(&ClockSpec {
            patience: Some(MAX_TIME),
            ..ClockSpec::default()
        });
        let game = &mut *self.game;
        turn::ask(&mut **driver, &question, game, &mut patient, engine.retries).map(drop)
    }

    /// Runs the handshake of an engine, and prepares it for the game.
    fn prepare(
        &self,
        engine: &EngineSpec,
        driver: &mut dyn Driver,
        side: Side,
    ) -> Result<(), EarlyEnd> {
        let mut handshake = Handshake::new(side, engine, self.stop);
        handshake.step(|until| driver.introduce(until))?;
        if let Some(fault) = driver.option_fault(&engine.options) {
            return Err(EarlyEnd::Loss(side, Reason::Stall, fault));
        }
        handshake.step(|until| driver.new_game(&self.setup(engine, side), until))
    }
}
