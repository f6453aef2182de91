//! The builds of engines: which files an engine consists of, and a digest of their contents.
//!
//! The words of a command stay the same when a program is rebuilt, a script edited or a net trained
//! on. The digest does not, so the log shows which games were played by the same engine.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::config::{EngineConfig, Program};
use crate::task::{EngineSpec, GameTask};

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
    /// be read.
    ///
    /// Words of the command and values of options that name a file belong to the engine, also after
    /// a `=`; so do relative names in its own directory. Its wrapper does not.
    pub fn of(&self, spec: &EngineSpec) -> String {
        let files = files(
            spec.program.as_deref(),
            &spec.arguments,
            &spec.options,
            spec.directory.as_deref(),
        );
        self.of_files(&files)
    }

    /// The build of an engine of a league file. `referee` is the program of built-in engines.
    pub fn of_config(&self, engine: &EngineConfig, referee: &Path) -> String {
        let (program, arguments) = match &engine.program {
            Program::Builtin(_) => (referee, [].as_slice()),
            Program::Command {
                path, arguments, ..
            } => (path.as_path(), arguments.as_slice()),
        };
        let directory = engine.directory.as_ref().map(|found| found.path.as_path());
        let files = files(Some(program), arguments, &engine.options, directory);
        self.of_files(&files)
    }

    /// The task with the builds of its engines.
    pub fn stamp(&self, task: &GameTask) -> GameTask {
        let mut task = task.clone();
        for engine in [&mut task.first, &mut task.second] {
            engine.build = self.of(engine);
        }
        task
    }

    fn of_files(&self, files: &[PathBuf]) -> String {
        let digests: io::Result<Vec<[u8; 32]>> =
            files.iter().map(|file| self.digest(file)).collect();
        match digests.as_deref() {
            Ok([]) | Err(_) => String::new(),
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
        io::copy(&mut File::open(path)?, &mut hasher)?;
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
    program: Option<&Path>,
    arguments: &[String],
    options: &BTreeMap<String, Value>,
    directory: Option<&Path>,
) -> Vec<PathBuf> {
    let options = options.values().filter_map(Value::as_str);
    let words = arguments.iter().map(String::as_str).chain(options);
    let named = words.filter_map(|word| named_file(word, directory));
    program
        .map(Path::to_owned)
        .into_iter()
        .chain(named)
        .collect()
}

/// The file that a word names, by itself or after its first `=`.
fn named_file(word: &str, directory: Option<&Path>) -> Option<PathBuf> {
    let value = word.split_once('=').map(|(_, value)| value);
    [Some(word), value].into_iter().flatten().find_map(|name| {
        let path = match directory {
            Some(directory) => directory.join(name),
            None => PathBuf::from(name),
        };
        (path.is_absolute() && path.is_file()).then_some(path)
    })
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

    /// An engine `program` in `folder`, with these arguments.
    fn engine(folder: &Path, arguments: &[&str]) -> EngineSpec {
        EngineSpec {
            program: Some(folder.join("program")),
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
            directory: Some(folder.to_owned()),
            ..EngineSpec::default()
        }
    }

    #[test]
    fn a_program_alone_has_its_own_digest() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("program"), "abc").expect("it is written");
        let builds = Builds::default();
        // The SHA-256 of "abc" in FIPS 180-2.
        let expected = "ba7816bf8f01cfea";
        assert_eq!(builds.of(&engine(folder.path(), &[])), expected);
        assert_eq!(builds.of(&engine(folder.path(), &["--fast"])), expected);
    }

    #[test]
    fn scripts_and_weights_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| fs::write(path(name), text).expect("it is written");
        for name in ["program", "bot.py", "net", "other"] {
            write(name, name);
        }
        let mut spec = engine(folder.path(), &["bot.py", "--weights=net"]);
        spec.options
            .insert("book".to_owned(), path("other").to_string_lossy().into());
        let builds = Builds::default();
        let mut before = builds.of(&spec);
        for name in ["program", "bot.py", "net", "other"] {
            write(name, "something else");
            let now = builds.of(&spec);
            assert_ne!(now, before, "{name}");
            before = now;
        }
        write("unrelated", "");
        assert_eq!(builds.of(&spec), before);
    }

    #[test]
    fn a_changed_file_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("program");
        let (builds, spec) = (Builds::default(), engine(folder.path(), &[]));
        fs::write(&path, "abc").expect("it is written");
        let before = builds.of(&spec);
        assert_eq!(builds.of(&spec), before);
        // As compilers do it: a new file of the same size takes the name.
        fs::write(folder.path().join("new"), "abd").expect("it is written");
        fs::rename(folder.path().join("new"), &path).expect("it is renamed");
        assert_ne!(builds.of(&spec), before);
        fs::remove_file(&path).expect("it is removed");
        assert_eq!(builds.of(&spec), "");
    }
}
