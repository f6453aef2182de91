//! Each term of the evaluation against a slow count of what it stands for, on random positions.

use std::collections::HashSet;

use engine_core::{Evaluator, Notation, Position, Rng};
use surakarta::{Action, Evaluation, Surakarta, Variant, Weights};

/// Pieces by colour, as column and row; and whether black is to move.
struct Board {
    own: HashSet<(i32, i32)>,
    enemy: HashSet<(i32, i32)>,
}

impl Board {
    fn of(position: &Surakarta) -> Board {
        let text = position.write_position();
        let mut words = text.split(' ');
        let rows = words.next().expect("rows");
        let mover = words.next().expect("a side");
        let (mut own, mut enemy) = (HashSet::new(), HashSet::new());
        for (row, line) in (0..).zip(rows.split('/')) {
            let mut column = 0;
            for letter in line.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    column += empty as i32;
                    continue;
                }
                let set = if letter.to_string() == mover {
                    &mut own
                } else {
                    &mut enemy
                };
                set.insert((column, row));
                column += 1;
            }
        }
        Board { own, enemy }
    }

    /// Empty points beside pieces, each once.
    fn freedom(&self, pieces: &HashSet<(i32, i32)>) -> i32 {
        let beside = pieces.iter().flat_map(|&(column, row)| {
            let around = (-1..=1).flat_map(|across| (-1..=1).map(move |down| (across, down)));
            around.map(move |(across, down)| (column + across, row + down))
        });
        let is_empty = |point: &(i32, i32)| {
            let on_board = (0..6).contains(&point.0) && (0..6).contains(&point.1);
            on_board && !self.own.contains(point) && !self.enemy.contains(point)
        };
        beside.filter(is_empty).collect::<HashSet<_>>().len() as i32
    }
}

/// Lines of the board that are part of a loop, for each piece: all but the edges.
fn stations(pieces: &HashSet<(i32, i32)>) -> i32 {
    let inner = |place: i32| i32::from((1..5).contains(&place));
    pieces
        .iter()
        .map(|&(column, row)| inner(column) + inner(row))
        .sum()
}

fn captures(position: &Surakarta) -> Vec<Action> {
    let legal = position.legal_moves().into_iter();
    legal
        .filter(|&action| position.write_move(action).contains('x'))
        .collect()
}

/// The point of a capture's victim: the second word of `b5xe2`.
fn victim(position: &Surakarta, action: Action) -> String {
    let text = position.write_move(action);
    text.split('x').nth(1).expect("a capture").to_owned()
}

/// What each weight is multiplied by, in their order.
fn terms(position: &Surakarta) -> [i32; 7] {
    let board = Board::of(position);
    let (own, enemy) = (board.own.len() as i32, board.enemy.len() as i32);
    let lost = |count: i32| (0..count).map(|piece| 12 - 1 - piece).sum::<i32>();
    let all = captures(position);
    let is_free = |&action: &Action| {
        let mut after = position.clone();
        let on = victim(position, action);
        after.play(action);
        after.outcome().is_some()
            || captures(&after)
                .iter()
                .all(|&again| victim(&after, again) != on)
    };
    let has_free = all.iter().any(is_free);
    let mut other = position.clone();
    assert!(other.pass());
    let attacked: HashSet<String> = captures(&other)
        .into_iter()
        .map(|action| victim(&other, action))
        .collect();
    [
        own - enemy,
        lost(own) - lost(enemy),
        i32::from(has_free),
        i32::from(!all.is_empty() && !has_free),
        -(attacked.len() as i32),
        stations(&board.own) - stations(&board.enemy),
        board.freedom(&board.own) - board.freedom(&board.enemy),
    ]
}

#[test]
fn each_term_counts_what_it_says() {
    let mut rng = Rng::new(1);
    let mut seen = [false; 7];
    for _ in 0..60 {
        let mut position = Surakarta::new(Variant::default());
        for _ in 0..rng.below(90) {
            let legal = position.legal_moves();
            let mut next = position.clone();
            next.play(legal[rng.below(legal.len() as u32) as usize]);
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        let expected = terms(&position);
        for (term, &count) in expected.iter().enumerate() {
            let mut values = [0.0; 7];
            values[term] = 1.0;
            let mut evaluation = Evaluation::new(Weights::of(&values));
            let found = evaluation.evaluate(&position).value();
            let name = Weights::PARAMETERS[term].name;
            assert_eq!(found, count, "{name}: {}", position.write_position());
            seen[term] |= count != 0;
        }
    }
    assert_eq!(seen, [true; 7]);
}
