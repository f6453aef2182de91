//! A part of a step of learning or tuning, as a shard leaves it.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use base::disk::replace;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::cluster::job;

/// Name of the file of a part in the folder of an attempt.
pub const FILE_NAME: &str = "part";

/// Bytes of a digest.
const DIGEST: usize = 32;

/// One of several equal shards: `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    index: usize,
    count: usize,
}

impl Shard {
    /// Shard `index`, from 0, of `count`.
    pub fn new(index: usize, count: usize) -> Shard {
        Shard { index, count }
    }

    /// Whether the game at index `place` of a plan belongs to it: the two games of a pair belong to
    /// the same shard.
    pub fn holds(self, place: usize) -> bool {
        place / 2 % self.count == self.index
    }

    /// Its share of so many items: shares are equal but for one item, and in order.
    pub fn range(self, items: usize) -> Range<usize> {
        let start = |index: usize| index * items / self.count;
        start(self.index)..start(self.index + 1)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index @ 1.., count)) if index <= count => Ok(Shard::new(index - 1, count)),
            _ => Err("expected I/N with 1 ≤ I ≤ N, such as 2/4".to_owned()),
        }
    }
}

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
    fn shares_have_all_items_once() {
        for (items, count) in [(0, 1), (1, 3), (10, 3), (16, 16), (17, 4)] {
            let shares = (0..count).map(|index| Shard::new(index, count).range(items));
            let all: Vec<usize> = shares.clone().flatten().collect();
            assert_eq!(all, (0..items).collect::<Vec<_>>());
            let sizes: Vec<usize> = shares.map(|share| share.len()).collect();
            assert!(sizes.iter().max() <= sizes.iter().map(|size| size + 1).min().as_ref());
        }
    }

    #[test]
    fn shards_are_equal_disjoint_and_complete() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"]
            .map(|text| text.parse().unwrap())
            .into();
        for place in 0..60 {
            assert_eq!(shards.iter().filter(|shard| shard.holds(place)).count(), 1);
            assert!(
                shards
                    .iter()
                    .all(|s| s.holds(place / 2 * 2) == s.holds(place / 2 * 2 + 1))
            );
        }
        for shard in shards {
            assert_eq!((0..60).filter(|&place| shard.holds(place)).count(), 20);
        }
    }

    #[test]
    fn invalid_shards_are_refused() {
        for text in ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

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
