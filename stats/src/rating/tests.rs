mod bounds;
mod pairs;
mod plain;

use super::*;

const PLAIN: Model<'_> = Model {
    advantage: false,
    anchors: &[],
};

fn met(first: usize, second: usize, results: [u64; 3]) -> Encounter {
    Encounter {
        first,
        second,
        results,
    }
}

fn estimate(figure: Option<Figure>) -> Estimate {
    figure
        .and_then(Figure::estimate)
        .expect("a finite estimate")
}

fn value(figure: Option<Figure>) -> f64 {
    estimate(figure).value
}

#[test]
fn bradley_terry_agrees_with_published_figures() {
    // Wins of A, B, C and D against each other.
    let wins = [[0, 2, 0, 1], [3, 0, 5, 0], [0, 3, 0, 1], [4, 0, 3, 0]];
    let mut encounters = Vec::new();
    for (i, row) in wins.iter().enumerate() {
        for (j, &wins) in row.iter().enumerate() {
            if wins > 0 {
                encounters.push(met(i, j, [wins, 0, 0]));
            }
        }
    }
    let ratings = Ratings::of(4, &encounters, &[], PLAIN);
    assert_eq!(ratings.groups, [[0, 1, 2, 3]]);
    let strengths = ratings
        .players
        .iter()
        .map(|&player| format!("{:.4}", (value(player) / ELO).exp()));
    let strengths: Vec<_> = strengths.collect();
    assert_eq!(strengths, ["0.6398", "1.0433", "0.6598", "2.2704"]);
    assert_eq!((ratings.advantage, ratings.draws), (None, 0.0));
}

#[test]
fn two_players_have_the_elo_of_their_score_and_its_error() {
    let ratings = Ratings::of(2, &[met(0, 1, [75, 0, 25])], &[], PLAIN);
    let difference = estimate(ratings.difference(0, 1));
    assert!((difference.value - 190.848501).abs() < 1e-5);
    // The standard error of a logit is 1 / √(n p (1 − p)).
    let error = Z * ELO / (100.0f64 * 0.75 * 0.25).sqrt();
    assert!((difference.error - error).abs() < 1e-6);
    assert!(ratings.superiority(0, 1).unwrap() > 0.9999);
    assert_eq!(value(ratings.difference(1, 0)), -difference.value);
    assert!((value(ratings.players[0]) + value(ratings.players[1])).abs() < 1e-9);
}

#[test]
fn known_advantage_and_draws_are_recovered() {
    // Expected counts under known parameters, with enough games to make rounding negligible.
    let strengths = [0.8f64, 0.1, -0.9];
    let (advantage, draws) = (0.3f64, 0.4f64);
    let mut encounters = Vec::new();
    for first in 0..3 {
        for second in (0..3).filter(|&second| second != first) {
            let up = strengths[first] + advantage;
            let ratios = [
                up.exp(),
                (draws.ln() + (up + strengths[second]) / 2.0).exp(),
                strengths[second].exp(),
            ];
            let sum: f64 = ratios.iter().sum();
            let results = ratios.map(|ratio| (1e9 * ratio / sum).round() as u64);
            encounters.push(met(first, second, results));
        }
    }
    let model = Model {
        advantage: true,
        anchors: &[Anchor {
            player: 2,
            rating: 0.0,
        }],
    };
    let ratings = Ratings::of(3, &encounters, &[], model);
    for (player, strength) in strengths.iter().enumerate() {
        let expected = ELO * (strength - strengths[2]);
        assert!((value(ratings.players[player]) - expected).abs() < 1e-4);
    }
    assert_eq!(estimate(ratings.players[2]).error, 0.0);
    assert!((value(ratings.advantage) - ELO * advantage).abs() < 1e-4);
    assert!((ratings.draws - draws / (2.0 + draws)).abs() < 1e-6);
}

