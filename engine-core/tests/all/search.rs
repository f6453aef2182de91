//! Every tree search against plain minimax, on random trees.

use std::time::Duration;

use engine_core::search::deepening;
use engine_core::table::{Replacement, Table};
use engine_core::{Algorithm, Evaluator, Limits, Method, Position, Report, Search, SearchSettings};
use textbook::minimax::minimax;
use textbook::plain::alpha_beta;
use textbook::{AnySearch, Textbook};

use crate::trees::{Branch, HashEvaluator, Shape, Tree};

/// Number of trees of each of sixteen kinds.
const TREES: u64 = 1250;

/// The methods of [`deepening`]; by default `selective` prunes nothing.
pub(crate) const METHODS: [Method; 6] = [
    Method::Pvs,
    Method::Selective,
    Method::Aspiration,
    Method::Mtdf,
    Method::Star1,
    Method::Star2,
];

/// All searches that return minimax values.
pub(crate) fn exact() -> Vec<AnySearch> {
    let textbooks = Textbook::ALL.map(AnySearch::Textbook);
    let methods = METHODS.map(|method| AnySearch::Engine(Algorithm::Deepening(method)));
    textbooks.into_iter().chain(methods).collect()
}

pub(crate) type Player<P> = Box<dyn Search<P>>;

pub(crate) fn player<P: Position>(
    algorithm: AnySearch,
    threads: usize,
    replacement: Replacement,
) -> Player<P>
where
    HashEvaluator: Evaluator<P>,
{
    knowing_player(algorithm, threads, replacement, 0)
}

/// The same; its evaluator claims to know one position in `known`.
fn knowing_player<P: Position>(
    algorithm: AnySearch,
    threads: usize,
    replacement: Replacement,
    known: u64,
) -> Player<P>
where
    HashEvaluator: Evaluator<P>,
{
    let evaluator = || HashEvaluator {
        known,
        ..HashEvaluator::default()
    };
    let settings = SearchSettings {
        aspiration: 3,
        counter_moves: true,
        continuation: true,
        ..SearchSettings::default()
    };
    // Small enough that entries are replaced.
    let table = Table::of_buckets(256, replacement).expect("there are 16 KiB");
    match algorithm {
        AnySearch::Engine(Algorithm::Deepening(method)) => {
            let evaluators = (0..threads).map(|_| evaluator()).collect();
            deepening::player(method, table, evaluators, &settings, None)
        }
        AnySearch::Textbook(kind) => textbook::player(kind, Some(table), evaluator(), &settings),
        _ => unreachable!("it does not search to a depth"),
    }
}

fn pvs<P: Position>(threads: usize) -> Player<P>
where
    HashEvaluator: Evaluator<P>,
{
    let pvs = AnySearch::Engine(Algorithm::Deepening(Method::Pvs));
    player(pvs, threads, Replacement::default())
}

pub(crate) fn search<P: Position>(
    player: &mut Player<P>,
    root: &P,
    limits: &Limits,
) -> Report<P::Move> {
    player.search(root, limits, &mut |_| {})
}

/// Compares every method with minimax at depths 1 to 6 on trees of one kind. The table is new for
/// every tree, and kept between depths.
fn compare<const A: bool, const D: bool>() {
    let policies = [
        Replacement::DepthAndAge,
        Replacement::Depth,
        Replacement::Always,
    ];
    let mut players = policies.map(|policy| {
        let players = exact()
            .into_iter()
            .map(|algorithm| player(algorithm, 1, policy));
        players.collect::<Vec<_>>()
    });
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
            // Cycle through the replacement policies.
            let players = &mut players[seed as usize % policies.len()];
            players.iter_mut().for_each(|player| player.new_game());
            for depth in 1..=6 {
                let expected = minimax(&tree, &mut HashEvaluator::default(), depth);
                if !D {
                    let (value, _) = alpha_beta(&tree, &mut HashEvaluator::default(), depth);
                    assert_eq!(value, expected, "alpha-beta, depth {depth} of {tree:?}");
                }
                for (player, algorithm) in players.iter_mut().zip(exact()) {
                    let report = search(player, &tree, &Limits::depth(depth));
                    assert_eq!(
                        report.score,
                        Some(expected),
                        "{algorithm:?}, depth {depth} of {tree:?}"
                    );
                    // A search of 0 nodes takes its line from the table, which may have lost a
                    // part.
                    let whole = keeps_lines(algorithm) && report.nodes > 0;
                    check_line(&tree, &report, depth, whole);
                }
            }
        }
    }
}

