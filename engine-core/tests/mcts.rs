//! Monte-Carlo tree search against exhaustive search, on random trees.

mod trees;

use engine_core::mcts::Mcts;
use engine_core::search::minimax::minimax;
use engine_core::{
    Limits, Position, Report, Score, Search, Settings, TreeSettings, UniformPlayout,
};
use trees::{Branch, HashEvaluator, Shape, Tree};

type Player<const A: bool, const D: bool> = Mcts<Tree<A, D>, HashEvaluator, UniformPlayout<Branch>>;

fn player<const A: bool, const D: bool>(
    threads: usize,
    megabytes: usize,
    tree: &TreeSettings,
) -> Player<A, D> {
    let parts = (0..threads).map(|_| {
        (
            HashEvaluator {
                mid_turn_too: true,
                ..HashEvaluator::default()
            },
            UniformPlayout::default(),
        )
    });
    let settings = Settings {
        tree: tree.clone(),
        ..Settings::default()
    };
    Mcts::new(parts.collect(), &settings, megabytes, 1)
}

fn search<P: Position>(player: &mut impl Search<P>, root: &P, playouts: u64) -> Report<P::Move> {
    player.search(root, &Limits::nodes(playouts), &mut |_| {})
}

/// The sign of a score: a proven result without its length.
fn sign(score: Score) -> i32 {
    match (score.plies_to_win(), score.plies_to_loss()) {
        (Some(_), _) => 1,
        (_, Some(_)) => -1,
        _ => 0,
    }
}

/// Trees of wins, losses and draws small enough to be solved: the proven result is minimax's, with
/// every way of growing the tree.
fn solve<const A: bool>() {
    let plain = TreeSettings {
        expand_after: 1,
        ..TreeSettings::default()
    };
    let prior = TreeSettings {
        prior_playouts: 2,
        ..plain.clone()
    };
    let narrow = TreeSettings {
        widening: 1.0,
        ..prior.clone()
    };
    let mut solved = 0;
    for seed in 0..700 {
        let shape = Shape {
            height: 3 + (seed % 4) as u32,
            width: 4,
            margins: false,
            ends: 8,
            merge: 0,
        };
        let mut tree = Tree::<A, false>::new(shape, seed);
        let expected = minimax(&mut tree, &mut HashEvaluator::default(), 6);
        for settings in [&plain, &prior, &narrow] {
            let report = search(&mut player::<A, false>(1, 8, settings), &tree, 30_000);
            assert_eq!(sign(report.score), sign(expected), "{tree:?} {settings:?}");
            let mut after = tree;
            after.play(report.pv[0]);
            let value = minimax(&mut after, &mut HashEvaluator::default(), 6);
            let value = if after.side() == tree.side() {
                value
            } else {
                -value
            };
            assert_eq!(sign(value), sign(expected), "{:?} in {tree:?}", report.pv);
            solved += (report.nodes < 30_000) as u32;
        }
    }
    assert!(
        solved > 2000,
        "only {solved} of 2100 were proven before the limit"
    );
}

#[test]
fn proofs_are_minimax_with_alternating_turns() {
    solve::<true>();
}

#[test]
fn proofs_are_minimax_with_extra_turns() {
    solve::<false>();
}

/// With dice the mean converges to the expectation; in the trees' wins and losses that is the
/// chance of winning.
#[test]
fn means_with_dice_converge_to_expectiminimax() {
    let settings = TreeSettings {
        expand_after: 1,
        ..TreeSettings::default()
    };
    for seed in 0..60 {
        let shape = Shape {
            height: 4,
            width: 3,
            margins: false,
            ends: 8,
            merge: 0,
        };
        let mut tree = Tree::<false, true>::new(shape, seed);
        if tree.is_chance() {
            tree.play_roll(6);
        }
        let expected = minimax(&mut tree, &mut HashEvaluator::default(), 4).value() as f64 / 1e6;
        let report = search(&mut player::<false, true>(1, 64, &settings), &tree, 100_000);
        let found = match sign(report.score) {
            0 => report.score.value() as f64 / 1e3,
            sign => sign as f64,
        };
        assert!(
            (found - expected).abs() < 0.05,
            "{found} for {expected}: {tree:?}"
        );
    }
}

#[test]
fn equal_searches_are_equal_after_new_game_and_limits_are_exact() {
    let shape = Shape {
        height: 30,
        width: 8,
        margins: false,
        ends: u64::MAX,
        merge: 0,
    };
    let tree = Tree::<false, true>::new(shape, 3);
    let mut player = player::<false, true>(1, 1, &TreeSettings::default());
    let mut runs = (0..10).map(|_| {
        player.new_game();
        let report = search(&mut player, &tree, 3_000);
        (report.nodes, report.score, report.pv)
    });
    let first = runs.next().unwrap();
    assert_eq!(first.0, 3_000);
    assert!(runs.all(|run| run == first));
}

#[test]
fn threads_share_the_playouts_and_a_full_tree_still_has_a_move() {
    let shape = Shape {
        height: 30,
        width: 8,
        margins: false,
        ends: u64::MAX,
        merge: 0,
    };
    let tree = Tree::<false, true>::new(shape, 4);
    for threads in [1, 2, 4] {
        let mut player = player::<false, true>(threads, 0, &TreeSettings::default());
        let report = search(&mut player, &tree, 4_000);
        assert_eq!(report.nodes, 4_000);
        assert!(tree.is_legal(report.pv[0]));
    }
}
