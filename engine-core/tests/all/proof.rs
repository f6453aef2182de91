//! Proof searches against plain minimax; the checker verifies every answer. Also tests the checker
//! against forged proofs.

use std::time::Duration;

use engine_core::proof::dfpn::Dfpn;
use engine_core::proof::pns::Pns;
use engine_core::proof::{Answer, Fault, Goal, ProofNode, ProofPlayer, ProofTree, Prover, check};
use engine_core::{Limits, Move, Outcome, Position, Report, Score, Search, Side};
use textbook::minimax::minimax;

use crate::trees::{Branch, HashEvaluator, Shape, Tree};

/// Number of trees of each of four kinds.
const TREES: u64 = 1_500;
/// More nodes than any of the trees needs, even in tiny memory.
const NODES: u64 = 20_000;
/// Memory in which every tree fits.
const PLENTY: usize = 1 << 20;

/// All proof searches, each with `bytes` bytes of memory.
fn provers<P: Position>(bytes: usize) -> Vec<(&'static str, Box<dyn Prover<P>>)> {
    vec![
        ("pns", Box::new(Pns::new(bytes, false).expect("memory"))),
        ("pn2", Box::new(Pns::new(bytes, true).expect("memory"))),
        ("dfpn", Box::new(Dfpn::new(bytes).expect("memory"))),
    ]
}

fn goals() -> impl Iterator<Item = Goal> {
    Side::BOTH
        .into_iter()
        .flat_map(|side| [Goal::win(side), Goal::draw(side)])
}

/// The outcome by best play, from minimax to the end of the game.
fn outcome_of<const A: bool>(tree: &Tree<A, false>) -> Outcome {
    let value = minimax(tree, &mut HashEvaluator::default(), 20);
    match (value.plies_to_win(), value.plies_to_loss()) {
        (Some(_), _) => Outcome::Win(tree.side()),
        (_, Some(_)) => Outcome::Win(tree.side().opponent()),
        _ => Outcome::Draw,
    }
}

fn shape(seed: u64, merge: u64) -> Shape {
    Shape {
        height: 3 + (seed % 6) as u32,
        width: 4,
        margins: false,
        ends: 8,
        merge,
    }
}

/// Searches all goals on trees of one kind with `bytes` bytes of memory. Answers must equal
/// minimax, and their proof trees must be valid. Returns the share of answered questions, in
/// thousandths.
fn compare<const A: bool>(merge: u64, bytes: usize, trees: u64) -> u64 {
    let mut provers = provers(bytes);
    let mut answered = 0;
    for seed in 0..trees {
        let tree = Tree::<A, false>::new(shape(seed, merge), seed * 2 + merge);
        let outcome = outcome_of(&tree);
        for (name, prover) in &mut provers {
            // Different merging trees share keys.
            prover.forget();
            for goal in goals() {
                let context = format!("{name}, {goal:?} in {tree:?}");
                let finding = prover.prove(&tree, goal, &Limits::nodes(NODES));
                let truth = if goal.is_met_by(outcome) {
                    Answer::Proven
                } else {
                    Answer::Disproven
                };
                assert!(
                    [truth, Answer::Unknown].contains(&finding.answer),
                    "{context}"
                );
                answered += check_proof(&mut **prover, &tree, finding.answer, goal, &context);
            }
        }
    }
    answered * 1000 / (trees * 12)
}

/// Checks the proof and the line of an answer; returns 1 if there was an answer.
fn check_proof<P: Position>(
    prover: &mut dyn Prover<P>,
    root: &P,
    answer: Answer,
    goal: Goal,
    context: &str,
) -> u64 {
    let line = prover.line(&Limits::default());
    let proof = prover.proof_tree(&Limits::nodes(NODES));
    let Some(proven) = answer.proven_goal(goal) else {
        assert!(proof.is_none() && line.is_empty(), "{context}");
        return 0;
    };
    let mut position = root.clone();
    for mv in line {
        assert!(position.is_legal(mv), "{context}");
        position.play(mv);
    }
    let Some(proof) = proof else {
        return 0;
    };
    assert_eq!(proof.goal, proven, "{context}");
    assert_eq!(check(root, &proof), Ok(()), "{context}");
    1
}

#[test]
fn answers_are_minimax_with_alternating_turns() {
    assert_eq!(compare::<true>(0, PLENTY, TREES), 1000);
}

#[test]
fn answers_are_minimax_with_extra_turns() {
    assert_eq!(compare::<false>(0, PLENTY, TREES), 1000);
}

