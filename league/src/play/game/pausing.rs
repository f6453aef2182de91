//! Engines that are not to move are stopped, where they could take time from their opponents.
//!
//! To stop an engine and to let it go on takes longer than many turns. So an engine that keeps still is
//! stopped only when its opponent thinks for long. One that was seen to compute while it was not to move
//! is stopped after every answer.

use std::cell::Cell;
use std::time::Duration;

use engine_core::Side;
use engine_process::driver::Driver;

/// How long an engine thinks before its opponent is stopped. Stopping takes a twentieth of that.
pub(super) const PATIENCE: Duration = Duration::from_millis(2);

/// CPU time after an answer that does not count: what it takes to tidy up, and to wait for the next
/// question.
const TIDYING: Duration = Duration::from_micros(100);

/// How much more than that an engine may use in a game before it is stopped after every answer.
const ALLOWED: Duration = Duration::from_millis(1);

/// Which engines of a game are stopped. Lists are by [`Side::index`].
pub(super) struct Pausing {
    /// Whether engines are stopped at all.
    wanted: bool,
    stopped: [Cell<bool>; 2],
    /// What each engine has used beyond [`TIDYING`] while it was not to move; without bound where that
    /// is not known.
    used: [Duration; 2],
}

impl Pausing {
    /// Nobody is stopped yet.
    pub(super) fn new(wanted: bool) -> Pausing {
        Pausing {
            wanted,
            stopped: Default::default(),
            used: [Duration::ZERO; 2],
        }
    }

    /// An engine is about to be asked. It has used this CPU time since its last answer; `None` if that
    /// is not known. Lets it go on.
    pub(super) fn asked(&mut self, side: Side, engine: &dyn Driver, idle: Option<Duration>) {
        let used = &mut self.used[side.index()];
        let counted = idle.map_or(Duration::MAX, |idle| idle.saturating_sub(TIDYING));
        *used = used.saturating_add(counted);
        self.go_on(side, engine);
    }

    /// An engine has answered: stops it if it may not keep still.
    pub(super) fn answered(&self, side: Side, engine: &dyn Driver) {
        if self.used[side.index()] > ALLOWED {
            self.stop(side, engine);
        }
    }

    /// Stops an engine, if engines are to be stopped.
    pub(super) fn stop(&self, side: Side, engine: &dyn Driver) {
        if self.wanted {
            self.stop_anyway(side, engine);
        }
    }

    fn stop_anyway(&self, side: Side, engine: &dyn Driver) {
        if !self.stopped[side.index()].replace(true) {
            engine.pause(true);
        }
    }

    /// Lets an engine go on that is stopped.
    fn go_on(&self, side: Side, engine: &dyn Driver) {
        if self.stopped[side.index()].replace(false) {
            engine.pause(false);
        }
    }

    /// Stops both engines whether or not engines are to be stopped, until their next turns.
    pub(super) fn stop_both(&self, engines: &[Box<dyn Driver>; 2]) {
        for (side, engine) in Side::BOTH.into_iter().zip(engines) {
            self.stop_anyway(side, &**engine);
        }
    }

    /// Lets both engines go on.
    pub(super) fn end(&self, engines: &[Box<dyn Driver>; 2]) {
        for (side, engine) in Side::BOTH.into_iter().zip(engines) {
            self.go_on(side, &**engine);
        }
    }
}

#[cfg(test)]
mod tests {
    use engine_process::driver::{Question, Reply, Setup};
    use engine_process::process::{Failure, Process, Until};

    use super::*;

    /// An engine without a process, and what was done to it: true for a stop.
    #[derive(Default)]
    struct Engine(std::rc::Rc<std::cell::RefCell<Vec<bool>>>);

    impl Driver for Engine {
        fn pause(&self, pause: bool) {
            self.0.borrow_mut().push(pause);
        }

        fn name(&mut self, _: String) {}

        fn introduce(&mut self, _: Until) -> Result<(), Failure> {
            Ok(())
        }

        fn version(&self) -> &str {
            ""
        }

        fn new_game(&mut self, _: &Setup, _: Until) -> Result<(), Failure> {
            Ok(())
        }

        fn ask(&mut self, _: &Question) -> Result<Reply, Failure> {
            Err(Failure::Stopped)
        }

        fn play(
            &mut self,
            game: &mut dyn catalog::Match,
            text: &str,
        ) -> Result<String, engine_core::ParseError> {
            game.play_turn(text)
        }

        fn process(&self) -> Option<&Process> {
            None
        }

        fn process_mut(&mut self) -> Option<&mut Process> {
            None
        }

        fn quit(&mut self) {}
    }

    /// What is done to an engine that uses this CPU time, µs, between its turns.
    fn done(wanted: bool, idle: &[Option<u64>]) -> Vec<bool> {
        let (mut pausing, engine) = (Pausing::new(wanted), Engine::default());
        for &idle in idle {
            pausing.asked(Side::Second, &engine, idle.map(Duration::from_micros));
            pausing.answered(Side::Second, &engine);
        }
        engine.0.take()
    }

    #[test]
    fn an_engine_that_keeps_still_is_left_alone() {
        assert!(done(true, &[Some(100); 1000]).is_empty());
    }

    #[test]
    fn an_engine_that_computes_is_stopped_after_every_answer() {
        // 600 µs count, then 1200: after the second question it is stopped, and goes on at the third.
        assert_eq!(done(true, &[Some(700); 2]), [true]);
        assert_eq!(done(true, &[Some(700); 3]), [true, false, true]);
        // Once is enough.
        assert_eq!(
            done(true, &[Some(1200), Some(0), Some(0)]),
            [true, false, true, false, true]
        );
        assert!(done(false, &[Some(1_000_000); 3]).is_empty());
    }

    #[test]
    fn an_engine_whose_time_is_not_known_is_stopped_after_every_answer() {
        assert_eq!(done(true, &[None; 2]), [true, false, true]);
    }

    #[test]
    fn an_engine_that_is_stopped_goes_on_when_it_is_asked() {
        let engine = Engine::default();
        let seen = std::rc::Rc::clone(&engine.0);
        let mut pausing = Pausing::new(true);
        pausing.stop(Side::First, &engine);
        pausing.stop(Side::First, &engine);
        assert_eq!(*seen.borrow(), [true]);
        pausing.asked(Side::First, &engine, Some(Duration::ZERO));
        assert_eq!(*seen.borrow(), [true, false]);
        // For a proof, whatever the league says of pauses.
        for wanted in [true, false] {
            let engines = [Engine::default(), Engine::default()];
            let seen = engines
                .each_ref()
                .map(|engine| std::rc::Rc::clone(&engine.0));
            let engines = engines.map(|engine| Box::new(engine) as Box<dyn Driver>);
            let mut pausing = Pausing::new(wanted);
            pausing.stop_both(&engines);
            pausing.asked(Side::First, &*engines[0], Some(Duration::ZERO));
            pausing.end(&engines);
            for seen in seen {
                assert_eq!(*seen.borrow(), [true, false]);
            }
        }
    }
}
