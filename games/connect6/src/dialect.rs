//! Turns in the protocols other than UGI and SAU.
//!
//! - GTP: as in UGI, `j10` and `k11i11`; the letter i is used.
//! - Gomocup: column and row from 0 at the top left, `9,9` and `10,8 8,8`.
//! - Botzone: the same numbers on a board of 15×15, always four; -1 -1 stands for an absent stone.

use engine_core::{Notation, ParseError, Position};
use game::Dialect;
use game::numbers::groups;
use protocol::Protocol;
use protocol::announcement::Announcement;

use crate::board::Connect6;
use crate::moves::Stone;

/// Size of Botzone's board.
const BOTZONE: u8 = 15;

/// The dialect of a protocol; `None` if the protocol does not support Connect6.
pub(crate) fn of(protocol: Protocol) -> Option<Dialect<Connect6>> {
    let board = |position: &Connect6| {
        Ok(Announcement {
            board: position.size().to_string(),
            ..Announcement::default()
        })
    };
    match protocol {
        Protocol::Gtp => Some(Dialect {
            announce: board,
            ..Dialect::plain(Connect6::write_turn, Connect6::parse_turn)
        }),
        Protocol::Gomocup => Some(Dialect {
            announce: board,
            write: |position, turn| pairs(position, turn, ",").join(" "),
            parse: read,
        }),
        Protocol::Botzone | Protocol::BotzoneSimple => Some(Dialect {
            announce: |position| match position.size() {
                BOTZONE => Ok(Announcement {
                    names: &["x0", "y0", "x1", "y1"],
                    ..Announcement::default()
                }),
                _ => Err(format!(
                    "a board of {BOTZONE}x{BOTZONE}, {{ size = {BOTZONE} }},"
                )),
            },
            write: |position, turn| {
                let mut pairs = pairs(position, turn, " ");
                pairs.resize(2, "-1 -1".into());
                pairs.join(" ")
            },
            parse: read,
        }),
        Protocol::Ugi | Protocol::Sau => Dialect::common(protocol),
    }
}

/// The cells of stones: column and row from 0 at the top left.
fn pairs(position: &Connect6, turn: &[Stone], between: &str) -> Vec<String> {
    let last = u16::from(position.size()) - 1;
    let pair = |stone: &Stone| format!("{}{between}{}", stone.column(), last - stone.row());
    turn.iter().map(pair).collect()
}

/// Reads one or two stones. A second stone of -1 -1 is ignored; so is one on an empty cell after
/// the first stone has won.
fn read(position: &Connect6, text: &str) -> Result<Vec<Stone>, ParseError> {
    let (mut after, mut turn) = (position.clone(), Vec::new());
    for (index, pair) in groups::<2>(text)?.into_iter().enumerate() {
        let [column, row] = pair;
        if index == 1 && pair.iter().all(|number| number.value == -1) {
            break;
        }
        let needless = index == 1 && turn.len() == 1 && after.outcome().is_some();
        if !needless && (after.outcome().is_some() || after.side() != position.side()) {
            return Err(column.wrong("nothing more, as the turn is over"));
        }
        let size = position.size();
        let stone = Stone::new(column.below(size)?, size - 1 - row.below(size)?);
        if after
            .at(stone.column().into(), stone.row().into())
            .is_some()
        {
            return Err(column.wrong("an empty cell"));
        }
        if needless {
            continue;
        }
        after.play(stone);
        turn.push(stone);
    }
    Ok(turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(turns: &str) -> Connect6 {
        let mut position = Connect6::new(15);
        for turn in turns.split(' ') {
            for stone in position.parse_turn(turn).unwrap() {
                position.play(stone);
            }
        }
        position
    }

    #[test]
    fn turns_are_numbers_from_the_top_left() {
        let botzone = of(Protocol::Botzone).unwrap();
        let gomocup = of(Protocol::Gomocup).unwrap();
        let start = Connect6::new(15);
        let first = start.parse_turn("a15").unwrap();
        assert_eq!((botzone.write)(&start, &first), "0 0 -1 -1");
        assert_eq!((gomocup.write)(&start, &first), "0,0");
        let position = after("a15");
        let second = position.parse_turn("b15a1").unwrap();
        assert_eq!((botzone.write)(&position, &second), "1 0 0 14");
        assert_eq!((gomocup.write)(&position, &second), "1,0 0,14");
        for text in ["1 0 0 14", "1,0 0,14", "1,0,0,14"] {
            assert_eq!((gomocup.parse)(&position, text), Ok(second.clone()));
        }
        for (text, column) in [
            ("0 0 1 1", 1),
            ("1 0 1 0", 5),
            ("1 0 15 0", 5),
            ("1 0 2 0 3 0", 9),
        ] {
            let error = (botzone.parse)(&position, text).unwrap_err();
            assert_eq!(error.column, column, "{text}");
        }
    }

    #[test]
    fn a_stone_after_one_that_has_won_is_none() {
        let gomocup = of(Protocol::Gomocup).unwrap();
        let position = after("a15 a1b1 b15c15 c1d1 d15e15 h1j1");
        let won = position.parse_turn("f15").unwrap();
        for text in ["5,0", "5,0 6,0", "5,0 -1,-1"] {
            assert_eq!((gomocup.parse)(&position, text), Ok(won.clone()), "{text}");
        }
        for text in ["5,0 5,0", "5,0 0,0", "5,0 6,0 7,0"] {
            assert!((gomocup.parse)(&position, text).is_err(), "{text}");
        }
    }
}
