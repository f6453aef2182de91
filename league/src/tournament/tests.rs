use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use engine_core::Rng;
use gamelog::record::GameResult;
use proptest::prelude::*;

use super::*;
use crate::fixture::{Decider, Entrant};

mod attendance;

/// A league of Hex between engines `a`, `b`, `c`, …, with these keys and tables.
fn league(engines: usize, keys: &str, tables: &str) -> Config {
    let engine = |index| {
        let name = char::from(b'a' + index as u8);
        format!("[[engine]]\nname = \"{name}\"\nbuiltin = \"random\"\n")
    };
    let engines: String = (0..engines).map(engine).collect();
    let text = format!(
        "[league]\nname = \"x\"\nseed = 0\ngames = [\"hex\"]\n{keys}\n{tables}\n[clock]\nnodes = 1\n{engines}"
    );
    Config::parse(Path::new("x.toml"), &text, &[]).expect("a sound league")
}

/// A simulated tournament.
struct Simulation<'c> {
    config: &'c Config,
    /// Results in the order in which the games ended.
    results: Vec<(Fixture, GameResult)>,
}

impl Simulation<'_> {
    fn new(config: &Config) -> Simulation<'_> {
        Simulation {
            config,
            results: Vec::new(),
        }
    }

    /// The games that are due, and the tables. Every game that has been played is one of the tournament.
    fn survey(&self) -> (Vec<Fixture>, Vec<GroupTable>) {
        let known: HashMap<Fixture, GameResult> = self.results.iter().copied().collect();
        let mut due = Vec::new();
        let mut asked = 0;
        let mut ask = |fixture: &Fixture, wanted: Wanted| {
            let result = known.get(fixture).copied();
            match result {
                None if wanted == Wanted::Play => due.push(*fixture),
                None => {}
                Some(_) => asked += 1,
            }
            result
        };
        let tables = stages::play(self.config, 0, &mut ask);
        assert_eq!(asked, self.results.len(), "a game has lost its place");
        due.sort_by_key(|fixture| fixture.order(0));
        (due, tables)
    }

    /// Plays all games; `pick` selects the due game that ends next.
    fn play(
        mut self,
        mut pick: impl FnMut(usize) -> usize,
        result: impl Fn(&Fixture) -> GameResult,
    ) -> Self {
        loop {
            let (due, _) = self.survey();
            if due.is_empty() {
                return self;
            }
            let next = due[pick(due.len())];
            self.results.push((next, result(&next)));
        }
    }

    fn tables(&self) -> Vec<GroupTable> {
        self.survey().1
    }
}

/// Plays a tournament in order.
fn played(config: &Config, result: impl Fn(&Fixture) -> GameResult) -> Simulation<'_> {
    Simulation::new(config).play(|_| 0, result)
}

/// The engine that comes first in the file wins.
fn by_strength(fixture: &Fixture) -> GameResult {
    if fixture.sides[0] < fixture.sides[1] {
        GameResult::First
    } else {
        GameResult::Second
    }
}

/// A random result that does not depend on the playing order.
fn by_chance(fixture: &Fixture, seed: u64) -> GameResult {
    let mut digest = base::digest::Digest::default();
    digest.number(seed);
    digest.text(&format!("{fixture:?}"));
    let results = [GameResult::First, GameResult::Second, GameResult::Draw];
    results[(digest.value() % 3) as usize]
}

fn ranks(table: &GroupTable) -> Vec<(Entrant, u32)> {
    (table.standing.places.iter())
        .map(|place| (place.entrant, place.rank))
        .collect()
}

const SYSTEMS: [(&str, &str); 8] = [
    ("rounds = 2", ""),
    ("format = \"gauntlet\"\nchallengers = [\"b\", \"d\"]", ""),
    ("format = \"series\"\nmeeting = { wins = 3 }", ""),
    ("format = \"swiss\"\nrounds = 4", ""),
    ("format = \"swiss\"\nrounds = 3\nmeeting = \"game\"", ""),
    ("format = \"knockout\"\nmeeting = { pairs = 2 }", ""),
    ("tie_breaks = [\"head-to-head\", \"rapid\", \"lot\"]", ""),
    (
        "",
        "[[stage]]\nname = \"groups\"\ngroups = 2\nadvance = 2\nseeding = \"random\"\n\
         tie_breaks = [\"head-to-head\", \"rapid\", \"lot\"]\n\
         [[stage]]\nname = \"cup\"\nformat = \"knockout\"\nmeeting = { wins = 2 }",
    ),
];

