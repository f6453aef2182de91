//! Threads that live as long as the player, and sleep between searches.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::evaluate::{Evaluator, Playout};
use crate::limits::Limits;
use crate::mcts::control::Control;
use crate::mcts::worker::Worker;
use crate::position::Position;

/// What a helper is asked to do.
enum Job<P> {
    NewGame { seed: u64 },
    Begin,
    Run(Arc<Round<P>>),
}

/// One stretch of a search, until a tree is full or the search over.
struct Round<P> {
    root: P,
    limits: Limits,
    control: Arc<Control>,
}

/// What a helper has done since the search began.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Done {
    pub(super) playouts: u64,
    pub(super) seldepth: u32,
}

/// A thread with a worker of its own.
struct Helper<P> {
    /// `None` once the thread is to end.
    jobs: Option<Sender<Job<P>>>,
    done: Receiver<Done>,
    thread: Option<JoinHandle<()>>,
}

/// The helpers of a search; the thread that asks for moves works beside them.
pub(super) struct Pool<P> {
    helpers: Vec<Helper<P>>,
    /// What each had done at the end of the last round.
    pub(super) done: Vec<Done>,
}

impl<P: Position> Pool<P> {
    /// A thread for each worker.
    pub(super) fn new<E, L>(workers: impl Iterator<Item = Worker<P, E, L>>) -> Self
    where
        E: Evaluator<P> + 'static,
        L: Playout<P> + 'static,
    {
        let helpers: Vec<_> = workers.map(Helper::new).collect();
        Pool {
            done: vec![Done::default(); helpers.len()],
            helpers,
        }
    }

    /// A new game: every helper gets a stream of its own, after that of the caller.
    pub(super) fn new_game(&self, seed: u64) {
        for (seed, helper) in (seed.wrapping_add(1)..).zip(&self.helpers) {
            helper.ask(Job::NewGame { seed });
        }
    }

    /// A new search begins.
    pub(super) fn begin(&mut self) {
        self.done.fill(Done::default());
        for helper in &self.helpers {
            helper.ask(Job::Begin);
        }
    }

    /// Has the helpers work beside `own` until all rest.
    pub(super) fn round(
        &mut self,
        root: &P,
        limits: &Limits,
        control: &Arc<Control>,
        own: impl FnOnce(),
    ) {
        if self.helpers.is_empty() {
            return own();
        }
        let round = Arc::new(Round {
            root: root.clone(),
            limits: limits.clone(),
            control: control.clone(),
        });
        for helper in &self.helpers {
            helper.ask(Job::Run(round.clone()));
        }
        own();
        for (done, helper) in self.done.iter_mut().zip(&self.helpers) {
            *done = helper.done.recv().expect("the helper has not panicked");
        }
    }
}

impl<P: Position> Helper<P> {
    fn new<E, L>(mut worker: Worker<P, E, L>) -> Self
    where
        E: Evaluator<P> + 'static,
        L: Playout<P> + 'static,
    {
        let (jobs, inbox) = channel();
        let (outbox, done) = channel();
        let thread = std::thread::spawn(move || {
            for job in inbox {
                match job {
                    Job::NewGame { seed } => worker.new_game(seed),
                    Job::Begin => worker.begin(),
                    Job::Run(round) => {
                        let Round {
                            root,
                            limits,
                            control,
                        } = &*round;
                        worker.run(root, limits, control, &mut |_| {});
                        let (playouts, seldepth) = (worker.playouts, worker.seldepth);
                        // Nobody listens any more only if the player is gone.
                        let _ = outbox.send(Done { playouts, seldepth });
                    }
                }
            }
        });
        Helper {
            jobs: Some(jobs),
            done,
            thread: Some(thread),
        }
    }

    fn ask(&self, job: Job<P>) {
        if let Some(jobs) = &self.jobs {
            // The thread ends before this only by a panic, which the next answer tells.
            let _ = jobs.send(job);
        }
    }
}

impl<P> Drop for Helper<P> {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed already.
            let _ = thread.join();
        }
    }
}
