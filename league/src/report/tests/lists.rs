//! Rating lists, given ratings, searches, and the width of a report.

use super::*;

/// Three engines; `a` beats `b` three times in four, `b` the same of `c`.
fn ladder() -> Vec<GameRecord> {
    let mut games = Vec::new();
    for round in 0..40 {
        for (one, other) in [("a", "b"), ("b", "c")] {
            let [first, second] = if round % 2 == 0 {
                [one, other]
            } else {
                [other, one]
            };
            let one_wins = round % 4 < 3;
            let result = if one_wins == (first == one) {
                First
            } else {
                Second
            };
            let mut game = game("hex", first, second, result, Reason::Rules);
            game.seed = round;
            game.league = format!("league {}", round / 20);
            games.push(game);
        }
    }
    games
}

fn anchored(anchors: &[(&str, f64)], by: By, format: Format) -> ReportOptions {
    let anchor = |&(name, rating): &(&str, f64)| Anchor {
        name: name.to_owned(),
        rating,
    };
    ReportOptions {
        anchors: anchors.iter().map(anchor).collect(),
        ..options(by, format)
    }
}

#[test]
fn a_rating_list_has_the_strongest_first_on_a_given_scale() {
    let mut games = ladder();
    games[0].first.clock = Some(toml::from_str("move = \"2s\"").expect("a clock"));
    let text = report(&games, &anchored(&[("a", 2000.0)], By::List, Format::Text));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Hex: 3 engines, 80 games");
    assert_eq!(lines[1], "Leagues: league 0, league 1.");
    assert_eq!(lines[2], "Clocks: move 2s; nodes 1.");
    assert_eq!(lines[3], "Given ratings: a = 2000.");
    assert_eq!(lines[4], "Rated over different clocks: a.");
    let rows: Vec<Vec<&str>> = (lines[7..10].iter())
        .map(|line| line.split_whitespace().collect())
        .collect();
    // 3 : 1 are 190.8 Elo.
    assert_eq!(rows[0][..4], ["1", "a", "2000.0", "0.0"], "{text}");
    assert_eq!(rows[1][..3], ["2", "b", "1809.2"], "{text}");
    assert_eq!(rows[2][..3], ["3", "c", "1618.3"], "{text}");
    let end = ["80", "50.0", "%", "0.0", "%", "2", "1809.2"];
    assert!(rows[1].ends_with(&end), "{text}");
    assert!(
        lines.iter().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    assert!(!text.contains("CPU time"), "only the list: {text}");
}

#[test]
fn given_ratings_that_the_games_contradict_are_named() {
    let games = ladder();
    let text = |anchors: &[(&str, f64)]| report(&games, &anchored(anchors, By::Game, Format::Text));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fitting = text(&[("a", 0.0), ("c", -400.0)]);
    assert!(
        fitting.contains("Given ratings: a = 0, c = -400."),
        "{fitting}"
    );
    assert!(!fitting.contains("contradict"), "{fitting}");
    let wrong = words(&text(&[("a", 2000.0), ("c", 1000.0), ("b", 1800.0)]));
    let expected =
        "The games contradict what is given: c should be -1000.0 relative to a, and is -381.7 ±";
    assert!(wrong.contains(expected), "{wrong}");
    assert_eq!(wrong.matches("contradict").count(), 1, "{wrong}");
    // One anchor at 0 needs no words, and anchors of other games no scale.
    assert!(!text(&[("b", 0.0)]).contains("Given ratings"));
    assert!(text(&[("z", 0.0)]).contains("None of the given ratings is of an engine here"));
    let json = report(&games, &anchored(&[("a", 2000.0)], By::Game, Format::Json));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["anchors"]["a"], 2000.0);
    let engines = json["all"]["engines"].as_array().expect("engines");
    let a = engines.iter().find(|engine| engine["name"] == "a");
    assert_eq!(a.expect("a row")["elo"]["value"], 2000.0);
}

#[test]
fn searches_are_shown_with_their_clocks() {
    let mut games = log();
    let info = |depth, nodes| EngineInfo {
        depth: Some(depth),
        nodes: Some(nodes),
        ..EngineInfo::default()
    };
    for (game, depth) in games[..2].iter_mut().zip([4, 7]) {
        let mut turns = vec![turn("a"), turn("b"), turn("c")];
        for (place, turn) in turns.iter_mut().enumerate() {
            turn.side = [SideName::First, SideName::Second, SideName::First][place];
            turn.used_us = 500_000 * (1 + place as u64);
            turn.info = (place != 2).then(|| info(depth, 1_000_000));
        }
        game.turns = turns;
    }
    games[1].second.clock = Some(toml::from_str("base = \"9s\"").expect("a clock"));
    let text = report(&games, &ReportOptions::default());
    let table = text.split("nim: searches\n").nth(1).expect("a table");
    assert!(
        table.contains("Time odds: in 1 of 2 games the two clocks differ."),
        "{table}"
    );
    // As First 0.5 s and, without a report, 1.5 s; as Second 1 s.
    let expected = "pvs 3 1.000 5.5 1.00M 1.33M base 9s or nodes 1";
    assert_eq!(row_of(table, "pvs")[1..].join(" "), expected, "{table}");
    let expected = "mcts 3 1.000 5.5 1.00M 1.33M nodes 1";
    assert_eq!(row_of(table, "mcts")[1..].join(" "), expected, "{table}");
    // Nothing is known of searches in the other game.
    assert!(!text.contains("go: searches"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&report(&games, &options(By::Game, Format::Json))).expect("JSON");
    assert_eq!(json["games"]["nim"]["time_odds"], 1);
    let turns = &json["games"]["nim"]["engines"][0]["turns"];
    assert_eq!((&turns["turns"], &turns["depth"]), (&3.into(), &5.5.into()));
}

#[test]
fn a_report_as_text_fits_a_terminal() {
    let names = [
        "a-rather-long-name",
        "another-long-name",
        "third-long-name",
        "fourth-long-name",
    ];
    let mut games = Vec::new();
    for (place, one) in names.iter().enumerate() {
        for (other, reason) in
            names[place + 1..]
                .iter()
                .zip([Reason::Time, Reason::Crash, Reason::Illegal])
        {
            for result in [First, Second, Draw] {
                games.push(game("hex", one, other, result, reason));
                games.push(game("gomoku", other, one, result, reason));
            }
        }
    }
    for by in By::ALL {
        let text = report(&games, &anchored(&[(names[0], 1500.0)], by, Format::Text));
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{widest:?}: {text}");
    }
}
