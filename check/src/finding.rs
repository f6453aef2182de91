//! The findings of a check.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use task::Protocol;

use super::Plan;

/// Less time that a busy machine took is not worth a word.
const WORTH_SAYING: Duration = Duration::from_millis(100);

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// As it should be.
    Ok,
    /// Costs no game, but worth a look.
    Note,
    /// Can cost a game or breaks the protocol.
    Fault,
}

/// What is wrong at a point: what was sent, what came back, what was expected.
#[derive(Debug)]
pub(super) struct Fault(pub(super) String);

/// The message of a point without a fault.
pub(super) enum Remark {
    /// Everything is fine; with details.
    Fine(String),
    /// No fault, but something worth a note.
    Note(String),
}

/// The outcome of a point.
pub(super) type Checked = Result<Remark, Fault>;

/// The finding at one point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The point: `legality`.
    pub point: &'static str,
    /// Its severity.
    pub grade: Grade,
    /// The message, on one line.
    pub text: String,
}

impl Finding {
    pub(super) fn new(point: &'static str, checked: Checked) -> Finding {
        let (grade, text) = match checked {
            Ok(Remark::Fine(text)) => (Grade::Ok, text),
            Ok(Remark::Note(text)) => (Grade::Note, text),
            Err(Fault(text)) => (Grade::Fault, text),
        };
        Finding { point, grade, text }
    }

    /// The same on a machine that took so much from an answer, which no time of the point counts.
    pub(super) fn on_busy(mut self, taken: Duration) -> Finding {
        if taken >= WORTH_SAYING {
            self.text += &format!(
                "; the machine is busy: once it had no core for {} ms, which no time here counts",
                taken.as_millis()
            );
        }
        self
    }
}

/// One line: grade, point, text. The text may quote the engine; control characters are replaced,
/// because terminals obey them.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grade = match self.grade {
            Grade::Ok => "ok",
            Grade::Note => "note",
            Grade::Fault => "FAULT",
        };
        let text = self.text.replace(char::is_control, "\u{fffd}");
        write!(f, "{grade:<6}{:<18}{text}", self.point)
    }
}

/// All findings of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The engine's command.
    pub command: Vec<String>,
    /// The engine's name; empty if it did not send one.
    pub name: String,
    /// The protocol used.
    pub protocol: Protocol,
    /// Id of the game.
    pub game: String,
    /// The variant, with all its settings.
    pub variant: serde_json::Value,
    /// Whether every point was checked.
    pub complete: bool,
    /// Whether there was no fault.
    pub fit: bool,
    /// The findings, in order.
    pub findings: Vec<Finding>,
}

impl Report {
    pub(super) fn new(plan: &Plan, name: String, findings: Vec<Finding>, complete: bool) -> Report {
        Report {
            command: plan.engine.command.clone(),
            name,
            protocol: plan.engine.protocol,
            game: plan.rules.id().to_owned(),
            variant: plan.variant.clone(),
            complete,
            fit: findings.iter().all(|found| found.grade != Grade::Fault),
            findings,
        }
    }

    /// The verdict on one line, with the names of the faulty points.
    pub fn verdict(&self) -> String {
        let faults = self.findings.iter();
        let faults = faults.filter(|found| found.grade == Grade::Fault);
        let faults: Vec<&str> = faults.map(|found| found.point).collect();
        let suffix = if self.complete {
            ""
        } else {
            "; nothing else was checked"
        };
        match faults.len() {
            0 => "fit to play".to_owned(),
            1 => format!("1 fault: {}{suffix}", faults[0]),
            count => format!("{count} faults: {}{suffix}", faults.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line_without_control_characters() {
        let fault = Fault("`stop`: \"\u{1b}[2J\n\"".into());
        let finding = Finding::new("stop", Err(fault));
        assert_eq!(
            finding.to_string(),
            "FAULT stop              `stop`: \"\u{fffd}[2J\u{fffd}\""
        );
        let finding = Finding::new("legality", Ok(Remark::Fine("200 positions".into())));
        assert_eq!(finding.to_string(), "ok    legality          200 positions");
    }

    #[test]
    fn a_verdict_names_the_faults() {
        let find = |point, grade| Finding {
            point,
            grade,
            text: String::new(),
        };
        let report = |findings: Vec<Finding>| Report {
            command: Vec::new(),
            name: String::new(),
            protocol: Protocol::Ugi,
            game: "hex".into(),
            variant: serde_json::json!({}),
            complete: findings.len() > 1,
            fit: false,
            findings,
        };
        let verdict = |findings| report(findings).verdict();
        let (ok, note) = (find("a", Grade::Ok), find("b", Grade::Note));
        let (c, d) = (find("c", Grade::Fault), find("d", Grade::Fault));
        assert_eq!(verdict(vec![ok, note]), "fit to play");
        assert_eq!(verdict(vec![c.clone(), d]), "2 faults: c, d");
        assert_eq!(verdict(vec![c]), "1 fault: c; nothing else was checked");
    }
}
