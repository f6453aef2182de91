//! What is observed during the whole check.

use std::time::Duration;

use engine_process::deviation::Deviations;
use engine_process::process::Volume;

/// How often something was observed, with a description of the first case.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) count: usize,
    pub(super) first: String,
}

impl Tally {
    pub(super) fn add(&mut self, words: impl FnOnce() -> String) {
        if self.count == 0 {
            self.first = words();
        }
        self.count += 1;
    }
}

/// Observations of the whole check.
#[derive(Debug, Default)]
pub(super) struct Observed {
    /// Answers that were not asked for.
    pub(super) unasked: Tally,
    /// Lines that are not part of the protocol.
    pub(super) foreign: Tally,
    /// Other deviations from the protocol.
    pub(super) deviations: Deviations,
    /// The most that was written between two messages to the engine.
    pub(super) loudest: Volume,
    /// Everything that was written.
    pub(super) written: Volume,
    /// Number of turns with a fixed time, and the most by which one exceeded it.
    pub(super) timed: usize,
    pub(super) latest: Duration,
    /// The slowest turn in games against random turns.
    pub(super) slowest: Duration,
    /// The most processes still running after the engine had exited.
    pub(super) left: usize,
    /// Whether it had to be killed once.
    pub(super) hung: bool,
}

impl Observed {
    /// Records a turn with a fixed time, and by how much it exceeded that.
    pub(super) fn late(&mut self, late: Duration) {
        self.timed += 1;
        self.latest = self.latest.max(late);
    }

    /// Adds what the engine has written since the last message.
    pub(super) fn wrote(&mut self, new: Volume) {
        let Observed {
            loudest, written, ..
        } = self;
        loudest.output = loudest.output.max(new.output);
        loudest.errors = loudest.errors.max(new.errors);
        written.output += new.output;
        written.errors += new.errors;
    }
}
