//! An engine at the desk: a thread that owns its process, and starts it again when it fails.
//!
//! ```text
//! assign(Task) ─▶ newest task ─ thread ─▶ Driver ─▶ process
//!                                  └─▶ hear(number of the task, News)
//! ```
//!
//! An engine is always asked with the whole game, so one that was started again needs nothing else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use catalog::{AnyGame, AnyMatch};
use engine_core::Side;
use engine_process::QUIT_GRACE;
use engine_process::driver::{self, Driver, History, Question, Setup, Watch};
use engine_process::info::EngineInfo;
use game::turn::Told;
use gamelog::record::Reason;
use league::play::game::turn;
use league::play::game::{EarlyEnd, Handshake, start_failure};
use protocol::Protocol;
use protocol::ugi::Go;
use serde_json::Value;
use task::clock::{self, Clock, ClockSpec};
use task::{EngineSpec, opening};

/// Pauses before an engine is started again within one task.
const PAUSES: [Duration; 3] = [
    Duration::ZERO,
    Duration::from_millis(500),
    Duration::from_secs(2),
];

/// The least time to wait for a turn: an engine that answers late loses less than one that is started
/// again.
const LEAST_PATIENCE: Duration = Duration::from_secs(30);

/// What an engine is to do; a new task replaces the one before.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) board: Board,
    /// The turn to answer; `None` to get ready only.
    pub(super) ask: Option<Ask>,
}

/// A game as an engine gets to know it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Board {
    /// Tells the games of a session apart.
    pub(super) number: usize,
    /// How many of its processes were ended by the operator: another number needs another process.
    pub(super) process: u32,
    /// Id of the game.
    pub(super) game: String,
    pub(super) variant: Value,
    pub(super) opening: String,
    pub(super) side: Side,
}

/// A question for a turn.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    /// Turns and rolls after the opening.
    pub(super) words: Vec<String>,
    pub(super) limit: Limit,
}

/// How long an engine may think.
#[derive(Clone, Debug)]
pub(super) enum Limit {
    /// As these clocks say, of which its own runs since this moment.
    Clocks(Box<[Clock; 2]>, Instant),
    /// Until another task is assigned.
    Infinite,
}

/// What an engine does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum News {
    /// It is ready for the game; with what it calls itself.
    Ready(String),
    /// A report of its search.
    Report(EngineInfo),
    /// Its turn in UGI notation, and its last report.
    Turn(String, Option<EngineInfo>),
    /// It resigns.
    Resigns,
    /// It failed, and this is what it did.
    Lost(String),
    /// It failed too often in this task, or cannot go on with this game, and is not started again.
    GivenUp,
}

/// The thread of an engine. Dropping it ends the engine.
pub(super) struct Pilot {
    orders: Arc<Orders>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread is to do.
#[derive(Clone, Debug)]
enum Order {
    Work(Task),
    /// End the process; the next task starts another one.
    Dismiss,
}

/// The newest order, which the thread waits for.
#[derive(Default)]
struct Orders {
    newest: Mutex<Newest>,
    changed: Condvar,
}

#[derive(Default)]
struct Newest {
    number: u64,
    order: Option<Order>,
    signals: Arc<Signals>,
    is_closed: bool,
}

/// What the thread is told while it works on a task.
#[derive(Default)]
struct Signals {
    /// The task is replaced: nobody waits for its result.
    is_obsolete: AtomicBool,
    /// The engine is to answer at once.
    hurry: AtomicBool,
    /// The wait for the engine is to end.
    stop: AtomicBool,
}

impl Pilot {
    /// Starts the thread of an engine, which has nothing to do yet. `hear` is called in that thread.
    pub(super) fn start(spec: EngineSpec, hear: impl Fn(u64, News) + Send + 'static) -> Pilot {
        let orders = Arc::new(Orders::default());
        let own = Arc::clone(&orders);
        let thread = thread::spawn(move || {
            let mut engine = Engine {
                spec,
                driver: None,
                known: None,
            };
            let mut done = 0;
            while let Some((number, order, signals)) = own.next(done) {
                done = number;
                match order {
                    Order::Work(task) => {
                        engine.perform(&task, &signals, &|news| hear(number, news));
                    }
                    Order::Dismiss => engine.end(),
                }
            }
            engine.end();
        });
        Pilot {
            orders,
            thread: Some(thread),
        }
    }

    /// Replaces the present task and returns the number of the new one. With `None`, the engine has
    /// nothing to do.
    pub(super) fn assign(&self, task: Option<Task>) -> u64 {
        self.order(task.map(Order::Work))
    }

    /// Ends the process of the engine until it has another task.
    pub(super) fn dismiss(&self) {
        self.order(Some(Order::Dismiss));
    }

