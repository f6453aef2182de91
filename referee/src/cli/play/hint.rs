//! Hints: the best search of the game looks at a position for a moment.

use std::time::{Duration, Instant};

use desk::{Analysis, Shown};
use task::EngineSpec;

/// How long a hint is looked for.
const TIME: Duration = Duration::from_secs(1);

/// The engine that finds hints, and what it is asked.
pub(super) struct Hints {
    spec: EngineSpec,
    /// Started with the first hint.
    analysis: Option<Analysis>,
    asked: Option<Asked>,
}

/// A hint that is being looked for.
struct Asked {
    /// The number of its position.
    position: u64,
    /// When the search has taken long enough.
    end: Instant,
}

impl Hints {
    /// No engine yet.
    pub(super) fn new(spec: EngineSpec) -> Hints {
        Hints {
            spec,
            analysis: None,
            asked: None,
        }
    }

    /// Begins to look for a good turn; [`Hints::take`] returns it later.
    ///
    /// # Errors
    /// Nobody is to move.
    pub(super) fn ask(&mut self, shown: &Shown) -> Result<(), String> {
        let analysis = match &self.analysis {
            Some(analysis) => analysis,
            None => {
                let started = Analysis::start(self.spec.clone());
                self.analysis.insert(started.map_err(|refused| refused.0)?)
            }
        };
        let position = analysis.show(shown).map_err(|refused| refused.0)?;
        let end = Instant::now() + TIME;
        self.asked = Some(Asked { position, end });
        Ok(())
    }

    /// Whether one is being looked for.
    pub(super) fn is_looking(&self) -> bool {
        self.asked.is_some()
    }

    /// Looks no longer: the position is another one.
    pub(super) fn forget(&mut self) {
        if let (Some(analysis), Some(_)) = (&self.analysis, self.asked.take()) {
            analysis.stop();
        }
    }

    /// The turn that was found, or the rest of one, or why there is none. `None` while the search
    /// runs, and if nothing was asked.
    pub(super) fn take(&mut self) -> Option<Result<String, String>> {
        let asked = self.asked.as_ref()?;
        let lines = self.analysis.as_ref()?.wait(0, Duration::ZERO);
        let line = lines.report.and_then(|report| report.pv);
        let turn = line.as_deref().and_then(|line| line.split(' ').next());
        let found = match turn {
            _ if lines.position != asked.position => return None,
            Some(turn) if lines.is_done || Instant::now() >= asked.end => Ok(turn.to_owned()),
            None if lines.is_done && lines.fault.is_empty() => Err("none was found".to_owned()),
            None if lines.is_done => Err(lines.fault),
            _ => return None,
        };
        self.forget();
        Some(found)
    }
}