/// The position after the principal variation, which is legal.
fn end_of_line<const A: bool, const D: bool>(
    tree: &Tree<A, D>,
    report: &Report<Branch>,
) -> Tree<A, D> {
    let context = || format!("{:?} of {tree:?}", report.pv);
    assert!(!report.pv.is_empty());
    let mut position = *tree;
    for &mv in &report.pv {
        assert!(
            !position.is_chance() && position.is_legal(mv),
            "{}",
            context()
        );
        position.play(mv);
    }
    position
}

/// The principal variation is legal. If it reaches the end of the game or the depth of the search,
/// the value there equals the root value. It must reach one of them in searches that keep lines
/// (`whole`), unless dice end it.
fn check_line<const A: bool, const D: bool>(
    tree: &Tree<A, D>,
    report: &Report<Branch>,
    depth: u32,
    whole: bool,
) {
    let context = || format!("{:?} of {tree:?}", report.pv);
    let position = end_of_line(tree, report);
    let plies = report.pv.len() as u32;
    let value = match position.terminal(plies) {
        Some(score) => score,
        None if position.is_chance() => return,
        None if plies >= depth && !position.mid_turn() => {
            let mut evaluator = HashEvaluator::default();
            evaluator.reset(&position);
            evaluator.evaluate(&position)
        }
        None => return assert!(!whole, "{} ends early", context()),
    };
    let again = position.side() == tree.side();
    let value = if again { value } else { -value };
    assert_eq!(report.score, Some(value), "{}", context());
}

/// Whether a search keeps the whole principal variation. Null-window searches have it in the table
/// only, which may lose a part; minimax has none.
fn keeps_lines(algorithm: AnySearch) -> bool {
    match algorithm {
        AnySearch::Textbook(kind) => !matches!(
            kind,
            Textbook::Minimax | Textbook::MinimaxOne | Textbook::Negamax | Textbook::Bisection
        ),
        _ => algorithm != AnySearch::Engine(Algorithm::Deepening(Method::Mtdf)),
    }
}

/// A search without some of the root's moves has the value of the best other one, and leaves no trace
/// in the table: the next search of the root is minimax again.
fn compare_excluded<const A: bool, const D: bool>() {
    let mut compared = 0;
    for seed in 0..TREES / 4 {
        let shape = Shape {
            height: 5,
            width: 4,
            margins: seed % 2 == 0,
            ends: 8,
            merge: 9,
        };
        let tree = Tree::<A, D>::new(shape, seed);
        let moves = tree.legal_moves();
        if tree.is_chance() || tree.outcome().is_some() || moves.len() < 2 {
            continue;
        }
        let depth = 1 + (seed % 5) as u32;
        for method in METHODS {
            let algorithm = AnySearch::Engine(Algorithm::Deepening(method));
            let mut player = player(algorithm, 1, Replacement::default());
            let whole = search(&mut player, &tree, &Limits::depth(depth));
            let value = minimax(&tree, &mut HashEvaluator::default(), depth);
            assert_eq!(whole.score, Some(value), "{method:?} of {tree:?}");
            let best = whole.pv[0];
            player.exclude(vec![best]);
            let report = search(&mut player, &tree, &Limits::depth(depth));
            let others = moves.iter().filter(|&&mv| mv != best).map(|&mv| {
                let mut after = tree;
                after.play(mv);
                let value = minimax(&after, &mut HashEvaluator::default(), depth - 1);
                let value = value.to_root(1);
                if after.side() == tree.side() {
                    value
                } else {
                    -value
                }
            });
            assert_eq!(
                report.score,
                others.max(),
                "{method:?} to {depth} of {tree:?}"
            );
            assert_ne!(report.pv[0], best);
            let again = search(&mut player, &tree, &Limits::depth(depth));
            assert_eq!(again.score, Some(value), "{method:?} of {tree:?}");
            compared += 1;
        }
    }
    assert!(compared > 500, "only {compared} searches");
}