proptest! {
    #[test]
    fn the_order_in_which_games_end_changes_nothing(
        (system, engines, seed) in (0..SYSTEMS.len(), 4..9_usize, any::<u64>())
    ) {
        let (keys, tables) = SYSTEMS[system];
        let config = league(engines, keys, tables);
        let result = |fixture: &Fixture| by_chance(fixture, seed);
        let straight = played(&config, result);
        let mut rng = Rng::new(seed);
        let shuffled = Simulation::new(&config)
            .play(|count| rng.below(count as u32) as usize, result);
        let games = |tournament: &Simulation<'_>| {
            tournament.results.iter().map(|(fixture, _)| *fixture).collect::<HashSet<_>>()
        };
        prop_assert_eq!(games(&straight), games(&shuffled));
        let standings = |tournament: &Simulation<'_>| {
            let tables = tournament.tables();
            tables.into_iter().map(|table| table.standing).collect::<Vec<_>>()
        };
        prop_assert_eq!(standings(&straight), standings(&shuffled));
        prop_assert!(standings(&straight).iter().all(|standing| standing.complete));
    }

    #[test]
    fn no_two_meetings_have_the_same_opening(
        (system, engines, seed) in (0..SYSTEMS.len(), 4..9_usize, any::<u64>())
    ) {
        let (keys, tables) = SYSTEMS[system];
        let config = league(engines, keys, tables);
        let tournament = played(&config, |fixture| by_chance(fixture, seed));
        let mut openings: BTreeMap<u32, Vec<Fixture>> = BTreeMap::new();
        for (fixture, _) in &tournament.results {
            openings.entry(fixture.opening).or_default().push(*fixture);
        }
        for games in openings.values() {
            let place =
                |game: &Fixture| (game.stage, game.group, game.decider, game.round, game.table);
            prop_assert!(games.len() <= 2, "{:?}", games);
            prop_assert!(games.iter().all(|game| place(game) == place(&games[0])));
            if let [one, other] = games[..] {
                prop_assert_eq!([one.sides[1], one.sides[0]], other.sides);
            }
        }
    }

    #[test]
    fn a_swiss_pairs_everybody_once_per_round_without_avoidable_repetitions(
        (engines, rounds, seed) in (2..13_usize, 1..14_u32, any::<u64>())
    ) {
        let keys = format!("format = \"swiss\"\nmeeting = \"game\"\nrounds = {rounds}");
        let config = league(engines, &keys, "");
        let tournament = played(&config, |fixture| by_chance(fixture, seed));
        let mut met: HashSet<[Entrant; 2]> = HashSet::new();
        let mut byes = vec![0; engines];
        let mut first = vec![0_i32; engines];
        for round in 1..=rounds {
            let mut free: HashSet<Entrant> = (0..engines).collect();
            let mut again = 0;
            let games = tournament.results.iter().filter(|(game, _)| game.round == round);
            for (game, _) in games {
                let [a, b] = game.sides;
                prop_assert!(free.remove(&a) && free.remove(&b), "twice in a round");
                again += usize::from(!met.insert([a.min(b), a.max(b)]));
                first[a] += 1;
                first[b] -= 1;
            }
            let seen: Vec<_> = free.iter().copied().collect();
            prop_assert_eq!(seen.len(), engines % 2);
            for &bye in &seen {
                byes[bye] += 1;
            }
            // All rounds of a cycle can be paired without a repetition.
            prop_assert!(again == 0 || round as usize >= engines + engines % 2, "{} {}", round, again);
        }
        let most = byes.iter().max().copied().unwrap_or(0);
        prop_assert!(most - byes.iter().min().copied().unwrap_or(0) <= 1, "{:?}", byes);
        prop_assert!(first.iter().all(|balance| balance.abs() <= 3), "{:?}", first);
    }
}

