//! Sessions of the desk as they change: one thread makes what is shown of a session, however many
//! browsers follow it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use axum::response::sse::Event;
use desk::{Host, Snapshot, Version};
use tokio::sync::watch;

use crate::desk::message;

/// How long a session that nobody follows is still watched.
const PATIENCE: Duration = Duration::from_secs(20);

/// What browsers show of a session.
#[derive(Clone, Default)]
pub(crate) struct Shown {
    /// Number of changes of the session so far.
    changes: u64,
    /// Number of search reports.
    reports: u64,
    /// The whole session as JSON.
    message: Arc<str>,
    /// What its engines do, as JSON.
    report: Arc<str>,
}

impl Shown {
    /// What is shown now, after this; `version` is not newer. While an engine thinks, the session is the
    /// same.
    fn next(&self, session: &Snapshot, version: Version) -> Result<Shown, String> {
        let report = serde_json::to_string(&session.engines);
        Ok(Shown {
            changes: version.changes,
            reports: version.reports,
            message: if version.changes == self.changes {
                Arc::clone(&self.message)
            } else {
                message(session)?.into()
            },
            report: report.map_err(|error| error.to_string())?.into(),
        })
    }

    /// What is shown of a session now.
    pub(crate) fn now(host: &Host) -> Result<Shown, String> {
        let version = host.wait(Version::default(), Duration::ZERO);
        Shown::default().next(&host.snapshot(), version)
    }

    /// What is new to who has seen `seen`: while an engine thinks, that is its report, `report`; everything
    /// else is the whole session, `message`.
    pub(crate) fn difference(seen: &Shown, shown: &Shown) -> Option<(Event, Shown)> {
        let (name, data) = if shown.changes > seen.changes {
            ("message", &shown.message)
        } else if shown.changes == seen.changes && shown.reports > seen.reports {
            ("report", &shown.report)
        } else {
            return None;
        };
        Some((Event::default().event(name).data(&**data), shown.clone()))
    }
}

/// The sessions that are followed, by name.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, watch::Sender<Shown>>>);

impl Sessions {
    /// What is shown of a session, as it changes; it ends when the session is closed.
    pub(crate) fn follow(
        self: &Arc<Self>,
        host: &Arc<Host>,
        first: &Shown,
    ) -> watch::Receiver<Shown> {
        let name = host.snapshot().name;
        let mut followed = self.lock();
        if let Some(sender) = followed.get(&name) {
            return sender.subscribe();
        }
        let (sender, receiver) = watch::channel(first.clone());
        followed.insert(name.clone(), sender);
        let (sessions, host) = (Arc::clone(self), Arc::clone(host));
        thread::spawn(move || sessions.keep_up(&name, &host));
        receiver
    }

    /// Makes what is shown anew whenever something has changed, while somebody follows it.
    fn keep_up(&self, name: &str, host: &Host) {
        let (mut seen, mut last) = (Version::default(), Shown::default());
        loop {
            seen = host.wait(seen, PATIENCE);
            let shown = if host.is_closed() {
                Err(String::new())
            } else {
                last.next(&host.snapshot(), seen)
            };
            let mut followed = self.lock();
            let sender = followed
                .get(name)
                .filter(|sender| sender.receiver_count() > 0);
            let (Some(sender), Ok(shown)) = (sender, shown) else {
                followed.remove(name);
                return;
            };
            last.clone_from(&shown);
            sender.send_replace(shown);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Shown>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
