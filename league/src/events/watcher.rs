//! A watcher that sends events about finished games.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use gamelog::record::GameRecord;

use super::Events;
use crate::results::standings::Standings;
use crate::workers::Watcher;

/// Minimum time between two events with standings.
const INTERVAL: Duration = Duration::from_secs(1);

/// Sends an event for every finished game, and the standings, and forwards everything to another
/// watcher. Dropping it sends the final standings.
pub struct EventWatcher<'a> {
    events: &'a Events,
    league: &'a str,
    watcher: &'a mut dyn Watcher,
    /// Games in the log.
    logged: usize,
    /// Whether the first plan was sent.
    begun: bool,
    standings: Standings,
    /// When the standings were last sent, and whether they have changed since.
    last_sent: Option<Instant>,
    changed: bool,
}

impl<'a> EventWatcher<'a> {
    /// A watcher of a league; `logged` are the standings of the games already in the log.
    pub fn new(
        events: &'a Events,
        league: &'a str,
        logged: Standings,
        watcher: &'a mut dyn Watcher,
    ) -> EventWatcher<'a> {
        EventWatcher {
            events,
            league,
            watcher,
            logged: logged.all.facts.games() as usize,
            begun: false,
            standings: logged,
            last_sent: None,
            changed: false,
        }
    }

    fn send_standings(&mut self) {
        self.events.standings(&self.standings);
        (self.last_sent, self.changed) = (Some(Instant::now()), false);
    }

    fn send_if_due(&mut self) {
        if self.changed && self.last_sent.is_none_or(|at| at.elapsed() >= INTERVAL) {
            self.send_standings();
        }
    }
}

impl Watcher for EventWatcher<'_> {
    fn planned(&mut self, more: usize) {
        if more > 0 || !self.begun {
            self.begun = true;
            self.events.planned(self.league, more, self.logged);
        }
        self.watcher.planned(more);
    }

    fn game(&mut self, game: &GameRecord) -> ControlFlow<()> {
        self.logged += 1;
        if self.events.is_on() {
            self.events.finished(game);
            self.standings.add(&game.into());
            self.changed = true;
            self.send_if_due();
        }
        self.watcher.game(game)
    }

    fn tick(&mut self) {
        self.send_if_due();
        self.watcher.tick();
    }
}

impl Drop for EventWatcher<'_> {
    fn drop(&mut self) {
        if self.changed {
            self.send_standings();
        }
    }
}