#[test]
fn a_round_robin_is_planned_at_once_and_a_gauntlet_pairs_challengers_only() {
    let config = league(4, "rounds = 2", "");
    let tournament = Tournament::new(config.clone(), Path::new("referee"));
    assert!(!tournament.is_open());
    let (due, _) = Simulation::new(&config).survey();
    assert_eq!(due.len(), 2 * 6 * 2);
    let config = league(4, "format = \"gauntlet\"\nchallengers = [\"b\"]", "");
    let (due, _) = Simulation::new(&config).survey();
    assert_eq!(due.len(), 3 * 2);
    assert!(due.iter().all(|game| game.sides.contains(&1)));
}

#[test]
fn a_series_ends_when_somebody_has_won_four_and_a_begins_games_1_4_and_5() {
    let config = league(2, "format = \"series\"", "");
    let begins = |number: u32| [1, 4, 5].contains(&number);
    // a wins games 1, 3, 5; b wins all others.
    let tournament = played(&config, |fixture| {
        let a_wins = fixture.number % 2 == 1 && fixture.number < 7;
        if a_wins == (fixture.sides[0] == 0) {
            GameResult::First
        } else {
            GameResult::Second
        }
    });
    let games: Vec<&Fixture> = tournament.results.iter().map(|(game, _)| game).collect();
    assert_eq!(games.len(), 7);
    for game in games {
        assert_eq!(
            game.sides[0] == 0,
            begins(game.number),
            "game {}",
            game.number
        );
    }
    let tables = tournament.tables();
    assert_eq!(tables[0].meetings[0].points(), [6, 8]);
    assert_eq!(ranks(&tables[0]), [(1, 1), (0, 2)]);
    let places = &tables[0].standing.places;
    assert_eq!(
        (places[0].points, places[1].points),
        (2, 0),
        "a series is one bout"
    );
    assert_eq!(played(&config, by_strength).results.len(), 4);
}

#[test]
fn only_games_that_are_needed_in_any_case_run_concurrently() {
    let config = league(2, "format = \"series\"", "");
    let mut tournament = Simulation::new(&config);
    let due = |tournament: &Simulation<'_>| tournament.survey().0.len();
    assert_eq!(due(&tournament), 4, "no series ends before its fourth game");
    let first = tournament.survey().0[0];
    tournament.results.push((first, GameResult::First));
    assert_eq!(due(&tournament), 3, "the fourth may be the last");
    let second = tournament.survey().0[0];
    tournament.results.push((second, GameResult::First));
    assert_eq!(due(&tournament), 3, "one win each: no less than five games");
}

#[test]
fn games_with_one_clock_for_the_match_are_sequential() {
    let mut config = league(3, "format = \"series\"", "");
    config.games[0].clock.whole_match = true;
    assert_eq!(
        Simulation::new(&config).survey().0.len(),
        3,
        "one of each series"
    );
    let mut config = league(3, "", "");
    config.games[0].clock.whole_match = true;
    assert_eq!(
        Simulation::new(&config).survey().0.len(),
        3,
        "one of each pair"
    );
    assert_eq!(played(&config, by_strength).results.len(), 6);
}

#[test]
fn a_knockout_finds_the_best_and_plays_tie_breaks() {
    let config = league(6, "format = \"knockout\"", "");
    let tournament = played(&config, by_strength);
    let tables = tournament.tables();
    assert_eq!(ranks(&tables[0])[..2], [(0, 1), (1, 2)]);
    // 5 meetings of 2 games.
    assert_eq!(tournament.results.len(), 10);

    // Every meeting is tied at 1 : 1 until a game by lot.
    let tied = |fixture: &Fixture| match fixture.decider {
        Some(Decider::Lot) => by_strength(fixture),
        _ => GameResult::First,
    };
    let tournament = played(&config, tied);
    assert_eq!(ranks(&tournament.tables()[0])[0], (0, 1));
    assert_eq!(tournament.results.len(), 5 * (2 + 2 + 1));
    let drawn = played(&config, |_| GameResult::Draw);
    assert_eq!(
        drawn.results.len(),
        5 * (2 + 2 + 1),
        "what is still tied is drawn"
    );
    assert!(drawn.tables()[0].standing.complete);
}

