//! Every tree search against plain minimax, on random trees.

mod trees;

use std::time::Duration;

use engine_core::search::deepening;
use engine_core::search::minimax::minimax;
use engine_core::table::{Replacement, Table};
use engine_core::{Evaluator, Limits, Method, Position, Report, Search, Settings};
use trees::{HashEvaluator, Shape, Tree};

/// Trees of each kind; there are sixteen kinds.
const TREES: u64 = 1250;

/// Every method whose values are minimax's.
const EXACT: [Method; 14] = [
    Method::Minimax,
    Method::MinimaxOne,
    Method::Negamax,
    Method::Plain,
    Method::FailHard,
    Method::FailSoft,
    Method::Pvs,
    Method::Aspiration,
    Method::AspirationFull,
    Method::Mtdf,
    Method::Bisection,
    Method::Star1,
    Method::Star2,
    // Nothing is left out by default.
    Method::Selective,
];

type Player<P> = Box<dyn Search<P>>;

fn player<P: Position>(method: Method, threads: usize, replacement: Replacement) -> Player<P>
where
    HashEvaluator: Evaluator<P>,
{
    let mut settings = Settings::default();
    settings.search.aspiration = 3;
    settings.search.counter_moves = true;
    settings.search.continuation = true;
    let evaluators = (0..threads).map(|_| HashEvaluator::default()).collect();
    // Small enough to lose entries.
    let table = Table::of_buckets(256, replacement).expect("there are 16 KiB");
    deepening::player(method, table, evaluators, &settings)
}

fn pvs<P: Position>(threads: usize) -> Player<P>
where
    HashEvaluator: Evaluator<P>,
{
    player(Method::Pvs, threads, Replacement::default())
}

fn search<P: Position>(player: &mut Player<P>, root: &P, limits: &Limits) -> Report<P::Move> {
    player.search(root, limits, &mut |_| {})
}

/// Compares every method with minimax at depths 1 to 6 on trees of one kind, with a table that is new
/// for every tree, and that stays from depth to depth.
fn compare<const A: bool, const D: bool>() {
    let policies = [
        Replacement::DepthAndAge,
        Replacement::Depth,
        Replacement::Always,
    ];
    let mut players = policies.map(|policy| EXACT.map(|method| player(method, 1, policy)));
    for (i, (margins, merge)) in [(false, 0), (true, 0), (false, 9), (true, 9)]
        .into_iter()
        .enumerate()
    {
        for seed in 0..TREES {
            let shape = Shape {
                height: 4 + (seed % 5) as u32,
                width: 4,
                margins,
                ends: 8,
                merge,
            };
            let mut tree = Tree::<A, D>::new(shape, seed * 16 + i as u64);
            if tree.is_chance() {
                let mut rolls = Vec::new();
                tree.rolls(&mut rolls);
                tree.play_roll(rolls[0].0);
            }
            // Every policy in turn.
            let players = &mut players[seed as usize % policies.len()];
            players.iter_mut().for_each(|player| player.new_game());
            for depth in 1..=6 {
                let expected = minimax(&mut tree.clone(), &mut HashEvaluator::default(), depth);
                for (player, method) in players.iter_mut().zip(EXACT) {
                    let report = search(player, &tree, &Limits::depth(depth));
                    assert_eq!(
                        report.score, expected,
                        "{method:?}, depth {depth} of {tree:?}"
                    );
                    check_line(&tree, &report);
                }
            }
        }
    }
}

/// The principal variation is legal and leads to a position of the root's value, unless dice end it.
fn check_line<const A: bool, const D: bool>(tree: &Tree<A, D>, report: &Report<trees::Branch>) {
    assert!(!report.pv.is_empty());
    let mut position = *tree;
    for &mv in &report.pv {
        assert!(position.is_legal(mv), "{:?} of {tree:?}", report.pv);
        position.play(mv);
    }
}

#[test]
fn all_methods_are_minimax_with_alternating_turns() {
    compare::<true, false>();
}

#[test]
fn all_methods_are_minimax_with_extra_turns() {
    compare::<false, false>();
}

