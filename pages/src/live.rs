//! Leagues as they are played: what changes on a page is made once, however many follow it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use tokio::sync::watch;

use crate::leagues::{Leagues, read};
use crate::site::league::{Choice, now_playing, results};

/// How often boards change on pages.
const BOARDS: Duration = Duration::from_secs(1);

/// How often tables do: they cost more to make, and nobody reads them faster.
const TABLES: Duration = Duration::from_secs(5);

/// The parts of a page that change, as markup.
#[derive(Clone, Default)]
struct Parts {
    boards: Arc<str>,
    tables: Arc<str>,
}

/// The pages that are followed.
#[derive(Default)]
pub(crate) struct Following(Mutex<HashMap<Choice, watch::Sender<Parts>>>);

impl Following {
    /// The changes of a page of a league, for as long as somebody reads them. They begin with the
    /// state now.
    pub(crate) fn follow(
        self: &Arc<Self>,
        leagues: &Arc<Leagues>,
        choice: Choice,
    ) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let receiver = self.receiver(leagues, choice);
        let start = (receiver, Parts::default());
        let events = stream::unfold(start, |(mut receiver, shown)| async move {
            loop {
                let parts = receiver.borrow_and_update().clone();
                if let Some((event, shown)) = difference(&shown, &parts) {
                    return Some((Ok(event), (receiver, shown)));
                }
                // The sender goes when the league is gone from the disk.
                receiver.changed().await.ok()?;
            }
        });
        Sse::new(events).keep_alive(KeepAlive::default())
    }

    fn receiver(
        self: &Arc<Self>,
        leagues: &Arc<Leagues>,
        choice: Choice,
    ) -> watch::Receiver<Parts> {
        let mut followed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = followed.get(&choice) {
            return sender.subscribe();
        }
        let (sender, receiver) = watch::channel(Parts::default());
        followed.insert(choice.clone(), sender);
        tokio::spawn(Arc::clone(self).keep_up(Arc::clone(leagues), choice));
        receiver
    }

    /// Makes the parts of a page anew while somebody follows it.
    async fn keep_up(self: Arc<Self>, leagues: Arc<Leagues>, choice: Choice) {
        let mut tables_made: Option<(Instant, usize)> = None;
        loop {
            let (all, chosen, before) = (Arc::clone(&leagues), choice.clone(), tables_made);
            let made = tokio::task::spawn_blocking(move || make(&all, &chosen, before)).await;
            let Ok(Some((boards, tables))) = made else {
                self.forget(&choice);
                return;
            };
            if let Some((_, games)) = tables {
                tables_made = Some((Instant::now(), games));
            }
            if !self.send(&choice, boards, tables.map(|(markup, _)| markup)) {
                return;
            }
            tokio::time::sleep(BOARDS).await;
        }
    }

    /// Sends parts to the followers. False, and they are forgotten, if there are none any more.
    fn send(&self, choice: &Choice, boards: String, tables: Option<String>) -> bool {
        let mut followed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sender) = followed.get(choice) else {
            return false;
        };
        if sender.receiver_count() == 0 {
            followed.remove(choice);
            return false;
        }
        sender.send_if_modified(|parts| {
            let is_new = *parts.boards != *boards;
            if is_new {
                parts.boards = boards.into();
            }
            if let Some(tables) = tables {
                parts.tables = tables.into();
                return true;
            }
            is_new
        });
        true
    }

    fn forget(&self, choice: &Choice) {
        let mut followed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        followed.remove(choice);
    }
}

/// The boards, and the tables with the number of games in them if they are due and have changed.
/// `None` if the league is gone.
fn make(
    leagues: &Leagues,
    choice: &Choice,
    tables: Option<(Instant, usize)>,
) -> Option<(String, Option<(String, usize)>)> {
    let league = leagues.find(&choice.league)?;
    let league = read(&league);
    let games = league.games.len();
    let boards = now_playing(&choice.reader(), &league, league.live().as_ref()).into_string();
    let is_due = tables.is_none_or(|(made, of)| made.elapsed() >= TABLES && of != games);
    let tables = is_due.then(|| {
        (
            results(&choice.reader(), &league, choice).into_string(),
            games,
        )
    });
    Some((boards, tables))
}

/// The first part that differs, as an event, and what is shown after it.
fn difference(shown: &Parts, parts: &Parts) -> Option<(Event, Parts)> {
    let event = |name: &str, markup: &str| {
        let text = serde_json::to_string(markup).expect("text is JSON");
        Event::default().event(name).data(text)
    };
    if shown.boards != parts.boards {
        let boards = Arc::clone(&parts.boards);
        let shown = Parts {
            boards,
            ..shown.clone()
        };
        return Some((event("boards", &parts.boards), shown));
    }
    if shown.tables != parts.tables {
        let tables = Arc::clone(&parts.tables);
        let shown = Parts {
            tables,
            ..shown.clone()
        };
        return Some((event("tables", &parts.tables), shown));
    }
    None
}
