//! Turns in GTP: cells as in UGI. Gomocup and Botzone do not have the game.

use engine_core::Notation;
use game::Dialect;
use protocol::Protocol;
use protocol::announcement::Announcement;

use crate::board::TicTacToe;

/// The dialect of a protocol; `None` if the protocol does not support tic-tac-toe.
pub(crate) fn of(protocol: Protocol) -> Option<Dialect<TicTacToe>> {
    match protocol {
        Protocol::Gtp => Some(Dialect {
            announce: |_| {
                Ok(Announcement {
                    board: "3".to_owned(),
                    ..Announcement::default()
                })
            },
            ..Dialect::plain(TicTacToe::write_turn, TicTacToe::parse_turn)
        }),
        Protocol::Gomocup | Protocol::Botzone | Protocol::BotzoneSimple => None,
        Protocol::Ugi | Protocol::Sau => Dialect::common(protocol),
    }
}
