//! Whether an engine has the options that a league sets, and takes their values: a misspelt one would
//! change nothing, and nobody would notice.

use std::collections::BTreeMap;

use protocol::ugi::{OptionKind, OptionLine};
use serde_json::Value;

use crate::driver::option_text;

/// How many names are suggested.
const NEAREST: usize = 3;

/// How many options are kept: an engine may declare them for ever.
const MOST: usize = 1000;

/// The options that an engine declares.
#[derive(Debug, Default)]
pub(super) struct Options {
    known: Vec<OptionLine>,
    /// Declarations that cannot be read, such as those of other types.
    unread: Vec<String>,
}

impl Options {
    pub(super) fn add(&mut self, option: OptionLine) {
        if self.known.len() < MOST {
            self.known.push(option);
        }
    }

    /// Notes a line that may declare an option, and is none that UGI has.
    pub(super) fn add_unread(&mut self, line: &str) {
        if let Some(declaration) = line.trim().strip_prefix("option name ")
            && self.unread.len() < MOST
        {
            let name = declaration.split(" type").next().unwrap_or_default();
            self.unread.push(name.trim().to_owned());
        }
    }

    /// Why the engine cannot take these options: the first that it does not have, or whose value it does
    /// not take.
    pub(super) fn fault(&self, options: &BTreeMap<String, Value>) -> Option<String> {
        let mut options = options.iter();
        options.find_map(|(name, value)| self.fault_of(name, &option_text(value)))
    }

    fn fault_of(&self, name: &str, value: &str) -> Option<String> {
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        if let Some(option) = self.known.iter().find(|option| is_it(&option.name)) {
            let expected = expected(&option.kind, value)?;
            return Some(format!("option {name} = {value}, expected {expected}"));
        }
        if self.unread.iter().any(|known| is_it(known)) {
            return None;
        }
        Some(match self.nearest(name).as_slice() {
            [] => format!("option {name}: the engine declares no options"),
            nearest => format!(
                "option {name}: the engine declares none of this name, the nearest are {}",
                nearest.join(", ")
            ),
        })
    }

    /// The names that are most like this one, the nearest first.
    fn nearest(&self, name: &str) -> Vec<&str> {
        let known = self.known.iter().map(|option| &*option.name);
        let mut names: Vec<&str> = known
            .chain(self.unread.iter().map(|name| &**name))
            .collect();
        let name = name.to_lowercase();
        let likeness = |known: &str| strsim::jaro_winkler(&known.to_lowercase(), &name);
        names.sort_by(|one, other| likeness(other).total_cmp(&likeness(one)));
        names.truncate(NEAREST);
        names
    }
}

/// What an option of this type takes; `None` if it takes the value.
fn expected(kind: &OptionKind, value: &str) -> Option<String> {
    match kind {
        OptionKind::Spin { min, max, .. } => {
            let fits = value
                .parse()
                .is_ok_and(|number| (*min..=*max).contains(&number));
            (!fits).then(|| format!("a whole number from {min} to {max}"))
        }
        OptionKind::Check { .. } => {
            (!["true", "false"].contains(&value)).then(|| "true or false".to_owned())
        }
        OptionKind::Combo { vars, .. } => {
            let fits = vars.iter().any(|var| var.eq_ignore_ascii_case(value));
            (!fits).then(|| format!("one of {}", vars.join(", ")))
        }
        OptionKind::String { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use protocol::ugi::Answer;

    use super::*;

    /// The fault of setting one option of an engine that says these lines.
    fn fault(lines: &[&str], name: &str, value: Value) -> Option<String> {
        let mut options = Options::default();
        for line in lines {
            match Answer::parse(line) {
                Ok(Answer::Option(option)) => options.add(option),
                _ => options.add_unread(line),
            }
        }
        options.fault(&BTreeMap::from([(name.to_owned(), value)]))
    }

    const LINES: [&str; 6] = [
        "option name Hash type spin default 16 min 1 max 1024",
        "option name Use Book type check default true",
        "option name Style type combo default Normal var Solid var Normal",
        "option name Net File type string default <empty>",
        "option name Clear Hash type button",
        "hello",
    ];

    #[test]
    fn an_unknown_name_is_told_with_the_nearest() {
        let of = |name: &str| fault(&LINES, name, 1.into());
        assert_eq!(
            of("Hsah").as_deref(),
            Some(
                "option Hsah: the engine declares none of this name, the nearest are Hash, Clear \
                 Hash, Style"
            )
        );
        assert_eq!(
            fault(&["ugiok"], "Hash", 1.into()).as_deref(),
            Some("option Hash: the engine declares no options")
        );
        for known in ["hash", "Clear Hash", "NET FILE"] {
            assert_eq!(of(known), None, "{known}");
        }
    }

    #[test]
    fn a_value_must_fit() {
        let of = |name: &str, value: Value| fault(&LINES, name, value);
        for (name, value, expected) in [
            (
                "Hash",
                Value::from(0),
                "0, expected a whole number from 1 to 1024",
            ),
            (
                "Hash",
                1025.into(),
                "1025, expected a whole number from 1 to 1024",
            ),
            (
                "Hash",
                "big".into(),
                "big, expected a whole number from 1 to 1024",
            ),
            (
                "Hash",
                1.5.into(),
                "1.5, expected a whole number from 1 to 1024",
            ),
            ("Use Book", 1.into(), "1, expected true or false"),
            (
                "Style",
                "Wild".into(),
                "Wild, expected one of Solid, Normal",
            ),
        ] {
            assert_eq!(of(name, value), Some(format!("option {name} = {expected}")));
        }
        for (name, value) in [
            ("Hash", Value::from(1)),
            ("Hash", 1024.into()),
            ("Use Book", false.into()),
            ("Style", "solid".into()),
            ("Net File", "/any".into()),
        ] {
            assert_eq!(of(name, value), None, "{name}");
        }
    }
}
