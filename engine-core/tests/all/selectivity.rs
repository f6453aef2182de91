//! Pruning, reductions and extensions of `selective`, on random trees.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use engine_core::search::deepening;
use engine_core::table::{Replacement, Table};
use engine_core::{
    Evaluator, Limits, Method, Position, Report, Score, SearchSettings, Selectivity,
};
use textbook::minimax::minimax;

use crate::search::search;
use crate::trees::{Branch, HashEvaluator, Shape, Tree};

/// Evaluations of the trees lie within 60 points, so no search is above another by more.
const BEYOND_ALL: i32 = 121;

/// A report for each depth from 1 to 7 of one tree, by one player.
fn reports<const A: bool, const D: bool>(
    tree: &Tree<A, D>,
    selectivity: &Selectivity,
) -> Vec<Report<Branch>> {
    let settings = SearchSettings {
        selectivity: selectivity.clone(),
        ..SearchSettings::default()
    };
    let table = Table::of_buckets(1024, Replacement::default()).expect("64 KiB");
    let evaluators = vec![HashEvaluator::default()];
    let mut player = deepening::player(Method::Selective, table, evaluators, &settings, None);
    let mut to = |depth| search(&mut player, tree, &Limits::depth(depth));
    (1..=7).map(&mut to).collect()
}

fn tree<const A: bool, const D: bool>(seed: u64, margins: bool, height: u32) -> Tree<A, D> {
    let shape = Shape {
        height,
        width: 5,
        margins,
        ends: 8,
        merge: 9 * (seed % 2),
    };
    let mut tree = Tree::new(shape, seed);
    if tree.is_chance() {
        tree.play_roll(1);
    }
    tree
}

/// Everything that leaves moves out or searches them less deeply.
fn all() -> Selectivity {
    Selectivity {
        late_move_reduction: 1.0,
        cutoff_reduction: 1.0,
        falling_reduction: 1.0,
        history_reduction: 1.0,
        late_move_pruning: 2,
        futility: 20,
        reverse_futility: 20,
        razoring: 30,
        internal_reduction: 2,
        probcut: 10,
        singular: 2,
        correction: 1.0,
        extend_forced: 1,
        ..Selectivity::default()
    }
}

fn check_proofs<const A: bool, const D: bool>() {
    let (mut wins, mut losses) = (0, 0);
    for seed in 0..300 {
        let tree = tree::<A, D>(seed, false, 8);
        let whole = minimax(&tree, &mut HashEvaluator::default(), 9);
        for report in reports(&tree, &all()) {
            let context = format!("{tree:?}: {report:?}, {whole:?}");
            let score = report.score.expect("it has searched");
            let [is_won, is_lost] =
                [score.plies_to_win(), score.plies_to_loss()].map(|plies| plies.is_some());
            assert!(!is_won || whole.plies_to_win().is_some(), "{context}");
            assert!(!is_lost || whole.plies_to_loss().is_some(), "{context}");
            assert!(
                !report.solved || is_won || is_lost || score == whole,
                "{context}"
            );
            wins += u32::from(is_won);
            losses += u32::from(is_lost);
        }
    }
    assert!(wins > 100 && losses > 20, "{wins} {losses}");
}

#[test]
fn what_is_proven_beside_pruned_moves_is_true() {
    check_proofs::<true, false>();
    check_proofs::<false, false>();
}

/// How many nodes the trees take to depth 7, and how often the last value is not that of minimax.
fn cost(selectivity: &Selectivity) -> (u64, u32) {
    let (mut nodes, mut other) = (0, 0);
    for seed in 0..100 {
        let tree = tree::<true, false>(seed, true, 10);
        let found = reports(&tree, selectivity);
        nodes += found.iter().map(|report| report.nodes).sum::<u64>();
        let value = minimax(&tree, &mut HashEvaluator::default(), 7);
        other += u32::from(found[6].score != Some(value));
    }
    (nodes, other)
}

#[test]
fn probcut_cuts_what_a_shallower_search_decides() {
    let with_margin = |probcut| {
        cost(&Selectivity {
            probcut,
            ..Selectivity::default()
        })
    };
    let (nodes, other) = with_margin(0);
    assert_eq!(other, 0);
    let (searched, other) = with_margin(BEYOND_ALL);
    assert!(other == 0 && searched >= nodes, "{searched} {other}");
    let (searched, other) = with_margin(1);
    assert!(other > 0 && searched < nodes, "{searched} {other}");
}

