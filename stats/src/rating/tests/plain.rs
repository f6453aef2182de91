//! Ratings, error bars and bounds against plain methods: dense matrices with all entries, and the
//! likelihood of all games at once.

use std::collections::BTreeMap;

use nalgebra::DMatrix;
use proptest::prelude::*;

use super::super::likelihood::Likelihood;
use super::*;

/// Games of random players, some of them in pairs: players of like strength meet more often, and some
/// players meet nobody.
fn league(seed: u64, players: usize, meetings: usize) -> (Vec<Encounter>, Vec<Pairing>) {
    let mut rng = engine_core::Rng::new(seed);
    let mut games = BTreeMap::<[usize; 2], [u64; 3]>::new();
    let mut pairs = BTreeMap::<[usize; 2], [[u64; 3]; 3]>::new();
    for _ in 0..meetings {
        let first = rng.below(players as u32) as usize;
        let second = (first + 1 + (rng.below(4) * rng.below(3)) as usize) % players;
        if first == second {
            continue;
        }
        let lead = first as f64 - second as f64;
        let chance = 1.0 / (1.0 + lead.exp());
        let mut outcome = || match f64::from(rng.unit()) {
            lot if lot < 0.2 => 1,
            lot if lot < 0.2 + 0.8 * chance => 0,
            _ => 2,
        };
        let [one, other] = [outcome(), 2 - outcome()];
        games.entry([first, second]).or_default()[one] += 1;
        games.entry([second, first]).or_default()[other] += 1;
        if rng.below(2) == 0 {
            // Both players are `First` once: the pair is the same in either order.
            let (players, [one, other]) = if first < second {
                ([first, second], [one, other])
            } else {
                ([second, first], [other, one])
            };
            pairs.entry(players).or_default()[one][other] += 1;
        }
    }
    let games = games.into_iter();
    let pairs = pairs.into_iter().map(|([first, second], results)| Pairing {
        first,
        second,
        results,
    });
    (
        games
            .map(|([first, second], results)| met(first, second, results))
            .collect(),
        pairs.collect(),
    )
}

/// Values and covariance of all parameters, the means of groups fixed by a term of the likelihood.
fn plain(likelihood: &Likelihood, pairs: &[Pairing]) -> (DVector<f64>, DMatrix<f64>) {
    let size = likelihood.size();
    let mut means = DMatrix::zeros(size, size);
    let mut excluded = DMatrix::zeros(size, size);
    for group in &likelihood.groups {
        for (&i, &j) in group.iter().flat_map(|i| group.iter().map(move |j| (i, j))) {
            means[(i, j)] = 1.0;
            excluded[(i, j)] = 1.0 / (group.len() * group.len()) as f64;
        }
    }
    let mut values = DVector::zeros(size);
    let at = |values: &DVector<f64>| {
        let found = likelihood.derivatives(values, true);
        let curvature = found.curvature.dense(&likelihood.pattern) + &means;
        (found.gradient + &means * values, curvature)
    };
    for _ in 0..40 {
        let (gradient, curvature) = at(&values);
        let step = curvature.try_inverse().unwrap() * gradient;
        values -= &step * (1.0 / step.amax().max(1.0));
    }
    let inverse = at(&values).1.try_inverse().unwrap();
    let unused: Vec<usize> = likelihood.extras(true).collect();
    let free = size - unused.len() - likelihood.groups.len();
    let excess = cluster::excess(likelihood, &likelihood.pattern, &values, pairs, free);
    let robust = excess.map(|mut excess| {
        unused.iter().for_each(|&extra| excess.clear(extra, 0.0));
        &inverse * excess.dense(&likelihood.pattern) * &inverse
    });
    let independent = inverse - excluded;
    (
        values,
        robust.map_or(independent.clone(), |robust| independent + robust),
    )
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-6 * (1.0 + expected.abs())
}

/// The likelihood is flat far from its maximum, so far bounds are found less exactly.
fn is_same_bound(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 2e-5 * (1000.0 + expected.abs())
}

fn check_estimates(ratings: &Ratings, likelihood: &Likelihood, pairs: &[Pairing]) {
    let (values, covariance) = plain(likelihood, pairs);
    let bar = |variance: f64| ELO * Z * variance.max(0.0).sqrt();
    for group in ratings.groups.iter().filter(|group| group.len() > 1) {
        for &one in group {
            let found = estimate(ratings.players[one]);
            assert!(near(found.value, ELO * values[one]), "{found:?}");
            assert!(near(found.error, bar(covariance[(one, one)])), "{found:?}");
            for &other in group {
                let found = estimate(ratings.difference(one, other));
                let variance = covariance[(one, one)] + covariance[(other, other)]
                    - 2.0 * covariance[(one, other)];
                assert!(near(found.value, ELO * (values[one] - values[other])));
                assert!(near(found.error, bar(variance)), "{found:?} {variance}");
            }
        }
    }
    let advantage = estimate(ratings.advantage);
    let place = likelihood.advantage();
    assert!(near(advantage.value, ELO * values[place]));
    assert!(near(advantage.error, bar(covariance[(place, place)])));
}

