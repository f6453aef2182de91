//! Merging logs of shards that lie.

use std::fs;
use std::path::Path;

use gamelog::record::{GameRecord, GameResult, Reason};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use task::pace::Pace;

use crate::common::program::{
    folder_with, games, ids, make_executable, referee, run, text, without_sums,
};

/// Four games.
const LEAGUE: &str = r#"
[league]
name = "forged"
games = ["hex"]
rounds = 2
seed = 7

[clock]
nodes = 20

[variant.hex]
size = 4

[[engine]]
name = "mcts"
builtin = "mcts"
options = { table_mb = 1 }

[[engine]]
name = "random"
builtin = "random"
"#;

/// A folder with the league, played in `real`.
fn played(league: &str) -> tempfile::TempDir {
    let folder = folder_with(league);
    let played = run(
        folder.path(),
        &["league", "league.toml", "--out", "real", "-q"],
    );
    assert!(played.status.success(), "{}", text(&played.stderr));
    folder
}

/// Writes a log of these games, with sound checksums.
fn write(folder: &Path, games: &[GameRecord]) {
    let lines = games.iter().map(|game| gamelog::line(game).expect("JSON"));
    fs::create_dir_all(folder).expect("a folder");
    let path = folder.join(gamelog::FILE_NAME);
    fs::write(path, lines.collect::<Vec<_>>().concat()).expect("a log");
}

/// Merges by the plan. Returns the exit status and what was said.
fn merge(folder: &Path, logs: &[&str]) -> (Option<i32>, String) {
    let fixed = ["--out", "all", "--league", "league.toml"];
    let output = run(folder, &[&["merge"], logs, &fixed].concat());
    (output.status.code(), text(&output.stderr).to_owned())
}

/// What the last merge has set aside.
fn aside(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("all/games.jsonl.aside")).unwrap_or_default();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// The games with the other result, as if they had begun long before.
fn invented(games: &[GameRecord]) -> Vec<GameRecord> {
    let mut games = games.to_vec();
    for game in &mut games {
        game.started = Timestamp::UNIX_EPOCH;
        game.result = match game.result {
            GameResult::First => GameResult::Second,
            _ => GameResult::First,
        };
    }
    games
}

#[test]
fn what_is_merged_is_never_replaced() {
    let folder = played(LEAGUE);
    let at = folder.path();
    write(&at.join("lies"), &invented(&games(&at.join("real"))));
    assert_eq!(merge(at, &["real"]).0, Some(0));
    let merged = fs::read(at.join("all/games.jsonl")).expect("a log");
    for more in [&[][..], &["--keep-first"], &["--prefer", "lies"]] {
        let (status, said) = merge(at, &[&["lies", "real"], more].concat());
        assert_eq!(status, Some(0), "{said}");
        assert!(said.contains("4 games more than once"), "{said}");
        assert_eq!(fs::read(at.join("all/games.jsonl")).expect("a log"), merged);
    }

    // A shard cannot give up the games of another one.
    let dropped = run(at, &["drop", "real", &games(&at.join("real"))[0].id]);
    assert_eq!(dropped.status.code(), Some(2), "no fault, no drop");
    let real = fs::read_to_string(at.join("real/games.jsonl")).expect("a log");
    let line = real.lines().next().expect("a game");
    let id = &games(&at.join("real"))[0].id;
    fs::write(at.join("lies/games.jsonl"), mark(id, line)).expect("a log");
    assert_eq!(merge(at, &["lies"]).0, Some(0));
    assert_eq!(fs::read(at.join("all/games.jsonl")).expect("a log"), merged);
    // Without a plan neither.
    let output = run(at, &["merge", "lies", "--out", "all"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(fs::read(at.join("all/games.jsonl")).expect("a log"), merged);
}

/// Whoever supplies a folder may put into it what can be opened and never ends.
#[test]
fn a_log_that_is_no_plain_file_is_refused_at_once() {
    let folder = played(LEAGUE);
    let at = folder.path();
    fs::create_dir(at.join("pipe")).expect("a folder");
    let pipe = at.join("pipe/games.jsonl");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    fs::create_dir(at.join("zero")).expect("a folder");
    std::os::unix::fs::symlink("/dev/zero", at.join("zero/games.jsonl")).expect("a link");
    for log in ["pipe", "zero"] {
        for more in [&[][..], &["--league", "league.toml"]] {
            let output = run(
                at,
                &[&["merge", "real", log, "--out", "all"], more].concat(),
            );
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains("not a plain file, expected a log"), "{said}");
        }
    }
    // What is written through a link is in another file.
    fs::create_dir(at.join("out")).expect("a folder");
    fs::write(at.join("precious"), "one line\n").expect("a file");
    std::os::unix::fs::symlink("../precious", at.join("out/games.jsonl")).expect("a link");
    for command in [
        &["merge", "real", "--out", "out"][..],
        &["league", "league.toml", "--out", "out"],
    ] {
        let output = run(at, command);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("a symbolic link, expected"), "{said}");
    }
    assert_eq!(
        fs::read_to_string(at.join("precious")).expect("a file"),
        "one line\n"
    );
}

