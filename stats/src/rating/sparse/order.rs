//! The order in which players are eliminated: minimum degree (Tinney and Walker 1967).

use std::collections::BTreeSet;
use std::ops::Range;

use super::{EXTRAS, Pattern};

/// A player whose share of links with the others is greater belongs to the core: operations on a dense
/// matrix are about this factor, squared, faster.
const CORE_SHARE: usize = 4;

/// So few are always the core.
const SMALLEST_CORE: usize = 24;

/// An order of elimination, with the places of the entries of the factors.
#[derive(Clone, Debug)]
pub(in super::super) struct Order {
    /// Where each row of the matrix is in the order. The extras are last.
    pub(super) place: Vec<usize>,
    /// The row of the matrix at each place.
    pub(super) sequence: Vec<usize>,
    /// Number of rows that are eliminated one by one, before the core.
    pub(super) eliminated: usize,
    /// Where the entries of each eliminated column begin and end.
    starts: Vec<usize>,
    /// The rows of these entries, by place, ascending.
    pub(super) rows: Vec<u32>,
    /// The entries of the matrix in each column: row by place, and index of the link.
    pub(super) links: Vec<Vec<(u32, u32)>>,
    /// By row of the matrix, the players that are not estimated: as if they had no links.
    pub(super) fixed: Vec<bool>,
}

impl Order {
    /// An order for a pattern; the values of players that are `fixed` are 0.
    pub(in super::super) fn new(pattern: &Pattern, fixed: &[bool]) -> Order {
        let players = pattern.players;
        let (mut sequence, lists) = eliminate(pattern, fixed);
        let eliminated = lists.len();
        sequence.extend(players..pattern.size());
        let mut place = vec![0; pattern.size()];
        for (at, &row) in sequence.iter().enumerate() {
            place[row] = at;
        }
        let mut starts = vec![0];
        let mut rows = Vec::new();
        for list in &lists {
            let extras = players..players + EXTRAS;
            let of_players = list.iter().map(|&player| player as usize);
            rows.extend(of_players.chain(extras).map(|row| place[row] as u32));
            let start = starts[starts.len() - 1];
            rows[start..].sort_unstable();
            starts.push(rows.len());
        }
        let mut links = vec![Vec::new(); pattern.size()];
        for (link, &[one, other]) in pattern.links.iter().enumerate() {
            if !fixed[one] && !fixed[other] {
                let (one, other) = (place[one], place[other]);
                links[one.min(other)].push((one.max(other) as u32, link as u32));
            }
        }
        Order {
            place,
            sequence,
            eliminated,
            starts,
            rows,
            links,
            fixed: fixed.to_vec(),
        }
    }

    /// Number of rows.
    pub(super) fn size(&self) -> usize {
        self.place.len()
    }

    /// Number of rows of the core.
    pub(super) fn core(&self) -> usize {
        self.size() - self.eliminated
    }

    /// Where the entries of an eliminated column are.
    pub(super) fn column(&self, column: usize) -> Range<usize> {
        self.starts[column]..self.starts[column + 1]
    }

    /// Number of entries in all eliminated columns.
    pub(super) fn entries(&self) -> usize {
        self.rows.len()
    }

    /// Where the first entry of a column in the core is.
    pub(super) fn core_start(&self, column: usize) -> usize {
        let range = self.column(column);
        let rows = &self.rows[range.clone()];
        range.start + rows.partition_point(|&row| (row as usize) < self.eliminated)
    }

    /// Where the entry of two places is, the smaller of which is an eliminated column; `None` if it is
    /// 0 in the factors.
    pub(super) fn entry(&self, column: usize, row: usize) -> Option<usize> {
        let range = self.column(column);
        let rows = &self.rows[range.clone()];
        let found = rows.binary_search(&(row as u32)).ok()?;
        Some(range.start + found)
    }
}

/// The players in the order of elimination, and for those before the core the players that they are
/// linked with when their turn comes.
fn eliminate(pattern: &Pattern, fixed: &[bool]) -> (Vec<usize>, Vec<Vec<u32>>) {
    let players = pattern.players;
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); players];
    for &[one, other] in &pattern.links {
        if !fixed[one] && !fixed[other] {
            neighbours[one].push(other as u32);
            neighbours[other].push(one as u32);
        }
    }
    neighbours.iter_mut().for_each(|list| list.sort_unstable());
    let mut waiting: BTreeSet<(usize, usize)> = (0..players)
        .map(|player| (neighbours[player].len(), player))
        .collect();
    let (mut sequence, mut lists) = (Vec::new(), Vec::new());
    while let Some(&(degree, player)) = waiting.first() {
        if waiting.len() <= SMALLEST_CORE || degree * CORE_SHARE > waiting.len() {
            break;
        }
        waiting.pop_first();
        let list = std::mem::take(&mut neighbours[player]);
        for &other in &list {
            let linked = &mut neighbours[other as usize];
            waiting.remove(&(linked.len(), other as usize));
            *linked = merged(linked, &list, [player as u32, other]);
            waiting.insert((linked.len(), other as usize));
        }
        sequence.push(player);
        lists.push(list);
    }
    let mut core: Vec<usize> = waiting.into_iter().map(|(_, player)| player).collect();
    core.sort_unstable();
    sequence.extend(core);
    (sequence, lists)
}

/// The union of two sorted lists, without two players.
fn merged(one: &[u32], other: &[u32], without: [u32; 2]) -> Vec<u32> {
    let mut union = Vec::with_capacity(one.len() + other.len());
    let (mut i, mut j) = (0, 0);
    while i < one.len() || j < other.len() {
        let next = match (one.get(i), other.get(j)) {
            (Some(&a), Some(&b)) => a.min(b),
            (Some(&a), None) | (None, Some(&a)) => a,
            (None, None) => break,
        };
        i += usize::from(one.get(i) == Some(&next));
        j += usize::from(other.get(j) == Some(&next));
        if !without.contains(&next) {
            union.push(next);
        }
    }
    union
}
