//! A Hex engine that speaks the SAU platform's protocol and plays at random: a template
//! for your own.
//!
//! The first part is the game, the second the protocol; neither depends on the other.
//! For another game, replace the first part; for a better engine, start with `choose`.

use std::hash::{BuildHasher, Hasher, RandomState};

// ---- The game: Hex, 11 columns and 11 rows -----------------------------------------------------

const NAME: &str = "random hex (Rust, sau)";
const SIZE: usize = 11;

/// A position. Red (r) moves first and connects top and bottom, blue (b) left and right.
struct Game {
    stones: [[char; SIZE]; SIZE], // rows from the top, '.' where there is no stone
    to_move: char,
}

fn other(side: char) -> char {
    if side == 'r' { 'b' } else { 'r' }
}

impl Game {
    fn new() -> Game {
        let stones = [['.'; SIZE]; SIZE];
        Game {
            stones,
            to_move: 'r',
        }
    }

    /// All legal moves: the empty cells, by row and column.
    fn moves(&self) -> Vec<(usize, usize)> {
        let cells = (0..SIZE * SIZE).map(|cell| (cell / SIZE, cell % SIZE));
        cells
            .filter(|&(row, column)| self.stones[row][column] == '.')
            .collect()
    }

    /// Plays a legal move.
    fn play(&mut self, (row, column): (usize, usize)) {
        self.stones[row][column] = self.to_move;
        self.to_move = other(self.to_move);
    }

    /// Takes back the last move.
    fn undo(&mut self, (row, column): (usize, usize)) {
        self.stones[row][column] = '.';
        self.to_move = other(self.to_move);
    }

    /// Whether the side that moved last has connected its edges.
    fn is_over(&self) -> bool {
        let last = other(self.to_move);
        let mut seen = [[false; SIZE]; SIZE];
        // Cells to visit, starting with those of one edge.
        let edge = (0..SIZE).map(|i| if last == 'r' { (0, i) } else { (i, 0) });
        let mut cells: Vec<(usize, usize)> = edge.collect();
        while let Some((row, column)) = cells.pop() {
            // Below 0 wraps around to more than SIZE.
            let is_on_board = row < SIZE && column < SIZE;
            if !is_on_board || seen[row][column] || self.stones[row][column] != last {
                continue;
            }
            seen[row][column] = true;
            if last == 'r' && row == SIZE - 1 || last == 'b' && column == SIZE - 1 {
                return true;
            }
            let (above, left) = (row.wrapping_sub(1), column.wrapping_sub(1));
            cells.extend([(above, column), (above, column + 1), (row, column + 1)]);
            cells.extend([(row + 1, column), (row + 1, left), (row, left)]);
        }
        false
    }
}

/// A move as the platform writes it: two letters, column from the left and row from the top.
fn read_move(text: &str) -> Option<(usize, usize)> {
    let [column, row, ..] = text.as_bytes() else {
        return None;
    };
    let number = |letter: &u8| letter.to_ascii_uppercase().checked_sub(b'A');
    Some((number(row)?.into(), number(column)?.into()))
}

fn write_move((row, column): (usize, usize)) -> String {
    let letter = |number: usize| (b'A' + number as u8) as char;
    format!("{}{}", letter(column), letter(row))
}

/// The engine's move, except those that the platform has refused. Put your search here.
/// The platform sends no time: your engine must limit itself.
fn choose(game: &Game, refused: &[(usize, usize)]) -> (usize, usize) {
    let mut moves = game.moves();
    if moves.len() > refused.len() {
        moves.retain(|mv| !refused.contains(mv));
    }
    let random = RandomState::new().build_hasher().finish();
    moves[random as usize % moves.len()]
}

// ---- The protocol ------------------------------------------------------------------------------

fn main() {
    let mut game = Game::new();
    let mut own = None; // the engine's colour, during a game
    let mut last = None; // its last move
    let mut refused = Vec::new(); // moves that the platform refused in this turn
    for line in std::io::stdin().lines().map_while(Result::ok) {
        // Also removes a CR before the line end.
        let mut words = line.split_whitespace();
        let (command, word) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        match command {
            "name?" => println!("name {NAME}"),
            // The side that moves first answers `new` with its move.
            "new" => (game, own, last, refused) = (Game::new(), word.chars().next(), None, vec![]),
            "move" => {
                // The opponent's move.
                refused.clear();
                read_move(word).into_iter().for_each(|mv| game.play(mv));
            }
            "error" => {
                // The platform expects another move.
                if let Some(mv) = last.take() {
                    game.undo(mv);
                    refused.push(mv);
                }
            }
            "end" => own = None,
            "quit" => break,
            _ => {} // unknown commands need no answer
        }
        if own == Some(game.to_move) && !game.is_over() {
            let mv = choose(&game, &refused);
            game.play(mv);
            last = Some(mv);
            // A buffered line never reaches the platform; println! flushes every line.
            println!("move {}", write_move(mv));
        }
    }
}
