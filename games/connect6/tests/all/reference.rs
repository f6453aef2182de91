//! A second implementation of the rules on a plain array, compared with the first in random games.

use connect6::{Connect6, Stone};
use engine_core::{Outcome, Position, Rng, Side};

struct Slow {
    size: i32,
    board: Vec<Vec<Option<Side>>>,
    stones: Vec<(i32, i32)>,
}

impl Slow {
    fn new(size: i32) -> Slow {
        Slow {
            size,
            board: vec![vec![None; size as usize]; size as usize],
            stones: Vec::new(),
        }
    }

    /// Black has stones 0, 3, 4, 7, 8 …
    fn owner(stone: usize) -> Side {
        if stone.div_ceil(2).is_multiple_of(2) {
            Side::First
        } else {
            Side::Second
        }
    }

    fn side(&self) -> Side {
        Slow::owner(self.stones.len())
    }

    fn at(&self, x: i32, y: i32) -> Option<Side> {
        let inside = (0..self.size).contains(&x) && (0..self.size).contains(&y);
        if inside {
            self.board[y as usize][x as usize]
        } else {
            None
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        for side in Side::BOTH {
            for (x, y) in self.cells() {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    if (0..6).all(|k| self.at(x + k * dx, y + k * dy) == Some(side)) {
                        return Some(Outcome::Win(side));
                    }
                }
            }
        }
        let full = self.stones.len() as i32 == self.size * self.size;
        full.then_some(Outcome::Draw)
    }

    fn cells(&self) -> impl Iterator<Item = (i32, i32)> {
        let size = self.size;
        (0..size).flat_map(move |y| (0..size).map(move |x| (x, y)))
    }

    fn legal(&self) -> Vec<Stone> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.cells()
            .filter(|&(x, y)| self.at(x, y).is_none())
            .map(|(x, y)| Stone::new(x as u8, y as u8))
            .collect()
    }

    fn play(&mut self, stone: Stone) {
        let (x, y) = (stone.column() as i32, stone.row() as i32);
        self.board[y as usize][x as usize] = Some(self.side());
        self.stones.push((x, y));
    }
}

fn compare(fast: &Connect6, slow: &Slow) {
    let mut moves = fast.legal_moves();
    moves.sort();
    assert_eq!(moves, slow.legal());
    assert_eq!(fast.outcome(), slow.outcome());
    assert_eq!(fast.stones() as usize, slow.stones.len());
    for (x, y) in slow.cells() {
        assert_eq!(fast.at(x as usize, y as usize), slow.at(x, y));
    }
    if fast.outcome().is_none() {
        assert_eq!(fast.side(), slow.side());
        let placed = slow.stones.len();
        let between = placed > 0 && Slow::owner(placed - 1) == slow.side();
        assert_eq!(fast.mid_turn(), between, "after {placed} stones");
    }
}

fn games(size: u8, count: u32) -> [u32; 3] {
    let mut rng = Rng::new(size as u64);
    let mut results = [0; 3];
    for _ in 0..count {
        let (mut fast, mut slow) = (Connect6::new(size), Slow::new(size as i32));
        loop {
            compare(&fast, &slow);
            let moves = slow.legal();
            if moves.is_empty() {
                break;
            }
            let stone = moves[rng.below(moves.len() as u32) as usize];
            fast.play(stone);
            slow.play(stone);
        }
        results[fast
            .outcome()
            .expect("the game has ended")
            .winner()
            .map_or(2, Side::index)] += 1;
    }
    results
}

#[test]
fn small_boards_agree() {
    let six = games(6, 150);
    assert!(six.iter().all(|&n| n > 0), "all results occur: {six:?}");
    games(7, 100);
    games(9, 60);
}

#[test]
fn the_contest_board_agrees() {
    games(19, 6);
}