/// A line that gives up a game, as earlier versions wrote it.
fn mark(id: &str, line: &str) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(line);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{{\"dropped\":\"{id}\",\"sha256\":\"{digest}\"}}\n")
}

#[test]
fn games_that_were_not_played_as_planned_are_set_aside_and_named() {
    type Forge = fn(&mut GameRecord);
    let forgeries: [(Forge, &str); 11] = [
        (
            |game| game.reason = Reason::Decided,
            "no game of a league ends like this",
        ),
        (
            |game| game.result = GameResult::Unfinished,
            "no game of a league ends like this",
        ),
        (|game| game.seed += 1, "seed is "),
        (
            |game| game.opening = "a1".into(),
            "opening is \"a1\", expected \"\"",
        ),
        (
            |game| game.second.build = "0".repeat(16),
            "was another build, 0000000000000000",
        ),
        (|game| game.first.build.clear(), "is absent"),
        (
            |game| drop(game.first.options.insert("table_mb".into(), json!(9))),
            "first.options.table_mb is 9",
        ),
        (
            |game| game.clock.base = Some(SignedDuration::from_secs(1)),
            "clock.base is \"PT1S\", expected absent",
        ),
        (
            |game| game.pace = Some(Pace::scaled(1, 9)),
            "its clocks were multiplied by 9",
        ),
        (|game| game.id += "x", "its id is not in the plan"),
        (|game| game.imported = "sgf".into(), "imported is true"),
    ];
    let folder = played(LEAGUE);
    let at = folder.path();
    let real = games(&at.join("real"));
    for (number, (forge, why)) in forgeries.into_iter().enumerate() {
        let mut lie = real[0].clone();
        forge(&mut lie);
        let log = format!("lie-{number}");
        write(&at.join(&log), &[lie.clone(), real[1].clone()]);
        let (status, said) = merge(at, &[&log]);
        assert_eq!(status, Some(1), "{said}");
        let named = format!("{log}/games.jsonl:1: game {}: ", lie.id);
        assert!(said.contains(&named) && said.contains(why), "{said}: {why}");
        assert_eq!(games(&at.join("all")), real[1..2]);
        let aside = aside(at);
        assert_eq!((aside.len(), &aside[0]["id"]), (1, &json!(lie.id)));
        let reason = aside[0]["why"].as_str().expect("a reason");
        assert!(reason.contains(why), "{reason}");
        // Nothing reads it as a log.
        let rated = run(at, &["standings", "all", "--format", "json"]);
        assert!(rated.status.success(), "{}", text(&rated.stderr));
        assert!(text(&rated.stdout).contains("\"games\""));
        let verified = run(at, &["verify", "all"]);
        assert!(text(&verified.stdout).starts_with("1 game"));
    }
    // The true game counts although a lie had its id.
    assert_eq!(merge(at, &["lie-0", "real"]).0, Some(0));
    assert_eq!(games(&at.join("all")).len(), 4);
}

