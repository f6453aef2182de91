//! A synchronous player, for protocols without commands during a search.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use engine_core::{Position, Report};
use game::Engine;
use protocol::Protocol;

use super::complain;
use crate::setup::Setup;
use crate::thinker::{Listener, Thinker, TurnLimits};

/// A player that blocks until it has chosen a turn.
pub(super) struct Asking<G: Engine> {
    thinker: Thinker<G>,
    found: Receiver<Found<G>>,
    ready: Receiver<()>,
    protocol: Protocol,
}

impl<G: Engine> Asking<G> {
    pub(super) fn new(setup: Setup) -> Asking<G> {
        let protocol = setup.options.protocol;
        let (chosen, found) = channel();
        let (made, ready) = channel();
        let answer = Answer::<G> {
            chosen,
            made,
            last: None,
        };
        Asking {
            thinker: Thinker::new(setup, answer),
            found,
            ready,
            protocol,
        }
    }

    /// Clears what the last game left, and waits until the player is made and its table is empty,
    /// so that no turn of a game like `start` pays for it.
    pub(super) fn new_game(&mut self, start: &G) {
        self.thinker.new_game();
        if self.thinker.prepare(start.clone()) {
            // The channel is closed only after a panic, which has been printed.
            let _ = self.ready.recv();
        }
    }

    /// Searches a turn: its actions, none if nobody moves, and the last report on it.
    pub(super) fn search(&mut self, position: &G, limits: TurnLimits) -> Found<G> {
        self.thinker.think(position.clone(), limits);
        // The channel is closed only after a panic, which has been printed.
        self.found.recv().unwrap_or_default()
    }

    /// Plays the turn that the player chooses, and returns its text in the options' protocol;
    /// `None` if nobody moves.
    pub(super) fn turn(&mut self, position: &mut G, limits: TurnLimits) -> Option<String> {
        let (turn, _) = self.search(position, limits);
        let dialect = G::dialect(self.protocol).filter(|_| !turn.is_empty())?;
        let text = (dialect.write)(position, &turn);
        for mv in turn {
            position.play(mv);
        }
        Some(text)
    }
}

/// A turn and the last report on it, if there was a search.
type Found<G> = (
    Vec<<G as Position>::Move>,
    Option<Report<<G as Position>::Move>>,
);

struct Answer<G: Engine> {
    chosen: Sender<Found<G>>,
    made: Sender<()>,
    /// The last report on the turn in progress.
    last: Option<Report<G::Move>>,
}

impl<G: Engine> Listener<G> for Answer<G> {
    fn progress(&mut self, _: &G, report: &Report<G::Move>) {
        self.last = Some(report.clone());
    }

    fn chosen(&mut self, _: &G, turn: &[G::Move], _: Duration) {
        // The receiver is gone when the session is over.
        let _ = self.chosen.send((turn.to_vec(), self.last.take()));
    }

    fn ready(&mut self) {
        let _ = self.made.send(());
    }

    fn trouble(&mut self, message: &str) {
        complain(message);
    }
}
