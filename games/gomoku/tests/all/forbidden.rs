//! Forbidden moves: positions made from the definitions, and a second, slow implementation.

use std::collections::HashMap;

use engine_core::{Position, Rng, Symmetric};
use gomoku::{Action, Cell, Forbidden, Gomoku};

use crate::common::{of_rows, start};
use crate::slow::Slow;

/// Columns and rows of the board that the diagrams are put on.
const SIZE: usize = 20;

/// A diagram and what it shows.
struct Diagram<'a> {
    name: &'a str,
    verdict: &'a str,
    position: Gomoku,
    point: Cell,
}

/// The diagrams of `forbidden.txt`.
fn diagrams() -> Vec<Diagram<'static>> {
    let text = include_str!("forbidden.txt");
    let blocks = text.split("\n\n").skip(1);
    blocks.map(diagram).collect()
}

fn diagram(block: &'static str) -> Diagram<'static> {
    let (head, rows) = block.split_once('\n').expect("a head and rows");
    let (verdict, name) = head.split_once(": ").expect("a verdict and a name");
    let (verdict, in_corner) = match verdict.split_once(", ") {
        Some((verdict, "in the corner")) => (verdict, true),
        _ => (verdict, false),
    };
    let rows: Vec<&str> = rows.lines().collect();
    let offset = |length: usize| if in_corner { 0 } else { (SIZE - length) / 2 };
    let (left, bottom) = (offset(rows[0].len()), offset(rows.len()));
    let mut board = vec![vec!['.'; SIZE]; SIZE];
    let mut point = None;
    for (row, line) in rows.iter().rev().enumerate() {
        for (column, character) in line.chars().enumerate() {
            let (x, y) = (left + column, bottom + row);
            board[y][x] = match character {
                'X' => 'b',
                'O' => 'w',
                '*' => {
                    point = Some(Cell::new(x as u8, y as u8));
                    '.'
                }
                _ => '.',
            };
        }
    }
    let lines: Vec<String> = board.iter().rev().map(|row| row.iter().collect()).collect();
    Diagram {
        name,
        verdict,
        position: of_rows(&lines).expect(name),
        point: point.expect(name),
    }
}

#[test]
fn the_diagrams_show_what_they_say() {
    let diagrams = diagrams();
    assert!(diagrams.len() >= 150, "{}", diagrams.len());
    for Diagram {
        name,
        verdict,
        position,
        point,
    } in diagrams
    {
        let expected = Forbidden::ALL
            .into_iter()
            .find(|kind| kind.name() == verdict);
        let slow = Slow::of(&position).forbidden((point.column().into(), point.row().into()));
        assert_eq!(slow, expected, "{name}");
        for symmetry in 0..position.symmetries() {
            let mut image = position.transform(symmetry);
            let point = point.transformed(symmetry, SIZE as u8);
            assert_eq!(image.forbidden(point), expected, "{name}, {symmetry}");
            image.play(Action::Cell(point));
            let ending = game::Game::ending(&image);
            match verdict {
                "five" => assert_eq!(ending, "five in a row", "{name}"),
                "allowed" => assert_eq!(image.outcome(), None, "{name}"),
                forbidden => assert_eq!(ending, forbidden, "{name}"),
            }
        }
    }
}

/// Verdicts that were compared, and how many of the allowed moves would be forbidden without the
/// recursion.
#[derive(Default, Debug)]
struct Seen {
    verdicts: HashMap<Option<Forbidden>, u32>,
    recursive: u32,
}

impl Seen {
    /// Compares both implementations at some of the empty points given.
    fn compare(&mut self, position: &Gomoku, points: &[Cell], count: u32, rng: &mut Rng) {
        let slow = Slow::of(position);
        for _ in 0..count.min(points.len() as u32) {
            let cell = points[rng.below(points.len() as u32) as usize];
            let point = (cell.column().into(), cell.row().into());
            let expected = slow.forbidden(point);
            let found = position.forbidden(cell);
            assert_eq!(found, expected, "{point:?} of\n{}", position.board_text());
            *self.verdicts.entry(found).or_default() += 1;
            if found.is_none() {
                self.recursive += u32::from(slow.forbidden_without_recursion(point).is_some());
            }
        }
    }

    /// Checks that every kind occurred often enough.
    fn check(&self, least: u32) {
        for kind in Forbidden::ALL {
            assert!(self.verdicts.get(&Some(kind)) > Some(&least), "{self:?}");
        }
    }
}

/// A board of a size on which black stones are dense enough for threes, fours and long rows.
fn random(size: u32, rng: &mut Rng) -> Gomoku {
    let (black, white) = (20 + rng.below(30), 4 + rng.below(16));
    let row = |rng: &mut Rng| -> String {
        (0..size)
            .map(|_| match rng.below(100) {
                n if n < black => 'b',
                n if n < black + white => 'w',
                _ => '.',
            })
            .collect()
    };
    let rows: Vec<String> = (0..size).map(|_| row(rng)).collect();
    // Black's forbidden points do not depend on who has won; but both cannot.
    of_rows(&rows).unwrap_or_else(|_| random(size, rng))
}

#[test]
fn both_implementations_agree_on_random_positions() {
    let (mut rng, mut seen) = (Rng::new(1), Seen::default());
    for _ in 0..100_000 {
        let size = 9 + rng.below(7);
        let position = random(size, &mut rng);
        let points: Vec<Cell> = position.empty_cells().cells().collect();
        seen.compare(&position, &points, 2, &mut rng);
    }
    seen.check(200);
    assert!(seen.recursive > 200, "{seen:?}");
}

/// The points within five of the upper and the right edge.
#[test]
fn both_implementations_agree_at_the_edges_of_the_largest_board() {
    let (mut rng, mut seen) = (Rng::new(3), Seen::default());
    for _ in 0..4_000 {
        let position = random(SIZE as u32, &mut rng);
        let empty = position.empty_cells().cells();
        let is_near = |cell: &Cell| cell.column().max(cell.row()) as usize >= SIZE - 5;
        let points: Vec<Cell> = empty.filter(is_near).collect();
        seen.compare(&position, &points, 10, &mut rng);
    }
    seen.check(100);
}

/// Games of players who extend and block rows more often than not. Going on after forbidden moves
/// reaches more of them.
#[test]
fn both_implementations_agree_on_played_positions() {
    let (mut rng, mut seen) = (Rng::new(2), Seen::default());
    let start = start(r#"{"opening": "free", "forbidden": "claimed"}"#);
    let mut position = start.clone();
    for _ in 0..20_000 {
        if position.outcome().is_some() {
            position = start.clone();
        }
        let mut moves = Vec::new();
        position.generate(u8::from(rng.below(3) == 0), &mut moves);
        let points = moves.iter().filter_map(|action| match action {
            Action::Cell(cell) => Some(*cell),
            _ => None,
        });
        let mut points: Vec<Cell> = points.collect();
        if points.is_empty() {
            points = position.empty_cells().cells().collect();
        }
        seen.compare(&position, &points, 3, &mut rng);
        position.play(Action::Cell(
            points[rng.below(points.len() as u32) as usize],
        ));
    }
    seen.check(20);
}
