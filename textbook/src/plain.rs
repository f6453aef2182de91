//! Alpha-beta (Knuth and Moore 1975) by itself: a function of a position and a depth, compiled for
//! the game. It has no table, no ordering, no principal variation and no limits, so it shows what
//! the search costs at the least; [`Textbook::Plain`](crate::Textbook::Plain) is the same
//! search as a player.

use engine_core::evaluate::Evaluator;
use engine_core::position::{Position, Side};
use engine_core::score::Score;
use engine_core::search::parts::{Node, Window};

/// The value of `position` for its side to move, searched `depth` actions deep, and the number of
/// nodes visited. If the depth runs out within a turn ([`Position::mid_turn`]), the search continues
/// to the end of the turn.
///
/// # Panics
/// If the game has dice.
pub fn alpha_beta<P: Position>(
    position: &P,
    evaluator: &mut impl Evaluator<P>,
    depth: u32,
) -> (Score, u64) {
    assert!(!P::HAS_CHANCE, "plain alpha-beta does not support dice");
    evaluator.reset(position);
    let mut search = AlphaBeta {
        position: position.clone(),
        evaluator,
        nodes: 0,
    };
    let value = search.node(Node { depth, ply: 0 }, Window::OPEN);
    (value, search.nodes)
}

struct AlphaBeta<'a, P: Position, E> {
    /// The current position.
    position: P,
    evaluator: &'a mut E,
    nodes: u64,
}

impl<P: Position, E: Evaluator<P>> AlphaBeta<'_, P, E> {
    /// The value of the current position for its side to move: exact within the window, else a
    /// bound. Inlined, because most nodes are leaves and then cost no call.
    #[inline(always)]
    fn node(&mut self, node: Node, window: Window) -> Score {
        self.nodes += 1;
        if let Some(score) = self.position.terminal(node.ply) {
            return score;
        }
        if node.ply > 0
            && let Some(score) = self.evaluator.exact(&self.position)
        {
            return score;
        }
        if (node.depth == 0 && !self.position.mid_turn()) || node.ply >= Score::MAX_PLY {
            return self.evaluator.evaluate(&self.position);
        }
        self.inner_node(node, window)
    }

    /// The value of the best move. A copy of the position generates the moves, so that each is
    /// searched before the next is generated and a cutoff saves the rest.
    #[inline(never)]
    fn inner_node(&mut self, node: Node, window: Window) -> Score {
        let position = self.position.clone();
        let mut moves = Moves {
            side: position.side(),
            child: Node {
                depth: node.depth.saturating_sub(1),
                ply: node.ply + 1,
            },
            window,
            best: -Score::INFINITY,
            search: self,
        };
        for stage in 0..P::STAGES {
            position.generate(stage, &mut moves);
        }
        moves.best
    }
}

/// Searches the moves of a node as they are generated.
struct Moves<'s, 'e, P: Position, E> {
    side: Side,
    child: Node,
    window: Window,
    /// The value of the best move so far.
    best: Score,
    search: &'s mut AlphaBeta<'e, P, E>,
}

impl<P: Position, E: Evaluator<P>> Moves<'_, '_, P, E> {
    /// The value of a move for the side that plays it.
    #[inline(always)]
    fn value_of(&mut self, mv: P::Move) -> Score {
        let search = &mut *self.search;
        let window = Window::new(self.best.max(self.window.alpha), self.window.beta);
        search.evaluator.push(&search.position, mv);
        let undo = search.position.play(mv);
        let value = if !P::ALTERNATES && search.position.side() == self.side {
            search.node(self.child, window)
        } else {
            -search.node(self.child, -window)
        };
        search.position.undo(mv, undo);
        search.evaluator.pop();
        value
    }
}

impl<P: Position, E: Evaluator<P>> Extend<P::Move> for Moves<'_, '_, P, E> {
    #[inline(always)]
    fn extend<T: IntoIterator<Item = P::Move>>(&mut self, moves: T) {
        for mv in moves {
            if self.best >= self.window.beta {
                break;
            }
            self.best = self.best.max(self.value_of(mv));
        }
    }
}
