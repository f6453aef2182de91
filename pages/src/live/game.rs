//! A game as it is played.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::response::sse::Event;
use gamelog::record::SideName;
use jiff::{SignedDuration, Timestamp};
use league::live::Playing;
use serde_json::{Value, json};

use super::event;
use crate::leagues::Leagues;
use crate::site;
use crate::viewed::{self, Scenery, ViewedGame};

/// How long a game that has ended may need to get into the log.
const PATIENCE: Duration = Duration::from_secs(10);

/// What there is of a game.
#[derive(Clone, Default, PartialEq)]
pub(crate) enum State {
    /// Nothing is known yet.
    #[default]
    Unknown,
    /// It is played.
    Playing(Shown),
    /// It is neither played nor in the log, since this moment.
    Missing(Instant),
    /// It is in the log: the address of its page.
    Over(String),
    /// It was given up.
    Gone,
}

/// A game that goes on, as pages show it.
#[derive(Clone)]
pub(crate) struct Shown {
    started: Timestamp,
    since: Timestamp,
    data: Arc<Value>,
}

impl PartialEq for Shown {
    fn eq(&self, other: &Shown) -> bool {
        (self.started, self.since) == (other.started, other.since)
    }
}

impl State {
    /// The state of the game at an address now.
    pub(crate) fn make(leagues: &Leagues, address: &str, before: &State) -> State {
        if let Some((_, game)) = site::live::find(leagues, address) {
            if let State::Playing(shown) = before
                && (shown.started, shown.since) == (game.started, game.since)
            {
                return before.clone();
            }
            // The page says why it cannot be shown.
            return Shown::of(&game).map_or(State::Gone, State::Playing);
        }
        if let Ok(place) = site::game::place(leagues, address) {
            return State::Over(place);
        }
        match before {
            State::Missing(since) if since.elapsed() >= PATIENCE => State::Gone,
            State::Missing(_) | State::Gone => before.clone(),
            _ => State::Missing(Instant::now()),
        }
    }

    /// What a page has not seen yet, as an event.
    pub(crate) fn difference(seen: &State, now: &State) -> Option<(Event, State)> {
        let event = match now {
            _ if seen == now => return None,
            State::Unknown | State::Missing(_) => return None,
            State::Playing(shown) => event("game", &shown.now()),
            State::Over(address) => event("over", &(**address).into()),
            State::Gone => event("gone", &Value::Null),
        };
        Some((event, now.clone()))
    }
}

impl Shown {
    fn of(game: &Playing) -> Result<Shown, String> {
        let mut scenery = Scenery::default();
        let viewed = ViewedGame::of(game, &mut scenery)?;
        let side = viewed::thinking(game)?;
        let delay = side.map_or(SignedDuration::ZERO, |side| game.clocks[side.index()].delay);
        let data = json!({
            "scenery": scenery,
            "game": viewed,
            "thinks": side.map(SideName::from),
            "delay_ms": delay.as_millis() as u64,
        });
        Ok(Shown {
            started: game.started,
            since: game.since,
            data: Arc::new(data),
        })
    }

    /// The game with the time that the side to move has thought, ms. It is that of the moment at which
    /// a page gets it: the page counts on.
    fn now(&self) -> Value {
        let mut data = (*self.data).clone();
        let thought = Timestamp::now().duration_since(self.since);
        let thought = thought.max(SignedDuration::ZERO);
        data["thought_ms"] = (thought.as_millis() as u64).into();
        data
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use league::live::{FILE_NAME, Snapshot};
    use task::clock::ClockSpec;

    use super::*;

    /// A folder with a league that plays one game.
    fn playing() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let league = folder.path().join("night");
        fs::create_dir(&league).unwrap();
        fs::write(league.join("games.jsonl"), "").unwrap();
        let now = Timestamp::now();
        let game = Playing {
            id: "hex-r1".to_owned(),
            game: "hex".to_owned(),
            variant: json!({}),
            opening: "a1".to_owned(),
            engines: ["one".to_owned(), "two".to_owned()],
            clocks: [ClockSpec::unlimited(); 2],
            carried_us: None,
            started: now,
            since: now,
            turns: Vec::new(),
        };
        let snapshot = Snapshot {
            written: now,
            planned: 1,
            ended: false,
            games: vec![game],
        };
        let text = serde_json::to_vec(&snapshot).unwrap();
        fs::write(league.join(FILE_NAME), text).unwrap();
        folder
    }

    #[test]
    fn a_game_that_is_given_up_is_gone_after_a_while() {
        let folder = playing();
        let leagues = Leagues::below(folder.path().to_owned());
        let make = |before: &State| State::make(&leagues, "night/hex-r1", before);
        let played = make(&State::Unknown);
        let State::Playing(shown) = &played else {
            panic!("it is played");
        };
        assert_eq!(shown.now()["thinks"], "second");
        assert!(State::difference(&State::Unknown, &played).is_some());
        assert!(State::difference(&played, &make(&played)).is_none());

        fs::remove_file(folder.path().join("night").join(FILE_NAME)).unwrap();
        let missing = make(&played);
        assert!(matches!(missing, State::Missing(_)));
        assert!(State::difference(&played, &missing).is_none());
        assert!(matches!(make(&missing), State::Missing(_)));
        let long_ago = Instant::now().checked_sub(PATIENCE).unwrap();
        let gone = make(&State::Missing(long_ago));
        assert!(gone == State::Gone && make(&gone) == State::Gone);
        assert!(State::difference(&played, &gone).is_some());
    }
}
