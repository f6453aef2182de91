use gamelog::record::sample::game;
use gamelog::record::{SideName, TurnRecord};

use super::*;

fn log() -> Vec<GameRecord> {
    use GameResult::*;
    vec![
        game("hex", "a", "b", First, Reason::Rules),
        game("hex", "b", "a", First, Reason::Rules),
        game("amazons", "a", "b", Second, Reason::Time),
        game("amazons", "b", "a", Draw, Reason::Rules),
        game("amazons", "c", "a", Second, Reason::Resign),
    ]
}

#[test]
fn points_are_two_for_a_win_and_one_for_a_draw() {
    let standings = Standings::of(&log());
    let a = standings.all.row("a").unwrap();
    assert_eq!(
        a.total(),
        Tally {
            wins: 2,
            draws: 1,
            losses: 2
        }
    );
    assert_eq!(a.total().points(), 5);
    assert_eq!(
        a.by_side[0],
        Tally {
            wins: 1,
            draws: 0,
            losses: 1
        }
    );
    assert_eq!(
        a.by_side[1],
        Tally {
            wins: 1,
            draws: 1,
            losses: 1
        }
    );
    assert_eq!(
        a.against["b"].total(),
        Tally {
            wins: 1,
            draws: 1,
            losses: 2
        }
    );
    assert_eq!(a.faults, BTreeMap::from([(Reason::Time, 1)]));
    let c = standings.all.row("c").unwrap();
    assert_eq!(
        (c.total().points(), c.faults.len()),
        (0, 0),
        "to give up is no fault"
    );
}

#[test]
fn ranks_go_by_points_then_fewer_games_then_name() {
    let names = |table: &Table| {
        let rows = table.ranked();
        rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>()
    };
    let standings = Standings::of(&log());
    assert_eq!(names(&standings.all), ["b", "a", "c"]);
    assert_eq!(names(&standings.by_game["hex"]), ["a", "b"]);
    assert_eq!(standings.by_game["amazons"].facts.games(), 3);
}

#[test]
fn the_order_of_the_log_does_not_matter() {
    let mut games = log();
    let rows = |games: &[GameRecord]| {
        let all = Standings::of(games).all;
        let mut rows: Vec<Row> = all.ranked().into_iter().cloned().collect();
        // But for what says that it does.
        for versus in rows.iter_mut().flat_map(|row| row.against.values_mut()) {
            versus.order.iter_mut().for_each(|order| order.sort());
        }
        rows
    };
    let before = rows(&games);
    games.reverse();
    assert_eq!(rows(&games), before);
    assert_eq!(rows(&[]), []);
}

#[test]
fn points_of_a_table_sum_to_two_per_game() {
    let all = Standings::of(&log()).all;
    let points = all.ranked().into_iter().map(|row| row.total().points());
    assert_eq!(points.sum::<u32>(), 2 * all.facts.games());
}

#[test]
fn games_that_differ_only_in_sides_are_a_pair() {
    let mut games = log();
    // Another seed, another opening, the same sides: none of them completes a pair.
    for (seed, opening) in [(1, "x"), (2, ""), (1, "")] {
        games.push(GameRecord {
            seed,
            opening: opening.to_owned(),
            ..game("hex", "a", "b", GameResult::First, Reason::Rules)
        });
    }
    let standings = Standings::of(&games);
    let pairs = |table: &Table, one: &str, other: &str| {
        let pairs = table.row(one).expect("a row").against[other].pairs;
        pairs.by_points().0
    };
    let hex = &standings.by_game["hex"];
    assert_eq!(pairs(hex, "a", "b"), [0, 0, 1, 0, 0]);
    let results = hex.row("a").expect("a row").against["b"].results();
    assert_eq!((results.pairs.count(), results.single.count()), (1, 3));
    let amazons = &standings.by_game["amazons"];
    assert_eq!(pairs(amazons, "a", "b"), [0, 1, 0, 0, 0]);
    assert_eq!(pairs(amazons, "b", "a"), [0, 0, 0, 1, 0]);
    let results = amazons.row("a").expect("a row").against["b"].results();
    assert_eq!((results.pairs.count(), results.single.count()), (1, 0));
    assert_eq!(pairs(amazons, "c", "a"), [0; 5]);
}

