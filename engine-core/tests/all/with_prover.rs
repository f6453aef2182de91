//! A proof search beside a Monte-Carlo search, against plain minimax on random trees.

use engine_core::mcts::Mcts;
use engine_core::proof::WithProver;
use engine_core::proof::dfpn::Dfpn;
use engine_core::{
    Limits, Position, Report, Score, Search, StopFlag, TreeSettings, UniformPlayout,
};
use textbook::minimax::minimax;

use crate::trees::{Branch, HashEvaluator, Shape, Tree};

type Node = Tree<true, false>;

fn tree(seed: u64) -> Node {
    let shape = Shape {
        height: 6,
        width: 4,
        margins: false,
        ends: 8,
        merge: 0,
    };
    Node::new(shape, seed)
}

/// A player whose own search makes few playouts.
fn player(share: f64, own_thread: bool) -> WithProver<Node> {
    let parts = vec![(HashEvaluator::default(), UniformPlayout::default())];
    let mcts = Mcts::new(parts, &TreeSettings::default(), None, 1, 1).expect("memory");
    let prover = Dfpn::new(1 << 20).expect("memory");
    WithProver::new(Box::new(mcts), Box::new(prover), share, own_thread)
}

fn search(player: &mut impl Search<Node>, root: &Node, limits: &Limits) -> Report<Branch> {
    player.search(root, limits, &mut |_| {})
}

/// The value for the side to move, by minimax.
fn value(node: &Node) -> Score {
    minimax(node, &mut HashEvaluator::default(), 20)
}

#[test]
fn a_proven_win_is_played_at_once() {
    for own_thread in [false, true] {
        let mut player = player(0.99, own_thread);
        let mut won = 0;
        for seed in 0..400 {
            let root = tree(seed);
            player.new_game();
            let report = search(&mut player, &root, &Limits::nodes(10_000));
            if root.outcome().is_some() {
                assert!(report.pv.is_empty());
            } else if value(&root).plies_to_win().is_some() {
                won += 1;
                let mut after = root;
                after.play(report.pv[0]);
                let value = value(&after);
                assert!(value.plies_to_loss().is_some(), "{root:?}: {value:?}");
                assert!(report.solved && report.score.is_some_and(Score::is_proven));
                assert!(report.nodes < 10_000, "{} nodes", report.nodes);
            } else {
                assert!(root.is_legal(report.pv[0]));
                let claim = report.score.and_then(Score::plies_to_win);
                assert_eq!(claim, None, "{root:?}");
            }
        }
        assert!(won > 100, "{won}");
    }
}

/// Neither the share nor the nodes of the proof search exceed the limits, and the same search has the
/// same result.
#[test]
fn nodes_are_shared_and_searches_repeat() {
    for seed in 0..50 {
        let (mut one, mut other) = (player(0.5, false), player(0.5, false));
        let limits = Limits::nodes(40);
        let reports = [&mut one, &mut other].map(|player| search(player, &tree(seed), &limits));
        let [first, second] = reports;
        assert_eq!(first.nodes, second.nodes);
        assert_eq!((first.pv, first.score), (second.pv, second.score));
        // A proof search may open all children of its last node.
        assert!(first.nodes <= 44, "{}", first.nodes);
    }
}

#[test]
fn a_stop_from_outside_ends_both_searches() {
    for own_thread in [false, true] {
        let flag = StopFlag::default();
        let mut limits = Limits::default();
        limits.stop = flag.child().child();
        flag.stop();
        let root = (0..).map(tree).find(|root| root.outcome().is_none());
        let root = root.expect("a tree");
        let report = search(&mut player(0.5, own_thread), &root, &limits);
        assert!(root.is_legal(report.pv[0]));
    }
}
