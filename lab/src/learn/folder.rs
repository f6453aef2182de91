//! What a run of learning writes into its folder.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use base::disk::{self, replace};
use base::error::BadInput;
use gamelog::lock;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// The first line of a checkpoint, with the version of its format.
const MAGIC: &[u8] = b"checkpoint of learning, version 2\n";
/// Bytes of a digest.
const DIGEST: usize = 32;

/// The folder of a run, which no other process may use meanwhile. Files in it are replaced as a
/// whole, so that a full disk or a kill leaves the last good ones.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Locked.
    _lock: File,
}

impl Folder {
    /// Opens a folder, or makes it.
    ///
    /// # Errors
    /// It cannot be made, or another process uses it.
    pub fn open(path: &Path) -> Result<Folder, BadInput> {
        let bad = |error: io::Error| BadInput(format!("{}: {error}", path.display()));
        fs::create_dir_all(path).map_err(bad)?;
        let file = disk::open_to_append(&path.join("lock"), true).map_err(bad)?;
        if !lock(&file).map_err(bad)? {
            let path = path.display();
            return Err(BadInput(format!("{path}: another process learns here")));
        }
        Ok(Folder {
            path: path.to_owned(),
            _lock: file,
        })
    }

    /// The weights of the last iteration, which engines load.
    pub fn weights(&self) -> PathBuf {
        self.path.join("weights")
    }

    /// The plot of the run.
    pub fn plot(&self) -> PathBuf {
        self.path.join("plot.svg")
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a checkpoint of a run with a [digest](super::config::Config::digest).
    ///
    /// # Errors
    /// It cannot be written as a whole; then the old one stays.
    pub fn save(&self, digest: [u8; DIGEST], state: &impl Serialize) -> io::Result<()> {
        let state = postcard::to_allocvec(state).map_err(io::Error::other)?;
        let mut bytes = [MAGIC, &digest, &state].concat();
        bytes.extend(Sha256::digest(&bytes));
        replace(&checkpoint(&self.path), &bytes)
    }

    /// Reads the checkpoint, see [`restore`].
    ///
    /// # Errors
    /// Those of [`restore`].
    pub fn restore<S: DeserializeOwned>(
        &self,
        digest: [u8; DIGEST],
    ) -> Result<Option<S>, BadInput> {
        restore(&self.path, digest)
    }
}

fn checkpoint(folder: &Path) -> PathBuf {
    folder.join("checkpoint")
}

/// Reads the checkpoint in a folder, which another process may use; `None` if there is none yet.
///
/// # Errors
/// It cannot be read, is damaged, or is of a run with another digest.
pub fn restore<S: DeserializeOwned>(
    folder: &Path,
    digest: [u8; DIGEST],
) -> Result<Option<S>, BadInput> {
    let path = checkpoint(folder);
    let fault = |text: &str| Err(BadInput(format!("{}: {text}", path.display())));
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return fault(&error.to_string()),
        Ok(bytes) => bytes,
    };
    if !bytes.starts_with(MAGIC) {
        return fault("expected a checkpoint of this version, found something else");
    }
    let end = bytes.len().saturating_sub(DIGEST).max(MAGIC.len());
    let (signed, sum) = bytes.split_at(end);
    let Some((known, state)) = signed[MAGIC.len()..].split_first_chunk::<DIGEST>() else {
        return fault("damaged or incomplete");
    };
    if Sha256::digest(signed)[..] != *sum {
        return fault("damaged or incomplete: the checksum at its end does not fit");
    }
    if *known != digest {
        return fault(
            "a run with other settings, which cannot go on with these: \
                 choose another folder with --out, or delete this one",
        );
    }
    match postcard::from_bytes(state) {
        Ok(state) => Ok(Some(state)),
        Err(_) => fault("damaged or incomplete"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_used_by_one_run_at_a_time() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("run");
        let first = Folder::open(&path).unwrap();
        let refused = Folder::open(&path).unwrap_err().to_string();
        assert!(
            refused.ends_with("run: another process learns here"),
            "{refused}"
        );
        drop(first);
        assert!(Folder::open(&path).is_ok());
    }

    #[test]
    fn a_state_comes_back_and_one_of_other_settings_is_refused() {
        let parent = tempfile::tempdir().unwrap();
        let folder = Folder::open(parent.path()).unwrap();
        assert_eq!(folder.restore::<Vec<u32>>([1; 32]), Ok(None));
        folder.save([1; 32], &vec![1u32, 2]).unwrap();
        assert_eq!(folder.restore([1; 32]), Ok(Some(vec![1u32, 2])));
        let refused = folder.restore::<Vec<u32>>([2; 32]).unwrap_err().to_string();
        assert!(refused.contains("a run with other settings"), "{refused}");
    }
}
