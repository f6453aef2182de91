//! The text of a TOML file, and the line number of each key.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

use base::error::BadInput;
use base::input;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error, ValueDeserializer};

use super::overrides::Override;

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

/// A league file, and the keys that are set instead of its own.
pub(super) struct Text<'t> {
    /// Only used in messages.
    path: &'t Path,
    overrides: &'t [Override],
    /// The file, then a line for each override.
    all: String,
    /// Length of the file, in bytes.
    file: usize,
    /// The line of each override after as many blanks as there are bytes before it, so that spans in
    /// it are places in `all`.
    lines: Vec<String>,
}

impl<'t> Text<'t> {
    pub(super) fn new(path: &'t Path, file: &str, overrides: &'t [Override]) -> Text<'t> {
        let mut all = format!("{file}\n");
        let file = all.len();
        let mut lines = Vec::new();
        for set in overrides {
            lines.push(" ".repeat(all.len()) + set.line());
            all = all + set.line() + "\n";
        }
        Text {
            path,
            overrides,
            all,
            file,
            lines,
        }
    }

    /// Where a span begins, as messages tell it: file and line, or the override.
    fn place(&self, span: Range<usize>) -> String {
        let start = span.start.min(self.all.len());
        let lines = |text: &str| text.bytes().filter(|&byte| byte == b'\n').count();
        if let Some(after) = self.all.get(self.file..start)
            && let Some(set) = self.overrides.get(lines(after))
        {
            return set.to_string();
        }
        format!(
            "{}:{}",
            input::shown(self.path),
            1 + lines(&self.all[..start])
        )
    }

    /// A TOML error on one line, with the expectation added where the parser gives none.
    fn syntax(&self, error: &Error) -> BadInput {
        let lines: Vec<&str> = error.message().lines().map(str::trim).collect();
        let mut message = lines.join(", ");
        if message.contains("duration") {
            message += ", such as \"60s\" or \"500ms\"";
        } else if !message.contains("expected") {
            message += ", expected a league file";
        }
        BadInput(format!(
            "{}: {message}",
            self.place(error.span().unwrap_or(0..0))
        ))
    }
}

/// A parsed league file, not yet deserialized.
pub(super) struct Source<'t> {
    text: &'t Text<'t>,
    root: Spanned<DeTable<'t>>,
}

impl<'t> Source<'t> {
    /// Parses a text, and sets its overrides.
    pub(super) fn parse(text: &'t Text<'t>) -> Result<Source<'t>, BadInput> {
        let file = &text.all[..text.file - 1];
        let mut root = DeTable::parse(file).map_err(|error| text.syntax(&error))?;
        for (set, line) in text.overrides.iter().zip(&text.lines) {
            set.apply(root.get_mut(), line)
                .map_err(|message| BadInput(format!("{set}: {message}")))?;
        }
        Ok(Source { text, root })
    }

    /// Deserializes the whole file.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, BadInput> {
        T::deserialize(Deserializer::from(self.root.clone()))
            .map_err(|error| self.text.syntax(&error))
    }

    /// Deserializes a table.
    pub(super) fn read_table<T: DeserializeOwned>(
        &self,
        table: &Spanned<DeTable<'_>>,
    ) -> Result<T, BadInput> {
        let value = DeValue::Table(table.get_ref().clone());
        T::deserialize(ValueDeserializer::from(Spanned::new(table.span(), value)))
            .map_err(|error| self.text.syntax(&error))
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

    /// An error at the key or element at `steps`, or at its nearest existing ancestor.
    pub(super) fn error(&self, steps: &[Step<'_>], message: impl Display) -> BadInput {
        let last = self.walk(steps).last();
        let place = self.text.place(last.map_or(0..0, |(span, _)| span));
        BadInput(format!("{place}: {message}"))
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
