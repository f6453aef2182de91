//! `referee tune`, run by the program itself.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use lab::tune::Tuning;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::common::SLACK;
use crate::common::program::{folder_with, referee, run, text};

/// A tuning of small searches in short games.
pub(crate) const TUNING: &str = r#"
[tune]
name = "small"
game = "surakarta"
method = "spsa"
algorithm = "pvs"
seed = 3
table_mb = 1

[spsa]
iterations = 120
pairs = 2

[clock]
nodes = 8

[variant]
quiet_limit = 10

[openings]
random_plies = 4

[[parameter]]
name = "evaluation.freedom"
r_end = 0.05

[[parameter]]
name = "evaluation.free"
start = 100
min = 0
max = 150
c_end = 30
r_end = 0.05

[sprt]
elo0 = 0
elo1 = 100
rounds = 4
"#;

/// The same without the closing test.
const ALONE: [&str; 3] = ["tune", "league.toml", "--no-sprt"];

fn state(folder: &Path) -> String {
    fs::read_to_string(folder.join("state.json")).expect("a checkpoint")
}

fn iteration(folder: &Path) -> Option<u64> {
    let text = fs::read(folder.join("state.json")).ok()?;
    let state: Value = serde_json::from_slice(&text).expect("a whole checkpoint");
    state["iteration"].as_u64()
}

#[test]
fn a_tuning_that_is_killed_ends_as_one_that_is_not() {
    let folder = folder_with(TUNING);
    let whole = run(folder.path(), &[&ALONE[..], &["--out", "whole"]].concat());
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    let out = folder.path().join("matches/small");
    for kill in 1..=3 {
        let mut tuning = referee(folder.path(), &ALONE)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let end = Instant::now() + SLACK;
        while iteration(&out).unwrap_or(0) < 20 * kill {
            assert!(Instant::now() < end, "no progress");
            std::thread::sleep(Duration::from_millis(1));
        }
        kill_process(Pid::from_child(&tuning), Signal::KILL).expect("it is not reaped");
        tuning.wait().expect("it ends");
    }
    let resumed = run(folder.path(), &ALONE);
    assert!(text(&resumed.stderr).contains("resuming after iteration "));
    assert_eq!(text(&resumed.stdout), text(&whole.stdout));
    assert_eq!(state(&out), state(&folder.path().join("whole")));
    // Several games at a time change nothing either.
    let two = TUNING.replace("seed = 3", "seed = 3\nconcurrency = 2");
    fs::write(folder.path().join("league.toml"), two).expect("the file is written");
    run(folder.path(), &[&ALONE[..], &["--out", "two"]].concat());
    assert_eq!(state(&out), state(&folder.path().join("two")));
}

#[test]
fn a_report_says_what_has_changed_and_ends_with_a_test() {
    let folder = folder_with(&TUNING.replace("iterations = 120", "iterations = 30"));
    let tune = |arguments: &[&str]| {
        run(
            folder.path(),
            &[&["tune", "league.toml"], arguments].concat(),
        )
    };
    let first = tune(&["--plot", "plot.svg"]);
    let report = text(&first.stdout);
    // With few games it may be decided or not.
    assert!(first.status.code() != Some(2), "{}", text(&first.stderr));
    for expected in [
        "small: SPSA in Surakarta, 30 of 30 iterations of 2 pairs, 120 games, seed 3",
        "evaluation.free",
        "options = { parameters = \"evaluation.freedom=",
        "new against old: ",
        "Games ",
    ] {
        assert!(report.contains(expected), "{expected}: {report}");
    }
    let plot = fs::read_to_string(folder.path().join("plot.svg")).expect("a plot");
    assert!(plot.starts_with("<svg") && plot.contains("evaluation.free"));
    let again = tune(&["--format", "json"]);
    let facts: Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!(facts["parameters"][1]["start"], 100.0);
    assert_eq!(facts["sprt"]["elo1"], 100.0);
    let markdown = tune(&["--format", "markdown"]);
    assert!(text(&markdown.stdout).contains("| evaluation.free | 100 | "));
    let verified = run(folder.path(), &["verify", "matches/small/sprt"]);
    assert!(verified.status.success(), "{}", text(&verified.stdout));
}

/// The single line that a tuning file is refused with, and nothing is written.
fn refused(file: &str) -> String {
    let folder = folder_with(file);
    let output = run(folder.path(), &["tune", "league.toml"]);
    let message = text(&output.stderr).to_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(!folder.path().join("matches").exists());
    message
}

