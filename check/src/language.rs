//! What the check needs to know of a protocol, besides its points.

use engine_core::Side;
use engine_process::deviation::Deviation;
use task::clock::ClockSpec;

use super::Point;
use super::conversation::Conversation;
use super::finding::Fault;
use super::game::Player;

/// A protocol as the check speaks it.
pub(super) trait Language {
    /// The points, in order.
    fn points(&self) -> &'static [Point];

    /// The kind of a line that is not blank.
    fn kind(&self, line: &str) -> Kind;

    /// The deviation of an answer, apart from its turn.
    fn deviation(&self, answer: &str) -> Option<Deviation> {
        let _ = answer;
        None
    }

    /// Makes sure that an engine is running and introduced.
    fn ready(&self, conversation: &mut Conversation<'_>) -> Result<(), Fault>;

    /// Begins a game in which the engine plays `side`. The engine is ready.
    fn begin(
        &self,
        conversation: &mut Conversation<'_>,
        side: Side,
    ) -> Result<Box<dyn Player>, Fault>;

    /// Like `begin`, for a single question about any position.
    fn consult(
        &self,
        conversation: &mut Conversation<'_>,
        side: Side,
    ) -> Result<Box<dyn Player>, Fault> {
        self.begin(conversation, side)
    }

    /// The command that ends the engine, if the protocol has one.
    fn quit(&self) -> Option<&'static str>;

    /// The clock of a game as in a league. The plan's margin holds, too.
    fn clock(&self, conversation: &Conversation<'_>) -> ClockSpec;
}

/// The kind of a line from the engine.
pub(super) enum Kind {
    /// An answer, which has to be asked for, or the turn in it.
    Answer(String),
    /// Any other line of the protocol.
    Known,
    /// Not a line of the protocol.
    Foreign,
}
