//! Output files of records: one for all games, or one per game with the contest's file name.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use catalog::AnyGame;
use records::{self, Format, TextRecord};
use thiserror::Error;

use super::encoding::Encoding;

/// Why a record was not written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The format or the encoding cannot represent it.
    #[error("{0}")]
    Unwritable(String),
    /// The file cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The error.
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

/// Format and encoding of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The format.
    pub format: Format,
    /// The encoding.
    pub encoding: Encoding,
}

impl Style {
    /// A record as bytes, with the file header if it is the first record.
    ///
    /// # Errors
    /// The format or encoding cannot represent the record.
    pub fn bytes(
        self,
        rules: &dyn AnyGame,
        record: &TextRecord,
        is_first: bool,
    ) -> Result<Vec<u8>, OutputError> {
        let text = rules.write_record(self.format, record);
        let text = text.map_err(|error| OutputError::Unwritable(error.to_string()))?;
        let head = if is_first {
            records::head(self.format)
        } else {
            ""
        };
        let bytes = self.encoding.encode(&[head, &text].concat());
        bytes.map_err(OutputError::Unwritable)
    }
}

/// A folder with one file per record.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Number of files tried for each name.
    known: HashMap<String, u32>,
}

impl Folder {
    /// The folder at `path`; it is created when needed.
    pub fn new(path: PathBuf) -> Folder {
        Folder {
            path,
            known: HashMap::new(),
        }
    }

    /// Writes a record to a new file. No file is overwritten: if the name exists, ` (2)` and so on
    /// is added. Returns the path of the file.
    ///
    /// # Errors
    /// The format or encoding cannot represent the record, or the file cannot be written; no
    /// partial file remains.
    pub fn write(
        &mut self,
        style: Style,
        rules: &dyn AnyGame,
        record: &TextRecord,
    ) -> Result<PathBuf, OutputError> {
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
                    // A truncated file would look complete.
                    return match file.write_all(&bytes) {
                        Ok(()) => Ok(path),
                        Err(error) => {
                            let _ = fs::remove_file(&path);
                            Err(OutputError::of(&path)(error))
                        }
                    };
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(OutputError::of(&path)(error)),
            }
        }
    }
}

/// Output of records.
pub enum Output {
    /// One file per game in this folder.
    Folder(Style, Folder),
    /// One file, or standard output.
    File(Style, OneFile),
}

/// One file with all records.
pub struct OneFile {
    path: PathBuf,
    /// Created when needed, so that no empty file remains if nothing could be read.
    file: Option<Box<dyn Write>>,
    /// The game of the records in it.
    game: Option<&'static str>,
}

impl Output {
    /// Standard output for [`STDOUT`], a folder, if [`is_folder`] says so; otherwise a new file.
    ///
    /// # Errors
    /// The file exists already.
    pub fn open(path: &Path, style: Style) -> Result<Output, OutputError> {
        let out = (path == Path::new(STDOUT)).then(|| Box::new(io::stdout()) as Box<dyn Write>);
        if out.is_none() && is_folder(path) {
            return Ok(Output::Folder(style, Folder::new(path.to_owned())));
        }
        if out.is_none() && path.symlink_metadata().is_ok() {
            return Err(OutputError::of(path)(io::Error::other("already exists")));
        }
        let one = OneFile {
            path: path.to_owned(),
            file: out,
            game: None,
        };
        Ok(Output::File(style, one))
    }

    /// The format of the records.
    pub fn format(&self) -> Format {
        match self {
            Output::Folder(style, _) | Output::File(style, _) => style.format,
        }
    }

    /// Writes a record.
    ///
    /// # Errors
    /// As for [`Folder::write`], or the file holds records of another game.
    pub fn write(
        &mut self,
        rules: &'static dyn AnyGame,
        record: &TextRecord,
    ) -> Result<(), OutputError> {
        match self {
            Output::Folder(style, folder) => folder.write(*style, rules, record).map(drop),
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
            self.file = Some(Box::new(new?));
        }
        self.file
            .as_mut()
            .map_or(Ok(()), |file| file.write_all(bytes))
    }
}

/// The path that stands for standard output.
pub const STDOUT: &str = "-";

/// Whether a path is a folder, ends with a slash, or is new and has no extension.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
        || path.as_os_str().as_encoded_bytes().ends_with(b"/")
        || (path.extension().is_none() && path.symlink_metadata().is_err())
}
