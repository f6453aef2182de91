//! Turns in the protocols other than UGI and SAU.
//!
//! - GTP: as in UGI, `d1-d7-g7`.
//! - Botzone, on a board of 8×8: column and row of from, to and arrow, from 0 at the top left.

use engine_core::{Notation, ParseError, Position};
use game::Dialect;
use game::numbers::groups;
use protocol::Protocol;
use protocol::announcement::Announcement;

use crate::board::Amazons;
use crate::geometry::Square;
use crate::moves::Action;
use crate::variant::Variant;

/// Size of Botzone's board.
const BOTZONE: u8 = 8;

/// The dialect of a protocol; `None` if the protocol does not support Amazons.
pub(crate) fn of(protocol: Protocol) -> Option<Dialect<Amazons>> {
    match protocol {
        Protocol::Gtp => Some(Dialect {
            announce: gtp,
            ..Dialect::plain(Amazons::write_turn, Amazons::parse_turn)
        }),
        Protocol::Botzone | Protocol::BotzoneSimple => Some(Dialect {
            announce: botzone,
            write: |position, turn| {
                turn.iter()
                    .map(|action| numbers(position, action))
                    .collect()
            },
            parse: read,
        }),
        Protocol::Gomocup => None,
        Protocol::Ugi | Protocol::Sau => Dialect::common(protocol),
    }
}

/// GTP announces only the board size, so each size has one set-up.
fn gtp(position: &Amazons) -> Result<Announcement, String> {
    let known = is_set_up(position, position.columns());
    let board = position.columns().to_string();
    let announcement = Announcement {
        board,
        ..Announcement::default()
    };
    known
        .then_some(announcement)
        .ok_or_else(|| "{ size = 10 }, 8 or 6".into())
}

fn botzone(position: &Amazons) -> Result<Announcement, String> {
    let announcement = Announcement {
        names: &["x0", "y0", "x1", "y1", "x2", "y2"],
        ..Announcement::default()
    };
    let known = is_set_up(position, BOTZONE);
    known
        .then_some(announcement)
        .ok_or_else(|| format!("{{ size = {BOTZONE} }}"))
}

/// Whether the position is the known start position of this size.
fn is_set_up(position: &Amazons, size: u8) -> bool {
    let start = Variant::of_size(size).and_then(|variant| variant.start().ok());
    start.as_ref() == Some(position)
}

fn numbers(position: &Amazons, action: &Action) -> String {
    let last = position.rows() - 1;
    let squares = [action.from(), action.to(), action.arrow()];
    let pair = |square: Square| format!("{} {}", square.column(), last - square.row());
    squares.map(pair).join(" ")
}

fn read(position: &Amazons, text: &str) -> Result<Vec<Action>, ParseError> {
    let groups = groups::<6>(text)?;
    let numbers = groups[0];
    if let Some([next, ..]) = groups.get(1) {
        return Err(next.wrong("the end"));
    }
    let (columns, rows) = (position.columns(), position.rows());
    let square = |at: usize| -> Result<Square, ParseError> {
        let column = numbers[at].below(columns)?;
        Ok(Square::new(column, rows - 1 - numbers[at + 1].below(rows)?))
    };
    let action = Action::new(square(0)?, square(2)?, square(4)?);
    if position.is_legal(action) {
        Ok(vec![action])
    } else {
        Err(numbers[0].wrong("a legal move"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_numbers_from_the_top_left() {
        let position = Variant::of_size(BOTZONE).unwrap().start().unwrap();
        let botzone = of(Protocol::Botzone).unwrap();
        assert_eq!((botzone.announce)(&position).unwrap().names.len(), 6);
        // Black stands on (0, 2) there.
        let turn = position.parse_turn("a6-a5-b5").unwrap();
        assert_eq!((botzone.write)(&position, &turn), "0 2 0 3 1 3");
        assert_eq!((botzone.parse)(&position, "0 2 0 3 1 3"), Ok(turn));
        for text in [
            "0 2 0 3",
            "0 3 0 2 1 3",
            "0 2 0 3 8 3",
            "0 2 0 3 1 3 0 0 0 0 0 0",
        ] {
            assert!((botzone.parse)(&position, text).is_err(), "{text}");
        }
    }

    #[test]
    fn boards_that_are_not_announced_are_refused() {
        for (size, board) in [(10, "10"), (8, "8"), (6, "6")] {
            let position = Variant::of_size(size).unwrap().start().unwrap();
            let gtp = of(Protocol::Gtp).unwrap();
            assert_eq!((gtp.announce)(&position).unwrap().board, board);
            let botzone = (of(Protocol::Botzone).unwrap().announce)(&position);
            assert_eq!(botzone.is_ok(), size == BOTZONE);
        }
    }
}
