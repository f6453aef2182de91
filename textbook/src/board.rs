//! An object-safe game with its evaluation.

use engine_core::evaluate::Evaluator;
use engine_core::position::{Move, Position, Side};
use engine_core::score::Score;

/// A move in the encoding of its game ([`Move::to_bits`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveBits(pub u32);

impl Move for MoveBits {
    fn to_bits(self) -> u32 {
        self.0
    }

    fn from_bits(bits: u32) -> MoveBits {
        MoveBits(bits)
    }
}

/// What comes next at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Nothing: the game is over, or the evaluator has the exact value of a position below the root
    /// ([`Evaluator::exact`]). The score is for the side to act.
    Over(Score),
    /// A roll. Within a turn ([`Position::mid_turn`]) a position should not be evaluated.
    Roll {
        /// Whether a turn is going on.
        mid_turn: bool,
    },
    /// An action.
    Action {
        /// Whether it continues a turn.
        mid_turn: bool,
    },
}

/// A game in progress: [`Position`] and [`Evaluator`] behind one object-safe interface.
pub trait Board {
    /// What comes next, `ply` plies below the root.
    fn status(&self, ply: u32) -> Status;

    /// The side that acts next.
    fn side(&self) -> Side;

    /// The key of the position.
    fn key(&self) -> u64;

    /// Whether the game can repeat positions ([`Position::REPEATS`]).
    fn repeats(&self) -> bool;

    /// Appends the legal moves.
    fn list_moves(&self, out: &mut Vec<MoveBits>);

    /// Plays a legal move.
    fn play(&mut self, mv: MoveBits);

    /// Undoes the last move played.
    ///
    /// # Panics
    /// If there is none.
    fn undo(&mut self);

    /// The faces of the die and their weights ([`Position::rolls`]).
    fn rolls(&self) -> Vec<(u8, i32)>;

    /// Plays a roll.
    fn play_roll(&mut self, face: u8);

    /// Undoes the roll of this face.
    fn undo_roll(&mut self, face: u8);

    /// The evaluation for the side to act.
    fn evaluate(&mut self) -> Score;
}

/// The [`Board`] of a position and an evaluator.
pub struct Evaluated<'a, P: Position, E> {
    position: P,
    evaluator: &'a mut E,
    played: Vec<(P::Move, P::Undo)>,
}

impl<'a, P: Position, E: Evaluator<P>> Evaluated<'a, P, E> {
    /// The board of `position`.
    pub fn new(position: &P, evaluator: &'a mut E) -> Self {
        evaluator.reset(position);
        Evaluated {
            position: position.clone(),
            evaluator,
            played: Vec::new(),
        }
    }
}

impl<P: Position, E: Evaluator<P>> Board for Evaluated<'_, P, E> {
    fn status(&self, ply: u32) -> Status {
        if let Some(score) = self.position.terminal(ply) {
            return Status::Over(score);
        }
        // The root needs a move.
        if ply > 0
            && let Some(score) = self.evaluator.exact(&self.position)
        {
            return Status::Over(score);
        }
        let mid_turn = self.position.mid_turn();
        if P::HAS_CHANCE && self.position.is_chance() {
            Status::Roll { mid_turn }
        } else {
            Status::Action { mid_turn }
        }
    }

    fn side(&self) -> Side {
        self.position.side()
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn repeats(&self) -> bool {
        P::REPEATS
    }

    fn list_moves(&self, out: &mut Vec<MoveBits>) {
        for stage in 0..P::STAGES {
            self.position.generate(stage, &mut Encoder(out));
        }
    }

    fn play(&mut self, mv: MoveBits) {
        let mv = P::Move::from_bits(mv.0);
        self.evaluator.push(&self.position, mv);
        let undo = self.position.play(mv);
        self.played.push((mv, undo));
    }

    fn undo(&mut self) {
        let (mv, undo) = self.played.pop().expect("a move was played");
        self.position.undo(mv, undo);
        self.evaluator.pop();
    }

    fn rolls(&self) -> Vec<(u8, i32)> {
        let mut rolls = Vec::new();
        self.position.rolls(&mut rolls);
        rolls
    }

    fn play_roll(&mut self, face: u8) {
        self.position.play_roll(face);
    }

    fn undo_roll(&mut self, face: u8) {
        self.position.undo_roll(face);
    }

    fn evaluate(&mut self) -> Score {
        self.evaluator.evaluate(&self.position)
    }
}

/// Encodes moves as they are generated.
struct Encoder<'a>(&'a mut Vec<MoveBits>);

impl<M: Move> Extend<M> for Encoder<'_> {
    fn extend<T: IntoIterator<Item = M>>(&mut self, moves: T) {
        let bits = moves.into_iter().map(|mv| MoveBits(mv.to_bits()));
        self.0.extend(bits);
    }
}
