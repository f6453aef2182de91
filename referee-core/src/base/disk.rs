//! What must be on disk after a power cut.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

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
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = Path::new(&new);
    let written = write_synced(new, content).and_then(|()| fs::rename(new, path));
    if written.is_err() {
        // The error that matters is the first one.
        let _ = fs::remove_file(new);
    }
    written?;
    sync_folder(path)
}

fn write_synced(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    file.sync_all()
}
