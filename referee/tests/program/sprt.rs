//! `referee sprt`, played by the program itself.

use std::path::Path;

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

/// Rounds are a limit that a test may have: without them it goes on until it decides.
#[test]
fn a_test_without_rounds_ends_when_it_decides() {
    let folder = folder_with(&LEAGUE.replace("rounds = 200\n", ""));
    let test = run(folder.path(), &["sprt", "league.toml", "--elo1", "100"]);
    let report = text(&test.stdout);
    assert!(
        report.starts_with("new against base: H1 accepted: 100"),
        "{report}"
    );
    assert!(
        games(&folder.path().join("matches/gain")).len() > 4,
        "{report}"
    );
    let test = run(
        folder.path(),
        &["sprt", "league.toml", "--to", "hyperqueue"],
    );
    assert_eq!(test.status.code(), Some(2));
    let said = text(&test.stderr);
    assert!(
        said.contains("league.toml: no rounds, expected --rounds with --to"),
        "{said}"
    );
}

/// The league file of the help is one, games lost by faults are told, and so is another question to the same
/// games.
#[test]
fn a_test_tells_faults_and_that_its_question_has_changed() {
    let help = run(Path::new("."), &["sprt", "--help"]);
    let file: String = text(&help.stdout)
        .lines()
        .skip_while(|line| !line.starts_with("  league = "))
        .take_while(|line| !line.is_empty())
        .map(|line| format!("{line}\n"))
        .collect();
    let file = file.replace("command = [\"./new\"]", "builtin = \"random\"");
    let file = file.replace("[\"./old\"]", "[\"sh\", \"-c\", \"exit\"]");
    let folder = folder_with(&file);
    let first = ["sprt", "league.toml", "--anyway", "--elo1", "150"];
    let test = run(folder.path(), &first);
    let report = text(&test.stdout);
    assert!(
        report.starts_with("new against old: H1 accepted: 150"),
        "{report} {}",
        text(&test.stderr)
    );
    assert!(
        report.contains("Lost by a fault, not by play: old "),
        "{report}"
    );
    assert!(!text(&run(folder.path(), &first).stderr).contains("warning: these games"));
    let other = run(
        folder.path(),
        &["sprt", "league.toml", "--anyway", "--elo1", "120"],
    );
    let said = text(&other.stderr);
    assert!(
        said.contains("warning: these games were begun as a test of elo0 0 and elo1 150"),
        "{said}"
    );
}

/// A test whose engines answer alike and begin alike ends, too, and says why.
#[test]
fn a_test_that_only_repeats_games_ends() {
    let alike = LEAGUE
        .replace("rounds = 200\n", "")
        .replace("hex = { random_plies = 1 }\n", "")
        .replace(
            "builtin = \"random\"",
            "builtin = \"pvs\"\noptions = { table_mb = 1 }",
        );
    let folder = folder_with(&alike);
    let test = run(folder.path(), &["sprt", "league.toml"]);
    let (report, said) = (text(&test.stdout), text(&test.stderr));
    assert_eq!(test.status.code(), Some(3), "{report} {said}");
    assert!(
        report.contains("games that repeat another, by engines that answer alike"),
        "{report}"
    );
    assert!(report.contains("\nPairs 1 by points"), "{report}");
    assert!(said.contains("undecided: 2"), "{said}");
    assert!(
        said.contains("warning: hex: the same two engines begin 1000 times"),
        "{said}"
    );
    let played = games(&folder.path().join("matches/gain")).len();
    assert!((22..40).contains(&played), "{played}");
    let again = run(folder.path(), &["sprt", "league.toml"]);
    assert_eq!(
        (again.status.code(), text(&again.stdout)),
        (Some(3), report)
    );
}

/// In a small game, an engine that moves at random repeats games by chance: they all count.
#[test]
fn games_that_chance_repeats_count() {
    let chance = LEAGUE
        .replace("size = 4", "size = 2")
        .replace("hex = { random_plies = 1 }\n", "")
        .replace("rounds = 200", "rounds = 20")
        .replace(
            "builtin = \"mcts\"\noptions = { table_mb = 1 }",
            "builtin = \"greedy\"",
        );
    let folder = folder_with(&chance);
    assert!(
        run(folder.path(), &["league", "league.toml"])
            .status
            .success()
    );
    let tables = run(
        folder.path(),
        &["standings", "matches/gain", "--format", "json"],
    );
    let tables: serde_json::Value = serde_json::from_str(text(&tables.stdout)).expect("JSON");
    let all = &tables["all"];
    assert_eq!((&all["games"], &all["pairs"]), (&40.into(), &20.into()));
    assert!(all["distinct_games"].as_u64().unwrap() < 40, "{all}");
    assert_eq!(all["forced_repeats"], 0, "{all}");
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

/// Two engines, a game and the hypotheses are enough.
#[test]
fn a_match_is_a_test() {
    let folder = folder_with("");
    let test = |more: &[&str]| {
        let words = [
            "match",
            "new=greedy",
            "old=random",
            "--game",
            "hex",
            "--variant",
            "{ size = 4 }",
            "--nodes",
            "20",
            "--random-plies",
            "1",
        ];
        run(folder.path(), &[&words, more].concat())
    };
    let played = test(&["--sprt", "0..100"]);
    let report = text(&played.stdout);
    assert!(
        report.starts_with("new against old: H1 accepted: 100"),
        "{report} {}",
        text(&played.stderr)
    );
    assert_eq!(played.status.code(), Some(0));
    // It ends when it has decided, not after ten games, and its log is a test's.
    let log = folder.path().join("matches/new-old-hex");
    assert!(games(&log).len() > 10, "{report}");
    let again = ["--sprt", "0..100", "--out", "matches/new-old-hex"];
    assert_eq!(
        text(&test(&again).stdout),
        report,
        "nothing is left to play"
    );

    let short = test(&[
        "--sprt=-1..0",
        "--games",
        "2",
        "--format",
        "json",
        "--out",
        "short",
    ]);
    assert_eq!(short.status.code(), Some(3), "{}", text(&short.stderr));
    let facts: serde_json::Value = serde_json::from_slice(&short.stdout).expect("JSON");
    assert_eq!(
        (facts["elo0"].as_f64(), facts["elo1"].as_f64()),
        (Some(-1.0), Some(0.0))
    );
    for (words, expected) in [
        (
            &["--sprt", "5"][..],
            "expected two Elo differences, such as 0..5",
        ),
        (
            &["--sprt", "5..0"],
            "elo0 5, elo1 0: expected elo0 below elo1",
        ),
        (
            &["--sprt", "0..5", "--format", "csv"],
            "--format csv of a test, expected text or json",
        ),
    ] {
        let refused = test(words);
        assert_eq!(refused.status.code(), Some(2));
        let said = text(&refused.stderr);
        assert!(said.contains(expected), "{said}");
    }
}
