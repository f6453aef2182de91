use super::*;
use crate::record::sample::game;

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
        a.against["b"],
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
        table
            .rows
            .iter()
            .map(|row| row.name.clone())
            .collect::<Vec<_>>()
    };
    let standings = Standings::of(&log());
    assert_eq!(names(&standings.all), ["b", "a", "c"]);
    assert_eq!(names(&standings.by_game["hex"]), ["a", "b"]);
    assert_eq!(standings.by_game["amazons"].games, 3);
}

#[test]
fn the_order_of_the_log_does_not_matter() {
    let mut games = log();
    let before = Standings::of(&games);
    games.reverse();
    assert_eq!(Standings::of(&games), before);
    assert_eq!(Standings::of(&[]).all.rows, []);
}

#[test]
fn points_of_a_table_sum_to_two_a_game() {
    let standings = Standings::of(&log());
    let sum: u32 = standings
        .all
        .rows
        .iter()
        .map(|row| row.total().points())
        .sum();
    assert_eq!(sum, 2 * standings.all.games);
}
