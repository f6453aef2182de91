//! Turns in the protocols other than UGI and SAU.
//!
//! Botzone calls the game Pencil. An edge is its column and row on the lattice of dots, edges and
//! boxes, from 0 at the top left dot. Edges are exchanged one at a time.

use engine_core::{ParseError, Position, Side};
use game::Dialect;
use game::numbers::groups;
use protocol::Protocol;
use protocol::announcement::Announcement;
use protocol::announcement::BETWEEN_ACTIONS;

use crate::board::DotsAndBoxes;
use crate::moves::Edge;

/// Columns and rows of boxes on Botzone's board.
const BOTZONE: u8 = 5;

/// The dialect of a protocol; `None` if the protocol does not support Dots and Boxes.
pub(crate) fn of(protocol: Protocol) -> Option<Dialect<DotsAndBoxes>> {
    match protocol {
        Protocol::Botzone | Protocol::BotzoneSimple => Some(Dialect {
            announce,
            write,
            parse: read,
        }),
        Protocol::Gtp | Protocol::Gomocup => None,
        Protocol::Ugi | Protocol::Sau => Dialect::common(protocol),
    }
}

fn announce(position: &DotsAndBoxes) -> Result<Announcement, String> {
    let geometry = position.geometry;
    if (geometry.columns, geometry.rows) != (BOTZONE, BOTZONE) {
        return Err(format!("{BOTZONE}x{BOTZONE} boxes"));
    }
    Ok(Announcement {
        names: &["x", "y"],
        passes: true,
        ..Announcement::default()
    })
}

fn write(position: &DotsAndBoxes, turn: &[Edge]) -> String {
    let edge = |edge: &Edge| {
        let (x, y) = position.geometry.point(edge.0);
        format!("{x} {y}")
    };
    let edges: Vec<String> = turn.iter().map(edge).collect();
    edges.join(&BETWEEN_ACTIONS.to_string())
}

fn read(position: &DotsAndBoxes, text: &str) -> Result<Vec<Edge>, ParseError> {
    let (mut after, mut turn) = (position.clone(), Vec::new());
    let mut column = 0;
    for text in text.split(BETWEEN_ACTIONS) {
        let edge =
            read_edge(&after, position.side(), text).map_err(|error| error.shifted(column))?;
        after.play(edge);
        turn.push(edge);
        column += text.chars().count() + 1;
    }
    Ok(turn)
}

fn read_edge(position: &DotsAndBoxes, side: Side, text: &str) -> Result<Edge, ParseError> {
    let groups = groups::<2>(text)?;
    let [x, y] = groups[0];
    if position.outcome().is_some() || position.side() != side {
        return Err(x.wrong("nothing more, as the turn is over"));
    }
    if let Some([next, _]) = groups.get(1) {
        return Err(next.wrong("the end"));
    }
    let geometry = position.geometry;
    let (column, row) = (
        x.below(2 * geometry.columns + 1)?,
        y.below(2 * geometry.rows + 1)?,
    );
    let edge = geometry.edge_at(column, row).map(Edge);
    let legal = edge.filter(|&edge| position.is_legal(edge));
    legal.ok_or_else(|| x.wrong("an edge that is not drawn"))
}

#[cfg(test)]
mod tests {
    use engine_core::Notation;

    use super::*;
    use crate::variant::Variant;

    #[test]
    fn edges_are_exchanged_one_by_one() {
        let mut position = Variant::default().start().unwrap();
        for edge in ["a1h", "a2h", "a1v"] {
            let edge = position.parse_turn(edge).unwrap()[0];
            position.play(edge);
        }
        let botzone = of(Protocol::Botzone).unwrap();
        assert!((botzone.announce)(&position).unwrap().passes);
        let turn = position.parse_turn("b1v+a6h").unwrap();
        assert_eq!((botzone.write)(&position, &turn), "2 9;1 0");
        assert_eq!((botzone.parse)(&position, "2 9;1 0"), Ok(turn.clone()));
        assert_eq!((botzone.parse)(&position, "2 9"), Ok(turn[..1].to_vec()));
        for (text, column) in [
            ("0 0", 1),
            ("1 10", 1),
            ("11 0", 1),
            ("2 9;1", 6),
            ("1 0;1 2", 5),
        ] {
            let error = (botzone.parse)(&position, text).unwrap_err();
            assert_eq!(error.column, column, "{text}: {error}");
        }
    }
}
