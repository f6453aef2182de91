//! What a game can say of a turn that lost something.

use crate::Game;

/// What a game can say of a turn that lost something, beside its value. The default says nothing.
pub trait Explained: Game {
    /// What the opponent of the side to act has lost by the turn that led from this position to `replied`:
    /// a whole turn of the side to act.
    fn taken(&self, replied: &Self) -> Option<Lapse> {
        let _ = replied;
        None
    }
}

/// Something that a side has lost to a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lapse {
    /// What it is.
    pub kind: LapseKind,
    /// How many of them, at least 1.
    pub count: u32,
}

/// What a side can lose to a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LapseKind {
    /// Boxes that the reply takes.
    Boxes,
    /// Pieces that the reply captures.
    Pieces,
    /// Pieces that cannot move after the reply.
    WalledIn,
    /// Links between chains, or of a chain to its edge, that the reply cuts.
    Links,
}

impl Lapse {
    /// So many of a kind; `None` for none.
    pub fn of(kind: LapseKind, count: u32) -> Option<Lapse> {
        (count > 0).then_some(Lapse { kind, count })
    }
}