#[test]
fn rolls_are_not_turns() {
    let mut record = game("einstein", "a", "b", GameResult::First, Reason::Rules);
    record.turns = ["123456", "d4", "a1b2"]
        .map(gamelog::record::sample::turn)
        .to_vec();
    let turns = |record: &GameRecord| Standings::of([record]).all.facts.turns;
    assert_eq!(turns(&record), 2);
    record.game = "hex".to_owned();
    assert_eq!(turns(&record), 3);
}

/// A game in Hex from an opening with these turns, `First` to move.
fn played(names: [&str; 2], round: u32, opening: &str, turns: &[&str]) -> GameRecord {
    use GameResult::{First, Second};
    let result = if turns.len() % 2 == 1 { First } else { Second };
    let side = |ply| {
        if ply % 2 == 0 {
            SideName::First
        } else {
            SideName::Second
        }
    };
    let turn = |(ply, text): (usize, &&str)| TurnRecord {
        side: side(ply),
        ..gamelog::record::sample::turn(text)
    };
    GameRecord {
        seed: u64::from(round),
        round,
        opening: opening.to_owned(),
        turns: turns.iter().enumerate().map(turn).collect(),
        ..game("hex", names[0], names[1], result, Reason::Rules)
    }
}

/// Pairs of these engines that play the same two games in every round.
fn alike(names: [&str; 2], rounds: std::ops::Range<u32>) -> Vec<GameRecord> {
    let [a, b] = names;
    rounds
        .flat_map(|round| {
            [
                played([a, b], round, "", &["a1", "b2", "c3"]),
                played([b, a], round, "", &["a2", "b2"]),
            ]
        })
        .collect()
}

fn versus(games: &[GameRecord]) -> Versus {
    let standings = Standings::of(games);
    let mut reversed = Standings::of(games.iter().rev());
    let found = standings.all.row("a").unwrap().against["b"].clone();
    let row = reversed.all.row_of("a").against["b"].clone();
    assert_eq!(row, found, "the order of the log does not matter");
    assert_eq!(
        standings.by_game["hex"].row("a").unwrap().against["b"],
        found
    );
    found
}

#[test]
fn forced_repeats_have_the_bar_of_one_pair() {
    let (once, again) = (alike(["a", "b"], 0..1), alike(["a", "b"], 0..20));
    let (one, twenty) = (versus(&once), versus(&again));
    assert_eq!((one.forced_repeats(), twenty.forced_repeats()), (0, 38));
    assert_eq!((twenty.total().games(), twenty.pairs.count()), (40, 20));
    assert_eq!(twenty.results(), one.results());
    let standings = [&once, &again].map(Standings::of);
    let [one, twenty] = standings.each_ref().map(|standings| &standings.all);
    assert_eq!(one.ratings(&[]).players, twenty.ratings(&[]).players);
    assert_eq!((twenty.facts.games(), twenty.facts.distinct), (40, 2));
    assert_eq!(twenty.facts.results(), one.facts.results());
}

#[test]
fn an_engine_that_once_answers_otherwise_repeats_by_chance() {
    let mut games = alike(["a", "b"], 0..20);
    games.push(played(["a", "b"], 20, "", &["a1", "b2", "c4"]));
    games.push(played(["b", "a"], 20, "", &["a2", "b2"]));
    assert_eq!(versus(&games).forced_repeats(), 0);
    assert_eq!(versus(&games).results().pairs.count(), 21);
    // Whoever it is, all its games count; those of others do not.
    games.extend(alike(["c", "d"], 0..3));
    games.extend(alike(["a", "c"], 0..3));
    let standings = Standings::of(&games);
    let forced =
        |one: &str, other: &str| standings.all.row(one).unwrap().against[other].forced_repeats();
    assert_eq!((forced("c", "d"), forced("c", "a")), (4, 0));
    assert_eq!(standings.all.facts.forced_repeats(), 4);
    assert_eq!(standings.all.facts.distinct, 3 + 2 + 2);
}

