//! Records of every game, read and written as plain text.

use game::{Engine, VariantError};
use records::{self, Format, Header, Recorded, TextReading, TextRecord, Unwritable};
use serde_json::Value;

use crate::Entry;

/// Game records of one game.
pub trait Records {
    /// The game's code in contests: `C6`.
    fn code(&self) -> &'static str;

    /// The game's number in SGF.
    fn sgf_number(&self) -> Option<u32>;

    /// The record formats of the game.
    fn record_formats(&self) -> Vec<Format>;

    /// Whether a text looks like a contest record of the game.
    fn is_contest_record(&self, text: &str) -> bool;

    /// Reads all records of a text and passes each to `take`. `variant` applies to records that do
    /// not name theirs; an empty object means the contest's rules.
    ///
    /// # Errors
    /// The game does not have the variant; nothing is read then.
    fn read_records(
        &self,
        format: Format,
        variant: &Value,
        text: &str,
        take: &mut dyn FnMut(TextReading),
    ) -> Result<(), VariantError>;

    /// Writes one record. The text before the first record of a file is [`records::head`].
    ///
    /// # Errors
    /// The format cannot express the record.
    fn write_record(&self, format: Format, record: &TextRecord) -> Result<String, Unwritable>;

    /// The file name of a record, as the contest requires it.
    ///
    /// # Errors
    /// The record cannot be played.
    fn record_name(&self, record: &TextRecord) -> Result<String, String>;

    /// The header given by a file name, if it is that of a contest record of the game.
    fn named(&self, name: &str) -> Option<Header>;
}

impl<G: Recorded + Engine> Records for Entry<G> {
    fn code(&self) -> &'static str {
        G::CODE
    }

    fn sgf_number(&self) -> Option<u32> {
        G::SGF.map(|sgf| sgf.number)
    }

    fn record_formats(&self) -> Vec<Format> {
        records::formats::<G>()
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
        records::read_text::<G>(format, variant, text, take)
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
