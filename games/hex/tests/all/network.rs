//! The shipped network.

use engine_core::convolution::{NetworkInference, View};
use engine_core::mcts::TreeMethod;
use engine_core::{
    Algorithm, Evaluator, Limits, Notation, Playout, Position, Resources, Rng, Symmetric,
};
use entry::networks::{FileError, read};
use game::{PlayedEvaluator, Searched};
use hex::{Action, Hex, Random, Stones};

use crate::common::start;

const FILE: &[u8] = include_bytes!("../../weights/stones-1");

fn after(size: u8, actions: &str) -> Hex {
    let mut position = start(&format!(r#"{{"size": {size}}}"#));
    game::turn::play_words(&mut position, actions).expect("legal actions");
    position
}

fn network(position: &Hex) -> NetworkInference<Stones> {
    let network = Hex::settings().network.expect("one is shipped");
    NetworkInference::new(position, &network).expect("it sees every size")
}

/// The view of every position as it stands, as the program that trained the network saw it.
#[derive(Clone, Copy)]
struct Unturned(Stones);

impl View<Hex> for Unturned {
    const NAME: &'static str = Stones::NAME;
    const PLANES: usize = Stones::PLANES;

    fn of(position: &Hex) -> Unturned {
        Unturned(Stones::of(position))
    }

    fn side(&self) -> usize {
        self.0.side()
    }

    fn see(&self, position: &Hex, contents: &mut [u8]) {
        self.0.see(position, contents);
    }

    fn cell(&self, position: &Hex, action: Action) -> Option<usize> {
        self.0.cell(position, action)
    }
}

fn unturned(position: &Hex) -> NetworkInference<Unturned> {
    let network = Hex::settings().network.expect("one is shipped");
    NetworkInference::new(position, &network).expect("it sees every size")
}

fn evaluator(position: &Hex) -> PlayedEvaluator<Hex> {
    let settings = Hex::settings();
    game::evaluator(position, &settings).with_network(position, settings.network.as_ref())
}

/// The values that the program which trained the network computed, in another arithmetic.
#[test]
fn values_are_those_of_the_training_program() {
    for (size, actions, value) in [
        (11, "", 1.15723),
        (11, "j2", -0.69431),
        (11, "f6 e8 h4", -0.86503),
        (11, "f6 e8 h4 g9 c3 d2", 1.34034),
        (5, "a2", -0.02609),
        (7, "d4 c5", 2.64196),
    ] {
        let position = after(size, actions);
        let found = unturned(&position).value(&position);
        assert!((found - value).abs() < 2e-3, "{actions}: {found}");
    }
}

/// The differences of the logits of three cells, likewise.
#[test]
fn priors_are_those_of_the_training_program() {
    for (size, actions, [a1, c2, b4]) in [
        (11, "", [-6.42654f32, -5.31018, -5.48467]),
        (11, "f6 e8 h4", [-6.48479, -4.65462, -6.31061]),
        (11, "f6 e8 h4 g9 c3 d2", [-6.50695, -0.83852, -3.89394]),
        (7, "d4 c5", [-6.82944, -5.19723, -0.83566]),
    ] {
        let position = after(size, actions);
        let cells = ["a1", "c2", "b4"].map(|cell| position.parse_move(cell).expect("it is legal"));
        let mut priors = Vec::new();
        unturned(&position).priors(&position, &cells, &mut priors);
        for (prior, logit) in priors.iter().zip([a1, c2, b4]) {
            let expected = (logit - a1).exp();
            let found = prior / priors[0];
            assert!(
                (found / expected - 1.0).abs() < 1e-2,
                "{actions}: {found} {expected}"
            );
        }
    }
}

/// What the network says of a position and of its half turn is the same, also where the board is full of
/// stones that no game has.
#[test]
fn half_turns_have_one_value() {
    let mut rng = Rng::new(2);
    let mut compared = 0;
    for size in [3, 5, 11, 14].into_iter().cycle().take(40) {
        let mut position = after(size, "");
        let stones = rng.below(u32::from(size) * u32::from(size) * 2 / 3);
        for _ in 0..stones {
            if position.outcome().is_none() {
                let action = Random::default().choose(&position, &mut rng);
                position.play(action);
            }
        }
        let image = position.transform(1);
        if position.outcome().is_some() || position == image {
            continue;
        }
        let moves = position.legal_moves();
        let turned: Vec<_> = moves
            .iter()
            .map(|&mv| position.transform_move(1, mv))
            .collect();
        let mut networks = [network(&position), network(&image)];
        let mut priors = [Vec::new(), Vec::new()];
        networks[0].priors(&position, &moves, &mut priors[0]);
        networks[1].priors(&image, &turned, &mut priors[1]);
        assert_eq!(priors[0], priors[1], "{}", position.write_position());
        let values = [networks[0].value(&position), networks[1].value(&image)];
        assert_eq!(values[0], values[1], "{}", position.write_position());
        compared += 1;
    }
    assert!(compared > 20, "{compared} positions");
}

/// Who gets a good first stone swaps it, and who gets a bad one does not.
#[test]
fn a_stone_is_swapped_by_its_worth() {
    for (cell, swaps) in [("f6", true), ("a1", false)] {
        let mut position = start(r#"{"opening": "swap"}"#);
        let action = position.parse_move(cell).expect("it is legal");
        position.play(action);
        let moves = position.legal_moves();
        let mut priors = Vec::new();
        assert!(evaluator(&position).priors(&position, &moves, &mut priors));
        let sum: f32 = priors.iter().sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        let place = moves.iter().position(|mv| !matches!(mv, Action::Place(_)));
        let prior = priors[place.expect("a swap is legal")];
        assert_eq!(prior > 0.5, swaps, "{cell}: {prior}");
    }
}

#[test]
fn every_size_is_played_to_the_end() {
    let mut rng = Rng::new(3);
    for size in [2, 3, 8, 13, 14, 19] {
        let mut position = after(size, "");
        let resources = Resources {
            table_mb: 16,
            threads: 1,
            seed: 1,
        };
        let own_tree = Algorithm::Tree(TreeMethod::Tuned);
        let mut player = position.player(own_tree, &Hex::settings(), resources);
        let player = player.as_mut().expect("a small tree");
        while position.outcome().is_none() {
            let action = match rng.below(u32::from(size)) {
                0 => {
                    let limits = Limits::nodes(20);
                    let report = player.search(&position, &limits, &mut |_| {});
                    report.pv[0]
                }
                _ => Random::default().choose(&position, &mut rng),
            };
            position.play(action);
        }
    }
}

#[test]
fn a_damaged_file_is_refused() {
    assert!(read::<Hex>(FILE).is_ok());
    let mut rng = Rng::new(4);
    for _ in 0..50 {
        let place = rng.below(FILE.len() as u32) as usize;
        let mut damaged = FILE.to_vec();
        damaged[place] ^= 1 << rng.below(8);
        let expected = if place < b"network of a game engine, version 1\n".len() {
            FileError::Other
        } else {
            FileError::Damaged
        };
        assert_eq!(read::<Hex>(&damaged), Err(expected));
        let cut = read::<Hex>(&FILE[..place]).expect_err("it ends early");
        assert!(
            matches!(cut, FileError::Other | FileError::Damaged),
            "{cut}"
        );
    }
}