#[test]
fn answers_are_minimax_with_transpositions() {
    assert_eq!(compare::<true>(9, PLENTY, TREES), 1000);
    assert_eq!(compare::<false>(9, PLENTY, TREES), 1000);
}

/// 29 table entries, or 35 nodes; most trees have more: every answer is still correct. A table of
/// any size suffices; a tree needs room for at least one line with its siblings.
#[test]
fn answers_are_minimax_in_tiny_memory() {
    for merge in [0, 9] {
        assert!(compare::<true>(merge, 700, TREES / 5) > 900);
        assert!(compare::<false>(merge, 700, TREES / 5) > 900);
    }
}

#[test]
fn a_search_without_memory_gives_up() {
    let tree = Tree::<true, false>::new(shape(5, 0), 1);
    for second_level in [false, true] {
        let mut prover = Pns::new(0, second_level).unwrap();
        let finding = prover.prove(&tree, Goal::win(Side::First), &Limits::default());
        assert_eq!(finding.answer, Answer::Unknown);
    }
    let mut prover = Dfpn::new(0).unwrap();
    let finding = prover.prove(&tree, Goal::win(Side::First), &Limits::default());
    assert_ne!(finding.answer, Answer::Unknown);
}

/// A tree in which the side to move wins after several plies, and its proof.
fn proven_tree() -> (Tree<false, false>, ProofTree<Branch>) {
    for seed in 0.. {
        let tree = Tree::<false, false>::new(shape(5, 0), seed);
        let mut prover = Pns::new(PLENTY, false).expect("memory");
        prover.prove(&tree, Goal::win(Side::First), &Limits::default());
        if let Some(proof) = prover.proof_tree(&Limits::default())
            && proof.goal == Goal::win(Side::First)
            && proof.nodes.len() > 30
        {
            return (tree, proof);
        }
    }
    unreachable!()
}

#[test]
fn forged_proofs_are_refused() {
    let (root, proof) = proven_tree();
    assert_eq!(check(&root, &proof), Ok(()));
    let refused = |forged: &ProofTree<Branch>| check(&root, forged).unwrap_err();

    let mut wrong_goal = proof.clone();
    wrong_goal.goal = Goal::win(Side::Second);
    refused(&wrong_goal);
    wrong_goal.goal = proof.goal.negated();
    refused(&wrong_goal);

    let other = Tree::<false, false>::new(shape(5, 0), u64::MAX);
    assert!(check(&other, &proof).is_err(), "another root");

    let empty = ProofTree {
        goal: proof.goal,
        nodes: Vec::new(),
    };
    assert_eq!(refused(&empty), Fault::Empty);

    let end = ProofTree {
        goal: proof.goal,
        nodes: vec![ProofNode { moves: Vec::new() }],
    };
    assert_eq!(refused(&end), Fault::NoEnd);

    let itself = ProofTree {
        goal: proof.goal,
        nodes: vec![ProofNode {
            moves: vec![(root.legal_moves()[0], 0)],
        }],
    };
    assert_eq!(refused(&itself), Fault::WrongNode(0));
}

/// Changes every node of a proof in every way that makes it invalid.
#[test]
fn no_node_of_a_proof_can_be_changed() {
    let (root, proof) = proven_tree();
    for (index, node) in proof.nodes.iter().enumerate() {
        let refused = |moves: Vec<(Branch, u32)>| {
            let mut forged = proof.clone();
            forged.nodes[index].moves = moves;
            check(&root, &forged).unwrap_err()
        };
        if node.moves.is_empty() {
            let fault = refused(vec![(Branch(1), 0)]);
            assert!(matches!(fault, Fault::MovesAfterTheEnd), "{fault}");
            continue;
        }
        for place in 0..node.moves.len() {
            let mut missing = node.moves.clone();
            let (mv, child) = missing.remove(place);
            let fault = refused(missing);
            assert!(
                [Fault::NoEnd, Fault::Unanswered(mv)].contains(&fault),
                "{fault}"
            );

            let mut illegal = node.moves.clone();
            illegal[place].0 = Branch(200);
            assert_eq!(refused(illegal), Fault::Illegal(Branch(200)));

            let mut twice = node.moves.clone();
            twice.push((mv, child));
            let fault = refused(twice);
            assert!(
                [Fault::NoChoice, Fault::Repeated(mv)].contains(&fault),
                "{fault}"
            );

            let mut forward = node.moves.clone();
            forward[place].1 = index as u32;
            assert_eq!(refused(forward), Fault::WrongNode(index as u32));
        }
    }
}