#[test]
fn the_best_of_each_group_advance_with_zero_points() {
    let stages = "[[stage]]\nname = \"groups\"\ngroups = 2\nadvance = 2\n\
                  [[stage]]\nname = \"final\"\nrounds = 3";
    let config = league(7, "", stages);
    let tournament = played(&config, by_strength);
    let tables = tournament.tables();
    assert_eq!(tables.len(), 3);
    assert_eq!(tables[0].entrants, [0, 3, 4]);
    assert_eq!(tables[1].entrants, [1, 2, 5, 6]);
    assert_eq!(
        tables[2].entrants,
        [0, 1, 3, 2],
        "winners first, group by group"
    );
    let final_places = &tables[2].standing.places;
    assert_eq!(ranks(&tables[2]), [(0, 1), (1, 2), (2, 3), (3, 4)]);
    assert_eq!(
        final_places[0].tally.games(),
        3 * 3 * 2,
        "nothing is carried over"
    );
}

#[test]
fn tie_breaks_apply_in_file_order() {
    // A hand-made table: everybody has 6 points, except d with 6 fewer.
    // a beats b twice, b beats c twice, c beats a twice, all beat d once and draw nothing.
    let result = |fixture: &Fixture| {
        let stronger = matches!(fixture.sides, [0, 1] | [1, 2] | [2, 0] | [0..=2, 3]);
        if stronger {
            GameResult::First
        } else {
            GameResult::Second
        }
    };
    let config = league(
        4,
        "tie_breaks = [\"head-to-head\", \"sonneborn-berger\"]",
        "",
    );
    let tables = played(&config, result).tables();
    assert_eq!(
        ranks(&tables[0]),
        [(0, 1), (1, 1), (2, 1), (3, 4)],
        "a circle cannot be told apart"
    );
    let place = &tables[0].standing.places[0];
    // 8 points: 4 against b or c, 4 against d. Opponents: 8 + 8 + 0 points, two games each.
    assert_eq!(
        (place.points, place.buchholz, place.sonneborn_berger),
        (8, 32, 32)
    );

    // Two with equal points; b has beaten a.
    let result = |fixture: &Fixture| match fixture.sides {
        [0, 1] => GameResult::Second,
        [1, 0] => GameResult::First,
        [2, 1] => GameResult::First,
        [1, 2] => GameResult::Second,
        [first, _] => [GameResult::Second, GameResult::First][usize::from(first == 0)],
    };
    let config = league(3, "", "");
    let tables = played(&config, result).tables();
    let points: Vec<u32> = tables[0]
        .standing
        .places
        .iter()
        .map(|place| place.points)
        .collect();
    assert_eq!(points, [4, 4, 4]);
    let config = league(3, "tie_breaks = [\"head-to-head\", \"rapid\"]", "");
    let by_rapid = played(&config, |fixture| match fixture.decider {
        None => result(fixture),
        Some(_) => by_strength(fixture),
    });
    assert_eq!(ranks(&by_rapid.tables()[0]), [(0, 1), (1, 2), (2, 3)]);
    assert_eq!(by_rapid.results.len(), 6 + 6);
}

