//! Searches in the opponent's turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use engine_core::mcts::Mcts;
use engine_core::proof::WithProver;
use engine_core::proof::dfpn::Dfpn;
use engine_core::search::noisy::Noisy;
use engine_core::{
    Limits, Playout, Position, Report, Rng, Search, StopFlag, TreeSettings, UniformPlayout,
};

use crate::trees::{Branch, HashEvaluator, Shape, Tree};

type Dice = Tree<false, true>;
type Plain = Tree<false, false>;

/// A playout that ends the search after some.
struct Until {
    playout: UniformPlayout<Branch>,
    left: u32,
    stop: StopFlag,
}

impl Playout<Dice> for Until {
    fn choose(&mut self, position: &Dice, rng: &mut Rng) -> Branch {
        self.playout.choose(position, rng)
    }

    fn run(&mut self, position: &mut Dice, rng: &mut Rng) -> f32 {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.stop.stop();
        }
        self.playout.run(position, rng)
    }
}

fn endless(seed: u64) -> Dice {
    Tree::new(Shape::ENDLESS, seed)
}

/// The positions after every move, or every roll.
fn replies(root: &Dice) -> Vec<Dice> {
    if root.is_chance() {
        let after = |face| {
            let mut after = *root;
            after.play_roll(face);
            after
        };
        return (1..=Dice::FACES).map(after).collect();
    }
    let after = |mv| {
        let mut after = *root;
        after.play(mv);
        after
    };
    root.legal_moves().into_iter().map(after).collect()
}

/// Whatever is played or rolled then, the next search begins with what was found of it.
#[test]
fn a_tree_that_grew_in_the_opponents_turn_serves_every_reply() {
    let (mut of_moves, mut of_rolls) = (0, 0);
    for seed in 0..8 {
        let root = endless(seed);
        for reply in replies(&root) {
            if reply.is_chance() {
                continue;
            }
            let stop = StopFlag::default();
            let playout = Until {
                playout: UniformPlayout::default(),
                left: 20_000,
                stop: stop.clone(),
            };
            let parts = vec![(HashEvaluator::default(), playout)];
            let mut player =
                Mcts::new(parts, &TreeSettings::default(), None, 8, 1).expect("memory");
            player.ponder(&root, &[], &stop);
            let limits = Limits::nodes(1);
            let report = player.search(&reply, &limits, &mut |_| {});
            assert!(report.hashfull > 0, "{seed}: {reply:?}");
            assert!(reply.is_legal(report.pv[0]), "{seed}: {reply:?}");
            *if root.is_chance() {
                &mut of_rolls
            } else {
                &mut of_moves
            } += 1;
        }
    }
    assert!(of_moves > 0 && of_rolls > 0, "{of_moves}, {of_rolls}");
}

/// A player that notes what it is asked to search, and has enough at once.
#[derive(Default)]
struct Notes(Vec<Dice>);

impl Search<Dice> for Notes {
    fn search(
        &mut self,
        root: &Dice,
        limits: &Limits,
        _: &mut dyn FnMut(&Report<Branch>),
    ) -> Report<Branch> {
        self.0.push(*root);
        Report::empty(limits)
    }
}

/// A table serves all rolls: each is searched. Where none is due, the position after the expected reply is.
#[test]
fn the_expected_reply_or_every_roll_is_searched_in_the_opponents_turn() {
    let (mut of_moves, mut of_rolls) = (0, 0);
    for seed in 0..8 {
        let root = endless(seed);
        let mut notes = Notes::default();
        notes.ponder(&root, &[], &StopFlag::default());
        if !root.is_chance() {
            assert_eq!(notes.0, [root]);
            // With a line, the position after the expected turn; a part of one, or what is not legal, is none.
            let reply = root.legal_moves()[0];
            let mut after = root;
            after.play(reply);
            let is_whole = after.is_chance() || after.side() != root.side();
            for (line, is_played) in [(&[reply][..], is_whole), (&[Branch(9)], false)] {
                let mut notes = Notes::default();
                notes.ponder(&root, line, &StopFlag::default());
                if is_played && after.is_chance() {
                    assert!(notes.0.len() > 1, "each roll");
                } else {
                    assert_eq!(notes.0, [if is_played { after } else { root }]);
                }
            }
            of_moves += 1;
            continue;
        }
        let mut rolls = Vec::new();
        root.rolls(&mut rolls);
        let expected = rolls.iter().map(|&(face, _)| {
            let mut after = root;
            after.play_roll(face);
            after
        });
        assert_eq!(notes.0, expected.collect::<Vec<_>>());
        of_rolls += 1;
    }
    assert!(of_moves > 0 && of_rolls > 0, "{of_moves}, {of_rolls}");
    let stop = StopFlag::default();
    stop.stop();
    let mut notes = Notes::default();
    notes.ponder(&endless(1), &[], &stop);
    assert!(notes.0.is_empty());
}

/// A player that counts how often it was told to ponder.
struct Told(Arc<AtomicU32>);

impl Search<Plain> for Told {
    fn search(
        &mut self,
        _: &Plain,
        limits: &Limits,
        _: &mut dyn FnMut(&Report<Branch>),
    ) -> Report<Branch> {
        Report::empty(limits)
    }

    fn ponder(&mut self, _: &Plain, _: &[Branch], _: &StopFlag) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A search around another one lets it ponder as it does alone.
#[test]
fn a_search_within_another_ponders() {
    let told = Arc::new(AtomicU32::new(0));
    let inner = || Box::new(Told(told.clone()));
    let prover = Dfpn::new(1 << 20).expect("memory");
    let outer: [Box<dyn Search<Plain>>; 2] = [
        Box::new(Noisy::new(inner(), 10, 1)),
        Box::new(WithProver::new(inner(), Box::new(prover), 0.5, false)),
    ];
    for mut player in outer {
        player.ponder(&Plain::new(Shape::ENDLESS, 1), &[], &StopFlag::default());
    }
    assert_eq!(told.load(Ordering::Relaxed), 2);
}
