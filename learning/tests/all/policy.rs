//! Learning a policy by self-play.

use std::sync::Arc;

use engine_core::learned::Policy;
use engine_core::{Algorithm, Candidates, Method};
use game::{Game, Searched};
use hex::{Action, Cell, Hex, Surroundings, Variant};
use learning::{
    ChoiceSettings, GameEnvironment, Learns, MmSettings, Player, PolicyLearner, PolicySettings,
    StrengthSettings,
};

fn start() -> Hex {
    let variant = Variant {
        size: 5,
        ..Variant::default()
    };
    Hex::start(&variant).expect("a board of 5x5")
}

fn settings() -> PolicySettings {
    let player = Player {
        algorithm: Algorithm::Deepening(Method::Pvs),
        nodes: 300,
        candidates: Some(6),
    };
    PolicySettings {
        games: 12,
        play: ChoiceSettings {
            player,
            random_actions: [1, 3],
            exploration: 0.1,
            others: 8,
        },
        window: 2,
        fit: MmSettings {
            prior: 1.0,
            sweeps: 20,
            tolerance: 0.01,
        },
        strength: StrengthSettings {
            every: 3,
            pairs: 2,
            player,
        },
        seed: 1,
    }
}

fn iterate(learner: &mut PolicyLearner<'_>, threads: usize) {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = builder.build().expect("threads start");
    pool.install(|| learner.iterate(&|_| {}))
        .expect("a search of this game");
}

#[test]
fn a_learner_of_policies_goes_on_exactly_with_any_number_of_threads() {
    let environment = GameEnvironment::new(start());
    let mut whole = PolicyLearner::new(&environment, settings(), Vec::new(), None).unwrap();
    let mut state = None;
    for threads in [2, 1, 3] {
        iterate(&mut whole, 1);
        let mut part = PolicyLearner::new(&environment, settings(), Vec::new(), state).unwrap();
        iterate(&mut part, threads);
        state = Some(part.state());
    }
    assert_eq!(state, Some(whole.state()));
    let last = whole.progress()[2];
    let strength = last.strength.expect("measured every third time");
    assert_eq!(strength.pairs.as_flattened().iter().sum::<u64>(), 2);
}

#[test]
fn choices_are_predicted_that_were_not_seen() {
    let environment = GameEnvironment::new(start());
    let mut learner = PolicyLearner::new(&environment, settings(), Vec::new(), None).unwrap();
    (0..3).for_each(|_| iterate(&mut learner, 2));
    let progress = learner.progress();
    // Without knowledge, the loss is the logarithm of the number of moves: 9 where there are enough.
    assert!(progress[0].loss > 1.5, "{progress:?}");
    assert!(progress[2].loss < progress[0].loss - 0.5, "{progress:?}");
    assert!(
        progress[2].predicted.is_some_and(|share| share > 0.4),
        "{progress:?}"
    );
}

#[test]
fn a_learned_policy_narrows_the_moves() {
    let environment = GameEnvironment::new(start());
    let mut learner = PolicyLearner::new(&environment, settings(), Vec::new(), None).unwrap();
    iterate(&mut learner, 2);
    let position = start();
    let policy = Policy::<Surroundings>::new(&position, &Arc::new(learner.weights()));
    let mut policy = policy.expect("a policy of this game");
    let mut listed = Vec::new();
    let kind = policy.candidates(&mut position.evaluator(), &position, 3, &mut listed);
    assert_eq!((kind, listed.len()), (Candidates::Selected, 3));
    let corner = Action::Place(Cell::new(0, 0));
    assert!(
        !listed.contains(&corner),
        "a corner is the worst stone: {listed:?}"
    );
}

#[test]
fn states_of_other_features_are_refused() {
    let environment = GameEnvironment::new(start());
    let other = GameEnvironment::new(surakarta::Surakarta::start(&Default::default()).unwrap());
    let learner = PolicyLearner::new(&environment, settings(), Vec::new(), None).unwrap();
    assert!(PolicyLearner::new(&other, settings(), Vec::new(), Some(learner.state())).is_none());
}
