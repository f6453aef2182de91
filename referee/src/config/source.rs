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

    /// A table as a `T`.
    pub(super) fn read_table<T: DeserializeOwned>(
        &self,
        table: &Spanned<DeTable<'_>>,
    ) -> Result<T, BadInput> {
        let value = DeValue::Table(table.get_ref().clone());
        T::deserialize(ValueDeserializer::from(Spanned::new(table.span(), value)))
            .map_err(|error| syntax(self.path, self.text, &error))
    }

    /// The table to which `steps` lead, if there is one.
    pub(super) fn table(&self, steps: &[Step<'_>]) -> Option<Spanned<DeTable<'t>>> {
        let (_, value) = self.walk(steps).nth(steps.len().checked_sub(1)?)?;
        let table = value.get_ref().as_table()?;
        Some(Spanned::new(value.span(), table.clone()))
    }

    /// How many elements the array of this name at the top of the file has, such as all
    /// `[[stage]]`.
    pub(super) fn count(&self, key: &str) -> usize {
        let value = self.root.get_ref().get(key);
        value
            .and_then(|value| value.get_ref().as_array())
            .map_or(0, |array| array.len())
    }

    /// An error in the line where `steps` lead, or in the nearest line above that the file has.
    pub(super) fn error(&self, steps: &[Step<'_>], message: impl Display) -> BadInput {
        at(self.path, self.line(steps), message)
    }

    /// The line, from 1, of the key or element to which `steps` lead, as far as the file has them.
    fn line(&self, steps: &[Step<'_>]) -> usize {
        let last = self.walk(steps).last();
        last.map_or(1, |(span, _)| line_of(self.text, span))
    }

    /// What stands at each of `steps`, as far as the file has them: the place of the key or element,
    /// and the value.
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
