//! The text of a TOML file, and the line number of each key.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error, ValueDeserializer};

use crate::error::BadInput;
use crate::input;

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

/// A parsed TOML file, not yet deserialized.
pub(super) struct Source<'t> {
    path: &'t Path,
    text: &'t str,
    root: Spanned<DeTable<'t>>,
}

impl<'t> Source<'t> {
    /// Parses `text`; `path` is only used in messages.
    pub(super) fn parse(path: &'t Path, text: &'t str) -> Result<Source<'t>, BadInput> {
        match DeTable::parse(text) {
            Ok(root) => Ok(Source { path, text, root }),
            Err(error) => Err(syntax(path, text, &error)),
        }
    }

    /// Deserializes the whole file.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, BadInput> {
        T::deserialize(Deserializer::from(self.root.clone()))
            .map_err(|error| syntax(self.path, self.text, &error))
    }

    /// Deserializes a table.
    pub(super) fn read_table<T: DeserializeOwned>(
        &self,
        table: &Spanned<DeTable<'_>>,
    ) -> Result<T, BadInput> {
        let value = DeValue::Table(table.get_ref().clone());
        T::deserialize(ValueDeserializer::from(Spanned::new(table.span(), value)))
            .map_err(|error| syntax(self.path, self.text, &error))
    }

    /// The table at `steps`, if there is one.
    pub(super) fn table(&self, steps: &[Step<'_>]) -> Option<Spanned<DeTable<'t>>> {
        let (_, value) = self.walk(steps).nth(steps.len().checked_sub(1)?)?;
        let table = value.get_ref().as_table()?;
        Some(Spanned::new(value.span(), table.clone()))
    }

    /// Length of a top-level array, such as all `[[stage]]`.
    pub(super) fn count(&self, key: &str) -> usize {
        let value = self.root.get_ref().get(key);
        value
            .and_then(|value| value.get_ref().as_array())
            .map_or(0, |array| array.len())
    }

    /// An error at the line of `steps`, or of its nearest existing ancestor.
    pub(super) fn error(&self, steps: &[Step<'_>], message: impl Display) -> BadInput {
        at(self.path, self.line(steps), message)
    }

    /// The line, from 1, of the key or element at `steps`, or of its nearest existing ancestor.
    fn line(&self, steps: &[Step<'_>]) -> usize {
        let last = self.walk(steps).last();
        last.map_or(1, |(span, _)| line_of(self.text, span))
    }

    /// Follows `steps` as far as the file has them. Yields the span of each key or element, and its
    /// value.
    fn walk<'a>(
        &'a self,
        steps: &'a [Step<'a>],
    ) -> impl Iterator<Item = (Range<usize>, &'a Spanned<DeValue<'t>>)> {
        let mut table = Some(self.root.get_ref());
        let mut value: Option<&Spanned<DeValue<'t>>> = None;
        steps.iter().map_while(move |step| {
            let (span, found) = match *step {
                Step::Key(key) => {
                    let (key, value) = table?.get_key_value(key)?;
                    (key.span(), value)
                }
                Step::At(index) => {
                    let element = value?.get_ref().as_array()?.get(index)?;
                    (element.span(), element)
                }
            };
            table = found.get_ref().as_table();
            value = Some(found);
            Some((span, found))
        })
    }
}

/// An error at a line of a file.
pub(super) fn at(path: &Path, line: usize, message: impl Display) -> BadInput {
    BadInput(format!("{}:{line}: {message}", input::shown(path)))
}

/// A TOML error on one line, with the expectation added where the parser gives none.
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
