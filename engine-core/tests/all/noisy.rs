//! Random moves among searched ones.

use engine_core::search::greedy::Greedy;
use engine_core::search::noisy::Noisy;
use engine_core::{Limits, Move, Search};

use crate::tictactoe::{OpenLines, TicTacToe};

const SEARCHES: usize = 1000;

/// The moves of many searches of the empty board, where greedy search knows one answer: the centre.
fn moves(percent: u32) -> Vec<u32> {
    let greedy = Box::new(Greedy::new(OpenLines, 7));
    let mut player = Noisy::new(greedy, percent, 7);
    let mut game = || {
        player.new_game();
        let mut play = || {
            let limits = Limits::default();
            let report = player.search(&TicTacToe::default(), &limits, &mut |_| {});
            report.pv[0].to_bits()
        };
        (0..SEARCHES).map(|_| play()).collect::<Vec<u32>>()
    };
    let moves = game();
    assert_eq!(moves, game(), "a new game differs");
    moves
}

fn share_of_centre(percent: u32) -> f64 {
    let moves = moves(percent);
    let centre = moves.iter().filter(|&&mv| mv == 5).count();
    centre as f64 / SEARCHES as f64
}

#[test]
fn noise_is_the_share_of_random_moves() {
    assert_eq!(share_of_centre(0), 1.0);
    // A random move is the centre once in nine times. The seed is fixed; 0.06 is four standard
    // deviations of 1000 moves.
    for percent in [25, 50, 75, 100] {
        let random = f64::from(percent) / 100.0;
        let expected = 1.0 - random * 8.0 / 9.0;
        let share = share_of_centre(percent);
        assert!((share - expected).abs() < 0.06, "{percent} %: {share}");
    }
}
