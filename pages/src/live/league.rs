//! The parts of a league's page that change while it is played.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::response::sse::Event;

use super::event;
use crate::leagues::{Leagues, read};
use crate::site::league::{Choice, now_playing, results};

/// How often tables change: they cost more to make than boards, and nobody reads them faster.
const TABLES: Duration = Duration::from_secs(5);

/// The parts of a page that change, as markup.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Parts {
    boards: Arc<str>,
    tables: Arc<str>,
    /// When the tables were made, and from how many games.
    made: Option<(Instant, usize)>,
}

impl Parts {
    /// The boards, and the tables if they are due and have changed. `None` if the league is gone.
    pub(crate) fn make(leagues: &Leagues, choice: &Choice, before: &Parts) -> Option<Parts> {
        let league = leagues.find(&choice.league)?;
        let league = read(&league);
        let games = league.games.len();
        let boards = now_playing(&choice.reader(), &league, league.live().as_ref()).into_string();
        let mut parts = Parts {
            boards: boards.into(),
            ..before.clone()
        };
        let is_due = |(made, of): (Instant, usize)| made.elapsed() >= TABLES && of != games;
        if before.made.is_none_or(is_due) {
            let tables = results(&choice.reader(), &league, choice).into_string();
            parts.tables = tables.into();
            parts.made = Some((Instant::now(), games));
        }
        Some(parts)
    }

    /// The first part that differs from what a page has seen, as an event, and what it has seen then.
    pub(crate) fn difference(seen: &Parts, now: &Parts) -> Option<(Event, Parts)> {
        let mut seen = seen.clone();
        if seen.boards != now.boards {
            seen.boards = Arc::clone(&now.boards);
            return Some((event("boards", &(*now.boards).into()), seen));
        }
        if seen.tables != now.tables {
            seen.tables = Arc::clone(&now.tables);
            return Some((event("tables", &(*now.tables).into()), seen));
        }
        None
    }
}
