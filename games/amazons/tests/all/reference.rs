//! A slow, simple second implementation of the rules, compared with the fast one.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::collections::BTreeSet;

use amazons::{Amazons, Variant};
use engine_core::{Notation, Outcome, Playout, Position, Rng, Side, UniformPlayout};

#[derive(Clone, Copy, PartialEq)]
enum Point {
    Empty,
    Amazon(Side),
    Arrow,
}

struct Slow {
    /// `points[row][column]`, from a1.
    points: Vec<Vec<Point>>,
    to_move: Side,
}

type Place = (usize, usize);

fn name((column, row): Place) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

fn place(name: &str) -> Place {
    let row: usize = name[1..].parse().unwrap();
    ((name.as_bytes()[0] - b'a') as usize, row - 1)
}

impl Slow {
    fn new(variant: &Variant) -> Slow {
        let mut points = vec![vec![Point::Empty; variant.columns as usize]; variant.rows as usize];
        for (side, names) in [
            (Side::First, &variant.first),
            (Side::Second, &variant.second),
        ] {
            for name in names {
                let (column, row) = place(name);
                points[row][column] = Point::Amazon(side);
            }
        }
        Slow {
            points,
            to_move: Side::First,
        }
    }

    fn queen_moves(&self, (column, row): Place) -> Vec<Place> {
        let mut targets = Vec::new();
        for (dx, dy) in [
            (0, 1),
            (1, 1),
            (1, 0),
            (1, -1),
            (0, -1),
            (-1, -1),
            (-1, 0),
            (-1, 1),
        ] {
            let (mut x, mut y) = (column as i32 + dx, row as i32 + dy);
            while (0..self.points[0].len() as i32).contains(&x)
                && (0..self.points.len() as i32).contains(&y)
                && self.points[y as usize][x as usize] == Point::Empty
            {
                targets.push((x as usize, y as usize));
                (x, y) = (x + dx, y + dy);
            }
        }
        targets
    }

    fn turns(&mut self) -> Vec<[Place; 3]> {
        let mut turns = Vec::new();
        for row in 0..self.points.len() {
            for column in 0..self.points[0].len() {
                if self.points[row][column] != Point::Amazon(self.to_move) {
                    continue;
                }
                let from = (column, row);
                for to in self.queen_moves(from) {
                    self.points[row][column] = Point::Empty;
                    for arrow in self.queen_moves(to) {
                        turns.push([from, to, arrow]);
                    }
                    self.points[row][column] = Point::Amazon(self.to_move);
                }
            }
        }
        turns
    }

    fn play(&mut self, [from, to, arrow]: [Place; 3]) {
        self.points[from.1][from.0] = Point::Empty;
        self.points[to.1][to.0] = Point::Amazon(self.to_move);
        self.points[arrow.1][arrow.0] = Point::Arrow;
        self.to_move = self.to_move.opponent();
    }
}

/// Plays a random game under both implementations at once.
fn compare(fast: &mut Amazons, slow: &mut Slow, rng: &mut Rng) {
    let mut policy = UniformPlayout::default();
    loop {
        let turns = slow.turns();
        let expected: BTreeSet<String> =
            turns.iter().map(|turn| turn.map(name).join("-")).collect();
        let found: BTreeSet<String> = fast
            .legal_moves()
            .into_iter()
            .map(|action| fast.write_move(action))
            .collect();
        assert_eq!(found, expected, "{}", fast.write_position());
        let lost = turns.is_empty();
        let outcome = lost.then(|| Outcome::Win(slow.to_move.opponent()));
        assert_eq!(fast.outcome(), outcome, "{}", fast.write_position());
        if lost {
            return;
        }
        let action = policy.choose(fast, rng);
        let text = fast.write_move(action);
        fast.play(action);
        let places: Vec<Place> = text.split('-').map(place).collect();
        slow.play([places[0], places[1], places[2]]);
    }
}

