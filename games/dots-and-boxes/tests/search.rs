//! Monte-Carlo tree search with score bounds against solved values: the exact margin is proven.

mod solver;

use dots_and_boxes::DotsAndBoxes;
use engine_core::mcts::{Mcts, Variant};
use engine_core::{Limits, Position, Search, Settings, TreeSettings};
use entry::Game;
use solver::{empty, table};

/// A box in points.
const BOX: i32 = 100;

/// UCT that shares the children of transpositions, and sees all edges.
fn transposing() -> Settings {
    Settings {
        tree: TreeSettings {
            transpositions: true,
            ..Variant::Uct.settings(&DotsAndBoxes::settings()).tree
        },
        width: None,
        ..DotsAndBoxes::settings()
    }
}

/// Net boxes of the whole game for the side to move, if proven within the limit.
fn margin(position: &DotsAndBoxes, settings: &Settings, playouts: u64) -> Option<i32> {
    let players = vec![(position.evaluator(), position.playout())];
    let mut player = Mcts::new(players, settings, 64, 1).expect("there is memory");
    let report = player.search(position, &Limits::nodes(playouts), &mut |_| {});
    let proven = report.nodes < playouts;
    proven.then(|| {
        assert!(position.is_legal(report.pv[0]));
        report.score.value() / BOX
    })
}

#[test]
fn small_boards_are_proven() {
    for (columns, rows, value) in [(1, 1, -1), (2, 1, 0), (3, 1, -1), (2, 2, 2), (3, 2, -2)] {
        let found = margin(&empty(columns, rows), &transposing(), 3_000_000);
        assert_eq!(found, Some(value), "{rows}×{columns}");
    }
}

/// Every method, where no more than a few edges are left.
#[test]
fn endings_of_the_table_are_proven() {
    let mut checked = 0;
    for known in table() {
        let left = known.position.legal_moves().len();
        if left > 7 {
            continue;
        }
        for variant in Variant::ALL {
            if matches!(variant, Variant::Flat | Variant::Tuned) {
                continue;
            }
            let settings = variant.settings(&DotsAndBoxes::settings());
            let found = margin(&known.position, &settings, 500_000);
            let value = known.value + known.position.margin();
            assert_eq!(found, Some(value), "{variant:?}: {}", known.line);
            checked += 1;
        }
    }
    assert!(checked >= 100, "{checked}");
}
