//! Monte-Carlo tree search against exhaustive search, on random trees.

use engine_core::mcts::{Mcts, Parallel, Selection, TreeMethod};
use engine_core::{
    Evaluator, Limits, Position, Report, Score, Search, TreeSettings, UniformPlayout,
};
use textbook::minimax::minimax;

use crate::tictactoe::{Cell, OpenLines, TicTacToe};
use crate::trees::{Branch, HashEvaluator, Shape, Tree};

pub(crate) type Player<const A: bool, const D: bool> =
    Mcts<Tree<A, D>, HashEvaluator, UniformPlayout<Branch>>;

pub(crate) fn player<const A: bool, const D: bool>(
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
    Mcts::new(parts.collect(), tree, None, megabytes, 1).expect("there is memory")
}

/// All methods with names, and some combinations.
fn methods() -> Vec<(String, TreeSettings)> {
    let by_name = TreeMethod::ALL.into_iter().map(|method| {
        let settings = method.settings(&TreeSettings::default());
        (format!("{method:?}"), settings)
    });
    let plain = TreeSettings {
        expand_after: 1,
        ..TreeSettings::default()
    };
    let prior = TreeSettings {
        prior_playouts: 2,
        ..plain.clone()
    };
    let shared = TreeSettings {
        transpositions: true,
        ..plain.clone()
    };
    let puct = TreeSettings {
        selection: Selection::Puct,
        ..prior.clone()
    };
    let all = TreeSettings {
        widening: 1.0,
        bias: 1.0,
        rave: Some(0.2),
        implicit: 0.3,
        last_good_reply: true,
        early: Some(2),
        selection: Selection::Tuned,
        ..prior.clone()
    };
    let mixes = [
        ("prior", prior),
        ("shared", shared),
        ("PUCT with evaluations", puct),
        ("all at once", all),
    ];
    let mixes = mixes.map(|(name, settings)| (name.to_string(), settings));
    by_name.chain(mixes).collect()
}

fn search<P: Position>(player: &mut impl Search<P>, root: &P, playouts: u64) -> Report<P::Move> {
    player.search(root, &Limits::nodes(playouts), &mut |_| {})
}

/// A score without the length of a win.
fn bare(score: Score) -> i32 {
    match (score.plies_to_win(), score.plies_to_loss()) {
        (Some(_), _) => Score::WIN.value(),
        (_, Some(_)) => Score::LOSS.value(),
        _ => score.value(),
    }
}

/// The value of a small tree, without the length of a win.
fn value<const A: bool, const D: bool>(tree: &Tree<A, D>) -> i32 {
    bare(minimax(tree, &mut HashEvaluator::default(), 9))
}

fn shape(height: u32, width: u8, margins: bool) -> Shape {
    Shape {
        height,
        width,
        margins,
        ends: 8,
        merge: 0,
    }
}

/// A search that ended with a proof reports the minimax value, and its move keeps it.
fn check_proof<const A: bool>(tree: &Tree<A, false>, report: &Report<Branch>, context: &str) {
    let expected = value(tree);
    assert_eq!(report.score.map(bare), Some(expected), "{context} {tree:?}");
    let mut after = *tree;
    after.play(report.pv[0]);
    let sign = if after.side() == tree.side() { 1 } else { -1 };
    assert_eq!(
        sign * value(&after),
        expected,
        "{:?} {context} {tree:?}",
        report.pv
    );
}

/// Solves small trees by every method, on one or several threads: proven values equal minimax.
/// Returns the number of trees proven within the limit, and the number of all trees.
fn solve<const A: bool>(margins: bool, threads: usize, megabytes: usize) -> (u32, u32) {
    const MOST: u64 = 20_000;
    let (mut solved, mut all) = (0, 0);
    for (name, settings) in methods() {
        if name == "Flat" {
            continue;
        }
        let mut player = player::<A, false>(threads, megabytes, &settings);
        for seed in 0..60 {
            let mut shape = shape(3 + (seed % 4) as u32, 4, margins);
            if settings.transpositions {
                shape.merge = 5;
            }
            let tree = Tree::<A, false>::new(shape, seed);
            player.new_game();
            let report = search(&mut player, &tree, MOST);
            all += 1;
            if report.nodes < MOST {
                solved += 1;
                check_proof(&tree, &report, &name);
            }
        }
    }
    (solved, all)
}

