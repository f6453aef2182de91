//! Games whose every position is known: values, losses and marks are exact.

use engine_core::{Rng, Side};
use review::{Mark, Point, Review};
use serde_json::{Value, json};

use crate::common::{Solver, plan, record, review};

/// The turns of a random game.
fn random_game(game: &str, variant: &Value, rng: &mut Rng) -> Vec<String> {
    let rules = catalog::find(game).expect("a game");
    let mut position = rules.start(variant).expect("a variant");
    let mut turns = Vec::new();
    while position.outcome().is_none() {
        turns.push(position.play_random_turn(rng).expect("a turn"));
    }
    turns
}

/// Checks every value of a review and every loss with the solver. Returns how many turns lost anything.
fn check(review: &Review, solver: &mut Solver<'_>) -> usize {
    let course = &review.course;
    let exact: Vec<f64> = (0..course.points.len())
        .map(|point| solver.value(&course.words(point)))
        .collect();
    let mut losing = 0;
    for (point, exact) in exact.iter().enumerate() {
        let found = review.values.first[point].expect("it was searched");
        let context = format!("point {point} of {}", course.words(course.plies.len()));
        assert!((found - exact).abs() < 1e-6, "{found} {exact}, {context}");
        assert!(review.values.proven[point], "{context}");
    }
    for (ply, pair) in exact.windows(2).enumerate() {
        let Point::Turn { side, forced } = course.points[ply] else {
            panic!("there are no dice");
        };
        let lost = match side {
            Side::First => pair[0] - pair[1],
            Side::Second => pair[1] - pair[0],
        };
        losing += usize::from(lost > 0.0);
        let Some(verdict) = review.verdicts[ply] else {
            assert!(
                forced && lost == 0.0,
                "only a turn without a choice has no verdict"
            );
            continue;
        };
        assert_eq!(verdict.mark == Mark::Blunder, lost >= 0.5, "{verdict:?}");
        assert_eq!(verdict.mark == Mark::Best, lost == 0.0, "{verdict:?}");
        let won = match side {
            Side::First => pair[0] == 1.0,
            Side::Second => pair[0] == 0.0,
        };
        assert_eq!(verdict.missed_win, won && lost > 0.0, "{verdict:?}");
    }
    losing
}

#[test]
fn tic_tac_toe_is_judged_exactly() {
    let variant = json!({});
    let mut solver = Solver::new("tic-tac-toe", &variant);
    let mut rng = Rng::new(1);
    let mut losing = 0;
    for _ in 0..40 {
        let turns = random_game("tic-tac-toe", &variant, &mut rng);
        let record = record("tic-tac-toe", &variant, "", &turns);
        losing += check(&review(&record, &plan("pvs", None, Some(9))), &mut solver);
    }
    assert!(losing > 20, "only {losing} turns lost anything");
}

#[test]
fn small_hex_is_judged_exactly() {
    let variant = json!({ "size": 3, "opening": "free" });
    let mut solver = Solver::new("hex", &variant);
    let mut rng = Rng::new(2);
    let mut losing = 0;
    for _ in 0..12 {
        let turns = random_game("hex", &variant, &mut rng);
        let record = record("hex", &variant, "", &turns);
        losing += check(&review(&record, &plan("pvs", None, Some(9))), &mut solver);
    }
    assert!(losing > 5, "only {losing} turns lost anything");
}

/// Turns of several edges are judged whole, and a game with margins by who wins. Engines of this game
/// search selected edges, so not every value is proven; what is, is right, and so is who is ahead.
#[test]
fn dots_and_boxes_is_judged_by_who_wins() {
    let variant = json!({ "columns": 2, "rows": 1 });
    let mut solver = Solver::new("dots-and-boxes", &variant);
    let mut rng = Rng::new(3);
    let (mut proven, mut losing) = (0, 0);
    for _ in 0..20 {
        let turns = random_game("dots-and-boxes", &variant, &mut rng);
        let record = record("dots-and-boxes", &variant, "", &turns);
        let review = review(&record, &plan("pvs", None, Some(9)));
        for point in 0..review.course.points.len() {
            let exact = solver.value(&review.course.words(point));
            let found = review.values.first[point].expect("it was searched");
            let context = format!("{exact} {found}, {}", review.course.words(point));
            assert_eq!(found > 0.5, exact > 0.5, "{context}");
            assert_eq!(found < 0.5, exact < 0.5, "{context}");
            if review.values.proven[point] {
                proven += 1;
                assert!((found - exact).abs() < 1e-9, "{context}");
            }
        }
        losing += review
            .values
            .lost
            .iter()
            .flatten()
            .filter(|&&lost| lost > 0.3)
            .count();
    }
    assert!(losing > 5 && proven > 40, "{losing} {proven}");
}

/// A game that best play has made has no mark, and both sides are perfect.
#[test]
fn perfect_play_has_no_marks() {
    let turns = ["b2", "a1", "b1", "b3", "a3", "c1", "c2", "a2", "c3"].map(str::to_owned);
    let record = record("tic-tac-toe", &json!({}), "", &turns);
    let review = review(&record, &plan("pvs", None, Some(9)));
    let mut solver = Solver::new("tic-tac-toe", &record.variant);
    assert_eq!(check(&review, &mut solver), 0, "the game is perfect");
    for sums in &review.sums {
        assert_eq!((sums.mean_loss, sums.missed_wins), (0.0, 0));
        let accuracy = sums.accuracy.expect("some turns");
        assert!((accuracy - 100.0).abs() < 0.01, "{accuracy}");
    }
    assert!(review.turning_points.is_empty());
}

/// What was played counts where the record says so, and no further.
#[test]
fn a_record_with_a_fault_is_reviewed_up_to_it() {
    let turns = ["b2", "a1", "b2", "c3"].map(str::to_owned);
    let record = record("tic-tac-toe", &json!({}), "", &turns);
    let review = review(&record, &plan("pvs", None, Some(9)));
    assert_eq!(review.course.plies.len(), 2);
    assert_eq!(review.course.points.len(), 3);
    let fault = review.course.fault.as_deref().expect("a fault");
    assert!(fault.starts_with("ply 3, b2: "), "{fault}");
    assert!(review.values.first.iter().all(Option::is_some));
}

/// What the opening gave is judged for nobody.
#[test]
fn the_opening_is_nobody_s_choice() {
    let turns = ["a2".to_owned()];
    let record = record("tic-tac-toe", &json!({}), "b2 b1", &turns);
    let review = review(&record, &plan("pvs", None, Some(9)));
    assert_eq!((review.course.opening, review.course.plies.len()), (2, 3));
    assert_eq!(review.verdicts[..2], [None, None]);
    assert_eq!(review.values.first[..2], [None, None]);
    assert!(review.verdicts[2].is_some());
}
