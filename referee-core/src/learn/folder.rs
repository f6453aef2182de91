//! What a run of learning writes into its folder.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::base::disk::sync_folder;
use crate::base::error::BadInput;

/// The first line of a checkpoint, with the version of its format.
const MAGIC: &[u8] = b"checkpoint of learning, version 1\n";
/// Bytes of a digest.
const DIGEST: usize = 32;

/// The folder of a run. Files in it are replaced as a whole, so that a full disk or a kill leaves
/// the last good ones.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Opens a folder, or makes it.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn open(path: &Path) -> io::Result<Folder> {
        fs::create_dir_all(path)?;
        Ok(Folder(path.to_owned()))
    }

    /// The weights of the last iteration, which engines load.
    pub fn weights(&self) -> PathBuf {
        self.0.join("weights")
    }

    /// The plot of the run.
    pub fn plot(&self) -> PathBuf {
        self.0.join("plot.svg")
    }

    fn checkpoint(&self) -> PathBuf {
        self.0.join("checkpoint")
    }

    /// Replaces a file of the folder.
    ///
    /// # Errors
    /// The file cannot be written as a whole; then the old one stays.
    pub fn replace(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        // Readable by those who may read the user's other files.
        let all = fs::Permissions::from_mode(0o666);
        let mut file = tempfile::Builder::new()
            .permissions(all)
            .tempfile_in(&self.0)?;
        file.write_all(content)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        sync_folder(path)
    }

    /// Writes a checkpoint of a run with a [digest](super::config::Config::digest).
    ///
    /// # Errors
    /// It cannot be written as a whole; then the old one stays.
    pub fn save(&self, digest: [u8; DIGEST], state: &impl Serialize) -> io::Result<()> {
        let state = postcard::to_allocvec(state).map_err(io::Error::other)?;
        let mut bytes = [MAGIC, &digest, &state].concat();
        bytes.extend(Sha256::digest(&bytes));
        self.replace(&self.checkpoint(), &bytes)
    }

    /// Reads the checkpoint; `None` if there is none yet.
    ///
    /// # Errors
    /// It cannot be read, is damaged, or is of a run with another digest.
    pub fn restore<S: DeserializeOwned>(
        &self,
        digest: [u8; DIGEST],
    ) -> Result<Option<S>, BadInput> {
        let path = self.checkpoint();
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
}
