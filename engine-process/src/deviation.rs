//! Deviations: protocol violations that are tolerated, so they cost an engine no game.
//!
//! Contest platforms differ in what they tolerate, so a team should know all of its engine's
//! deviations.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A kind of deviation; the kinds are the same for all protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deviation {
    /// A line that is not part of the protocol or cannot be parsed. A blank line is not a
    /// deviation.
    Chatter,
    /// A line with bytes that are not UTF-8; counted in addition to other deviations.
    Encoding,
    /// A keyword or a legal turn in another case: `MOVE JJ@@`, `move jj@@`.
    Case,
    /// A legal turn that lacks a required ending: `move JJ` for `move JJ@@`.
    Cut,
    /// A legal turn or an answer in any other spelling than the protocol's.
    Spelling,
    /// A name that was not asked for.
    UnaskedName,
    /// A turn that was not asked for.
    UnaskedTurn,
    /// A search report when no search is running: `info` after `bestmove`.
    UnaskedReport,
    /// Any other protocol line that was not asked for.
    Unasked,
    /// A question that the engine understood only in another spelling than the protocol's: `name`
    /// instead of `name?`.
    AskedAgain,
    /// No answer to the question for its name, in any spelling.
    NoName,
    /// A command that tells the engine its time, and that the engine refused.
    RefusedClock,
    /// A line of which only the beginning was read, because it was too long; it was no turn.
    LongLine,
    /// An illegal turn, after which the engine was asked again.
    Illegal,
}

impl Deviation {
    /// The deviation of an answer's first word: keywords have lower case and, in answers, no
    /// question mark.
    pub fn of_keyword(line: &str) -> Option<Deviation> {
        let word = line.split_whitespace().next().unwrap_or("");
        if word.ends_with('?') {
            return Some(Deviation::Spelling);
        }
        let wrong_case = word.bytes().any(|byte| byte.is_ascii_uppercase());
        wrong_case.then_some(Deviation::Case)
    }

    /// The deviation of a legal turn that was `written` in this way, where the protocol's spelling
    /// is `own`.
    pub fn of_turn(written: &str, own: &str) -> Option<Deviation> {
        let begins = |text: &str| {
            let beginning = own.as_bytes().get(..text.len());
            beginning.is_some_and(|own| own.eq_ignore_ascii_case(text.as_bytes()))
        };
        match written {
            _ if written == own => None,
            _ if written.eq_ignore_ascii_case(own) => Some(Deviation::Case),
            _ if begins(written) => Some(Deviation::Cut),
            _ => Some(Deviation::Spelling),
        }
    }

    /// Its name in the log, with blanks: `unasked turn`.
    pub fn words(self) -> String {
        let name = serde_json::to_value(self).expect("a kind is a word of JSON");
        name.as_str().unwrap_or_default().replace('-', " ")
    }
}

/// How often an engine has deviated, per kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Deviations(BTreeMap<Deviation, u64>);

impl Deviations {
    /// Counts a deviation, if there is one.
    pub fn note(&mut self, deviation: impl Into<Option<Deviation>>) {
        if let Some(kind) = deviation.into() {
            *self.0.entry(kind).or_default() += 1;
        }
    }

    /// Whether there was no deviation.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The kinds that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Deviation, u64)> {
        self.0.iter().map(|(&kind, &count)| (kind, count))
    }

    /// How often a kind occurred.
    pub fn count(&self, kind: Deviation) -> u64 {
        self.0.get(&kind).copied().unwrap_or(0)
    }

    /// Adds the deviations of another game.
    pub fn add(&mut self, other: &Deviations) {
        for (kind, count) in other.iter() {
            let sum = self.0.entry(kind).or_default();
            *sum = sum.saturating_add(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_classified_by_their_spelling() {
        for (written, own, deviation) in [
            ("JJ@@", "JJ@@", None),
            ("jj@@", "JJ@@", Some(Deviation::Case)),
            ("JJ", "JJ@@", Some(Deviation::Cut)),
            ("jj", "JJ@@", Some(Deviation::Cut)),
            ("swap-pieces", "swap", Some(Deviation::Spelling)),
            ("1  AAA", "1 AAA", Some(Deviation::Spelling)),
        ] {
            assert_eq!(Deviation::of_turn(written, own), deviation, "{written}");
        }
    }

    #[test]
    fn keywords_are_in_lower_case() {
        assert_eq!(Deviation::of_keyword("move JJ@@"), None);
        assert_eq!(Deviation::of_keyword("Move jj@@"), Some(Deviation::Case));
        let question = Deviation::of_keyword("name? Some Engine");
        assert_eq!(question, Some(Deviation::Spelling));
        assert_eq!(Deviation::of_keyword(""), None);
    }

    #[test]
    fn counts_add_up_and_are_words_in_the_log() {
        let mut counts = Deviations::default();
        assert!(counts.is_empty());
        counts.note(Deviation::UnaskedTurn);
        counts.note(None);
        counts.note(Some(Deviation::Case));
        let mut sum = counts.clone();
        sum.add(&counts);
        assert_eq!(sum.count(Deviation::UnaskedTurn), 2);
        assert_eq!(sum.count(Deviation::Chatter), 0);
        let text = serde_json::to_string(&sum).expect("JSON");
        assert_eq!(text, r#"{"case":2,"unasked-turn":2}"#);
        let again: Deviations = serde_json::from_str(&text).expect("JSON");
        assert_eq!(again, sum);
        assert_eq!(Deviation::UnaskedTurn.words(), "unasked turn");
    }

    #[test]
    fn a_log_cannot_overflow_a_sum() {
        let many: Deviations =
            serde_json::from_str(&format!(r#"{{"case":{}}}"#, u64::MAX)).expect("JSON");
        let mut sum = many.clone();
        sum.add(&many);
        assert_eq!(sum.count(Deviation::Case), u64::MAX);
    }
}
