//! The journal of a session: one line of JSON an event, on the disk before the event counts.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use base::disk::{open_to_append, sync_folder};
use base::error::BadInput;
use base::input;
use gamelog::{lock, write_beside};
use jiff::Timestamp;

use super::event::Entry;

/// Name of the journal in the folder of a session. It is not `*.jsonl`: those are logs of games.
pub const FILE_NAME: &str = "journal.ndjson";

/// The journal of a session, which no other program may write meanwhile.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    /// Length of the whole lines in the file, in bytes.
    length: u64,
    /// Lines that could not be written yet.
    unwritten: Vec<u8>,
}

/// A journal that has been opened.
pub(super) struct Opened {
    pub(super) journal: Journal,
    pub(super) entries: Vec<Entry>,
    /// The last [`Journal::beat`], or when the file was changed after it.
    pub(super) alive: Option<Timestamp>,
    /// A warning for the user, if a broken last line was set aside.
    pub(super) warning: Option<String>,
}

impl Journal {
    /// Creates the folder of a session in `folder`, with an empty journal. Its name is `stem` and a
    /// number: `2026-11-23-hex-1`.
    ///
    /// # Errors
    /// The folder or the file cannot be created.
    pub(super) fn create(folder: &Path, stem: &str) -> Result<(PathBuf, Journal), BadInput> {
        let failed = |path: &Path, error: io::Error| {
            BadInput(format!(
                "{}: {error}, expected a folder for a session",
                path.display()
            ))
        };
        fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        for number in 1.. {
            let path = folder.join(format!("{stem}-{number}"));
            // A tab that still shows a session that was removed must not meet another one.
            if !first_use(&path) {
                continue;
            }
            match fs::create_dir(&path) {
                Ok(()) => {
                    // The seed of the dice is in it, and whoever may open it may lock it.
                    let mut options = OpenOptions::new();
                    options.write(true).create_new(true).mode(0o600);
                    let made = options.open(path.join(FILE_NAME));
                    made.map_err(|error| failed(&path, error))?;
                    let opened = Journal::open(&path)?;
                    sync_folder(&path).map_err(|error| failed(&path, error))?;
                    return Ok((path, opened.journal));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path, error)),
            }
        }
        unreachable!("the numbers do not end")
    }

    /// Opens and locks the journal in the folder of a session. If the program was killed while it
    /// wrote, the last line is broken; it is moved to a file beside it.
    ///
    /// # Errors
    /// The file cannot be written, another program has it open, or a line that is not the last is not
    /// an event.
    pub(super) fn open(folder: &Path) -> Result<Opened, BadInput> {
        let path = &folder.join(FILE_NAME);
        let failed = |error: io::Error| {
            BadInput(format!(
                "{}: {error}, expected the journal of a session",
                path.display()
            ))
        };
        let mut file = open_to_append(path, false).map_err(failed)?;
        let beaten = file.metadata().and_then(|metadata| metadata.modified());
        let alive = beaten.ok().and_then(|time| Timestamp::try_from(time).ok());
        if !lock(&file).map_err(failed)? {
            let message = format!(
                "{}: another program goes on with this session",
                path.display()
            );
            return Err(BadInput(message));
        }
        // Another program may have removed it, and with it the lock, while this one waited.
        let there = fs::metadata(path).map_err(failed)?;
        let opened = file.metadata().map_err(failed)?;
        if (there.dev(), there.ino()) != (opened.dev(), opened.ino()) {
            return Err(failed(ErrorKind::NotFound.into()));
        }
        sync_folder(path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.rewind()
            .and_then(|()| file.read_to_end(&mut bytes))
            .map_err(failed)?;
        let (entries, length) = parse(path, &bytes)?;
        let mut warning = None;
        if length < bytes.len() {
            let aside = write_beside(path, "broken", &bytes[length..]).map_err(failed)?;
            file.set_len(length as u64).map_err(failed)?;
            let (path, aside) = (path.display(), aside.display());
            warning = Some(format!("{path}: broken last line, moved to {aside}"));
        }
        let journal = Journal {
            file,
            length: length as u64,
            unwritten: Vec::new(),
        };
        Ok(Opened {
            journal,
            entries,
            alive,
            warning,
        })
    }

    /// Notes that the program runs at this time: it becomes that of the file's last change.
    pub(super) fn beat(&self, time: Timestamp) {
        // Without it the program seems to have ended at the last event, which costs nobody any time.
        let _ = self.file.set_modified(time.into());
    }

    /// Writes an event and brings it to the disk, after those that could not be written before. If
    /// that fails, it stays in memory until the next call.
    ///
    /// # Errors
    /// The file cannot be written. No part of a line remains in it, if it can be helped.
    pub(super) fn append(&mut self, entry: &Entry) -> io::Result<()> {
        serde_json::to_writer(&mut self.unwritten, entry)?;
        self.unwritten.push(b'\n');
        // A part of a line may remain of a failed attempt.
        self.file.set_len(self.length)?;
        let written = self.file.write_all(&self.unwritten);
        if let Err(error) = written.and_then(|()| self.file.sync_data()) {
            // The next attempt, or the next start, repeats what fails here.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += self.unwritten.len() as u64;
        self.unwritten.clear();
        // The system notes the time of the wall, which somebody may have changed.
        self.beat(entry.time);
        Ok(())
    }
}

/// Removes the journal of a session, and its folder if nothing else is in it.
///
/// # Errors
/// The journal cannot be removed.
pub(super) fn remove(folder: &Path) -> Result<(), BadInput> {
    let path = folder.join(FILE_NAME);
    let failed = |error| BadInput(format!("{}: {error}, expected a file", path.display()));
    fs::remove_file(&path).map_err(failed)?;
    // What was set aside of a broken journal stays.
    let _ = fs::remove_dir(folder);
    sync_folder(folder).map_err(failed)
}

/// Whether this process asks for a folder for the first time.
fn first_use(path: &Path) -> bool {
    static USED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    used.insert(path.to_owned())
}

/// The events of the journal in the folder of a session that may be in progress. A broken last line
/// is ignored.
///
/// # Errors
/// The file cannot be read, or a line that is not the last is not an event.
pub(super) fn read(folder: &Path) -> Result<Vec<Entry>, BadInput> {
    let path = folder.join(FILE_NAME);
    let mut bytes = Vec::new();
    let read = input::promptly(&path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|error| {
        BadInput(format!(
            "{}: {error}, expected the journal of a session",
            path.display()
        ))
    })?;
    Ok(parse(&path, &bytes)?.0)
}

/// The events in the lines of a journal, and the length of these lines in bytes. A last line that is
/// no event is left out.
fn parse(path: &Path, bytes: &[u8]) -> Result<(Vec<Entry>, usize), BadInput> {
    let (mut entries, mut length) = (Vec::new(), 0);
    for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        match serde_json::from_slice(line) {
            Ok(entry) if line.ends_with(b"\n") => {
                entries.push(entry);
                length += line.len();
            }
            Err(error) if length + line.len() < bytes.len() => {
                let path = path.display();
                return Err(BadInput(format!(
                    "{path}:{number}: {error}, expected an event"
                )));
            }
            _ => {}
        }
    }
    Ok((entries, length))
}

