//! Bounds where no finite estimate exists, against closed forms and a slow second method.

use proptest::prelude::*;

use super::*;

const SIDED: Model<'_> = Model {
    advantage: true,
    anchors: &[],
};

/// The exact bound in Elo of a player who won all of `games` games.
fn exact(games: u64) -> f64 {
    let probability = 0.05f64.powf(1.0 / games as f64);
    -400.0 * (1.0 / probability - 1.0).log10()
}

fn above(figure: Option<Figure>) -> f64 {
    match figure {
        Some(Figure::Above(bound)) => bound,
        other => panic!("expected a lower bound, found {other:?}"),
    }
}

fn below(figure: Option<Figure>) -> f64 {
    match figure {
        Some(Figure::Below(bound)) => bound,
        other => panic!("expected an upper bound, found {other:?}"),
    }
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 0.01
}

#[test]
fn all_games_won_against_one_opponent_give_the_exact_bound() {
    for games in [1, 2, 5, 10, 100, 100_000] {
        let won = [met(0, 1, [games, 0, 0]), met(1, 0, [0, 0, games])];
        for model in [PLAIN, SIDED] {
            let ratings = Ratings::of(2, &won, &[], model);
            let expected = exact(2 * games);
            assert!(near(above(ratings.difference(0, 1)), expected));
            assert!(near(below(ratings.difference(1, 0)), -expected));
            // Relative to the mean of both.
            assert!(near(above(ratings.players[0]), expected / 2.0));
            assert!(near(below(ratings.players[1]), -expected / 2.0));
            assert_eq!((ratings.zero, ratings.advantage), (Zero::All, None));
        }
        // As one side only: the advantage is not told from strength, and there is none.
        let ratings = Ratings::of(2, &won[..1], &[], SIDED);
        assert!(near(above(ratings.difference(0, 1)), exact(games)));
    }
}

#[test]
fn a_first_side_that_won_all_games_has_a_bound() {
    for games in [1, 4, 30] {
        let won = [met(0, 1, [games, 0, 0]), met(1, 0, [games, 0, 0])];
        let ratings = Ratings::of(2, &won, &[], SIDED);
        assert!(near(above(ratings.advantage), exact(2 * games)));
        assert!(value(ratings.difference(0, 1)).abs() < 1e-6);
        let lost = won.map(|met| Encounter {
            results: [0, 0, games],
            ..met
        });
        let ratings = Ratings::of(2, &lost, &[], SIDED);
        assert!(near(below(ratings.advantage), -exact(2 * games)));
    }
}

/// The first side won all games of 0 and 1, and 2 lost all of its own.
#[test]
fn players_and_the_first_side_may_be_separated_at_once() {
    let games = [
        met(0, 1, [5, 0, 0]),
        met(1, 0, [5, 0, 0]),
        met(0, 2, [5, 0, 0]),
        met(2, 0, [0, 0, 5]),
        met(1, 2, [5, 0, 0]),
        met(2, 1, [0, 0, 5]),
    ];
    let ratings = Ratings::of(3, &games, &[], SIDED);
    assert_eq!(ratings.groups, [vec![0, 1], vec![2]]);
    assert!(above(ratings.advantage) > 0.0);
    assert!(below(ratings.players[2]) < 0.0);
    assert_eq!(value(ratings.players[0]), 0.0);
}