#[test]
fn all_methods_are_minimax_with_dice() {
    compare::<true, true>();
}

#[test]
fn all_methods_are_minimax_with_extra_turns_and_dice() {
    compare::<false, true>();
}

/// A helper may run ahead and leave deeper results in the table, so values are compared where depth
/// does not matter: the whole tree is searched.
fn whole_trees<const A: bool, const D: bool>() {
    const HEIGHT: u32 = 7;
    for threads in [2, 3] {
        let mut players =
            EXACT.map(|method| player::<Tree<A, D>>(method, threads, Replacement::default()));
        for seed in 0..60 {
            let shape = Shape {
                height: HEIGHT,
                width: 4,
                margins: seed % 2 == 0,
                ends: 8,
                merge: 9 * (seed / 2 % 2),
            };
            let mut tree = Tree::new(shape, seed);
            if tree.is_chance() {
                tree.play_roll(1);
            }
            let expected = minimax(&mut tree, &mut HashEvaluator::default(), HEIGHT);
            for (player, method) in players.iter_mut().zip(EXACT) {
                player.new_game();
                let report = search(player, &tree, &Limits::depth(HEIGHT));
                assert_eq!(report.score, expected, "{method:?}, {threads} of {tree:?}");
                check_line(&tree, &report);
            }
        }
    }
}

#[test]
fn threads_find_the_value_of_a_whole_tree() {
    whole_trees::<true, false>();
    whole_trees::<false, false>();
    whole_trees::<true, true>();
    whole_trees::<false, true>();
}

#[test]
fn a_limit_of_nodes_is_exact_and_a_stopped_search_still_has_a_legal_move() {
    let shape = Shape {
        height: 40,
        width: 8,
        margins: true,
        ends: u64::MAX,
        merge: 0,
    };
    let mut player = pvs(1);
    for nodes in [1, 2, 5, 255, 256, 257, 1000, 4095] {
        let tree = Tree::<false, false>::new(shape, nodes);
        player.new_game();
        let report = search(&mut player, &tree, &Limits::nodes(nodes));
        assert_eq!(report.nodes, nodes);
        assert!(tree.is_legal(report.pv[0]));
    }
}

#[test]
fn equal_searches_are_equal_after_new_game() {
    let shape = Shape {
        height: 30,
        width: 8,
        margins: false,
        ends: u64::MAX,
        merge: 50,
    };
    let mut player = pvs(1);
    let mut reports = (0..10).map(|_| {
        player.new_game();
        let report = search(
            &mut player,
            &Tree::<false, true>::new(shape, 3),
            &Limits::nodes(20_000),
        );
        (report.nodes, report.score, report.depth, report.pv)
    });
    let first = reports.next().unwrap();
    assert!(first.0 > 0);
    assert!(reports.all(|report| report == first));
}

#[test]
fn the_stop_flag_and_the_clock_end_a_search() {
    let shape = Shape {
        height: 900,
        width: 9,
        margins: true,
        ends: u64::MAX,
        merge: 0,
    };
    let tree = Tree::<true, false>::new(shape, 5);
    let mut player = pvs(2);
    let limits = Limits::default();
    std::thread::scope(|scope| {
        let stop = limits.stop.clone();
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            stop.stop();
        });
        assert!(tree.is_legal(search(&mut player, &tree, &limits).pv[0]));
    });
    let report = search(&mut player, &tree, &Limits::time(Duration::from_millis(20)));
    assert!(report.time >= Duration::from_millis(20));
    assert!(tree.is_legal(report.pv[0]));
}

#[test]
fn a_finished_root_has_no_move() {
    let shape = Shape {
        height: 1,
        width: 3,
        margins: false,
        ends: 8,
        merge: 0,
    };
    let mut tree = Tree::<true, false>::new(shape, 1);
    tree.play(tree.legal_moves()[0]);
    assert!(tree.outcome().is_some());
    assert!(search(&mut pvs(1), &tree, &Limits::depth(3)).pv.is_empty());
}
