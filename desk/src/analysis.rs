//! Endless analysis: an engine searches a position until it is shown another one.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine_process::info::EngineInfo;
use protocol::Protocol;
use serde::Serialize;
use serde_json::Value;
use task::{EngineSpec, opening};

use super::engine::{Ask, Board, Limit, News, Pilot, Task};
use super::operation::Refused;

/// An engine that analyses positions. Dropping it ends the engine.
pub struct Analysis {
    pilot: Pilot,
    shared: Arc<Shared>,
}

struct Shared {
    lines: Mutex<Lines>,
    changed: Condvar,
}

/// What an analysis has found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Lines {
    /// Changes with every report.
    pub version: u64,
    /// Number of the position, as [`Analysis::show`] returned it.
    pub position: u64,
    /// The last report for it.
    pub report: Option<EngineInfo>,
    /// Whether the search has ended by itself: the position is solved, or the engine gave up.
    pub is_done: bool,
    /// What the engine did if it failed; empty if it runs.
    pub fault: String,
}

/// A position to analyse: a game, and what was played in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Id of the game.
    pub game: String,
    /// The variant.
    pub variant: Value,
    /// What is on the board at the beginning, as an [`opening::Opening`].
    pub opening: String,
    /// Turns and rolls after it, in UGI notation; the last turn may be unfinished.
    pub words: Vec<String>,
}

impl Analysis {
    /// Starts an engine for analysis.
    ///
    /// # Errors
    /// Its protocol has no endless search.
    pub fn start(spec: EngineSpec) -> Result<Analysis, Refused> {
        if spec.protocol != Protocol::Ugi {
            let protocol = spec.protocol.name();
            return Err(Refused(format!(
                "{protocol} has no endless search, expected an engine in ugi"
            )));
        }
        let shared = Arc::new(Shared {
            lines: Mutex::default(),
            changed: Condvar::new(),
        });
        let hearing = Arc::clone(&shared);
        let pilot = Pilot::start(spec, move |number, news| hearing.hear(number, news));
        Ok(Analysis { pilot, shared })
    }

    /// Searches this position instead of the last one, and returns its number.
    ///
    /// # Errors
    /// The position cannot be reached, or nobody is to move in it.
    pub fn show(&self, shown: &Shown) -> Result<u64, Refused> {
        let rules = catalog::find(&shown.game);
        let rules = rules
            .ok_or_else(|| Refused(format!("game {:?}, expected a known game", shown.game)))?;
        let mut game = opening::begin(rules, &shown.variant, &shown.opening).map_err(Refused)?;
        let played = game.play_words(&shown.words.join(" "));
        played.map_err(|error| Refused(error.to_string()))?;
        if game.outcome().is_some() || game.roll_due() {
            return Err(Refused(
                "nobody is to move, expected a position with a player to move".to_owned(),
            ));
        }
        let task = Task {
            board: Board {
                number: 0,
                process: 0,
                game: shown.game.clone(),
                variant: shown.variant.clone(),
                opening: shown.opening.clone(),
                side: game.side(),
            },
            ask: Some(Ask {
                words: shown.words.clone(),
                limit: Limit::Infinite,
            }),
        };
        let mut lines = self.shared.lock();
        let position = self.pilot.assign(Some(task));
        *lines = Lines {
            version: lines.version + 1,
            position,
            ..Lines::default()
        };
        self.shared.changed.notify_all();
        Ok(position)
    }

    /// Ends the search; the engine stays. Everybody who waits for lines returns.
    pub fn stop(&self) {
        let mut lines = self.shared.lock();
        lines.position = self.pilot.assign(None);
        lines.version += 1;
        lines.is_done = true;
        self.shared.changed.notify_all();
    }

    /// Waits until there is more than version `seen`, at most for `timeout`, and returns the lines.
    pub fn wait(&self, seen: u64, timeout: Duration) -> Lines {
        let end = Instant::now() + timeout;
        let mut lines = self.shared.lock();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if lines.version != seen || left.is_zero() {
                return lines.clone();
            }
            let woken = self.shared.changed.wait_timeout(lines, left);
            lines = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, number: u64, news: News) {
        let mut lines = self.lock();
        if lines.position != number {
            return;
        }
        match news {
            News::Ready(_) => lines.fault.clear(),
            News::Report(info) => lines.report = Some(info),
            News::Turn(_, info) => {
                lines.report = info.or(lines.report.take());
                lines.is_done = true;
            }
            News::Resigns | News::GivenUp => lines.is_done = true,
            News::Lost(detail) => lines.fault = detail,
        }
        lines.version += 1;
        self.changed.notify_all();
    }
}
