//! The evaluation, by the textbook's example: two plies from the empty board.

use engine_core::table::Table;
use engine_core::{Evaluator, Limits, Notation, Position, Resources, Settings};
use game::{Searched, turn};
use textbook::AnySearch;
use tic_tac_toe::{OpenLines, TicTacToe};

const RESOURCES: Resources = Resources {
    table_mb: 1,
    threads: 1,
    seed: 1,
};

/// E after some cells, for the side to move.
fn evaluation(cells: &str) -> i32 {
    let mut position = TicTacToe::default();
    turn::play_words(&mut position, cells).expect("legal cells");
    OpenLines.evaluate(&position).value()
}

/// The values of all replies to a first cell, smallest first; crosses are to move again.
fn replies(first: &str) -> Vec<i32> {
    let mut position = TicTacToe::default();
    turn::play_words(&mut position, first).expect("legal cells");
    let mut values: Vec<i32> = position
        .legal_moves()
        .into_iter()
        .map(|reply| evaluation(&format!("{first} {}", position.write_move(reply))))
        .collect();
    values.sort_unstable();
    values
}

/// Luger, *Artificial Intelligence*, figure 4.22, after Nilsson 1971: the centre is worth 1, a corner
/// −1, an edge −2. The book draws one of each group of equivalent replies.
#[test]
fn the_first_move_at_depth_two_is_the_centre() {
    assert_eq!(replies("b2"), [1, 1, 1, 1, 2, 2, 2, 2]);
    assert_eq!(replies("a1"), [-1, 0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(replies("b1"), [-2, -1, -1, -1, -1, 0, 0, 0]);
}

#[test]
fn a_search_two_plies_deep_finds_it() {
    let start = TicTacToe::default();
    let depth_two = Limits::depth(2);
    let settings = Settings::default();
    for search in AnySearch::all().filter(|known| known.is_exact()) {
        let mut player = match search {
            AnySearch::Engine(algorithm) => start
                .player(algorithm, &settings, RESOURCES)
                .expect("a player"),
            AnySearch::Textbook(taught) => {
                textbook::player(taught, Table::new(1), start.evaluator(), &settings.search)
            }
        };
        let report = player.search(&start, &depth_two, &mut |_| {});
        let best = start.write_move(report.pv[0]);
        let found = (report.score.map(|score| score.value()), best.as_str());
        assert_eq!(found, (Some(1), "b2"), "{search:?}");
    }
}

#[test]
fn a_line_is_open_while_the_other_side_has_no_mark_on_it() {
    assert_eq!(evaluation(""), 0);
    assert_eq!(evaluation("b2"), 4 - 8);
    assert_eq!(evaluation("b2 a1"), 5 - 4);
}
