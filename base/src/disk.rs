//! Files that this program writes again and again: what must be on disk after a power cut, and what is
//! never written through a link. Whoever can put a symbolic link into a supplied folder must not choose
//! the file that it leads to.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// Brings the entries of the folder of a file to disk, after the file was created or renamed.
///
/// # Errors
/// The folder cannot be opened or synced.
pub fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Replaces a file, or creates it: all of the new content is on disk before it takes the name. What
/// a kill leaves behind is `FILE.new`, which the next attempt overwrites.
///
/// # Errors
/// Writing, syncing or renaming fails; the old file is then as it was, and nothing is left behind.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(content))
}

/// The same with content that `write` writes piece by piece.
///
/// # Errors
/// As for [`replace`], and those of `write`.
pub fn replace_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    replace_by(path, |file| -> Result<(), E> {
        let mut buffered = BufWriter::new(file);
        write(&mut buffered)?;
        let file = buffered.into_inner().map_err(|error| error.into_error())?;
        Ok(file.sync_all()?)
    })?;
    Ok(sync_folder(path)?)
}

/// The same for a file that need not outlast a power cut: no reader sees a part of it.
///
/// # Errors
/// As for [`replace`].
pub fn replace_unsynced(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_by(path, |file| file.write_all(content))
}

/// Replaces a file by one that `write` fills. A link of its name is replaced, not followed.
fn replace_by<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let mut file = create_anew(&new)?;
    let written = write(&mut file).and_then(|()| Ok(fs::rename(&new, path)?));
    if written.is_err() {
        // The error that matters is the first one.
        let _ = fs::remove_file(new);
    }
    written
}

/// Creates a file. What has its name already, a link too, is removed before.
fn create_anew(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => File::create_new(path),
    }
}

/// Opens a file to be read and appended to, and creates it if `create` says so. A pipe in its place would
/// hold up whoever opens it, and what is written through a link is in another file.
///
/// # Errors
/// It cannot be opened, is a symbolic link, or no plain file.
pub fn open_to_append(path: &Path, create: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(create);
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    let opened = options.open(path).and_then(|file| {
        if file.metadata()?.is_file() {
            Ok(file)
        } else {
            Err(io::Error::other("not a file"))
        }
    });
    opened.map_err(|error| match path {
        path if path.is_symlink() => io::Error::other("a symbolic link"),
        path if path.is_dir() => io::Error::other("not a file"),
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_is_written_through_a_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("precious"), "precious").expect("a file");
        for name in ["table", "table.new", "lock"] {
            symlink(path("precious"), path(name)).expect("a link");
        }
        replace(&path("table"), b"one").expect("it is replaced");
        symlink(path("precious"), path("table.new")).expect("a link");
        replace_unsynced(&path("table"), b"two").expect("it is replaced");
        let refused = open_to_append(&path("lock"), true)
            .expect_err("a link")
            .to_string();
        assert_eq!(refused, "a symbolic link");
        assert_eq!(fs::read(path("precious")).expect("a file"), b"precious");
        assert_eq!(fs::read(path("table")).expect("a file"), b"two");
        assert!(!path("table").is_symlink() && !path("table.new").exists());
        assert!(open_to_append(&path("other"), false).is_err());
        assert!(open_to_append(&path("other"), true).is_ok());
        assert!(open_to_append(&path("other"), true).is_ok());
    }

    #[test]
    fn what_cannot_be_written_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("table");
        replace(&path, b"old").expect("it is written");
        let failing = |file: &mut dyn Write| {
            file.write_all(b"new")?;
            Err(io::Error::other("no"))
        };
        assert!(replace_with(&path, failing).is_err());
        assert_eq!(fs::read(&path).expect("a file"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