#[test]
fn other_starts_are_other_games() {
    let base = || alike(["a", "b"], 0..1);
    let with = |change: &dyn Fn(&mut GameRecord)| {
        let mut more = alike(["a", "b"], 1..2);
        more.iter_mut().for_each(change);
        versus(&[base(), more].concat()).forced_repeats()
    };
    assert_eq!(with(&|_| {}), 2);
    assert_eq!(with(&|game| game.opening = "b1".to_owned()), 0);
    assert_eq!(
        with(&|game| game.variant = serde_json::json!({"size": 5})),
        0
    );
    assert_eq!(
        with(&|game| game.clock = serde_json::from_str(r#"{"nodes": 2}"#).unwrap()),
        0
    );
    assert_eq!(with(&|game| game.first.build = "1".repeat(16)), 0);
    assert_eq!(with(&|game| game.imported = "sgf 1".to_owned()), 0);
    assert_eq!(with(&|game| game.turns.clear()), 0);
    let option = |game: &mut GameRecord| {
        game.second.options.insert("threads".to_owned(), 2.into());
    };
    assert_eq!(with(&option), 0);
    let seed = |game: &mut GameRecord| {
        game.second.options.insert("seed".to_owned(), 2.into());
    };
    assert_eq!(with(&seed), 2);
    // A crash is another answer.
    let crash = |game: &mut GameRecord| game.reason = Reason::Crash;
    let mut games = alike(["a", "b"], 0..3);
    crash(&mut games[2]);
    assert_eq!(versus(&games).forced_repeats(), 0);
}

#[test]
fn other_dice_are_other_games() {
    let einstein = |round: u32, seed: u64, roll: &str| GameRecord {
        game: "einstein".to_owned(),
        seed,
        round,
        turns: ["123456", roll, "a1b2"]
            .map(gamelog::record::sample::turn)
            .to_vec(),
        ..game("einstein", "a", "b", GameResult::First, Reason::Rules)
    };
    let forced = |games: [GameRecord; 2]| Standings::of(&games).all.facts.forced_repeats();
    assert_eq!(forced([einstein(1, 1, "d4"), einstein(2, 1, "d4")]), 1);
    assert_eq!(forced([einstein(1, 1, "d4"), einstein(2, 2, "d4")]), 0);
    // Another roll is no answer of an engine.
    let mut games = vec![
        einstein(1, 1, "d4"),
        einstein(2, 1, "d3"),
        einstein(3, 1, "d4"),
    ];
    let standings = |games: &[GameRecord]| Standings::of(games).all.facts.forced_repeats();
    assert_eq!(standings(&games), 1);
    games[1].turns[1].text = "d4".to_owned();
    games[1].turns[2].text = "b2c3".to_owned();
    assert_eq!(standings(&games), 0);
}

/// Openings that never come back take no memory beyond a limit: later games are no repeats.
#[test]
fn a_league_of_many_openings_is_watched_up_to_a_limit() {
    let turns: Vec<String> = (0..1_001).map(|turn| turn.to_string()).collect();
    let turns: Vec<&str> = turns.iter().map(String::as_str).collect();
    let pair = |round: u32| {
        let opening = format!("{}", round % 200);
        [["a", "b"], ["b", "a"]].map(|names| played(names, round, &opening, &turns))
    };
    let games: Vec<GameRecord> = (0..400).flat_map(pair).collect();
    let standings = Standings::of(&games);
    let row = &standings.all.row("a").unwrap().against["b"];
    let forced = row.forced_repeats();
    assert!(
        forced > 200 && forced < 400 && forced.is_multiple_of(2),
        "{forced}"
    );
    assert_eq!(row.results().pairs.count(), 400 - u64::from(forced) / 2);
}

/// Whatever is played in whatever order, what is left is never less than nothing.
#[test]
fn no_results_are_taken_away_twice() {
    let mut rng = engine_core::Rng::new(7);
    for _ in 0..200 {
        let mut games: Vec<GameRecord> = Vec::new();
        for _ in 0..rng.below(12) {
            let names = [["a", "b"], ["b", "a"]][rng.below(2) as usize];
            let round = rng.below(3);
            let opening = ["", "b1"][rng.below(2) as usize];
            let turns: &[&str] =
                [&["a1", "b2", "c3"][..], &["a2", "b2"]][rng.below(8) as usize / 7];
            games.push(played(names, round, opening, turns));
        }
        let standings = Standings::of(&games);
        let Some(row) = standings.all.row("a") else {
            continue;
        };
        let results = row.against["b"].results();
        assert!(results.count() > 0);
        let forced = u64::from(standings.all.facts.forced_repeats());
        let left = 2 * results.pairs.count() + results.single.count();
        assert_eq!(left + forced, games.len() as u64);
        assert_eq!(standings.all.facts.results().count(), results.count());
    }
}
