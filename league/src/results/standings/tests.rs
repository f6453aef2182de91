use gamelog::record::sample::game;

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
        all.ranked().into_iter().cloned().collect::<Vec<_>>()
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
    assert_eq!(Table::of([&record]).facts.turns, 2);
    record.game = "hex".to_owned();
    assert_eq!(Table::of([&record]).facts.turns, 3);
}
