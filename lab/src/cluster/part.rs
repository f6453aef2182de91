//! A part of a step of learning or tuning, as a shard leaves it.

use std::fs;
use std::io;
use std::path::Path;

use base::disk::replace;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::cluster::job;

/// Name of the file of a part in the folder of an attempt.
pub const FILE_NAME: &str = "part";

/// Bytes of a digest.
const DIGEST: usize = 32;

/// Writes what was computed for a step. The file is there as a whole or not at all.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, step: &str, found: &impl Serialize) -> io::Result<()> {
    let mut bytes = postcard::to_allocvec(&(step, found)).map_err(io::Error::other)?;
    bytes.extend(Sha256::digest(&bytes));
    replace(path, &bytes)
}

/// Reads what a shard of a job, from 1, has computed for a step; `None` if none of its attempts has
/// left it.
pub fn read<T: DeserializeOwned>(job: &Path, shard: usize, step: &str) -> Option<T> {
    let attempts = job::attempts(job, shard).ok()?.into_iter();
    let mut found = attempts.filter_map(|attempt| {
        let bytes = fs::read(attempt.join(FILE_NAME)).ok()?;
        let (signed, sum) = bytes.split_last_chunk::<DIGEST>()?;
        let (of, found): (String, T) = postcard::from_bytes(signed).ok()?;
        (Sha256::digest(signed)[..] == *sum && of == step).then_some(found)
    });
    found.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_read_if_it_is_whole_and_of_the_step() {
        let job = tempfile::tempdir().expect("a folder");
        let read = |step| read::<Vec<u32>>(job.path(), 3, step);
        assert_eq!(read("iteration 1"), None);
        let attempt = job::begin_attempt(job.path(), 3, "pc01").expect("a folder");
        let path = attempt.join(FILE_NAME);
        write(&path, "iteration 1", &vec![1_u32, 2, 3]).expect("written");
        assert_eq!(read("iteration 1"), Some(vec![1, 2, 3]));
        assert_eq!(read("iteration 2"), None);
        // A part that was cut, or changed, does not count; another attempt may have it.
        let whole = fs::read(&path).expect("it was written");
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).expect("written");
            assert_eq!(read("iteration 1"), None);
            fs::write(&path, &whole[..at]).expect("written");
            assert_eq!(read("iteration 1"), None);
        }
        let again = job::begin_attempt(job.path(), 3, "pc02").expect("a folder");
        write(&again.join(FILE_NAME), "iteration 1", &vec![1_u32, 2, 3]).expect("written");
        assert_eq!(read("iteration 1"), Some(vec![1, 2, 3]));
    }
}
