//! The review of a game, as it is made.

use std::path::Path;
use std::sync::Arc;

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
    data: Arc<Value>,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.version == other.version
    }
}

impl State {
    /// The state of the review of a game in a log now.
    pub(crate) fn make(reviews: &Reviews, log: &Path, game: &GameRecord, before: &State) -> State {
        let version = reviews.version(log, game);
        if version == before.version {
            return before.clone();
        }
        let data = match reviews.of(log, game) {
            Ok(known) => json!({
                "review": known.review.as_ref().map(ReviewedGame::of),
                "move_time": known.move_time,
                "running": known.running,
                "points": known.points,
                "fault": known.fault,
            }),
            Err(fault) => json!({ "review": null, "running": false, "fault": fault }),
        };
        State {
            version,
            data: Arc::new(data),
        }
    }

    /// What a page has not seen yet, as an event.
    pub(crate) fn difference(seen: &State, now: &State) -> Option<(Event, State)> {
        (seen != now).then(|| (event("review", &now.data), now.clone()))
    }
}
