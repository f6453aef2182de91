//! What searches prove through lists of candidates, on random trees.

use engine_core::search::deepening;
use engine_core::table::{Replacement, Table};
use engine_core::{
    Candidates, Evaluator, Limits, Method, Position, Report, Score, SearchSettings, Selectivity,
};
use textbook::minimax::minimax;

use crate::search::{METHODS, search};
use crate::trees::{Branch, HashEvaluator, Shape, Tree};

/// Returns candidates: all moves in reverse order, or the first moves.
struct Listing(HashEvaluator, Candidates);

impl<const A: bool, const D: bool> Evaluator<Tree<A, D>> for Listing {
    fn reset(&mut self, root: &Tree<A, D>) {
        self.0.reset(root);
    }
    fn push(&mut self, before: &Tree<A, D>, mv: Branch) {
        self.0.push(before, mv);
    }
    fn pop(&mut self) {
        Evaluator::<Tree<A, D>>::pop(&mut self.0);
    }
    fn evaluate(&mut self, position: &Tree<A, D>) -> Score {
        self.0.evaluate(position)
    }
    fn candidates(&mut self, at: &Tree<A, D>, limit: usize, out: &mut Vec<Branch>) -> Candidates {
        *out = at.legal_moves();
        match self.1 {
            Candidates::Complete => out.reverse(),
            _ => out.truncate(limit),
        }
        self.1
    }
}

/// A tree of five plies with four moves a node, and its value.
fn tree<const A: bool, const D: bool>(seed: u64) -> (Tree<A, D>, Score) {
    let shape = Shape {
        height: 5,
        width: 4,
        margins: false,
        ends: 8,
        merge: 9 * (seed % 2),
    };
    let mut tree = Tree::new(shape, seed);
    if tree.is_chance() {
        tree.play_roll(1);
    }
    let whole = minimax(&tree, &mut HashEvaluator::default(), 9);
    (tree, whole)
}

/// A search of a tree with complete lists, or with two candidates a node.
fn listed<const A: bool, const D: bool>(
    tree: &Tree<A, D>,
    method: Method,
    kind: Candidates,
    settings: &SearchSettings,
) -> Report<Branch> {
    // It stops by itself: no depth can change what the lists say.
    let report = listed_to(tree, method, kind, settings, &Limits::default());
    assert!(report.depth <= 6, "{method:?} of {tree:?}: {report:?}");
    report
}

/// The same within limits.
fn listed_to<const A: bool, const D: bool>(
    tree: &Tree<A, D>,
    method: Method,
    kind: Candidates,
    settings: &SearchSettings,
    limits: &Limits,
) -> Report<Branch> {
    let table = Table::of_buckets(256, Replacement::default()).expect("16 KiB");
    let evaluators = vec![Listing(HashEvaluator::default(), kind)];
    let mut player = deepening::player(method, table, evaluators, settings, Some(2));
    search(&mut player, tree, limits)
}

/// With complete lists everything is proven as without lists. With selected lists only wins are
/// proven and solved.
fn listed_trees<const A: bool, const D: bool>() {
    let (mut wins, mut losses) = (0, 0);
    for seed in 0..600 {
        let (tree, whole) = tree::<A, D>(seed);
        for method in METHODS {
            let found = [Candidates::Complete, Candidates::Selected].map(|kind| {
                let report = listed(&tree, method, kind, &SearchSettings::default());
                (report.score.expect("it has searched"), report.solved)
            });
            let context = format!("{method:?} of {tree:?}: {found:?}, {whole:?}");
            assert_eq!(found[0], (whole, true), "{context}");
            let (score, solved) = found[1];
            assert_eq!(score.plies_to_loss(), None, "{context}");
            assert!(!solved || score.plies_to_win().is_some(), "{context}");
            if score.plies_to_win().is_some() {
                assert!(whole.plies_to_win().is_some(), "{context}");
                wins += 1;
            }
            losses += whole.plies_to_loss().is_some() as u32;
        }
    }
    assert!(wins > 100 && losses > 100, "{wins} {losses}");
}

#[test]
fn proofs_pass_through_complete_lists_and_not_through_selected_ones() {
    listed_trees::<true, false>();
    listed_trees::<false, false>();
}

/// The number of losses that `selective` claims falsely through selected lists, and of those that it
/// proves.
fn losses_through_lists(widening: u32) -> (u32, u32) {
    let settings = SearchSettings {
        selectivity: Selectivity {
            widening,
            ..Selectivity::default()
        },
        ..SearchSettings::default()
    };
    let (mut false_claims, mut proven) = (0, 0);
    for seed in 0..2_000 {
        let (tree, whole) = tree::<true, false>(seed);
        let report = listed(&tree, Method::Selective, Candidates::Selected, &settings);
        let score = report.score.expect("it has searched");
        // A win or loss that is found may be longer than the shortest, but is one.
        let context = format!("{tree:?}: {report:?}, {whole:?}");
        let is_won = whole.plies_to_win().is_some();
        assert!(score.plies_to_win().is_none() || is_won, "{context}");
        let (is_lost, loses) = (
            whole.plies_to_loss().is_some(),
            score.plies_to_loss().is_some(),
        );
        assert!(!loses || is_lost, "{context}");
        false_claims += u32::from(!is_lost && score <= -Score::MAX_EVAL);
        proven += u32::from(loses);
    }
    (false_claims, proven)
}

#[test]
fn where_all_candidates_lose_all_moves_are_searched() {
    let (false_claims, proven) = losses_through_lists(0);
    assert!(false_claims > 20 && proven == 0, "{false_claims} {proven}");
    let (false_claims, proven) = losses_through_lists(1);
    assert!(false_claims == 0 && proven > 5, "{false_claims} {proven}");
}

/// How many of 200 trees `selective` solves with two plies, if nodes with at most `extended` forced
/// moves cost none. What it solves is right.
fn solved_with_two_plies(extended: u32) -> u32 {
    let settings = SearchSettings {
        selectivity: Selectivity {
            extend_forced: extended,
            ..Selectivity::default()
        },
        ..SearchSettings::default()
    };
    let solved = |seed| {
        let (tree, whole) = tree::<true, false>(seed);
        let (method, kind) = (Method::Selective, Candidates::Complete);
        let report = listed_to(&tree, method, kind, &settings, &Limits::depth(2));
        assert!(!report.solved || report.score == Some(whole), "{tree:?}");
        u32::from(report.solved)
    };
    (0..200).map(solved).sum()
}

/// The nodes of these trees have at most four moves.
#[test]
fn nodes_with_few_forced_moves_cost_no_depth() {
    let [none, three, four] = [0, 3, 4].map(solved_with_two_plies);
    assert!(none < three && three < four, "{none} {three}");
    assert_eq!(four, 200);
}