/// A move that is excluded because another one wins is not played, and the position after it is
/// searched as any other: it is not lost for who left it out.
#[test]
fn an_excluded_move_is_left_out_of_one_search() {
    let mut player =
        player::<true, false>(1, 1, &TreeMethod::Uct.settings(&TreeSettings::default()));
    let mut found = 0;
    for seed in 0..300 {
        let root = Tree::<true, false>::new(shape(5, 4, false), seed);
        let after = |mv| {
            let mut after = root;
            after.play(mv);
            after
        };
        let mut wins = root.legal_moves();
        wins.retain(|&mv| value(&after(mv)) == Score::LOSS.value());
        let &[excluded, _, ..] = &*wins else {
            continue;
        };
        found += 1;
        player.new_game();
        player.exclude(vec![excluded]);
        let report = search(&mut player, &root, 2_000);
        let is_at_once = after(excluded).outcome().is_some();
        assert!(is_at_once || report.pv[0] != excluded, "{root:?}");
        check_proof(&root, &report, "excluded");
        let next = after(excluded);
        if next.outcome().is_none() {
            check_proof(&next, &search(&mut player, &next, 2_000), "after it");
        }
    }
    assert!(found > 30, "{found}");
}

fn check_nearly_all_solved((solved, all): (u32, u32)) {
    assert!(solved * 100 >= all * 97, "only {solved} of {all}");
}

#[test]
fn proofs_are_minimax_with_alternating_turns() {
    check_nearly_all_solved(solve::<true>(false, 1, 8));
}

#[test]
fn proofs_are_minimax_with_extra_turns() {
    check_nearly_all_solved(solve::<false>(false, 1, 8));
}

#[test]
fn proofs_are_minimax_with_margins() {
    check_nearly_all_solved(solve::<true>(true, 1, 8));
    check_nearly_all_solved(solve::<false>(true, 1, 8));
}

#[test]
fn proofs_are_minimax_on_several_threads() {
    for threads in [2, 4] {
        check_nearly_all_solved(solve::<false>(threads == 4, threads, 1));
    }
}

/// With dice the mean converges to the expectation, which for wins and losses is the win
/// probability. Proven values equal the expectation.
#[test]
fn means_with_dice_converge_to_expectiminimax() {
    for (name, settings) in methods() {
        if name == "Flat" {
            continue;
        }
        let mut player = player::<false, true>(1, 64, &settings);
        let evaluator = HashEvaluator::default();
        for seed in 0..20 {
            let mut tree = Tree::<false, true>::new(shape(4, 3, false), seed);
            if tree.is_chance() {
                tree.play_roll(6);
            }
            player.new_game();
            let expected = value(&tree) as f64 / 1e6;
            let report = search(&mut player, &tree, 100_000);
            let score = report.score.expect("it has searched");
            let proven = report.nodes < 100_000;
            // A proven value is an expectation in points (a win is a million); otherwise the score
            // is the evaluation with the mean result as win probability.
            let found = if proven {
                bare(score) as f64 / 1e6
            } else {
                let chance = Evaluator::<Tree<false, true>>::probability(&evaluator, score);
                2.0 * chance as f64 - 1.0
            };
            let tolerance = if proven { 0.01 } else { 0.1 };
            let far = (found - expected).abs() > tolerance;
            assert!(!far, "{name} {proven}: {found} for {expected}: {tree:?}");
        }
    }
}

/// With dice and margins, proven expectations are exact to the point, and rounded as in minimax.
#[test]
fn expected_margins_are_proven() {
    let settings = TreeSettings::default();
    let mut player = player::<false, true>(1, 64, &settings);
    let mut solved = 0;
    for seed in 0..100 {
        let mut tree = Tree::<false, true>::new(shape(4, 3, true), seed);
        if tree.is_chance() {
            tree.play_roll(6);
        }
        player.new_game();
        let report = search(&mut player, &tree, 50_000);
        if report.nodes < 50_000 {
            solved += 1;
            assert_eq!(report.score.map(bare), Some(value(&tree)), "{tree:?}");
        }
    }
    assert!(solved > 80, "{solved}");
}

