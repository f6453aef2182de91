//! Learning, tuning, books and tests whose games a scheduler plays: the result is that of one
//! machine.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cluster::is_installed;
use crate::common::program::{folder_with, games, make_executable, referee, run, text};
use crate::common::{SLACK, skipped};
use crate::tune::TUNING;

/// A short run of learning.
const LEARN: &str = r#"
[learn]
game = "surakarta"
iterations = 3
games = 11

[play]
nodes = 40

[strength]
every = 0
"#;

/// A short run that learns a policy.
const POLICY: &str = r#"
[learn]
game = "hex"
iterations = 2
games = 5

[policy]
algorithm = "pvs"
nodes = 100
random_actions = [90, 100]

[strength]
every = 0
"#;

/// Two engines, one of which is far stronger.
const TEST: &str = r#"
[league]
name = "test"
games = ["hex"]
rounds = 200
seed = 5

[clock]
nodes = 200

[variant.hex]
size = 4

[openings.hex]
random_plies = 2

[[engine]]
name = "pvs"
builtin = "pvs"
options = { table_mb = 1 }

[[engine]]
name = "random"
builtin = "random"
"#;

const PARALLEL: [&str; 4] = ["--to", "parallel", "--shards", "3"];

/// Runs a command on one machine and by a scheduler, and compares what they have written.
fn same_by_parallel(at: &Path, commands: [&[&str]; 2], files: [&str; 2]) {
    let [one, many] = commands;
    let alone = run(at, one);
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let shared = run(at, &[many, &PARALLEL].concat());
    assert!(shared.status.success(), "{}", text(&shared.stderr));
    let told = text(&shared.stderr);
    let is_whole = told.contains("3 shards") && !told.contains("missing");
    assert!(is_whole, "{told}");
    let [one, many] = files.map(|file| fs::read(at.join(file)).expect("it was written"));
    assert!(one == many, "{commands:?}");
}

#[test]
fn learning_tuning_and_books_by_gnu_parallel_are_those_of_one_machine() {
    if !is_installed("parallel") {
        return skipped("steps, GNU parallel", "no parallel");
    }
    let tuning = TUNING.replace("iterations = 120\npairs = 2", "iterations = 3\npairs = 7");
    let folder = folder_with(&tuning);
    let at = folder.path();
    for (file, content) in [("learn.toml", LEARN), ("policy.toml", POLICY)] {
        fs::write(at.join(file), content).expect("written");
        let commands = ["one", "many"].map(|out| ["learn", file, "--out", out]);
        let weights = ["one/weights", "many/weights"];
        same_by_parallel(at, commands.each_ref().map(|words| &words[..]), weights);
        // The folder of the jobs is empty again.
        let jobs = fs::read_dir(at.join("many/jobs")).expect("a folder");
        assert_eq!(jobs.count(), 0);
        for folder in ["one", "many"] {
            fs::remove_dir_all(at.join(folder)).expect("removed");
        }
    }
    let tune = ["one", "many"].map(|out| ["tune", "league.toml", "--no-sprt", "--out", out]);
    let states = ["one/state.json", "many/state.json"];
    same_by_parallel(at, tune.each_ref().map(|words| &words[..]), states);
    let books = ["one.book", "many.book"];
    let size = "{ size = 8 }";
    let words = [
        "--game",
        "hex",
        "--variant",
        size,
        "--nodes",
        "50",
        "--positions",
        "30",
    ];
    let expand = books.map(|book| [&["book", "expand", book][..], &words].concat());
    same_by_parallel(at, expand.each_ref().map(|words| &words[..]), books);
    assert!(!at.join("many.book.shards").exists());
}

/// The games of a job go on when the command is killed.
#[test]
fn learning_that_was_killed_goes_on_with_its_job() {
    if !is_installed("parallel") {
        return skipped("steps, GNU parallel", "no parallel");
    }
    let folder = folder_with(&LEARN.replace("nodes = 40", "nodes = 2000"));
    let at = folder.path();
    let alone = run(at, &["learn", "league.toml", "--out", "one"]);
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let learn = [&["learn", "league.toml", "--out", "many"][..], &PARALLEL].concat();
    let mut first = referee(at, &learn)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let begun = Instant::now();
    while !at.join("many/jobs/1/shards").exists() && begun.elapsed() < SLACK {
        std::thread::sleep(Duration::from_millis(5));
    }
    first.kill().expect("it is a child");
    first.wait().expect("it ended");
    let second = run(at, &learn);
    let told = text(&second.stderr);
    assert!(second.status.success(), "{told}");
    assert!(told.starts_with("following job "), "{told}");
    let [one, many] = ["one", "many"].map(|run| fs::read(at.join(run).join("weights")));
    assert!(one.expect("weights") == many.expect("weights"));
}