#[cfg(test)]
impl Journal {
    /// Makes every write fail, like a full disk.
    pub(super) fn fail(&mut self, folder: &Path) {
        self.file = File::open(folder.join(FILE_NAME)).expect("the journal is there");
    }

    /// Ends this.
    pub(super) fn recover(&mut self, folder: &Path) {
        let options = OpenOptions::new().append(true).open(folder.join(FILE_NAME));
        self.file = options.expect("the journal is there");
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::super::event::Event;
    use super::*;

    fn entry(second: i64) -> Entry {
        Entry {
            time: Timestamp::from_second(second).unwrap(),
            event: Event::Pause,
        }
    }

    fn begun() -> (tempfile::TempDir, PathBuf, Journal) {
        let desk = tempfile::tempdir().unwrap();
        let (folder, mut journal) = Journal::create(desk.path(), "day-hex").unwrap();
        journal.append(&entry(1)).unwrap();
        journal.append(&entry(2)).unwrap();
        (desk, folder, journal)
    }

    /// It tells until when the program ran, and the clock of the machine may jump.
    #[test]
    fn the_file_has_the_time_of_the_last_event() {
        let (_desk, folder, _journal) = begun();
        let changed = fs::metadata(folder.join(FILE_NAME))
            .unwrap()
            .modified()
            .unwrap();
        assert_eq!(Timestamp::try_from(changed).unwrap(), entry(2).time);
    }

    #[test]
    fn every_session_has_a_folder_of_its_own() {
        let (desk, folder, _journal) = begun();
        assert_eq!(folder, desk.path().join("day-hex-1"));
        let (other, _) = Journal::create(desk.path(), "day-hex").unwrap();
        assert_eq!(other, desk.path().join("day-hex-2"));
    }

    #[test]
    fn a_broken_last_line_is_set_aside() {
        for broken in ["{\"time\":\"2026", "{\"time\":\n", "\0\0\0\n"] {
            let (_desk, folder, journal) = begun();
            drop(journal);
            let path = folder.join(FILE_NAME);
            let whole = fs::read_to_string(&path).unwrap();
            fs::write(&path, format!("{whole}{broken}")).unwrap();
            assert_eq!(read(&folder).unwrap(), [entry(1), entry(2)]);
            let mut opened = Journal::open(&folder).unwrap();
            assert_eq!(opened.entries, [entry(1), entry(2)]);
            let aside = format!("{}.broken-1", path.display());
            assert!(opened.warning.unwrap().ends_with(&aside), "{broken:?}");
            assert_eq!(fs::read_to_string(aside).unwrap(), broken);
            opened.journal.append(&entry(3)).unwrap();
            assert_eq!(read(&folder).unwrap().len(), 3);
        }
    }

    #[test]
    fn a_broken_line_before_the_last_is_an_error_with_its_place() {
        let (_desk, folder, journal) = begun();
        drop(journal);
        let path = folder.join(FILE_NAME);
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{{}}\n{whole}")).unwrap();
        let message = read(&folder).unwrap_err().0;
        assert!(message.contains("journal.ndjson:1: "), "{message}");
        assert!(message.ends_with("expected an event"), "{message}");
    }

    #[test]
    fn only_one_program_writes_a_journal() {
        let (_desk, folder, _journal) = begun();
        let Err(BadInput(message)) = Journal::open(&folder) else {
            panic!("it is locked");
        };
        assert!(
            message.ends_with("another program goes on with this session"),
            "{message}"
        );
        assert_eq!(read(&folder).unwrap().len(), 2);
    }

    #[test]
    fn what_a_full_disk_refuses_is_written_later() {
        let (_desk, folder, mut journal) = begun();
        journal.fail(&folder);
        assert!(journal.append(&entry(3)).is_err());
        assert!(journal.append(&entry(4)).is_err());
        assert_eq!(read(&folder).unwrap().len(), 2);
        journal.recover(&folder);
        journal.append(&entry(5)).unwrap();
        let entries: Vec<Entry> = (1..=5).map(entry).collect();
        assert_eq!(read(&folder).unwrap(), entries);
    }
}
