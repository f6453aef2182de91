//! Leagues that are played in shards by a scheduler.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jiff::SignedDuration;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::common::program::{folder_with, games, make_executable, python, referee, run, text};
use crate::common::{SLACK, skipped};

/// 24 games whose engines play alike on every machine.
pub(crate) const LEAGUE: &str = r#"
[league]
name = "night"
games = ["hex", "einstein"]
rounds = 6
seed = 7

[clock]
nodes = 300

[variant.hex]
size = 5

[openings.hex]
random_plies = 2

[[engine]]
name = "mcts"
builtin = "mcts"
options = { table_mb = 1 }

[[engine]]
name = "pvs"
builtin = "pvs"
options = { table_mb = 1 }
"#;

/// The games of a log as they would be on any machine: without what time and host decide, sorted.
pub(crate) fn timeless(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("games.jsonl")).expect("a log");
    let line = |line: &str| {
        let mut game: Value = serde_json::from_str(line).expect("a game");
        forget(&mut game);
        game.to_string()
    };
    let mut games: Vec<String> = text.lines().map(line).collect();
    games.sort();
    games
}

/// Removes times and hosts.
fn forget(value: &mut Value) {
    /// Keys of a record that time and host decide.
    const DECIDED: [&str; 10] = [
        "started",
        "duration_ms",
        "used_us",
        "left_us",
        "time_ms",
        "nps",
        "cpu",
        "host",
        "pace",
        "crc32",
    ];
    match value {
        Value::Object(map) => {
            DECIDED.iter().for_each(|key| drop(map.remove(*key)));
            map.values_mut().for_each(forget);
        }
        Value::Array(list) => list.iter_mut().for_each(forget),
        _ => {}
    }
}

