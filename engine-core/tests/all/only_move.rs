//! An only move is played soon, but its value is one that a search found within a sixteenth of the time.

use std::time::Duration;

use engine_core::table::Replacement;
use engine_core::{Limits, Position, Search, TreeSettings};

use crate::trees::{Shape, Tree};
use crate::{mcts, search};

type Root = Tree<true, false>;

/// The first of the large trees whose root has one move.
fn root() -> Root {
    let mut roots = (0..).map(|seed| Root::new(Shape::ENDLESS, seed));
    let root = roots.find(|root| root.legal_moves().len() == 1);
    root.expect("one of the trees has such a root")
}

/// Limits of a second, soft or hard, which is so many nodes.
fn second(nodes: u64, is_soft: bool) -> Limits {
    let mut limits = Limits::by_nodes(nodes);
    let time = Some(Duration::from_secs(1));
    if is_soft {
        limits.soft = time;
    } else {
        limits.hard = time;
    }
    limits
}

#[test]
fn all_methods_look_behind_it() {
    let root = root();
    for algorithm in search::exact() {
        for is_soft in [true, false] {
            let mut player = search::player(algorithm, 1, Replacement::default());
            let report = search::search(&mut player, &root, &second(160_000, is_soft));
            assert!(report.depth > 3, "{algorithm:?}: {report:?}");
            assert!(report.nodes <= 15_100, "{algorithm:?}: {report:?}");
        }
    }
}

/// A soft limit is not cut short because no other move can become better.
#[test]
fn a_tree_grows_below_it() {
    for is_soft in [true, false] {
        let mut player = mcts::player::<true, false>(1, 8, &TreeSettings::default());
        let report = player.search(&root(), &second(16_000, is_soft), &mut |_| {});
        assert!(
            (950..1_600).contains(&report.nodes),
            "{is_soft}: {report:?}"
        );
    }
}
