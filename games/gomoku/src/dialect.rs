//! Turns in the protocols other than UGI and SAU.
//!
//! - GTP: as in UGI. After a swap, the same colour plays on.
//! - Gomocup: column and row from 0 at the top left, `7,7`; no ceremony, no pass, no claim. `INFO rule`
//!   is 0 for free-style, 1 for exactly five, 4 for Renju.
//! - Botzone: the same numbers on a board of 15×15, free-style.

use engine_core::{Notation, ParseError, Position};
use game::Dialect;
use game::numbers::groups;
use protocol::Protocol;
use protocol::announcement::Announcement;

use crate::board::Gomoku;
use crate::geometry::Cell;
use crate::moves::Action;
use crate::variant::{ForbiddenRule, Opening, Variant};

/// The dialect of a protocol; `None` if the protocol does not support Gomoku.
pub(crate) fn of(protocol: Protocol) -> Option<Dialect<Gomoku>> {
    match protocol {
        Protocol::Gtp => Some(Dialect {
            announce: board,
            ..Dialect::plain(Gomoku::write_turn, Gomoku::parse_turn)
        }),
        Protocol::Gomocup => Some(Dialect {
            announce: gomocup,
            write: |position, turn| numbers(position, turn, ","),
            parse: read,
        }),
        Protocol::Botzone | Protocol::BotzoneSimple => Some(Dialect {
            announce: botzone,
            write: |position, turn| numbers(position, turn, " "),
            parse: read,
        }),
        Protocol::Ugi | Protocol::Sau => Dialect::common(protocol),
    }
}

fn board(position: &Gomoku) -> Result<Announcement, String> {
    Ok(Announcement {
        board: position.size().to_string(),
        ..Announcement::default()
    })
}

fn gomocup(position: &Gomoku) -> Result<Announcement, String> {
    let variant = position.variant();
    if variant.opening == Opening::Prescribed {
        return Err("stones only, { opening = \"free\" },".into());
    }
    if variant.forbidden == ForbiddenRule::Claimed {
        return Err("no claims, { forbidden = \"at-once\" } or { forbidden = \"off\" },".into());
    }
    let rule = match (variant.forbidden, variant.exactly_five) {
        (ForbiddenRule::Off, false) => 0,
        (ForbiddenRule::Off, true) => 1,
        _ => 4,
    };
    Ok(Announcement {
        rule: Some(rule),
        ..board(position)?
    })
}

fn botzone(position: &Gomoku) -> Result<Announcement, String> {
    if position.variant() != Variant::FREE_STYLE {
        return Err("{ opening = \"free\", forbidden = \"off\" }".into());
    }
    Ok(Announcement {
        names: &["x", "y"],
        ..Announcement::default()
    })
}

/// Column and row from 0 at the top left.
fn numbers(position: &Gomoku, turn: &[Action], between: &str) -> String {
    let last = position.size() - 1;
    let pair = |action: &Action| match action {
        Action::Cell(cell) => format!("{}{between}{}", cell.column(), last - cell.row()),
        _ => unreachable!("no ceremony, pass or claim is announced"),
    };
    turn.iter().map(pair).collect()
}

fn read(position: &Gomoku, text: &str) -> Result<Vec<Action>, ParseError> {
    let groups = groups::<2>(text)?;
    let [column, row] = groups[0];
    if let Some([next, _]) = groups.get(1) {
        return Err(next.wrong("the end"));
    }
    let size = position.size();
    let cell = Cell::new(column.below(size)?, size - 1 - row.below(size)?);
    if position.is_legal(Action::Cell(cell)) {
        Ok(vec![Action::Cell(cell)])
    } else {
        Err(column.wrong("an empty cell"))
    }
}

#[cfg(test)]
mod tests {
    use game::{Game, Written};

    use super::*;

    fn start(variant: &str) -> Gomoku {
        Gomoku::start(&serde_json::from_str(variant).unwrap()).unwrap()
    }

    #[test]
    fn turns_are_numbers_from_the_top_left() {
        let position = start(r#"{"opening":"free","forbidden":"off"}"#);
        let turn = position.parse_turn("b15").unwrap();
        for (protocol, text) in [(Protocol::Gomocup, "1,0"), (Protocol::Botzone, "1 0")] {
            let dialect = of(protocol).unwrap();
            assert_eq!((dialect.write)(&position, &turn), text);
            assert_eq!((dialect.parse)(&position, text), Ok(turn.clone()));
            for text in ["1", "1 2 3 4", "15 0", "-1 -1", "a b"] {
                assert!((dialect.parse)(&position, text).is_err(), "{text}");
            }
        }
    }

    #[test]
    fn protocols_of_stones_refuse_a_ceremony_and_claims() {
        let announced = |protocol, variant| (of(protocol).unwrap().announce)(&start(variant));
        for (variant, expected) in [
            ("{}", "stones only"),
            (r#"{"opening":"free","forbidden":"claimed"}"#, "no claims"),
        ] {
            let refused = announced(Protocol::Gomocup, variant).unwrap_err();
            assert!(refused.starts_with(expected), "{refused}");
        }
        assert!(announced(Protocol::Botzone, r#"{"opening":"free"}"#).is_err());
        assert!(announced(Protocol::Gtp, "{}").is_ok());
    }

    #[test]
    fn rules_have_their_numbers_in_gomocup() {
        for rule in [0, 1, 4] {
            let variant = Gomoku::with_rule(&Variant::FREE_STYLE, rule).unwrap();
            let start = Gomoku::start(&variant).unwrap();
            let announced = (of(Protocol::Gomocup).unwrap().announce)(&start);
            assert_eq!(announced.map(|it| it.rule), Ok(Some(rule)));
        }
        assert_eq!(Gomoku::with_rule(&Variant::FREE_STYLE, 2), None);
    }
}
