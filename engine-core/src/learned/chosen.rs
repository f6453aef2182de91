//! The moves that a policy chose in the positions it saw last: iterative deepening comes back to most
//! positions, and to choose again takes longer than to look them up.

/// Number of entries, a power of two: 768 KiB.
const ENTRIES: usize = 1 << 14;
/// Maximum number of moves of an entry.
pub(super) const MOVES: usize = 8;

/// The moves of a position.
#[derive(Clone, Default)]
struct Entry {
    key: u64,
    moves: [u32; MOVES],
    len: u8,
}

/// Moves by key and by how many were asked for. Direct-mapped: of two positions with the same slot
/// the later one stays. Takes no memory until something is stored.
#[derive(Default)]
pub(super) struct Chosen {
    entries: Vec<Entry>,
}

impl Chosen {
    /// The bits of the moves of the position with this key, if at most `limit` were asked for.
    #[inline]
    pub(super) fn get(&self, key: u64, limit: usize) -> Option<&[u32]> {
        let key = with_limit(key, limit);
        let entry = self.entries.get(key as usize % ENTRIES)?;
        (entry.key == key && entry.len > 0).then(|| &entry.moves[..entry.len as usize])
    }

    /// Stores moves, of which there are at most `limit`, unless that is more than [`MOVES`].
    pub(super) fn set(&mut self, key: u64, limit: usize, bits: impl ExactSizeIterator<Item = u32>) {
        if limit > MOVES {
            return;
        }
        if self.entries.is_empty() {
            self.entries = vec![Entry::default(); ENTRIES];
        }
        let key = with_limit(key, limit);
        let entry = &mut self.entries[key as usize % ENTRIES];
        (entry.key, entry.len) = (key, bits.len() as u8);
        entry
            .moves
            .iter_mut()
            .zip(bits)
            .for_each(|(to, bits)| *to = bits);
    }
}

/// The key of a position together with a limit.
fn with_limit(key: u64, limit: usize) -> u64 {
    key ^ limit as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_kept_until_their_place_is_taken() {
        let mut chosen = Chosen::default();
        assert_eq!(chosen.get(0, 3), None);
        chosen.set(16, 3, [7, 5].into_iter());
        assert_eq!(chosen.get(16, 3), Some(&[7, 5][..]));
        assert_eq!(chosen.get(16, 4), None);
        assert_eq!(chosen.get(0, 0), None, "no key is there from the beginning");
        chosen.set(16 + ENTRIES as u64, 3, [1].into_iter());
        assert_eq!(chosen.get(16, 3), None);
        chosen.set(16, MOVES + 1, [2].into_iter());
        assert_eq!(chosen.get(16, MOVES + 1), None, "too many");
    }
}
