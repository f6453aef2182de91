//! Games that a shallow search plays, and the luck in them.

use einstein::{Einstein, RaceAndThreats, Variant};
use engine_core::{Notation, Rng};
use game::{Game, Searched};
use learning::{Played, Rollout, Tally};
use tic_tac_toe::TicTacToe;

fn einstein(text: &str) -> Einstein {
    let start = Variant::default().start().expect("the contest's game");
    start.parse_position(text).expect("a position")
}

/// Results with and without luck, as parts of a win.
fn rates(start: &Einstein, plies: u32, games: u64) -> [Tally; 2] {
    let mut rollout = Rollout::new(RaceAndThreats::default(), plies);
    let mut tallies = [Tally::default(); 2];
    for seed in 0..games {
        let played = rollout.play(start.clone(), &mut Rng::new(seed));
        tallies[0].add(played.result);
        tallies[1].add(played.adjusted());
    }
    tallies
}

#[test]
fn luck_is_nothing_on_average_and_most_of_the_variance() {
    let win = Played::win::<Einstein>() as f64;
    for (plies, games) in [(1, 4000), (2, 2000)] {
        let start = einstein("R:a5,b5,c5,a4,b4,a3 B:e1,d1,c1,e2,d2,e3 R roll");
        let [plain, adjusted] = rates(&start, plies, games);
        let difference = (plain.mean() - adjusted.mean()) / win;
        let error = plain.standard_error() / win;
        assert!(difference.abs() < 4.0 * error, "{difference} {error}");
        let ratio = adjusted.standard_error() / plain.standard_error();
        assert!(ratio < 0.65, "{plies} plies: {ratio}");
    }
}

/// The published value of an ending. The evaluation knows all endings of four pieces, so nothing but rounding
/// is left once luck is taken out.
#[test]
fn an_endgame_is_worth_what_is_known_of_it() {
    let start = einstein("R:b5,-,-,-,-,a4 B:d1,-,-,-,-,e2 R roll");
    let [_, adjusted] = rates(&start, 3, 4000);
    let win = Played::win::<Einstein>() as f64;
    let (rate, error) = (
        0.5 + 0.5 * adjusted.mean() / win,
        0.5 * adjusted.standard_error() / win,
    );
    assert!(
        (rate - 0.400_685_7).abs() < 4.0 * error + 1e-4,
        "{rate} ± {error}"
    );
}

#[test]
fn without_dice_there_is_no_luck() {
    let start = TicTacToe::start(&Default::default()).expect("a board");
    let mut rollout = Rollout::new(start.evaluator(), 9);
    let played = rollout.play(start, &mut Rng::new(1));
    assert_eq!(played, Played { result: 0, luck: 0 });
}
