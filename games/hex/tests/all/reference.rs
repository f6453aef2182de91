//! A slow, simple second implementation of the rules, compared in hundreds of random games.

use engine_core::{Move, Notation, Outcome, Position, Rng, Side};
use hex::{Action, Cell, Hex};

use crate::common::start;

#[derive(Clone, Copy, PartialEq)]
enum Stone {
    None,
    Red,
    Blue,
}

/// A board as an array of rows, the side that plays red, and the kind of swap.
struct Reference {
    board: Vec<Vec<Stone>>,
    red_to_move: bool,
    red_is_first: bool,
    may_swap: bool,
    swap_pieces: bool,
}

impl Reference {
    fn new(size: usize, swap: Option<&str>) -> Reference {
        Reference {
            board: vec![vec![Stone::None; size]; size],
            red_to_move: true,
            red_is_first: true,
            may_swap: swap.is_some(),
            swap_pieces: swap == Some("swap-pieces"),
        }
    }

    fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let size = self.board.len();
        (0..size * size).map(move |i| (i % size, i / size))
    }

    fn neighbours(&self, (column, row): (usize, usize)) -> Vec<(usize, usize)> {
        let size = self.board.len() as i32;
        [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]
            .into_iter()
            .map(|(dx, dy)| (column as i32 + dx, row as i32 + dy))
            .filter(|&(x, y)| (0..size).contains(&x) && (0..size).contains(&y))
            .map(|(x, y)| (x as usize, y as usize))
            .collect()
    }

    /// Whether stones of `stone` connect a cell of `from` to a cell of `to`.
    fn chain(
        &self,
        stone: Stone,
        from: impl Fn((usize, usize)) -> bool,
        to: impl Fn((usize, usize)) -> bool,
    ) -> bool {
        let own = |(column, row): (usize, usize)| self.board[row][column] == stone;
        let mut open: Vec<_> = self
            .cells()
            .filter(|&cell| own(cell) && from(cell))
            .collect();
        let mut seen = open.clone();
        while let Some(cell) = open.pop() {
            if to(cell) {
                return true;
            }
            for next in self.neighbours(cell) {
                if own(next) && !seen.contains(&next) {
                    seen.push(next);
                    open.push(next);
                }
            }
        }
        false
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = self.board.len() - 1;
        let (red, blue) = if self.red_is_first {
            (Side::First, Side::Second)
        } else {
            (Side::Second, Side::First)
        };
        if self.chain(Stone::Red, |cell| cell.1 == 0, |cell| cell.1 == last) {
            return Some(Outcome::Win(red));
        }
        if self.chain(Stone::Blue, |cell| cell.0 == 0, |cell| cell.0 == last) {
            return Some(Outcome::Win(blue));
        }
        None
    }

    fn side(&self) -> Side {
        if self.red_to_move == self.red_is_first {
            Side::First
        } else {
            Side::Second
        }
    }

    fn stones(&self) -> usize {
        let taken = |cell: &(usize, usize)| self.board[cell.1][cell.0] != Stone::None;
        self.cells().filter(taken).count()
    }

    fn legal(&self) -> Vec<Action> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut actions = Vec::new();
        if self.may_swap && self.stones() == 1 {
            actions.push(Action::Swap);
        }
        for (column, row) in self.cells() {
            if self.board[row][column] == Stone::None {
                actions.push(Action::Place(Cell::new(column as u8, row as u8)));
            }
        }
        actions
    }

    fn play(&mut self, action: Action) {
        match action {
            Action::Place(cell) => {
                if self.stones() > 0 {
                    self.may_swap = false;
                }
                self.board[cell.row as usize][cell.column as usize] = if self.red_to_move {
                    Stone::Red
                } else {
                    Stone::Blue
                };
                self.red_to_move = !self.red_to_move;
            }
            Action::Swap => {
                self.may_swap = false;
                if self.swap_pieces {
                    let red =
                        |&(column, row): &(usize, usize)| self.board[row][column] == Stone::Red;
                    let (column, row) = self.cells().find(red).expect("a red stone");
                    self.board[row][column] = Stone::None;
                    self.board[column][row] = Stone::Blue;
                    self.red_to_move = true;
                } else {
                    self.red_is_first = false;
                }
            }
        }
    }

    /// The rows of the board as in a position's text, without run lengths.
    fn rows(&self) -> String {
        let letter = |stone: &Stone| match stone {
            Stone::None => '1',
            Stone::Red => 'r',
            Stone::Blue => 'b',
        };
        let rows: Vec<String> = self
            .board
            .iter()
            .map(|row| row.iter().map(letter).collect())
            .collect();
        rows.join("/")
    }
}

/// The text of a position with every run of empty cells written as ones.
fn spread(text: &str) -> String {
    let rows = text.split(' ').next().expect("rows");
    let mut spread = String::new();
    let mut number = 0;
    for letter in rows.chars().chain([' ']) {
        match letter.to_digit(10) {
            Some(digit) => number = number * 10 + digit,
            None => {
                spread += &"1".repeat(number as usize);
                number = 0;
                spread.push(letter);
            }
        }
    }
    spread.trim_end().to_string()
}

fn sorted(actions: &[Action]) -> Vec<u32> {
    let mut bits: Vec<u32> = actions.iter().map(|action| action.to_bits()).collect();
    bits.sort_unstable();
    bits
}

fn compare(size: usize, swap: Option<&str>, games: u64) {
    let opening = swap.map_or(String::new(), |swap| {
        format!(r#", "opening": "swap", "swap": "{swap}""#)
    });
    let begin = start(&format!(r#"{{"size": {size}{opening}}}"#));
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let (mut position, mut reference) = (begin.clone(), Reference::new(size, swap));
        loop {
            let text = position.write_position();
            assert_eq!(position.outcome(), reference.outcome(), "{text}");
            assert_eq!(position.side(), reference.side(), "{text}");
            assert_eq!(spread(&text), reference.rows());
            let legal = reference.legal();
            assert_eq!(sorted(&position.legal_moves()), sorted(&legal), "{text}");
            if legal.is_empty() {
                break;
            }
            // Swaps are rare among so many cells, so every second legal swap is played.
            let action = if legal[0] == Action::Swap && seed % 2 == 0 {
                Action::Swap
            } else {
                legal[rng.below(legal.len() as u32) as usize]
            };
            position.play(action);
            reference.play(action);
        }
        assert!(position.outcome().is_some());
    }
}

#[test]
fn contest() {
    compare(11, None, 60);
}

#[test]
fn every_size() {
    for size in 2..=10 {
        compare(size, None, 60);
    }
    for size in [12, 13, 19] {
        compare(size, None, 3);
    }
}

#[test]
fn swaps() {
    for size in [2, 3, 4, 7] {
        compare(size, Some("swap-pieces"), 100);
        compare(size, Some("swap-sides"), 100);
    }
}

#[test]
fn undoing_a_whole_game_leads_back() {
    for opening in ["\"free\"", "\"swap\"", r#"{"forced": "b3"}"#] {
        let begin: Hex = start(&format!(r#"{{"size": 6, "opening": {opening}}}"#));
        for seed in 0..50 {
            let mut rng = Rng::new(seed);
            let mut position = begin.clone();
            let mut played = Vec::new();
            while position.outcome().is_none() {
                let legal = position.legal_moves();
                let action = match legal[0] {
                    Action::Swap => Action::Swap,
                    _ => legal[rng.below(legal.len() as u32) as usize],
                };
                played.push((action, position.play(action)));
            }
            while let Some((action, undo)) = played.pop() {
                position.undo(action, undo);
            }
            assert_eq!(position, begin);
        }
    }
}
