//! How a game is written in a protocol.

use engine_core::{ParseError, Position};
use protocol::Protocol;
use protocol::announcement::Announcement;

use crate::Written;

/// How a protocol writes turns of `P` and announces a game. Everything that depends on both the
/// game and the protocol is here.
pub struct Dialect<P: Position> {
    /// The announcement of a game with this start. If the protocol does not support the variant,
    /// `Err` names what it does support: `a board of 8x8`.
    pub announce: fn(&P) -> Result<Announcement, String>,

    /// Writes a turn, or some of its actions, played from this position.
    ///
    /// If the protocol exchanges single actions ([`Announcement::passes`]), the actions are
    /// separated by [`BETWEEN_ACTIONS`](protocol::announcement::BETWEEN_ACTIONS).
    pub write: fn(&P, &[P::Move]) -> String,

    /// Reads the output of `write` and similar text, and checks that the actions are legal in
    /// sequence.
    pub parse: Parse<P>,
}

/// Reads actions played from a position.
pub type Parse<P> = fn(&P, &str) -> Result<Vec<<P as Position>::Move>, ParseError>;

impl<P: Position> Dialect<P> {
    /// A dialect that supports every variant and announces nothing.
    pub fn plain(write: fn(&P, &[P::Move]) -> String, parse: Parse<P>) -> Dialect<P> {
        Dialect {
            announce: |_| Ok(Announcement::default()),
            write,
            parse,
        }
    }
}

impl<P: Written> Dialect<P> {
    /// The dialects common to all games: UGI and SAU.
    pub fn common(protocol: Protocol) -> Option<Dialect<P>> {
        match protocol {
            Protocol::Ugi => Some(Dialect::plain(P::write_turn, P::parse_turn)),
            Protocol::Sau => Some(P::sau()),
            _ => None,
        }
    }
}

/// The dialect of a game in a protocol.
///
/// # Errors
/// The protocol does not support the game.
pub fn of<G: Written>(protocol: Protocol) -> Result<Dialect<G>, ParseError> {
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

/// The announcement of a game from `start` in a protocol.
///
/// # Errors
/// The protocol does not support the game or this variant; the message names the variant it
/// supports.
pub fn announce<G: Written>(protocol: Protocol, start: &G) -> Result<Announcement, String> {
    let dialect = of::<G>(protocol).map_err(|error| {
        let ParseError {
            expected, found, ..
        } = error;
        format!("expected {expected}, found {found}")
    })?;
    (dialect.announce)(start)
        .map_err(|expected| format!("{} is played with {expected} in {}", G::ID, protocol.name()))
}
