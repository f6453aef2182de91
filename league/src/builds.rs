//! The builds of engines: which files an engine consists of, and a digest of their contents.
//!
//! The words of a command stay the same when a program is rebuilt, a script edited or a net trained
//! on. The digest does not, so the log shows which games were played by the same engine.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use base::input;
use serde_json::Value;
use sha2::{Digest, Sha256};
use task::all_named;

use crate::config::{EngineConfig, Program, is_written};

/// Bytes of a digest that identify a build; written as twice as many hexadecimal digits.
const BYTES: usize = 8;

/// Computes builds. Each file is read once, and again when it has changed.
#[derive(Debug, Default)]
pub struct Builds {
    read: Mutex<HashMap<PathBuf, (Stamp, [u8; 32])>>,
}

impl Builds {
    /// The build of an engine: the first 16 hexadecimal digits of the SHA-256 of its program or, if
    /// other files belong to it, of the SHA-256 digests of all of them. Empty if one of them cannot
    /// be read. `referee` is the program of built-in engines.
    ///
    /// Words of the command and values of options that name a file belong to the engine, also after
    /// a `=`; so do relative names in its own directory. Its wrapper does not, and nor does what it may
    /// change: logs, experience, learned books.
    pub fn of(&self, engine: &EngineConfig, referee: &Path) -> String {
        let (program, arguments) = match &engine.program {
            Program::Builtin(_) => (referee, [].as_slice()),
            Program::Command {
                path, arguments, ..
            } => (path.as_path(), arguments.as_slice()),
        };
        let directory = engine.directory.as_ref().map(|found| found.path.as_path());
        let mut files = files(program, arguments, &engine.sent_options, directory);
        files.retain(|file| !is_written(file, engine));
        self.of_files(&files)
    }

    /// The build of a program of one file.
    pub fn of_program(&self, program: &Path) -> String {
        self.of_files(&[program.to_owned()])
    }

    fn of_files(&self, files: &[PathBuf]) -> String {
        let digests: io::Result<Vec<[u8; 32]>> =
            files.iter().map(|file| self.digest(file)).collect();
        match digests.as_deref() {
            Err(_) => String::new(),
            Ok([one]) => hexadecimal(one),
            Ok(several) => hexadecimal(&Sha256::digest(several.concat()).into()),
        }
    }

    /// The SHA-256 of a file.
    fn digest(&self, path: &Path) -> io::Result<[u8; 32]> {
        let read = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = Stamp::of(&fs::metadata(path)?);
        if let Some((known, digest)) = read().get(path)
            && *known == stamp
        {
            return Ok(*digest);
        }
        let mut hasher = Sha256::new();
        io::copy(&mut input::promptly(path)?, &mut hasher)?;
        let digest = hasher.finalize().into();
        read().insert(path.to_owned(), (stamp, digest));
        Ok(digest)
    }
}

/// What changes when a file is written: a file with the same stamp has the same content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    fn of(file: &Metadata) -> Stamp {
        Stamp {
            file: (file.dev(), file.ino()),
            size: file.size(),
            modified: (file.mtime(), file.mtime_nsec()),
            changed: (file.ctime(), file.ctime_nsec()),
        }
    }
}

/// The files of an engine: its program, then those that arguments and options name, in that order.
fn files(
    program: &Path,
    arguments: &[String],
    options: &BTreeMap<String, Value>,
    directory: Option<&Path>,
) -> Vec<PathBuf> {
    let named = all_named(arguments, options, directory).into_iter();
    let named = named.filter(|path| path.is_file());
    [program.to_owned()].into_iter().chain(named).collect()
}

fn hexadecimal(digest: &[u8; 32]) -> String {
    digest[..BYTES]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The build of an engine `program` in `folder`, with these arguments and this option.
    fn build(builds: &Builds, folder: &Path, arguments: &[&str], option: &str) -> String {
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let options = BTreeMap::from([("book".to_owned(), Value::from(option))]);
        let program = folder.join("program");
        builds.of_files(&files(&program, &arguments, &options, Some(folder)))
    }

    #[test]
    fn a_program_alone_has_its_own_digest() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("program"), "abc").expect("it is written");
        let builds = Builds::default();
        // The SHA-256 of "abc" in FIPS 180-2.
        let expected = "ba7816bf8f01cfea";
        assert_eq!(build(&builds, folder.path(), &[], ""), expected);
        assert_eq!(build(&builds, folder.path(), &["--fast"], ""), expected);
    }

    #[test]
    fn scripts_and_weights_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| fs::write(path(name), text).expect("it is written");
        for name in ["program", "bot.py", "net", "other"] {
            write(name, name);
        }
        let builds = Builds::default();
        let other = path("other").to_string_lossy().into_owned();
        let arguments = ["bot.py", "--weights=net"];
        let now = || build(&builds, folder.path(), &arguments, &other);
        let mut before = now();
        for name in ["program", "bot.py", "net", "other"] {
            write(name, "something else");
            let after = now();
            assert_ne!(after, before, "{name}");
            before = after;
        }
        write("unrelated", "");
        assert_eq!(now(), before);
    }

    #[test]
    fn a_changed_file_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("program");
        let builds = Builds::default();
        let now = || build(&builds, folder.path(), &[], "");
        fs::write(&path, "abc").expect("it is written");
        let before = now();
        assert_eq!(now(), before);
        // As compilers do it: a new file of the same size takes the name.
        fs::write(folder.path().join("new"), "abd").expect("it is written");
        fs::rename(folder.path().join("new"), &path).expect("it is renamed");
        assert_ne!(now(), before);
        fs::remove_file(&path).expect("it is removed");
        assert_eq!(now(), "");
    }
}
