//! Tournaments whose games depend on earlier results.

use std::collections::BTreeSet;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use gamelog::record::GameResult;
use serde_json::Value;

use crate::common::program::{folder_with, games, referee, run, text};

/// Every engine plays at random with the game's seed, so that each game always ends the same way.
const CUP: &str = r#"
[league]
name = "cup"
seed = 3
games = ["einstein", "dots-and-boxes"]
concurrency = 2

[[stage]]
name = "groups"
groups = 2
advance = 1
tie_breaks = ["head-to-head", "rapid"]

[[stage]]
name = "final"
format = "series"
meeting = { wins = 2 }

[clock]
base = "10s"

[rapid]
base = "5s"

[variant.dots-and-boxes]
columns = 2
rows = 2

[[engine]]
name = "a"
builtin = "random"
[[engine]]
name = "b"
builtin = "random"
[[engine]]
name = "c"
builtin = "random"
[[engine]]
name = "d"
builtin = "random"
"#;

#[test]
fn a_cup_can_be_resumed_anywhere() {
    let folder = folder_with(CUP);
    let say = |arguments: &[&str]| run(folder.path(), arguments);
    let whole = say(&["league", "league.toml", "--out", "whole"]);
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    let table = |log: &str| say(&["table", "league.toml", "--log", log, "--format", "json"]);
    let expected = table("whole");
    assert!(expected.status.success());
    assert!(text(&whole.stdout).contains("EinStein würfelt nicht!, final"));

    let log = fs::read_to_string(folder.path().join("whole/games.jsonl")).expect("a log");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let ids = |out: &str| -> BTreeSet<String> {
        games(&folder.path().join(out))
            .into_iter()
            .map(|game| game.id)
            .collect()
    };
    for (out, kept) in [("early", 3), ("late", lines.len() - 1)] {
        let place = folder.path().join(out);
        fs::create_dir(&place).expect("a folder");
        fs::write(place.join("games.jsonl"), lines[..kept].concat()).expect("a part of the log");
        assert_eq!(table(out).status.code(), Some(1), "games are missing");
        assert!(
            say(&["league", "league.toml", "--out", out])
                .status
                .success()
        );
        assert_eq!(ids(out), ids("whole"));
        assert_eq!(text(&table(out).stdout), text(&expected.stdout));
    }
    let again = say(&["league", "league.toml", "--out", "whole"]);
    assert!(
        text(&again.stderr).contains(": 0 games to play now, "),
        "{}",
        text(&again.stderr)
    );
}

