//! The engine templates for new teams: each is built as its README says, and passes the check.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use gamelog::record::Reason;
use serde_json::Value;

use crate::common::program::{folder_with, games, python, run, text};
use crate::common::skipped;

/// The maximum length of a template, in lines.
const LONGEST: usize = 150;

/// A template: its file, and the command that runs it in the folder where it was built.
type Template = (&'static str, &'static [&'static str]);

const TEMPLATES: [Template; 6] = [
    ("ugi.py", &["python3", "./ugi.py"]),
    ("ugi.cpp", &["./ugi-cpp"]),
    ("ugi.rs", &["./ugi-rs"]),
    ("sau.py", &["python3", "./sau.py"]),
    ("sau.cpp", &["./sau-cpp"]),
    ("sau.rs", &["./sau-rs"]),
];

/// The folder of the templates.
fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// The protocol of a template.
fn protocol((file, _): Template) -> &'static str {
    file.split_once('.').expect("a file of a language").0
}

/// Runs a command line of the README in a folder; it must succeed.
fn tool(folder: &Path, line: &str) {
    let mut words = line.split_whitespace();
    let program = words.next().expect("a program");
    let output = Command::new(program)
        .args(words)
        .current_dir(folder)
        .output();
    match output {
        Ok(output) => assert!(output.status.success(), "{line}: {}", text(&output.stderr)),
        Err(error) if error.kind() == ErrorKind::NotFound => panic!(
            "{program} is missing, and the templates cannot be tested without it: install python3, \
             g++ and rustc"
        ),
        Err(error) => panic!("{line}: {error}"),
    }
}

/// Copies the templates into `folder` and builds them there with the commands of their README.
fn build(folder: &Path) {
    for (file, _) in TEMPLATES {
        fs::copy(examples().join(file), folder.join(file)).expect("a template");
    }
    let readme = fs::read_to_string(examples().join("README.md")).expect("a README");
    let lines = readme
        .lines()
        .filter(|line| ["g++ ", "rustc "].iter().any(|tool| line.starts_with(tool)));
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), 4, "{readme}");
    tool(folder, "python3 --version");
    lines.into_iter().for_each(|line| tool(folder, line));
}

#[test]
fn templates_are_fit_to_play() {
    let folder = folder_with(&league());
    build(folder.path());
    for template in TEMPLATES {
        check(folder.path(), template);
    }
    play_each_other(folder.path());
}

/// Every point must pass; only notes about this machine's confinement are allowed.
fn check(folder: &Path, template: Template) {
    let (file, command) = template;
    let arguments = [
        "check",
        "--game",
        "hex",
        "--format",
        "json",
        "--positions",
        "60",
        "--games",
        "2",
        // The machine may be busy.
        "--margin",
        "3s",
        "--protocol",
        protocol(template),
        "--",
    ];
    let output = run(folder, &[&arguments, command].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{file}: {error}: {}", text(&output.stderr));
    });
    assert_eq!(output.status.code(), Some(0), "{file}: {report:#}");
    assert_eq!(
        (&report["fit"], &report["complete"]),
        (&true.into(), &true.into())
    );
    let findings = report["findings"].as_array().expect("findings");
    assert!(findings.len() > 10, "{report:#}");
    for finding in findings {
        if finding["point"] != "confinement" {
            assert_eq!(finding["grade"], "ok", "{file}: {finding}");
        }
    }
}

/// A league of all templates.
fn league() -> String {
    let mut text = "[league]\nname = \"templates\"\ngames = [\"hex\"]\nconcurrency = 2\n[clock]\n\
                    move = \"10s\"\n"
        .to_owned();
    for template in TEMPLATES {
        let (file, command) = template;
        text += &format!(
            "[[engine]]\nname = \"{file}\"\ncommand = {command:?}\nprotocol = \"{}\"\n",
            protocol(template)
        );
    }
    text
}

/// All templates play each other to the end, in any protocol, without unsolicited output.
fn play_each_other(folder: &Path) {
    let output = run(folder, &["league", "league.toml", "--out", "out"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let played = games(&folder.join("out"));
    assert_eq!(played.len(), 30);
    for game in played {
        assert_eq!(game.reason, Reason::Rules, "{}: {}", game.id, game.detail);
        for engine in [game.first, game.second] {
            assert!(engine.deviations.is_empty(), "{engine:?}");
            assert!(engine.version.starts_with("random hex"), "{engine:?}");
        }
    }
}

#[test]
fn templates_are_short() {
    for (file, _) in TEMPLATES {
        let text = fs::read_to_string(examples().join(file)).expect("a template");
        let lines = text.lines().count();
        assert!(lines < LONGEST, "{file}: {lines} lines");
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{file}: {widest:?} characters");
    }
}

/// The adapter of OpenSpiel plays each of its games by our rules: no turn is illegal, and every game can be
/// verified.
#[test]
fn open_spiel_plays_by_its_adapter() {
    let has_it = Command::new(python())
        .args(["-c", "import pyspiel"])
        .output();
    if !has_it.is_ok_and(|output| output.status.success()) {
        return skipped("examples, OpenSpiel", "no pyspiel");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let adapter = examples().join("adapters/open_spiel.py");
    let adapter = adapter.canonicalize().expect("the adapter");
    let engine = format!("spiel={} {}", python(), adapter.display());
    let free = "{ opening = \"free\", forbidden = \"off\" }";
    for (game, variant) in [
        ("amazons", "{ size = 6 }"),
        ("dots-and-boxes", "{ columns = 3, rows = 3 }"),
        ("einstein", "{}"),
        ("gomoku", free),
        ("hex", "{ size = 5, opening = \"swap\" }"),
        ("tic-tac-toe", "{}"),
    ] {
        let options = [
            "--games",
            "4",
            "--nodes",
            "60",
            "--random-plies",
            "0",
            "-q",
            "--out",
            game,
        ];
        let options = [&["--game", game, "--variant", variant][..], &options].concat();
        let played = run(
            folder.path(),
            &[&["match", &engine, "random"], &options[..]].concat(),
        );
        assert!(played.status.success(), "{game}: {}", text(&played.stderr));
        let all = games(&folder.path().join(game));
        assert_eq!(all.len(), 4, "{game}");
        assert!(
            all.iter().all(|game| game.reason == Reason::Rules),
            "{game}: {all:?}"
        );
        let verified = run(folder.path(), &["verify", game]);
        assert!(
            verified.status.success(),
            "{game}: {}",
            text(&verified.stdout)
        );
    }
}
