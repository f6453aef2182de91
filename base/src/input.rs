//! The files that a command reads: as given, all of a folder, and standard input for `-`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use tempfile::TempDir;

/// The path that means standard input.
const STANDARD: &str = "-";

/// What messages call it.
const NAME: &str = "standard input";

/// The file that makes a folder that of a submitted job.
pub const JOB: &str = "job.json";

/// How long a file of somebody else may take to be opened, and how often that is tried.
const PATIENCE: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_millis(10);

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

/// Opens a file that somebody else may have supplied. Whoever has a lease on it, or has put a pipe or a
/// device in its place, delays nobody for longer than two seconds.
///
/// # Errors
/// It cannot be opened, not in time, or is no plain file.
pub fn promptly(path: &Path) -> io::Result<File> {
    let deadline = Instant::now() + PATIENCE;
    let mut options = OpenOptions::new();
    options.read(true);
    options.custom_flags(OFlags::NONBLOCK.bits() as i32);
    loop {
        match options.open(path) {
            Err(error)
                if error.kind() == io::ErrorKind::WouldBlock && Instant::now() < deadline =>
            {
                std::thread::sleep(INTERVAL);
            }
            Err(error) => return Err(error),
            Ok(file) if file.metadata()?.is_file() => return Ok(file),
            Ok(_) => return Err(io::Error::other("not a plain file")),
        }
    }
}

/// The whole text of a file that somebody else may have supplied, see [`promptly`].
///
/// # Errors
/// It cannot be read, not in time, is no plain file, or is not UTF-8.
pub fn supplied(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    promptly(path)?.read_to_string(&mut text)?;
    Ok(text)
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
    if is_standard(path) {
        NAME.to_owned()
    } else {
        path.display().to_string()
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn nobody_delays_an_open_for_long() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "text").expect("a file");
        assert!(promptly(&path).is_ok());
        let holder = File::open(&path).expect("a file");
        let lease = |kind: i32| {
            // SAFETY: both calls take numbers, and the descriptor is open. The kernel tells the holder
            // of a lease by SIGIO, which would end the tests.
            unsafe {
                libc::signal(libc::SIGIO, libc::SIG_IGN);
                libc::fcntl(holder.as_raw_fd(), libc::F_SETLEASE, kind) == 0
            }
        };
        if lease(libc::F_WRLCK) {
            let delayed = promptly(&path).expect_err("somebody has a lease");
            assert_eq!(delayed.kind(), io::ErrorKind::WouldBlock);
            lease(libc::F_UNLCK);
        } else {
            println!("not tested here: the file system has no leases");
        }
        assert!(promptly(&path).is_ok());
        let pipe = folder.path().join("pipe");
        let rights = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rights,
            0,
        )
        .expect("a pipe");
        assert!(promptly(&pipe).is_err());
    }
}
