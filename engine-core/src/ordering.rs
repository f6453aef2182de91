//! Move ordering: table move, killers, history, and generation in stages.

use crate::position::{Move, Position, Side};

/// A move and how early it should be tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored<M> {
    pub(crate) mv: M,
    pub(crate) rank: i32,
}

/// One buffer for the moves of all nodes on the current line: each node owns what lies past its
/// mark. (Amazons has 2 176 first moves; an array for every ply would not fit a cache.)
#[derive(Debug)]
pub(crate) struct MoveStack<M> {
    pub(crate) moves: Vec<Scored<M>>,
}

impl<M> Default for MoveStack<M> {
    fn default() -> Self {
        MoveStack { moves: Vec::new() }
    }
}

/// What [`Position::generate`] writes to: unranked moves at the top of the stack.
impl<M> Extend<M> for MoveStack<M> {
    #[inline]
    fn extend<I: IntoIterator<Item = M>>(&mut self, moves: I) {
        self.moves
            .extend(moves.into_iter().map(|mv| Scored { mv, rank: 0 }));
    }
}

/// How often moves have cut off, by side and [`Position::history_index`] (Schaeffer 1989), with
/// gravity: every step shrinks toward the bound, so that old success fades.
#[derive(Clone, Debug)]
pub(crate) struct History {
    values: [Vec<i32>; 2],
}

/// History values stay within ± this.
pub(crate) const HISTORY_LIMIT: i32 = 1 << 14;

impl History {
    pub(crate) fn new(len: usize) -> History {
        History {
            values: [vec![0; len], vec![0; len]],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.values.iter_mut().for_each(|side| side.fill(0));
    }

    #[inline]
    pub(crate) fn get(&self, side: Side, index: usize) -> i32 {
        self.values[side.index()][index]
    }

    /// Adds `bonus`, negative for a move that was tried and did not cut off.
    #[inline]
    pub(crate) fn add(&mut self, side: Side, index: usize, bonus: i32) {
        let value = &mut self.values[side.index()][index];
        *value += bonus - *value * bonus.abs() / HISTORY_LIMIT;
    }
}

/// Two quiet moves of each side that cut off at a ply (Akl and Newborn 1977). They are kept by
/// side, because in games with extra turns either side may act at any ply.
#[derive(Clone, Debug)]
pub(crate) struct Killers<M> {
    slots: Vec<[[Option<M>; 2]; 2]>,
}

impl<M: Move> Killers<M> {
    pub(crate) fn new() -> Killers<M> {
        Killers { slots: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.slots.clear();
    }

    #[inline]
    pub(crate) fn get(&self, ply: u32, side: Side) -> [Option<M>; 2] {
        self.slots
            .get(ply as usize)
            .map_or([None; 2], |sides| sides[side.index()])
    }

    pub(crate) fn add(&mut self, ply: u32, side: Side, mv: M) {
        let ply = ply as usize;
        if self.slots.len() <= ply {
            self.slots.resize(ply + 1, [[None; 2]; 2]);
        }
        let pair = &mut self.slots[ply][side.index()];
        if pair[0] != Some(mv) {
            *pair = [Some(mv), pair[0]];
        }
    }
}

/// Hands out a node's moves one by one: the table's move and the killers first, before anything is
/// generated, then stage by stage, best rank first.
#[derive(Debug)]
pub(crate) struct Picker<M> {
    /// The table's move and the killers; those that are illegal or given twice become `None`.
    early: [Option<M>; 3],
    early_given: usize,
    /// Where this node's moves begin on the stack, and the next one to hand out.
    mark: usize,
    next: usize,
    stage: u8,
}

/// So many moves are picked by scanning for the best; then the rest is sorted at once. Most nodes
/// cut off before that.
const SCANNED: usize = 3;

/// What one place in a list of candidates weighs against history.
const PLACE: i32 = 64;

impl<M: Move> Picker<M> {
    pub(crate) fn new(
        stack: &MoveStack<M>,
        table_move: Option<M>,
        killers: [Option<M>; 2],
    ) -> Self {
        let mark = stack.moves.len();
        let early = [table_move, killers[0], killers[1]];
        Picker {
            early,
            early_given: 0,
            mark,
            next: mark,
            stage: 0,
        }
    }

    /// A picker of nothing but these moves, which are in the order of their promise; `rank` may
    /// move one up by [`PLACE`] for each place.
    pub(crate) fn of_list(
        stack: &mut MoveStack<M>,
        table_move: Option<M>,
        moves: &[M],
        rank: impl Fn(M) -> i32,
    ) -> Self {
        let table_move = table_move.filter(|mv| moves.contains(mv));
        let mut picker = Picker::new(stack, table_move, [None; 2]);
        let scored = |(place, &mv): (usize, &M)| Scored {
            mv,
            rank: rank(mv) - PLACE * place as i32,
        };
        stack.moves.extend(moves.iter().enumerate().map(scored));
        picker.stage = u8::MAX;
        picker
    }

    /// The next move, or `None` after the last. `rank` judges a generated move.
    #[inline]
    pub(crate) fn next<P: Position<Move = M>>(
        &mut self,
        position: &P,
        stack: &mut MoveStack<M>,
        mut rank: impl FnMut(M) -> i32,
    ) -> Option<M> {
        while self.early_given < self.early.len() {
            if let Some(mv) = self.next_early(position) {
                return Some(mv);
            }
        }
        loop {
            while self.next < stack.moves.len() {
                let mv = self.pick(&mut stack.moves);
                if !self.early.contains(&Some(mv)) {
                    return Some(mv);
                }
            }
            if self.stage >= P::STAGES {
                return None;
            }
            self.generate(position, stack, &mut rank);
        }
    }

    /// The next early move, if it is legal here: killers come from other positions, and the table
    /// may hold another position's move under the same key.
    fn next_early<P: Position<Move = M>>(&mut self, position: &P) -> Option<M> {
        let place = self.early_given;
        self.early_given += 1;
        let mv = self.early[place]?;
        let usable = !self.early[..place].contains(&Some(mv)) && position.is_legal(mv);
        if !usable {
            self.early[place] = None;
        }
        self.early[place]
    }

    fn generate<P: Position<Move = M>>(
        &mut self,
        position: &P,
        stack: &mut MoveStack<M>,
        rank: &mut impl FnMut(M) -> i32,
    ) {
        stack.moves.truncate(self.mark);
        self.next = self.mark;
        position.generate(self.stage, stack);
        self.stage += 1;
        for scored in &mut stack.moves[self.mark..] {
            scored.rank = rank(scored.mv);
        }
    }

    #[inline]
    fn pick(&mut self, moves: &mut [Scored<M>]) -> M {
        let rest = &mut moves[self.next..];
        let picked = self.next - self.mark;
        if picked < SCANNED {
            // The first of the best, so that the order does not depend on the scan.
            let mut best = 0;
            for i in 1..rest.len() {
                if rest[i].rank > rest[best].rank {
                    best = i;
                }
            }
            rest[..=best].rotate_right(1);
        } else if picked == SCANNED {
            rest.sort_by_key(|scored| std::cmp::Reverse(scored.rank));
        }
        self.next += 1;
        rest[0].mv
    }

    /// Gives the node's part of the stack back.
    #[inline]
    pub(crate) fn finish(self, stack: &mut MoveStack<M>) {
        stack.moves.truncate(self.mark);
    }
}
