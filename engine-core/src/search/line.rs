//! Principal variations: the triangular table, and the extension of a line by transposition table
//! moves.

use crate::position::Position;
use crate::table::Table;

/// The principal variation below each ply of the current line.
#[derive(Debug)]
pub struct Lines<M> {
    lines: Vec<Vec<M>>,
}

/// Lines without moves.
impl<M> Default for Lines<M> {
    fn default() -> Lines<M> {
        Lines { lines: Vec::new() }
    }
}

impl<M: Copy> Lines<M> {
    /// Empties the line from this ply on.
    #[inline]
    pub fn clear(&mut self, ply: u32) {
        if let Some(line) = self.lines.get_mut(ply as usize) {
            line.clear();
        }
    }

    /// Sets the line of `ply` to `mv` followed by the line of the next ply.
    pub fn extend(&mut self, ply: u32, mv: M) {
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
    pub fn from(&self, ply: u32) -> &[M] {
        self.lines.get(ply as usize).map_or(&[], |line| line)
    }
}

/// Extends a line that null windows have cut short by table moves, to at most `depth` moves, until
/// a roll, the end of the game, or a position that is not in the table.
pub(crate) fn complete<P: Position>(
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
