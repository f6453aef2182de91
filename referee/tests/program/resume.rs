//! A league that is killed again and again has the same result as one that is not.

use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::SLACK;
use crate::common::program::{folder_with, games, ids, referee, run, text};

/// The environment variable with the number of kills; without it, a few.
const KILLS: &str = "REFEREE_TEST_KILLS";

/// Deterministic games of three engines: fixed nodes, one thread.
const LEAGUE: &str = r#"
[league]
name = "killed"
games = ["hex", "dots-and-boxes"]
rounds = 40
seed = 7
concurrency = 2

[clock]
nodes = 400

[variant.hex]
size = 5

[variant.dots-and-boxes]
columns = 3
rows = 3

[openings]
hex = { random_plies = 1 }
dots-and-boxes = { random_plies = 2 }

[[engine]]
name = "pvs"
builtin = "pvs"
options = { table_mb = 1 }

[[engine]]
name = "mcts"
builtin = "mcts"
options = { table_mb = 1 }

[[engine]]
name = "greedy"
builtin = "greedy"
"#;

/// Planned games: two games, three pairs, both sides, forty rounds.
const PLANNED: usize = 2 * 3 * 2 * 40;

/// Processes with their working directory in `folder`.
fn processes_in(folder: &std::path::Path) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").expect("Linux tells of processes");
    let inside = |process: &std::path::Path| {
        std::fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder))
    };
    (processes.flatten())
        .map(|process| process.path())
        .filter(|process| inside(process))
        .map(|process| process.display().to_string())
        .collect()
}

fn files_in(folder: &std::path::Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("the folder");
    (files.flatten())
        .map(|file| file.path().display().to_string())
        .collect()
}

#[test]
fn a_league_killed_again_and_again_has_the_same_result() {
    let kills = std::env::var(KILLS).map_or(5, |kills| kills.parse().expect("a number"));
    let folder = folder_with(LEAGUE);
    let engines = tempfile::tempdir().expect("a folder");
    for kill in 0..kills {
        let mut league = referee(folder.path(), &["league", "league.toml"])
            .env("TMPDIR", engines.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(5 + 37 * kill % 60));
        let ended = league.try_wait().expect("it is a child");
        assert!(
            ended.is_none(),
            "the league is too short to be killed {kills} times"
        );
        kill_process(Pid::from_child(&league), Signal::KILL).expect("it is not reaped");
        league.wait().expect("it ends");
    }
    let killed = run(folder.path(), &["league", "league.toml"]);
    assert!(killed.status.success(), "{}", text(&killed.stderr));
    let out = folder.path().join("matches/killed");
    let logged = games(&out);
    assert_eq!((logged.len(), ids(&logged).len()), (PLANNED, PLANNED));

    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let left = [
            processes_in(folder.path()),
            processes_in(engines.path()),
            files_in(engines.path()),
        ]
        .concat();
        if left.is_empty() {
            break;
        }
        assert!(Instant::now() < deadline, "{left:?} are left");
        std::thread::sleep(Duration::from_millis(20));
    }

    let undisturbed = run(
        folder.path(),
        &["league", "league.toml", "--out", "undisturbed"],
    );
    assert!(undisturbed.status.success());
    let results = |out: &std::path::Path| {
        let mut results: Vec<_> = (games(out).into_iter())
            .map(|game| {
                let turns: Vec<_> = game.turns.into_iter().map(|turn| turn.text).collect();
                (game.id, game.result, turns)
            })
            .collect();
        results.sort_by(|a, b| a.0.cmp(&b.0));
        results
    };
    assert_eq!(results(&out), results(&folder.path().join("undisturbed")));
}

/// Games of EinStein at random: each takes no time, and shows its dice.
const DICE: &str = r#"
[league]
name = "dice"
games = ["einstein"]
rounds = 20

[clock]
nodes = 1

[[engine]]
name = "a"
builtin = "random"

[[engine]]
name = "b"
builtin = "random"
"#;

