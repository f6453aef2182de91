//! Keys of a league file that the command line sets for one run.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use base::input;
use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Value};

/// The key of the seed.
const SEED: &str = "league.seed";

/// A key and the value that it has instead of the file's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Override {
    /// How the user gave it: `--rounds 10`. Messages name it.
    flag: String,
    /// Number of steps from the root to the value.
    depth: usize,
    /// `league.rounds = 10`, a line of TOML.
    line: String,
    /// The file that the value was read from, an absolute path, also where a shard plays: its engines do
    /// not see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
}

impl Override {
    /// A key and its value. Messages call it `flag`. `key` has plain steps, with dots between them.
    pub fn new(flag: impl Into<String>, key: &str, value: impl Into<Value>) -> Override {
        Override {
            flag: flag.into(),
            depth: key.split('.').count(),
            line: format!("{key} = {}", value.into()),
            file: None,
        }
    }

    /// The seed of the league from a file: a number, or the 64 hexadecimal digits of a drawn seed.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else.
    pub fn seed(file: &Path) -> Result<Override, String> {
        let text = input::text(file).map_err(|error| error.to_string())?;
        let text = text.trim();
        let value = match text.parse::<i64>() {
            Ok(number) => Value::from(number),
            Err(_) => Value::from(text),
        };
        let flag = format!("--seed {}", file.display());
        Ok(Override {
            file: std::path::absolute(file).ok(),
            ..Override::new(flag, SEED, value)
        })
    }

    /// The file that the value was read from, if it was.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Whether it sets what no log may show before the end.
    pub fn is_secret(&self) -> bool {
        (self.line.split_once(" = ")).is_some_and(|(key, _)| key == SEED)
    }

    /// As a line of TOML.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Sets the key in the root of a file. `line` is [`Override::line`] after blanks. An element of
    /// an array of tables is found by its `name` or by its number, from 1.
    ///
    /// # Errors
    /// What was found and what was expected.
    pub(super) fn apply<'t>(&self, root: &mut DeTable<'t>, line: &'t str) -> Result<(), String> {
        let parsed = DeTable::parse(line).map_err(|error| error.message().to_owned())?;
        set(root, parsed.into_inner(), self.depth)
    }
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.flag)
    }
}

/// `KEY=VALUE`; a value that is not TOML is text: `clock.move=1s`.
impl FromStr for Override {
    type Err = String;

    fn from_str(text: &str) -> Result<Override, String> {
        const EXPECTED: &str =
            "expected KEY=VALUE, such as clock.move=1s or engine.NAME.games=[\"hex\"]";
        let (key, value) = text.split_once('=').ok_or(EXPECTED)?;
        let (key, value) = (key.trim(), value.trim());
        let only_key = format!("{key} = 0");
        let depth = match DeTable::parse(&only_key) {
            Ok(table) if !text.contains('\n') => depth_of(table.get_ref()),
            _ => return Err(EXPECTED.to_owned()),
        };
        let value = match DeValue::parse(value) {
            Ok(_) => value.to_owned(),
            Err(_) => Value::from(value).to_string(),
        };
        let line = format!("{key} = {value}");
        if sets_seed(&line) {
            return Err(
                "a seed, which everybody on this machine could read in the list of processes, \
                 expected it in the league file or in a file for --seed"
                    .to_owned(),
            );
        }
        Ok(Override {
            flag: format!("--set {text}"),
            depth,
            line,
            file: None,
        })
    }
}

/// Whether a line of TOML sets the seed of the league.
fn sets_seed(line: &str) -> bool {
    let parsed = DeTable::parse(line).ok();
    let league = parsed
        .as_ref()
        .and_then(|root| root.get_ref().get("league"));
    league.is_some_and(|league| league.get_ref().get("seed").is_some())
}

/// How deep the only value of a table lies.
fn depth_of(table: &DeTable<'_>) -> usize {
    let value = table.values().next().map(Spanned::get_ref);
    1 + value.and_then(DeValue::as_table).map_or(0, depth_of)
}

/// Sets the only value in `from`, which lies `depth` steps deep, in `table`.
fn set<'t>(table: &mut DeTable<'t>, from: DeTable<'t>, depth: usize) -> Result<(), String> {
    let Some((key, value)) = from.into_iter().next() else {
        return Ok(());
    };
    if depth > 1
        && let Some(known) = table.get_mut(&**key.get_ref())
    {
        let DeValue::Table(inner) = value.into_inner() else {
            return Ok(());
        };
        return match known.get_mut() {
            DeValue::Table(known) => set(known, inner, depth - 1),
            DeValue::Array(elements) => set_in_element(elements, inner, depth - 1),
            _ => Err(format!("{} has no keys, expected a table", key.get_ref())),
        };
    }
    // The old key goes first: a map keeps the key, and the place in the file, that it has.
    table.remove(&**key.get_ref());
    table.insert(key, value);
    Ok(())
}

/// Sets the value in the element of an array that the first key of `from` names.
fn set_in_element<'t>(
    elements: &mut [Spanned<DeValue<'t>>],
    from: DeTable<'t>,
    depth: usize,
) -> Result<(), String> {
    let Some((word, value)) = from.into_iter().next() else {
        return Ok(());
    };
    let word = word.into_inner();
    let name = |element: &Spanned<DeValue<'_>>| {
        let name = element.get_ref().get("name")?;
        Some(name.get_ref().as_str()?.to_owned())
    };
    let by_number = || word.parse::<usize>().ok()?.checked_sub(1);
    let found = (elements.iter())
        .position(|element| name(element).is_some_and(|name| name == word))
        .or_else(|| by_number().filter(|&index| index < elements.len()));
    let Some(found) = found else {
        let names: Vec<_> = elements.iter().filter_map(name).collect();
        let known = if names.is_empty() {
            format!("a number from 1 to {}", elements.len())
        } else {
            format!("one of {}", names.join(", "))
        };
        return Err(format!("{word:?}, expected {known}"));
    };
    if depth == 1 {
        elements[found] = value;
        return Ok(());
    }
    match (elements[found].get_mut(), value.into_inner()) {
        (DeValue::Table(element), DeValue::Table(inner)) => set(element, inner, depth - 1),
        _ => Err(format!("{word:?} has no keys, expected a table")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_read_from_a_file_alone() {
        for text in [
            "league.seed=1",
            "league.\"seed\" = 1",
            "\"league\".seed=\"00\"",
            "league={ name = \"x\", seed = 1 }",
        ] {
            let refused = text.parse::<Override>().expect_err(text);
            assert!(
                refused.contains("in a file for --seed"),
                "{text}: {refused}"
            );
        }
        for text in ["engine.a.options.seed=1", "league.seeding=random"] {
            let set: Override = text.parse().expect(text);
            assert!(!set.is_secret(), "{text}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("seed");
        for (text, line) in [
            ("7\n", "league.seed = 7"),
            (" 00ff\n", "league.seed = \"00ff\""),
        ] {
            std::fs::write(&file, text).expect("a file");
            let read = Override::seed(&file).expect("a seed");
            assert_eq!(read.line(), line);
            assert!(read.is_secret());
        }
        assert!(Override::seed(&folder.path().join("none")).is_err());
    }
}
