//! A second implementation of the rules on a plain array, compared with the first in every position.

use engine_core::{Outcome, Position, Side};
use tic_tac_toe::{Cell, TicTacToe};

/// The marks by row and column, and how many there are.
#[derive(Clone)]
struct Slow {
    board: [[Option<Side>; 3]; 3],
    marks: usize,
}

impl Slow {
    fn side(&self) -> Side {
        Side::BOTH[self.marks % 2]
    }

    fn has_line(&self, side: Side) -> bool {
        let owned = |x: usize, y: usize| self.board[y][x] == Some(side);
        (0..3).any(|n| (0..3).all(|x| owned(x, n)) || (0..3).all(|y| owned(n, y)))
            || (0..3).all(|n| owned(n, n))
            || (0..3).all(|n| owned(2 - n, n))
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH.into_iter().find(|&side| self.has_line(side));
        let draw = (self.marks == 9).then_some(Outcome::Draw);
        winner.map(Outcome::Win).or(draw)
    }

    fn legal(&self) -> Vec<Cell> {
        let cells = (0..9).map(Cell::from_index);
        match self.outcome() {
            Some(_) => Vec::new(),
            None => cells
                .filter(|cell| self.board[cell.row() as usize][cell.column() as usize].is_none())
                .collect(),
        }
    }
}

/// Compares both in a position and in all that follow; returns the number of games.
fn compare(fast: &mut TicTacToe, slow: &Slow) -> u64 {
    let legal = slow.legal();
    assert_eq!(fast.outcome(), slow.outcome());
    assert_eq!(fast.legal_moves(), legal);
    if legal.is_empty() {
        return 1;
    }
    assert_eq!(fast.side(), slow.side());
    let mut games = 0;
    for cell in legal {
        let mut after = slow.clone();
        after.board[cell.row() as usize][cell.column() as usize] = Some(slow.side());
        after.marks += 1;
        fast.play(cell);
        games += compare(fast, &after);
        fast.undo(cell, ());
    }
    games
}

#[test]
fn both_play_the_same_255_168_games() {
    let slow = Slow {
        board: [[None; 3]; 3],
        marks: 0,
    };
    assert_eq!(compare(&mut TicTacToe::default(), &slow), 255_168);
}