#[test]
fn excluded_moves_are_as_if_they_were_not_legal() {
    compare_excluded::<true, false>();
    compare_excluded::<false, false>();
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

/// All searches end at positions whose value the evaluator knows, except at the root.
fn compare_known<const A: bool, const D: bool>() {
    let mut fewer = 0;
    for algorithm in exact() {
        let mut players = [0, 4]
            .map(|known| knowing_player::<Tree<A, D>>(algorithm, 1, Replacement::default(), known));
        for seed in 0..100 {
            let shape = Shape {
                height: 6,
                width: 4,
                margins: true,
                ends: 8,
                merge: 0,
            };
            let mut tree = Tree::new(shape, seed);
            if tree.is_chance() {
                tree.play_roll(1);
            }
            let mut evaluator = HashEvaluator {
                known: 4,
                ..HashEvaluator::default()
            };
            let expected = minimax(&tree, &mut evaluator, 4);
            let [all, known] = players.each_mut().map(|player| {
                player.new_game();
                search(player, &tree, &Limits::depth(4))
            });
            assert_eq!(known.score, Some(expected), "{algorithm:?} in {tree:?}");
            assert!(!known.pv.is_empty(), "{algorithm:?} in {tree:?}");
            fewer += u32::from(known.nodes < all.nodes);
        }
    }
    assert!(fewer > 1_000, "{fewer}");
}

#[test]
fn all_methods_end_at_known_positions() {
    compare_known::<true, false>();
    compare_known::<false, true>();
}

/// Helpers may store deeper results in the table, so values are compared only if the whole tree is
/// searched and depth does not matter.
fn whole_trees<const A: bool, const D: bool>() {
    const HEIGHT: u32 = 7;
    for threads in [2, 3] {
        let mut players = METHODS.map(|method| {
            let algorithm = AnySearch::Engine(Algorithm::Deepening(method));
            player::<Tree<A, D>>(algorithm, threads, Replacement::default())
        });
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
            let expected = minimax(&tree, &mut HashEvaluator::default(), HEIGHT);
            for (player, method) in players.iter_mut().zip(METHODS) {
                player.new_game();
                let report = search(player, &tree, &Limits::depth(HEIGHT));
                assert_eq!(
                    report.score,
                    Some(expected),
                    "{method:?}, {threads} of {tree:?}"
                );
                if method == Method::Mtdf {
                    // Its line is in the table only, where the threads overwrite each other's
                    // bounds.
                    end_of_line(&tree, &report);
                } else {
                    check_line(&tree, &report, HEIGHT, false);
                }
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

/// A tree that is searched completely is solved: the search reports that, with the value of the
/// whole tree, and stops. A second search answers from the table.
fn solved_trees<const A: bool, const D: bool>() {
    const HEIGHT: u32 = 6;
    let limits = Limits::default;
    for (i, margins) in [false, true].into_iter().enumerate() {
        let player = |algorithm| player::<Tree<A, D>>(algorithm, 1, Replacement::default());
        let mut players: Vec<_> = exact().into_iter().map(player).collect();
        for seed in 0..60 {
            let shape = Shape {
                height: HEIGHT,
                width: 4,
                margins,
                ends: 8,
                merge: 9 * (seed % 2),
            };
            let mut tree = Tree::new(shape, 7 * seed + i as u64);
            if tree.is_chance() {
                tree.play_roll(1);
            }
            let expected = minimax(&tree, &mut HashEvaluator::default(), HEIGHT);
            for (player, algorithm) in players.iter_mut().zip(exact()) {
                player.new_game();
                let report = search(player, &tree, &limits());
                let context = format!("{algorithm:?} of {tree:?}: {report:?}");
                assert!(report.solved && report.depth <= HEIGHT + 1, "{context}");
                assert_eq!(report.score, Some(expected), "{context}");
                let again = search(player, &tree, &limits());
                assert_eq!(
                    (again.score, again.solved),
                    (Some(expected), true),
                    "{context}"
                );
                if matches!(algorithm, AnySearch::Engine(_)) {
                    assert_eq!(again.nodes, 0, "{context}");
                }
            }
        }
    }
}

#[test]
fn a_solved_tree_is_not_searched_again() {
    solved_trees::<true, false>();
    solved_trees::<false, false>();
    solved_trees::<true, true>();
    solved_trees::<false, true>();
}

/// A value that a deeper search could change is never reported as solved.
fn unsolved_trees<const A: bool, const D: bool>() {
    for seed in 0..400 {
        let shape = Shape {
            height: 8,
            width: 3,
            margins: seed % 2 == 0,
            ends: 4,
            merge: 9 * (seed / 2 % 2),
        };
        let mut tree = Tree::<A, D>::new(shape, seed);
        if tree.is_chance() {
            tree.play_roll(1);
        }
        let whole = minimax(&tree, &mut HashEvaluator::default(), 9);
        for algorithm in exact() {
            let mut player = player(algorithm, 1, Replacement::default());
            for depth in 1..=8 {
                let report = search(&mut player, &tree, &Limits::depth(depth));
                if report.solved {
                    assert_eq!(
                        report.score,
                        Some(whole),
                        "{algorithm:?}, {depth} of {tree:?}"
                    );
                    break;
                }
            }
        }
    }
}

#[test]
fn what_is_called_solved_has_its_final_value() {
    unsolved_trees::<true, false>();
    unsolved_trees::<false, false>();
    unsolved_trees::<true, true>();
    unsolved_trees::<false, true>();
}