#[test]
fn a_test_by_gnu_parallel_ends_when_it_has_decided() {
    if !is_installed("parallel") {
        return skipped("steps, GNU parallel", "no parallel");
    }
    let folder = folder_with(TEST);
    let sprt = [
        "sprt",
        "league.toml",
        "--elo0",
        "0",
        "--elo1",
        "100",
        "--to",
        "parallel",
    ];
    let tested = run(folder.path(), &sprt);
    let told = text(&tested.stderr);
    assert_eq!(tested.status.code(), Some(0), "{told}");
    assert!(
        text(&tested.stdout).contains("H1"),
        "{}",
        text(&tested.stdout)
    );
    let played = games(&folder.path().join("matches/test")).len();
    // The same command says the same, and plays nothing.
    let again = run(folder.path(), &sprt);
    assert_eq!(
        (again.status.code(), text(&again.stdout)),
        (Some(0), text(&tested.stdout))
    );
    assert_eq!(games(&folder.path().join("matches/test")).len(), played);
}

/// A Slurm that runs the shards of a job at once, but for those that are lost.
fn slurm(folder: &Path, lost: &str) -> String {
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).expect("a folder");
    let sbatch = format!(
        "#!/bin/sh\n\
         shards=$(sed -n 's/^#SBATCH --array=1-//p' \"$2\")\n\
         out=$(sed -n 's/^#SBATCH --output=//p' \"$2\" | sed 's/%a.txt//')\n\
         for shard in $(seq $shards); do\n\
         case \" {lost} \" in\n\
         *\" $shard \"*) echo 'slurmstepd: error: node failure' > $out$shard.txt ;;\n\
         *) SLURM_ARRAY_TASK_ID=$shard sh \"$2\" > $out$shard.txt 2>&1 ;;\n\
         esac; done\n\
         echo 7\n"
    );
    for (name, content) in [("sbatch", &*sbatch), ("squeue", "#!/bin/sh\n")] {
        fs::write(bin.join(name), content).expect("written");
        make_executable(&bin.join(name));
    }
    let others = std::env::var("PATH").unwrap_or_default();
    format!("{}:{others}", bin.display())
}

fn with_path(at: &Path, path: &str, arguments: &[&str]) -> Output {
    let mut command = referee(at, arguments);
    command.env("PATH", path).output().expect("it starts")
}

#[test]
fn lost_shards_are_played_here() {
    let folder = folder_with(LEARN);
    let at = folder.path();
    let alone = run(at, &["learn", "league.toml", "--out", "one"]);
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let learn = [
        "learn",
        "league.toml",
        "--out",
        "many",
        "--to",
        "slurm",
        "--shards",
        "4",
    ];

    // All are lost: no result, and one message.
    let refused = with_path(at, &slurm(at, "1 2 3 4"), &learn);
    assert_eq!(refused.status.code(), Some(2));
    let told = text(&refused.stderr);
    let last = told.lines().next_back().expect("a message");
    assert!(last.starts_with("iteration 1: no shard of "), "{told}");
    assert!(
        last.ends_with("the first one: slurmstepd: error: node failure"),
        "{told}"
    );

    let some = with_path(at, &slurm(at, "2"), &learn);
    let told = text(&some.stderr);
    assert!(some.status.success(), "{told}");
    let expected = "iteration 3: 1 of 4 shards are missing and played here; shard 2: slurmstepd: ";
    assert!(told.contains(expected), "{told}");
    let [one, many] = ["one", "many"].map(|run| fs::read(at.join(run).join("weights")));
    assert!(one.expect("weights") == many.expect("weights"));
}

#[test]
fn what_no_scheduler_can_play_is_refused() {
    let folder = folder_with("[learn]\ngame = \"tic-tac-toe\"\niterations = 1\ngames = 10\n[q]\n");
    let at = folder.path();
    let refusal = |path: &str, arguments: &[&str]| {
        let output = with_path(at, path, arguments);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        text(&output.stderr).to_owned()
    };
    let slurm = slurm(at, "");
    let learn = ["learn", "league.toml", "--to", "slurm"];
    assert!(refusal(&slurm, &learn).contains("Q-learning learns from game to game"));
    fs::write(at.join("league.toml"), LEARN).expect("written");
    let nowhere = at.display().to_string();
    let missing = refusal(&nowhere, &learn);
    assert!(
        missing.ends_with("sbatch: not found in PATH, expected Slurm\n"),
        "{missing}"
    );
    // A part that is asked for by hand says what is missing.
    let lost = refusal(&slurm, &["learn", "league.toml", "--part", "1/4"]);
    assert!(lost.contains("--into <FILE>"), "{lost}");
    let job = at.join("learned/league/jobs");
    assert!(!job.exists() || fs::read_dir(job).expect("a folder").count() == 0);
}

#[test]
fn keys_of_the_command_line_reach_the_shards() {
    let folder = folder_with(TEST);
    let at = folder.path();
    let submit = [
        "submit",
        "league.toml",
        "--to",
        "slurm",
        "--rounds",
        "3",
        "--set",
        "clock.nodes=90",
    ];
    let submitted = with_path(at, &slurm(at, ""), &submit);
    assert!(submitted.status.success(), "{}", text(&submitted.stderr));
    let log = fs::read_to_string(at.join("matches/test/games.jsonl")).expect("a log");
    let games: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(games.len(), 6);
    assert!(games.iter().all(|game| game["clock"]["nodes"] == 90));
}
