//! Records of every game, read and written as plain text.

use entry::VariantError;
use entry::record::{self, Format, Header, Recorded, TextReading, TextRecord, Unwritable};
use serde_json::Value;

use crate::rules::Entry;

/// The records of a game of the catalogue.
pub trait Records {
    /// The game's code in contests: `C6`.
    fn code(&self) -> &'static str;

    /// The game's number in SGF.
    fn sgf_number(&self) -> Option<u32>;

    /// The formats that its records can have.
    fn record_formats(&self) -> Vec<Format>;

    /// Whether a text looks like its contest records.
    fn is_contest_record(&self, text: &str) -> bool;

    /// Reads all records of a text and has `take` see each. `variant` is that of records that do not
    /// say; an empty object stands for the contest's rules.
    ///
    /// # Errors
    /// A variant that the game does not have; nothing is then read.
    fn read_records(
        &self,
        format: Format,
        variant: &Value,
        text: &str,
        take: &mut dyn FnMut(TextReading),
    ) -> Result<(), VariantError>;

    /// Writes one record. What stands in a file before the first is [`record::head`].
    ///
    /// # Errors
    /// What the format has no words for.
    fn write_record(&self, format: Format, record: &TextRecord) -> Result<String, Unwritable>;

    /// The name of a file for a record, as the contest wants it.
    ///
    /// # Errors
    /// A record that cannot be played.
    fn record_name(&self, record: &TextRecord) -> Result<String, String>;

    /// What the name of a file says, if it is one of the game's contest records.
    fn named(&self, name: &str) -> Option<Header>;
}

impl<G: Recorded> Records for Entry<G> {
    fn code(&self) -> &'static str {
        G::CODE
    }

    fn sgf_number(&self) -> Option<u32> {
        G::SGF.map(|sgf| sgf.number)
    }

    fn record_formats(&self) -> Vec<Format> {
        record::formats::<G>()
    }

    fn is_contest_record(&self, text: &str) -> bool {
        G::is_contest(text)
    }

    fn read_records(
        &self,
        format: Format,
        variant: &Value,
        text: &str,
        take: &mut dyn FnMut(TextReading),
    ) -> Result<(), VariantError> {
        record::read_text::<G>(format, variant, text, take)
    }

    fn write_record(&self, format: Format, record: &TextRecord) -> Result<String, Unwritable> {
        record.write::<G>(format)
    }

    fn record_name(&self, record: &TextRecord) -> Result<String, String> {
        record.file_name::<G>()
    }

    fn named(&self, name: &str) -> Option<Header> {
        Header::from_name(name, G::CODE, G::LETTERS).map(|(header, _)| header)
    }
}
