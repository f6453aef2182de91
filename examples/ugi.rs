//! A Hex engine that speaks UGI and plays at random: a template for your own.
//!
//! The first part is the game, the second the protocol; neither depends on the other.
//! For another game, replace the first part; for a better engine, start with `choose`.

use std::hash::{BuildHasher, Hasher, RandomState};

// ---- The game: Hex, 11 columns a to k, 11 rows 1 to 11 from the top ----------------------------

const NAME: &str = "random hex (Rust, ugi)";
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

    /// Sets up a position: rows from the top, stones r and b, numbers for runs of empty cells.
    fn set_up(rows: &str, side: &str) -> Game {
        let mut game = Game::new();
        game.to_move = side.chars().next().unwrap_or('r');
        for (row, text) in rows.split('/').enumerate() {
            let (mut column, mut empty) = (0, 0);
            for letter in text.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    empty = 10 * empty + digit as usize;
                    continue;
                }
                game.stones[row][column + empty] = letter;
                (column, empty) = (column + empty + 1, 0);
            }
        }
        game
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

/// A move as UGI writes it: c2.
fn read_move(text: &str) -> Option<(usize, usize)> {
    let letter = text.bytes().next()?.to_ascii_lowercase();
    let row: usize = text.get(1..)?.parse().ok()?;
    Some((row.checked_sub(1)?, letter.checked_sub(b'a')?.into()))
}

fn write_move((row, column): (usize, usize)) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

/// The engine's move. Put your search here; it must obey the clock in `go`.
fn choose(game: &Game) -> (usize, usize) {
    let moves = game.moves();
    let random = RandomState::new().build_hasher().finish();
    moves[random as usize % moves.len()]
}

// ---- The protocol ------------------------------------------------------------------------------

/// `startpos` or `fen …`, optionally followed by `moves …`.
fn position(words: &[&str]) -> Game {
    let mut game = match words {
        ["fen", rows, side, ..] => Game::set_up(rows, side),
        _ => Game::new(),
    };
    let moves = words.iter().skip_while(|&&word| word != "moves").skip(1);
    for mv in moves.filter_map(|word| read_move(word)) {
        game.play(mv);
    }
    game
}

fn main() {
    let mut game = Game::new();
    let mut waiting = None; // the answer to `go infinite`, sent at `stop`
    for line in std::io::stdin().lines().map_while(Result::ok) {
        // Also removes a CR before the line end.
        let words: Vec<&str> = line.split_whitespace().collect();
        // A buffered line never reaches the referee; println! flushes every line.
        match words.first().copied().unwrap_or("") {
            "ugi" => println!("id name {NAME}\nid author your team\nugiok"), // options before ugiok
            "isready" => println!("readyok"),
            "position" => game = position(&words[1..]),
            "go" if game.is_over() => println!("bestmove none"),
            "go" if words.contains(&"infinite") => waiting = Some(choose(&game)),
            // p1time MS p2time MS p1inc MS p2inc MS, or movetime MS, nodes N, depth N
            "go" => println!("bestmove {}", write_move(choose(&game))),
            "stop" => {
                if let Some(answer) = waiting.take() {
                    println!("bestmove {}", write_move(answer));
                }
            }
            "quit" => break,
            _ => {} // `uginewgame`, `setoption` and unknown commands need no answer
        }
    }
}