#[test]
fn an_end_of_the_wrong_kind_is_refused() {
    let shape = Shape {
        height: 1,
        ..shape(0, 0)
    };
    for seed in 0..100 {
        let root = Tree::<true, false>::new(shape, seed);
        for mv in root.legal_moves() {
            let mut after = root;
            after.play(mv);
            let outcome = after.outcome().unwrap();
            let end = ProofNode { moves: Vec::new() };
            let top = ProofNode {
                moves: vec![(mv, 0)],
            };
            for goal in [Goal::win(Side::First), Goal::draw(Side::First)] {
                let proof = ProofTree {
                    goal,
                    nodes: vec![end.clone(), top.clone()],
                };
                let expected = if goal.is_met_by(outcome) {
                    Ok(())
                } else {
                    Err(Fault::WrongEnd(outcome))
                };
                assert_eq!(check(&root, &proof), expected);
            }
        }
    }
}

#[test]
fn dice_have_no_proof_tree() {
    let root = Tree::<true, true>::new(shape(5, 0), 1);
    let proof = ProofTree {
        goal: Goal::win(Side::First),
        nodes: vec![ProofNode { moves: Vec::new() }],
    };
    assert_eq!(check(&root, &proof), Err(Fault::Chance));
}

/// Tic-tac-toe: cells 1 to 9, row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
struct TicTacToe {
    cells: [u16; 2],
    side: Side,
}

impl TicTacToe {
    fn has_line(&self, side: Side) -> bool {
        let lines = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        let cells = self.cells[side.index()];
        lines.iter().any(|line| cells & line == *line)
    }
}

impl Position for TicTacToe {
    type Move = Branch;
    type Undo = ();
    const ALTERNATES: bool = true;
    const HISTORY_LEN: usize = 10;

    fn side(&self) -> Side {
        self.side
    }
    fn key(&self) -> u64 {
        let [first, second] = self.cells.map(u64::from);
        engine_core::zobrist::mix(first << 10 | second << 1 | self.side as u64)
    }
    fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH.into_iter().find(|&side| self.has_line(side));
        let full = self.cells[0] | self.cells[1] == 0o777;
        winner.map(Outcome::Win).or(full.then_some(Outcome::Draw))
    }
    fn generate(&self, _: u8, out: &mut impl Extend<Branch>) {
        out.extend((1..=9).map(Branch).filter(|&mv| self.is_legal(mv)));
    }
    fn is_legal(&self, mv: Branch) -> bool {
        let free = !(self.cells[0] | self.cells[1]);
        self.outcome().is_none() && (1..=9).contains(&mv.0) && free >> (mv.0 - 1) & 1 == 1
    }
    fn play(&mut self, mv: Branch) {
        self.cells[self.side.index()] |= 1 << (mv.0 - 1);
        self.side = self.side.opponent();
    }
    fn undo(&mut self, mv: Branch, (): ()) {
        self.side = self.side.opponent();
        self.cells[self.side.index()] &= !(1 << (mv.0 - 1));
    }
    fn history_index(&self, mv: Branch) -> usize {
        mv.to_bits() as usize
    }
}

#[test]
fn tic_tac_toe_is_no_win_for_either_side() {
    let start = TicTacToe {
        cells: [0; 2],
        side: Side::First,
    };
    for bytes in [1 << 12, 1 << 20] {
        for (name, mut prover) in provers(bytes) {
            for goal in goals() {
                let context = format!("{name}, {bytes} bytes, {goal:?}");
                let answer = prover.prove(&start, goal, &Limits::nodes(NODES)).answer;
                let expected = if goal.draw_suffices {
                    Answer::Proven
                } else {
                    Answer::Disproven
                };
                if bytes == 1 << 20 || name == "dfpn" {
                    assert_eq!(answer, expected, "{context}");
                }
                assert!([expected, Answer::Unknown].contains(&answer), "{context}");
                check_proof(&mut *prover, &start, answer, goal, &context);
            }
        }
    }
}

