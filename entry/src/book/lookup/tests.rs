use super::*;

fn advice(results: [u32; 3], value: Option<i32>, is_enough: bool) -> Advice<u8> {
    let [first, draws, second] = results;
    Advice {
        mv: 0,
        results: Results {
            first,
            draws,
            second,
        },
        value: value.map(Score::points),
        is_enough,
        side: Side::First,
    }
}

#[test]
fn results_of_many_games_count_more_than_those_of_few() {
    let least = |results| advice(results, None, true).least_points();
    // By Wilson's formula: n wins of n are worth n / (n + 1), and none nothing.
    assert!((least([10, 0, 0]) - 10.0 / 11.0).abs() < 1e-12);
    assert!((least([0, 0, 10])).abs() < 1e-12);
    assert_eq!(least([0, 0, 0]), 0.0);
    assert!(least([60, 0, 40]) > least([6, 0, 4]));
    assert!(least([2, 0, 0]) < least([75, 0, 25]));
    assert_eq!(least([0, 10, 0]), least([5, 0, 5]));
}

#[test]
fn a_move_with_evidence_is_first_then_the_higher_score_then_the_better_results() {
    let better_first = [
        advice([0, 0, 0], Some(20), true),
        advice([9, 0, 0], Some(10), true),
        advice([0, 0, 9], Some(10), true),
        advice([9, 0, 0], None, true),
        advice([0, 0, 9], None, true),
        advice([3, 0, 0], None, false),
        advice([0, 0, 0], None, false),
    ];
    for pair in better_first.windows(2) {
        assert!(pair[0].order(&pair[1]).is_gt(), "{pair:?}");
    }
}

#[test]
fn the_facts_are_those_of_the_side_that_plays() {
    let mut known = advice([7, 1, 4], Some(31), true);
    assert_eq!(
        known.in_words(),
        "score cp 31 games 12 won 7 drawn 1 lost 4"
    );
    known.side = Side::Second;
    known.value = None;
    assert_eq!(known.in_words(), "games 12 won 4 drawn 1 lost 7");
    assert_eq!(advice([0, 0, 0], Some(5), true).in_words(), "score cp 5");
}
