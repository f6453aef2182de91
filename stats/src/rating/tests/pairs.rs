//! Error bars and bounds from pairs of games.

use nalgebra::DMatrix;

use super::*;

/// Both players met in pairs with these results of the first side: the games and the pairs.
fn met_in_pairs(first: usize, second: usize, results: [[u64; 3]; 3]) -> (Vec<Encounter>, Pairing) {
    let one = std::array::from_fn(|k| results[k].iter().sum());
    let other = std::array::from_fn(|k| results.iter().map(|row| row[k]).sum());
    let pairing = Pairing {
        first,
        second,
        results,
    };
    (
        vec![met(first, second, one), met(second, first, other)],
        pairing,
    )
}

/// The error bars of the difference of two players: of pairs, and of as many independent games.
fn bars(results: [[u64; 3]; 3]) -> [f64; 2] {
    let (games, pairing) = met_in_pairs(0, 1, results);
    [&[pairing][..], &[]]
        .map(|pairs| estimate(Ratings::of(2, &games, pairs, PLAIN).difference(0, 1)).error)
}

#[test]
fn pairs_that_are_always_shared_have_narrow_bars() {
    for (pairs, most) in [(4, 0.6), (50, 0.15), (1000, 0.04)] {
        // The first side won all games, or all were drawn, or the second side won all.
        for results in [
            [[pairs, 0, 0], [0; 3], [0; 3]],
            [[pairs / 2, 0, 0], [0; 3], [0, 0, pairs / 2]],
        ] {
            let [paired, independent] = bars(results);
            assert!(
                paired > 0.0 && paired < most * independent,
                "{paired} {independent}"
            );
        }
    }
}

#[test]
fn pairs_with_one_winner_have_wide_bars() {
    // Player 0 won both games of half of the pairs: first side won, then lost.
    let [paired, independent] = bars([[0, 0, 50], [0; 3], [50, 0, 0]]);
    assert!(
        (paired / independent - 2f64.sqrt()).abs() < 0.02,
        "{paired} {independent}"
    );
    // Independent games: all four combinations alike.
    let [paired, independent] = bars([[25, 0, 25], [0; 3], [25, 0, 25]]);
    assert!(
        (paired / independent - 1.0).abs() < 0.01,
        "{paired} {independent}"
    );
}

/// Without advantage, the pairs of two players have the variance of their points, as in a
/// pentanomial count, besides the share of one parameter.
#[test]
fn two_players_have_the_pentanomial_bar() {
    let [paired, _] = bars([[10, 0, 40], [0; 3], [8, 0, 12]]);
    // Points of player 0: 1 in 10 + 12 pairs, 2 in 40, 0 in 8.
    let (pairs, p) = (70.0f64, (22.0f64 + 80.0) / 140.0);
    let squares = 22.0 * (1.0f64 - 2.0 * p).powi(2)
        + 40.0 * (2.0f64 - 2.0 * p).powi(2)
        + 8.0 * (2.0f64 * p).powi(2);
    let information = 2.0 * pairs * p * (1.0 - p);
    let variance = squares / information.powi(2) + 1.0 / pairs / information;
    assert!((paired - Z * ELO * variance.sqrt()).abs() < 1e-6);
}

/// Every figure of the model against numerical derivatives of the likelihood.
#[test]
fn bars_agree_with_numerical_derivatives() {
    let given = |player, rating| Anchor { player, rating };
    for anchors in [
        &[given(0, 0.0)][..],
        &[given(2, 1500.0)],
        &[given(0, 0.0), given(1, 120.0)],
        &[given(2, 1700.0), given(1, 2000.0)],
        &[given(1, 30.0), given(0, 20.0), given(2, 10.0)],
    ] {
        check_bars(anchors);
    }
}

