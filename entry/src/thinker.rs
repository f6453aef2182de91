//! Runs a player on its own thread, so that commands are read during a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use engine_core::players::NoPlayer;
use engine_core::search::noisy::Noisy;
use engine_core::{Limits, Report, Resources, Search, Settings, StopFlag};
use game::Searched;

use crate::book::OpenBook;
use crate::choose::{Question, choose};
use crate::machine;
use crate::options::Options;
use crate::setup::Setup;
use crate::thrift::Thrift;

/// Limits of one turn. Depth and nodes apply to each action.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnLimits {
    /// Depth of each search, plies.
    pub depth: Option<u32>,
    /// Nodes of each search.
    pub nodes: Option<u64>,
    /// Soft limit of the whole turn.
    pub soft: Option<Duration>,
    /// Hard limit of the whole turn.
    pub hard: Option<Duration>,
}

/// A request to the thread.
enum Job<G: Searched> {
    SetUp(Setup),
    NewGame,
    Prepare(G),
    Think(Question<G>),
}

/// Receives the results of a search, on the player's thread.
pub trait Listener<G: Searched>: Send + 'static {
    /// The search of a turn of `position` has a new result. The report is on the whole turn: its
    /// line begins with the actions already chosen, and its nodes and time include all searches so
    /// far.
    fn progress(&mut self, position: &G, report: &Report<G::Move>);

    /// The turn is chosen: all its actions, or none if nobody moves. `time` runs from the request.
    fn chosen(&mut self, position: &G, turn: &[G::Move], time: Duration);

    /// All requests before [`Thinker::prepare`] are done, and the player exists.
    fn ready(&mut self) {}

    /// An action is played from the book, for the reason given.
    fn booked(&mut self, message: &str) {
        let _ = message;
    }

    /// A problem that the user should know of.
    fn trouble(&mut self, message: &str);

    /// No turn of `position` is chosen: a file that the options name cannot be used, as
    /// [`Listener::trouble`] has said. Who is told to use a file does not play without it. Ends the
    /// process, where the options cannot be set again.
    fn unable(&mut self, position: &G) {
        let _ = position;
        std::process::exit(2)
    }
}

/// A player on its own thread. Dropping it stops the search and joins the thread.
///
/// With the option `ponder`, the player keeps searching after its turn without reporting. The next
/// request ends pondering.
pub struct Thinker<G: Searched> {
    jobs: Option<Sender<Job<G>>>,
    stop: StopFlag,
    /// Ends the pondering after the last requested turn.
    ponder_stop: StopFlag,
    /// Whether the player was made, or its making requested, since the last change of options.
    made: bool,
    /// By what time passes in a turn: [`Options::nodes_per_second`].
    nodes_per_second: u64,
    /// Number of turns in progress or waiting.
    thinking: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

impl<G: Searched> Thinker<G> {
    /// Starts the thread.
    pub fn new(setup: Setup, listener: impl Listener<G>) -> Self {
        let (jobs, inbox) = channel();
        let thinking = Arc::new(AtomicUsize::new(0));
        let busy = thinking.clone();
        let nodes_per_second = setup.options.nodes_per_second;
        let thread = std::thread::spawn(move || work(&inbox, setup, listener, &busy));
        Thinker {
            jobs: Some(jobs),
            stop: StopFlag::default(),
            ponder_stop: StopFlag::default(),
            made: false,
            nodes_per_second,
            thinking,
            thread: Some(thread),
        }
    }

    fn send(&self, job: Job<G>) {
        self.stop_pondering();
        if let Some(jobs) = &self.jobs {
            // The thread only ends early by a panic, which has been printed.
            let _ = jobs.send(job);
        }
    }

    /// Sets the options from the next turn on.
    pub fn set_up(&mut self, setup: Setup) {
        self.made = false;
        self.nodes_per_second = setup.options.nodes_per_second;
        self.send(Job::SetUp(setup));
    }

    /// Clears what the last game left in the player.
    pub fn new_game(&mut self) {
        self.made = false;
        self.send(Job::NewGame);
    }

    /// Makes the player and its table before the first turn of a game like `position`; the listener
    /// is notified when the player is ready. Returns false and does nothing if a turn is being
    /// chosen or the player is already made: there is nothing to wait for.
    pub fn prepare(&mut self, position: G) -> bool {
        let wait = !self.made && !self.is_thinking();
        if wait {
            self.send(Job::Prepare(position));
        }
        wait
    }

    /// Whether a turn is being chosen. Pondering does not count.
    pub fn is_thinking(&self) -> bool {
        self.thinking.load(Ordering::Relaxed) > 0
    }

