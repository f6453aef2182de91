//! CPU time while it is the other engine's turn.

use std::ops::AddAssign;
use std::time::Duration;

/// The least share of the time in which an engine was not to move, as a part of one core, that counts
/// as computing.
pub(crate) const LEAST_SHARE: f64 = 0.05;

/// The least CPU time a turn that counts as computing while the engine was not to move, in ms: to
/// tidy up after a turn takes less.
pub(crate) const LEAST_MS: f64 = 10.0;

/// CPU time of an engine while it was not to move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wait {
    pub(crate) cpu: Duration,
    pub(crate) waited: Duration,
}

/// The least CPU time in a game that costs it where such time forfeits games: as much as a virtual
/// machine needs to compile what it runs, or a collector of garbage for its rounds.
const FORFEIT: Duration = Duration::from_secs(1);

/// Which part of the time in which it was not to move an engine may compute for there.
const ALLOWED_SHARE: f64 = 0.1;

impl Wait {
    /// Whether an engine that has used so much in a whole game forfeits it, where the league says so.
    pub(crate) fn forfeits(&self) -> bool {
        self.cpu > FORFEIT.max(self.waited.mul_f64(ALLOWED_SHARE))
    }

    /// What exceeds the time that tidying up after a turn takes.
    pub(crate) fn excess(&self) -> Duration {
        let allowed = self.waited.mul_f64(LEAST_SHARE);
        let allowed = allowed.max(Duration::from_secs_f64(LEAST_MS / 1000.0));
        self.cpu.saturating_sub(allowed)
    }
}

impl AddAssign for Wait {
    fn add_assign(&mut self, other: Wait) {
        self.cpu += other.cpu;
        self.waited += other.waited;
    }
}
