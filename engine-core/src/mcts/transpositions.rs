//! Transpositions: positions that are met on several ways share their children.
//!
//! Statistics stay with the edges, that is with the children, so a node's value is learnt on every
//! way to it: UCT1 of Childs, Brodeur and Kocsis, *Transpositions and Move Groups in Monte Carlo Tree
//! Search*, 2008. Each playout is backed up along its own way.

use crate::mcts::link::Block;
use crate::sync::{AtomicU64, Ordering};

/// From keys of positions to their children. Two words a slot, as in the transposition table: torn
/// ones do not match.
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

/// Slots that a key may be in.
const WAYS: usize = 4;

impl Map {
    /// What the map takes for each node of the tree.
    pub(super) const BYTES_A_NODE: usize = size_of::<Slot>() / 4;

    /// A map for a tree of so many nodes; `None` if the system does not have the memory.
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

    /// Notes the children of a position, in a free slot if there is one.
    pub(super) fn insert(&self, key: u64, block: Block) {
        let ways = self.ways(key);
        let free = ways.iter().find(|slot| slot.get().1 == 0);
        let slot = free.unwrap_or(&ways[key as usize % WAYS]);
        slot.set(key, block.to_bits());
    }

    /// Follows the nodes to where a collection has moved them; what is gone is forgotten.
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
        let block = |first| Block {
            first,
            count: 2,
            narrow: false,
        };
        for i in 1..100 {
            map.insert(mix(i), block(i as u32));
        }
        let found = (1..100).filter(|&i| map.find(mix(i)) == Some(block(i as u32)));
        assert!(found.count() >= 98);
        assert_eq!(map.find(mix(1000)), None);
        map.relocate(|old| old.first.is_multiple_of(2).then(|| block(old.first / 2)));
        assert_eq!(map.find(mix(42)), Some(block(21)));
        assert_eq!(map.find(mix(43)), None);
    }
}
