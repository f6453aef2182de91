//! Brings what was written to disk, soon and in batches, on a thread of its own: no game waits for
//! the disk, and a power failure costs the games of the last second at most.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long after a write its batch is synced: time for more writes.
const DELAY: Duration = Duration::from_millis(500);

/// Syncs a file after writes. Dropping it syncs what is left.
#[derive(Debug)]
pub(super) struct Syncer {
    /// Says that something was written; `None` while this is dropped.
    written: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    failed: Arc<Mutex<Option<io::Error>>>,
}

impl Syncer {
    /// A syncer that calls `sync` to bring a file to disk.
    pub(super) fn new(sync: impl Fn() -> io::Result<()> + Send + 'static) -> Syncer {
        let (written, writes) = mpsc::sync_channel(1);
        let failed = Arc::new(Mutex::new(None));
        let report = Arc::clone(&failed);
        let thread = thread::spawn(move || {
            while writes.recv().is_ok() {
                gather(&writes);
                if let Err(error) = sync() {
                    *report.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            }
        });
        Syncer {
            written: Some(written),
            thread: Some(thread),
            failed,
        }
    }

    /// Says that something was written.
    pub(super) fn note(&self) {
        if let Some(written) = &self.written {
            // A full channel says the same already.
            let _ = written.try_send(());
        }
    }

    /// The error of a sync that failed since the last call.
    pub(super) fn failure(&self) -> Option<io::Error> {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.take()
    }
}

/// Waits for more writes, unless no more can come.
fn gather(writes: &Receiver<()>) {
    let end = Instant::now() + DELAY;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match writes.recv_timeout(left) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        self.written = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn writes_are_synced_in_batches_and_before_the_end() {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let syncer = Syncer::new(move || {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(())
        });
        (0..1000).for_each(|_| syncer.note());
        while count.load(Ordering::Relaxed) == 0 {
            thread::sleep(Duration::from_millis(1));
        }
        syncer.note();
        let before = count.load(Ordering::Relaxed);
        drop(syncer);
        let after = count.load(Ordering::Relaxed);
        assert!(before < 1000, "{before} syncs of 1000 writes");
        assert!(after > before, "the last write is synced");
    }

    #[test]
    fn a_sync_that_fails_is_told_once() {
        let syncer = Syncer::new(|| Err(io::ErrorKind::StorageFull.into()));
        assert!(syncer.failure().is_none());
        syncer.note();
        let failure = loop {
            match syncer.failure() {
                Some(failure) => break failure,
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        assert_eq!(failure.kind(), io::ErrorKind::StorageFull);
        assert!(syncer.failure().is_none());
    }
}
