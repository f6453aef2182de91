//! How a game is written: in protocols, and as stones that users set up.

use protocol::Protocol;

use crate::Game;
use crate::dialect::Dialect;

/// The platform's words for `First` and `Second`.
pub const PLATFORM_COLOURS: [&str; 2] = ["black", "white"];

/// How a game is written in protocols, and how its positions are set up. By default it is played by UGI
/// and SAU in its own notation.
pub trait Written: Game {
    /// What SAU's `new` calls `First` and `Second`. The platform says `black` and `white` in every
    /// game that it has, whatever the colours of the pieces.
    const SAU_COLOURS: [&'static str; 2] = PLATFORM_COLOURS;

    /// How the SAU platform writes turns. The default is the notation of UGI.
    fn sau() -> Dialect<Self> {
        Dialect::plain(Self::write_turn, Self::parse_turn)
    }

    /// The game's dialect of a protocol; `None` if the protocol does not support the game. Every
    /// game supports UGI and SAU.
    fn dialect(protocol: Protocol) -> Option<Dialect<Self>> {
        Dialect::common(protocol)
    }

    /// The variant with the rules of a number in Gomocup's `INFO rule`; `None` if the game has no such
    /// rules.
    fn with_rule(variant: &Self::Variant, rule: u32) -> Option<Self::Variant> {
        let _ = (variant, rule);
        None
    }

    /// What `First` and `Second` have placed, if that is all that makes up a position: stones that
    /// never move, placed one by one. `None` for other games.
    fn placed(&self) -> Option<[Vec<Self::Move>; 2]> {
        None
    }

    /// The same unfinished position with a colour, an index into [`Game::COLOURS`], to act although
    /// it is not its turn: so users set positions up on a board. `before` is the position before
    /// the last turn. `None` if the game has no such position. By default the other side passes.
    fn out_of_turn(&self, colour: usize, before: Option<&Self>) -> Option<Self> {
        let _ = (colour, before);
        let mut other = self.clone();
        other.pass().then_some(other)
    }

    /// Reads the first game of an SGF file; `None` if there is none, or no SGF of this game.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn read_sgf(text: &str, variant: &Self::Variant) -> Option<Result<Played<Self>, String>> {
        let _ = (text, variant);
        None
    }
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// Its variant.
    pub variant: G::Variant,
    /// Its start, and the position after each turn.
    pub positions: Vec<G>,
}