/// The league on one machine.
pub(crate) fn on_one_machine(folder: &Path) -> Vec<String> {
    let played = run(folder, &["league", "league.toml", "--out", "one", "-q"]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    timeless(&folder.join("one"))
}

/// Writes a job, submits nothing, and returns its folder.
fn written_job(folder: &Path, scheduler: &str) -> String {
    let submit = [
        "submit",
        "league.toml",
        "--shard-games",
        "4",
        "--dry-run",
        "--to",
        scheduler,
    ];
    let output = run(folder, &submit);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let script = text(&output.stdout).trim().to_owned();
    script
        .strip_suffix("/submit.sh")
        .expect("a script")
        .to_owned()
}

#[test]
fn shards_in_any_order_killed_and_run_twice_make_the_log_of_one_machine() {
    let folder = folder_with(LEAGUE);
    let at = folder.path();
    let whole = on_one_machine(at);
    assert_eq!(whole.len(), 24);
    let job = written_job(at, "slurm");
    let work = |shard: &str| run(at, &["work", &job, shard]);

    // Two at once, one after the other, one by the variable of a scheduler.
    let twice: Vec<_> = (0..2)
        .map(|_| {
            let mut work = referee(at, &["work", &job, "6"]);
            work.stdout(Stdio::null()).stderr(Stdio::null());
            work.spawn().expect("it starts")
        })
        .collect();
    for mut work in twice {
        assert!(work.wait().expect("it ends").success());
    }
    for shard in ["4", "1", "2", "1"] {
        let worked = work(shard);
        assert!(worked.status.success(), "{}", text(&worked.stderr));
    }
    let again = work("1");
    assert!(text(&again.stderr).contains("shard 1: every game has been played"));
    let by_variable = referee(at, &["work", &job])
        .env("SLURM_ARRAY_TASK_ID", "3")
        .output()
        .expect("it starts");
    assert!(by_variable.status.success());

    // One is killed in the middle; what it has logged counts.
    let mut killed = referee(at, &["work", &job, "5"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let log = Path::new(&job).join("shards/5/1/games.jsonl");
    let begun = Instant::now();
    while fs::read(&log).map_or(0, |log| log.len()) == 0 && begun.elapsed() < SLACK {
        std::thread::sleep(Duration::from_millis(1));
    }
    killed.kill().expect("it is a child");
    killed.wait().expect("it ended");
    let rest = work("5");
    assert!(rest.status.success(), "{}", text(&rest.stderr));

    let merge = [
        "merge",
        &job,
        "--keep-first",
        "--out",
        "all",
        "--league",
        "league.toml",
    ];
    let merged = run(at, &merge);
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    assert_eq!(timeless(&at.join("all")), whole);
    assert!(run(at, &["verify", "all"]).status.success());

    // A result that comes late, after the merge, changes nothing.
    let late = Path::new(&job).join("shards/5/9");
    fs::create_dir(&late).expect("a folder");
    fs::copy(at.join("one/games.jsonl"), late.join("games.jsonl")).expect("a copy");
    assert!(run(at, &merge).status.success());
    assert_eq!(timeless(&at.join("all")), whole);
}

#[test]
fn what_a_host_does_wrong_is_told_in_one_line() {
    let folder = folder_with(LEAGUE);
    let at = folder.path();
    let job = written_job(at, "hyperqueue");
    let refusal = |arguments: &[&str]| {
        let output = run(at, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = text(&output.stderr).to_owned();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    let missing = refusal(&["work", "nowhere", "1"]);
    assert!(
        missing.contains("is this folder shared with the host"),
        "{missing}"
    );
    let which = refusal(&["work", &job]);
    assert!(
        which.contains("HQ_TASK_ID or SLURM_ARRAY_TASK_ID"),
        "{which}"
    );
    assert!(refusal(&["work", &job, "7"]).contains("shard 7: expected 1 to 6"));
    let file = Path::new(&job).join("job.json");
    let written = fs::read_to_string(&file).expect("a job");
    let facts: Value = serde_json::from_str(&written).expect("JSON");
    let build = facts["build"].as_str().expect("a build");
    fs::write(&file, written.replace(build, "0123456789abcdef")).expect("written");
    let other = refusal(&["work", &job, "1"]);
    assert!(
        other.contains("expected the same program on every host"),
        "{other}"
    );

    // No scheduler is installed, and a league cannot be cut.
    let submit = referee(
        at,
        &["submit", "league.toml", "--to", "slurm", "--out", "new"],
    )
    .env("PATH", at)
    .output()
    .expect("it starts");
    assert_eq!(submit.status.code(), Some(2));
    assert!(text(&submit.stderr).starts_with("sbatch: not found in PATH, expected Slurm"));
    let swiss = LEAGUE.replace("rounds = 6", "rounds = 1\nformat = \"swiss\"");
    fs::write(at.join("swiss.toml"), swiss).expect("written");
    let open = refusal(&["submit", "swiss.toml", "--to", "slurm", "--dry-run"]);
    assert!(open.contains("its games depend on results"), "{open}");
    assert!(!at.join("new").exists());
}

/// A folder with the league whose name means something to a shell and to Slurm.
pub(crate) fn oddly_named(folder: &Path) -> PathBuf {
    let odd = folder.join("it's 50%A");
    fs::create_dir(&odd).expect("a folder");
    fs::copy(folder.join("league.toml"), odd.join("league.toml")).expect("a file");
    odd
}

/// As on a full disk, a log cannot be written as a whole.
#[test]
fn a_full_disk_under_a_shard_costs_what_did_not_fit() {
    let folder = folder_with(LEAGUE);
    let at = folder.path();
    let whole = on_one_machine(at);
    let job = written_job(at, "slurm");
    let limited = "ulimit -f 8; exec \"$0\" \"$@\"";
    let mut cut = Command::new("sh");
    cut.args([
        "-c",
        limited,
        env!("CARGO_BIN_EXE_referee"),
        "work",
        &job,
        "1",
    ]);
    let cut = cut.current_dir(at).output().expect("it starts");
    let told = text(&cut.stderr);
    assert_eq!(cut.status.code(), Some(1), "{told}");
    assert!(told.contains("cannot be written: File too large"), "{told}");
    for shard in ["1", "2", "3", "4", "5", "6"] {
        assert!(run(at, &["work", &job, shard]).status.success());
    }
    let merged = run(
        at,
        &["merge", &job, "--out", "all", "--league", "league.toml"],
    );
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    assert_eq!(timeless(&at.join("all")), whole);
}

/// The clocks of a host that is faster or slower than the one on which a league began.
#[test]
fn clocks_are_scaled_by_the_speed_of_the_host() {
    let timed = LEAGUE
        .replace("seed = 7", "seed = 7\ntime_scaling = true")
        .replace(
            "nodes = 300",
            "base = \"1s\"\nincrement = \"20ms\"\nnodes = 300",
        );
    let folder = folder_with(&timed);
    let at = folder.path();
    let out = at.join("one");
    let play = || {
        let played = run(at, &["league", "league.toml", "--out", "one", "-q"]);
        assert!(played.status.success(), "{}", text(&played.stderr));
    };
    let speed_of_the_league = || -> f64 {
        let text = fs::read_to_string(out.join("speed")).expect("it was measured");
        text.trim_end().parse().expect("a number")
    };
    play();
    assert!(speed_of_the_league() > 0.0);
    // The league goes on where a host is much slower than the one on which it began.
    fs::write(out.join("speed"), "1000000000000\n").expect("written");
    let log = fs::read_to_string(out.join("games.jsonl")).expect("a log");
    let half: Vec<&str> = log.lines().take(12).collect();
    fs::write(out.join("games.jsonl"), half.join("\n") + "\n").expect("written");
    play();
    let mut slow = games(&out);
    slow.retain(|game| game.pace.expect("a pace").scale > 100.0);
    assert_eq!(slow.len(), 12);
    for game in slow {
        let pace = game.pace.expect("a pace");
        assert!((pace.scale - 1e12 / pace.speed as f64).abs() < 1e-3);
        // The clock of the file is logged, and more is left than it has.
        assert_eq!(game.clock.base, Some(SignedDuration::from_secs(1)));
        assert!(game.turns[0].left_us > Some(10_000_000));
    }
    assert!(run(at, &["verify", "one"]).status.success());
    fs::write(out.join("speed"), "fast\n").expect("written");
    fs::write(out.join("games.jsonl"), "").expect("written");
    let refused = run(at, &["league", "league.toml", "--out", "one"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("expected the speed of a host"));
}

/// Real workers of HyperQueue, one of which is killed while it plays.
#[test]
fn hyperqueue_plays_a_league_although_a_worker_is_killed() {
    if !is_installed("hq") {
        return skipped("cluster, HyperQueue", "no hq");
    }
    let league = LEAGUE.replace("nodes = 300", "nodes = 30000");
    let folder = folder_with(&league);
    let at = folder.path();
    let whole = on_one_machine(at);
    let hq = |arguments: &[&str]| {
        let mut hq = Command::new("hq");
        hq.args(arguments).env("HQ_SERVER_DIR", at.join("server"));
        hq.stdout(Stdio::null()).stderr(Stdio::null());
        hq
    };
    let mut server = hq(&["server", "start"]).spawn().expect("it starts");
    let begun = Instant::now();
    while !hq(&["server", "info"])
        .status()
        .is_ok_and(|status| status.success())
    {
        assert!(begun.elapsed() < SLACK, "no server");
        std::thread::sleep(Duration::from_millis(50));
    }
    let worker = || {
        hq(&["worker", "start", "--cpus", "1"])
            .spawn()
            .expect("it starts")
    };
    let mut workers = [worker(), worker(), worker()];
    let submit = referee(
        at,
        &[
            "submit",
            "league.toml",
            "--to",
            "hyperqueue",
            "--shard-games",
            "4",
        ],
    )
    .env("HQ_SERVER_DIR", at.join("server"))
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("it starts");
    let out = at.join("matches/night");
    let begun = Instant::now();
    while games_of_shards(&out.join("jobs/1")) == 0 && begun.elapsed() < SLACK {
        std::thread::sleep(Duration::from_millis(5));
    }
    workers[0].kill().expect("it is a child");
    let submitted = submit.wait_with_output().expect("it ends");
    assert!(submitted.status.success(), "{}", text(&submitted.stderr));
    assert_eq!(timeless(&out), whole);
    assert_eq!(games(&out).len(), 24);
    let stopped = hq(&["server", "stop"]).status();
    stopped.expect("it starts");
    server.wait().expect("it ends");
    workers.iter_mut().for_each(|worker| drop(worker.wait()));
}

/// HyperQueue as its Python wheel brings it: three workers, and a shard that is killed.
#[test]
fn a_shard_that_hyperqueue_lost_is_submitted_again() {
    let imports = Command::new(python())
        .args(["-c", "import hyperqueue"])
        .output();
    if !imports.is_ok_and(|output| output.status.success()) {
        return skipped("cluster, HyperQueue's wheel", "no Python module hyperqueue");
    }
    let folder = folder_with(&LEAGUE.replace("nodes = 300", "nodes = 30000"));
    let at = folder.path();
    let whole = on_one_machine(at);
    let wheel = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripted/hq_wheel.py");
    let mut server = Command::new(python())
        .arg(&wheel)
        .args(["serve", "3"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let said = BufReader::new(server.stdout.take().expect("a pipe"));
    let mut said = said.lines().map(|line| line.expect("text"));
    let server_folder = said.find_map(|line| Some(line.strip_prefix("folder: ")?.to_owned()));
    let hq = format!(
        "#!/bin/sh\nexec {} {} hq {} \"$@\"\n",
        python(),
        wheel.display(),
        server_folder.expect("a server")
    );
    fs::create_dir(at.join("bin")).expect("a folder");
    fs::write(at.join("bin/hq"), hq).expect("written");
    make_executable(&at.join("bin/hq"));
    let others = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{others}", at.join("bin").display());
    let submit = || {
        let mut submit = referee(
            at,
            &[
                "submit",
                "league.toml",
                "--to",
                "hyperqueue",
                "--shard-games",
                "4",
            ],
        );
        submit
            .env("PATH", &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        submit.spawn().expect("it starts")
    };
    let first = submit();
    let out = at.join("matches/night");
    let begun = Instant::now();
    while games_of_shards(&out.join("jobs/1")) == 0 && begun.elapsed() < SLACK {
        std::thread::sleep(Duration::from_millis(5));
    }
    let shard = running_shard(&out.join("jobs/1")).expect("a shard is playing");
    kill_process(shard, Signal::KILL).expect("it is ours");
    let first = first.wait_with_output().expect("it ends");
    let told = text(&first.stderr);
    assert_eq!(first.status.code(), Some(1), "{told}");
    assert!(
        told.contains("missing; run the same command again"),
        "{told}"
    );
    assert!(
        told.lines().any(|line| line.starts_with("shard ")),
        "{told}"
    );
    let second = submit().wait_with_output().expect("it ends");
    assert!(second.status.success(), "{}", text(&second.stderr));
    assert_eq!(timeless(&out), whole);
    drop(server.stdin.take());
    server.wait().expect("it ends");
}

/// A process that plays a shard of a job.
fn running_shard(job: &Path) -> Option<Pid> {
    let words = ["work", job.to_str()?].map(str::as_bytes);
    fs::read_dir("/proc").ok()?.flatten().find_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        let found: Vec<&[u8]> = line.split(|&byte| byte == 0).collect();
        let is_shard = found.windows(2).any(|pair| pair == words);
        Pid::from_raw(pid).filter(|_| is_shard && found[0].ends_with(b"referee"))
    })
}

/// A real Slurm of one node, which `.ci/slurm` sets up.
#[test]
fn a_league_is_played_by_slurm() {
    if std::env::var_os("REFEREE_TEST_SLURM").is_none() {
        return skipped("cluster, Slurm", "REFEREE_TEST_SLURM is not set");
    }
    let folder = folder_with(LEAGUE);
    let at = &oddly_named(folder.path());
    let whole = on_one_machine(at);
    let submit = [
        "submit",
        "league.toml",
        "--to",
        "slurm",
        "--shard-games",
        "8",
    ];
    // Slurm hands on the environment, of another scheduler's task, too.
    let submitted = referee(at, &submit).env("HQ_TASK_ID", "1").output();
    let submitted = submitted.expect("it starts");
    assert!(submitted.status.success(), "{}", text(&submitted.stderr));
    assert_eq!(timeless(&at.join("matches/night")), whole);
    // What Slurm refuses leaves no job.
    let refused = referee(at, &[&submit[..], &["--out", "refused"]].concat())
        .env("SBATCH_PARTITION", "no-such-partition")
        .output()
        .expect("it starts");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("sbatch: error: "));
    assert!(!at.join("refused/jobs/1").exists());
}

/// Number of games in the logs of a job.
fn games_of_shards(job: &Path) -> usize {
    let folders = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten();
    let attempts = folders(&job.join("shards")).flat_map(|shard| folders(&shard.path()));
    let logs = attempts.map(|attempt| attempt.path().join("games.jsonl"));
    let lines = logs.map(|log| fs::read_to_string(log).map_or(0, |log| log.lines().count()));
    lines.sum()
}

pub(crate) fn is_installed(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}
