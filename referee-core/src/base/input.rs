//! The files that a command reads: as given, all of a folder, and standard input for `-`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

/// The path that means standard input.
const STANDARD: &str = "-";

/// What messages call it.
const NAME: &str = "standard input";

/// The file that makes a folder that of a submitted job.
pub const JOB: &str = "job.json";

/// A copy of standard input, which is read once; files are read several times.
static COPY: Mutex<Option<TempDir>> = Mutex::new(None);

fn copy() -> MutexGuard<'static, Option<TempDir>> {
    COPY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The file to read for a path of the command line: the path, or for `-` a copy of standard input,
/// which exists until [`clean_up`].
///
/// # Errors
/// Standard input cannot be read, or its copy cannot be written.
pub fn file(path: &Path) -> io::Result<PathBuf> {
    if path != Path::new(STANDARD) {
        return Ok(path.to_owned());
    }
    let mut copy = copy();
    if let Some(folder) = &*copy {
        return Ok(folder.path().join(NAME));
    }
    let folder = tempfile::Builder::new()
        .prefix("referee-input-")
        .tempdir()?;
    let file = folder.path().join(NAME);
    io::copy(&mut io::stdin().lock(), &mut File::create(&file)?)?;
    *copy = Some(folder);
    Ok(file)
}

/// The whole text of a file of the command line.
///
/// # Errors
/// It cannot be read, or is not UTF-8.
pub fn text(path: &Path) -> io::Result<String> {
    fs::read_to_string(file(path)?)
}

/// The bytes of a file of the command line.
///
/// # Errors
/// It cannot be read.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(file(path)?)
}

/// Whether a path is standard input or its copy.
pub fn is_standard(path: &Path) -> bool {
    let in_copy = |folder: &TempDir| path.starts_with(folder.path());
    path == Path::new(STANDARD) || copy().as_ref().is_some_and(in_copy)
}

/// A path as messages show it.
pub fn shown(path: &Path) -> String {
    match is_standard(path) {
        true => NAME.to_owned(),
        false => path.display().to_string(),
    }
}

/// The files of a folder and its subfolders with one of these extensions, sorted. Subfolders of
/// submitted jobs are left out: their games are in the log that they were merged into.
///
/// # Errors
/// A folder cannot be read.
pub fn within(folder: &Path, extensions: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            let extension = path.extension().unwrap_or_default();
            if entry.file_type()?.is_dir() {
                if !path.join(JOB).exists() {
                    folders.push(path);
                }
            } else if extensions.iter().any(|wanted| extension == *wanted) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Removes the copy of standard input, when a command has ended.
pub fn clean_up() {
    copy().take();
}
