//! Searches prove exact margins, compared with solved values.

use dots_and_boxes::{DotsAndBoxes, Variant};
use engine_core::mcts::{Mcts, TreeMethod};
use engine_core::{
    Algorithm, Limits, Method, Notation, Position, Report, Resources, Rng, Search, TreeSettings,
};
use game::{Game, Searched};

use crate::solver::{empty, table};

/// A box in points.
const BOX: i32 = 100;

/// UCT with shared children of transpositions, searching all edges.
fn transposing() -> TreeSettings {
    TreeSettings {
        transpositions: true,
        ..TreeMethod::Uct.settings(&TreeSettings::default())
    }
}

/// Net boxes of the whole game for the side to move, if proven within the limit.
fn margin(position: &DotsAndBoxes, settings: &TreeSettings, playouts: u64) -> Option<i32> {
    let players = vec![(position.evaluator(), position.playout())];
    let mut player = Mcts::new(players, settings, None, 64, 1).expect("there is memory");
    let report = player.search(position, &Limits::nodes(playouts), &mut |_| {});
    let proven = report.nodes < playouts;
    proven.then(|| {
        assert!(position.is_legal(report.pv[0]));
        report.score.expect("it has searched").value() / BOX
    })
}

#[test]
fn small_boards_are_proven() {
    for (columns, rows, value) in [(1, 1, -1), (2, 1, 0), (3, 1, -1), (2, 2, 2), (3, 2, -2)] {
        let found = margin(&empty(columns, rows), &transposing(), 3_000_000);
        assert_eq!(found, Some(value), "{rows}×{columns}");
    }
}

/// Every method, on positions with few open edges.
#[test]
fn endings_of_the_table_are_proven() {
    let mut checked = 0;
    for known in table() {
        let left = known.position.legal_moves().len();
        if left > 7 {
            continue;
        }
        for method in TreeMethod::ALL {
            if matches!(method, TreeMethod::Flat | TreeMethod::Tuned) {
                continue;
            }
            let settings = method.settings(&DotsAndBoxes::settings().tree);
            let found = margin(&known.position, &settings, 500_000);
            let value = known.value + known.position.margin();
            assert_eq!(found, Some(value), "{method:?}: {}", known.line);
            checked += 1;
        }
    }
    assert!(checked >= 100, "{checked}");
}

/// The last report of a player with default settings.
fn shipped(
    position: &DotsAndBoxes,
    algorithm: Algorithm,
    nodes: u64,
) -> Report<<DotsAndBoxes as Position>::Move> {
    let resources = Resources {
        table_mb: 16,
        threads: 1,
        seed: 1,
    };
    let settings = DotsAndBoxes::settings();
    let mut player = position
        .player(algorithm, &settings, resources)
        .expect("memory");
    player.search(position, &Limits::nodes(nodes), &mut |_| {})
}

/// Where the lists of edges to search are selections, the value is not proven, but a search that has
/// reached all ends through them stops all the same.
#[test]
fn an_ending_that_the_candidates_exhaust_is_searched_once() {
    let start = empty(5, 5);
    let endings = game::standard::positions(DotsAndBoxes::STANDARD.text)
        .map(|(_, _, text)| start.parse_position(text).expect("a position"))
        .filter(|position| position.legal_moves().len() < 32);
    let mut unproven = 0;
    for position in endings {
        let report = shipped(&position, Algorithm::Deepening(Method::Pvs), 2_000_000);
        assert!(report.nodes < 2_000_000, "{report:?}");
        assert!(report.depth <= report.seldepth + 1, "{report:?}");
        unproven += u32::from(!report.solved);
    }
    assert!(unproven >= 2, "{unproven}");
}

/// With default settings, both families solve the endgames of the table: they report it, stop, and
/// return the exact margin.
#[test]
fn endings_are_solved_as_shipped() {
    let mut checked = 0;
    for known in table() {
        if known.position.legal_moves().len() > 10 {
            continue;
        }
        for algorithm in [
            Algorithm::Deepening(Method::Pvs),
            Algorithm::Deepening(Method::Selective),
            Algorithm::Tree(TreeMethod::Tuned),
        ] {
            let report = shipped(&known.position, algorithm, 200_000);
            let value = known.value + known.position.margin();
            let context = format!("{}: {}: {report:?}", algorithm.name(), known.line);
            // With safe edges, the candidate list may be a selection, which proves only a bound.
            if report.solved {
                let score = report.score.expect("it has searched");
                assert_eq!(score.value() / BOX, value, "{context}");
                assert!(report.nodes < 200_000, "{context}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 60, "{checked}");
}

/// The score of a tree is a chance in points: it is never more than the boxes that are left allow.
#[test]
fn no_score_is_beyond_the_boxes_that_are_left() {
    let (mut rng, mut searched) = (Rng::new(1), 0);
    for _ in 0..10 {
        let mut position = DotsAndBoxes::start(&Variant::default()).expect("the contest's");
        while position.outcome().is_none() {
            let settings = TreeMethod::Tuned.settings(&DotsAndBoxes::settings().tree);
            let players = vec![(position.evaluator(), position.playout())];
            let mut player = Mcts::new(players, &settings, None, 1, 1).expect("there is memory");
            let report = player.search(&position, &Limits::nodes(30), &mut |_| {});
            let score = report.score.expect("it has searched").value();
            let left = position.boxes_left() as i32;
            let most = BOX * (position.margin() + left);
            let least = BOX * (position.margin() - left);
            assert!(
                (least..=most).contains(&score),
                "{score} in {}",
                position.write_position()
            );
            searched += 1;
            let legal = position.legal_moves();
            position.play(legal[rng.below(legal.len() as u32) as usize]);
        }
    }
    assert!(searched > 300, "{searched}");
}
