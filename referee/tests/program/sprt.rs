//! `referee sprt`, played by the program itself.

use crate::common::program::{folder_with, games, run, text};

const LEAGUE: &str = r#"
[league]
name = "gain"
games = ["hex"]
rounds = 200
concurrency = 2

[clock]
nodes = 20

[variant.hex]
size = 4

[openings]
hex = { random_plies = 1 }

[[engine]]
name = "new"
builtin = "mcts"
options = { table_mb = 1 }

[[engine]]
name = "base"
builtin = "random"
"#;

#[test]
fn a_test_ends_when_decided_and_resumes_from_its_log() {
    let folder = folder_with(LEAGUE);
    let wide = ["sprt", "league.toml", "--elo0", "0", "--elo1", "200"];
    let test = run(folder.path(), &wide);
    let report = text(&test.stdout);
    assert!(
        report.starts_with("new against base: H1 accepted: 200"),
        "{report}"
    );
    assert_eq!(test.status.code(), Some(0), "{report}");
    let played = games(&folder.path().join("matches/gain")).len();
    assert!((4..200).contains(&played), "{played}");
    let live = text(&test.stderr);
    assert!(live.contains("LLR +"), "{live}");

    let again = run(folder.path(), &wide);
    assert_eq!(text(&again.stdout), report, "nothing is left to play");

    let other_way = [
        "sprt",
        "league.toml",
        "--elo0=-200",
        "--elo1=-50",
        "--outcomes",
        "games",
    ];
    let test = run(folder.path(), &other_way);
    assert!(text(&test.stdout).contains("H1 accepted: -50"));
}

#[test]
fn a_test_of_a_weaker_engine_accepts_h0() {
    let exchanged = LEAGUE
        .replace("builtin = \"random\"", "builtin = \"greedy\"")
        .replace(
            "builtin = \"mcts\"\noptions = { table_mb = 1 }",
            "builtin = \"random\"",
        );
    let folder = folder_with(&exchanged);
    let test = run(folder.path(), &["sprt", "league.toml", "--elo1", "100"]);
    let report = text(&test.stdout);
    assert!(
        report.starts_with("new against base: H0 accepted"),
        "{report}"
    );
    assert_eq!(test.status.code(), Some(1));
}

#[test]
fn a_test_without_rounds_left_is_undecided() {
    let folder = folder_with(&LEAGUE.replace("rounds = 200", "rounds = 1"));
    let test = run(folder.path(), &["sprt", "league.toml"]);
    assert_eq!(test.status.code(), Some(3));
    assert!(text(&test.stdout).contains("undecided"));
    assert!(text(&test.stderr).contains("all rounds are played"));
}

#[test]
fn games_of_another_league_are_refused() {
    let folder = folder_with(LEAGUE);
    let wide = ["sprt", "league.toml", "--elo1", "200"];
    assert!(run(folder.path(), &wide).status.success());
    let other = LEAGUE.replace("nodes = 20", "nodes = 21");
    std::fs::write(folder.path().join("league.toml"), other).expect("the file is written");
    let test = run(folder.path(), &wide);
    assert_eq!(test.status.code(), Some(2));
    assert!(text(&test.stderr).contains("games that are not in this league file"));
}

#[test]
fn untestable_leagues_are_refused() {
    let folder = folder_with(LEAGUE);
    for (arguments, expected) in [
        (["--elo0", "5", "--elo1", "5"], "expected elo0 below elo1"),
        (["--elo0", "0", "--elo1", "900"], "both within ±200"),
        (
            ["--alpha", "0.7", "--beta", "0.1"],
            "--alpha 0.7: expected a probability",
        ),
        (
            ["--alpha", "0.1", "--beta", "0"],
            "--beta 0: expected a probability",
        ),
    ] {
        let mut all = vec!["sprt", "league.toml"];
        all.extend(arguments);
        let test = run(folder.path(), &all);
        assert_eq!(test.status.code(), Some(2));
        assert!(
            text(&test.stderr).contains(expected),
            "{}",
            text(&test.stderr)
        );
    }
    let third = LEAGUE.to_owned() + "[[engine]]\nname = \"third\"\nbuiltin = \"greedy\"\n";
    let folder = folder_with(&third);
    let test = run(folder.path(), &["sprt", "league.toml"]);
    assert_eq!(test.status.code(), Some(2));
    assert!(text(&test.stderr).contains("3 engines, expected two"));
}
