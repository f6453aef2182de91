//! What must be on disk after a power cut.

use std::fs::File;
use std::io;
use std::path::Path;

/// Brings the entries of the folder of a file to disk, after the file was created or renamed.
///
/// # Errors
/// The folder cannot be opened or synced.
pub fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
