//! What changes while a league is played: it is made once, however many pages follow it.

pub(crate) mod game;
pub(crate) mod league;

use std::collections::HashMap;
use std::convert::Infallible;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde_json::Value;
use tokio::sync::watch;

/// How often it is looked what has changed.
const INTERVAL: Duration = Duration::from_secs(1);

/// What pages follow, with its state, by its name.
pub(crate) struct Following<K, S>(Mutex<HashMap<K, watch::Sender<S>>>);

impl<K, S> Default for Following<K, S> {
    fn default() -> Following<K, S> {
        Following(Mutex::default())
    }
}

impl<K, S> Following<K, S>
where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    S: Clone + Default + PartialEq + Send + Sync + 'static,
{
    /// The states of what is followed, for as long as somebody reads them; they begin with the state
    /// now. `make` makes a state from the one before, and `None` if there is nothing to follow.
    pub(crate) fn follow(
        self: &Arc<Self>,
        key: K,
        make: impl Fn(&S) -> Option<S> + Send + Sync + 'static,
    ) -> watch::Receiver<S> {
        let mut followed = self.lock();
        if let Some(sender) = followed.get(&key) {
            return sender.subscribe();
        }
        let (sender, receiver) = watch::channel(S::default());
        followed.insert(key.clone(), sender);
        tokio::spawn(Arc::clone(self).keep_up(key, Arc::new(make)));
        receiver
    }

    /// Makes the state anew while somebody follows it.
    async fn keep_up(
        self: Arc<Self>,
        key: K,
        make: Arc<impl Fn(&S) -> Option<S> + Send + Sync + 'static>,
    ) {
        let mut state = S::default();
        loop {
            let (make, before) = (Arc::clone(&make), state);
            let made = tokio::task::spawn_blocking(move || make(&before)).await;
            let Ok(Some(made)) = made else {
                self.lock().remove(&key);
                return;
            };
            if !self.send(&key, &made) {
                return;
            }
            state = made;
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// Sends a state to the followers. False, and they are forgotten, if there are none any more.
    fn send(&self, key: &K, state: &S) -> bool {
        let mut followed = self.lock();
        let Some(sender) = followed.get(key) else {
            return false;
        };
        if sender.receiver_count() == 0 {
            followed.remove(key);
            return false;
        }
        sender.send_if_modified(|shown| {
            let is_new = shown != state;
            if is_new {
                shown.clone_from(state);
            }
            is_new
        });
        true
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<K, watch::Sender<S>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The changes of a state as events. `difference` makes an event of the state that a page has seen
/// and of the state now, and returns what the page has seen after it.
pub(crate) fn events<S: Clone + Default + Send + Sync + 'static>(
    states: watch::Receiver<S>,
    difference: fn(&S, &S) -> Option<(Event, S)>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let start = (states, S::default());
    let events = stream::unfold(start, move |(mut states, seen)| async move {
        loop {
            let state = states.borrow_and_update().clone();
            if let Some((event, seen)) = difference(&seen, &state) {
                return Some((Ok(event), (states, seen)));
            }
            // The sender goes when there is nothing to follow any more.
            states.changed().await.ok()?;
        }
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

/// An event with its data, on one line.
fn event(name: &str, data: &Value) -> Event {
    Event::default().event(name).data(data.to_string())
}
