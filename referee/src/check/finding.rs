//! What a check has found.

use std::fmt;

use serde::Serialize;

use super::{Language, Plan};

/// How good what was found is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// As it should be.
    Ok,
    /// Nothing that costs a game, but worth a look.
    Note,
    /// What can cost a game, or breaks the protocol.
    Fault,
}

/// What is wrong with an engine at a point: what was sent, what came back, what was expected.
#[derive(Debug)]
pub(super) struct Fault(pub(super) String);

/// What is to be said where nothing is wrong.
pub(super) enum Remark {
    /// All is well; how well, in words.
    Fine(String),
    /// All is well, but for this.
    But(String),
}

/// The outcome of a point.
pub(super) type Checked = Result<Remark, Fault>;

/// What was found at one point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The point: `legality`.
    pub point: &'static str,
    /// How good it is.
    pub grade: Grade,
    /// What was found, on one line.
    pub text: String,
}

impl Finding {
    pub(super) fn new(point: &'static str, checked: Checked) -> Finding {
        let (grade, text) = match checked {
            Ok(Remark::Fine(text)) => (Grade::Ok, text),
            Ok(Remark::But(text)) => (Grade::Note, text),
            Err(Fault(text)) => (Grade::Fault, text),
        };
        Finding { point, grade, text }
    }
}

/// One line: grade, point, text. What engines write is in it, and terminals obey control characters.
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

/// All that a check has found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The engine's command.
    pub command: Vec<String>,
    /// What the engine calls itself; empty if it did not say.
    pub name: String,
    /// The protocol it was spoken to in.
    pub protocol: Language,
    /// Id of the game.
    pub game: String,
    /// The complete variant.
    pub variant: serde_json::Value,
    /// Whether every point was checked.
    pub complete: bool,
    /// Whether there was no fault.
    pub fit: bool,
    /// What was found, point by point.
    pub findings: Vec<Finding>,
}

impl Report {
    pub(super) fn new(plan: &Plan, name: String, findings: Vec<Finding>, complete: bool) -> Report {
        Report {
            command: plan.engine.command.clone(),
            name,
            protocol: plan.language,
            game: plan.rules.id().to_owned(),
            variant: plan.variant.clone(),
            complete,
            fit: findings.iter().all(|found| found.grade != Grade::Fault),
            findings,
        }
    }

    /// The verdict on one line, with the names of the points that are at fault.
    pub fn verdict(&self) -> String {
        let faults = self.findings.iter();
        let faults = faults.filter(|found| found.grade == Grade::Fault);
        let faults: Vec<&str> = faults.map(|found| found.point).collect();
        let rest = if self.complete {
            ""
        } else {
            "; nothing else was checked"
        };
        match faults.len() {
            0 => "fit to play".to_owned(),
            1 => format!("1 fault: {}{rest}", faults[0]),
            count => format!("{count} faults: {}{rest}", faults.join(", ")),
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
            protocol: Language::Ugi,
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
