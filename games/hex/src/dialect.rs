//! Turns in the protocols other than UGI and SAU.
//!
//! - GTP as Hex programs use it (HTP): cells as in UGI, and `swap-pieces` for either swap. Where the
//!   players exchange colours, the next turn has the same colour as the swap.
//! - Botzone: row and column from 0 at the top left, because red connects x = 0 and x = 10 there.
//!   It has no swap; it may force the first cell.

use engine_core::{Notation, ParseError, Position};
use game::Dialect;
use game::numbers::groups;
use protocol::Protocol;
use protocol::announcement::Announcement;

use crate::board::Hex;
use crate::geometry::Cell;
use crate::moves::Action;
use crate::variant::Opening;

/// Size of Botzone's board.
const BOTZONE: u8 = 11;

/// The words for a swap; the last one exchanges the players' colours.
pub(crate) const SWAPS: [&str; 3] = ["swap", "swap-pieces", "swap-sides"];

/// The dialect of a protocol; `None` if the protocol does not support Hex.
pub(crate) fn of(protocol: Protocol) -> Option<Dialect<Hex>> {
    match protocol {
        Protocol::Gtp => Some(Dialect {
            announce: gtp,
            write: |position, turn| match turn {
                [Action::Swap] => "swap-pieces".into(),
                _ => position.write_turn(turn),
            },
            parse: read_gtp,
        }),
        Protocol::Botzone | Protocol::BotzoneSimple => Some(Dialect {
            announce: botzone,
            write: |_, turn| turn.iter().map(numbers).collect(),
            parse: read,
        }),
        Protocol::Gomocup => None,
        Protocol::Ugi | Protocol::Sau => Dialect::common(protocol),
    }
}

fn gtp(position: &Hex) -> Result<Announcement, String> {
    Ok(Announcement {
        board: format!("{0} {0}", position.size()),
        ..Announcement::default()
    })
}

/// Reads a turn; any word for a swap is the variant's swap, because HTP does not announce which one
/// is played.
fn read_gtp(position: &Hex, text: &str) -> Result<Vec<Action>, ParseError> {
    let is_swap = SWAPS.iter().any(|swap| text.eq_ignore_ascii_case(swap));
    position.parse_turn(if is_swap { SWAPS[0] } else { text })
}

fn botzone(position: &Hex) -> Result<Announcement, String> {
    let variant = position.variant();
    let forced = match variant.opening {
        Opening::Free => Vec::new(),
        Opening::Forced(cell) => vec![
            ("forced_x", cell.row.into()),
            ("forced_y", cell.column.into()),
        ],
        Opening::Swap => return Err("no swap, { opening = \"free\" },".into()),
    };
    if variant.size != BOTZONE {
        return Err(format!("{{ size = {BOTZONE} }}"));
    }
    Ok(Announcement {
        names: &["x", "y"],
        forced,
        ..Announcement::default()
    })
}

fn numbers(action: &Action) -> String {
    match action {
        Action::Place(cell) => format!("{} {}", cell.row, cell.column),
        Action::Swap => unreachable!("no swap is announced"),
    }
}

fn read(position: &Hex, text: &str) -> Result<Vec<Action>, ParseError> {
    let groups = groups::<2>(text)?;
    let [row, column] = groups[0];
    if let Some([next, _]) = groups.get(1) {
        return Err(next.wrong("the end"));
    }
    let size = position.size();
    let cell = Cell::new(column.below(size)?, row.below(size)?);
    let action = Action::Place(cell);
    if position.is_legal(action) {
        Ok(vec![action])
    } else {
        Err(row.wrong("a legal cell"))
    }
}

#[cfg(test)]
mod tests {
    use game::Game;

    use super::*;
    use crate::variant::{Swap, Variant};

    fn start(opening: Opening, swap: Swap) -> Hex {
        let size = BOTZONE;
        Hex::start(&Variant {
            size,
            opening,
            swap,
        })
        .unwrap()
    }

    #[test]
    fn red_joins_the_first_number_s_ends_on_botzone() {
        let forced = Opening::Forced(Cell::new(2, 1));
        let position = start(forced, Swap::Pieces);
        let botzone = of(Protocol::Botzone).unwrap();
        let announced = (botzone.announce)(&position).unwrap();
        assert_eq!(announced.forced, [("forced_x", 1), ("forced_y", 2)]);
        let turn = position.parse_turn("c2").unwrap();
        assert_eq!((botzone.write)(&position, &turn), "1 2");
        assert_eq!((botzone.parse)(&position, "1 2"), Ok(turn));
        for text in ["2 1", "1", "1 2 3 4", "11 0", "-1 -1", "a b"] {
            assert!((botzone.parse)(&position, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_swap_has_the_words_of_hex_programs() {
        let gtp = of(Protocol::Gtp).unwrap();
        let botzone = of(Protocol::Botzone).unwrap();
        for swap in [Swap::Pieces, Swap::Sides] {
            let mut position = start(Opening::Swap, swap);
            assert_eq!((gtp.announce)(&position).unwrap().board, "11 11");
            let first = (gtp.parse)(&position, "B1").unwrap();
            position.play(first[0]);
            for text in ["swap-pieces", "swap-sides", "SWAP"] {
                let turn = (gtp.parse)(&position, text).unwrap();
                assert_eq!((gtp.write)(&position, &turn), "swap-pieces");
            }
            assert!((gtp.parse)(&position, "swap-colours").is_err());
            assert!((botzone.announce)(&position).is_err());
        }
    }
}