fn check_bars(anchors: &[Anchor]) {
    let meetings = [
        met_in_pairs(0, 1, [[3, 1, 2], [2, 2, 0], [1, 4, 3]]),
        met_in_pairs(1, 2, [[5, 0, 2], [1, 0, 3], [0, 2, 4]]),
        met_in_pairs(2, 0, [[1, 1, 2], [0, 3, 1], [2, 2, 6]]),
    ];
    let games: Vec<Encounter> = meetings
        .iter()
        .flat_map(|(games, _)| games.clone())
        .collect();
    let pairs = meetings.map(|(_, pairing)| pairing);
    let model = Model {
        advantage: true,
        anchors,
    };
    let ratings = Ratings::of(3, &games, &pairs, model);
    assert_eq!((&ratings.zero, ratings.groups.len()), (&Zero::Anchors, 1));
    for anchor in anchors {
        let found = estimate(ratings.players[anchor.player]);
        assert!((found.value - anchor.rating).abs() < 1e-9 && found.error == 0.0);
    }
    let rating = |player: usize| value(ratings.players[player]);
    let is_free = |player: &usize| anchors.iter().all(|anchor| anchor.player != *player);
    let free: Vec<usize> = (0..3).filter(is_free).collect();
    let known = free.len();
    let size = known + 2;
    // The free strengths, advantage, draws.
    let mut at: Vec<f64> = free.iter().map(|&player| rating(player) / ELO).collect();
    at.push(value(ratings.advantage) / ELO);
    at.push((2.0 * ratings.draws / (1.0 - ratings.draws)).ln());
    let at = DVector::from_vec(at);
    let log = |first: usize, second: usize, outcome: usize, v: &DVector<f64>| {
        let strength = |player: usize| match free.iter().position(|&one| one == player) {
            Some(place) => v[place],
            None => rating(player) / ELO,
        };
        let (up, down) = (strength(first) + v[known], strength(second));
        let most = up.max(down);
        let logs = [up, v[known + 1] + (up + down) / 2.0, down].map(|log| log - most);
        logs[outcome] - logs.iter().map(|log| log.exp()).sum::<f64>().ln()
    };
    const STEP: f64 = 1e-4;
    let moved = |i: usize, by: f64| {
        let mut moved = at.clone();
        moved[i] += by;
        moved
    };
    let slope = |of: &dyn Fn(&DVector<f64>) -> f64| {
        DVector::from_fn(size, |i, _| {
            (of(&moved(i, STEP)) - of(&moved(i, -STEP))) / (2.0 * STEP)
        })
    };
    let curvature = |of: &dyn Fn(&DVector<f64>) -> f64| {
        DMatrix::from_fn(size, size, |i, j| {
            let at = |a: f64, b: f64| {
                let mut moved = moved(i, a * STEP);
                moved[j] += b * STEP;
                of(&moved)
            };
            (at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0)) / (4.0 * STEP * STEP)
        })
    };
    let (mut information, mut products) = (DMatrix::zeros(size, size), DMatrix::zeros(size, size));
    let mut sum = DVector::zeros(size);
    for pair in &pairs {
        for (one, other) in (0..3).flat_map(|one| (0..3).map(move |other| (one, other))) {
            let count = pair.results[one][other] as f64;
            let of = |v: &DVector<f64>| {
                log(pair.first, pair.second, one, v) + log(pair.second, pair.first, other, v)
            };
            let slope = slope(&of);
            sum += &slope * count;
            products += &slope * slope.transpose() * count;
            information -= curvature(&of) * count;
        }
    }
    assert!(sum.amax() < 1e-5, "{anchors:?} is no maximum: {sum}");
    let count: u64 = pairs.iter().map(Pairing::count).sum();
    let inverse = information.clone().try_inverse().expect("a maximum");
    let spare = size as f64 / count as f64;
    let covariance = &inverse * (products + information * spare) * &inverse;
    let free = free.iter().map(|&player| ratings.players[player]);
    for (at, found) in free.chain([ratings.advantage]).enumerate() {
        let expected = Z * ELO * covariance[(at, at)].sqrt();
        let found = estimate(found).error;
        assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
    }
}

/// Pairs with one winner of both games in three of four: how often the bar holds the difference.
#[test]
fn bars_of_correlated_pairs_hold_the_difference() {
    const TOURNAMENTS: u32 = 2_000;
    let mut rng = engine_core::Rng::new(11);
    let strengths = [60.0, 0.0, -60.0];
    let mut held = [0, 0];
    for _ in 0..TOURNAMENTS {
        let (mut games, mut pairs) = (Vec::new(), Vec::new());
        for (first, second) in [(0, 1), (1, 2), (0, 2)] {
            let score = 1.0 / (1.0 + 10f64.powf((strengths[second] - strengths[first]) / 400.0));
            let mut results = [[0; 3]; 3];
            for _ in 0..20 {
                let mut won = || f64::from(rng.below(1 << 20)) < score * f64::from(1 << 20);
                let one = won();
                let fresh = won();
                let other = if rng.below(4) > 0 { one } else { fresh };
                // The first side of the second game is the other player.
                results[if one { 0 } else { 2 }][if other { 2 } else { 0 }] += 1;
            }
            let (met, pairing) = met_in_pairs(first, second, results);
            games.extend(met);
            pairs.push(pairing);
        }
        for (held, pairs) in held.iter_mut().zip([&pairs[..], &[]]) {
            let found = Ratings::of(3, &games, pairs, PLAIN).difference(0, 2);
            if let Some(Figure::Estimate(Estimate { value, error })) = found {
                *held += u32::from((value - 120.0).abs() < error);
            }
        }
    }
    let [paired, independent] = held.map(|held| f64::from(held) / f64::from(TOURNAMENTS));
    assert!((0.93..0.975).contains(&paired), "{paired}");
    assert!(independent < 0.9, "{independent}");
}

/// Whatever its games say of each other, a pair is one observation of a bound.
#[test]
fn pairs_that_are_all_won_give_the_exact_bound() {
    for pairs in [1u64, 5, 20] {
        let (games, pairing) = met_in_pairs(0, 1, [[0, 0, pairs], [0; 3], [0; 3]]);
        let found = Ratings::of(2, &games, &[pairing], PLAIN).difference(0, 1);
        let probability = 0.05f64.powf(1.0 / pairs as f64);
        let expected = -400.0 * (1.0 / probability - 1.0).log10();
        assert!(matches!(found, Some(Figure::Above(bound)) if (bound - expected).abs() < 0.01));
    }
}
