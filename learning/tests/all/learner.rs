//! Learning by self-play.

use engine_core::{Algorithm, Method as Search};
use learning::{
    FitSettings, GameEnvironment, LearnSettings, Learner, Learns, Method, Player, SelfPlay,
    StrengthSettings,
};
use surakarta::{Surakarta, Variant};

fn environment() -> GameEnvironment<Surakarta> {
    GameEnvironment::new(Surakarta::new(Variant::default()))
}

fn settings(method: Method, hidden: usize) -> LearnSettings {
    let player = |nodes| Player {
        algorithm: Algorithm::Deepening(Search::Pvs),
        nodes,
        candidates: None,
    };
    LearnSettings {
        hidden: [hidden, 0],
        corrects: hidden == 0,
        games: 6,
        play: SelfPlay {
            player: player(30),
            method,
            lambda: 0.7,
            random_actions: [2, 6],
            exploration: 0.1,
        },
        window: 2,
        fit: FitSettings {
            rate: 0.01,
            decay: 0.01,
            batch: 16,
            epochs: 2,
        },
        half_rate: 10.0,
        strength: StrengthSettings {
            every: 2,
            pairs: 2,
            player: player(30),
        },
        seed: 5,
    }
}

fn pool(threads: usize) -> rayon::ThreadPool {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.build().expect("threads start")
}

#[test]
fn a_learner_that_goes_on_ends_as_one_that_was_not_interrupted() {
    let environment = environment();
    for (method, hidden) in [(Method::TdLeaf, 0), (Method::Td, 16)] {
        let settings = settings(method, hidden);
        let mut whole = Learner::new(&environment, settings, Vec::new(), None).unwrap();
        for _ in 0..4 {
            pool(1).install(|| whole.iterate(&|_| {})).unwrap();
        }
        let mut state = None;
        for threads in [2, 1, 3, 2] {
            let mut part = Learner::new(&environment, settings, Vec::new(), state).unwrap();
            pool(threads).install(|| part.iterate(&|_| {})).unwrap();
            state = Some(part.state());
        }
        assert_eq!(state, Some(whole.state()));
        let strength = whole.progress()[3]
            .strength
            .expect("measured every second time");
        assert_eq!(strength.pairs.as_flattened().iter().sum::<u64>(), 2);
    }
}

#[test]
fn games_that_were_played_in_parts_are_as_good_as_the_whole() {
    let environment = environment();
    let settings = settings(Method::TdLeaf, 0);
    let learner = || Learner::new(&environment, settings, Vec::new(), None).unwrap();
    let (mut whole, mut parts) = (learner(), learner());
    for split in [1, settings.games - 1] {
        whole.iterate(&|_| {}).unwrap();
        // The last part is played first.
        let last = parts.play(split..settings.games, &|_| {}).unwrap();
        let first = parts.play(0..split, &|_| {}).unwrap();
        parts.learn(vec![first, last], &|_| {}).unwrap();
    }
    assert_eq!(parts.state(), whole.state());
}

#[test]
fn states_of_other_models_are_refused() {
    let environment = environment();
    let small = Learner::new(&environment, settings(Method::Td, 0), Vec::new(), None).unwrap();
    assert!(
        Learner::new(
            &environment,
            settings(Method::Td, 16),
            Vec::new(),
            Some(small.state())
        )
        .is_none()
    );
}

#[test]
fn what_is_learned_plays_better_than_what_is_made_by_hand() {
    let environment = environment();
    let base = settings(Method::TdLeaf, 0);
    let settings = LearnSettings {
        games: 300,
        play: SelfPlay {
            player: Player {
                nodes: 100,
                ..base.play.player
            },
            exploration: 0.02,
            ..base.play
        },
        fit: FitSettings {
            rate: 0.004,
            decay: 0.0,
            batch: 128,
            epochs: 1,
        },
        strength: StrengthSettings {
            every: 4,
            pairs: 60,
            player: Player {
                nodes: 300,
                ..base.play.player
            },
        },
        ..base
    };
    let mut learner = Learner::new(&environment, settings, Vec::new(), None).unwrap();
    for _ in 0..4 {
        learner.iterate(&|_| {}).unwrap();
    }
    let pairs = learner.progress()[3].strength.unwrap().pairs;
    let points = (0..3).flat_map(|one| (0..3).map(move |other| (one, other)));
    let points: u64 = points
        .map(|(one, other)| (one + other) as u64 * pairs[one][other])
        .sum();
    // Half points, of 240.
    assert!(points > 140, "{pairs:?}");
}
