//! A slow second implementation of the rules on plain arrays, compared with the fast one.

#![allow(clippy::unwrap_used)] // test code outside a #[test]

use std::collections::{BTreeMap, BTreeSet};

use dots_and_boxes::{Edge, Variant};
use engine_core::{Notation, Outcome, Position, Rng, Side};
use game::Game;

/// A dot is (column, row) from 0 at the lower left; an edge is its left or lower dot and whether it
/// is horizontal; a box is its lower left dot.
struct Plain {
    columns: i32,
    rows: i32,
    stop_at_majority: bool,
    drawn: BTreeSet<(i32, i32, bool)>,
    owners: BTreeMap<(i32, i32), Side>,
    side: Side,
}

impl Plain {
    fn edges(&self) -> Vec<(i32, i32, bool)> {
        let mut edges = Vec::new();
        for x in 0..=self.columns {
            for y in 0..=self.rows {
                if x < self.columns {
                    edges.push((x, y, true));
                }
                if y < self.rows {
                    edges.push((x, y, false));
                }
            }
        }
        edges
    }

    fn legal(&self) -> BTreeSet<String> {
        if self.outcome().is_some() {
            return BTreeSet::new();
        }
        let open = self
            .edges()
            .into_iter()
            .filter(|edge| !self.drawn.contains(edge));
        open.map(name).collect()
    }

    fn closed(&self, x: i32, y: i32) -> bool {
        [
            (x, y, true),
            (x, y + 1, true),
            (x, y, false),
            (x + 1, y, false),
        ]
        .iter()
        .all(|edge| self.drawn.contains(edge))
    }

    fn play(&mut self, edge: (i32, i32, bool)) {
        self.drawn.insert(edge);
        let mut again = false;
        for x in 0..self.columns {
            for y in 0..self.rows {
                if self.closed(x, y) && !self.owners.contains_key(&(x, y)) {
                    self.owners.insert((x, y), self.side);
                    again = true;
                }
            }
        }
        if !again {
            self.side = self.side.opponent();
        }
    }

    fn boxes(&self, side: Side) -> i32 {
        self.owners.values().filter(|&&owner| owner == side).count() as i32
    }

    fn outcome(&self) -> Option<Outcome> {
        let [first, second] = Side::BOTH.map(|side| self.boxes(side));
        let total = self.columns * self.rows;
        let majority = self.stop_at_majority && 2 * first.max(second) > total;
        (first + second == total || majority).then(|| match first - second {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Side::First),
            _ => Outcome::Win(Side::Second),
        })
    }
}

fn name((x, y, horizontal): (i32, i32, bool)) -> String {
    let letter = (b'a' + x as u8) as char;
    format!("{letter}{}{}", y + 1, if horizontal { 'h' } else { 'v' })
}

fn compare(columns: u8, rows: u8, stop_at_majority: bool, games: u32) {
    let variant = Variant {
        columns,
        rows,
        stop_at_majority,
    };
    let mut rng = Rng::new(columns as u64 + 100 * rows as u64);
    for _ in 0..games {
        let mut fast = variant.start().unwrap();
        let mut plain = Plain {
            columns: columns.into(),
            rows: rows.into(),
            stop_at_majority,
            drawn: BTreeSet::new(),
            owners: BTreeMap::new(),
            side: Side::First,
        };
        loop {
            let text = fast.write_position();
            let moves: Vec<Edge> = fast.legal_moves();
            let names: BTreeSet<String> = moves.iter().map(|&mv| fast.write_move(mv)).collect();
            assert_eq!(names, plain.legal(), "{text}");
            assert_eq!(fast.outcome(), plain.outcome(), "{text}");
            for side in Side::BOTH {
                assert_eq!(fast.boxes_of(side) as i32, plain.boxes(side), "{text}");
            }
            if fast.outcome().is_some() {
                assert_ne!(fast.ending(), "");
                break;
            }
            assert_eq!(fast.side(), plain.side, "{text}");
            let mv = moves[rng.below(moves.len() as u32) as usize];
            let played = fast.write_move(mv);
            let edges = plain.edges();
            plain.play(*edges.iter().find(|&&edge| name(edge) == played).unwrap());
            fast.play(mv);
        }
    }
}

#[test]
fn random_games_go_the_same_way() {
    compare(5, 5, false, 150);
    compare(5, 5, true, 50);
    for (columns, rows) in [(1, 1), (3, 2), (2, 3), (4, 6), (21, 1), (1, 21)] {
        compare(columns, rows, false, 20);
        compare(columns, rows, true, 20);
    }
}
