//! `referee openings`, and who plays what it finds.

use std::fs;

use crate::common::program::{folder_with, games, run, text};

const LEAGUE: &str = r#"
[league]
name = "l"
games = ["hex"]
rounds = 3

[clock]
nodes = 1

[variant.hex]
size = 4

[openings.hex]
file = "hex.txt"

[[engine]]
name = "a"
builtin = "random"

[[engine]]
name = "b"
builtin = "greedy"
"#;

const MAKE: [&str; 8] = [
    "openings",
    "hex",
    "--variant",
    "{ size = 4 }",
    "--near",
    "0..100",
    "--count",
    "3",
];

#[test]
fn openings_are_found_and_played_by_a_league() {
    let folder = folder_with(LEAGUE);
    let make = [&MAKE[..], &["--nodes", "50", "--out", "hex.txt"]].concat();
    let made = run(folder.path(), &make);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let file = fs::read_to_string(folder.path().join("hex.txt")).expect("a file");
    let lines: Vec<&str> = file.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 3, "{file}");
    assert!(lines.iter().all(|line| line.ends_with(" %")), "{file}");
    assert!(file.starts_with("# 3 openings of hex {\""), "{file}");
    // By nodes, they are the same again.
    let again = [&MAKE[..], &["--nodes", "50", "--cores", "1"]].concat();
    let again = run(folder.path(), &again);
    assert!(!text(&again.stderr).contains("warning"));
    let few = [&MAKE[..], &["--nodes", "10"]].concat();
    let few = run(folder.path(), &few);
    let said = text(&few.stderr);
    assert!(said.contains("warning: --nodes 10 is no search"), "{said}");
    let again = text(&again.stdout);
    let found: Vec<&str> = again
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert_eq!(found, lines);
    // The figures of what is written.
    let both = [
        &MAKE[..],
        &["--nodes", "50", "--out", "two.txt", "--format", "json"],
    ]
    .concat();
    let facts: serde_json::Value =
        serde_json::from_str(text(&run(folder.path(), &both).stdout)).expect("JSON");
    assert_eq!(facts["openings"].as_array().map(Vec::len), Some(3));
    let two = fs::read_to_string(folder.path().join("two.txt")).expect("a file");
    assert!(lines.iter().all(|line| two.contains(line)), "{two}");
    // Nothing is overwritten.
    let refused = run(folder.path(), &make);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--out hex.txt: it exists, expected a new file"));

    assert!(
        run(folder.path(), &["league", "league.toml"])
            .status
            .success()
    );
    let log = games(&folder.path().join("matches/l"));
    assert_eq!(log.len(), 6);
    for game in log {
        let known = lines
            .iter()
            .any(|line| line.starts_with(&format!("{} #", game.opening)));
        assert!(known, "{}", game.opening);
    }
}

#[test]
fn too_few_openings_are_written_and_told() {
    let folder = folder_with("");
    let few = [
        "openings",
        "hex",
        "--variant",
        "{ size = 3 }",
        "--plies",
        "1",
        "--nodes",
        "5000",
        "--format",
        "json",
    ];
    let found = run(folder.path(), &few);
    assert_eq!(found.status.code(), Some(1));
    let facts: serde_json::Value = serde_json::from_str(text(&found.stdout)).expect("JSON");
    assert_eq!(
        (&facts["judged"], facts["openings"].as_array().map(Vec::len)),
        (&5.into(), Some(0))
    );
    let said = text(&found.stderr);
    assert!(
        said.contains("0 openings instead of 48: widen --near, or give more --plies"),
        "{said}"
    );
}

#[test]
fn starts_that_end_the_game_are_no_openings() {
    let folder = folder_with("");
    let found = run(
        folder.path(),
        &["openings", "tic-tac-toe", "--plies", "9", "--nodes", "2"],
    );
    assert_eq!(found.status.code(), Some(1));
    let said = text(&found.stderr);
    assert!(
        said.contains("0 openings instead of 48: no start of so many actions leaves a game"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_found_is_refused() {
    let folder = folder_with("");
    for (arguments, expected) in [
        (
            &["openings", "chess"][..],
            "game \"chess\", expected one of",
        ),
        (
            &["openings", "hex", "--near", "60..40"],
            "expected two chances from 0 to 100, the smaller first, such as 40..60",
        ),
        (
            &["openings", "hex", "--near", "60"],
            "expected two chances from 0 to 100",
        ),
        (
            &["openings", "hex", "--variant", "{ size = 99 }"],
            "--variant: ",
        ),
        (
            &["openings", "einstein", "--plies", "3"],
            "a roll is due after 2 actions of einstein, expected --plies 2 or fewer",
        ),
    ] {
        let refused = run(folder.path(), arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        let said = text(&refused.stderr);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

/// A match begins with what is shipped, or at random where nothing is; a test, too, if it has not begun
/// otherwise.
#[test]
fn matches_and_tests_begin_with_shipped_openings() {
    let folder = folder_with("");
    let opening = |arguments: &[&str]| {
        let all = [
            &[
                "match", "random", "greedy", "--nodes", "1", "--games", "2", "--out",
            ],
            arguments,
        ]
        .concat();
        let played = run(folder.path(), &all);
        assert!(
            played.status.success(),
            "{arguments:?}: {}",
            text(&played.stderr)
        );
        let opening = games(&folder.path().join(arguments[0]))[0].opening.clone();
        (opening, text(&played.stderr).to_owned())
    };
    let shipped = include_str!("../../../configs/openings/balanced/surakarta.txt");
    let (first, said) = opening(&["one", "--game", "surakarta"]);
    assert!(
        said.contains("balanced openings, which are shipped"),
        "{said}"
    );
    assert!(shipped.contains(&format!("\n{first} #")), "{first}");
    let (small, said) = opening(&["two", "--game", "hex", "--variant", "{ size = 5 }"]);
    assert!(
        said.contains("2 random actions: no balanced openings are shipped"),
        "{said}"
    );
    assert_eq!(small.split(' ').count(), 2, "{small}");
    assert_eq!(
        opening(&["three", "--game", "surakarta", "--random-plies", "0"]).0,
        ""
    );
    assert_eq!(opening(&["four", "--game", "einstein"]).0, "");

    let league = LEAGUE
        .replace("games = [\"hex\"]", "games = [\"surakarta\"]")
        .replace(
            "[variant.hex]\nsize = 4\n\n[openings.hex]\nfile = \"hex.txt\"\n",
            "",
        );
    fs::write(folder.path().join("t.toml"), &league).expect("it is written");
    let test = run(folder.path(), &["sprt", "t.toml", "--out", "fresh"]);
    assert!(text(&test.stderr).contains("surakarta: the file has no openings; the balanced ones"));
    assert!(
        games(&folder.path().join("fresh"))
            .iter()
            .all(|game| !game.opening.is_empty())
    );
    // A league that was begun without openings goes on without.
    let begun = run(
        folder.path(),
        &["league", "t.toml", "--rounds", "1", "--out", "old"],
    );
    assert!(begun.status.success());
    run(folder.path(), &["sprt", "t.toml", "--out", "old"]);
    assert!(
        games(&folder.path().join("old"))
            .iter()
            .all(|game| game.opening.is_empty())
    );
}