fn check_league(seed: u64, players: usize, meetings: usize) {
    let (encounters, pairs) = league(seed, players, meetings);
    let model = Model {
        advantage: true,
        anchors: &[],
    };
    for pairs in [&pairs[..], &[]] {
        let ratings = Ratings::of(players, &encounters, pairs, model);
        let is_within = |one: usize, other: usize| ratings.comparable(one, other);
        let within: Vec<Encounter> = (encounters.iter().copied())
            .filter(|met| is_within(met.first, met.second))
            .collect();
        let within_pairs: Vec<Pairing> = (pairs.iter().copied())
            .filter(|pair| is_within(pair.first, pair.second))
            .collect();
        let likelihood = Likelihood::new(&ratings.scale, &ratings.groups, &within);
        // With few games, not all parameters have an estimate.
        if Fit::with(&likelihood, &within_pairs, true).is_some() {
            check_estimates(&ratings, &likelihood, &within_pairs);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn ratings_agree_with_a_plain_method(
        seed in any::<u64>(), players in 2..40usize, meetings in 1..200usize,
    ) {
        check_league(seed, players, meetings);
    }

    /// Those of the groups between two players, and those of all games at once.
    #[test]
    fn bounds_agree_with_those_of_all_games(
        seed in any::<u64>(), players in 3..14usize, meetings in 3..40usize,
    ) {
        let (encounters, pairs) = league(seed, players, meetings);
        let model = Model { advantage: true, anchors: &[] };
        let ratings = Ratings::of(players, &encounters, &pairs, model);
        let all = ratings.profile.of_all_games();
        for (one, other) in (0..players).flat_map(|one| (0..one).map(move |other| (one, other))) {
            if ratings.comparable(one, other) {
                continue;
            }
            let [found, expected] = [&ratings.profile, &all].map(|profile| profile.difference(one, other));
            match [found.map(in_elo), expected.map(in_elo)] {
                [Some(Figure::Above(found)), Some(Figure::Above(expected))]
                | [Some(Figure::Below(found)), Some(Figure::Below(expected))] => {
                    // The plain method keeps players who may be anywhere near 0, at a small cost.
                    prop_assert!(is_same_bound(found, expected), "{} {}", found, expected);
                }
                [found, expected] => prop_assert_eq!(found, expected),
            }
        }
    }

    #[test]
    fn the_order_of_games_does_not_count(seed in any::<u64>(), players in 2..40usize) {
        let (mut encounters, mut pairs) = league(seed, players, 4 * players);
        let model = Model { advantage: true, anchors: &[] };
        let ratings = Ratings::of(players, &encounters, &pairs, model);
        encounters.reverse();
        pairs.reverse();
        let reversed = Ratings::of(players, &encounters, &pairs, model);
        for (found, expected) in reversed.players.iter().zip(&ratings.players) {
            match (found, expected) {
                (Some(Figure::Estimate(found)), Some(Figure::Estimate(expected))) => {
                    prop_assert!(near(found.value, expected.value));
                    prop_assert!(near(found.error, expected.error));
                }
                (Some(Figure::Above(found)), Some(Figure::Above(expected)))
                | (Some(Figure::Below(found)), Some(Figure::Below(expected))) => {
                    prop_assert!(is_same_bound(*found, *expected));
                }
                (found, expected) => prop_assert_eq!(found, expected),
            }
        }
    }
}

/// Games in a long chain of players: steps along it move the likelihood so little that its rounding
/// hides them.
#[test]
fn ratings_of_a_thin_league_agree_with_a_plain_method() {
    check_league(7_915_242_722_470_909_700, 32, 74);
}

#[test]
fn leagues_without_differences_have_no_figures() {
    let model = Model {
        advantage: true,
        anchors: &[],
    };
    let one = Ratings::of(1, &[], &[], model);
    assert_eq!((one.players, one.groups), (vec![None], vec![vec![0]]));
    let nobody = Ratings::of(0, &[], &[], model);
    assert!(nobody.players.is_empty() && nobody.groups.is_empty());
    let alone = Ratings::of(1, &[met(0, 0, [3, 1, 2])], &[], model);
    assert_eq!(alone.players, [None]);
}

/// A knockout: nobody who lost has won against those above.
#[test]
fn the_winner_of_a_knockout_is_above_all() {
    let rounds = (0..6).flat_map(|round| {
        let step = 1 << round;
        (0..64)
            .step_by(2 * step)
            .map(move |winner| (winner, winner + step))
    });
    let games: Vec<Encounter> = rounds
        .map(|(one, other)| met(one, other, [2, 0, 0]))
        .collect();
    let ratings = Ratings::of(64, &games, &[], PLAIN);
    assert_eq!((ratings.groups.len(), &ratings.zero), (64, &Zero::All));
    assert!(matches!(ratings.players[0], Some(Figure::Above(_))));
    assert!(ratings.players[1..].iter().all(|player| player.is_none()));
    let bound = |one, other| ratings.difference(one, other);
    assert!(matches!(bound(0, 63), Some(Figure::Above(_))));
    assert_eq!((bound(1, 2), bound(2, 1)), (None, None));
}
