//! Transpositions: a position that is reached by several paths has one set of children.
//!
//! Statistics belong to the edges, that is to the children, so all paths to a node learn its value:
//! UCT1 of Childs, Brodeur and Kocsis, *Transpositions and Move Groups in Monte Carlo Tree Search*,
//! 2008. A playout is backed up along its own path only.

use crate::mcts::link::Block;
use crate::sync::{AtomicU64, Ordering};

/// A hash map from position keys to children. Two words in a slot, as in the transposition table:
/// torn entries match no key.
#[derive(Debug)]
pub(super) struct Map {
    slots: Box<[Slot]>,
}

#[derive(Default, Debug)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    fn get(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Acquire);
        (self.check.load(Ordering::Relaxed) ^ data, data)
    }

    fn set(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Release);
    }
}

/// Number of slots that a key may use.
const WAYS: usize = 4;

impl Map {
    /// Bytes of the map for each node of the tree.
    pub(super) const BYTES_A_NODE: usize = size_of::<Slot>() / 4;

    /// A map for a tree of `nodes` nodes; `None` if the memory cannot be allocated.
    pub(super) fn new(nodes: usize) -> Option<Map> {
        let count = (nodes / 4).max(WAYS);
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).ok()?;
        slots.resize_with(count, Slot::default);
        Some(Map {
            slots: slots.into_boxed_slice(),
        })
    }

    pub(super) fn clear(&self) {
        self.slots.iter().for_each(|slot| slot.set(0, 0));
    }

    fn ways(&self, key: u64) -> &[Slot] {
        let last = self.slots.len() - WAYS;
        let start = ((key as u128 * (last as u128 + 1)) >> 64) as usize;
        &self.slots[start..start + WAYS]
    }

    /// The children of the position with this key, if they are in the tree.
    pub(super) fn find(&self, key: u64) -> Option<Block> {
        let found = self.ways(key).iter().map(Slot::get);
        let mut found = found.filter(|&(other, data)| other == key && data != 0);
        found.next().and_then(|(_, data)| Block::from_bits(data))
    }

    /// Stores the children of a position, in a free slot if there is one.
    pub(super) fn insert(&self, key: u64, block: Block) {
        let ways = self.ways(key);
        let free = ways.iter().find(|slot| slot.get().1 == 0);
        let slot = free.unwrap_or(&ways[key as usize % WAYS]);
        slot.set(key, block.to_bits());
    }

    /// Updates the entries after recycling; entries of removed nodes are deleted.
    pub(super) fn relocate(&self, moved: impl Fn(Block) -> Option<Block>) {
        for slot in &self.slots {
            let (key, data) = slot.get();
            if let Some(block) = Block::from_bits(data) {
                match moved(block) {
                    Some(block) => slot.set(key, block.to_bits()),
                    None => slot.set(0, 0),
                }
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::zobrist::mix;

    #[test]
    fn what_is_inserted_is_found_until_it_is_moved_or_forgotten() {
        let map = Map::new(4000).unwrap();
        let block = |first| Block::new(first, 2, false);
        for i in 1..100 {
            map.insert(mix(i), block(i as u32));
        }
        let found = (1..100).filter(|&i| map.find(mix(i)) == Some(block(i as u32)));
        assert!(found.count() >= 98);
        assert_eq!(map.find(mix(1000)), None);
        map.relocate(|old| {
            old.first()
                .is_multiple_of(2)
                .then(|| block(old.first() / 2))
        });
        assert_eq!(map.find(mix(42)), Some(block(21)));
        assert_eq!(map.find(mix(43)), None);
    }
}