#[test]
fn tie_break_games_are_played_only_if_they_matter() {
    let stages = "[[stage]]\nname = \"groups\"\nadvance = 2\ntie_breaks = [\"rapid\"]\n\
                  [[stage]]\nname = \"final\"";
    let config = league(4, "", stages);
    // a and b are equal, and so are c and d; a and b advance.
    let result = |fixture: &Fixture| match fixture.sides.map(|side| side / 2) {
        [0, 1] => GameResult::First,
        [1, 0] => GameResult::Second,
        _ => GameResult::Draw,
    };
    let tournament = played(&config, result);
    assert!(
        tournament
            .results
            .iter()
            .all(|(game, _)| game.decider.is_none())
    );
    // All are equal: the boundary is inside the tie, so lots decide in the end.
    let tournament = played(&config, |_| GameResult::Draw);
    let rapid = |(game, _): &&(Fixture, GameResult)| game.decider == Some(Decider::Rapid);
    assert_eq!(tournament.results.iter().filter(rapid).count(), 12);
    let tables = tournament.tables();
    let places = &tables[0].standing.places;
    assert!(places.iter().all(|place| place.by_lot));
    assert_eq!(
        places.iter().map(|place| place.rank).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
}

#[test]
fn tasks_have_stage_group_and_tie_break() {
    let stages = "[[stage]]\nname = \"groups\"\ngroups = 2\nadvance = 1\nformat = \"series\"\n\
                  [[stage]]\nname = \"final\"";
    let config = league(4, "", stages);
    let tournament = Tournament::new(config, Path::new("referee"));
    let survey = tournament.survey(&Played::default());
    let task = tournament.task(&survey.due[0]);
    assert_eq!(tournament.id(&survey.due[0]), task.id);
    assert_eq!((&*task.stage, task.round, task.number), ("groups 1", 1, 1));
    assert!(task.id.starts_with("hex-groups-1-r1.1-a-d-"), "{}", task.id);
    let seeds = survey.due.iter().map(|due| tournament.task(due).seed);
    let seeds: HashSet<u64> = seeds.collect();
    assert_eq!(
        (survey.due.len(), seeds.len()),
        (8, 4),
        "a pair shares its seed"
    );
    assert_eq!(survey.played, 0);
}

/// What is said of a league of random engines with these keys and tables before its first game.
fn wrapping(engines: usize, keys: &str, tables: &str) -> Vec<String> {
    let tournament = Tournament::new(league(engines, keys, tables), Path::new("referee"));
    let found = tournament.wrapping(&tournament.plan());
    found.into_iter().map(|wrapping| wrapping.line).collect()
}

#[test]
fn openings_that_two_engines_would_play_twice_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    std::fs::write(&file, "a1\nb2\nc3\n").unwrap();
    let list = format!("[openings.hex]\nfile = \"{}\"", file.display());
    assert_eq!(wrapping(2, "rounds = 3", &list), [""; 0]);
    let said = wrapping(2, "rounds = 4", &list);
    assert!(
        said[0].starts_with(
            "hex: 3 openings are too few, the same two engines play one up to 2 times; "
        ),
        "{said:?}"
    );
    // An opening that stands in the file twice is one.
    std::fs::write(&file, "a1\na1\nb2\n").unwrap();
    assert!(wrapping(2, "rounds = 3", &list)[0].contains("up to 2 times"));
    std::fs::write(&file, "a1\nb2\nc3\n").unwrap();
    // Three pairings share the openings of a round.
    assert_eq!(wrapping(3, "rounds = 1", &list), [""; 0]);
    assert!(wrapping(3, "rounds = 2", &list)[0].contains("up to 2 times"));
    let random = "[openings.hex]\nrandom_plies = 4";
    assert_eq!(wrapping(2, "rounds = 50", random), [""; 0]);
    assert_eq!(wrapping(2, "rounds = 1", ""), [""; 0]);
    let said = wrapping(2, "rounds = 10", "");
    assert!(said[0].starts_with("hex: the same two engines begin 10 times at the same position;"));
    // Random openings come to an end on a small board.
    let small = "[variant.hex]\nsize = 2\n[openings.hex]\nrandom_plies = 1";
    assert!(wrapping(2, "rounds = 9", small)[0].contains("4 openings are too few"));
}

/// These look three rounds ahead, which suffices here.
#[test]
fn a_larger_swiss_of_all_rounds_repeats_nothing_either() {
    for (engines, rounds, seed) in [(13, 13, 1), (14, 13, 2), (16, 15, 3), (20, 19, 4)] {
        let keys = format!("format = \"swiss\"\nmeeting = \"game\"\nrounds = {rounds}");
        let config = league(engines, &keys, "");
        let tournament = played(&config, |fixture| by_chance(fixture, seed));
        let pairs = tournament.results.iter().map(|(game, _)| {
            let [a, b] = game.sides;
            [a.min(b), a.max(b)]
        });
        let different: HashSet<[Entrant; 2]> = pairs.collect();
        assert_eq!(different.len(), engines * (engines - 1) / 2);
        assert_eq!(different.len(), tournament.results.len());
    }
}

#[test]
fn another_round_changes_no_round_before() {
    let swiss = |rounds| {
        let keys = format!("format = \"swiss\"\nmeeting = \"game\"\nrounds = {rounds}");
        league(7, &keys, "")
    };
    let longest = swiss(7);
    for rounds in [2, 4, 6] {
        let shorter = swiss(rounds);
        let played = played(&shorter, |game| by_chance(game, 5));
        let longer = Simulation {
            config: &longest,
            results: played.results,
        };
        // It checks that every game has its place.
        longer.survey();
    }
}
