//! The files of a folder that may have games, and how many others there are.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use base::input;

use super::kind::{Form, Kind, kind_of};

/// Extensions of files of games; files that are none are refused, with the reason.
const RECORDS: [&str; 12] = [
    "csv", "gmres", "hsgf", "lib", "pos", "psq", "rec", "rif", "sgf", "six", "trl", "txt",
];

/// Records that are not read, because a log beside or above them has their games.
const BESIDE: &str = "records beside a log";

/// Bytes that are looked at in a file with another extension.
const HEAD: u64 = 4_096;

/// Files of games.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The files to read, in order.
    pub paths: Vec<PathBuf>,
    /// Files of folders that are not read, by kind: an extension with its point, or words.
    pub left_out: BTreeMap<String, usize>,
    /// Number of files read so far.
    pub read: usize,
    /// Number of files refused so far: none of their text is a game.
    pub refused: usize,
    /// Whether a folder was searched for records.
    pub is_search: bool,
}

impl Files {
    /// The totals, for a search: `5 files: 3 read, 1 refused, 1 not looked at (1 .png)`.
    pub fn in_words(&self) -> Option<String> {
        let (read, refused) = (self.read, self.refused);
        let others: usize = self.left_out.values().sum();
        let seen = read + refused + others;
        let files = if seen == 1 { "file" } else { "files" };
        let mut text = format!("{seen} {files}: {read} read, {refused} refused");
        if others > 0 {
            text += &format!(", {others} not looked at{}", self.left_out_in_words());
        }
        self.is_search.then_some(text)
    }

    /// The files that are not read, by kind, in parentheses; empty if there are none.
    pub(super) fn left_out_in_words(&self) -> String {
        let kinds = self
            .left_out
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"));
        let kinds: Vec<String> = kinds.collect();
        if kinds.is_empty() {
            String::new()
        } else {
            format!(" ({})", kinds.join(", "))
        }
    }

    fn leave_out(&mut self, kind: impl Into<String>) {
        *self.left_out.entry(kind.into()).or_default() += 1;
    }
}

/// Adds the files of a folder and its subfolders, sorted. Where a folder has a log, the log has its
/// games, and records in it and below are left out.
///
/// # Errors
/// The folder cannot be read.
pub(super) fn add(folder: &Path, form: Option<Form>, files: &mut Files) -> io::Result<()> {
    let from = files.paths.len();
    add_folder(folder, form, false, files)?;
    files.paths[from..].sort();
    // Of a folder of logs, nothing but its games is told.
    let is_log = |path: &PathBuf| has_extension(path, &[crate::EXTENSION]);
    files.is_search |=
        files.left_out.contains_key(BESIDE) || !files.paths[from..].iter().all(is_log);
    Ok(())
}

fn add_folder(
    folder: &Path,
    form: Option<Form>,
    is_below_log: bool,
    files: &mut Files,
) -> io::Result<()> {
    let entries: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    let is_below_log = is_below_log
        || entries
            .iter()
            .any(|path| has_extension(path, &[crate::EXTENSION]));
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_link = path.is_symlink();
        match fs::metadata(&path) {
            _ if name.starts_with('.') => files.leave_out("hidden"),
            Ok(about) if about.is_dir() && is_link => files.leave_out("links to folders"),
            Ok(about) if about.is_dir() && path.join(input::JOB).exists() => {
                files.leave_out("folders of a submitted job, whose games are merged");
            }
            Ok(about) if about.is_dir() => add_folder(&path, form, is_below_log, files)?,
            Ok(about) if about.is_file() => add_file(path, form, is_below_log, files),
            _ => files.leave_out("that are no regular files"),
        }
    }
    Ok(())
}

fn has_extension(path: &Path, known: &[&str]) -> bool {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    known.iter().any(|known| extension == *known)
}

fn add_file(path: PathBuf, form: Option<Form>, is_below_log: bool, files: &mut Files) {
    let is_log = has_extension(&path, &[crate::EXTENSION]);
    let has_mark = !is_log && form != Some(Form::Log) && has_mark(&path);
    let is_record = !is_log && (has_extension(&path, &RECORDS) || has_mark);
    let is_wanted = match form {
        Some(Form::Log) => is_log,
        Some(_) => is_record,
        None => is_log || is_record && !is_below_log,
    };
    if is_wanted {
        files.paths.push(path);
    } else if form == Some(Form::Log) {
        // The user asked for logs only.
    } else if form.is_none() && is_below_log && has_mark {
        files.leave_out(BESIDE);
    } else {
        files.leave_out(match path.extension() {
            Some(extension) => format!(".{}", extension.to_string_lossy()),
            None => "without extension".to_owned(),
        });
    }
}

/// Whether a file with any name begins like records.
fn has_mark(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    if read.is_err() || head.contains(&0) {
        return false;
    }
    let text = String::from_utf8_lossy(&head);
    let begins = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let is_quoted = !begins.starts_with(['(', '{', '[']) && records::has_game(begins);
    !is_quoted && matches!(kind_of(Path::new(""), &text), Kind::Marked(_))
}
