//! The review of a game, as it is made.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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
static MADE: AtomicU64 = AtomicU64::new(0);

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.version == other.version
    }
}

impl State {
    /// The state of the review of a game in a log now.
    pub(crate) fn make(reviews: &Reviews, log: &Path, game: &GameRecord, before: &State) -> State {
        let made = 1 + MADE.fetch_add(1, Ordering::Relaxed);
        let version = reviews.version(log, game);
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
    use super::*;

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
