//! New connections that wait for the rules.

use super::carrier::Carrier;

/// A new connection, to which the rules are to be applied.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<const W: usize> {
    Full([usize; 2], Carrier<W>),
    Semi([usize; 2], Carrier<W>),
}

/// New connections, those with the smallest carriers first.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue<const W: usize> {
    /// By the size of the carrier.
    items: Vec<Vec<Item<W>>>,
    /// No smaller size has items.
    least: usize,
}

impl<const W: usize> Queue<W> {
    pub(super) fn push(&mut self, item: Item<W>) {
        let (Item::Full(_, carrier) | Item::Semi(_, carrier)) = item;
        let size = carrier.count();
        if self.items.len() <= size {
            self.items.resize(size + 1, Vec::new());
        }
        self.items[size].push(item);
        self.least = self.least.min(size);
    }

    pub(super) fn pop(&mut self) -> Option<Item<W>> {
        while self.least < self.items.len() {
            match self.items[self.least].pop() {
                Some(item) => return Some(item),
                None => self.least += 1,
            }
        }
        None
    }
}
