//! Files of our own: a line that names the format, content in postcard's encoding (small numbers take
//! one byte), and the SHA-256 digest of all of that.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// Bytes of the digest at the end.
const DIGEST: usize = 32;

/// Why a file cannot be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Broken {
    /// It begins with another line.
    Other,
    /// The digest at its end is not that of the content, or the content is none of this format.
    Damaged,
}

/// The bytes of a file.
pub(crate) fn seal(first_line: &[u8], content: &impl Serialize) -> Vec<u8> {
    let encoded = postcard::to_allocvec(content).expect("numbers and texts can be encoded");
    let mut bytes = [first_line, &encoded].concat();
    bytes.extend(Sha256::digest(&bytes));
    bytes
}

/// The content of a file.
///
/// # Errors
/// The bytes are no such file.
pub(crate) fn open<T: DeserializeOwned>(first_line: &[u8], bytes: &[u8]) -> Result<T, Broken> {
    if !bytes.starts_with(first_line) {
        return Err(Broken::Other);
    }
    let end = bytes.len().saturating_sub(DIGEST).max(first_line.len());
    let (signed, digest) = bytes.split_at(end);
    if Sha256::digest(signed)[..] != *digest {
        return Err(Broken::Damaged);
    }
    postcard::from_bytes(&signed[first_line.len()..]).map_err(|_| Broken::Damaged)
}
