//! The proof search beside the tree of Hex's `mcts`.

use std::collections::HashMap;

use engine_core::mcts::TreeMethod;
use engine_core::proof::{Answer, Goal};
use engine_core::{
    Algorithm, Limits, Outcome, Playout, Position, Resources, Rng, Search, Settings,
};
use game::Searched;
use hex::{Action, Hex, Random};

use crate::guided::{prover, random};
use crate::solved::prove;

/// The player of `mcts` with this share for its proof search.
fn player(position: &Hex, settings: Settings, share: f32, threads: usize) -> Box<dyn Search<Hex>> {
    let mut settings = settings;
    settings.tree.proof_share = share;
    let resources = Resources {
        table_mb: 4,
        threads,
        seed: 1,
    };
    let player = position.player(Algorithm::Tree(TreeMethod::Tuned), &settings, resources);
    player.expect("there is memory")
}

fn nodes(player: &mut dyn Search<Hex>, position: &Hex, nodes: u64) -> engine_core::Report<Action> {
    player.search(position, &Limits::nodes(nodes), &mut |_| {})
}

/// Against any replies a won position is won, each turn at once: a few positions are opened, and the
/// tree is not asked.
#[test]
fn a_won_position_is_won_at_once() {
    let mut rng = Rng::new(7);
    let mut replies = Random::default();
    for threads in [1, 2] {
        let (mut won, mut turns) = (0, 0);
        for round in 0..60 {
            let mut position = random(if round % 3 == 0 { 7 } else { 5 }, &mut rng);
            let side = position.side();
            let goal = Goal::win(side);
            let mut prover = prover(&position, 1 << 22);
            let found = prover.prove(&position, goal, &Limits::nodes(30));
            if found.answer != Answer::Proven {
                continue;
            }
            let mut player = player(&position, Hex::settings(), 0.5, threads);
            while position.outcome().is_none() {
                let action = if position.side() == side {
                    let report = nodes(&mut *player, &position, 400);
                    assert!(report.solved, "{position:?}");
                    assert!(threads == 2 || report.nodes < 200, "{position:?}");
                    turns += 1;
                    report.pv[0]
                } else {
                    replies.choose(&position, &mut rng)
                };
                position.play(action);
            }
            assert_eq!(position.outcome(), Some(Outcome::Win(side)));
            won += 1;
        }
        assert!(won > 15 && turns > won, "{won} {turns}");
    }
}

/// However few nodes there are, and whatever the share of the proof search: only the tree's first
/// playout is made in any case. The same player searches again, with what it knows.
#[test]
fn few_nodes_are_not_exceeded() {
    let mut rng = Rng::new(9);
    for round in 0..40 {
        let position = random(if round % 2 == 0 { 9 } else { 6 }, &mut rng);
        for share in [0.01, 0.5, 0.9] {
            let mut player = player(&position, Hex::settings(), share, 1);
            for limit in [0, 0, 1, 2, 3, 7, 30, 1, 0] {
                let report = nodes(&mut *player, &position, limit);
                assert!(
                    report.nodes <= limit.max(1),
                    "{} nodes of {limit}, share {share}, {position:?}",
                    report.nodes
                );
            }
        }
    }
}

/// In positions that are too hard to solve, what is proven of single moves is used: the tree alone,
/// if it has learned nothing, plays moves that lose.
#[test]
fn no_refuted_move_is_played() {
    let mut rng = Rng::new(8);
    let mut table = HashMap::new();
    let unlearned = Settings {
        network: None,
        policy: None,
        ..Hex::settings()
    };
    let mut losing = [0; 2];
    for _ in 0..300 {
        let mut position = random(4, &mut rng);
        if !prove(&mut position, &mut table).mover_wins {
            continue;
        }
        // One position is opened, the root.
        for (share, losing) in [0.0, 0.25].into_iter().zip(&mut losing) {
            let mut player = player(&position, unlearned.clone(), share, 1);
            let report = nodes(&mut *player, &position, 4);
            let undo = position.play(report.pv[0]);
            *losing += u32::from(prove(&mut position, &mut table).mover_wins);
            position.undo(report.pv[0], undo);
        }
    }
    assert!(losing[0] > 10 && losing[1] * 3 < losing[0], "{losing:?}");
}