/// All proof players, each with `bytes` bytes of memory.
fn players<P: Position>(bytes: usize) -> Vec<(&'static str, ProofPlayer<P, HashEvaluator>)>
where
    HashEvaluator: engine_core::Evaluator<P>,
{
    let evaluator = || HashEvaluator {
        mid_turn_too: true,
        ..HashEvaluator::default()
    };
    vec![
        (
            "pns",
            ProofPlayer::new(
                Box::new(Pns::new(bytes, false).expect("memory")),
                evaluator(),
            ),
        ),
        (
            "pn2",
            ProofPlayer::new(
                Box::new(Pns::new(bytes, true).expect("memory")),
                evaluator(),
            ),
        ),
        (
            "dfpn",
            ProofPlayer::new(Box::new(Dfpn::new(bytes).expect("memory")), evaluator()),
        ),
    ]
}

fn search<P: Position>(player: &mut impl Search<P>, root: &P, limits: &Limits) -> Report<P::Move> {
    player.search(root, limits, &mut |_| {})
}

/// With enough nodes a player proves the value, and its move keeps it.
#[test]
fn players_keep_the_value_of_every_tree() {
    for (name, mut player) in players(PLENTY) {
        for seed in 0..700 {
            let tree = Tree::<false, false>::new(shape(seed, 9 * (seed % 2)), seed);
            player.new_game();
            let report = search(&mut player, &tree, &Limits::nodes(NODES));
            let outcome = outcome_of(&tree);
            let score = report.score.expect("it has searched");
            let expected = match outcome {
                Outcome::Draw => score == Score::DRAW,
                Outcome::Win(side) if side == tree.side() => score.plies_to_win().is_some(),
                Outcome::Win(_) => score.plies_to_loss().is_some(),
            };
            assert!(expected, "{name}: {score:?} for {outcome:?} in {tree:?}");
            let mut after = tree;
            after.play(report.pv[0]);
            let kept = after.outcome().unwrap_or_else(|| outcome_of(&after));
            assert_eq!(kept, outcome, "{name}: {:?} in {tree:?}", report.pv);
        }
    }
}

/// A game too long to be solved.
fn endless(seed: u64) -> Tree<false, false> {
    let shape = Shape {
        height: 2_000,
        width: 8,
        ends: 1 << 20,
        ..shape(0, 0)
    };
    Tree::new(shape, seed)
}

#[test]
fn a_limit_of_nodes_is_exact() {
    for (name, mut player) in players(1 << 16) {
        for nodes in [0, 1, 2, 3, 64, 1000, 4095, 20_000] {
            let tree = endless(nodes);
            player.new_game();
            let report = search(&mut player, &tree, &Limits::nodes(nodes));
            assert_eq!(report.nodes, nodes, "{name}");
            assert!(tree.is_legal(report.pv[0]), "{name}");
            assert!(!report.solved, "{name}");
        }
        let report = search(&mut player, &endless(1), &Limits::depth(3));
        assert_eq!(report.nodes, 3_000, "{name}");
    }
}

#[test]
fn equal_searches_are_equal_after_new_game() {
    for (name, mut player) in players(1 << 16) {
        let mut reports = (0..10).map(|_| {
            player.new_game();
            let report = search(&mut player, &endless(3), &Limits::nodes(10_000));
            (report.nodes, report.score, report.hashfull, report.pv)
        });
        let first = reports.next().unwrap();
        assert!(reports.all(|report| report == first), "{name}");
    }
}

#[test]
fn the_stop_flag_and_the_clock_end_a_search() {
    for (name, mut player) in players(1 << 20) {
        let tree = endless(5);
        let limits = Limits::default();
        std::thread::scope(|scope| {
            let stop = limits.stop.clone();
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(20));
                stop.stop();
            });
            assert!(tree.is_legal(search(&mut player, &tree, &limits).pv[0]));
        });
        for millis in [0, 1, 20] {
            let time = Duration::from_millis(millis);
            let report = search(&mut player, &tree, &Limits::time(time));
            assert!(tree.is_legal(report.pv[0]), "{name}");
            // An idle machine needs at most 5 ms; this one may be busy.
            let late = report.time.saturating_sub(time);
            assert!(late < Duration::from_millis(100), "{name}: {late:?}");
        }
    }
}

#[test]
fn a_finished_root_has_no_move() {
    let shape = Shape {
        height: 1,
        ..shape(0, 0)
    };
    let mut tree = Tree::<false, false>::new(shape, 1);
    tree.play(tree.legal_moves()[0]);
    for (_, mut player) in players(PLENTY) {
        assert!(search(&mut player, &tree, &Limits::nodes(9)).pv.is_empty());
    }
    for (_, mut prover) in provers(PLENTY) {
        for goal in goals() {
            let finding = prover.prove(&tree, goal, &Limits::default());
            assert_eq!(finding.nodes, 0);
            let proof = prover.proof_tree(&Limits::default()).unwrap();
            assert_eq!(check(&tree, &proof), Ok(()));
        }
    }
}
