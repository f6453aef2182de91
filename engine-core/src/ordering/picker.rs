//! The move picker: returns the moves of a node one by one, the most promising first, and generates
//! them as late as possible.

use std::cmp::Reverse;

use crate::position::{Move, Position};

/// A move with its rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored<M> {
    pub(crate) mv: M,
    pub(crate) rank: i32,
    /// Position in the order of generation, which breaks ties of rank. Because of it, picking can
    /// swap two moves instead of shifting all moves between them (16 KB in Amazons), and sorting
    /// needs no buffer.
    order: u32,
}

impl<M> Scored<M> {
    /// Sort key: rank, then order of generation. The highest is picked first.
    #[inline]
    fn urgency(&self) -> u64 {
        let rank = self.rank as u32 ^ 1 << 31;
        u64::from(rank) << 32 | u64::from(!self.order)
    }
}

/// One stack for the moves of all nodes on the current path: a node owns what lies above its mark.
/// (Amazons has 2 176 first moves; an array for every ply would not fit into the cache.)
#[derive(Debug)]
pub(crate) struct MoveStack<M> {
    pub(crate) moves: Vec<Scored<M>>,
}

impl<M> Default for MoveStack<M> {
    fn default() -> Self {
        MoveStack { moves: Vec::new() }
    }
}

/// [`Position::generate`] pushes unranked moves on top of the stack.
impl<M> Extend<M> for MoveStack<M> {
    #[inline]
    fn extend<I: IntoIterator<Item = M>>(&mut self, moves: I) {
        let unranked = |mv| Scored {
            mv,
            rank: 0,
            order: 0,
        };
        self.moves.extend(moves.into_iter().map(unranked));
    }
}

/// Number of moves known before generation: the table move, two killers and a counter-move.
const EARLY: usize = 4;

/// Returns the moves of a node in this order: the table move; the forcing stages (all stages of
/// generation but the last); the refutations, if they are legal; the last stage. Within a stage
/// moves are sorted by rank.
#[derive(Debug)]
pub(crate) struct Picker<M> {
    /// The table move and the refutations; illegal moves and duplicates become `None`.
    early: [Option<M>; EARLY],
    early_given: usize,
    /// Stack indices: the first move of this node, the first move of the last generated stage, and
    /// the next move to return.
    mark: usize,
    stage_mark: usize,
    next: usize,
    stage: u8,
    /// Whether the last returned move is the table move or from a forcing stage.
    forcing: bool,
}

/// Number of moves picked by a linear scan for the best; then the others are sorted at once. Most
/// nodes have a cutoff before that.
const SCANNED: usize = 3;

/// History points that outweigh one place in a list of candidates.
const PLACE: i32 = 64;

impl<M: Move> Picker<M> {
    pub(crate) fn new(
        stack: &MoveStack<M>,
        table_move: Option<M>,
        [a, b, c]: [Option<M>; EARLY - 1],
    ) -> Self {
        let mark = stack.moves.len();
        Picker {
            early: [table_move, a, b, c],
            early_given: 0,
            mark,
            stage_mark: mark,
            next: mark,
            stage: 0,
            forcing: true,
        }
    }

    /// A picker of exactly these moves, given in order of promise, and before them of the table move.
    /// `rank` moves a move up by one place for each [`PLACE`] points.
    pub(crate) fn of_list(
        stack: &mut MoveStack<M>,
        table_move: Option<M>,
        moves: &[M],
        rank: impl Fn(M) -> i32,
    ) -> Self {
        let mut picker = Picker::new(stack, table_move, [None; EARLY - 1]);
        picker.widen(stack, moves, rank);
        picker.stage = u8::MAX;
        picker.forcing = false;
        picker
    }

    /// Adds moves to those of a list, in order of promise, unless they are in it. All others must
    /// have been returned.
    pub(crate) fn widen(&mut self, stack: &mut MoveStack<M>, moves: &[M], rank: impl Fn(M) -> i32) {
        self.stage_mark = stack.moves.len();
        for (place, &mv) in moves.iter().enumerate() {
            let known = &stack.moves[self.mark..self.stage_mark];
            if !known.iter().any(|known| known.mv == mv) {
                stack.moves.push(Scored {
                    mv,
                    rank: rank(mv) - PLACE * place as i32,
                    order: place as u32,
                });
            }
        }
    }

    /// A picker of the moves of the first stage only.
    pub(crate) fn of_first_stage<P: Position<Move = M>>(
        position: &P,
        stack: &mut MoveStack<M>,
        rank: impl FnMut(M) -> i32,
    ) -> Self {
        let mut picker = Picker::new(stack, None, [None; EARLY - 1]);
        picker.early_given = EARLY;
        picker.generate(position, stack, rank);
        picker.stage = u8::MAX;
        picker
    }

