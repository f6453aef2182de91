//! What is said of turns that lost something holds by the rules.

use std::collections::BTreeSet;

use catalog::AnyMatch;
use dots_and_boxes::DotsAndBoxes;
use engine_core::{Notation, Outcome, Rng, Side};
use review::{Review, reason};
use serde_json::{Value, json};

use crate::common::{plan, record, review};

/// The game after so many plies of a review.
fn at(review: &Review, plies: usize) -> Box<dyn AnyMatch> {
    let mut game = review.course.begin().expect("a game");
    game.play_words(&review.course.words(plies)).expect("plies");
    game
}

/// The game after a turn, and after another one.
fn after(mut game: Box<dyn AnyMatch>, turn: &str) -> Box<dyn AnyMatch> {
    game.play_words(turn).expect("a turn");
    game
}

fn boxes(review: &Review, game: &dyn AnyMatch, side: Side) -> u32 {
    let empty = game::start::<DotsAndBoxes>(&review.course.variant).expect("a variant");
    let position = empty.parse_position(&game.position()).expect("a position");
    position.boxes_of(side)
}

/// The squares of Amazons from which the side to act can move.
fn origins(game: &dyn AnyMatch) -> usize {
    let actions = game.actions();
    let origins: BTreeSet<&str> = actions.iter().map(|action| &action[..2]).collect();
    origins.len()
}

/// Checks what is said of a ply by the rules alone.
fn check(review: &Review, ply: usize) -> &'static str {
    let reason = review.reason(ply);
    let side = review.course.plies[ply].side;
    let opponent = side.opponent();
    let context = format!("{reason} after {}", review.course.words(ply + 1));
    let next = || at(review, ply + 1);
    let turn = reason.parts.first().map_or("", |turn| &**turn);
    let replied = || after(next(), turn);
    if reason.template.starts_with("overlooks {0}") {
        let won = after(at(review, ply), turn).outcome();
        assert_eq!(won, Some(Outcome::Win(side)), "{context}");
    } else if reason.template.starts_with("overlooks the threat") {
        assert_eq!(
            replied().outcome(),
            Some(Outcome::Win(opponent)),
            "{context}"
        );
    } else if reason.template.contains("boxes") {
        let taken = boxes(review, &*replied(), opponent) - boxes(review, &*next(), opponent);
        assert_eq!(taken.to_string(), reason.parts[1], "{context}");
    } else if reason.template.ends_with("capture") {
        assert!(turn.contains('x'), "{context}");
    } else if reason.template.contains("wall") {
        assert!(origins(&*replied()) < 4, "{context}");
    } else if reason.template.ends_with("connection") {
        assert!(
            next().actions().iter().any(|action| action == turn),
            "{context}"
        );
    }
    reason.template
}

/// The reasons for all losses in random games.
fn reasons(game: &str, variant: &Value, games: u64, depth: u32) -> BTreeSet<&'static str> {
    let rules = catalog::find(game).expect("a game");
    let mut said = BTreeSet::new();
    for seed in 0..games {
        let mut rng = Rng::new(seed + 1);
        let mut position = rules.start(variant).expect("a variant");
        let mut turns = Vec::new();
        while position.outcome().is_none() && turns.len() < 60 {
            turns.push(position.play_random_turn(&mut rng).expect("a turn"));
        }
        let review = review(
            &record(game, variant, "", &turns),
            &plan("pvs", None, Some(depth)),
        );
        for ply in 0..review.course.plies.len() {
            if review.values.lost[ply].is_some_and(|lost| lost >= 0.05) {
                said.insert(check(&review, ply));
            }
        }
    }
    said
}

#[test]
fn what_is_said_of_a_loss_holds_by_the_rules() {
    let mut said = reasons("tic-tac-toe", &json!({}), 10, 9);
    said.extend(reasons(
        "hex",
        &json!({ "size": 5, "opening": "free" }),
        3,
        2,
    ));
    said.extend(reasons(
        "dots-and-boxes",
        &json!({ "columns": 3, "rows": 3 }),
        12,
        3,
    ));
    said.extend(reasons("surakarta", &json!({}), 1, 2));
    said.extend(reasons("amazons", &json!({ "size": 6 }), 2, 1));
    let unsaid: Vec<_> = reason::TEMPLATES
        .iter()
        .filter(|template| !said.contains(*template))
        .collect();
    assert!(unsaid.is_empty(), "nothing says {unsaid:?}");
    assert!(said.iter().all(|said| reason::TEMPLATES.contains(said)));
}
