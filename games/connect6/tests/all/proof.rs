//! Proof searches on positions of Connect6 with known winners; one side plays two stones in a row.

use connect6::{Connect6, Stone, Variant, WindowEvaluator};
use engine_core::mcts::TreeMethod as Tree;
use engine_core::players::player;
use engine_core::proof::dfpn::Dfpn;
use engine_core::proof::pns::Pns;
use engine_core::proof::{Answer, Goal, Prover, check};
use engine_core::{
    Algorithm, Limits, Method, Notation, Position, Report, Resources, Score, Settings, Side,
};
use game::{Game, Searched};
use textbook::minimax::minimax;

const ALL: &[&str] = &["pns", "pn2", "dfpn"];

fn provers(bytes: usize) -> [(&'static str, Box<dyn Prover<Connect6>>); 3] {
    [
        ("pns", Box::new(Pns::new(bytes, false).expect("memory"))),
        ("pn2", Box::new(Pns::new(bytes, true).expect("memory"))),
        ("dfpn", Box::new(Dfpn::new(bytes).expect("memory"))),
    ]
}

fn position(size: u8, text: &str) -> Connect6 {
    let start = Connect6::start(&Variant { size }).expect("a board");
    start.parse_position(text).expect("a position")
}

/// Whether `pvs` with all moves finds a win within three turns.
fn alpha_beta_wins(position: &Connect6) -> bool {
    let resources = Resources {
        table_mb: 64,
        threads: 1,
        seed: 1,
    };
    let mut pvs = player(
        Algorithm::default(),
        || position.evaluator(),
        || position.playout(),
        |bytes| Some(Box::new(Dfpn::new(bytes)?)),
        &Settings::default(),
        resources,
    )
    .expect("memory");
    let report = pvs.search(position, &Limits::depth(6), &mut |_| {});
    report.score.and_then(Score::plies_to_win).is_some()
}

/// Every search finds that the side to move wins, or loses, and the checker accepts its proof.
fn verify(size: u8, text: &str, wins: bool, searches: &[&str]) {
    let position = position(size, text);
    let winner = if wins {
        position.side()
    } else {
        position.side().opponent()
    };
    assert_eq!(alpha_beta_wins(&position), wins, "{text}");
    for (name, mut prover) in provers(1 << 26) {
        if !searches.contains(&name) {
            continue;
        }
        for side in Side::BOTH {
            let finding = prover.prove(&position, Goal::win(side), &Limits::nodes(2_000_000));
            let expected = if side == winner {
                Answer::Proven
            } else {
                Answer::Disproven
            };
            assert_eq!(finding.answer, expected, "{name}, {side:?}, {text}");
            let proof = prover
                .proof_tree(&Limits::nodes(2_000_000))
                .expect("a proof");
            assert_eq!(check(&position, &proof), Ok(()), "{name}, {side:?}, {text}");
        }
    }
}

/// Four in a row with room: two stones of one turn complete a six.
#[test]
fn four_in_a_row_wins_with_two_stones_but_not_with_one() {
    verify(6, "6/6/1bbbb1/6/6/6 black 2", true, ALL);
    verify(7, "7/7/1bbbb2/7/7/7/7 black 2", true, ALL);
}

/// Three threats at once against two blocking stones.
#[test]
fn three_fours_cannot_be_stopped() {
    verify(6, "bbbb2/6/bbbb2/6/bbbb2/6 white 2", false, ALL);
}

/// The stone b5 makes three more lines of four; black owns the crossings of all four.
#[test]
fn a_stone_that_makes_four_fours_wins() {
    verify(6, "bbbb2/b1bb2/bbw1w1/bb1w1w/2w1w1/3w1w black 1", true, ALL);
}

/// Endgames on a small board, solved by plain minimax.
#[test]
fn nearly_full_boards_are_minimax() {
    let mut rng = engine_core::Rng::new(6);
    for _ in 0..40 {
        let mut start = Connect6::start(&Variant { size: 6 }).expect("a board");
        while start.stones() < 29 && start.outcome().is_none() {
            let moves = start.legal_moves();
            start.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        if start.outcome().is_some() {
            continue;
        }
        let value = minimax(&start, &mut WindowEvaluator::new(6), 36);
        for (name, mut prover) in provers(1 << 24) {
            let goal = Goal::win(start.side());
            let answer = prover.prove(&start, goal, &Limits::default()).answer;
            let wins = value.plies_to_win().is_some();
            assert_eq!(answer == Answer::Proven, wins, "{name}, {start:?}");
            let goal = Goal::draw(start.side());
            let answer = prover.prove(&start, goal, &Limits::default()).answer;
            let loses = value.plies_to_loss().is_some();
            assert_eq!(answer == Answer::Disproven, loses, "{name}, {start:?}");
            let proof = prover.proof_tree(&Limits::default()).expect("a proof");
            assert_eq!(check(&start, &proof), Ok(()), "{name}, {start:?}");
        }
    }
}

/// The players of both families with default settings.
const SHIPPED: [Algorithm; 2] = [
    Algorithm::Deepening(Method::Pvs),
    Algorithm::Tree(Tree::Tuned),
];

/// The last report of a player with default settings.
fn shipped(root: &Connect6, algorithm: Algorithm, nodes: u64) -> Report<Stone> {
    let resources = Resources {
        table_mb: 64,
        threads: 1,
        seed: 1,
    };
    let player = root.player(algorithm, &Connect6::settings(), resources);
    let limits = Limits::nodes(nodes);
    player.expect("memory").search(root, &limits, &mut |_| {})
}

/// On nearly full boards, every result that a default player calls won, lost or solved agrees with
/// plain minimax over all moves.
#[test]
fn what_shipped_players_prove_is_minimax() {
    let mut rng = engine_core::Rng::new(8);
    let mut proven = [0; 2];
    for _ in 0..150 {
        let mut start = Connect6::start(&Variant { size: 6 }).expect("a board");
        while start.stones() < 28 && start.outcome().is_none() {
            let moves = start.legal_moves();
            start.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        if start.outcome().is_some() {
            continue;
        }
        let value = minimax(&start, &mut WindowEvaluator::new(6), 36);
        let outcome = |score: Score| {
            let (win, loss) = (score.plies_to_win(), score.plies_to_loss());
            win.is_some() as i32 - loss.is_some() as i32
        };
        for (algorithm, proven) in SHIPPED.into_iter().zip(&mut proven) {
            let report = shipped(&start, algorithm, 20_000);
            let score = report.score.expect("it has searched");
            if report.solved || score.is_proven() {
                let context = format!("{}: {report:?} of {start:?}", algorithm.name());
                assert_eq!(outcome(score), outcome(value), "{context}");
                *proven += 1;
            }
        }
    }
    assert!(proven[0] > 100 && proven[1] > 20, "{proven:?}");
}

/// Wins that give the opponent one turn: positions of recorded games before the winner's last turn
/// but one.
#[test]
fn forced_wins_of_several_turns_are_proven_as_shipped() {
    let text = include_str!("../data/connect6-games.csv");
    let start = Connect6::start(&Default::default()).expect("a board");
    let mut proven = [0; 2];
    let mut tried = 0;
    for line in text.lines().skip(1).step_by(20) {
        let moves = line.split('"').nth(1).expect("a list of stones");
        let stones: Vec<&str> = moves.split(',').collect();
        let mut game = start.clone();
        let mut turns = vec![game.clone()];
        for stone in &stones {
            let side = game.side();
            game.play(game.parse_move(stone).expect("a stone"));
            if game.side() != side && game.outcome().is_none() {
                turns.push(game.clone());
            }
        }
        // The position before the winner's last two turns and the opponent's turn between them.
        let Some(root) = turns.len().checked_sub(3).map(|place| &turns[place]) else {
            continue;
        };
        tried += 1;
        for (algorithm, proven) in SHIPPED.into_iter().zip(&mut proven) {
            let report = shipped(root, algorithm, 30_000);
            let plies = report.score.and_then(Score::plies_to_win);
            // Some games could have been won at once.
            *proven += plies.is_some_and(|plies| plies > 2) as u32;
        }
    }
    let context = format!("{proven:?} of {tried}");
    assert!(proven.iter().all(|&count| 3 * count > tried), "{context}");
}