#[test]
fn both_rules_play_the_same_games() {
    let mut rng = Rng::new(5);
    for (variant, games) in [
        ("{}", 4),
        (r#"{"size":8}"#, 20),
        (r#"{"size":6}"#, 200),
        (
            r#"{"columns":7,"rows":3,"first":["a2","b1"],"second":["g3"]}"#,
            300,
        ),
    ] {
        let variant: Variant = serde_json::from_str(variant).unwrap();
        for _ in 0..games {
            let mut start = variant.start().unwrap();
            compare(&mut start, &mut Slow::new(&variant), &mut rng);
        }
    }
}

/// The fast random policy draws each turn with the documented probability: 1/(amazons that can
/// move) × 1/targets × 1/arrows.
#[test]
fn random_turns_are_drawn_step_by_step() {
    let variant: Variant =
        serde_json::from_str(r#"{"columns":3,"rows":3,"first":["a1","a2","c1"],"second":["b3"]}"#)
            .unwrap();
    let start = variant.start().unwrap();
    let mut slow = Slow::new(&variant);
    let turns = slow.turns();
    let movable = [(0, 0), (0, 1), (2, 0)]
        .iter()
        .filter(|&&from| !slow.queen_moves(from).is_empty())
        .count();
    let mut rng = Rng::new(11);
    let draws = 400_000;
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..draws {
        let action = amazons::Random.choose(&start, &mut rng);
        *counts.entry(start.write_move(action)).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), turns.len());
    let mut chi_squared = 0.0;
    for turn in &turns {
        let targets = slow.queen_moves(turn[0]).len();
        let arrows = turns.iter().filter(|other| other[..2] == turn[..2]).count();
        let expected = draws as f64 / (movable * targets * arrows) as f64;
        let found = counts[&turn.map(name).join("-")] as f64;
        chi_squared += (found - expected).powi(2) / expected;
    }
    // Mean n − 1 and standard deviation √(2(n − 1)); five standard deviations are never reached by
    // chance.
    let freedom = turns.len() as f64 - 1.0;
    assert!(
        chi_squared < freedom + 5.0 * (2.0 * freedom).sqrt(),
        "{chi_squared} of {freedom}"
    );
}

/// Points of First and number of turns, over games of `play`.
fn games(count: u32, mut play: impl FnMut() -> (f64, u32)) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for _ in 0..count {
        let (points, turns) = play();
        sums[0] += points;
        sums[1] += turns as f64;
    }
    sums.map(|sum| sum / count as f64)
}

/// Whole fast playouts match games of turns drawn step by step: the winners and the lengths agree
/// within five standard errors.
#[test]
fn random_games_end_as_slow_ones_do() {
    let variant = Variant::of_size(6).unwrap();
    let start = variant.start().unwrap();
    let mut rng = Rng::new(3);
    let count = 3_000;
    let fast = games(count, || {
        let mut position = start.clone();
        let points = amazons::Random.run(&mut position, &mut rng);
        assert_eq!(position.outcome().unwrap().points_of_first(), points);
        (points as f64, position.arrows().count_ones())
    });
    let slow = games(count, || slow_game(&variant, &mut rng));
    let error = (2.0 * 0.25 / count as f64).sqrt();
    assert!((fast[0] - slow[0]).abs() < 5.0 * error, "{fast:?} {slow:?}");
    // Games of this size last 20 to 28 turns, give or take 3.
    assert!(
        (fast[1] - slow[1]).abs() < 5.0 * 2.0 * 3.0 * error,
        "{fast:?} {slow:?}"
    );
}

fn slow_game(variant: &Variant, rng: &mut Rng) -> (f64, u32) {
    let mut slow = Slow::new(variant);
    let mut length = 0;
    loop {
        let turns = slow.turns();
        if turns.is_empty() {
            let first_won = slow.to_move == Side::Second;
            return (first_won as u32 as f64, length);
        }
        let mut draw = |mut choices: Vec<Place>| {
            choices.sort_unstable();
            choices.dedup();
            choices[rng.below(choices.len() as u32) as usize]
        };
        let from = draw(turns.iter().map(|turn| turn[0]).collect());
        let of_amazon = turns.iter().filter(|turn| turn[0] == from);
        let to = draw(of_amazon.map(|turn| turn[1]).collect());
        let of_target = turns.iter().filter(|turn| turn[..2] == [from, to]);
        let arrow = draw(of_target.map(|turn| turn[2]).collect());
        slow.play([from, to, arrow]);
        length += 1;
    }
}
