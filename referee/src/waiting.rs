//! Engines that stay for their next game.
//!
//! Starting a process takes longer than hundreds of turns of an engine that answers at once. While an
//! engine waits it is stopped, so that it computes nothing.

use std::time::Instant;

use crate::game::QUIT_GRACE;
use crate::protocol::Driver;
use crate::task::EngineSpec;

/// The engines that wait for the next game of one worker. Dropping it ends them.
#[derive(Default)]
pub struct Waiting {
    engines: Vec<(EngineSpec, Box<dyn Driver>)>,
}

impl Waiting {
    /// Stops an engine that has played a game to its end, and keeps it.
    pub(crate) fn add(&mut self, spec: &EngineSpec, engine: Box<dyn Driver>) {
        engine.pause(true);
        self.engines.push((spec.clone(), engine));
    }

    /// An engine that can play in place of one that is started from `spec`, and may go on.
    pub(crate) fn take(&mut self, spec: &EngineSpec) -> Option<Box<dyn Driver>> {
        let place = (self.engines.iter()).position(|(waiting, _)| waiting.serves_for(spec))?;
        let (_, engine) = self.engines.swap_remove(place);
        engine.pause(false);
        Some(engine)
    }

    /// Ends those that are not needed for a game of these engines.
    pub(crate) fn keep_for(&mut self, specs: [&EngineSpec; 2]) {
        let needed = |spec: &EngineSpec| specs.into_iter().any(|next| spec.serves_for(next));
        let (kept, others) = std::mem::take(&mut self.engines)
            .into_iter()
            .partition(|(spec, _)| needed(spec));
        self.engines = kept;
        dismiss(others);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        dismiss(std::mem::take(&mut self.engines));
    }
}

fn dismiss(mut engines: Vec<(EngineSpec, Box<dyn Driver>)>) {
    let deadline = Instant::now() + QUIT_GRACE;
    for (_, engine) in &mut engines {
        engine.pause(false);
        engine.quit();
    }
    for (_, engine) in engines {
        engine.end(deadline);
    }
}
