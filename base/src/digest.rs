//! The hash from which ids, seeds and lots are derived.

use engine_core::zobrist::mix;

/// FNV-1a (Fowler, Noll and Vo) over length-prefixed fields, with a final mix. It is part of the
/// format of ids and seeds and must never change.
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Adds a number.
    pub fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    /// The hash of everything added.
    pub fn value(&self) -> u64 {
        mix(self.0)
    }
}
