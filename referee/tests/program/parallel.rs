//! Leagues that GNU parallel plays.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::cluster::{LEAGUE, is_installed, oddly_named, on_one_machine, timeless};
use crate::common::program::{folder_with, games, referee, run, text};
use crate::common::skipped;

/// The number of a process says nothing after a reboot, or on another host.
#[test]
fn a_job_of_gnu_parallel_is_its_own_processes_on_its_own_host() {
    if !is_installed("parallel") {
        return skipped("cluster, GNU parallel on another host", "no parallel");
    }
    let folder = folder_with(LEAGUE);
    let at = folder.path();
    let submit = [
        "submit",
        "league.toml",
        "--to",
        "parallel",
        "--rounds",
        "1",
        "--shard-games",
        "4",
    ];
    assert!(run(at, &submit).status.success());
    let job = at.join("matches/night/jobs/1/job.json");
    let mut facts: Value = serde_json::from_slice(&fs::read(&job).expect("a job")).expect("JSON");
    let mut foreign = Command::new("sleep").arg("600").spawn().expect("it starts");
    facts["id"] = foreign.id().to_string().into();
    fs::write(&job, facts.to_string()).expect("written");
    assert!(
        run(at, &submit).status.success(),
        "it does not follow that process"
    );
    facts["host"] = "another-host".into();
    fs::write(&job, facts.to_string()).expect("written");
    let refused = run(at, &submit);
    foreign.kill().expect("it is a child");
    foreign.wait().expect("it ends");
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(
        said.contains("GNU parallel was started on another-host"),
        "{said}"
    );
}

#[test]
fn a_league_is_played_by_gnu_parallel_and_resumed() {
    if !is_installed("parallel") {
        return skipped("cluster, GNU parallel", "no parallel");
    }
    let folder = folder_with(LEAGUE);
    let at = &oddly_named(folder.path());
    let whole = on_one_machine(at);
    let submit = [
        "submit",
        "league.toml",
        "--to",
        "parallel",
        "--shard-games",
        "4",
    ];
    // What else users let parallel do is not meant for this job.
    let submitted = referee(at, &submit).env("PARALLEL", "--dry-run").output();
    let submitted = submitted.expect("it starts");
    assert!(submitted.status.success(), "{}", text(&submitted.stderr));
    assert!(text(&submitted.stdout).contains("All games: 24 games"));
    let out = at.join("matches/night");
    assert_eq!(timeless(&out), whole);
    // The logs of the shards are no logs of the league, which has all of their games.
    let rated = run(at, &["standings", "matches/night"]);
    assert!(rated.status.success() && rated.stderr.is_empty());
    // Each shard has measured its host.
    let paces = games(&out)
        .into_iter()
        .map(|game| game.pace.expect("a pace"));
    paces.for_each(|pace| assert!(pace.speed > 0 && pace.scale == 1.0));
    // Nothing is left to submit.
    assert!(run(at, &submit).status.success());
    assert!(!out.join("jobs/2").exists());

    // Half of the log is lost with a disk: what is missing is played again.
    fs::remove_dir_all(out.join("jobs")).expect("the jobs");
    let log = fs::read_to_string(out.join("games.jsonl")).expect("a log");
    let half: String = log
        .lines()
        .take(11)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(out.join("games.jsonl"), half).expect("written");
    let resumed = run(at, &submit);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    assert!(text(&resumed.stderr).contains("13 games in 4 shards"));
    assert_eq!(timeless(&out), whole);
}
