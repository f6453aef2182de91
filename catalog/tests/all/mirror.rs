//! Evaluations as they are shipped see mirrored positions alike, and no evaluation is beyond its range.

use engine_core::{Evaluator, Rng, Score, Settings};
use game::Searched;

/// Random games of each game.
const GAMES: u64 = 20;

/// What holds of the images of a position.
struct Images {
    /// Whether two scores made by hand are those of images.
    are_alike: fn(Score, Score) -> bool,
    /// How far chances by what is learned may be apart.
    most: f32,
}

impl Default for Images {
    fn default() -> Images {
        Images {
            are_alike: |one, other| one == other,
            most: 0.0,
        }
    }
}

/// The score of the evaluation made by hand, and the chance by the weights that the engine is shipped with.
/// Hex's network has a test of its own, `half_turns_have_one_value`.
fn evaluated<G: Searched>(position: &G, settings: &Settings) -> (Score, f32) {
    let mut made = position.evaluator();
    made.reset(position);
    let by_hand = made.evaluate(position);
    let mut shipped = game::evaluator(position, settings);
    shipped.reset(position);
    let score = shipped.evaluate(position);
    let chance = shipped.probability(score);
    let text = || format!("{} {}", G::ID, position.write_position());
    for score in [by_hand, score] {
        let most = Score::MAX_EVAL.value();
        assert!(score.value().abs() <= most, "{}: {score:?}", text());
    }
    assert!((0.0..=1.0).contains(&chance), "{}: {chance}", text());
    (by_hand, chance)
}

fn check_one<G: Searched>(position: &G, settings: &Settings, images: &Images) {
    let (by_hand, chance) = evaluated(position, settings);
    for symmetry in 1..position.symmetries() {
        let image = position.transform(symmetry);
        let (of_image, chance_of_image) = evaluated(&image, settings);
        let text = || format!("{} {} {symmetry}", G::ID, position.write_position());
        let are_alike = (images.are_alike)(by_hand, of_image);
        assert!(are_alike, "{}: {by_hand:?}, {of_image:?}", text());
        let apart = (chance - chance_of_image).abs();
        assert!(
            apart <= images.most,
            "{}: {chance}, {chance_of_image}",
            text()
        );
    }
}

/// Checks the positions of random games.
fn check<G: Searched>(images: &Images) {
    let (settings, mut rng, mut checked) = (G::settings(), Rng::new(1), 0);
    for _ in 0..GAMES {
        let mut position = G::start(&G::Variant::default()).expect("the contest's variant");
        for _ in 0..rng.below(120) {
            if position.outcome().is_some() {
                break;
            }
            if position.is_chance() {
                position.play_roll(1 + rng.below(u32::from(G::FACES)) as u8);
                continue;
            }
            check_one(&position, &settings, images);
            checked += 1;
            let legal = position.legal_moves();
            position.play(legal[rng.below(legal.len() as u32) as usize]);
        }
    }
    assert!(checked > 50, "{}: {checked} positions", G::ID);
}

#[test]
fn amazons() {
    check::<amazons::Amazons>(&Images::default());
}

#[test]
fn connect6() {
    check::<connect6::Connect6>(&Images::default());
}

#[test]
fn dots_and_boxes() {
    check::<dots_and_boxes::DotsAndBoxes>(&Images::default());
}

#[test]
fn einstein() {
    check::<einstein::Einstein>(&Images::default());
}

#[test]
fn gomoku() {
    // The search for threats has a limit, and may find a win in one image alone.
    check::<gomoku::Gomoku>(&Images {
        are_alike: |one, other| one == other || one.value().abs().max(other.value().abs()) > 99_000,
        most: 1.0,
    });
}

#[test]
fn hex() {
    check::<hex::Hex>(&Images::default());
}

#[test]
fn surakarta() {
    check::<surakarta::Surakarta>(&Images::default());
}

#[test]
fn tic_tac_toe() {
    check::<tic_tac_toe::TicTacToe>(&Images::default());
}
