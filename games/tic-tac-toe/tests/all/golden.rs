//! Golden games: the turns, and the result.

use engine_core::{Notation, Outcome, Position};
use game::turn;
use tic_tac_toe::TicTacToe;

const GAMES: [(&str, &str); 4] = [
    ("draw", include_str!("../golden/draw.txt")),
    ("fork", include_str!("../golden/fork.txt")),
    ("last-cell", include_str!("../golden/last-cell.txt")),
    ("noughts", include_str!("../golden/noughts.txt")),
];

#[test]
fn golden_games_end_as_written() {
    for (name, text) in GAMES {
        let (turns, result) = text.trim_end().split_once('\n').expect("two lines");
        let mut position = game::Game::start(&tic_tac_toe::Variant {}).unwrap();
        for word in turns.split(' ') {
            let before: TicTacToe = position;
            let mut after = before.clone();
            let played = turn::play_turn(&mut after, word)
                .unwrap_or_else(|error| panic!("{name}, {word}: {error}"));
            assert_eq!(before.write_turn(&played), word, "{name}");
            position = after;
        }
        let winner = match position.outcome() {
            Some(Outcome::Win(side)) => format!("{side:?}"),
            Some(Outcome::Draw) => "Draw".to_owned(),
            None => panic!("{name} is not over"),
        };
        let ending = game::Game::ending(&position);
        assert_eq!(format!("result {winner}: {ending}"), result, "{name}");
    }
}