#[test]
fn a_league_without_a_seed_keeps_a_secret_until_it_has_ended() {
    let folder = folder_with(DICE);
    let secret = |out: &str| {
        let file = folder.path().join(out).join("seed");
        std::fs::read_to_string(file).expect("a seed beside the log")
    };
    let tables = |out: &str| {
        let file = folder.path().join(out).join("standings.txt");
        std::fs::read_to_string(file).unwrap_or_default()
    };
    let league = |league: &str, out: &str| {
        let done = run(folder.path(), &["league", league, "--out", out]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stderr).to_owned()
    };

    // Killed after its first games, it goes on with the same seed.
    let mut killed = referee(folder.path(), &["league", "league.toml", "--out", "one"])
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let log = folder.path().join("one/games.jsonl");
    let begun = Instant::now();
    while std::fs::metadata(&log).map_or(0, |log| log.len()) == 0 {
        assert!(begun.elapsed() < SLACK, "no game within {SLACK:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&killed), Signal::KILL).expect("it is not reaped");
    killed.wait().expect("it ends");
    let seed = secret("one");
    assert_eq!(seed.len(), 65);
    // On a busy machine the league may have ended before it was killed.
    let played = std::fs::read(&log).expect("a log");
    let played = played.iter().filter(|&&byte| byte == b'\n').count();
    assert!(played == 40 || tables("one").is_empty(), "{played} games");
    let said = league("league.toml", "one");
    assert_eq!(secret("one"), seed);
    assert!(!said.contains(seed.trim_end()), "{said}");
    let sum = format!("{:x}", <sha2::Sha256 as sha2::Digest>::digest(&seed));
    assert!(said.contains(&sum), "{said}");
    assert!(tables("one").contains(seed.trim_end()) && tables("one").contains(&sum));
    let one = games(&folder.path().join("one"));
    assert_eq!(one.len(), 40);

    // Another run has another seed; the seed in a league file plays the same games again.
    league("league.toml", "two");
    assert_ne!(secret("two"), seed);
    let two = games(&folder.path().join("two"));
    assert!(ids(&one).is_disjoint(&ids(&two)));
    let given = format!("name = \"dice\"\nseed = \"{}\"", seed.trim_end());
    let given = DICE.replace("name = \"dice\"", &given);
    std::fs::write(folder.path().join("again.toml"), given).expect("a file");
    league("again.toml", "again");
    assert!(!folder.path().join("again/seed").exists());
    assert_eq!(ids(&one), ids(&games(&folder.path().join("again"))));
}

#[test]
fn games_are_not_planned_before_their_seed_is_known() {
    let folder = folder_with(DICE);
    for arguments in [
        &["league", "league.toml", "--shard", "1/2"][..],
        &["merge", "none", "--out", "out", "--league", "league.toml"],
    ] {
        let refused = run(folder.path(), arguments);
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(
            said.contains("league.toml: no seed") && said.contains("seed = "),
            "{said}"
        );
    }
    // What does not follow from it is known.
    let early = run(folder.path(), &["plan", "league.toml"]);
    assert!(text(&early.stderr).contains("no seed has been drawn yet"));
    let table = run(folder.path(), &["table", "league.toml"]);
    assert_eq!(table.status.code(), Some(1), "{}", text(&table.stderr));
    assert!(
        text(&table.stdout).contains("in progress"),
        "{}",
        text(&table.stdout)
    );
    let json = run(folder.path(), &["plan", "league.toml", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(
        (&json[0]["id"], &json[0]["round"]),
        (&serde_json::Value::Null, &1.into())
    );
    let played = run(folder.path(), &["league", "league.toml"]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    let planned = run(folder.path(), &["plan", "league.toml"]);
    let planned: Vec<&str> = text(&planned.stdout).lines().collect();
    let known: std::collections::BTreeSet<&str> = planned.iter().copied().collect();
    assert_eq!(known, ids(&games(&folder.path().join("matches/dice"))));
    let without = |id: &&str| format!("{}-?", id.rsplit_once('-').expect("digits").0);
    let early: Vec<&str> = text(&early.stdout).lines().collect();
    assert_eq!(early, planned.iter().map(without).collect::<Vec<_>>());
}
