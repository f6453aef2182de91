//! A slow, simple second implementation of the rules, compared with the first in random games.

use std::collections::BTreeSet;

use einstein::{Colour, Einstein};
use engine_core::{Notation, Outcome, Position, Rng, Side};

/// Column 0–4 from the left, row 1–5 from the bottom.
type Square = (i32, i32);

#[derive(Clone)]
struct Reference {
    /// Colour letter, number, square.
    pieces: Vec<(char, u8, Square)>,
    to_act: char,
    winner: Option<char>,
}

fn name((column, row): Square) -> String {
    format!("{}{row}", (b'a' + column as u8) as char)
}

impl Reference {
    /// Places six digits on the home squares of a colour, row by row from the top.
    fn lay_out(&mut self, colour: char, digits: &str) {
        let home: [Square; 6] = match colour {
            'R' => [(0, 5), (1, 5), (2, 5), (0, 4), (1, 4), (0, 3)],
            _ => [(4, 3), (3, 2), (4, 2), (2, 1), (3, 1), (4, 1)],
        };
        for (square, digit) in home.into_iter().zip(digits.bytes()) {
            self.pieces.push((colour, digit - b'0', square));
        }
    }

    fn moves(&self, die: u8) -> BTreeSet<String> {
        let numbers: Vec<u8> = self
            .pieces
            .iter()
            .filter(|piece| piece.0 == self.to_act)
            .map(|piece| piece.1)
            .collect();
        let candidates: Vec<u8> = if numbers.contains(&die) {
            vec![die]
        } else {
            let lower = numbers.iter().copied().filter(|&n| n < die).max();
            let higher = numbers.iter().copied().filter(|&n| n > die).min();
            lower.into_iter().chain(higher).collect()
        };
        let forward = if self.to_act == 'R' { 1 } else { -1 };
        let mut moves = BTreeSet::new();
        for &(colour, number, (column, row)) in &self.pieces {
            if colour != self.to_act || !candidates.contains(&number) {
                continue;
            }
            for (right, down) in [(1, 0), (0, 1), (1, 1)] {
                let (column, row) = (column + right * forward, row - down * forward);
                if (0..5).contains(&column) && (1..=5).contains(&row) {
                    moves.insert(format!("{colour}{number}-{}", name((column, row))));
                }
            }
        }
        moves
    }

    fn play(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let (colour, number) = (bytes[0] as char, bytes[1] - b'0');
        let target = ((bytes[3] - b'a') as i32, (bytes[4] - b'0') as i32);
        self.pieces.retain(|piece| piece.2 != target);
        for piece in &mut self.pieces {
            if piece.0 == colour && piece.1 == number {
                piece.2 = target;
            }
        }
        let corner = if colour == 'R' { (4, 1) } else { (0, 5) };
        if target == corner || self.pieces.iter().all(|piece| piece.0 == colour) {
            self.winner = Some(colour);
        }
        self.to_act = if colour == 'R' { 'B' } else { 'R' };
    }
}

fn game(first_colour: Colour, rng: &mut Rng) {
    let mut position = Einstein::new(first_colour);
    let mut reference = Reference {
        pieces: Vec::new(),
        to_act: first_colour.letter(),
        winner: None,
    };
    for side in Side::BOTH {
        let layouts = position.legal_moves();
        let layout = layouts[rng.below(720) as usize];
        let text = position.write_move(layout);
        reference.lay_out(position.colour(side).letter(), &text[2..]);
        position.play(layout);
    }
    loop {
        let winner = position.outcome().map(|outcome| match outcome {
            Outcome::Win(side) => position.colour(side).letter(),
            Outcome::Draw => panic!("there are no draws"),
        });
        assert_eq!(winner, reference.winner, "{}", position.write_position());
        if winner.is_some() {
            return;
        }
        assert_eq!(position.colour(position.side()).letter(), reference.to_act);
        for face in 1..=6 {
            position.play_roll(face);
            let moves: BTreeSet<String> = position
                .legal_moves()
                .iter()
                .map(|&mv| position.write_move(mv))
                .collect();
            assert_eq!(
                moves,
                reference.moves(face),
                "{}",
                position.write_position()
            );
            position.undo_roll(face);
        }
        position.play_roll(1 + rng.below(6) as u8);
        let moves = position.legal_moves();
        let mv = moves[rng.below(moves.len() as u32) as usize];
        reference.play(&position.write_move(mv));
        position.play(mv);
    }
}

#[test]
fn both_rule_books_agree_on_random_games() {
    let mut rng = Rng::new(2026);
    for _ in 0..1_000 {
        game(Colour::Red, &mut rng);
        game(Colour::Blue, &mut rng);
    }
}
