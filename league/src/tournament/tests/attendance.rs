//! Engines that enter late or leave, when games have been played.

use proptest::prelude::*;

use super::*;
use crate::config::Attendance;

/// The same tournament with another file: nothing that was played is played again.
fn changed<'c>(before: &Simulation<'_>, config: &'c Config) -> Simulation<'c> {
    let after = Simulation {
        config,
        results: before.results.clone(),
    };
    after.survey();
    after
}

/// A league of engines `a`, `b`, `c`, …, of which some have keys of their own.
fn with_keys(engines: usize, keys: &str, own: &[(usize, &str)]) -> Config {
    let mut config = league(engines, keys, "");
    let with = |&(index, key): &(usize, &str)| {
        let (key, round) = key.split_once(" = ").expect("a key with a value");
        let round = round.parse().expect("a round");
        let attendance = &mut config.engines[index].attendance;
        match key {
            "from" => attendance.from = Some(round),
            _ => attendance.until = Some((0, round)),
        }
    };
    own.iter().for_each(with);
    config
}

/// The tournament until no game of this round or an earlier one is due.
fn through<'c>(config: &'c Config, round: u32, seed: u64) -> Simulation<'c> {
    let mut tournament = Simulation::new(config);
    loop {
        let (due, _) = tournament.survey();
        let Some(next) = due.into_iter().find(|game| game.round <= round) else {
            return tournament;
        };
        tournament.results.push((next, by_chance(&next, seed)));
    }
}

/// Plays the rest.
fn on<'c>(tournament: Simulation<'c>, seed: u64) -> Simulation<'c> {
    tournament.play(|_| 0, |fixture| by_chance(fixture, seed))
}

/// All points are those of games that were played, and of byes and walkovers.
fn points_add_up(table: &GroupTable) {
    let (mut points, mut given) = (0, 0);
    for place in &table.standing.places {
        points += place.points;
        given += place.given;
        let own = 2 * place.tally.wins + place.tally.draws;
        assert_eq!(place.points, own + place.given, "{place:?}");
    }
    let counted = table
        .meetings
        .iter()
        .filter(|met| met.ending != Some(Ending::Annulled));
    let games: usize = counted.clone().map(|met| met.games.len()).sum();
    assert_eq!(points, 2 * games as u32 + given);
    let byes: u32 = table.byes.iter().map(|bye| bye.points).sum();
    let walkovers: u32 = counted
        .map(|met| met.sides.map(|side| met.given(side)).iter().sum::<u32>())
        .sum();
    assert_eq!(given, byes + walkovers);
}

fn of(tournament: &Simulation<'_>, entrant: Entrant) -> Vec<u32> {
    let games = tournament.results.iter().map(|(game, _)| game);
    games
        .filter(|game| game.sides.contains(&entrant))
        .map(|game| game.round)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_swiss_goes_on_without_an_engine_that_leaves_and_with_one_that_enters(
        (engines, gone, seed) in (5..9_usize, 0..5_usize, any::<u64>())
    ) {
        const SWISS: &str = "format = \"swiss\"\nrounds = 5\nmeeting = \"game\"";
        let before = league(engines, SWISS, "");
        let begun = through(&before, 2, seed);
        let left = with_keys(engines, SWISS, &[(gone, "until = 2")]);
        let without = on(changed(&begun, &left), seed);
        prop_assert!(of(&without, gone).iter().all(|&round| round <= 2));
        let table = &without.tables()[0];
        prop_assert!(table.standing.complete);
        points_add_up(table);
        // The others have played or had a bye in each round.
        for entrant in (0..engines).filter(|&entrant| entrant != gone) {
            let byes = table.byes.iter().filter(|bye| bye.entrant == entrant).count();
            prop_assert_eq!(of(&without, entrant).len() + byes, 5);
        }
        let late = with_keys(engines + 1, SWISS, &[(gone, "until = 2"), (engines, "from = 3")]);
        let with = on(changed(&begun, &late), seed);
        let table = &with.tables()[0];
        points_add_up(table);
        let byes = table.byes.iter().filter(|bye| bye.entrant == engines).count();
        prop_assert_eq!(of(&with, engines).len() + byes, 3);
        prop_assert!(of(&with, engines).iter().all(|&round| round >= 3));
        // Nobody meets twice, and every opening is played by one pair.
        let mut met = HashSet::new();
        let mut openings = HashSet::new();
        for (game, _) in &with.results {
            let [one, other] = game.sides;
            prop_assert!(met.insert([one.min(other), one.max(other)]), "{:?}", game);
            prop_assert!(openings.insert(game.opening), "{:?}", game);
        }
    }

    #[test]
    fn a_round_robin_goes_on_without_an_engine_that_leaves_and_with_one_that_enters(
        (engines, gone, done, seed) in (3..7_usize, 0..3_usize, 0..20_usize, any::<u64>())
    ) {
        let before = league(engines, "rounds = 2", "");
        let mut begun = through(&before, 1, seed);
        let (due, _) = begun.survey();
        for game in due.into_iter().take(done) {
            begun.results.push((game, by_chance(&game, seed)));
        }
        let left = with_keys(engines + 1, "rounds = 2", &[(gone, "until = 1"), (engines, "from = 2")]);
        let after = on(changed(&begun, &left), seed);
        let table = &after.tables()[0];
        prop_assert!(table.standing.complete);
        points_add_up(table);
        // It had played half of the games against those who were there; against the late one none.
        prop_assert!(table.meetings.iter().all(|met| met.sides != [gone, engines] || met.games.is_empty()));
        prop_assert_eq!(of(&after, gone), of(&begun, gone));
        let others = engines - 1;
        prop_assert_eq!(of(&after, engines).len(), 2 * others);
    }
}

