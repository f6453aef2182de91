//! Reviews of many games together.

use engine_process::info::EngineInfo;
use gamelog::record::{GameRecord, SideName, sample};
use review::league::{LeagueReview, differences};
use review::{Mark, Review};
use serde_json::json;

use crate::common::{plan, record, review};

fn game(id: &str, opening: &str, turns: &str, names: [&str; 2]) -> (GameRecord, Review) {
    let turns: Vec<String> = turns.split(' ').map(str::to_owned).collect();
    let mut record = record("tic-tac-toe", &json!({}), opening, &turns);
    record.id = id.to_owned();
    [record.first.name, record.second.name] = names.map(str::to_owned);
    let review = review(&record, &plan("pvs", None, Some(9)));
    (record, review)
}

#[test]
fn players_and_openings_are_summed_over_games() {
    let games = [
        game("one", "", "b2 a1 a2 c2 a3 c1 b1 c3", ["x", "y"]),
        game("two", "b2", "b1 a1 c3 a3 a2 c2", ["y", "x"]),
        game("three", "b2", "a1 c3 a3 b3", ["x", "y"]),
    ];
    let mut league = LeagueReview::default();
    for (record, review) in &games {
        league.add(record, review);
    }
    assert_eq!(league.reviewed, 3);
    let sides = |name: &str| {
        let of_game = |(record, review): &(GameRecord, Review)| {
            let side = usize::from(record.second.name == name);
            review.sums[side].clone()
        };
        games.iter().map(of_game).collect::<Vec<_>>()
    };
    for name in ["x", "y"] {
        let sums = &league.players[name];
        let all = sides(name);
        let turns: u32 = all.iter().map(|sums| sums.turns).sum();
        let lost: f64 = all
            .iter()
            .map(|sums| sums.mean_loss * f64::from(sums.turns))
            .sum();
        assert_eq!(sums.turns, turns);
        assert!(
            (sums.mean_loss * f64::from(turns) - lost).abs() < 1e-9,
            "{name}"
        );
        // The phases are parts of the whole.
        let by_phase = sums.marks.iter().zip(sums.phase_loss);
        let parts = by_phase.map(|(marks, loss)| loss * f64::from(marks.iter().sum::<u32>()));
        assert!((parts.sum::<f64>() - lost).abs() < 1e-9, "{name}");
        let blunders: u32 = all.iter().map(|sums| sums.count(Mark::Blunder)).sum();
        assert_eq!(sums.count(Mark::Blunder), blunders);
    }
    let openings = &league.openings["tic-tac-toe"];
    assert_eq!((openings[""].games, openings["b2"].games), (1, 2));
    assert_eq!(
        openings["b2"].players["x"].turns,
        sides("x")[1].turns + sides("x")[2].turns
    );
    let worst = &league.worst;
    assert!(worst.len() >= 2 && worst.is_sorted_by(|one, other| one.lost >= other.lost));
    let first = worst
        .iter()
        .find(|worst| worst.id == "one")
        .expect("a blunder");
    assert_eq!((first.ply, &*first.player, &*first.text), (5, "x", "a3"));
}

#[test]
fn no_more_than_ten_of_the_worst_are_kept() {
    let mut league = LeagueReview::default();
    for number in 0..12 {
        let (record, review) = game(
            &number.to_string(),
            "",
            "b2 a1 a2 c2 a3 c1 b1 c3",
            ["x", "y"],
        );
        league.add(&record, &review);
    }
    assert_eq!((league.reviewed, league.worst.len()), (12, 10));
}

#[test]
fn two_engines_judge_a_position_differently() {
    let (mut record, _) = game("one", "b2 b1", "a1 c3 a3 c1", ["x", "y"]);
    for (turn, score) in record
        .turns
        .iter_mut()
        .zip(["cp 100", "cp 100", "win 3", "loss 2"])
    {
        turn.info = Some(EngineInfo {
            score: Some(score.to_owned()),
            ..EngineInfo::default()
        });
    }
    let found = differences(&record);
    // The first turn after the opening is ply 3; "win 3" and "loss 2" agree.
    let places: Vec<usize> = found.iter().map(|difference| difference.ply).collect();
    assert_eq!(places, [4, 3]);
    assert_eq!(found[1].players, ["x", "y"]);
    let [own, other] = found[1].chances;
    assert!(
        (own - 0.731).abs() < 1e-3 && (other - 0.269).abs() < 1e-3,
        "{own} {other}"
    );
    assert_eq!(found[0].chances[1], 0.0);
    // With a roll, or a turn without a score between them, the positions differ.
    record.turns[1].info = None;
    assert!(differences(&record).is_empty());
    record.turns[1] = sample::turn("c3");
    record.turns[1].side = SideName::Second;
    record.opening = "nonsense".to_owned();
    assert!(differences(&record).is_empty());
}
