//! Handing out a node's moves one by one, the most promising first, generating as late as possible.

use crate::position::{Move, Position};

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

/// Moves known before generation: the table's, two killers and a counter-move.
const EARLY: usize = 4;

/// Hands out a node's moves one by one: the table's move; the stages of generation but the last,
/// which are the forcing ones; the refutations, if they are legal; and the last stage. Within a stage
/// the best rank comes first.
#[derive(Debug)]
pub(crate) struct Picker<M> {
    /// The table's move and the refutations; those that are illegal or given twice become `None`.
    early: [Option<M>; EARLY],
    early_given: usize,
    /// Where this node's moves begin on the stack, those of the last stage generated, and the next
    /// one to hand out.
    mark: usize,
    stage_mark: usize,
    next: usize,
    stage: u8,
    /// Whether the last move handed out is of a forcing stage, or the table's.
    forcing: bool,
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

    /// A picker of nothing but these moves, which are in the order of their promise; `rank` may
    /// move one up by [`PLACE`] for each place.
    pub(crate) fn of_list(
        stack: &mut MoveStack<M>,
        table_move: Option<M>,
        moves: &[M],
        rank: impl Fn(M) -> i32,
    ) -> Self {
        let table_move = table_move.filter(|mv| moves.contains(mv));
        let mut picker = Picker::new(stack, table_move, [None; EARLY - 1]);
        let scored = |(place, &mv): (usize, &M)| Scored {
            mv,
            rank: rank(mv) - PLACE * place as i32,
        };
        stack.moves.extend(moves.iter().enumerate().map(scored));
        picker.stage = u8::MAX;
        picker.forcing = false;
        picker
    }

    /// A picker of the moves of the first stage alone.
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

    /// The next move, or `None` after the last. `rank` judges a generated move.
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
                // The quiet moves: those that refuted elsewhere before any is generated.
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

    /// Whether the last move handed out was the table's or of a stage before the last.
    pub(crate) fn is_forcing(&self) -> bool {
        self.forcing
    }

    /// The generated moves handed out so far.
    pub(crate) fn tried<'a>(&self, stack: &'a MoveStack<M>) -> &'a [Scored<M>] {
        &stack.moves[self.mark..self.next]
    }

    /// The next early move, if it is legal here and not given twice: killers come from
    /// other positions, and the table may hold another position's move under the same key.
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
        for scored in &mut stack.moves[self.stage_mark..] {
            scored.rank = rank(scored.mv);
        }
    }

    #[inline]
    fn pick(&mut self, moves: &mut [Scored<M>]) -> M {
        let rest = &mut moves[self.next..];
        let picked = self.next - self.stage_mark;
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
