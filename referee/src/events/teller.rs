//! Telling of games that end.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::Events;
use crate::league::Watcher;
use crate::record::GameRecord;
use crate::standings::Standings;

/// How often the standings are told, at most.
const INTERVAL: Duration = Duration::from_secs(1);

/// Tells of every game that ends, and of the standings, and hands everything on to another watcher.
/// Dropping it tells of the last standings.
pub struct Teller<'a> {
    events: &'a Events,
    league: &'a str,
    watcher: &'a mut dyn Watcher,
    /// Games in the log.
    logged: usize,
    /// Whether it has told what is planned.
    begun: bool,
    standings: Standings,
    /// When the standings were last told, and whether they have changed since.
    told: Option<Instant>,
    changed: bool,
}

impl<'a> Teller<'a> {
    /// A teller of a league of which games with these standings are in the log already.
    pub fn new(
        events: &'a Events,
        league: &'a str,
        logged: Standings,
        watcher: &'a mut dyn Watcher,
    ) -> Teller<'a> {
        Teller {
            events,
            league,
            watcher,
            logged: logged.all.facts.games() as usize,
            begun: false,
            standings: logged,
            told: None,
            changed: false,
        }
    }

    fn tell_standings(&mut self) {
        self.events.standings(&self.standings);
        (self.told, self.changed) = (Some(Instant::now()), false);
    }

    fn tell_if_due(&mut self) {
        if self.changed && self.told.is_none_or(|at| at.elapsed() >= INTERVAL) {
            self.tell_standings();
        }
    }
}

impl Watcher for Teller<'_> {
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
            self.tell_if_due();
        }
        self.watcher.game(game)
    }

    fn tick(&mut self) {
        self.tell_if_due();
        self.watcher.tick();
    }
}

impl Drop for Teller<'_> {
    fn drop(&mut self) {
        if self.changed {
            self.tell_standings();
        }
    }
}
