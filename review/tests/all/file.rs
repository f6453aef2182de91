//! The file of reviews: nothing is searched twice, and no review is taken for another.

use std::fs;

use engine_core::StopFlag;
use review::file::{Reviews, digest, path_of};
use review::{Course, Looked, Searched, left, search};
use serde_json::json;

use crate::common::{plan, record, searched};

fn hex() -> gamelog::record::GameRecord {
    let turns = ["b2", "a1", "c1", "a3", "b3"].map(str::to_owned);
    record("hex", &json!({ "size": 4 }), "", &turns)
}

#[test]
fn what_was_found_is_read_again_for_the_same_game_and_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_of(&folder.path().join("games.jsonl"));
    assert!(path.ends_with("games.jsonl.review"));
    let record = hex();
    let course = Course::of(&record).expect("a game");
    let plan = plan("pvs", Some(200), None);
    let found = searched(&course, &plan);
    assert!(found.is_whole() && left(&course, &found) == 0);
    let mut reviews = Reviews::read(path.clone()).expect("no file is none");
    reviews
        .append("one", &digest(&record), &plan, &found)
        .expect("it is written");
    let reviews = Reviews::read(path.clone()).expect("a file");
    assert_eq!(reviews.known(&digest(&record), &plan), Some(&found));
    assert_eq!(reviews.unread, 0);
    let mut other = plan.clone();
    other.nodes = Some(201);
    assert_eq!(
        reviews.known(&digest(&record), &other),
        None,
        "another plan"
    );
    let mut changed = record.clone();
    changed.turns[1].text = "d4".to_owned();
    assert_eq!(
        reviews.known(&digest(&changed), &plan),
        None,
        "another game"
    );
    // What changes nothing of the game changes no review.
    let mut renamed = record.clone();
    renamed.first.name = "somebody".to_owned();
    assert_eq!(digest(&renamed), digest(&record));
}

/// A kill in the middle of a line loses that line, and nothing else.
#[test]
fn a_line_that_was_cut_off_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl.review");
    let (record, plan) = (hex(), plan("pvs", Some(50), None));
    let found = searched(&Course::of(&record).expect("a game"), &plan);
    let mut reviews = Reviews::read(path.clone()).expect("none");
    reviews
        .append("one", &digest(&record), &plan, &found)
        .expect("it is written");
    let whole = fs::read(&path).expect("a file");
    for length in (0..whole.len()).step_by(37) {
        fs::write(&path, &whole[..length]).expect("a file");
        let mut reviews = Reviews::read(path.clone()).expect("a file");
        assert_eq!(reviews.known(&digest(&record), &plan), None, "{length}");
        assert_eq!(reviews.unread, usize::from(length > 0));
        reviews
            .append("one", &digest(&record), &plan, &found)
            .expect("it is written");
        let again = Reviews::read(path.clone()).expect("a file");
        assert_eq!(
            again.known(&digest(&record), &plan),
            Some(&found),
            "{length}"
        );
    }
}

/// A review that was stopped goes on where it was, and ends as one that was not.
#[test]
fn a_stopped_review_goes_on() {
    let course = Course::of(&hex()).expect("a game");
    let plan = plan("pvs", Some(200), None);
    let whole = searched(&course, &plan);
    let stop = StopFlag::default();
    stop.stop();
    let none = search(&course, &plan, Searched::default(), &stop, &|_, _| {}).expect("an engine");
    assert_eq!(left(&course, &none), course.points.len());
    // Half of it is known: only the rest is searched.
    let mut half = whole.clone();
    half.0[2..].fill(None);
    let searches = std::sync::atomic::AtomicUsize::new(0);
    let tell = |_: usize, looked: &Looked| {
        let is_second = looked
            .turn()
            .is_some_and(|found| found.after_best.is_some());
        searches.fetch_add(
            usize::from(!is_second),
            std::sync::atomic::Ordering::Relaxed,
        );
    };
    let rest = search(&course, &plan, half.clone(), &StopFlag::default(), &tell);
    let rest = rest.expect("an engine");
    assert_eq!(searches.into_inner(), left(&course, &half));
    assert!(rest.is_whole());
    assert_eq!(left(&course, &rest), 0);
    assert_eq!(rest.0[..2], whole.0[..2]);
}

/// A turn that seems to lose much is compared with the best one after it, as deep, whether the review was
/// stopped between or not.
#[test]
fn what_seems_lost_gets_a_second_look() {
    let course = Course::of(&hex()).expect("a game");
    let plan = plan("pvs", None, Some(1));
    let whole = searched(&course, &plan);
    let mut first = whole.clone();
    let mut looks = 0;
    for (ply, looked) in first.0.iter_mut().enumerate() {
        let Some(Looked::Turn(found)) = looked else {
            continue;
        };
        let Some(after) = found.after_best.take() else {
            continue;
        };
        looks += 1;
        let after = after.turn().expect("no dice in Hex").clone();
        let mut turns: Vec<String> = course.plies[..ply]
            .iter()
            .map(|ply| ply.text.clone())
            .collect();
        turns.push(found.line[0].clone());
        let other = record("hex", &course.variant, "", &turns);
        let other = Course::of(&other).expect("a game");
        let alone = searched(&other, &plan);
        let alone = alone.turn(ply + 1).expect("it was searched");
        assert_eq!((&after.score, after.depth), (&alone.score, 1), "ply {ply}");
    }
    assert!(looks > 0, "no turn seems to lose anything");
    assert!(left(&course, &first) > 0);
    let stop = StopFlag::default();
    let again = search(&course, &plan, first, &stop, &|_, _| {}).expect("an engine");
    assert_eq!(again, whole);
}

#[test]
fn what_no_engine_can_do_is_said() {
    let course = Course::of(&hex()).expect("a game");
    let refused = |plan| {
        let stop = StopFlag::default();
        search(&course, &plan, Searched::default(), &stop, &|_, _| {}).expect_err("no such search")
    };
    assert!(refused(plan("alphago", Some(1), None)).starts_with("unknown algorithm"));
    let no_depth = refused(plan("mcts", None, Some(3)));
    assert_eq!(no_depth, "mcts has no depth, expected a time or nodes");
}

/// The number of cores changes nothing of a review by nodes.
#[test]
fn a_review_by_nodes_is_the_same_on_any_number_of_cores() {
    let turns: Vec<String> = "c3 d4 e5 f6 g7 c4 d5 e6 f7 g8 b3 c5 d6 e7 f8 g9"
        .split(' ')
        .map(str::to_owned)
        .collect();
    let course = Course::of(&record("hex", &json!({ "size": 9 }), "", &turns)).expect("a game");
    for engine in ["pvs", "mcts"] {
        let plan = plan(engine, Some(100), None);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            pool.install(|| searched(&course, &plan))
        };
        assert_eq!(on(1), on(3), "{engine}");
    }
}
