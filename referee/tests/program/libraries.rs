//! SGF that we write, read by the libraries that users have: sgfmill, sgf and pysgf of PyPI, and
//! @sabaki/sgf of npm. What they make of turns is in `docs/formats.md`.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::common::program::{folder_with, python, run, text};
use crate::common::skipped;

const LEAGUE: &str = r#"
league = { name = "north", games = ["hex", "gomoku", "amazons", "connect6"], rounds = 1 }
clock = { base = "60s" }
variant.hex = { size = 4 }
variant.gomoku = { opening = "free", forbidden = "off", size = 6 }
variant.connect6 = { size = 8 }
engine = [{ name = "one", builtin = "greedy" }, { name = "two", builtin = "random" }]
"#;

/// Names that need escapes, and letters of Chinese.
const NAMED: &str = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,8,0\none \\ a]\n[队] two: b\n-1\n";

/// Prints each game as the names of its players and, for each node, its turn and comment.
const PYTHON: &str = r#"
import json, sys
import sgf, sgfmill.sgf, pysgf

def of_sgfmill(text):
    game = sgfmill.sgf.Sgf_game.from_string(text)
    nodes = game.get_main_sequence()[1:]
    raw = lambda node: [node.get_raw(name).decode() for name in ("B", "W") if node.has_property(name)]
    comment = lambda node: node.get("C") if node.has_property("C") else ""
    return [game.get_player_name("b"), game.get_player_name("w"), [[raw(n), comment(n)] for n in nodes]]

def of_properties(nodes):
    turn = lambda p: p.get("B", []) + p.get("W", [])
    comment = lambda p: "".join(p.get("C", []))
    return [nodes[0]["PB"][0], nodes[0]["PW"][0], [[turn(p), comment(p)] for p in nodes[1:]]]

def of_pysgf(text):
    node, nodes = pysgf.GoGame.parse_sgf(text), []
    while True:
        nodes.append(node.properties)
        if not node.children:
            return of_properties(nodes)
        node = node.children[0]

text = open(sys.argv[1], encoding="utf-8").read()
games = ["(;" + game for game in text.split("\n(;")]
games[0] = games[0].replace("(;(;", "(;")
of_sgf = [of_properties([n.properties for n in tree.nodes]) for tree in sgf.parse(text).children]
print(json.dumps([[of_sgfmill(g) for g in games], of_sgf, [of_pysgf(g) for g in games]]))
"#;

const NODE: &str = r#"
const sgf = require("@sabaki/sgf");
const games = sgf.parse(require("fs").readFileSync(process.argv[1], "utf8"));
const turn = data => [...(data.B || []), ...(data.W || [])];
console.log(JSON.stringify(games.map(root => {
    const nodes = [];
    for (let node = root.children[0]; node; node = node.children[0])
        nodes.push([turn(node.data), (node.data.C || [""])[0]]);
    return [root.data.PB[0], root.data.PW[0], nodes];
})));
"#;

/// What a program prints about a file; `None` if it cannot run.
fn printed(mut program: Command, file: &Path) -> Option<Value> {
    let output = program.arg(file).output().ok()?;
    let error = text(&output.stderr);
    if error.contains("ModuleNotFoundError") || error.contains("Cannot find module") {
        return None;
    }
    assert!(output.status.success(), "{error}");
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// What each library makes of a file of ours: players, and turns and comments as text. The list is empty
/// if none is installed.
fn readings(file: &Path) -> Vec<Value> {
    let mut python = Command::new(python());
    python.args(["-c", PYTHON]);
    let mut node = Command::new("node");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser");
    node.args(["-e", NODE]).current_dir(folder);
    let mut readings = Vec::new();
    match printed(python, file) {
        Some(found) => readings.extend(found.as_array().expect("a list").clone()),
        None => skipped("SGF in libraries", "pip install sgfmill sgf pysgf"),
    }
    match printed(node, file) {
        Some(found) => readings.push(found),
        None => skipped(
            "SGF in libraries",
            "npm install --prefix referee/tests/browser",
        ),
    }
    readings
}

#[test]
fn games_that_we_write_are_read_by_the_libraries_of_others() {
    let folder = folder_with(LEAGUE);
    let here = folder.path();
    let played = run(here, &["league", "league.toml", "--out", "out"]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    let log = fs::read_to_string(here.join("out/games.jsonl")).expect("a log");
    for game in ["hex", "gomoku", "amazons", "connect6"] {
        let name = format!("{game}.sgf");
        let mark = format!("\"game\":\"{game}\"");
        let lines: String = log
            .split_inclusive('\n')
            .filter(|line| line.contains(&mark))
            .collect();
        fs::write(here.join("one.jsonl"), lines).expect("a file");
        let written = run(
            here,
            &["export", "--to", "sgf", "--comments", "one.jsonl", &name],
        );
        assert!(written.status.success(), "{}", text(&written.stderr));
        let sgf = fs::read_to_string(here.join(&name)).expect("a file");
        assert!(sgf.contains("L[") && sgf.contains("C["), "{sgf}");
        // Read back, the games are the same.
        let again = run(here, &["verify", &name]);
        assert_eq!(again.status.code(), Some(0), "{}", text(&again.stdout));
        let found = readings(&here.join(&name));
        for reading in &found {
            assert_eq!(reading, &found[0], "{sgf}");
            let game = &reading[0];
            assert!(
                ["one", "two"].contains(&game[0].as_str().expect("a name")),
                "{game}"
            );
            let nodes = game[2].as_array().expect("nodes");
            let comment = nodes.iter().find(|node| node[1] != "").expect("a comment");
            assert!(
                comment[1].as_str().expect("text").contains(" s"),
                "{comment}"
            );
        }
    }
}

#[test]
fn names_survive_the_libraries_of_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    fs::write(here.join("game.psq"), NAMED).expect("a file");
    let written = run(here, &["convert", "--to", "sgf", "game.psq", "game.sgf"]);
    assert!(written.status.success(), "{}", text(&written.stderr));
    for reading in readings(&here.join("game.sgf")) {
        assert_eq!(
            reading,
            json!([["one \\ a]", "[队] two: b", [[["h8"], ""], [["i8"], ""]]]])
        );
    }
}