    /// The next move; `None` after the last. `rank` scores generated moves.
    #[inline]
    pub(crate) fn next<P: Position<Move = M>>(
        &mut self,
        position: &P,
        stack: &mut MoveStack<M>,
        mut rank: impl FnMut(M) -> i32,
    ) -> Option<M> {
        if self.early_given == 0
            && let Some(mv) = self.next_early(position)
        {
            return Some(mv);
        }
        loop {
            while self.next < stack.moves.len() {
                let mv = self.pick(&mut stack.moves);
                if !self.early[..self.early_given].contains(&Some(mv)) {
                    return Some(mv);
                }
            }
            if self.stage >= P::STAGES - 1 {
                // The refutations are tried before the quiet moves are generated.
                self.forcing = false;
                while self.early_given < EARLY {
                    if let Some(mv) = self.next_early(position)
                        && !self.tried(stack).iter().any(|given| given.mv == mv)
                    {
                        return Some(mv);
                    }
                }
            }
            if self.stage >= P::STAGES {
                return None;
            }
            self.generate(position, stack, &mut rank);
        }
    }

    /// Whether the last returned move is the table move or from a forcing stage.
    pub(crate) fn is_forcing(&self) -> bool {
        self.forcing
    }

    /// The generated moves returned so far.
    pub(crate) fn tried<'a>(&self, stack: &'a MoveStack<M>) -> &'a [Scored<M>] {
        &stack.moves[self.mark..self.next]
    }

    /// The next legal early move that has not been returned yet. Killers come from other positions,
    /// and a key collision may give a table move of another position.
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
        mut rank: impl FnMut(M) -> i32,
    ) {
        self.stage_mark = stack.moves.len();
        position.generate(self.stage, stack);
        self.stage += 1;
        for (order, scored) in (0..).zip(&mut stack.moves[self.stage_mark..]) {
            scored.rank = rank(scored.mv);
            scored.order = order;
        }
    }

    #[inline]
    fn pick(&mut self, moves: &mut [Scored<M>]) -> M {
        let rest = &mut moves[self.next..];
        let picked = self.next - self.stage_mark;
        if picked < SCANNED {
            let (mut best, mut most) = (0, 0);
            for (place, scored) in rest.iter().enumerate() {
                let urgency = scored.urgency();
                if urgency > most {
                    (best, most) = (place, urgency);
                }
            }
            rest.swap(0, best);
        } else if picked == SCANNED {
            rest.sort_unstable_by_key(|scored| Reverse(scored.urgency()));
        }
        self.next += 1;
        rest[0].mv
    }

    /// Removes the moves of the node from the stack.
    #[inline]
    pub(crate) fn finish(self, stack: &mut MoveStack<M>) {
        stack.moves.truncate(self.mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    struct Number(u32);

    impl Move for Number {
        fn to_bits(self) -> u32 {
            self.0
        }

        fn from_bits(bits: u32) -> Number {
            Number(bits)
        }
    }

    #[test]
    fn moves_are_picked_by_rank_and_equals_in_the_order_of_generation() {
        let mut rng = Rng::new(1);
        for count in [0, 1, 2, 3, 4, 5, 8, 40, 300] {
            for ranks in [1, 3, 1000] {
                // Moves of another node lie below on the stack.
                let mut stack = MoveStack::default();
                stack.extend([7, 8, 9].map(Number));
                let moves: Vec<(u32, i32)> =
                    (0..count).map(|n| (n, rng.below(ranks) as i32)).collect();
                let numbers: Vec<Number> = moves.iter().map(|&(n, _)| Number(n)).collect();
                let rank = |Number(n)| moves[n as usize].1 + PLACE * n as i32;
                let mut picker = Picker::of_list(&mut stack, None, &numbers, rank);

                let mut expected = moves.clone();
                expected.sort_by_key(|&(_, rank)| Reverse(rank));
                let expected: Vec<Number> = expected.iter().map(|&(n, _)| Number(n)).collect();
                for picked in 1..=expected.len() {
                    assert_eq!(picker.pick(&mut stack.moves), expected[picked - 1]);
                    let tried: Vec<Number> = picker.tried(&stack).iter().map(|s| s.mv).collect();
                    assert_eq!(tried, expected[..picked]);
                }
                picker.finish(&mut stack);
                assert_eq!(stack.moves.len(), 3);
            }
        }
    }
}
