//! A game's words in a protocol.

use engine_core::{Notation, ParseError, Position};

use crate::game::{Game, Sau};
use crate::protocol::Protocol;

/// How a protocol writes the turns of `P`, and what it says of a game before the first. All that is
/// both a game's and a protocol's is here.
pub struct Dialect<P: Position> {
    /// What a game from this start is announced with. `Err` says what the protocol is played with
    /// where the variant is another: `a board of 8x8`.
    pub announce: fn(&P) -> Result<Announcement, String>,

    /// The text of a turn, or of some of its actions, that is played from this position.
    ///
    /// Where a protocol has one action at a time ([`Announcement::passes`]), the actions stand
    /// behind one another, separated by [`BETWEEN_ACTIONS`].
    pub write: fn(&P, &[P::Move]) -> String,

    /// Reads what `write` writes, and what is like it, and checks that the actions are legal one
    /// after the other.
    pub parse: Parse<P>,
}

/// Reads actions to be played from a position.
pub type Parse<P> = fn(&P, &str) -> Result<Vec<<P as Position>::Move>, ParseError>;

/// Stands between actions that a protocol exchanges one at a time.
pub const BETWEEN_ACTIONS: char = ';';

/// What is said of a game before its first turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Announcement {
    /// The size of the board as the protocol's command has it: `11 11` for GTP's `boardsize`. Empty
    /// where nobody asks.
    pub board: String,
    /// How Botzone's JSON names the numbers of a turn: `x0`, `y0`, …
    pub names: &'static [&'static str],
    /// Names and values that are added to Botzone's first request to `First`.
    pub forced: Vec<(&'static str, i64)>,
    /// Whether Botzone has one action at a time: a side that goes on after it waits for the other's
    /// pass.
    pub passes: bool,
}

impl<P: Position> Dialect<P> {
    /// A dialect in which every variant is played and nothing is announced.
    pub fn plain(write: fn(&P, &[P::Move]) -> String, parse: Parse<P>) -> Dialect<P> {
        Dialect {
            announce: |_| Ok(Announcement::default()),
            write,
            parse,
        }
    }
}

impl<P: Notation + Sau> Dialect<P> {
    /// The dialects that every game has: those of UGI and SAU.
    pub fn common(protocol: Protocol) -> Option<Dialect<P>> {
        match protocol {
            Protocol::Ugi => Some(Dialect::plain(P::write_turn, P::parse_turn)),
            Protocol::Sau => Some(Dialect::plain(P::write_sau, P::parse_sau)),
            _ => None,
        }
    }
}

/// The dialect of a game in a protocol.
///
/// # Errors
/// The game is not played in it.
pub fn of<G: Game>(protocol: Protocol) -> Result<Dialect<G>, ParseError> {
    let speaks = |&protocol: &Protocol| G::dialect(protocol).is_some();
    G::dialect(protocol).ok_or_else(|| {
        let known = Protocol::ALL.into_iter().filter(speaks);
        let known: Vec<&str> = known.map(Protocol::name).collect();
        let expected = format!(
            "a protocol that {} is played in: {}",
            G::ID,
            known.join(", ")
        );
        ParseError::new(1, protocol.name(), expected)
    })
}

/// What a game from `start` is announced with in a protocol.
///
/// # Errors
/// The game is not played in it, or is another variant there; the message says which.
pub fn announce<G: Game>(protocol: Protocol, start: &G) -> Result<Announcement, String> {
    let dialect = of::<G>(protocol).map_err(|error| {
        let ParseError {
            expected, found, ..
        } = error;
        format!("expected {expected}, found {found}")
    })?;
    (dialect.announce)(start)
        .map_err(|expected| format!("{} is played with {expected} in {}", G::ID, protocol.name()))
}
