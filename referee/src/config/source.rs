//! The text of a TOML file, and the lines on which its keys stand.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error, ValueDeserializer};

use crate::error::BadInput;

/// One step from the root of a TOML file to a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    /// The value of a key.
    Key(&'a str),
    /// An element of an array, from 0.
    At(usize),
}

impl<'a> From<&'a str> for Step<'a> {
    fn from(key: &'a str) -> Step<'a> {
        Step::Key(key)
    }
}

impl From<usize> for Step<'_> {
    fn from(index: usize) -> Self {
        Step::At(index)
    }
}

/// A TOML file that has been read, but not yet understood.
pub(super) struct Source<'t> {
    path: &'t Path,
    text: &'t str,
    root: Spanned<DeTable<'t>>,
}

impl<'t> Source<'t> {
    /// Parses the text of the file at `path`, which is only named in messages.
    pub(super) fn parse(path: &'t Path, text: &'t str) -> Result<Source<'t>, BadInput> {
        match DeTable::parse(text) {
            Ok(root) => Ok(Source { path, text, root }),
            Err(error) => Err(syntax(path, text, &error)),
        }
    }

    /// The whole file as a `T`.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, BadInput> {
        T::deserialize(Deserializer::from(self.root.clone()))
            .map_err(|error| syntax(self.path, self.text, &error))
    }

    /// One value as a `T`.
    pub(super) fn read_value<T: DeserializeOwned>(
        &self,
        value: Spanned<DeValue<'_>>,
    ) -> Result<T, BadInput> {
        T::deserialize(ValueDeserializer::from(value))
            .map_err(|error| syntax(self.path, self.text, &error))
    }

    /// The table of this name at the top of the file.
    pub(super) fn table(&self, key: &str) -> Option<Spanned<DeTable<'t>>> {
        let (_, value) = self.root.get_ref().get_key_value(key)?;
        let table = value.get_ref().as_table()?;
        Some(Spanned::new(value.span(), table.clone()))
    }

    /// The tables of an array of them, such as all `[[stage]]`.
    pub(super) fn array(&self, key: &str) -> Option<Vec<Spanned<DeValue<'t>>>> {
        let value = self.root.get_ref().get(key)?;
        Some(value.get_ref().as_array()?.iter().cloned().collect())
    }

    /// An error in the line where `steps` lead, or in the nearest line above that the file has.
    pub(super) fn error(&self, steps: &[Step<'_>], message: impl Display) -> BadInput {
        at(self.path, self.line(steps), message)
    }

    /// The line, from 1, of the key or element to which `steps` lead, as far as the file has them.
    fn line(&self, steps: &[Step<'_>]) -> usize {
        let mut line = 1;
        let mut table = Some(self.root.get_ref());
        let mut value: Option<&Spanned<DeValue<'_>>> = None;
        for step in steps {
            let next = match *step {
                Step::Key(key) => table
                    .and_then(|table| table.get_key_value(key))
                    .map(|(key, value)| (key.span(), value)),
                Step::At(index) => value
                    .and_then(|value| value.get_ref().as_array())
                    .and_then(|array| array.get(index))
                    .map(|value| (value.span(), value)),
            };
            let Some((span, found)) = next else { break };
            line = line_of(self.text, span);
            table = found.get_ref().as_table();
            value = Some(found);
        }
        line
    }
}

/// An error at a line of a file.
pub(super) fn at(path: &Path, line: usize, message: impl Display) -> BadInput {
    BadInput(format!("{}:{line}: {message}", path.display()))
}

/// What the TOML reader found, on one line, and what it does not say itself.
fn syntax(path: &Path, text: &str, error: &Error) -> BadInput {
    let line = error.span().map_or(1, |span| line_of(text, span));
    let lines: Vec<&str> = error.message().lines().map(str::trim).collect();
    let mut message = lines.join(", ");
    if message.contains("duration") {
        message += ", such as \"60s\" or \"500ms\"";
    } else if !message.contains("expected") {
        message += ", expected a league file";
    }
    at(path, line, message)
}

/// The line, from 1, on which a span begins.
fn line_of(text: &str, span: Range<usize>) -> usize {
    let before = &text.as_bytes()[..span.start.min(text.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}
