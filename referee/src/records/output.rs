//! New files of records: one for all games, or one a game, named as the contest wants it.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use catalog::Rules;
use entry::record::{self, Format, TextRecord};
use thiserror::Error;

use super::encoding::Encoding;

/// Why a record was not written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The format or the encoding has no words for it.
    #[error("{0}")]
    Unwritable(String),
    /// The file cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl OutputError {
    fn of(path: &Path) -> impl Fn(io::Error) -> OutputError + '_ {
        |error| OutputError::File {
            path: path.to_owned(),
            error,
        }
    }
}

/// How records are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The format.
    pub format: Format,
    /// The encoding.
    pub encoding: Encoding,
}

impl Style {
    /// A record in bytes, with what stands in a file before it, if it is the first.
    ///
    /// # Errors
    /// What format or encoding have no words for.
    pub fn bytes(
        self,
        rules: &dyn Rules,
        record: &TextRecord,
        is_first: bool,
    ) -> Result<Vec<u8>, OutputError> {
        let text = rules.write_record(self.format, record);
        let text = text.map_err(|error| OutputError::Unwritable(error.to_string()))?;
        let head = if is_first {
            record::head(self.format)
        } else {
            ""
        };
        let bytes = self.encoding.encode(&[head, &text].concat());
        bytes.map_err(OutputError::Unwritable)
    }
}

/// A folder for records, each in a file of its own.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// How many files of a name have been looked at.
    known: HashMap<String, u32>,
}

impl Folder {
    /// The folder at `path`, which is made when it is needed.
    pub fn new(path: PathBuf) -> Folder {
        Folder {
            path,
            known: HashMap::new(),
        }
    }

    /// Writes a record to a new file. None is overwritten: where there is one of that name, ` (2)` is
    /// added to it.
    ///
    /// # Errors
    /// What format or encoding have no words for, or a file that cannot be written; none is then left.
    pub fn write(
        &mut self,
        style: Style,
        rules: &dyn Rules,
        record: &TextRecord,
    ) -> Result<(), OutputError> {
        let bytes = style.bytes(rules, record, true)?;
        let name = rules.record_name(record).map_err(OutputError::Unwritable)?;
        let stem = name.strip_suffix(".txt").unwrap_or(&name);
        let extension = style.format.extension();
        fs::create_dir_all(&self.path).map_err(OutputError::of(&self.path))?;
        let known = self.known.entry(stem.to_owned()).or_default();
        loop {
            *known += 1;
            let path = self.path.join(match *known {
                1 => format!("{stem}.{extension}"),
                number => format!("{stem} ({number}).{extension}"),
            });
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    // A part of it would look like the whole.
                    return file.write_all(&bytes).map_err(|error| {
                        let _ = fs::remove_file(&path);
                        OutputError::of(&path)(error)
                    });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(OutputError::of(&path)(error)),
            }
        }
    }
}

/// Where records go.
pub enum Output {
    /// A file a game, in this folder.
    Folder(Style, Folder),
    /// One file.
    File(Style, OneFile),
}

/// One file for all records.
pub struct OneFile {
    path: PathBuf,
    /// Made when it is needed, so that none is left where nothing could be read.
    file: Option<File>,
    /// The game of those that it holds.
    game: Option<&'static str>,
}

impl Output {
    /// A folder, if there is one at `path` or its name ends with a slash, or else a new file.
    ///
    /// # Errors
    /// A file that is there already.
    pub fn open(path: &Path, style: Style) -> Result<Output, OutputError> {
        if is_folder(path) {
            return Ok(Output::Folder(style, Folder::new(path.to_owned())));
        }
        if path.symlink_metadata().is_ok() {
            return Err(OutputError::of(path)(io::Error::other("it exists")));
        }
        let one = OneFile {
            path: path.to_owned(),
            file: None,
            game: None,
        };
        Ok(Output::File(style, one))
    }

    /// Writes a record.
    ///
    /// # Errors
    /// As for [`Folder::write`]; and a record of another game than those that the file holds.
    pub fn write(
        &mut self,
        rules: &'static dyn Rules,
        record: &TextRecord,
    ) -> Result<(), OutputError> {
        match self {
            Output::Folder(style, folder) => folder.write(*style, rules, record),
            Output::File(style, one) => {
                if let Some(game) = one.game.filter(|game| *game != rules.id()) {
                    return Err(OutputError::Unwritable(format!(
                        "a game of {} in one file with {game}, expected one game, or a folder",
                        rules.id()
                    )));
                }
                let bytes = style.bytes(rules, record, one.game.is_none())?;
                one.append(&bytes).map_err(OutputError::of(&one.path))?;
                one.game = Some(rules.id());
                Ok(())
            }
        }
    }
}

impl OneFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.file.is_none() {
            let new = OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&self.path);
            self.file = Some(new?);
        }
        self.file
            .as_mut()
            .map_or(Ok(()), |file| file.write_all(bytes))
    }
}

/// Whether a path names a folder.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}