#[test]
fn bounds_are_relative_to_the_anchor_or_the_largest_group() {
    let games = [
        met(0, 1, [4, 0, 0]),
        met(1, 2, [3, 1, 2]),
        met(2, 3, [5, 0, 0]),
        met(1, 3, [5, 0, 0]),
        met(4, 5, [2, 0, 2]),
    ];
    let anchored = |anchors: &[Anchor]| Ratings::of(6, &games, &[], Model { anchors, ..PLAIN });
    let given = |player, rating| Anchor { player, rating };
    let ratings = anchored(&[]);
    let group = ratings.groups.iter().position(|group| *group == [1, 2]);
    assert_eq!(Some(ratings.zero.clone()), group.map(Zero::Group));
    assert!(above(ratings.players[0]) > value(ratings.players[1]) - 600.0);
    assert!(below(ratings.players[3]) < value(ratings.players[2]));
    // Nothing joins these players.
    assert_eq!(ratings.difference(0, 4), None);
    assert_eq!(ratings.superiority(0, 1), None);
    // 0 is above 3 by more than what it is above 1.
    assert!(above(ratings.difference(0, 3)) > above(ratings.difference(0, 1)));
    let ratings = anchored(&[given(3, 0.0)]);
    assert_eq!(value(ratings.players[3]), 0.0);
    assert_eq!(ratings.players[1], ratings.difference(1, 3));
    assert!(above(ratings.players[1]) > 0.0);
    // No game says how these compare with the anchor.
    assert_eq!(ratings.players[4..], [None; 2]);
    // What is given joins groups, and bounds are on its scale.
    let joined = anchored(&[given(3, 1000.0), given(4, 1200.0), given(1, 1100.0)]);
    assert_eq!(joined.groups, [vec![0], vec![1, 2, 3, 4, 5]]);
    assert!((estimate(joined.players[5]).value - 1200.0).abs() < 1e-9);
    assert!((value(joined.players[3]) - 1000.0).abs() < 1e-9);
    // Its games against 3 count now, which it won.
    let alone = 1100.0 + value(ratings.difference(2, 1));
    assert!((alone + 10.0..1250.0).contains(&value(joined.players[2])));
    let bound = above(ratings.difference(0, 1));
    // What the other games say of draws moves it a little.
    let found = above(joined.players[0]) - (1100.0 + bound);
    assert!(found.abs() < 20.0, "{found}");
    // A known lead of the anchors: 5 is as strong as 4.
    assert!((value(joined.difference(3, 5)) + 200.0).abs() < 1e-9);
    assert_eq!(joined.superiority(1, 3), Some(1.0));
    // Neither won nor lost against each other.
    let apart = Ratings::of(3, &[met(0, 2, [3, 0, 0]), met(1, 2, [3, 0, 0])], &[], PLAIN);
    assert_eq!(apart.difference(0, 1), None);
    assert!(near(above(apart.difference(0, 2)), exact(3)));
}

#[test]
fn no_games_give_no_bounds() {
    let none = Ratings::of(3, &[], &[], SIDED);
    assert_eq!((none.players, none.advantage), (vec![None; 3], None));
    let draws = Ratings::of(2, &[met(0, 1, [0, 9, 0]), met(1, 0, [0, 9, 0])], &[], SIDED);
    assert_eq!(
        (value(draws.players[0]), value(draws.advantage)),
        (0.0, 0.0)
    );
}

/// The logarithm of the likelihood, as the module's documentation has it. Parameters: strengths,
/// advantage, draws; without draws, the last is ignored.
fn log_likelihood(games: &[Encounter], parameters: &[f64]) -> f64 {
    let [strengths @ .., advantage, draws] = parameters else {
        panic!("{parameters:?}")
    };
    let drawn = games.iter().any(|met| met.results[1] > 0);
    let log_of = |met: &Encounter| {
        let (up, down) = (strengths[met.first] + advantage, strengths[met.second]);
        let logs = [up, draws + (up + down) / 2.0, down];
        let most = up.max(down).max(if drawn { logs[1] } else { up });
        let sum: f64 = (logs.iter().enumerate())
            .filter(|&(outcome, _)| drawn || outcome != 1)
            .map(|(_, log)| (log - most).exp())
            .sum();
        let log = |outcome: usize| match met.results[outcome] {
            0 => 0.0,
            count => count as f64 * (logs[outcome] - most - sum.ln()),
        };
        log(0) + log(1) + log(2)
    };
    games.iter().map(log_of).sum()
}