/// Only an extension looks beyond the depth of an iteration, since the trees have no forced moves here and
/// no quiescence.
#[test]
fn a_move_that_alone_is_good_is_searched_deeper() {
    let deeper = |singular| {
        let selectivity = Selectivity {
            singular,
            ..Selectivity::default()
        };
        let mut deeper = 0;
        for seed in 0..50 {
            let tree = tree::<true, false>(seed, true, 12);
            for report in reports(&tree, &selectivity) {
                assert!(
                    report.seldepth <= 2 * report.depth + 1,
                    "{tree:?}: {report:?}"
                );
                deeper += u32::from(report.seldepth > report.depth);
            }
        }
        deeper
    };
    assert_eq!(deeper(0), 0);
    assert_eq!(deeper(8), 0, "no iteration is so deep");
    assert!(deeper(3) > 20, "{}", deeper(3));
}

/// A move with a good history is reduced less than one with a bad one.
#[test]
fn reductions_depend_on_history() {
    let trees = [1, 2, 3, 4, 5, 6, 7, 8].map(|seed| Tree::<true, false>::new(Shape::ENDLESS, seed));
    let with = |late_move_reduction, history_reduction| {
        let selectivity = Selectivity {
            late_move_reduction,
            history_reduction,
            ..Selectivity::default()
        };
        let nodes = |tree| {
            let reports = reports(tree, &selectivity);
            reports.iter().map(|report| report.nodes).sum::<u64>()
        };
        trees.iter().map(nodes).sum::<u64>()
    };
    assert_eq!(with(0.0, 8.0), with(0.0, 0.0), "without reductions");
    assert_ne!(with(1.0, 8.0), with(1.0, 0.0));
}

/// Evaluations that are corrected are another game's: the values of minimax are not found any more.
#[test]
fn corrections_change_evaluations() {
    let with = |correction| {
        let selectivity = Selectivity {
            correction,
            ..Selectivity::default()
        };
        cost(&selectivity).1
    };
    assert_eq!(with(0.0), 0);
    assert!(with(1.0) > 10, "{}", with(1.0));
}

/// Records whether a position is searched further right after its evaluation, as quiescence does.
struct Leaves {
    evaluator: HashEvaluator,
    last: Option<u64>,
    quiesced: Arc<AtomicBool>,
}

impl Evaluator<Tree<true, false>> for Leaves {
    fn reset(&mut self, root: &Tree<true, false>) {
        self.evaluator.reset(root);
    }
    fn push(&mut self, before: &Tree<true, false>, mv: Branch) {
        if self.last.take() == Some(before.key()) {
            self.quiesced.store(true, Ordering::Relaxed);
        }
        self.evaluator.push(before, mv);
    }
    fn pop(&mut self) {
        self.last = None;
        Evaluator::<Tree<true, false>>::pop(&mut self.evaluator);
    }
    fn evaluate(&mut self, position: &Tree<true, false>) -> Score {
        self.last = Some(position.key());
        self.evaluator.evaluate(position)
    }
}

/// Whether `selective`, whose reductions reach leaves early, runs quiescence at any leaf.
fn quiesces(plies: u32) -> bool {
    let settings = SearchSettings {
        selectivity: Selectivity {
            internal_reduction: 1,
            late_move_reduction: 0.7,
            quiescence: plies,
            ..Selectivity::default()
        },
        ..SearchSettings::default()
    };
    let quiesced = Arc::new(AtomicBool::new(false));
    for seed in 0..50 {
        let shape = Shape {
            height: 9,
            width: 6,
            margins: true,
            ends: 8,
            merge: 0,
        };
        let evaluator = Leaves {
            evaluator: HashEvaluator::default(),
            last: None,
            quiesced: quiesced.clone(),
        };
        let table = Table::of_buckets(256, Replacement::default()).expect("16 KiB");
        let method = Method::Selective;
        let mut player = deepening::player(method, table, vec![evaluator], &settings, None);
        search(&mut player, &Tree::new(shape, seed), &Limits::depth(5));
    }
    quiesced.load(Ordering::Relaxed)
}

#[test]
fn without_quiescence_no_leaf_is_quiesced_however_early_it_is_reached() {
    assert!(!quiesces(0));
    assert!(quiesces(1));
}