    fn order(&self, order: Option<Order>) -> u64 {
        let mut newest = self.orders.lock();
        newest.signals.replace();
        newest.signals = Arc::default();
        newest.number += 1;
        newest.order = order;
        self.wake();
        newest.number
    }

    /// Ends the pauses of the thread.
    fn wake(&self) {
        self.orders.changed.notify_all();
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }

    /// Tells an engine that searches to answer at once, if its protocol can.
    pub(super) fn hurry(&self) {
        self.orders
            .lock()
            .signals
            .hurry
            .store(true, Ordering::Relaxed);
    }
}

impl Drop for Pilot {
    fn drop(&mut self) {
        {
            let mut newest = self.orders.lock();
            newest.is_closed = true;
            newest.signals.replace();
            newest.signals.stop.store(true, Ordering::Relaxed);
            self.wake();
        }
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed.
            let _ = thread.join();
        }
    }
}

impl Signals {
    /// An engine that can be told to answer answers; the wait for any other ends.
    fn replace(&self) {
        self.is_obsolete.store(true, Ordering::Relaxed);
        self.hurry.store(true, Ordering::Relaxed);
    }

    fn is_obsolete(&self) -> bool {
        self.is_obsolete.load(Ordering::Relaxed)
    }

    /// Sleeps, but no longer than somebody waits for the result.
    fn rest(&self, pause: Duration) {
        let end = Instant::now() + pause;
        while !self.is_obsolete() && Instant::now() < end {
            thread::park_timeout(end.saturating_duration_since(Instant::now()));
        }
    }
}