/// The greatest likelihood over the parameters at these places: golden-section search, nested.
fn greatest(games: &[Encounter], parameters: &mut Vec<f64>, free: &[usize]) -> f64 {
    const STEPS: usize = 40;
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let Some((&place, others)) = free.split_first() else {
        return log_likelihood(games, parameters);
    };
    let mut at = |value: f64| {
        parameters[place] = value;
        greatest(games, parameters, others)
    };
    let (mut low, mut high) = (-50.0, 50.0);
    let mut inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    let mut found = inner.map(&mut at);
    for _ in 0..STEPS {
        if found[0] >= found[1] {
            high = inner[1];
            inner = [high - GOLDEN * (high - low), inner[0]];
            found = [at(inner[0]), found[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + GOLDEN * (high - low)];
            found = [found[1], at(inner[1])];
        }
    }
    found[0].max(found[1])
}

/// The likelihood at a bound on the difference of players 0 and 1, relative to its supremum, by the
/// slow method. `others`: the other parameters.
fn share_at(games: &[Encounter], players: usize, difference: f64, others: &[usize]) -> f64 {
    let mut parameters = vec![0.0; players + 2];
    parameters[0] = difference / ELO;
    let there = greatest(games, &mut parameters, others);
    let mut parameters = vec![0.0; players + 2];
    let all: Vec<usize> = [&[0], others].concat();
    (there - greatest(games, &mut parameters, &all)).exp()
}

#[test]
fn bounds_agree_with_a_slow_search() {
    // With advantage: 2 is a player between.
    let sided = [
        met(0, 1, [2, 0, 0]),
        met(1, 0, [0, 0, 3]),
        met(0, 2, [4, 0, 0]),
        met(2, 1, [2, 0, 1]),
        met(1, 2, [3, 0, 2]),
    ];
    let ratings = Ratings::of(3, &sided, &[], SIDED);
    let share = share_at(&sided, 3, above(ratings.difference(0, 1)), &[2, 3]);
    assert!((share - 0.05).abs() < 1e-4, "{share}");
    // With draws of others.
    let drawn = [
        met(0, 1, [2, 0, 0]),
        met(0, 2, [1, 0, 0]),
        met(1, 2, [2, 3, 1]),
    ];
    let ratings = Ratings::of(3, &drawn, &[], PLAIN);
    let share = share_at(&drawn, 3, above(ratings.difference(0, 1)), &[2, 4]);
    assert!((share - 0.05).abs() < 1e-4, "{share}");
}

fn tournament() -> impl Strategy<Value = Vec<Encounter>> {
    let meeting = (0..3usize, 1..3usize, 0..4u64, 0..3u64);
    let meeting = meeting.prop_map(|(first, step, won, lost)| {
        let [won, lost] = if won > lost {
            [won, 0]
        } else {
            [won.min(1) * won, lost]
        };
        met(first, (first + step) % 3, [won, 0, lost])
    });
    prop::collection::vec(meeting, 1..5)
}

/// Whether a player scored against another, directly or through others.
fn beats(games: &[Encounter], one: usize, other: usize) -> bool {
    let mut reached = vec![one];
    let mut next = 0;
    while let Some(&player) = reached.get(next) {
        for met in games {
            let [won, _, lost] = met.results;
            for (winner, loser, count) in
                [(met.first, met.second, won), (met.second, met.first, lost)]
            {
                if winner == player && count > 0 && !reached.contains(&loser) {
                    reached.push(loser);
                }
            }
        }
        next += 1;
    }
    reached.contains(&other)
}

proptest! {
    /// A difference has a bound if and only if one player is above the other, and the likelihood
    /// there is 5 % of its supremum.
    #[test]
    fn bounds_of_random_tournaments(games in tournament()) {
        let ratings = Ratings::of(3, &games, &[], PLAIN);
        for (one, other) in (0..3).flat_map(|one| (0..3).map(move |other| (one, other))) {
            let figure = ratings.difference(one, other);
            match (beats(&games, one, other), beats(&games, other, one)) {
                _ if one == other => {}
                (true, true) => prop_assert!(matches!(figure, Some(Figure::Estimate(_)))),
                (true, false) => {
                    // The slow method wants them as players 0 and 1.
                    let places = [one, other, 3 - one - other];
                    let place = |player| places.iter().position(|&p| p == player).unwrap();
                    let games: Vec<Encounter> = games.iter()
                        .map(|met| Encounter { first: place(met.first), second: place(met.second), ..*met })
                        .collect();
                    let share = share_at(&games, 3, above(figure), &[2]);
                    prop_assert!((share - 0.05).abs() < 1e-4, "{}", share);
                }
                (false, true) => prop_assert_eq!(below(figure), -above(ratings.difference(other, one))),
                (false, false) => prop_assert_eq!(figure, None),
            }
        }
    }
}
