//! Ids of games in few bytes.

use sha2::{Digest, Sha256};

/// The digest of a game's id: 128 bits of SHA-256, so that the ids of a million games fit in memory.
/// Two of a million ids have the same with a probability below 10⁻²⁶.
///
/// Four words, because an entry of a map with such a key and a small value is then smallest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct IdKey([u32; 4]);

impl IdKey {
    /// The key of an id.
    pub fn of(id: &str) -> IdKey {
        IdKey(start_of_digest(id.as_bytes()))
    }
}

/// The first 128 bits of the SHA-256 digest of these bytes.
pub fn start_of_digest(bytes: &[u8]) -> [u32; 4] {
    let digest = Sha256::digest(bytes);
    std::array::from_fn(|word| {
        let bytes = std::array::from_fn(|byte| digest[4 * word + byte]);
        u32::from_le_bytes(bytes)
    })
}