/// PUCT takes the chances of moves from an evaluator that has an opinion: it plays the likeliest,
/// which it visits most while playouts tell little.
#[test]
fn puct_follows_priors() {
    let tree = Tree::<true, false>::new(Shape::ENDLESS, 3);
    let puct = TreeMethod::Puct.settings(&TreeSettings::default());
    let mut liked = 0;
    for playouts in 2..40 {
        let mut player = player::<true, false>(1, 16, &puct);
        let report = search(&mut player, &tree, playouts);
        liked += u32::from(report.pv.first() == tree.legal_moves().last());
    }
    assert!(liked > 30, "{liked} of 38");
}

/// Flat Monte Carlo searches one ply: it plays a win in one, and prefers good moves to bad ones.
#[test]
fn flat_takes_a_win_in_one() {
    let mut root = TicTacToe::default();
    for cell in [0, 3, 1, 4] {
        root.play(Cell(cell));
    }
    let mut player = tic_tac_toe(TreeMethod::Flat, 1);
    let report = search(&mut player, &root, 2000);
    assert_eq!(report.pv, [Cell(2)]);
    assert_eq!(report.seldepth, 1);
}

fn tic_tac_toe(
    method: TreeMethod,
    threads: usize,
) -> Mcts<TicTacToe, OpenLines, UniformPlayout<Cell>> {
    let parts = (0..threads).map(|_| (OpenLines, UniformPlayout::default()));
    let settings = method.settings(&TreeSettings::default());
    Mcts::new(parts.collect(), &settings, None, 16, 1).expect("there is memory")
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for method in TreeMethod::ALL {
        if method == TreeMethod::Flat {
            continue;
        }
        for threads in [1, 2] {
            let mut player = tic_tac_toe(method, threads);
            let report = search(&mut player, &TicTacToe::default(), 1_000_000);
            assert!(report.nodes < 1_000_000, "{method:?} proves nothing");
            assert_eq!(report.score, Some(Score::DRAW), "{method:?}");
            assert!(report.solved, "{method:?}");
        }
    }
}

#[test]
fn equal_searches_are_equal_after_new_game_and_limits_are_exact() {
    for (name, settings) in methods() {
        let tree = Tree::<false, true>::new(Shape::ENDLESS, 3);
        // So small that the tree is recycled during the search.
        let mut player = player::<false, true>(1, 0, &settings);
        let mut game = || {
            player.new_game();
            let first = search(&mut player, &tree, 3_000);
            let mut next = tree;
            next.play(first.pv[0]);
            if next.is_chance() {
                next.play_roll(2);
            }
            let second = search(&mut player, &next, 500);
            [first, second].map(|report| (report.nodes, report.score, report.pv))
        };
        let first = game();
        assert_eq!((first[0].0, first[1].0), (3_000, 500), "{name}");
        for _ in 1..10 {
            assert_eq!(game(), first, "{name}");
        }
    }
}

#[test]
fn threads_share_the_playouts_and_a_full_tree_still_has_a_move() {
    let tree = Tree::<false, true>::new(Shape::ENDLESS, 4);
    for parallel in [Parallel::Tree, Parallel::Root] {
        for threads in [1, 2, 4] {
            let settings = TreeSettings {
                parallel,
                ..TreeSettings::default()
            };
            let mut player = player::<false, true>(threads, 0, &settings);
            for playouts in [0, 1, 7, 20_000] {
                player.new_game();
                let report = search(&mut player, &tree, playouts);
                assert_eq!(report.nodes, playouts);
                assert!(tree.is_legal(report.pv[0]));
                assert!(report.hashfull <= 1000);
            }
        }
    }
}

