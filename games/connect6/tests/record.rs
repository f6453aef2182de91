//! The recorded games replay legally and end as recorded; broken ones get the right complaint.

use connect6::record::{Record, read_game, read_moves, read_table, write_game, write_table};
use connect6::{Connect6, Stone};
use engine_core::{Outcome, Position, Side};
use proptest::prelude::*;

const GAMES: &str = include_str!("data/connect6-games.csv");

#[test]
fn all_recorded_games_replay() {
    let start = Connect6::new(19);
    let games = read_table(&start, GAMES).unwrap();
    assert_eq!(games.len(), 829);
    let mut wins = [0; 2];
    for (game, line) in games.iter().zip(GAMES.lines().skip(1)) {
        let mut position = start.clone();
        for &stone in &game.stones {
            assert_eq!(position.outcome(), None);
            assert!(position.is_legal(stone));
            position.play(stone);
        }
        let winner = game.outcome.winner().expect("every game ends on a six");
        assert_eq!(position.outcome(), Some(Outcome::Win(winner)));
        assert!(has_six(&position, winner), "{}", game.id);
        assert!(line.ends_with(["black", "white"][winner.index()]));
        wins[winner.index()] += 1;
    }
    assert_eq!(
        wins[Side::First.index()],
        GAMES
            .lines()
            .filter(|line| line.ends_with(",black"))
            .count()
    );
    assert_eq!(write_table(&games), GAMES.replace("\r\n", "\n"));
}

fn has_six(position: &Connect6, side: Side) -> bool {
    let at = |x: i32, y: i32| x >= 0 && y >= 0 && position.at(x as usize, y as usize) == Some(side);
    (0..19 * 19).any(|cell| {
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .iter()
            .any(|(dx, dy)| (0..6).all(|k| at(cell % 19 + k * dx, cell / 19 + k * dy)))
    })
}

/// Black's row 1 against white's stones in the top row, one move short of black's six.
const SHORT: &str = "a1,a19,c19,b1,c1,e19,g19,d1,e1,i19,k19";

#[track_caller]
fn check_error(line: &str, message: &str) {
    let error = read_game(&Connect6::new(19), line).expect_err(message);
    assert_eq!(error.to_string(), message);
}

#[test]
fn broken_games_are_refused_with_their_place() {
    let good = format!("7,\"{SHORT},f1\",black");
    let game = read_game(&Connect6::new(19), &good).unwrap();
    assert_eq!((game.id, game.stones.len()), (7, 12));
    assert_eq!(write_game(&game), good);

    check_error(
        &format!("7,\"{SHORT},k19\",black"),
        "column 43: expected an empty cell, found \"k19\"",
    );
    check_error(
        &format!("7,\"{SHORT},f1,g1\",black"),
        "column 46: expected nothing more, as the game is over, found \"g\"",
    );
    check_error(
        &format!("7,\"{SHORT},f20\",black"),
        "column 44: expected a row 1 to 19, found \"20\"",
    );
    check_error(
        &format!("7,\"{SHORT},t1\",black"),
        "column 43: expected a column letter a to s, found \"t\"",
    );
    check_error(
        &format!("7,\"{SHORT},f1\",white"),
        "column 47: expected black, as the stones say, found \"white\"",
    );
    check_error(
        &format!("7,\"{SHORT}\",black"),
        "column 44: expected more stones, as the game is not over, found \"black\"",
    );
    check_error(
        "x,\"j10\",black",
        "column 1: expected the number of the game, found \"x\"",
    );
    check_error(
        "7",
        "column 2: expected a comma and the moves, found the end",
    );
    check_error(
        "7,j10",
        "column 6: expected a comma and the winner, found the end",
    );
    check_error(
        "7,,black",
        "column 3: expected a column letter a to s, found the end",
    );
}

#[test]
fn a_table_names_the_faulty_line() {
    let text = format!("game_id,moves,winner\n1,\"{SHORT},f1\",black\n\n2,\"{SHORT},a1\",black\n");
    let error = read_table(&Connect6::new(19), &text).unwrap_err();
    assert_eq!(error.line, 4);
    assert_eq!(
        error.to_string(),
        "line 4, column 43: expected an empty cell, found \"a1\""
    );
}

#[test]
fn spacing_case_and_missing_marks_are_forgiven() {
    let line = format!("7, {} , F1,Black", SHORT.to_uppercase().replace(',', " , "));
    let game = read_game(&Connect6::new(19), &line).unwrap();
    assert_eq!(game.outcome, Outcome::Win(Side::First));
}

proptest! {
    #[test]
    fn no_text_panics(text in prop_oneof!["[a-tA-T0-9,/ bw\"\n]{0,40}", "\\PC{0,40}"]) {
        let start = Connect6::new(19);
        let _ = read_moves(&mut start.clone(), &text);
        let _ = read_game(&start, &text);
        let _ = read_table(&start, &text);
    }

    #[test]
    fn tables_round_trip(size in 6..=10u8, seeds in proptest::collection::vec(any::<u64>(), 0..4)) {
        let start = Connect6::new(size);
        let games: Vec<Record> = seeds.into_iter().map(|seed| random_game(&start, seed)).collect();
        prop_assert_eq!(read_table(&start, &write_table(&games)), Ok(games));
    }
}

fn random_game(start: &Connect6, seed: u64) -> Record {
    let mut position = start.clone();
    let mut cells: Vec<Stone> = position.legal_moves();
    engine_core::Rng::new(seed).shuffle(&mut cells);
    let mut stones = Vec::new();
    for stone in cells {
        if position.outcome().is_none() {
            position.play(stone);
            stones.push(stone);
        }
    }
    Record {
        id: seed,
        stones,
        outcome: position
            .outcome()
            .expect("the board is full, if nothing else"),
    }
}
