//! Choosing turns: a player on a thread of its own, so that commands are heard while it searches.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use engine_core::players::NoPlayer;
use engine_core::{Limits, Report, Resources, Search, StopFlag};

use crate::choose::{Question, choose};
use crate::game::Game;
use crate::machine;
use crate::options::Options;
use crate::ponder::{ponder, roots};

/// What one turn may spend. Depth and nodes hold for every action of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnLimits {
    /// Depth of each search, plies.
    pub depth: Option<u32>,
    /// Nodes of each search.
    pub nodes: Option<u64>,
    /// Time to aim for in the whole turn.
    pub soft: Option<Duration>,
    /// Time not to exceed in the whole turn.
    pub hard: Option<Duration>,
}

/// What the thread is asked to do.
enum Job<G: Game> {
    Options(Options),
    NewGame,
    Prepare(G),
    Think(Question<G>),
}

/// Gets the news of a search, on the player's thread.
pub trait Listener<G: Game>: Send + 'static {
    /// The search of an action has come further.
    fn progress(&mut self, position: &G, report: &Report<G::Move>);

    /// The turn is chosen: all its actions, or none where nobody moves. It took `time` since it was
    /// asked for.
    fn chosen(&mut self, position: &G, turn: &[G::Move], time: Duration);

    /// All that was asked for before [`Thinker::prepare`] is done, and the player is made.
    fn ready(&mut self) {}

    /// Something went wrong that the user should know.
    fn trouble(&mut self, message: &str);
}

/// A player on its own thread. Dropping it stops the search and waits for the thread.
///
/// With the option `ponder`, the player goes on searching when its turn is chosen, and says nothing
/// of it. Whatever it is asked next ends that.
pub struct Thinker<G: Game> {
    jobs: Option<Sender<Job<G>>>,
    stop: StopFlag,
    /// Ends the pondering that follows, or has followed, the last turn asked for.
    rest: StopFlag,
    /// Whether the player has been made since the options last changed, as far as was asked for.
    made: bool,
    /// Turns that are being chosen, or wait for it.
    thinking: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

impl<G: Game> Thinker<G> {
    /// Starts the thread.
    pub fn new(options: Options, listener: impl Listener<G>) -> Self {
        let (jobs, inbox) = channel();
        let thinking = Arc::new(AtomicUsize::new(0));
        let busy = thinking.clone();
        let thread = std::thread::spawn(move || work(&inbox, options, listener, &busy));
        Thinker {
            jobs: Some(jobs),
            stop: StopFlag::default(),
            rest: StopFlag::default(),
            made: false,
            thinking,
            thread: Some(thread),
        }
    }

    fn send(&self, job: Job<G>) {
        self.rest();
        if let Some(jobs) = &self.jobs {
            // The thread ends before this only by a panic, which has then been printed.
            let _ = jobs.send(job);
        }
    }

    /// From the next turn on, these options hold.
    pub fn set_options(&mut self, options: Options) {
        self.made = false;
        self.send(Job::Options(options));
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.made = false;
        self.send(Job::NewGame);
    }

    /// Makes the player, with its table, ahead of the first turn of a game like `position`; the
    /// listener hears when it is ready. False, and nothing done, while a turn is being chosen, or
    /// when the player has been ready since: there is nothing to wait for.
    pub fn prepare(&mut self, position: G) -> bool {
        let wait = !self.made && !self.is_thinking();
        if wait {
            self.send(Job::Prepare(position));
        }
        wait
    }

    /// Whether a turn is being chosen. Pondering is not thinking.
    pub fn is_thinking(&self) -> bool {
        self.thinking.load(Ordering::Relaxed) > 0
    }

    /// Begins to choose a turn; the listener gets it. A turn that is still being chosen is chosen
    /// at once.
    pub fn think(&mut self, position: G, limits: TurnLimits) {
        self.stop();
        self.thinking.fetch_add(1, Ordering::Relaxed);
        self.made = true;
        let question = Question {
            position,
            limits,
            asked: Limits::default(),
            stop: StopFlag::default(),
            rest: StopFlag::default(),
        };
        let (stop, rest) = (question.stop.clone(), question.rest.clone());
        self.send(Job::Think(question));
        (self.stop, self.rest) = (stop, rest);
    }

    /// Has the turn chosen at once, and ends pondering.
    pub fn stop(&self) {
        self.stop.stop();
        self.rest();
    }

    /// Ends pondering, or keeps it from beginning.
    pub fn rest(&self) {
        self.rest.stop();
    }
}

impl<G: Game> Drop for Thinker<G> {
    fn drop(&mut self) {
        self.stop();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed already.
            let _ = thread.join();
        }
    }
}

/// The thread: jobs in order, until the sender is gone.
fn work<G: Game>(
    inbox: &Receiver<Job<G>>,
    mut options: Options,
    mut listener: impl Listener<G>,
    thinking: &AtomicUsize,
) {
    let mut player: Option<Box<dyn Search<G>>> = None;
    // Whether the player has searched since its table was emptied, which takes time.
    let mut used = false;
    for job in inbox {
        match job {
            Job::Options(new) if new == options => {}
            Job::Options(new) => {
                options = new;
                player = None;
                used = false;
            }
            Job::NewGame => {
                if let Some(player) = player.as_mut().filter(|_| used) {
                    player.new_game();
                }
                used = false;
            }
            Job::Prepare(position) => {
                player.get_or_insert_with(|| make_player(&position, &options, &mut listener));
                listener.ready();
            }
            Job::Think(question) => {
                let position = &question.position;
                let player =
                    player.get_or_insert_with(|| make_player(position, &options, &mut listener));
                used = true;
                let chosen = choose(&mut **player, &question, &mut listener);
                thinking.fetch_sub(1, Ordering::Relaxed);
                listener.chosen(position, &chosen.turn, question.asked.elapsed());
                if options.ponder && !question.stop.is_set() && !chosen.turn.is_empty() {
                    let roots = roots(&chosen.position, &chosen.line);
                    ponder(&mut **player, roots, &question.rest);
                }
            }
        }
    }
}

/// A player with these options, with fewer threads than wanted if the machine has fewer, and with a
/// smaller table if there is no memory for the wanted one.
fn make_player<G: Game>(
    position: &G,
    options: &Options,
    listener: &mut impl Listener<G>,
) -> Box<dyn Search<G>> {
    let (mut table_mb, threads) = machine::fit(options, &mut |message| listener.trouble(message));
    loop {
        let resources = Resources {
            table_mb,
            threads,
            seed: options.seed,
        };
        let player = position.player(options.algorithm, &G::settings(), resources);
        match player {
            Ok(mut player) => {
                // Touches all memory of the table now, and not during the first search.
                player.new_game();
                return player;
            }
            Err(NoPlayer::Unfit(reason)) => {
                unreachable!("options are checked before they get here: {reason}")
            }
            Err(NoPlayer::OutOfMemory) => {
                let less = table_mb / 2;
                listener.trouble(&format!("no memory for table_mb {table_mb}, trying {less}"));
                table_mb = less;
            }
        }
    }
}
