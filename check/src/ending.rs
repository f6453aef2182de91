//! How a process ends: well, slowly, or not at all.

use std::process::ExitStatus;
use std::time::Duration;

use engine_process::QUIT_GRACE;
use engine_process::process::Process;

use super::finding::{Fault, Remark};
use super::patience::Patience;

/// How long an engine may take to exit before it counts as hanging. One that takes longer than
/// [`QUIT_GRACE`] is slow.
pub(super) const END_PATIENCE: Duration = Duration::from_secs(10);

/// The same for an engine that has hung before.
pub(super) const HUNG_PATIENCE: Duration = Duration::from_secs(3);

/// How a process has ended.
pub(super) struct Ended {
    /// `None` if it had to be killed.
    pub(super) status: Option<ExitStatus>,
    took: Duration,
    /// How much of that it waited for a core.
    delayed: Duration,
}

impl Ended {
    /// Waits at most this long for a process to exit.
    pub(super) fn wait(process: &mut Process, within: Duration) -> Ended {
        let mut patience = Patience::new(within);
        patience.look(process);
        let status = loop {
            let status = process.ends_by(patience.next_look());
            if status.is_some() || patience.look(process) {
                break status;
            }
        };
        Ended {
            status,
            took: patience.elapsed(),
            delayed: patience.delayed(),
        }
    }

    /// When, and how.
    pub(super) fn words(&self) -> String {
        let took = self.took.as_millis();
        let busy = if self.took > QUIT_GRACE && self.delayed > self.took / 4 {
            format!(", {} ms of them without a core", self.delayed.as_millis())
        } else {
            String::new()
        };
        match self.status {
            Some(status) => format!("{status} after {took} ms{busy}"),
            None => format!("still running after {took} ms{busy}"),
        }
    }

    /// The remark about an exit as it should be: slow or not.
    pub(super) fn remark(&self) -> Remark {
        if self.took.saturating_sub(self.delayed) > QUIT_GRACE {
            Remark::Note(format!(
                "{}, which is slow: a league waits {} ms, then kills it",
                self.words(),
                QUIT_GRACE.as_millis()
            ))
        } else {
            Remark::Fine(self.words())
        }
    }

    /// The fault of an engine that does not exit after `what`.
    pub(super) fn hangs(&self, what: &str) -> Fault {
        Fault(format!("{what}: {}, expected it to exit", self.words()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(took: u64, delayed: u64) -> Ended {
        Ended {
            status: Some(ExitStatus::default()),
            took: Duration::from_millis(took),
            delayed: Duration::from_millis(delayed),
        }
    }

    #[test]
    fn a_busy_machine_makes_no_engine_slow() {
        let Remark::Fine(text) = ended(5000, 4500).remark() else {
            panic!("it waited for a core");
        };
        assert_eq!(
            text,
            "exit status: 0 after 5000 ms, 4500 ms of them without a core"
        );
        assert!(matches!(ended(900, 0).remark(), Remark::Fine(_)));
        let Remark::Note(text) = ended(5000, 100).remark() else {
            panic!("it is slow");
        };
        assert!(
            text.starts_with("exit status: 0 after 5000 ms, which is slow"),
            "{text}"
        );
    }
}
