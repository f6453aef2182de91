//! What a test asks. It is kept beside the log, so that pages can show the test as what it is.

use std::fs;
use std::io;
use std::path::Path;

use base::disk;
use serde::{Deserialize, Serialize};
use stats::sprt::Test;

use super::Outcomes;

/// Name of the file beside the log.
pub const FILE: &str = "sprt.json";

/// The largest such file that is read, bytes: the names of engines are short.
const LARGEST: u64 = 10_000;

/// Whether one engine is stronger than another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The tested engine.
    pub tested: String,
    /// Its opponent.
    pub base: String,
    /// The hypotheses and how often they may be accepted wrongly.
    #[serde(flatten)]
    pub test: Test,
    /// What is counted.
    pub outcomes: Outcomes,
}

impl Question {
    /// Keeps it beside the log in a folder.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep(&self, folder: &Path) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self).expect("numbers and text are JSON");
        disk::replace(&folder.join(FILE), (text + "\n").as_bytes())
    }

    /// The question of the test whose log is in a folder; `None` if there is none that makes sense.
    pub fn read(folder: &Path) -> Option<Question> {
        let path = folder.join(FILE);
        let data = fs::metadata(&path).ok()?;
        if !data.is_file() || data.len() > LARGEST {
            return None;
        }
        let question: Question = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        question.test.check().is_ok().then_some(question)
    }
}

#[cfg(test)]
mod tests {
    use stats::sprt::Model;

    use super::*;

    #[test]
    fn a_question_is_read_as_it_was_kept() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Question::read(folder.path()), None);
        let question = Question {
            tested: "new".to_owned(),
            base: "old".to_owned(),
            test: Test {
                model: Model::Logistic,
                elo0: -5.0,
                elo1: 0.25,
                alpha: 0.05,
                beta: 0.1,
            },
            outcomes: Outcomes::Games,
        };
        question.keep(folder.path()).unwrap();
        assert_eq!(Question::read(folder.path()), Some(question));
        for bad in ["", "{}", "{\"elo0\": 5}"] {
            fs::write(folder.path().join(FILE), bad).unwrap();
            assert_eq!(Question::read(folder.path()), None);
        }
        let senseless = "{\"tested\": \"a\", \"base\": \"b\", \"model\": \"logistic\", \"elo0\": 5, \"elo1\": 0, \
                         \"alpha\": 0.05, \"beta\": 0.05, \"outcomes\": \"pairs\"}";
        fs::write(folder.path().join(FILE), senseless).unwrap();
        assert_eq!(Question::read(folder.path()), None);
    }
}
