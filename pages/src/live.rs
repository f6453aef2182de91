//! What changes while a league is played: it is made once, however many pages follow it.

pub(crate) mod desk;
pub(crate) mod game;
pub(crate) mod league;
pub(crate) mod review;

use std::collections::HashMap;
use std::convert::Infallible;
use std::hash::Hash;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::Value;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinError;

use crate::streams::Ticket;

/// The threads that work for those who only look, at most two a core: others are free for the operator,
/// whose requests share the cores with these few.
pub(crate) static LOOKERS: LazyLock<Semaphore> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Semaphore::new(2 * cores)
});

/// Works on a thread that may wait for the disk, when its turn has come. The turn ends with the work:
/// whoever asks and goes away does not free a thread that still works for them.
pub(crate) async fn on_thread<T: Send + 'static>(
    turns: Option<&'static Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    let turn = match turns {
        Some(turns) => turns.acquire().await.ok(),
        None => None,
    };
    let work = move || {
        let _turn = turn;
        work()
    };
    tokio::task::spawn_blocking(work).await
}

/// How often it is looked what has changed.
const INTERVAL: Duration = Duration::from_secs(1);

/// When a browser may ask again that has too many streams open.
const LATER: Duration = Duration::from_secs(30);

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
            let made = on_thread(Some(&LOOKERS), move || make(&before)).await;
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

/// The changes of a state as events, from the state `first` on, `None` for that which the followers have
/// now. `difference` makes an event of the state that
/// a page has seen and of the state now, and returns what the page has seen after it. They hold the ticket
/// until they end.
pub(crate) fn events<S: Clone + Default + Send + Sync + 'static>(
    first: Option<S>,
    mut states: watch::Receiver<S>,
    difference: fn(&S, &S) -> Option<(Event, S)>,
    ticket: Ticket,
) -> Response {
    let first = first.unwrap_or_else(|| states.borrow_and_update().clone());
    let start = (Some(first), states, S::default(), ticket);
    let events = stream::unfold(
        start,
        move |(mut first, mut states, seen, ticket)| async move {
            loop {
                let state = first.take();
                let state = state.unwrap_or_else(|| states.borrow_and_update().clone());
                if let Some((event, seen)) = difference(&seen, &state) {
                    return Some((Ok::<_, Infallible>(event), (first, states, seen, ticket)));
                }
                // The sender goes when there is nothing to follow any more.
                states.changed().await.ok()?;
            }
        },
    );
    Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response()
}

/// The answer to who has too many streams open: one that ends at once, and is asked for again later.
pub(crate) fn none_free() -> Response {
    let later = Event::default().retry(LATER).comment("too many streams");
    Sse::new(stream::iter([Ok::<_, Infallible>(later)])).into_response()
}

/// An event with its data, on one line.
fn event(name: &str, data: &Value) -> Event {
    Event::default().event(name).data(data.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_goes_away_frees_no_thread_before_its_work_is_done() {
        static TURNS: Semaphore = Semaphore::const_new(1);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            let (begun, begins) = tokio::sync::oneshot::channel();
            let (end, ends) = std::sync::mpsc::channel::<()>();
            let asked = tokio::spawn(on_thread(Some(&TURNS), move || {
                begun.send(()).unwrap();
                ends.recv()
            }));
            begins.await.unwrap();
            asked.abort();
            assert!(asked.await.unwrap_err().is_cancelled());
            assert_eq!(TURNS.available_permits(), 0, "it works on");
            end.send(()).unwrap();
            assert!(on_thread(Some(&TURNS), || true).await.unwrap());
        });
    }
}