#[test]
fn a_rapid_game_has_its_own_clock() {
    // With this seed and two boxes, engines are tied.
    let drawn = CUP.replace("columns = 2\nrows = 2", "columns = 1\nrows = 2");
    let folder = folder_with(&drawn.replace("\"einstein\", ", ""));
    let done = run(folder.path(), &["league", "league.toml", "--out", "out"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let games = games(&folder.path().join("out"));
    let rapid = games.iter().filter(|game| game.stage.ends_with(" rapid"));
    let bases: BTreeSet<_> = rapid
        .map(|game| game.clock.base.map(|base| base.as_secs()))
        .collect();
    assert_eq!(
        bases,
        BTreeSet::from([Some(5)]),
        "there are ties, and they are played for"
    );
}

#[test]
fn a_meeting_can_have_one_clock_for_all_its_games() {
    let league = "[league]\nname = \"match\"\ngames = [\"einstein\"]\nformat = \"series\"\n\
                  [clock]\nbase = \"2s\"\nmatch = true\n\
                  [[engine]]\nname = \"a\"\nbuiltin = \"pvs\"\n\
                  [[engine]]\nname = \"b\"\nbuiltin = \"mcts\"\n";
    let folder = folder_with(league);
    // The league is stopped and resumed between games; the clocks continue unchanged.
    let log = folder.path().join("out/games.jsonl");
    for _ in 0..2 {
        let done = run(folder.path(), &["league", "league.toml", "--out", "out"]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        let all = fs::read_to_string(&log).expect("a log");
        let first_two: Vec<&str> = all.split_inclusive('\n').take(2).collect();
        fs::write(&log, first_two.concat()).expect("the log is cut");
    }
    let done = run(folder.path(), &["league", "league.toml", "--out", "out"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let games = games(&folder.path().join("out"));
    assert!(games.len() >= 4);
    assert_eq!(games[0].carried_us, None);
    for pair in games.windows(2) {
        let mut left = pair[0].left_us().expect("time is kept");
        if pair[0].first.name != pair[1].first.name {
            left.reverse();
        }
        assert_eq!(pair[1].carried_us, Some(left), "{}", pair[1].id);
    }
    let verify = run(folder.path(), &["verify", "out"]);
    assert!(verify.status.success(), "{}", text(&verify.stdout));
}

#[test]
fn games_that_depend_on_results_cannot_be_split() {
    let folder = folder_with(CUP);
    let shard = run(folder.path(), &["league", "league.toml", "--shard", "1/2"]);
    assert_eq!(shard.status.code(), Some(2));
    let message = text(&shard.stderr);
    assert!(
        message.contains("a part of a league whose games depend on results"),
        "{message}"
    );
    let test = CUP.replace("[[engine]]\nname = \"c\"\nbuiltin = \"random\"\n", "");
    let test = test.replace("[[engine]]\nname = \"d\"\nbuiltin = \"random\"\n", "");
    let test = test.replace("groups = 2\nadvance = 1", "advance = 2");
    fs::write(folder.path().join("league.toml"), test).expect("a league file");
    let sprt = run(folder.path(), &["sprt", "league.toml"]);
    assert_eq!(sprt.status.code(), Some(2));
    assert!(
        text(&sprt.stderr).contains("depend on results"),
        "{}",
        text(&sprt.stderr)
    );
}

/// A Swiss of random engines with these names and, in their tables, these keys.
fn swiss(engines: &[(&str, &str)]) -> String {
    let engine = |(name, keys): &(&str, &str)| {
        format!("[[engine]]\nname = \"{name}\"\nbuiltin = \"random\"\n{keys}\n")
    };
    let engines: String = engines.iter().map(engine).collect();
    format!(
        "[league]\nname = \"swiss\"\nseed = 3\ngames = [\"hex\"]\nformat = \"swiss\"\nrounds = 5\n\
         [variant.hex]\nsize = 5\n[clock]\nnodes = 1\n{engines}"
    )
}

/// After round 2 of 5 one engine leaves, and another one enters; then the league is killed.
#[test]
fn a_swiss_goes_on_with_other_engines_after_two_rounds() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let engines: Vec<(&str, &str)> = names.iter().map(|&name| (name, "")).collect();
    let folder = folder_with(&swiss(&engines));
    let say = |arguments: &[&str]| run(folder.path(), arguments);
    let begun = say(&["league", "league.toml", "--rounds", "2"]);
    assert!(begun.status.success(), "{}", text(&begun.stderr));
    let log = folder.path().join("matches/swiss");
    let before: BTreeSet<String> = games(&log).into_iter().map(|game| game.id).collect();
    assert_eq!(before.len(), 2 * 3 * 2);

    let mut engines = engines;
    engines[2].1 = "until = 2";
    engines.push(("late", "from = 3"));
    fs::write(folder.path().join("league.toml"), swiss(&engines)).expect("a file");
    for wait in [100, 200, 300] {
        let mut league = referee(folder.path(), &["league", "league.toml"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(wait));
        league.kill().expect("it is a child");
        league.wait().expect("it ends");
    }
    let ended = say(&["league", "league.toml"]);
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    assert!(
        !text(&ended.stderr).contains("not in this league file"),
        "{}",
        text(&ended.stderr)
    );
    let all = games(&log);
    let ids: BTreeSet<String> = all.iter().map(|game| game.id.clone()).collect();
    assert_eq!((all.len(), ids.len()), (5 * 3 * 2, 5 * 3 * 2));
    assert!(ids.is_superset(&before), "nothing is played again");
    let rounds = |name: &str| -> BTreeSet<u32> {
        let own = all
            .iter()
            .filter(|game| [&game.first.name, &game.second.name].contains(&&name.to_owned()));
        own.map(|game| game.round).collect()
    };
    assert_eq!(rounds("c"), BTreeSet::from([1, 2]));
    assert_eq!(rounds("late"), BTreeSet::from([3, 4, 5]));

    let table = say(&["table", "league.toml", "--format", "json"]);
    assert_eq!(table.status.code(), Some(0));
    let table: Value = serde_json::from_slice(&table.stdout).expect("JSON");
    let places = table[0]["places"].as_array().expect("places");
    let sum = |key: &str| {
        places
            .iter()
            .map(|place| place[key].as_u64().expect("points"))
            .sum::<u64>()
    };
    assert_eq!(sum("points"), 2 * 30);
    assert_eq!(sum("given"), 0);
    let shown = say(&["table", "league.toml"]);
    let shown = text(&shown.stdout);
    assert!(
        shown.contains("left after round 2") && shown.contains("from round 3"),
        "{shown}"
    );
}

#[test]
fn byes_and_walkovers_stand_in_the_tables() {
    let names = ["a", "b", "c", "d", "e"];
    let engines: Vec<(&str, &str)> = names.iter().map(|&name| (name, "")).collect();
    let folder = folder_with(&swiss(&engines));
    let say = |arguments: &[&str]| run(folder.path(), arguments);
    assert!(say(&["league", "league.toml"]).status.success());
    let shown = say(&["table", "league.toml"]);
    let shown = text(&shown.stdout);
    assert!(shown.contains("without a game"), "{shown}");
    assert_eq!(shown.matches("bye\n").count(), 5, "{shown}");
    let knockout = swiss(&[("a", ""), ("b", "until = 0"), ("c", ""), ("d", "")])
        .replace("format = \"swiss\"\nrounds = 5", "format = \"knockout\"");
    fs::write(folder.path().join("league.toml"), knockout).expect("a file");
    assert!(
        say(&["league", "league.toml", "--out", "cup"])
            .status
            .success()
    );
    let shown = say(&["table", "league.toml", "--log", "cup"]);
    let shown = text(&shown.stdout);
    assert!(shown.contains("walkover: 4 points for c"), "{shown}");
}

#[test]
fn a_game_that_is_not_played_is_decided_by_a_person() {
    let folder = folder_with(&swiss(&[("a", ""), ("b", ""), ("c", ""), ("d", "")]));
    let say = |arguments: &[&str]| run(folder.path(), arguments);
    assert!(
        say(&["league", "league.toml", "--rounds", "1"])
            .status
            .success()
    );
    let plan = say(&["table", "league.toml"]);
    assert!(text(&plan.stdout).contains("in progress"));
    let decide = |rest: &[&str]| {
        let why = ["--by", "Chief arbiter", "--why", "power failure"];
        say(&[&["decide", "league.toml"], rest, &why].concat())
    };
    // Which games of round 2 are due depends on round 1.
    let all = decide(&["hex-r2", "--draw"]);
    let said = text(&all.stderr).to_owned();
    assert_eq!(all.status.code(), Some(2), "{said}");
    let id = said
        .split("which game? ")
        .nth(1)
        .expect("names")
        .split(',')
        .next()
        .expect("one")
        .to_owned();
    let [_, _, first, ..] = id.split('-').collect::<Vec<_>>()[..] else {
        panic!("{id}")
    };
    let log = folder.path().join("matches/swiss");
    for (arguments, expected) in [
        (
            &[&*id, "--winner", "nobody"][..],
            "--winner nobody: expected ",
        ),
        (&["hex-r9", "--draw"], "no game that is due"),
    ] {
        let refused = decide(arguments);
        assert_eq!(refused.status.code(), Some(2));
        assert!(
            text(&refused.stderr).contains(expected),
            "{}",
            text(&refused.stderr)
        );
    }
    assert_eq!(games(&log).len(), 4, "nothing is written");
    let decided = decide(&[&id, "--winner", first]);
    assert!(decided.status.success(), "{}", text(&decided.stderr));
    let again = decide(&[&id, "--draw"]);
    assert!(
        text(&again.stderr).contains("it has a result"),
        "{}",
        text(&again.stderr)
    );
    // The tournament goes on from it, and ratings do not count it.
    let ended = say(&["league", "league.toml"]);
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    let all = games(&log);
    assert_eq!(all.len(), 5 * 2 * 2);
    let one = all
        .iter()
        .find(|game| game.id == id)
        .expect("it is in the log");
    assert_eq!(
        (one.result, one.detail.as_str()),
        (GameResult::First, "power failure (Chief arbiter)")
    );
    let table = say(&["table", "league.toml", "--format", "json"]);
    let table: Value = serde_json::from_slice(&table.stdout).expect("JSON");
    let points = table[0]["places"].as_array().expect("places").iter();
    assert_eq!(
        points
            .map(|place| place["points"].as_u64().expect("points"))
            .sum::<u64>(),
        2 * 20
    );
    let standings = say(&["standings", "matches/swiss"]);
    let standings = text(&standings.stdout);
    assert!(standings.starts_with("Hex: 19 games\n"), "{standings}");
    assert!(
        standings.contains("1 game decided by a person: not counted in these tables"),
        "{standings}"
    );
    let verified = say(&["verify", "matches/swiss"]);
    assert!(verified.status.success(), "{}", text(&verified.stdout));
    // It can be taken back, but not with those of a failure.
    assert_eq!(
        say(&["drop", "matches/swiss", "--all"]).status.code(),
        Some(0)
    );
    assert_eq!(games(&log).len(), 20);
    assert!(say(&["drop", "matches/swiss", &id]).status.success());
    assert_eq!(games(&log).len(), 19);
}
