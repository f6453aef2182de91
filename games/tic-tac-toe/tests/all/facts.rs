//! What is known of the game: 255 168 games, 5 478 positions, a draw; and every algorithm agrees on
//! the value of every position.

use std::collections::HashMap;

use engine_core::mcts::TreeMethod;
use engine_core::{
    Algorithm, Limits, Named, Notation, Outcome, Position, Resources, Score, Search, Settings, Side,
};
use game::Searched;
use tic_tac_toe::TicTacToe;

/// Enough for minimax to search the nine plies of the empty board, one after the other.
const NODES: u64 = 2_000_000;

/// The value of a position for its side to move, and the number of games from it. Both are stored
/// for all positions below it.
fn solve(position: &TicTacToe, known: &mut HashMap<TicTacToe, (i32, u64)>) -> (i32, u64) {
    if let Some(&found) = known.get(position) {
        return found;
    }
    let solved = match position.outcome() {
        Some(Outcome::Draw) => (0, 1),
        // The side to move has just lost.
        Some(Outcome::Win(_)) => (-1, 1),
        None => position
            .legal_moves()
            .into_iter()
            .map(|cell| {
                let mut after = position.clone();
                after.play(cell);
                solve(&after, known)
            })
            .fold((-1, 0), |(best, all), (value, games)| {
                (best.max(-value), all + games)
            }),
    };
    known.insert(position.clone(), solved);
    solved
}

#[test]
fn there_are_255_168_games_and_5_478_positions_and_the_value_is_a_draw() {
    let mut known = HashMap::new();
    let start = TicTacToe::default();
    assert_eq!(solve(&start, &mut known), (0, 255_168));
    assert_eq!(known.len(), 5_478);
    let ended = |outcome| {
        known
            .keys()
            .filter(|p| p.outcome() == Some(outcome))
            .count()
    };
    let won = Side::BOTH.map(|side| ended(Outcome::Win(side)));
    assert_eq!((won, ended(Outcome::Draw)), ([626, 316], 16));
}

fn player(algorithm: Algorithm) -> Box<dyn Search<TicTacToe>> {
    let resources = Resources {
        table_mb: 1,
        threads: 1,
        seed: 1,
    };
    let start = TicTacToe::default();
    let player = start.player(algorithm, &Settings::default(), resources);
    player.expect("every algorithm fits")
}

/// 1 for a proven win, −1 for a proven loss, else 0.
fn winner(score: Score) -> i32 {
    i32::from(score.plies_to_win().is_some()) - i32::from(score.plies_to_loss().is_some())
}

/// Flat Monte Carlo never solves a position that needs two plies; greedy and random do not search.
fn solves(algorithm: Algorithm) -> bool {
    !matches!(
        algorithm,
        Algorithm::Tree(TreeMethod::Flat) | Algorithm::Greedy | Algorithm::Random
    )
}

#[test]
fn every_search_solves_every_position() {
    let mut known = HashMap::new();
    solve(&TicTacToe::default(), &mut known);
    let algorithms = Algorithm::ALL
        .iter()
        .filter(|known| solves(known.algorithm));
    for &Named {
        name, algorithm, ..
    } in algorithms
    {
        let mut player = player(algorithm);
        for (position, &(value, _)) in known.iter().filter(|(p, _)| p.outcome().is_none()) {
            player.new_game();
            let report = player.search(position, &Limits::nodes(NODES), &mut |_| {});
            let context = format!("{name}, {}: {report:?}", position.write_position());
            assert!(report.solved, "{context}");
            assert_eq!(report.score.map(winner), Some(value), "{context}");
        }
    }
}
