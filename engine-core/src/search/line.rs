//! Lines of play: the principal variation of each ply (triangular table), and what the transposition
//! table knows beyond its end.

use crate::position::{Move, Position};
use crate::table::Table;

/// The principal variation below each ply of the current line.
#[derive(Debug)]
pub(super) struct Lines<M> {
    lines: Vec<Vec<M>>,
}

impl<M: Move> Lines<M> {
    pub(super) fn new() -> Lines<M> {
        Lines { lines: Vec::new() }
    }

    /// Nothing is known from this ply on.
    #[inline]
    pub(super) fn clear(&mut self, ply: u32) {
        if let Some(line) = self.lines.get_mut(ply as usize) {
            line.clear();
        }
    }

    /// `mv`, then the line of the next ply, becomes the line of `ply`.
    pub(super) fn extend(&mut self, ply: u32, mv: M) {
        let ply = ply as usize;
        if self.lines.len() < ply + 2 {
            self.lines.resize(ply + 2, Vec::new());
        }
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// The line from `ply` on.
    pub(super) fn from(&self, ply: u32) -> &[M] {
        self.lines.get(ply as usize).map_or(&[], |line| line)
    }
}

/// Goes on with a line of at most `depth` moves, which null windows cut short, by the moves of the
/// table, until a roll, the end, or a position that it does not know.
pub(super) fn complete<P: Position>(
    line: &mut Vec<P::Move>,
    root: &P,
    table: &Table,
    depth: usize,
) {
    let mut position = root.clone();
    for &mv in line.iter() {
        position.play(mv);
    }
    while line.len() < depth && position.outcome().is_none() && !position.is_chance() {
        let known = table.probe::<P::Move>(position.key());
        let Some(mv) = known.and_then(|entry| entry.mv) else {
            return;
        };
        if !position.is_legal(mv) {
            return;
        }
        position.play(mv);
        line.push(mv);
    }
}
