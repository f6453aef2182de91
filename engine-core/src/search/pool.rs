//! Threads that live across searches and wait in between.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// A row of threads that do the same task, each in its own way. Dropping it waits for all.
pub(super) struct Pool<T> {
    threads: Vec<Thread<T>>,
}

struct Thread<T> {
    tasks: Option<Sender<T>>,
    done: Receiver<()>,
    handle: Option<JoinHandle<()>>,
}

impl<T: Clone + Send + 'static> Pool<T> {
    /// One thread for each of these ways.
    pub(super) fn new<W: FnMut(T) + Send + 'static>(ways: Vec<W>) -> Pool<T> {
        Pool {
            threads: ways.into_iter().map(Thread::new).collect(),
        }
    }

    /// Gives every thread the task.
    pub(super) fn begin(&self, task: &T) {
        for thread in &self.threads {
            if let Some(tasks) = &thread.tasks {
                // A thread ends before the pool only by a panic, which `wait` passes on.
                let _ = tasks.send(task.clone());
            }
        }
    }

    /// Waits until every thread has done its task.
    ///
    /// # Panics
    /// If a thread did.
    pub(super) fn wait(&self) {
        for thread in &self.threads {
            thread.done.recv().expect("a thread of the search panicked");
        }
    }
}

impl<T: Send + 'static> Thread<T> {
    fn new(mut way: impl FnMut(T) + Send + 'static) -> Thread<T> {
        let (tasks, inbox) = channel();
        let (report, done) = channel();
        let handle = std::thread::spawn(move || {
            for task in inbox {
                way(task);
                if report.send(()).is_err() {
                    break;
                }
            }
        });
        Thread {
            tasks: Some(tasks),
            done,
            handle: Some(handle),
        }
    }
}

impl<T> Drop for Pool<T> {
    fn drop(&mut self) {
        for thread in &mut self.threads {
            thread.tasks = None;
        }
        for thread in &mut self.threads {
            if let Some(handle) = thread.handle.take() {
                // A panic of the thread has been printed already.
                let _ = handle.join();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn every_thread_does_every_task_before_wait_returns() {
        let sum = Arc::new(AtomicU32::new(0));
        let ways = (1..=3).map(|factor| {
            let sum = sum.clone();
            move |task: u32| {
                sum.fetch_add(task * factor, Ordering::SeqCst);
            }
        });
        let pool = Pool::new(ways.collect());
        for task in 1..=50 {
            pool.begin(&task);
            pool.wait();
            assert_eq!(sum.load(Ordering::SeqCst), 6 * task * (task + 1) / 2);
        }
    }

    #[test]
    #[should_panic(expected = "panicked")]
    fn a_panic_is_passed_on() {
        let pool = Pool::new(vec![|(): ()| panic!("on purpose")]);
        pool.begin(&());
        pool.wait();
    }
}