impl Orders {
    fn lock(&self) -> MutexGuard<'_, Newest> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for an order after the one with this number; `None` at the end.
    fn next(&self, done: u64) -> Option<(u64, Order, Arc<Signals>)> {
        let mut newest = self.lock();
        loop {
            if newest.is_closed {
                return None;
            }
            if newest.number > done
                && let Some(order) = &newest.order
            {
                return Some((newest.number, order.clone(), Arc::clone(&newest.signals)));
            }
            let woken = self.changed.wait(newest);
            newest = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// An engine, as its thread sees it.
struct Engine {
    spec: EngineSpec,
    /// `None` before it is started, and after it failed.
    driver: Option<Box<dyn Driver>>,
    /// What the running process knows.
    known: Option<Known>,
}

/// A game, with the turns and rolls that a process has been told or has answered.
struct Known {
    board: Board,
    words: Vec<String>,
}

impl Engine {
    /// Works on a task until it is done or replaced, and starts the engine again when it fails.
    fn perform(&mut self, task: &Task, signals: &Signals, tell: &dyn Fn(News)) {
        for pause in PAUSES {
            signals.rest(pause);
            if signals.is_obsolete() {
                return;
            }
            if let Some(reason) = self.cannot_join(task) {
                tell(News::Lost(reason));
                break;
            }
            match self.attempt(task, signals, tell) {
                Ok(Some(turn)) => return tell(turn),
                Ok(None) => return,
                Err(EarlyEnd::Loss(_, Reason::Resign, _)) => return tell(News::Resigns),
                Err(EarlyEnd::Loss(_, reason, detail)) => {
                    self.driver = None;
                    tell(News::Lost(fault(reason, detail, signals)));
                }
                // What it still answers would be taken for the answer to the next question.
                Err(EarlyEnd::Stopped | EarlyEnd::Paused(_)) => return self.driver = None,
            }
        }
        tell(News::GivenUp);
    }

    /// Why the engine cannot be asked for this turn, however often it is started.
    fn cannot_join(&self, task: &Task) -> Option<String> {
        let ask = task.ask.as_ref()?;
        if self.spec.protocol != Protocol::Sau {
            return None;
        }
        let known = self.known.as_ref().filter(|_| self.knows(task));
        let (known, new) = ask
            .words
            .split_at(known.map_or(0, |known| known.words.len()));
        let mut game = task.board.start();
        game.play_words(&known.join(" ")).ok()?;
        let new: Vec<&str> = new.iter().map(String::as_str).collect();
        let told = game.follow(Protocol::Ugi, &new).ok()?;
        let is_own = |told: &Told| matches!(told, Told::Turn(side, ..) if *side == task.board.side);
        let reason = "SAU has no words for an engine's own turns, so it cannot join this game";
        told.iter().any(is_own).then(|| reason.to_owned())
    }

    /// Whether the running process can be asked: it knows the game so far, or is told all of it with
    /// every question.
    fn knows(&self, task: &Task) -> bool {
        let Some(known) = self.known.as_ref().filter(|_| self.driver.is_some()) else {
            return false;
        };
        let words = task.ask.as_ref().map(|ask| &ask.words);
        let goes_on = words.is_none_or(|words| words.starts_with(&known.words));
        known.board == task.board && (goes_on || self.spec.protocol == Protocol::Ugi)
    }

    /// Tries once to do a task.
    fn attempt(
        &mut self,
        task: &Task,
        signals: &Signals,
        tell: &dyn Fn(News),
    ) -> Result<Option<News>, EarlyEnd> {
        if !self.knows(task) {
            self.prepare(&task.board, signals)?;
            let version = self
                .driver
                .as_ref()
                .map(|driver| driver.version().to_owned());
            tell(News::Ready(version.unwrap_or_default()));
        }
        if signals.is_obsolete() {
            return Ok(None);
        }
        let (Some(ask), Some(driver)) = (&task.ask, &mut self.driver) else {
            return Ok(None);
        };
        let side = task.board.side;
        let mut history = History::new(&task.board.opening);
        ask.words.iter().for_each(|word| history.push(word));
        let mut game = task.board.start();
        let words = ask.words.join(" ");
        game.play_words(&words).expect("every turn was checked");
        let (go, patience) = ask.limit.at(Instant::now(), side);
        let question = Question {
            history: &history,
            go: &go,
            patience,
            stop: match self.spec.protocol {
                Protocol::Ugi => &signals.stop,
                _ => &signals.is_obsolete,
            },
            watch: Some(Watch {
                report: &|info| tell(News::Report(info.clone())),
                hurry: &signals.hurry,
            }),
            delayed: None,
        };
        let mut patient = Clock::new(&ClockSpec::unlimited());
        let retries = self.spec.retries;
        let answered = turn::ask(&mut **driver, &question, &mut *game, &mut patient, retries)?;
        let mut words = ask.words.clone();
        words.push(answered.turn.clone());
        let board = task.board.clone();
        self.known = Some(Known { board, words });
        Ok(Some(News::Turn(answered.turn, answered.info)))
    }

    /// Begins a game, in a new process unless the engine stays for several games.
    fn prepare(&mut self, board: &Board, signals: &Signals) -> Result<(), EarlyEnd> {
        let mut handshake = Handshake::new(board.side, &self.spec, &signals.stop);
        let stays = |known: &Known| self.spec.keep && known.board.process == board.process;
        if !self.known.take().is_some_and(|known| stays(&known)) {
            self.end();
        }
        let driver = match &mut self.driver {
            Some(driver) => driver,
            none => {
                let started = driver::start(&self.spec, format!("desk {}", self.spec.name));
                let started = started.map_err(|failure| start_failure(board.side, failure))?;
                let driver = none.insert(started);
                handshake.step(|until| driver.introduce(until))?;
                driver
            }
        };
        let setup = Setup {
            rules: board.rules(),
            variant: &board.variant,
            side: board.side,
            opening: &board.opening,
            options: &self.spec.options,
            init: &self.spec.init,
        };
        handshake.step(|until| driver.new_game(&setup, until))?;
        self.known = Some(Known {
            board: board.clone(),
            words: Vec::new(),
        });
        Ok(())
    }

    /// Ends the process, if it runs.
    fn end(&mut self) {
        if let Some(mut driver) = self.driver.take() {
            driver.quit();
            driver.end(Instant::now() + QUIT_GRACE);
        }
    }
}

/// What an engine did, in words.
fn fault(reason: Reason, detail: String, signals: &Signals) -> String {
    match reason {
        Reason::Time if signals.hurry.load(Ordering::Relaxed) => "no answer to `stop`".to_owned(),
        Reason::Illegal => format!("illegal turn {detail}"),
        _ => detail,
    }
}

impl Board {
    fn rules(&self) -> &'static dyn AnyGame {
        catalog::find(&self.game).expect("the settings were checked")
    }

    /// The position after the opening.
    fn start(&self) -> Box<dyn AnyMatch> {
        let begun = opening::begin(self.rules(), &self.variant, &self.opening);
        begun.expect("the settings were checked")
    }
}

impl Limit {
    /// What the engine of a side is told at this moment, and how long to wait for its answer.
    fn at(&self, now: Instant, side: Side) -> (Go, Duration) {
        match self {
            Limit::Infinite => {
                let infinite = true;
                let go = Go {
                    infinite,
                    ..Go::default()
                };
                (go, Duration::MAX)
            }
            Limit::Clocks(clocks, since) => {
                let used = now.saturating_duration_since(*since);
                let mut clocks = (**clocks).clone();
                let own = &mut clocks[side.index()];
                *own = own.after(used);
                let patience = own.patience().max(LEAST_PATIENCE);
                (clock::go(&clocks, side), patience)
            }
        }
    }
}