#[test]
fn a_damaged_line_of_a_shard_costs_its_game_only() {
    let folder = played(LEAGUE);
    let at = folder.path();
    let path = at.join("real/games.jsonl");
    let sound = fs::read_to_string(&path).expect("a log");
    let damaged = sound.replacen("\"seed\":", "\"seed\":1", 1);
    fs::create_dir(at.join("damaged")).expect("a folder");
    fs::write(at.join("damaged/games.jsonl"), damaged).expect("a log");
    let (status, said) = merge(at, &["damaged"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("damaged/games.jsonl:1: damaged: its bytes have crc32"),
        "{said}"
    );
    assert_eq!(games(&at.join("all")).len(), 3);
    // Without a plan nobody would miss it.
    let refused = run(at, &["merge", "damaged", "--out", "other"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn of_attempts_that_differ_none_counts_until_one_is_preferred() {
    let folder = played(LEAGUE);
    let at = folder.path();
    let real = games(&at.join("real"));
    write(&at.join("lies"), &invented(&real[..1]));
    for order in [["real", "lies"], ["lies", "real"]] {
        let (status, said) = merge(at, &order);
        assert_eq!(status, Some(1), "{said}");
        let named = format!("game {}: attempts differ: ", real[0].id);
        assert!(
            said.contains(&named) && said.contains("--prefer FOLDER"),
            "{said}"
        );
        assert_eq!(games(&at.join("all")).len(), 3);
        assert_eq!(aside(at).len(), 2);
        fs::remove_dir_all(at.join("all")).expect("it is ours");
    }
    let facts = run(
        at,
        &[
            "merge", "real", "lies", "--out", "facts", "--format", "json",
        ],
    );
    let facts: Value = serde_json::from_str(text(&facts.stdout)).expect("JSON");
    assert_eq!(facts["contested"], json!([real[0].id]));
    // Two lines of one log are no better.
    write(
        &at.join("both"),
        &[&invented(&real[..1])[..], &real].concat(),
    );
    let (status, said) = merge(at, &["both"]);
    assert_eq!(status, Some(1), "{said}");
    assert_eq!(games(&at.join("all")).len(), 3);
    let (status, said) = merge(at, &["lies", "real", "--prefer", "real"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(!at.join("all/games.jsonl.aside").exists());
    let mut merged = games(&at.join("all"));
    merged.sort_by_key(|game| real.iter().position(|other| other.id == game.id));
    assert_eq!(merged, real);
    for nowhere in ["nothing", "all"] {
        assert_eq!(merge(at, &["real", "--prefer", nowhere]).0, Some(2));
    }
}

/// Shards are merged by what the job gave them, in its order.
#[test]
fn a_shard_counts_for_its_own_games_and_its_first_attempt_for_all_later_ones() {
    let folder = played(LEAGUE);
    let at = folder.path();
    let submit = [
        "submit",
        "league.toml",
        "--shard-games",
        "2",
        "--dry-run",
        "--to",
        "slurm",
    ];
    let written = run(at, &submit);
    assert!(written.status.success(), "{}", text(&written.stderr));
    let job = text(&written.stdout)
        .trim()
        .trim_end_matches("/submit.sh")
        .to_owned();
    let shards = Path::new(&job).join("shards");
    assert!(run(at, &["work", &job, "1"]).status.success());
    let own = games(&shards.join("1/1"));
    assert_eq!(own.len(), 2);
    // Another attempt says that it was earlier, and plays the games of the other shard, too.
    let real = games(&at.join("real"));
    let foreign = real
        .iter()
        .filter(|game| own.iter().all(|mine| mine.id != game.id));
    let foreign: Vec<_> = foreign.cloned().collect();
    write(
        &shards.join("1/2"),
        &[invented(&own), foreign.clone()].concat(),
    );
    let (status, said) = merge(at, &[&job]);
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("its id is not among the games of its shard"),
        "{said}"
    );
    assert_eq!((games(&at.join("all")), aside(at).len()), (own.clone(), 2));
    // Another log that differs from a job's is no later attempt.
    write(&at.join("lies"), &invented(&own));
    fs::remove_dir_all(at.join("all")).expect("it is ours");
    let (status, said) = merge(at, &[&job, "lies"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(games(&at.join("all")).is_empty(), "{said}");

    // A later job does not count before an earlier one, however a shell names them, unless that is asked
    // for; and one that somebody else supplies does not say which builds count.
    fs::create_dir(at.join("jobs")).expect("a folder");
    for number in ["2", "10"] {
        let copied = std::process::Command::new("cp")
            .args(["-r", &job, &format!("jobs/{number}")])
            .current_dir(at)
            .status();
        assert!(copied.expect("cp").success());
        fs::remove_dir_all(at.join(format!("jobs/{number}/shards/1/2"))).expect("it is ours");
    }
    write(&at.join("jobs/10/shards/1/1"), &invented(&own));
    let merged = |arguments: &[&str]| {
        let _ = fs::remove_dir_all(at.join("all"));
        let (_, said) = merge(at, arguments);
        (games(&at.join("all")), said)
    };
    assert_eq!(merged(&["jobs/10", "jobs/2"]).0, own);
    let results = |games: &[GameRecord]| games.iter().map(|game| game.result).collect::<Vec<_>>();
    let (first, said) = merged(&["jobs/10", "jobs/2", "--keep-first"]);
    assert_eq!(results(&first), results(&invented(&own)), "{said}");
    let file = at.join("jobs/10/job.json");
    let build = "f".repeat(16);
    let facts = fs::read_to_string(&file)
        .expect("a job")
        .replace(&own[0].first.build, &build);
    fs::write(&file, facts).expect("written");
    let mut lies = own.clone();
    for game in &mut lies {
        (game.first.build, game.second.build) = (build.clone(), build.clone());
    }
    write(&at.join("jobs/10/shards/1/1"), &lies);
    let (none, said) = merged(&["jobs/10"]);
    assert!(
        none.is_empty() && said.contains("was another build, ffff"),
        "{said}"
    );

    // Shard 2 would play with another build.
    let file = Path::new(&job).join("job.json");
    let text_of_job = fs::read_to_string(&file).expect("a job");
    let mut facts: Value = serde_json::from_str(&text_of_job).expect("JSON");
    facts["task"]["league"]["builds"]["mcts"] = json!("0123456789abcdef");
    fs::write(&file, facts.to_string()).expect("written");
    let refused = run(at, &["work", &job, "2"]);
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(
        said.contains("engine mcts on ") && said.contains("0123456789abcdef"),
        "{said}"
    );
}

/// GNU parallel as far as a job needs it: one shard after another.
const PARALLEL: &str = r#"#!/bin/sh
for last; do :; done
while read shard; do sh -c "$(printf '%s' "$last" | sed "s/{}/$shard/g")"; done
"#;

#[test]
fn games_that_a_shard_forged_are_submitted_again() {
    let folder = folder_with(LEAGUE);
    let at = folder.path();
    fs::create_dir(at.join("bin")).expect("a folder");
    fs::write(at.join("bin/parallel"), PARALLEL).expect("written");
    make_executable(&at.join("bin/parallel"));
    let others = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{others}", at.join("bin").display());
    let submit = || {
        let arguments = [
            "submit",
            "league.toml",
            "--shard-games",
            "2",
            "--to",
            "parallel",
        ];
        let output = referee(at, &arguments).env("PATH", &path).output();
        let output = output.expect("it starts");
        let said = text(&output.stderr).to_owned();
        assert!(output.status.success(), "{said}");
        said
    };
    submit();
    let out = at.join("matches/forged");
    let real = games(&out);
    assert_eq!(
        (real.len(), out.join("games.jsonl.aside").exists()),
        (4, false)
    );

    // The log is lost, and so is the first shard: its games are played with another seed, or belong
    // to the second shard.
    let shards = out.join("jobs/1/shards");
    let [one, two] = ["1/1", "2/1"].map(|attempt| games(&shards.join(attempt)));
    let mut lies = invented(&one);
    lies.iter_mut().for_each(|game| game.seed += 1);
    write(&shards.join("1/1"), &[lies, invented(&two)].concat());
    fs::remove_file(out.join("games.jsonl")).expect("it is ours");
    let said = submit();
    assert!(said.contains("2 games in 1 shard"), "{said}");
    assert!(
        said.contains("seed is ") && said.contains("not among the games of its shard"),
        "{said}"
    );
    let again = games(&out);
    assert_eq!(ids(&again), ids(&real));
    assert!(two.iter().all(|game| again.contains(game)));
    assert!(
        again
            .iter()
            .all(|game| game.started != Timestamp::UNIX_EPOCH)
    );
    assert!(run(at, &["verify", "matches/forged"]).status.success());
}

#[test]
fn honest_logs_of_other_versions_builds_and_runs_are_merged() {
    let folder = played(LEAGUE);
    let at = folder.path();
    let real = games(&at.join("real"));
    let new = fs::read_to_string(at.join("real/games.jsonl")).expect("a log");
    fs::create_dir(at.join("old")).expect("a folder");
    fs::write(at.join("old/games.jsonl"), without_sums(&new)).expect("a log");
    let (status, said) = merge(at, &["old"]);
    assert_eq!(status, Some(0), "{said}");
    fs::remove_dir_all(at.join("all")).expect("it is ours");

    let mut rebuilt = real.clone();
    for game in &mut rebuilt {
        game.first.build = "0".repeat(16);
    }
    write(&at.join("rebuilt"), &rebuilt);
    assert_eq!(merge(at, &["rebuilt"]).0, Some(1));
    let (status, said) = merge(at, &["rebuilt", "--rebuilt"]);
    assert_eq!(status, Some(0), "{said}");
    fs::remove_dir_all(at.join("all")).expect("it is ours");

    // More rounds, which the command line asked for.
    let longer = [
        "league",
        "league.toml",
        "--rounds",
        "3",
        "--out",
        "longer",
        "-q",
    ];
    assert!(run(at, &longer).status.success());
    assert_eq!(merge(at, &["longer"]).0, Some(0));
    assert_eq!((games(&at.join("all")).len(), aside(at).len()), (4, 2));
    let (status, said) = merge(at, &["longer", "--rounds", "3"]);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!((games(&at.join("all")).len(), aside(at).len()), (6, 0));
}

#[test]
fn the_plan_of_a_knockout_grows_with_what_is_merged() {
    let engines: String = (1..=2)
        .map(|number| format!("\n[[engine]]\nname = \"r{number}\"\nbuiltin = \"random\"\n"))
        .collect();
    let league = LEAGUE.replace(
        "rounds = 2",
        "format = \"knockout\"\nmeeting = { wins = 2 }",
    ) + &engines;
    let folder = played(&league);
    let at = folder.path();
    let real = games(&at.join("real"));
    let (status, said) = merge(at, &["real"]);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(games(&at.join("all")).len(), real.len());
    let mut lies = real.clone();
    lies.last_mut().expect("a final").seed += 1;
    write(&at.join("lies"), &lies);
    fs::remove_dir_all(at.join("all")).expect("it is ours");
    let (status, said) = merge(at, &["lies"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("seed is "), "{said}");
    assert_eq!(
        (games(&at.join("all")).len(), aside(at).len()),
        (real.len() - 1, 1)
    );
}
