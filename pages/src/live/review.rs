//! The review of a game, as it is made.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use axum::response::sse::Event;
use gamelog::record::GameRecord;
use serde_json::{Value, json};

use super::event;
use crate::reviewed::ReviewedGame;
use crate::reviews::Reviews;

/// What there is of the review of a game.
#[derive(Clone, Default)]
pub(crate) struct State {
    /// Another one for everything that is new.
    version: String,
    /// When it was made, in the order of all states.
    made: u64,
    data: Arc<Value>,
}

/// How many states were made.
static MADE: Mutex<u64> = Mutex::new(0);

/// Reads a version, and numbers it. No other one is read in between: of two numbers, the larger one has the
/// later version.
fn numbered(read: impl FnOnce() -> String) -> (u64, String) {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    *made += 1;
    (*made, read())
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.version == other.version
    }
}

impl State {
    /// The state of the review of a game in a log now.
    pub(crate) fn make(reviews: &Reviews, log: &Path, game: &GameRecord, before: &State) -> State {
        let (made, version) = numbered(|| reviews.version(log, game));
        if version == before.version {
            return before.clone();
        }
        let data = match reviews.of(log, game) {
            Ok(known) => json!({
                "review": (known.review.as_ref()).map(|review| ReviewedGame::of(review, game.result.loser())),
                "move_time": known.move_time,
                "running": known.running,
                "points": known.points,
                "fault": known.fault,
            }),
            Err(fault) => json!({ "review": null, "running": false, "fault": fault }),
        };
        State {
            version,
            made,
            data: Arc::new(data),
        }
    }

    /// What a page has not seen yet, as an event. A state that is older than what it has seen is none: what
    /// others follow may be a moment old.
    pub(crate) fn difference(seen: &State, now: &State) -> Option<(Event, State)> {
        let is_new = seen != now && now.made > seen.made;
        is_new.then(|| (event("review", &now.data), now.clone()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Otherwise a page that has seen the end in the making would wait for it for ever.
    #[test]
    fn later_versions_have_larger_numbers() {
        let clock = AtomicU64::new(0);
        let read = || {
            let now = clock.fetch_add(1, Ordering::SeqCst);
            std::thread::yield_now();
            format!("{now:06}")
        };
        let all = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let state = numbered(read);
                        all.lock().unwrap().push(state);
                    }
                });
            }
        });
        let mut all = all.into_inner().unwrap();
        all.sort();
        assert!(all.is_sorted_by_key(|(_, version)| version.clone()));
    }

    #[test]
    fn a_page_never_goes_back() {
        let state = |version: &str, made| State {
            version: version.to_owned(),
            made,
            data: Arc::default(),
        };
        let is_sent = |seen: &State, now: &State| State::difference(seen, now).is_some();
        assert!(is_sent(&State::default(), &state("a", 1)));
        assert!(is_sent(&state("a", 1), &state("b", 2)));
        assert!(!is_sent(&state("b", 2), &state("a", 1)), "it is older");
        assert!(!is_sent(&state("a", 1), &state("a", 2)), "nothing is new");
    }
}
