//! A slow, simple second implementation of the rules: an array of points, walks along lines and
//! arcs. The fast rules must agree with it at every position of hundreds of random games.

use std::collections::{BTreeSet, HashMap};

use engine_core::{Notation, Outcome, Playout, Position, Rng, Side, UniformPlayout};
use surakarta::{Ending, Surakarta, Variant};

const ARCS: [&str; 8] = [
    "a2b1", "a3c1", "a5b6", "a4c6", "f2e1", "f3d1", "f5e6", "f4d6",
];

type Point = (i32, i32);

fn point(name: &str) -> Point {
    let name = name.as_bytes();
    (i32::from(name[0] - b'a'), i32::from(name[1] - b'1'))
}

fn name((column, row): Point) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

fn on_board((column, row): Point) -> bool {
    (0..6).contains(&column) && (0..6).contains(&row)
}

/// Leaving the board at `end`: the point and the direction after the arc.
fn through_arc(end: Point) -> Option<(Point, Point)> {
    let other = ARCS.iter().find_map(|arc| {
        let ends = (point(&arc[..2]), point(&arc[2..]));
        match ends {
            (a, b) if a == end => Some(b),
            (a, b) if b == end => Some(a),
            _ => None,
        }
    })?;
    let inwards = match other {
        (0, _) => (1, 0),
        (5, _) => (-1, 0),
        (_, 0) => (0, 1),
        _ => (0, -1),
    };
    Some((other, inwards))
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Board {
    points: Vec<Vec<Option<Side>>>,
    side: Side,
}

impl Board {
    fn start() -> Board {
        let row = |row| match row {
            0 | 1 => vec![Some(Side::Second); 6],
            4 | 5 => vec![Some(Side::First); 6],
            _ => vec![None; 6],
        };
        Board {
            points: (0..6).map(row).collect(),
            side: Side::First,
        }
    }

    fn at(&self, (column, row): Point) -> Option<Side> {
        self.points[row as usize][column as usize]
    }

    fn count(&self, side: Side) -> usize {
        self.points
            .iter()
            .flatten()
            .filter(|&&p| p == Some(side))
            .count()
    }

    /// The piece captured from `from` when starting in `direction`.
    fn captured(&self, from: Point, direction: Point) -> Option<Point> {
        let (mut at, mut ahead, mut arcs) = (from, direction, 0);
        loop {
            let next = (at.0 + ahead.0, at.1 + ahead.1);
            if on_board(next) {
                at = next;
            } else {
                (at, ahead) = through_arc(at)?;
                arcs += 1;
            }
            if (at, ahead) == (from, direction) {
                return None;
            }
            match self.at(at) {
                _ if at == from => {}
                None => {}
                Some(side) => return (arcs > 0 && side != self.side).then_some(at),
            }
        }
    }

    fn moves(&self) -> BTreeSet<(String, Point, Point)> {
        let mut moves = BTreeSet::new();
        for from in (0..36).map(|i| (i % 6, i / 6)) {
            if self.at(from) != Some(self.side) {
                continue;
            }
            for direction in (0..9).map(|i| (i % 3 - 1, i / 3 - 1)) {
                let to = (from.0 + direction.0, from.1 + direction.1);
                if on_board(to) && self.at(to).is_none() {
                    moves.insert((format!("{}-{}", name(from), name(to)), from, to));
                }
                if direction.0.abs() + direction.1.abs() == 1
                    && let Some(to) = self.captured(from, direction)
                {
                    moves.insert((format!("{}x{}", name(from), name(to)), from, to));
                }
            }
        }
        moves
    }

    fn play(&mut self, from: Point, to: Point) {
        self.points[from.1 as usize][from.0 as usize] = None;
        self.points[to.1 as usize][to.0 as usize] = Some(self.side);
        self.side = self.side.opponent();
    }

    /// How the game ended, checked in the order of the rules, and the result.
    fn end(&self, quiet: u32, occurrences: u32, variant: Variant) -> Option<(Ending, Outcome)> {
        if let Some(loser) = Side::BOTH.into_iter().find(|&side| self.count(side) == 0) {
            return Some((Ending::NoPieces, Outcome::Win(loser.opponent())));
        }
        if self.moves().is_empty() {
            return Some((Ending::NoMove, Outcome::Win(self.side.opponent())));
        }
        let ending = if variant.repetition && occurrences >= 3 {
            Ending::Repetition
        } else if variant.quiet_limit > 0 && quiet >= variant.quiet_limit {
            Ending::QuietLimit
        } else {
            return None;
        };
        let (first, second) = (self.count(Side::First), self.count(Side::Second));
        let outcome = match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First),
            std::cmp::Ordering::Less => Outcome::Win(Side::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        };
        Some((ending, outcome))
    }
}

/// Plays a random game under both implementations at once; returns its ending.
fn game(variant: Variant, rng: &mut Rng) -> (Ending, Outcome) {
    let (mut board, mut quiet) = (Board::start(), 0);
    let mut position = Surakarta::new(variant);
    let mut occurrences: HashMap<Board, u32> = HashMap::new();
    let mut policy = UniformPlayout::default();
    loop {
        let count = occurrences.entry(board.clone()).or_default();
        *count += 1;
        let text = position.write_position();
        let expected = board.end(quiet, *count, variant);
        let found = position.ending_kind().zip(position.outcome());
        assert_eq!(found, expected, "{text}");
        if let Some(end) = expected {
            return end;
        }
        let moves = board.moves();
        let names: BTreeSet<String> = moves.iter().map(|(name, ..)| name.clone()).collect();
        let legal = position.legal_moves();
        let legal: BTreeSet<String> = legal.iter().map(|&mv| position.write_move(mv)).collect();
        assert_eq!(legal, names, "{text}");

        let mv = policy.choose(&position, rng);
        let written = position.write_move(mv);
        let (_, from, to) = moves
            .into_iter()
            .find(|(name, ..)| *name == written)
            .expect("it is among the names");
        quiet = if board.at(to).is_some() { 0 } else { quiet + 1 };
        board.play(from, to);
        position.play(mv);
    }
}

/// Plays random games and checks that these endings and wins of both sides occur.
fn check(quiet_limit: u32, repetition: bool, games: u32, endings: &[Ending]) {
    let variant = Variant {
        quiet_limit,
        repetition,
    };
    let mut rng = Rng::new(2);
    let ends: Vec<(Ending, Outcome)> = (0..games).map(|_| game(variant, &mut rng)).collect();
    for ending in endings {
        let came_up = ends.iter().any(|end| end.0 == *ending);
        assert!(came_up, "{variant:?}: {ending:?}");
    }
    for side in Side::BOTH {
        let came_up = ends.iter().any(|end| end.1 == Outcome::Win(side));
        assert!(came_up, "{variant:?}: {side:?}");
    }
}

#[test]
fn the_contest_rules() {
    let endings = [Ending::NoPieces, Ending::Repetition, Ending::QuietLimit];
    check(100, true, 150, &endings);
}

#[test]
fn a_short_quiet_limit() {
    check(9, true, 300, &[Ending::QuietLimit]);
}

#[test]
fn no_repetition() {
    check(30, false, 100, &[Ending::NoPieces, Ending::QuietLimit]);
}

#[test]
fn no_quiet_limit() {
    check(0, true, 60, &[Ending::NoPieces, Ending::Repetition]);
}