/// The tree is recycled many times; proven values are still correct.
#[test]
fn proofs_in_a_tree_that_is_too_small_are_minimax() {
    let mut solved = 0;
    for margins in [false, true] {
        for seed in 0..20 {
            for transpositions in [false, true] {
                let mut shape = shape(9, 6, margins);
                shape.merge = if transpositions { 400 } else { 0 };
                let tree = Tree::<false, false>::new(shape, seed);
                let settings = TreeSettings {
                    expand_after: 1,
                    transpositions,
                    ..TreeSettings::default()
                };
                let report = search(&mut player::<false, false>(1, 0, &settings), &tree, 60_000);
                if report.nodes < 60_000 {
                    solved += 1;
                    check_proof(&tree, &report, "too small");
                }
            }
        }
    }
    assert!(solved >= 20, "{solved}");
}

/// Games by one player that reuses its tree: proven values are still correct.
#[test]
fn proofs_in_a_tree_used_again_are_minimax() {
    let mut solved = 0;
    for seed in 0..60 {
        let mut tree = Tree::<false, false>::new(shape(8, 4, seed % 2 == 0), seed);
        let mut player = player::<false, false>(1 + seed as usize % 2, 1, &TreeSettings::default());
        let mut moves = 0;
        while tree.outcome().is_none() {
            let report = search(&mut player, &tree, 400);
            if report.nodes < 400 {
                solved += 1;
                check_proof(&tree, &report, "used again");
            }
            // Includes moves outside the principal variation.
            let legal = tree.legal_moves();
            let other = legal[(seed as usize + moves) % legal.len()];
            tree.play(if moves % 3 == 2 { other } else { report.pv[0] });
            moves += 1;
        }
    }
    assert!(solved > 150, "{solved}");
}

/// A search from a position below the last root starts with its subtree, also after rolls.
#[test]
fn the_tree_is_kept_below_the_new_root() {
    let fresh = || player::<false, true>(1, 64, &TreeSettings::default());
    for seed in 0..20 {
        let root = Tree::<false, true>::new(Shape::ENDLESS, seed);
        if root.is_chance() {
            continue;
        }
        let mut player = fresh();
        let report = search(&mut player, &root, 20_000);
        let mut next = root;
        next.play(report.pv[0]);
        if next.is_chance() {
            next.play_roll(1);
        }
        let [with, without] = [&mut player, &mut fresh()].map(|player| {
            let report = search(player, &next, 1);
            assert!(next.is_legal(report.pv[0]));
            report.hashfull
        });
        assert!(with > 0 && without == 0, "{seed}: {with}, {without}");
    }
}

#[test]
fn a_root_that_is_over_or_at_chance_has_no_line() {
    let mut over = TicTacToe::default();
    for cell in [0, 3, 1, 4, 2] {
        over.play(Cell(cell));
    }
    let report = search(&mut tic_tac_toe(TreeMethod::Uct, 2), &over, 100);
    assert_eq!((report.pv, report.nodes), (vec![], 0));
    let mut chance = Tree::<false, true>::new(Shape::ENDLESS, 1);
    while !chance.is_chance() {
        chance.play(chance.legal_moves()[0]);
    }
    let report = search(&mut player(1, 1, &TreeSettings::default()), &chance, 100);
    assert_eq!((report.pv, report.nodes), (vec![], 0));
}

#[test]
fn a_search_ends_at_its_flag_and_its_time() {
    use std::time::Duration;
    let tree = Tree::<false, true>::new(Shape::ENDLESS, 3);
    for threads in [1, 2] {
        let mut player = player::<false, true>(threads, 1, &TreeSettings::default());
        let limits = Limits::default();
        limits.stop.stop();
        let report = player.search(&tree, &limits, &mut |_| {});
        assert!(tree.is_legal(report.pv[0]));
        let limits = Limits::time(Duration::from_millis(20));
        let report = player.search(&tree, &limits, &mut |_| {});
        assert!(tree.is_legal(report.pv[0]) && report.nodes > 0);
        // Otherwise it would go on for hours; the machine may be busy.
        assert!(limits.elapsed() < Duration::from_secs(20));
    }
}