#[test]
fn bad_tuning_files_are_refused_before_anything_is_played() {
    let refuse = |from: &str, to: &str, expected: &str| {
        assert!(TUNING.contains(from), "{from}");
        let message = refused(&TUNING.replace(from, to));
        assert!(message.contains(expected), "{from} to {to}: {message}");
    };
    for (from, to, expected) in [
        (
            "evaluation.freedom",
            "evaluation.freedo",
            "surakarta: unknown parameter \"evaluation.freedo\", did you mean evaluation.freedom?",
        ),
        (
            "evaluation.freedom",
            "evaluation.free",
            "evaluation.free twice",
        ),
        (
            "start = 100",
            "start = 151",
            "evaluation.free: start 151, expected a value from 0 to 150",
        ),
        (
            "start = 100",
            "start = 100.5",
            "start = 100.5, expected a whole number",
        ),
        ("start = 100", "start = nan", "start NaN"),
        (
            "max = 150",
            "max = 0",
            "min 0 and max 0, expected min below max",
        ),
        (
            "max = 150",
            "max = 1000",
            "max = 1000, expected a value from 0 to 300",
        ),
        (
            "c_end = 30",
            "c_end = 0",
            "c_end 0, expected a number above 0",
        ),
        (
            "c_end = 30\nr_end = 0.05",
            "r_end = 0",
            "r_end 0, expected a number above 0",
        ),
        (
            "c_end = 30\nr_end = 0.05",
            "r_end = nan",
            "r_end NaN, expected a number above 0",
        ),
        ("c_end = 30", "c = 30", "league.toml:"),
        (
            "iterations = 120",
            "iterations = 0",
            "iterations = 0, expected 1 to",
        ),
        (
            "game = \"surakarta\"",
            "game = \"chess\"",
            "league.toml:4: game \"chess\", expected one of amazons",
        ),
        (
            "algorithm = \"pvs\"",
            "algorithm = \"alphago\"",
            "unknown algorithm",
        ),
        ("method = \"spsa\"", "method = \"adam\"", "league.toml:5: "),
        (
            "method = \"spsa\"",
            "method = \"texel\"",
            "[texel] logs: none",
        ),
        (
            "nodes = 8",
            "base = \"1s\"",
            "[clock] base, expected nodes, depth or move",
        ),
        ("quiet_limit = 10", "size = 40", "size"),
        ("random_plies = 4", "file = \"none\"", "none"),
        (
            "elo1 = 100",
            "elo1 = -1",
            "[sprt] elo0 0, elo1 -1: expected elo0 below elo1",
        ),
        ("rounds = 4", "rounds = 4\nalpha = 0.5", "[sprt] alpha 0.5"),
    ] {
        refuse(from, to, expected);
    }
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused_and_left_alone() {
    let short = TUNING.replace("iterations = 120", "iterations = 5");
    let folder = folder_with(&short);
    assert!(run(folder.path(), &ALONE).status.success());
    let path = folder.path().join("matches/small/state.json");
    let good = fs::read_to_string(&path).expect("a checkpoint");
    let refused = |expected: &str| {
        let before = fs::read(&path).expect("a checkpoint");
        let output = run(folder.path(), &ALONE);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(
            message.contains(expected) && message.lines().count() == 1,
            "{message}"
        );
        assert_eq!(fs::read(&path).expect("a checkpoint"), before);
    };
    fs::write(&path, &good[..good.len() / 2]).expect("written");
    refused("expected a checkpoint of a tuning; remove it to begin again");
    fs::write(&path, "").expect("written");
    refused("expected a checkpoint");
    fs::write(&path, &good).expect("written");
    let other = short.replace("seed = 3", "seed = 4");
    fs::write(folder.path().join("league.toml"), other).expect("written");
    refused("a checkpoint of another configuration: \"seed = 3\" is now \"seed = 4\"");
}

#[test]
fn a_full_disk_leaves_the_last_checkpoint() {
    let folder = folder_with(TUNING);
    let script = |blocks: u32| -> Output {
        let program = env!("CARGO_BIN_EXE_referee");
        let command = format!("ulimit -f {blocks}; exec \"{program}\" tune league.toml --no-sprt");
        std::process::Command::new("bash")
            .args(["-c", &command])
            .current_dir(folder.path())
            .output()
            .expect("bash starts")
    };
    // A checkpoint grows with its path, beyond four blocks of 1024 bytes.
    let full = script(4);
    let message = text(&full.stderr);
    assert_eq!(full.status.code(), Some(1), "{message}");
    let out = folder.path().join("matches/small");
    let kept = iteration(&out).expect("a checkpoint");
    assert!(kept > 0 && kept < 120, "{kept}");
    let expected = format!("The checkpoint of iteration {kept} remains");
    assert!(
        message.contains("state.json: cannot be written: "),
        "{message}"
    );
    assert!(message.contains(&expected), "{message}");
    assert_eq!(
        fs::read_dir(&out).expect("the folder").count(),
        2,
        "no temporary file is left"
    );
    // With room it goes on.
    assert!(run(folder.path(), &ALONE).status.success());
    let whole = run(folder.path(), &[&ALONE[..], &["--out", "whole"]].concat());
    assert!(whole.status.success());
    assert_eq!(state(&out), state(&folder.path().join("whole")));
}

/// Games of Surakarta that a better evaluation wins.
const GAMES: &str = r#"
[league]
name = "games"
games = ["surakarta"]
rounds = 20
seed = 1
concurrency = 2

[clock]
nodes = 30

[variant.surakarta]
quiet_limit = 30

[openings]
surakarta = { random_plies = 4 }

[[engine]]
name = "one"
builtin = "pvs"
options = { table_mb = 1 }

[[engine]]
name = "other"
builtin = "greedy"
options = { noise = 10, parameters = "evaluation.piece=40 evaluation.free=0" }
"#;

const TEXEL: &str = r#"
[tune]
name = "fit"
game = "surakarta"
method = "texel"

[texel]
logs = ["matches/games"]

[variant]
quiet_limit = 30

[[parameter]]
name = "evaluation.*"

[sprt]
rounds = 0
"#;

#[test]
fn weights_are_fitted_to_a_log() {
    let folder = folder_with(GAMES);
    let played = run(folder.path(), &["league", "league.toml"]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    fs::write(folder.path().join("fit.toml"), TEXEL).expect("written");
    let fit = |arguments: &[&str]| run(folder.path(), &[&["tune", "fit.toml"], arguments].concat());
    let first = fit(&["--format", "json"]);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let facts: Value = serde_json::from_slice(&first.stdout).expect("JSON");
    let (training, validation) = (&facts["fit"]["training"], &facts["fit"]["validation"]);
    assert!(
        training["after"].as_f64() < training["before"].as_f64(),
        "{facts}"
    );
    let games = |part: &Value| part["games"].as_u64().expect("a number");
    assert!(games(training) > games(validation) && games(validation) > 0);
    assert_eq!(games(training) + games(validation), 40);
    assert_eq!(facts["parameters"].as_array().map(Vec::len), Some(7));
    // Again, from the checkpoint, and anew: the same.
    assert_eq!(fit(&["--format", "json"]).stdout, first.stdout);
    assert_eq!(
        fit(&["--format", "json", "--out", "anew"]).stdout,
        first.stdout
    );
    let report = fit(&[]);
    assert!(
        text(&report.stdout).contains("\nvalidation: "),
        "{}",
        text(&report.stdout)
    );
    // Games of other variants do not count.
    let other = TEXEL.replace("quiet_limit = 30", "quiet_limit = 31");
    fs::write(folder.path().join("fit.toml"), other).expect("written");
    let none = fit(&["--out", "none"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("no games of surakarta with this variant in the logs"));
}

#[test]
fn a_league_plays_two_settings_of_one_engine_and_refuses_wrong_ones() {
    let wrong = GAMES.replace("evaluation.free=0", "evaluation.free=1000");
    let folder = folder_with(&wrong);
    let refused = run(folder.path(), &["league", "league.toml"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = text(&refused.stderr);
    assert!(
        message
            .contains("surakarta: evaluation.free = 1000, expected a whole number from 0 to 300"),
        "{message}"
    );
    let listed = run(folder.path(), &["engine", "surakarta", "--parameters"]);
    assert!(text(&listed.stdout).contains("evaluation.free"));
    let listed = run(
        folder.path(),
        &["engine", "surakarta", "--parameters", "--format", "json"],
    );
    let facts: Value = serde_json::from_slice(&listed.stdout).expect("JSON");
    let names = facts.as_array().expect("a list").iter();
    assert!(
        names
            .clone()
            .any(|known| known["name"] == "tree.exploration")
    );
    let unknown = run(folder.path(), &["engine", "hex", "--set", "tempo=1"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("did you mean evaluation.tempo?"));
}

#[test]
fn shipped_tuning_files_are_valid() {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/tune");
    let mut count = 0;
    for entry in fs::read_dir(files)
        .expect("a folder of tuning files")
        .flatten()
    {
        if entry
            .path()
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let tuning = Tuning::load(&entry.path()).unwrap_or_else(|error| panic!("{error}"));
            let stem = entry.path().with_extension("");
            let stem = stem.file_name().expect("a name").to_string_lossy();
            assert_eq!(tuning.name, format!("tune-{stem}"), "named as its file");
            count += 1;
        }
    }
    assert!(count > 1);
}

/// A range of two values has no inside.
#[test]
fn a_parameter_that_ends_at_its_bound_is_told() {
    let narrow = TUNING
        .replace("iterations = 120", "iterations = 2")
        .replace(
            "min = 0\nmax = 150\nc_end = 30",
            "min = 100\nmax = 101\nc_end = 1",
        );
    let folder = folder_with(&narrow);
    for format in ["text", "markdown"] {
        let output = run(folder.path(), &[&ALONE[..], &["--format", format]].concat());
        let said = text(&output.stdout);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let told = "evaluation.free has ended at its bound: a ";
        assert!(said.contains(told), "{said}");
        assert!(!said.contains("evaluation.freedom has ended"), "{said}");
    }
}