    /// Requests a turn; the listener gets it. A turn still in progress ends at once with its best
    /// choice so far.
    pub fn think(&mut self, position: G, limits: TurnLimits) {
        self.stop();
        self.thinking.fetch_add(1, Ordering::Relaxed);
        self.made = true;
        let question = Question {
            position,
            limits,
            asked: match self.nodes_per_second {
                0 => Limits::default(),
                nodes => Limits::by_nodes(nodes),
            },
            stop: StopFlag::default(),
            ponder_stop: StopFlag::default(),
        };
        let (stop, ponder_stop) = (question.stop.clone(), question.ponder_stop.clone());
        self.send(Job::Think(question));
        (self.stop, self.ponder_stop) = (stop, ponder_stop);
    }

    /// Ends the search with its best choice so far, and ends pondering.
    pub fn stop(&self) {
        self.stop.stop();
        self.stop_pondering();
    }

    /// Ends pondering, or prevents it.
    pub fn stop_pondering(&self) {
        self.ponder_stop.stop();
    }
}

impl<G: Searched> Drop for Thinker<G> {
    fn drop(&mut self) {
        self.stop();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed.
            let _ = thread.join();
        }
    }
}

/// What chooses turns.
pub(crate) struct Player<G: Searched> {
    pub(crate) search: Box<dyn Search<G>>,
    pub(crate) book: Option<OpenBook<G>>,
    /// Decides between equal moves of the book, and between openers.
    pub(crate) seed: u64,
    /// Whether it begins with the game's opener: see [`Options::plays_best`].
    pub(crate) opens: bool,
}

/// The thread: handles jobs in order until the sender is dropped.
fn work<G: Searched>(
    inbox: &Receiver<Job<G>>,
    mut setup: Setup,
    mut listener: impl Listener<G>,
    thinking: &AtomicUsize,
) {
    let mut player: Option<Player<G>> = None;
    // Whether the player has searched since its table was cleared; clearing takes time.
    let mut used = false;
    let mut thrift = Thrift::default();
    for job in inbox {
        match job {
            Job::SetUp(new) if new.options == setup.options => {}
            Job::SetUp(new) => {
                setup = new;
                player = None;
                used = false;
            }
            Job::NewGame => {
                if let Some(player) = player.as_mut().filter(|_| used) {
                    player.search.new_game();
                }
                used = false;
                thrift = Thrift::default();
            }
            Job::Prepare(position) => {
                if player.is_none() {
                    player = make_player(&position, &setup, &mut listener);
                }
                listener.ready();
            }
            Job::Think(mut question) => {
                let TurnLimits { soft, hard, .. } = &mut question.limits;
                *soft = soft.map(|share| thrift.plan(share).min(hard.unwrap_or(Duration::MAX)));
                let position = &question.position;
                if player.is_none() {
                    player = make_player(position, &setup, &mut listener);
                }
                let Some(player) = &mut player else {
                    thinking.fetch_sub(1, Ordering::Relaxed);
                    listener.unable(position);
                    continue;
                };
                used = true;
                let chosen = choose(player, &question, &mut listener);
                thinking.fetch_sub(1, Ordering::Relaxed);
                let time = question.asked.elapsed();
                listener.chosen(position, &chosen.turn, time);
                if let Some(planned) = question.limits.soft.filter(|_| chosen.is_searched) {
                    thrift.count(planned, time);
                }
                if setup.options.ponder && !question.stop.is_set() && !chosen.turn.is_empty() {
                    (player.search).ponder(&chosen.position, &chosen.line, &question.ponder_stop);
                }
            }
        }
    }
}

/// Makes a player with these options; `None` if a file that they name cannot be used, of which the
/// listener is told.
fn make_player<G: Searched>(
    position: &G,
    setup: &Setup,
    listener: &mut impl Listener<G>,
) -> Option<Player<G>> {
    let options = &setup.options;
    let loaded = setup
        .book()
        .and_then(|book| Ok((book, setup.settings(position)?)));
    let (book, settings) = match loaded {
        Ok(loaded) => loaded,
        Err(message) => {
            listener.trouble(&message);
            return None;
        }
    };
    Some(Player {
        search: make_search(position, options, &settings, listener),
        book,
        seed: options.seed,
        opens: options.plays_best::<G>(),
    })
}

/// Makes a search with these options; with fewer threads if the machine has fewer cores, and with a
/// smaller table if memory is short.
fn make_search<G: Searched>(
    position: &G,
    options: &Options,
    settings: &Settings,
    listener: &mut impl Listener<G>,
) -> Box<dyn Search<G>> {
    let (mut table_mb, threads) = machine::fit(options, &mut |message| listener.trouble(message));
    loop {
        let resources = Resources {
            table_mb,
            threads,
            seed: options.seed,
        };
        let player = position.player(options.algorithm, settings, resources);
        match player {
            Ok(mut player) => {
                // Touches the whole table now and not during the first search.
                player.new_game();
                return match options.noise {
                    0 => player,
                    percent => Box::new(Noisy::new(player, percent as u32, options.seed)),
                };
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
