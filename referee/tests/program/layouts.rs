//! `referee layouts`: the shipped win rates, and a study that is stopped, resumed and refused.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::common::program::{referee, run, spoken, text};

/// A study of games by one ply: the quickest.
const LEARN: [&str; 6] = [
    "layouts",
    "--learn",
    "study.json",
    "--plies",
    "1",
    "--games=64",
];

#[test]
fn the_shipped_rates_are_printed_and_plotted() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["layouts", "--format", "json", "--plot", "layouts.svg"];
    let printed = run(folder.path(), &arguments);
    assert!(printed.status.success(), "{}", text(&printed.stderr));
    let facts: Value = serde_json::from_slice(&printed.stdout).expect("JSON");
    assert_eq!(facts["layouts"].as_array().expect("a list").len(), 180);
    let plot = fs::read_to_string(folder.path().join("layouts.svg")).expect("a plot");
    assert!(plot.starts_with("<svg ") && plot.trim_end().ends_with("</svg>"));
    let (table, _, status) = spoken(&["layouts", "--format", "markdown"]);
    assert_eq!(status, Some(0));
    assert!(table.contains("| layout | and | First % |"), "{table}");
}

#[test]
fn options_of_learning_are_checked() {
    for (arguments, complaint) in [
        (&["--seed", "1"][..], "--learn"),
        (
            &["--learn", "x", "--games", "100"],
            "--games 100: expected a multiple of 64",
        ),
        (
            &["--learn", "x", "--plies", "9"],
            "--plies 9: expected 1 to 4",
        ),
        (&["--learn", "none/x", "--games", "64"], "none/x"),
    ] {
        let arguments = [&["layouts"], arguments].concat();
        let (_, error, status) = spoken(&arguments);
        assert!(error.contains(complaint), "{arguments:?}: {error}");
        assert_ne!(status, Some(0));
    }
    assert!(!Path::new("x").exists());
}

/// Starts a study, and waits for its file.
fn begin(folder: &Path) -> Child {
    let child = referee(folder, &LEARN)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    while !folder.join("study.json").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn a_study_survives_whatever_stops_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.json");
    let mut killed = begin(folder.path());
    killed.kill().expect("it runs");
    killed.wait().expect("it ends");
    let kept = fs::read_to_string(&path).expect("a study");

    // Asked to stop, it stores what it has and says how to go on.
    let asked = begin(folder.path());
    kill_process(Pid::from_child(&asked), Signal::TERM).expect("it runs");
    let stopped = asked.wait_with_output().expect("it ends");
    // It may have been asked before it heeded signals.
    if let Some(status) = stopped.status.code() {
        assert_eq!(status, 1);
        assert!(text(&stopped.stderr).contains("Run the same command again"));
    }

    // A study with other settings is refused, and stays as it was.
    for (option, other) in [("--seed", "2"), ("--games", "128"), ("--plies", "2")] {
        let refused = run(
            folder.path(),
            &["layouts", "--learn", "study.json", option, other],
        );
        let error = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{error}");
        assert!(error.contains("study.json: a study with --seed 1 --plies 1 --games 64"));
        assert!(error.contains(&format!("{option} {other}")), "{error}");
    }

    // On a full disk the last state is kept.
    fs::write(&path, &kept).expect("it is written");
    let full = Command::new("sh")
        .args(["-c", "ulimit -f 1; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_referee"))
        .args(LEARN)
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    let error = text(&full.stderr);
    assert_eq!(full.status.code(), Some(1), "{error}");
    assert!(
        error.contains("study.json: the last state is kept: "),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&path).expect("a study"), kept);

    // Half a file is no study.
    fs::write(&path, &kept[..kept.len() / 2]).expect("it is written");
    let refused = run(folder.path(), &LEARN);
    let error = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{error}");
    assert!(
        error.contains("study.json: not a study of layouts, or a damaged one"),
        "{error}"
    );
}