#[test]
fn a_player_that_only_wins_or_loses_is_a_group_of_its_own() {
    let encounters = [
        met(0, 1, [4, 0, 0]),
        met(1, 2, [3, 1, 2]),
        met(2, 3, [5, 0, 0]),
        met(1, 3, [5, 0, 0]),
    ];
    let ratings = Ratings::of(4, &encounters, &[], PLAIN);
    assert_eq!(ratings.groups, [vec![0], vec![1, 2], vec![3]]);
    assert!(matches!(ratings.players[0], Some(Figure::Above(_))));
    assert!(value(ratings.players[1]) > 0.0);
    assert!(matches!(ratings.difference(1, 0), Some(Figure::Below(_))));
    assert_eq!(ratings.superiority(1, 3), None);
}

#[test]
fn degenerate_results_give_no_nan() {
    let model = Model {
        advantage: true,
        anchors: &[],
    };
    let none = Ratings::of(3, &[], &[], model);
    assert_eq!(
        (none.players.as_slice(), none.groups.len()),
        ([None; 3].as_slice(), 3)
    );
    let drawn = Ratings::of(2, &[met(0, 1, [0, 3, 0])], &[], model);
    assert_eq!((value(drawn.players[0]), drawn.advantage), (0.0, None));
    // Nobody lost a game, so the draw parameter is unbounded: each draw counts as half a win.
    let unbeaten = Ratings::of(2, &[met(0, 1, [1, 1, 0])], &[], PLAIN);
    assert!((value(unbeaten.difference(0, 1)) - 190.848501).abs() < 1e-5);
    // The same player is always first: strength and advantage cannot be separated.
    let sided = Ratings::of(2, &[met(0, 1, [3, 1, 2])], &[], model);
    assert!(sided.advantage.is_none() && value(sided.players[0]) > 0.0);
    // The first side always wins: the advantage is unbounded.
    let first = Ratings::of(2, &[met(0, 1, [3, 0, 0]), met(1, 0, [3, 0, 0])], &[], model);
    assert!(value(first.players[0]).abs() < 1e-6);
    assert!(matches!(first.advantage, Some(Figure::Above(_))));
    // Two pairs that never met.
    let apart = Ratings::of(4, &[met(0, 1, [3, 0, 2]), met(3, 2, [4, 0, 2])], &[], model);
    assert_eq!(apart.groups.len(), 2);
    for player in [drawn, sided, first, apart]
        .iter()
        .flat_map(|r| r.players.clone())
    {
        let player = estimate(player);
        assert!(player.value.is_finite() && player.error.is_finite());
    }
}

/// No table may show error bars of millions, whatever the results: players, the first side or draws
/// may be separated (one outcome always follows from the other), alone or together.
#[test]
fn separated_results_give_no_absurd_figures() {
    let mut rng = engine_core::Rng::new(5);
    let model = Model {
        advantage: true,
        anchors: &[],
    };
    for _ in 0..2_000 {
        let players = 2 + rng.below(3) as usize;
        let mut encounters = Vec::new();
        for first in 0..players {
            for second in (0..players).filter(|&second| second != first) {
                let results = [2, 3, 2].map(|most| u64::from(rng.below(2) * rng.below(most)));
                encounters.push(met(first, second, results));
            }
        }
        let ratings = Ratings::of(players, &encounters, &[], model);
        let differences = (0..players)
            .flat_map(|one| (0..players).map(move |other| (one, other)))
            .filter_map(|(one, other)| ratings.difference(one, other));
        let figures = ratings.players.iter().copied().flatten();
        for figure in figures.chain(differences).chain(ratings.advantage) {
            let sound = match figure {
                Figure::Estimate(Estimate { value, error }) => {
                    value.abs() < 3000.0 && (0.0..6000.0).contains(&error)
                }
                // A bound through several players with a draw each says little.
                Figure::Above(bound) | Figure::Below(bound) => bound.abs() < 6000.0,
            };
            assert!(sound, "{figure:?}: {encounters:?}");
        }
    }
}
