//! A thread pool that lives as long as a player; its threads sleep between searches.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// The helper threads of the calling thread, zero or more. Dropping the pool waits until all have
/// ended.
pub(crate) struct Pool<J, A> {
    helpers: Vec<Helper<J, A>>,
}

/// A helper thread; it returns one answer for every job.
struct Helper<J, A> {
    /// `None` when the thread must end.
    jobs: Option<Sender<J>>,
    answers: Receiver<A>,
    thread: Option<JoinHandle<()>>,
}

impl<J: Clone + Send + 'static, A: Send + 'static> Pool<J, A> {
    /// Starts one thread for each job function.
    pub(crate) fn new<W: FnMut(J) -> A + Send + 'static>(ways: impl Iterator<Item = W>) -> Self {
        Pool {
            helpers: ways.map(Helper::new).collect(),
        }
    }

    /// Number of helpers.
    pub(crate) fn len(&self) -> usize {
        self.helpers.len()
    }

    /// Sends `job` to every helper, runs `own` meanwhile, and waits for all. Returns the result of
    /// `own`, and the helpers' answers in their order.
    ///
    /// # Panics
    /// If a helper panicked.
    pub(crate) fn together<T>(&self, job: &J, own: impl FnOnce() -> T) -> (T, Vec<A>) {
        for helper in &self.helpers {
            if let Some(jobs) = &helper.jobs {
                // A closed channel means that the thread panicked; receiving its answer reports
                // that.
                let _ = jobs.send(job.clone());
            }
        }
        let done = own();
        let answer = |helper: &Helper<J, A>| helper.answers.recv().expect("a helper panicked");
        (done, self.helpers.iter().map(answer).collect())
    }
}

impl<J: Send + 'static, A: Send + 'static> Helper<J, A> {
    fn new(mut way: impl FnMut(J) -> A + Send + 'static) -> Self {
        let (jobs, inbox) = channel();
        let (outbox, answers) = channel();
        let thread = std::thread::spawn(move || {
            for job in inbox {
                // Sending fails only if the pool is being dropped; then no more jobs come.
                let _ = outbox.send(way(job));
            }
        });
        Helper {
            jobs: Some(jobs),
            answers,
            thread: Some(thread),
        }
    }
}

impl<J, A> Drop for Helper<J, A> {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, its message has already been printed.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn every_helper_does_every_job_before_all_go_on() {
        let sum = Arc::new(AtomicU32::new(0));
        let ways = (1..=3).map(|factor| {
            let sum = sum.clone();
            move |job: u32| {
                sum.fetch_add(job * factor, Ordering::SeqCst);
                job * factor
            }
        });
        let pool = Pool::new(ways);
        assert_eq!(pool.len(), 3);
        for job in 1..=50 {
            let (own, answers) = pool.together(&job, || 100 * job);
            assert_eq!((own, answers), (100 * job, vec![job, 2 * job, 3 * job]));
            assert_eq!(sum.load(Ordering::SeqCst), 6 * job * (job + 1) / 2);
        }
    }

    #[test]
    #[should_panic(expected = "a helper panicked")]
    fn a_panic_is_passed_on() {
        let pool = Pool::new(std::iter::once(|(): ()| panic!("on purpose")));
        let ((), _answers): ((), Vec<()>) = pool.together(&(), || ());
    }

    #[test]
    fn dropping_the_pool_ends_its_threads() {
        let alive = Arc::new(());
        let pool = Pool::new((0..2).map(|_| {
            let alive = alive.clone();
            move |()| Arc::strong_count(&alive)
        }));
        assert_eq!(pool.together(&(), || ()), ((), vec![3, 3]));
        drop(pool);
        assert_eq!(Arc::strong_count(&alive), 1);
    }
}
