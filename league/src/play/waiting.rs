//! Engines that stay running between games.
//!
//! Starting a process takes longer than hundreds of turns of an engine that answers at once. A
//! waiting engine is stopped, so it computes nothing.

use std::time::Instant;

use engine_process::QUIT_GRACE;
use engine_process::driver::Driver;
use task::EngineSpec;

/// The engines that wait for the next game of one worker. Dropping this ends them.
#[derive(Default)]
pub struct Waiting {
    engines: Vec<(EngineSpec, Box<dyn Driver>)>,
}

impl Waiting {
    /// Stops an engine after a finished game and keeps it.
    pub fn add(&mut self, spec: &EngineSpec, engine: Box<dyn Driver>) {
        engine.pause(true);
        self.engines.push((spec.clone(), engine));
    }

    /// Continues and returns a waiting engine that can play in place of a new one started from
    /// `spec`.
    pub(crate) fn take(&mut self, spec: &EngineSpec) -> Option<Box<dyn Driver>> {
        let place = (self.engines.iter()).position(|(waiting, _)| waiting.serves_for(spec))?;
        let (waiting, engine) = self.engines.swap_remove(place);
        if let Some(process) = engine.process()
            && waiting.cores != spec.cores
        {
            process.run_on(&spec.cores);
        }
        engine.pause(false);
        Some(engine)
    }

    /// Ends the engines that a game of these two does not need.
    pub(crate) fn keep_for(&mut self, specs: [&EngineSpec; 2]) {
        let needed = |spec: &EngineSpec| specs.into_iter().any(|next| spec.serves_for(next));
        let (still_needed, others) = std::mem::take(&mut self.engines)
            .into_iter()
            .partition(|(spec, _)| needed(spec));
        self.engines = still_needed;
        quit_all(others);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        quit_all(std::mem::take(&mut self.engines));
    }
}

fn quit_all(mut engines: Vec<(EngineSpec, Box<dyn Driver>)>) {
    let deadline = Instant::now() + QUIT_GRACE;
    for (_, engine) in &mut engines {
        engine.pause(false);
        engine.quit();
    }
    for (_, engine) in engines {
        engine.end(deadline);
    }
}