#[test]
fn an_engine_that_leaves_a_round_robin_early_counts_for_nothing_and_later_loses_the_rest() {
    for (played, annulled) in [(3, true), (4, false)] {
        let before = league(5, "", "");
        // Engine 0 has 8 games, and plays some of them; the others have played none.
        let mut begun = Simulation::new(&before);
        let (due, _) = begun.survey();
        let own = due
            .into_iter()
            .filter(|game| game.sides.contains(&0))
            .take(played);
        begun
            .results
            .extend(own.map(|game| (game, by_strength(&game))));
        let left = with_keys(5, "", &[(0, "until = 0")]);
        let after = changed(&begun, &left).play(|_| 0, by_strength);
        let table = &after.tables()[0];
        points_add_up(table);
        let place = |entrant: Entrant| {
            let mut places = table.standing.places.iter();
            places
                .find(|place| place.entrant == entrant)
                .expect("a place")
                .clone()
        };
        assert_eq!(after.results.len(), 12 + played);
        let given: u32 = (1..5).map(|entrant| place(entrant).given).sum();
        if annulled {
            assert_eq!((place(0).points, given), (0, 0));
            assert_eq!(
                place(1).points,
                12,
                "the games that it lost against engine 0 do not count"
            );
        } else {
            assert_eq!(
                (place(0).points, given),
                (8, 8),
                "four games won, four given"
            );
        }
    }
}

#[test]
fn the_next_opponent_of_an_engine_that_leaves_a_knockout_goes_on() {
    let keys = "format = \"knockout\"";
    let before = league(8, keys, "");
    let begun = {
        let mut begun = Simulation::new(&before);
        let (due, _) = begun.survey();
        begun
            .results
            .extend(due.iter().map(|game| (*game, by_strength(game))));
        begun
    };
    // Of the semi-finals 0 : 3 and 1 : 2 the winner of the first is gone; then both of the second.
    for (gone, first, games) in [
        (&[0][..], 1, 2 + 2),
        (&[1, 2], 0, 2),
        (&[0, 1, 2, 3], 99, 0),
    ] {
        let own: Vec<_> = gone.iter().map(|&entrant| (entrant, "until = 1")).collect();
        let left = with_keys(8, keys, &own);
        let after = changed(&begun, &left).play(|_| 0, by_strength);
        let table = &after.tables()[0];
        assert!(table.standing.complete);
        assert_eq!(after.results.len(), begun.results.len() + games, "{gone:?}");
        if first < 8 {
            assert_eq!(ranks(table)[0], (first, 1), "{gone:?}");
        }
        let places: HashSet<Entrant> = table
            .standing
            .places
            .iter()
            .map(|place| place.entrant)
            .collect();
        assert_eq!(places.len(), 8, "everybody has a place");
    }
}

#[test]
fn who_has_left_does_not_advance() {
    let stages = "[[stage]]\nname = \"groups\"\nadvance = 2\n[[stage]]\nname = \"final\"";
    let mut config = league(4, "", stages);
    config.engines[0].attendance.until = Some((0, 1));
    let table = |tournament: &Simulation<'_>| tournament.tables()[1].entrants.clone();
    assert_eq!(table(&played(&config, by_strength)), [1, 2]);
    // In the final it has its place, and loses what it does not play.
    config.engines[0].attendance.until = Some((1, 0));
    let tournament = played(&config, by_strength);
    assert_eq!(table(&tournament), [0, 1]);
    assert_eq!(tournament.results.len(), 12);
    let met = &tournament.tables()[1].meetings[0];
    assert_eq!(
        met.ending,
        Some(Ending::Annulled),
        "it has played less than half of its games"
    );
}

#[test]
fn rounds_of_engines_are_checked() {
    let error = |keys: &str, own: &str| {
        let engines = format!(
            "[[engine]]\nname = \"a\"\nbuiltin = \"random\"\n{own}\n\
             [[engine]]\nname = \"b\"\nbuiltin = \"random\"\n"
        );
        let text = format!(
            "[league]\nname = \"x\"\nseed = 0\ngames = [\"hex\"]\n{keys}\n[clock]\nnodes = 1\n{engines}"
        );
        let config = Config::parse(Path::new("x.toml"), &text, &[]);
        config
            .map(|config| config.engines[0].attendance.clone())
            .map_err(|error| error.to_string())
    };
    let entered = |from, until| Ok(Attendance { from, until });
    assert_eq!(error("rounds = 3", ""), entered(None, None));
    assert_eq!(
        error("rounds = 3", "from = 2\nuntil = 3"),
        entered(Some(2), Some((0, 3)))
    );
    let stages = "[[stage]]\nname = \"groups\"\nadvance = 2\n[[stage]]\nname = \"final\"\nformat = \"knockout\"";
    assert_eq!(
        error(stages, "until = \"final 1\""),
        entered(None, Some((1, 1)))
    );
    for (keys, own, expected) in [
        (
            "rounds = 3",
            "from = 4",
            "x.toml:11: from 4, expected a round, 1 to 3",
        ),
        ("rounds = 3", "from = 0", "from 0, expected a round, 1 to 3"),
        (
            "format = \"knockout\"",
            "from = 1",
            "from in a knockout, expected none",
        ),
        (
            "rounds = 3",
            "until = \"final 1\"",
            "until, expected the last round in which it plays, as in 2",
        ),
        (
            stages,
            "until = \"semi 1\"",
            "as in 2, or \"groups 1\", or \"final 1\"",
        ),
        (stages, "until = \"final\"", "as in 2, or"),
    ] {
        let found = error(keys, own).expect_err("refused");
        assert!(found.contains(expected), "{found}");
    }
}
