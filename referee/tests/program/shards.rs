//! A league that is played in parts and merged.

use std::collections::BTreeSet;
use std::fs;

use crate::common::program::{folder_with, games, ids, run, text};

const LEAGUE: &str = r#"
[league]
name = "parts"
games = ["hex", "dots-and-boxes"]
rounds = 3
seed = 7

[clock]
nodes = 20

[variant.hex]
size = 4

[variant.dots-and-boxes]
columns = 2
rows = 2

[[engine]]
name = "mcts"
builtin = "mcts"
options = { table_mb = 1 }

[[engine]]
name = "random"
builtin = "random"
"#;

#[test]
fn parts_of_a_league_are_merged() {
    let folder = folder_with(LEAGUE);
    let say = |arguments: &[&str]| run(folder.path(), arguments);
    let plan = say(&["plan", "league.toml"]);
    let planned: BTreeSet<String> = text(&plan.stdout).lines().map(str::to_owned).collect();
    assert_eq!(planned.len(), 12);

    let shard = say(&["league", "league.toml", "--shard", "1/2", "--out", "one"]);
    assert!(shard.status.success());
    // A part appended to another log: its games belong to the same league.
    fs::create_dir(folder.path().join("both")).expect("a folder");
    fs::copy(
        folder.path().join("one/games.jsonl"),
        folder.path().join("both/games.jsonl"),
    )
    .expect("a log");
    let other = say(&["league", "league.toml", "--shard", "2/2", "--out", "both"]);
    // But that it has no openings.
    let is_other = |line: &&str| line.contains("warning") && !line.contains("at the same position");
    let warnings: Vec<&str> = text(&other.stderr).lines().filter(is_other).collect();
    assert!(warnings.is_empty(), "{warnings:?}");
    let merge = ["merge", "one", "--out", "all", "--league", "league.toml"];
    let merged = say(&merge);
    assert_eq!(merged.status.code(), Some(1), "half is missing");
    let missing = text(&merged.stdout).to_owned();
    assert_eq!(missing.lines().count(), 6);

    fs::write(folder.path().join("rest"), missing).expect("a file");
    let rest = say(&["league", "league.toml", "--only", "@rest", "--out", "two"]);
    assert!(rest.status.success(), "{}", text(&rest.stderr));
    let merge = [
        "merge",
        "two",
        "one",
        "--out",
        "all",
        "--league",
        "league.toml",
    ];
    assert!(say(&merge).status.success());
    let all = folder.path().join("all");
    let once = fs::read(all.join("games.jsonl")).expect("a log");
    let merged = games(&all);
    let ids: BTreeSet<String> = ids(&merged).into_iter().map(str::to_owned).collect();
    assert_eq!((merged.len(), ids), (12, planned));

    // Merged again, and into another folder in another order: the same bytes.
    assert!(say(&merge).status.success());
    assert_eq!(fs::read(all.join("games.jsonl")).expect("a log"), once);
    assert!(
        say(&["merge", "one", "two", "--out", "other"])
            .status
            .success()
    );
    assert_eq!(
        fs::read(folder.path().join("other/games.jsonl")).expect("a log"),
        once
    );
    assert!(say(&["verify", "all"]).status.success());
}

#[test]
fn contradicting_records_do_not_count() {
    let folder = folder_with(LEAGUE);
    let say = |arguments: &[&str]| run(folder.path(), arguments);
    for out in ["one", "two"] {
        let part = ["league", "league.toml", "--shard", "1/6", "--out", out];
        assert!(say(&part).status.success());
    }
    // The same games, played at another time.
    let merged = say(&["merge", "one", "two", "--out", "all"]);
    assert_eq!(merged.status.code(), Some(1));
    let message = text(&merged.stderr);
    assert!(
        message.contains(": attempts differ: one/games.jsonl:1, two/games.jsonl:1"),
        "{message}"
    );
    assert!(message.contains("until --prefer FOLDER"), "{message}");
    assert_eq!(games(&folder.path().join("all")).len(), 0);

    // With --keep-first those of the log that is given first count, whatever it says of its time.
    for (logs, out) in [(["one", "two"], "ab"), (["two", "one"], "ba")] {
        let merged = say(&["merge", logs[0], logs[1], "--keep-first", "--out", out]);
        assert!(merged.status.success(), "{}", text(&merged.stderr));
        assert!(text(&merged.stderr).contains("2 games more than once; the record that was"));
        assert_eq!(
            fs::read(folder.path().join(out).join("games.jsonl")).expect("a log"),
            fs::read(folder.path().join(logs[0]).join("games.jsonl")).expect("a log")
        );
    }
}

#[test]
fn parts_of_another_league_are_refused() {
    let folder = folder_with(LEAGUE);
    for (part, expected) in [
        (
            ["--only", "hex-r1-x"],
            "game \"hex-r1-x\" is not in the plan",
        ),
        (["--only", "@nothing"], "--only @nothing: No such file"),
        (["--shard", "3/2"], "expected I/N with 1 ≤ I ≤ N"),
    ] {
        let mut arguments = vec!["league", "league.toml"];
        arguments.extend(part);
        let refused = run(folder.path(), &arguments);
        assert_eq!(refused.status.code(), Some(2));
        assert!(
            text(&refused.stderr).contains(expected),
            "{}",
            text(&refused.stderr)
        );
        assert!(!folder.path().join("matches").exists());
    }
}
